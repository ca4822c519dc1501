/** Objects that staff deleted and made again: their resources stay, with the new object. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as engine from "../../engine/index.ts";
import type { Definition } from "../../provider/definition/define.ts";
import {
  asLists,
  hasKey,
  keyOf,
  listedObjects,
  ownId,
  type Values,
  withItemsOf,
} from "../../provider/inventory/index.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import { jsonSource } from "../program/sources.ts";
import { adoptedFile, readAdopted } from "../pull/scaffold.ts";
import { connect } from "../stack/open-stack.ts";
import { adoptPath, type Drift } from "./drift.ts";
import { type Edit, jsonEdits } from "./edits.ts";

/** A resource, and the id of the object that staff made in place of its own. */
export interface Remade {
  readonly urn: string;
  readonly kind: string;
  readonly id: string;
  /** The new object. */
  readonly seen: Values;
}

/** The deleted objects whose natural key exactly one other object of the shop has now. @param steps of the refresh */
export async function remadeObjects(
  stack: engine.Stack,
  steps: readonly engine.Step[],
): Promise<readonly Remade[]> {
  const gone = new Set(steps.filter(engine.isGone).map(({ urn }) => urn));
  if (gone.size === 0) return [];
  const { transport } = connect(stack, stack.env, (line) => process.stderr.write(`${line}\n`));
  const { resources } = engine.load(stack);
  const held = new Set(resources.map(({ type, id }) => `${type} ${id}`));
  const wanted = Map.groupBy(
    resources.filter((one) => gone.has(one.urn) && !one.delete),
    ({ type }) => type,
  );
  try {
    const found = await Promise.all(
      [...wanted].map(async ([type, states]) => {
        const definition = definitionOfType(type);
        if (definition?.keys === undefined) return [];
        const listed = await listedObjects(definition, transport);
        const free = [...listed].filter(([id]) => !held.has(`${type} ${id}`));
        return states.flatMap((state) => remadeAs(definition, state, free));
      }),
    );
    const byObject = Map.groupBy(found.flat(), ({ kind, id }) => `${kind} ${id}`);
    return [...byObject.values()].flatMap((all) => (all.length === 1 ? all : []));
  } finally {
    await transport.close();
  }
}

function remadeAs(
  definition: Definition,
  { urn, type, inputs = {} }: engine.State,
  free: readonly (readonly [id: string, seen: Values])[],
): readonly Remade[] {
  const key = keyOf(definition, asLists(definition, engine.bareProperties(inputs)));
  const [only, ...others] = key === undefined ? [] : free.filter(([, seen]) => hasKey(seen, key));
  if (only === undefined || others.length > 0) return [];
  const [id, seen] = only;
  return [{ urn, kind: engine.kindOf(type), id, seen }];
}

/** Gives the resources their new objects, as if the old ones had been edited. */
export function withNewObjects(stack: engine.Stack, remade: readonly Remade[]): Promise<void> {
  const byUrn = new Map(remade.map((one) => [one.urn, one]));
  return engine.editResources(stack, (state) => {
    const own = state.delete ? undefined : byUrn.get(state.urn);
    const definition = definitionOfType(state.type);
    if (own === undefined || definition === undefined) return state;
    const outputs = withItemsOf(definition, state.outputs ?? {}, own.seen) as engine.Properties;
    return { ...state, id: own.id, outputs };
  });
}

/** The new ids as edits of staff: a program may name the old ones. @param known the state's URN of a resource */
export const remadeDrift = (
  remade: readonly Remade[],
  asked: ReadonlyMap<string, Values>,
  known: (urn: string) => string = (urn) => urn,
): readonly Drift[] => {
  const byUrn = new Map(remade.map((one) => [one.urn, one]));
  return [...asked].flatMap(([urn, inputs]) => {
    const { kind, id = "" } = byUrn.get(known(urn)) ?? {};
    if (kind === undefined) return [];
    const { adopt } = inputs;
    const is = String(adopt).includes("/") ? id : ownId(id);
    const own = { urn, kind, name: engine.nameOf(urn), inputs };
    return [{ ...own, path: adoptPath, asked: adopt, is, isConflict: false }];
  });
};

/** Writes the new id where `pull` keeps it, in adopt.STACK.json; undefined if it isn't there. */
export function adoptEdits(
  { kind, name, path, asked, is }: Drift,
  { home, stack }: { readonly home: string; readonly stack: string },
): readonly Edit[] | undefined {
  const adopted = path === adoptPath ? readAdopted(home, stack) : {};
  if (asked === undefined || adopted[kind]?.[name] !== asked) return undefined;
  const file = join(home, adoptedFile(stack));
  const next = { ...adopted, [kind]: { ...adopted[kind], [name]: is } };
  return jsonEdits(jsonSource(file, readFileSync(file, "utf8")), next);
}

/** Whether the program finds the new object by its natural key, so that it names no id. */
export const isFoundByKey = ({ path, inputs }: Pick<Drift, "path" | "inputs">): boolean =>
  path === adoptPath && (inputs.adopt === undefined || inputs.adopt === "key");
