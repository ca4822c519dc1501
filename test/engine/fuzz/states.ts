/** The initial state of a case, in a project of any name. */
import type { State } from "../../../engine/index.ts";
import { makeUrn, parseUrn } from "../../../engine/pulumi/urn.ts";
import type { Properties } from "../../../engine/values/values.ts";
import type { Case, Old, Wanted } from "./case.ts";

/** The parts of a state that depend on the project. */
export interface Place {
  readonly project: string;
  readonly thing: string;
  readonly group: string;
  readonly package: string;
  readonly providerId: string;
  /** The provider's configuration. */
  readonly settings: Properties;
  /** The creation time of existing resources. */
  readonly time: string;
  /** Further inputs and outputs of every resource. */
  readonly more: { readonly inputs: Properties; readonly outputs: Properties };
}

/** The id of a resource in the state. */
export const idOf = (name: string) => `${name}-0`;
/** The id of its old object that is still to be deleted. */
export const oldIdOf = (name: string) => `${name}-old`;

/** The inputs of a resource. @param of the output of the other one, if it depends on one */
export function inputsOf(one: Old | Wanted, of: string | undefined): Properties {
  const { name, key, color, first } = one;
  return { label: name, key, color, ...(first && { first }), ...(of !== undefined && { of }) };
}

/** The resources of the state, and interrupted operations. */
export function stateOf(
  { olds }: Case,
  place: Place,
): { readonly resources: readonly State[]; readonly pending: readonly { resource: State; type: string }[] } {
  const { project, thing, group, providerId, time, settings, more } = place;
  const made = { created: time, modified: time };
  const stackUrn = `urn:pulumi:dev::${project}::pulumi:pulumi:Stack::${project}-dev`;
  const providerUrn = `urn:pulumi:dev::${project}::pulumi:providers:${place.package}::default`;
  const urns = new Map<string, string>();
  const root: State = { urn: stackUrn, custom: false, type: "pulumi:pulumi:Stack", ...made };
  const provider: State = {
    urn: providerUrn,
    custom: true,
    id: providerId,
    type: `pulumi:providers:${place.package}`,
    inputs: settings,
    outputs: settings,
    ...made,
  };
  const leftovers: State[] = [];
  const live = olds.map((one): State => {
    const parent = (one.parent && urns.get(one.parent)) ?? stackUrn;
    const type = one.component ? group : thing;
    const urn = makeUrn("dev", project, parent, type, one.name);
    urns.set(one.name, urn);
    const at = (name: string | undefined) => (name === undefined ? undefined : urns.get(name));
    const base = { urn, custom: !one.component, type, parent, ...made };
    const dependencies = [...new Set([...one.dependsOn, ...(one.of ? [one.of] : [])])].map(
      (name) => at(name) as string,
    );
    if (one.component) return { ...base, ...(dependencies.length > 0 && { dependencies }) };
    const inputs = { ...inputsOf(one, one.of && `${idOf(one.of)}!`), ...more.inputs };
    const id = idOf(one.name);
    const state: State = {
      ...base,
      id,
      inputs,
      outputs: { ...inputs, ...more.outputs, made: `${id}!` },
      provider: `${providerUrn}::${providerId}`,
      ...(dependencies.length > 0 && { dependencies }),
      ...(one.of && { propertyDependencies: { of: [at(one.of) as string] } }),
      ...(one.deletedWith && { deletedWith: at(one.deletedWith) as string }),
      ...(one.options.protect && { protect: true }),
      ...(one.options.retainOnDelete && { retainOnDelete: true }),
      ...(one.status === "external" && { external: true }),
      ...(one.status === "half made" && { initErrors: ["the paint was not dry"] }),
      ...(one.status === "tainted" && { taint: true }),
      ...(one.status === "being replaced" && { pendingReplacement: true }),
    };
    if (one.leftover) {
      const { protect, external, pendingReplacement, taint, initErrors, ...rest } = state;
      leftovers.push({ ...rest, id: oldIdOf(one.name), delete: true });
    }
    return state;
  });
  const resources = [root, provider, ...live, ...leftovers];
  return { resources, pending: pendingOf(olds, resources) };
}

const pendingOf = (olds: readonly Old[], states: readonly State[]) =>
  olds.flatMap(({ name, pending, status }) => {
    const resource = states.find((state) => parseUrn(state.urn).name === name && !state.delete);
    const is = pending !== undefined && status !== "external" && status !== "being replaced";
    return is && resource !== undefined ? [{ resource, type: pending }] : [];
  });

/** The objects before the operation, by id: as in the state, except those that somebody changed. */
export function objectsOf(
  one: Case,
  resources: readonly State[],
  place: Place,
): ReadonlyMap<string, { name: string; outputs: Properties }> {
  return new Map(
    resources.flatMap((state) => {
      const { name } = parseUrn(state.urn);
      if (state.type !== place.thing || state.pendingReplacement || one.gone.includes(name)) return [];
      const edit = one.edited.includes(name) && !state.delete ? { color: 9 } : {};
      const outputs = Object.entries({ ...state.outputs, ...edit }).filter(
        ([key]) => !(key in place.more.outputs),
      );
      return [[state.id as string, { name, outputs: Object.fromEntries(outputs) }] as const];
    }),
  );
}
