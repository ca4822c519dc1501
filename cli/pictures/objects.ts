/** The objects that shoppers see, before and after a plan. */
import { endedIn, type Step, type Value } from "../../engine/index.ts";
import { pathIn } from "../../engine/pulumi/path.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { asLists, type Values } from "../../provider/inventory/index.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import type { PassResult } from "../../runs/command.ts";
import { unknownUntilUp } from "./rows.ts";

export interface PlannedObject {
  readonly definition: Definition;
  /** The engine's id; undefined for a new object. */
  readonly id: string | undefined;
  /** Undefined for a new object. */
  readonly before: Values | undefined;
  /** Undefined for a deleted object. */
  readonly after: Values | undefined;
  /** The arguments that the plan sends; undefined if it sends nothing. */
  readonly asked: Values | undefined;
  readonly isTouched: boolean;
}

/** A price from a sheet, for the variant with this SKU. */
export interface SheetPrice {
  readonly sku: string;
  readonly field: string;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export function objectsOf({
  events,
  declined,
}: Pick<PassResult, "events" | "declined">): readonly PlannedObject[] {
  // Sorted, because steps end in any order; pages and samples depend on this order.
  const steps = endedIn(events).done.filter(isTold);
  // An imported object is compared with the program in another step.
  const further = new Set(steps.flatMap(({ op, urn }) => (op === "import" ? [] : [urn])));
  const last = steps.filter(({ op, urn }) => op !== "import" || !further.has(urn));
  const done = last.toSorted(({ urn }, other) => (urn < other.urn ? -1 : 1)).flatMap(plannedOf);
  // Refused objects stay as they are.
  return [...done, ...declined.flatMap(({ step }) => plannedOf({ ...step, op: "same" }))];
}

const isTold = ({ custom, partOf, found }: Step) => custom && partOf === undefined && !found;

function plannedOf({ op, type, id, inputs, olds, stays }: Step): readonly PlannedObject[] {
  const definition = definitionOfType(type);
  if (definition === undefined) return [];
  const kept = { definition, id, before: olds, after: olds, asked: undefined, isTouched: false };
  const asked = asLists(definition, inputs);
  const made = { definition, id, before: undefined, after: asked, asked, isTouched: true };
  switch (op) {
    case "same":
    case "import":
    case "read":
    case "refresh":
      return [kept];
    case "create":
    case "create-replacement":
      return [made];
    case "update":
    case "rename":
    case "adopt":
      return [{ ...kept, after: merged(definition, olds, asked), asked, isTouched: true }];
    case "replace":
      return [
        { ...kept, after: undefined, isTouched: true },
        { ...made, id: undefined },
      ];
    case "delete":
    case "delete-replaced":
      return stays ? [kept] : [{ ...kept, after: undefined, isTouched: true }];
    default:
      return op satisfies never;
  }
}

type Properties = Readonly<Record<string, Value>>;
const isList = (value: unknown): value is readonly Values[] => Array.isArray(value);

/** Applies arguments to an object: missing arguments stay, missing items are removed, new items come last. */
function merged({ fields }: Definition, olds: Properties, asked: Values): Values {
  const sent = Object.entries(asked).flatMap(([name, value]) => {
    if (value === unknownUntilUp) return [];
    const key = fields[name]?.items?.key;
    const before = olds[name];
    if (key === undefined || !isList(value) || !isList(before)) return [[name, value]];
    const known = new Map(before.map((item) => [item[key], item] as const));
    const wanted = new Map(value.map((item) => [item[key], item] as const));
    const order = [...known.keys(), ...wanted.keys()].filter((one) => wanted.has(one));
    return [[name, [...new Set(order)].map((one) => ({ ...known.get(one), ...wanted.get(one) }))]];
  });
  return { ...olds, ...Object.fromEntries(sent) };
}

export const sheetPricesOf = ({
  steps,
  notices,
}: Pick<PassResult, "steps" | "notices">): readonly SheetPrice[] =>
  steps
    .filter(({ type }) => definitionOfType(type) === undefined)
    .flatMap((step) => notices.changes(step)?.effects ?? [])
    .flatMap((effect): readonly SheetPrice[] => {
      if (effect.type !== "price") return [];
      const [, sku, field, title] = pathIn(effect.path);
      if (sku === undefined || field === undefined || title !== undefined) return [];
      return [{ sku, field, from: effect.from, to: effect.to }];
    });
