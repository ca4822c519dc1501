/** Conditions for the result of any run. The rules for the state are Pulumi's (VerifyIntegrity). */

import type { State } from "../../../engine/index.ts";
import { parseUrn, referenceParts } from "../../../engine/pulumi/urn.ts";
import { allDependencies } from "../../../engine/state/dependency-order.ts";
import type { Snapshot } from "../../../engine/state/snapshot.ts";
import { eventErrors } from "../event-law.ts";
import type { Case } from "./case.ts";
import type { Played } from "./play.ts";

/** The errors, a sentence each. */
export function wrongIn(one: Case, played: Played): readonly string[] {
  return [
    ...brokenIn(played.after),
    ...(one.operation === "preview" ? [] : pendingWithoutCut(played)),
    ...lostIn(one, played),
    ...unprotectedIn(one, played),
    ...deletedThoughRead(one, played),
    ...(one.operation === "preview" ? changedByPreview(played) : []),
    // A process that has ended has no events.
    ...(played.crashed ? [] : eventErrors(played.events, played.result, one.operation === "refresh")),
    ...(played.error !== undefined && !played.crashed ? [`the run threw: ${played.error.stack}`] : []),
  ];
}

/** A state that Pulumi would refuse: dependencies come first, and URNs are unique. */
function brokenIn({ resources }: Snapshot): readonly string[] {
  const seen = new Map<string, State>();
  return resources.flatMap((state) => {
    const wrong = allDependencies(state).flatMap((urn) =>
      urn === state.urn || seen.has(urn) ? [] : [`${state.urn} needs ${urn}, which isn't before it`],
    );
    const other = seen.get(state.urn);
    if (other !== undefined && !state.delete) wrong.push(`${state.urn} is there twice`);
    const provider = state.provider === undefined ? undefined : referenceParts(state.provider);
    if (provider !== undefined && seen.get(provider.urn)?.id !== provider.id)
      wrong.push(`${state.urn} has another provider's id`);
    if (state.custom && (state.id ?? "") === "") wrong.push(`${state.urn} has no id`);
    seen.set(state.urn, state);
    return wrong;
  });
}

function pendingWithoutCut({ before, after, crashed, result }: Played): readonly string[] {
  const had = new Set(
    result?.outcome === "succeeded" ? [] : before.pending.map(({ resource }) => resource.urn),
  );
  return after.pending.flatMap(({ resource, type }) =>
    crashed || had.has(resource.urn)
      ? []
      : [`${type} ${resource.urn} is pending, though nothing was interrupted`],
  );
}

/** Orphaned objects: neither in the state, nor of an interrupted operation, nor retained. */
function lostIn(one: Case, { before, after, objects, objectsBefore, requests }: Played): readonly string[] {
  const had = new Set(before.resources.map(({ id }) => id));
  const known = new Set(
    [...after.resources, ...after.pending.map(({ resource }) => resource)].map(({ id }) => id),
  );
  // The id of an interrupted create is unknown.
  const creating = new Set(
    after.pending
      .filter(({ type }) => type === "creating")
      .map(({ resource }) => parseUrn(resource.urn).name),
  );
  const free = new Set(
    before.resources
      .filter((state) => state.retainOnDelete || state.external || state.deletedWith !== undefined)
      .map(({ id }) => id),
  );
  const wanted = new Set(one.program.filter(({ options }) => options.retainOnDelete).map(({ name }) => name));
  return [...objects].flatMap(([id, name]) => {
    // Objects that no state had before aren't affected by the run.
    if (objectsBefore.has(id) && !had.has(id)) return [];
    if (known.has(id) || free.has(id) || creating.has(name)) return [];
    if (wanted.has(name) && requests.includes(`create ${name}`)) return [];
    return [`the object ${id} is in no state`];
  });
}

/** Protected resources aren't deleted. */
function unprotectedIn(one: Case, { before, requests }: Played): readonly string[] {
  const off = new Set(
    one.program.filter(({ options }) => !options.protect).flatMap(({ name, alias }) => [name, alias]),
  );
  return before.resources.flatMap((state) =>
    state.protect &&
    !state.delete &&
    !off.has(parseUrn(state.urn).name) &&
    requests.includes(`delete ${state.id}`)
      ? [`${state.urn} is protected and was deleted`]
      : [],
  );
}

/** Resources that the program only reads now aren't deleted, except by a resource with its alias. */
function deletedThoughRead({ program }: Case, { before, events, requests }: Played): readonly string[] {
  const taken = new Set(program.map(({ alias }) => alias));
  return events.flatMap((event) => {
    if (event.type !== "done" || event.step.op !== "read" || taken.has(event.step.name)) return [];
    const { urn, id } = event.step;
    const owners = before.resources.filter((state) => state.id === id).map((state) => state.urn);
    const isLetGo = owners.length === 1 && owners[0] === urn;
    return isLetGo && requests.includes(`delete ${id}`) ? [`${urn} was read and its object deleted`] : [];
  });
}

function changedByPreview({ stateBefore, stateAfter, requests }: Played): readonly string[] {
  const did = requests.filter((request) => !request.startsWith("read "));
  return [
    ...(stateBefore === stateAfter ? [] : ["a preview changed the state"]),
    ...did.map((request) => `a preview did ${request}`),
  ];
}
