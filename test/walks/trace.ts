/** A readable log of a walk: each move, and each command with its options, plan, messages and requests. */
import { isOwn } from "./house/session.ts";
import type { Options, Ran, Resource } from "./house/types.ts";
import { type House, openHouse } from "./house.ts";
import { liveRows } from "./model.ts";
import type { Move } from "./moves.ts";
import { houseIn } from "./shops.ts";
import { walk } from "./walk.ts";

type Say = (line: string) => void;

const text = (value: unknown) => JSON.stringify(value).slice(0, 600);

const entryText = ({ kind, name, args, ...rest }: Resource) => {
  const { aliases, parent, ignoreChanges, refers, retainOnDelete, protect, shop } = rest;
  const options = `${shop === undefined ? "" : " in the other shop"}${retainOnDelete ? " retained" : ""}${protect ? " protected" : ""}`;
  return `${kind} ${name} ${text(args)}${aliases === undefined ? "" : ` aliases ${aliases}`}${parent === undefined ? "" : ` in ${parent}`}${ignoreChanges === undefined ? "" : ` ignores ${ignoreChanges}`}${refers === undefined ? "" : ` ${refers.argument} with the id of ${refers.to}`}${options}`;
};

function show(say: Say, name: string, ran: Ran): void {
  say(`  ${name}: ${ran.result?.outcome ?? ""} ${ran.error?.message ?? ""}`);
  for (const step of ran.plan.filter(isOwn))
    say(`    ${step.op} ${step.name} ${step.id} ${text(step.changes)}`);
  for (const line of ran.said) say(`    says ${line}`);
  for (const notice of ran.notices) say(`    notice ${text(notice)}`);
  for (const { message } of ran.result?.failures ?? []) say(`    fails: ${message}`);
  for (const line of ran.guarded) say(`    refuses: ${line}`);
  for (const line of ran.requests) say(`    sends ${line}`);
}

/** A house that logs its commands. */
function told(house: House, say: Say): House {
  const programTold = async (name: string, program: readonly Resource[], work: () => Promise<Ran>) => {
    for (const entry of program) say(`    asks ${entryText(entry)}`);
    const ran = await work();
    show(say, name, ran);
    return ran;
  };
  return {
    ...house,
    preview: (program, options) => programTold("preview", program, () => house.preview(program, options)),
    go: (program, options) => programTold("up --skip-preview", program, () => house.go(program, options)),
    async up(program, options, between = () => {}) {
      for (const entry of program) say(`    asks ${entryText(entry)}`);
      const ran = await house.up(program, options, (planned) => {
        show(say, "the preview", planned);
        return between(planned);
      });
      show(say, "up", ran);
      return ran;
    },
    async refresh(options?: Options) {
      const ran = await house.refresh(options);
      show(say, "refresh", ran);
      return ran;
    },
  };
}

/** Runs a walk and logs everything. */
export async function trace(moves: readonly Move[], say: Say, house = openHouse()): Promise<void> {
  let rows = new Map<string, string>();
  const hasOther = JSON.stringify(moves).includes('"shop":"other"');
  function tellRows(): void {
    const inOther = hasOther ? [...liveRows(houseIn("other", house))] : [];
    const all = [...liveRows(house), ...inOther.map(([key, row]) => [`the other ${key}`, row] as const)];
    const now = new Map(all.map(([key, row]) => [key, text(row)]));
    for (const key of rows.keys()) if (!now.has(key)) say(`    the shop has ${key} no more`);
    for (const [key, row] of now) if (rows.get(key) !== row) say(`    the shop has ${key} ${row}`);
    rows = now;
  }
  function* tellMoves() {
    for (const move of moves) {
      say(text(move));
      yield move;
      tellRows();
    }
    say("at the end");
  }
  const { broken } = await walk(tellMoves(), true, told(house, say));
  for (const { what, text: why } of broken) say(`${what}: ${why}`);
}
