/** What a change means to the object as the shop has it: told to whoever plans, and held against the stack's limits. */
import { pathText } from "../../engine/pulumi/path.ts";
import type { Shop } from "../run/context.ts";
import { type Effect, effectsOf } from "../run/effects.ts";
import { guardChange, isJudged } from "../run/guard.ts";
import type { Looked } from "../run/subject.ts";
import { type Change, changesWith, programChanges, staffOnlyChanges } from "../values/change.ts";
import { secretsOf } from "../values/secrets.ts";
import { quotedSideBySide } from "../values/value-text.ts";
import type { Values } from "../wire/codec.ts";
import { hidden } from "../wire/text.ts";
import { type Clash, conflictOf, type Met } from "./conflict.ts";

/**
 * Tells what becomes of an object.
 * @param looked the object as it was read, with its state by that
 * @throws ProtectedError where the stack's limits refuse that, measured from the values in the shop
 */
export function tellChange(looked: Looked, change: Change): void {
  const { definition, shop, id, args, olds: before } = looked;
  const { kind } = definition;
  const { wanted, sends } = change;
  const all = effectsOf(definition, before, wanted);
  if (isJudged(shop.guard, args, wanted))
    guardChange(shop.guard, { ...looked, args: wanted }, { type: "update", paths: [] }, all);
  const isSecret = secretsOf(args).length > 0;
  const effects = isSecret ? effectsOf(definition, concealed(before, args), concealed(wanted, args)) : all;
  const pathsOf = (fields: Change["fields"]) => fields.map(({ path }) => pathText(path));
  const done = pathsOf(changesWith(change, "done"));
  const kept = pathsOf(staffOnlyChanges(change));
  // A text may be both: staff's lines stay, and the program's are sent.
  const keeps = kept.filter((path) => !pathsOf(programChanges(change)).includes(path));
  const isRead = shop.notice({
    type: "changes",
    kind,
    id,
    sends: sends.requests,
    effects,
    done,
    ...(kept.length > 0 && { keeps }),
  });
  const items = effects.flatMap(itemText);
  if (items.length > 0) say(shop, isRead, `${kind} ${id}: ${items.join("; ")}`);
  tellOverwritten(looked, { sides: changesWith(change, "conflict"), withheld: "update" });
  tellPutBack(looked, { sides: changesWith(change, "put back"), withheld: "update" });
}

/** Tells which edits of others, that a refresh has read, are undone: the program asks as it did before them. */
export function tellPutBack(met: Met, clash: Clash): void {
  if (clash.sides.length === 0) return;
  const { definition, shop, id } = met;
  const back = conflictOf(met, clash);
  const isRead = shop.notice({ type: "puts-back", ...back });
  const texts = back.fields.map(({ path, is, asked, units }) => {
    if (is === undefined || is === hidden) return path;
    const [staff, own] = quotedSideBySide([is, asked], [units?.is, units?.asked]);
    return `${path}: ${own} (staff: ${staff})`;
  });
  say(shop, isRead, `${definition.kind} ${id}: puts back what staff changed: ${texts.join("; ")}`);
}

/** Tells which edits of others are destroyed by what may overwrite them. */
export function tellOverwritten(met: Met, clash: Clash): void {
  if (clash.sides.length === 0) return;
  const { definition, shop, id } = met;
  const overwritten = conflictOf(met, clash);
  const isRead = shop.notice({ type: "overwrites", ...overwritten });
  const texts = overwritten.fields.map(({ path, is, asked, units }) =>
    is === undefined || is === hidden
      ? path
      : `${path}: ${quotedSideBySide(asked === undefined ? [is] : [is, asked], [units?.is, units?.asked]).join(" => ")}`,
  );
  say(shop, isRead, `${definition.kind} ${id}: overwrites what was changed in the shop: ${texts.join("; ")}`);
}

/** A plan whose notices are read shows it with the resource; everywhere else it is a line, once of all that an engine asks. */
function say({ plan, memory, say }: Shop, isRead: boolean, line: string): void {
  if ((plan.isPreview !== false && isRead) || memory.told.has(line)) return;
  memory.told.add(line);
  say(line);
}

// A notice is read by those to whom no secret is shown.
const concealed = (values: Values, args: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    secretsOf(args).flatMap((name) => (values[name] === undefined ? [] : [[name, hidden]])),
  ),
});

/** `variants[S1-A] renamed S1-NEW (33 pc stay)`. */
function itemText(effect: Effect): readonly string[] {
  if (effect.type !== "renames" && effect.type !== "loses") return [];
  const { path, stock } = effect;
  if (effect.type === "loses") return [`${path} is lost${stock === undefined ? "" : ` (${stock} pc)`}`];
  return [`${path} renamed ${effect.to}${stock === undefined ? "" : ` (${stock} pc stay)`}`];
}
