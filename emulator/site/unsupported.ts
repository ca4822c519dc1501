/** Features of the platform that the embedded shop doesn't have; each is reported once. */
import { Drop } from "liquidjs";

export type Say = (what: string) => void;

/** An empty list that also has the members of menus and widget lists. */
const emptyList = () => Object.assign([], { links: [], widgets: [], blocks: [], title: "", level: 0 });

/** Empty lists under any name. */
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

/** Lists that are edited in the back office and aren't part of the interface. */
export const missingLists = (say: Say): Readonly<Record<string, MissingLists>> => ({
  linklists: new MissingLists(() => say("menus (linklists) are empty")),
  widget_lists: new MissingLists(() => say("widgets (widget_lists) are left out")),
  block_lists: new MissingLists(() => say("blocks (block_lists) are left out")),
});
