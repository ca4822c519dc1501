/** What the shop has in the place of a file, where nothing else tells: pictures, and texts of programs that Pulumi alone runs. */
import { load, type Stack } from "../../engine/index.ts";
import { bodyPath, fileIn, ownId, shownText, withBody } from "../../provider/inventory/index.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import { connect } from "../stack/shop.ts";
import type { Deleted, Drift } from "./drift.ts";
import { isDrift } from "./plan.ts";

type Change = Drift | Deleted;

const isUntold = (change: Change): change is Drift =>
  isDrift(change) &&
  change.path === bodyPath &&
  change.is === undefined &&
  fileIn(change.inputs) !== undefined;

/** The changes with the contents that the shop shows. @param stack whose state has been read */
export async function withShopBodies(stack: Stack, changes: readonly Change[]): Promise<readonly Change[]> {
  const untold = changes.filter(isUntold);
  if (untold.length === 0) return changes;
  const { connection, transport } = connect(stack, stack.env, (line) => process.stderr.write(`${line}\n`));
  const states = new Map(load(stack).resources.map((state) => [state.urn, state]));
  const read = async (change: Drift): Promise<Drift> => {
    const { type = "", id = "", outputs = {} } = states.get(change.urn) ?? {};
    const definition = definitionOfType(type);
    if (definition === undefined) return change;
    const listed = { ...outputs, id: ownId(id) };
    const { seen, bytes } = await withBody(definition, { transport, url: connection.url }, listed);
    return { ...change, is: shownText(seen) ?? (Buffer.isBuffer(bytes) ? bytes : undefined) };
  };
  try {
    const told = new Map(
      await Promise.all(untold.map(async (change) => [change, await read(change)] as const)),
    );
    return changes.map((change) => (isUntold(change) ? (told.get(change) ?? change) : change));
  } finally {
    await transport.close();
  }
}
