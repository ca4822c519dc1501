/** What the platform has and the embedded shop doesn't: a page does without it, and it is said once. */
import { Drop } from "liquidjs";

export type Say = (what: string) => void;

/** An empty list that a template may also ask for the lists that it holds. */
const emptyList = () => Object.assign([], { links: [], widgets: [], blocks: [], title: "", level: 0 });

/** Lists by their names, none of which is here. */
export class MissingLists extends Drop {
  readonly #say: () => void;

  constructor(say: () => void) {
    super();
    this.#say = say;
  }

  override liquidMethodMissing(): unknown {
    this.#say();
    return emptyList();
  }
}

/** The lists that a back office makes and the interface doesn't show. */
export const missingLists = (say: Say): Readonly<Record<string, MissingLists>> => ({
  linklists: new MissingLists(() => say("menus (linklists) are empty")),
  widget_lists: new MissingLists(() => say("widgets (widget_lists) are left out")),
  block_lists: new MissingLists(() => say("blocks (block_lists) are left out")),
});
