/**
 * Plays a case: puts its state on a disk in memory and its objects in a cloud, runs its operation, and returns the
 * result.
 */

import type { Parts } from "../../../engine/deployment/run.ts";
import {
  destroy,
  type Event,
  load,
  preview,
  type Result,
  recorder,
  refresh,
  up,
} from "../../../engine/index.ts";
import type { Provider } from "../../../engine/processes/provider.ts";
import { InitError, RefusedError } from "../../../engine/processes/provider.ts";
import { parseUrn } from "../../../engine/pulumi/urn.ts";
import type { Snapshot } from "../../../engine/state/snapshot.ts";
import { anySource } from "../../../engine/values/plugin-source.ts";
import { type Properties, unknownText } from "../../../engine/values/values.ts";
import { type Disk, openDisk } from "../../support/disk.ts";
import { goal, openMemory, places, putProject } from "../in-process.ts";
import type { Case, Trouble } from "./case.ts";
import { idOf, inputsOf, objectsOf, type Place, stateOf } from "./states.ts";

export interface Played {
  readonly before: Snapshot;
  /** The state, with the results of an interrupted run. */
  readonly after: Snapshot;
  readonly stateBefore: string | undefined;
  readonly stateAfter: string | undefined;
  /** Existing objects by id, with the resource that created them. */
  readonly objects: ReadonlyMap<string, string>;
  /** Ids of objects that existed before. */
  readonly objectsBefore: ReadonlySet<string>;
  readonly requests: readonly string[];
  readonly result: Result | undefined;
  readonly error: Error | undefined;
  readonly crashed: boolean;
  readonly events: readonly Event[];
  /** Plays another operation on the result. */
  readonly goOn: (next: Partial<Case>) => Promise<Played>;
}

const place: Place = {
  project: "memory",
  thing: "pulumi-nodejs:dynamic/memory:Thing",
  group: "memory:index:Group",
  package: "pulumi-nodejs",
  settings: {},
  providerId: "5f5d1a3c-8d0e-4a51-9a52-3c1b8e0a7d11",
  time: "2026-01-01T00:00:00.000Z",
  more: { inputs: {}, outputs: {} },
};

interface Cloud {
  readonly objects: Map<string, Properties>;
  readonly owners: Map<string, string>;
  next: number;
}

export async function play(one: Case): Promise<Played> {
  const disk = putProject(openDisk());
  const { resources, pending } = stateOf(one, place);
  const latest = {
    manifest: { time: place.time, magic: "", version: "" },
    resources,
    ...(pending.length > 0 && { pending_operations: pending }),
  };
  if (one.olds.length > 0)
    disk.put(
      places.state,
      JSON.stringify({ version: 3, checkpoint: { stack: "organization/memory/dev", latest } }),
    );
  const cloud: Cloud = { objects: new Map(), owners: new Map(), next: 1 };
  for (const [id, { name, outputs }] of objectsOf(one, resources, place)) {
    cloud.objects.set(id, outputs);
    cloud.owners.set(id, name);
  }
  return playOn(one, disk, cloud);
}

async function playOn(one: Case, began: Disk, cloud: Cloud): Promise<Played> {
  const { cut } = one;
  let asked = 0;
  const disk = began.next("all", {
    plan: ({ name }) => {
      if (name !== "request" || cut === undefined) return undefined;
      asked += 1;
      return asked === cut.request ? { crash: cut.after ? "after" : "before" } : undefined;
    },
  });
  const requests: string[] = [];
  const objectsBefore = new Set(cloud.owners.keys());
  const stateBefore = disk.text(places.state);
  const before = load(openMemory(disk));
  const { events, watch } = recorder();
  const parts: Parts = {
    startProvider: async () => providerOf(one, cloud, disk, requests),
    program: programOf(one),
  };
  const options = {
    watch,
    parts,
    parallel: one.parallel,
    refresh: one.operation === "up after refresh",
    replace: one.replace.flatMap(
      (name) => before.resources.find(({ urn }) => parseUrn(urn).name === name)?.urn ?? [],
    ),
  };
  const verbs = { up, preview, refresh, destroy, "up after refresh": up };
  let result: Result | undefined;
  let error: Error | undefined;
  try {
    result = await verbs[one.operation](openMemory(disk), options);
  } catch (thrown) {
    error = thrown as Error;
  }
  const crashed = cut !== undefined && asked >= cut.request;
  const left = disk.next("all", {});
  return {
    before,
    after: load(openMemory(left, 2)),
    stateBefore,
    stateAfter: left.text(places.state),
    objects: new Map(cloud.owners),
    objectsBefore,
    requests,
    result,
    error,
    crashed,
    events,
    goOn: (next) => playOn({ ...one, cut: undefined, ...next }, left, cloud),
  };
}

/** Registers a case's resources, each after its dependencies; dependents of failed ones aren't registered. */
function programOf({ program, throws }: Case): NonNullable<Parts["program"]> {
  return async (deployment) => {
    const registered = new Map<string, Promise<{ urn: string; made: Properties[string] }>>();
    const root = goal("memory-dev", {}, { type: "pulumi:pulumi:Stack", custom: false });
    const stack = deployment.register(root);
    for (const one of program) {
      const needs = async (name: string | undefined) =>
        name === undefined
          ? undefined
          : await (registered.get(name) as Promise<{ urn: string; made: Properties[string] }>);
      const work = (async () => {
        const { urn: stackAt } = await stack;
        const [parent, of, deletedWith] = [
          await needs(one.parent),
          await needs(one.of),
          await needs(one.deletedWith),
        ];
        const others = await Promise.all(
          one.dependsOn.map(async (name) => (await needs(name))?.urn as string),
        );
        const dependencies = [...new Set([...others, ...(of ? [of.urn] : [])])];
        const base = { parent: parent?.urn ?? stackAt, dependencies };
        if (one.component) {
          const { urn } = await deployment.register(
            goal(one.name, {}, { ...base, type: place.group, custom: false }),
          );
          return { urn, made: null };
        }
        const inputs = { ...inputsOf(one, undefined), ...(of && { of: of.made }) } as Properties;
        if (one.external) {
          const reading = {
            type: place.thing,
            name: one.name,
            id: idOf(one.name),
            provider: "",
            source: anySource,
            additionalSecretOutputs: [],
          };
          const { urn, properties } = await deployment.read({ ...reading, ...base, inputs });
          return { urn, made: properties.made ?? unknownText };
        }
        const { urn, properties } = await deployment.register(
          goal(one.name, inputs, {
            ...base,
            type: place.thing,
            ...one.options,
            deletedWith: deletedWith?.urn ?? "",
            propertyDependencies: of ? { of: [of.urn] } : {},
            aliases: one.alias === undefined ? [] : [{ name: one.alias, parent: base.parent }],
          }),
        );
        return { urn, made: properties.made ?? unknownText };
      })();
      work.catch(() => undefined);
      registered.set(one.name, work);
    }
    const settled = await Promise.allSettled(registered.values());
    return throws || settled.some(({ status }) => status === "rejected") ? 1 : 0;
  };
}

/** A provider like provider.cjs that behaves as the case says. */
function providerOf(one: Case, cloud: Cloud, disk: Disk, requests: string[]): Provider {
  const labels = (id: string) => cloud.owners.get(id) ?? id.replace(/-[^-]*$/, "");
  const trouble = (verb: Trouble["verb"], name: string) =>
    one.troubles.find((it) => it.verb === verb && it.name === name)?.fault;
  const begin = (verb: Trouble["verb"], name: string) => {
    const fault = trouble(verb, name);
    if (fault === "refuses" && verb !== "create") throw new RefusedError(`${verb} ${name} is refused`);
    if (fault === "fails" || fault === "refuses") throw new Error(`${verb} ${name} fails`);
    return fault;
  };
  const send = <Answer>(what: string, work: () => Answer): Answer =>
    disk.effect(what, () => {
      requests.push(what);
      return work();
    });
  const half = (fault: string | undefined, id: string, properties: Properties) => {
    if (fault === "half") throw new InitError({ id, properties, reasons: ["half made"] });
  };
  return {
    async check(_urn, _olds, news) {
      const fault = trouble("check", String(news.label));
      if (fault === "fails") throw new Error(`check ${news.label} fails`);
      const failures = fault === undefined ? [] : [{ property: "color", reason: "is wrong" }];
      return { inputs: news, failures };
    },
    async diff(_urn, id, olds, { news }) {
      const name = labels(id);
      begin("diff", name);
      if (one.unsure.includes(name)) return { changes: "unknown", replaces: [], deleteBeforeReplace: false };
      const { made: _made, ...had } = olds;
      const sorted = (properties: Properties) => JSON.stringify(Object.entries(properties).sort());
      return {
        changes: sorted(had) === sorted(news) ? "none" : "some",
        replaces: olds.key === news.key ? [] : ["key"],
        deleteBeforeReplace: news.first === true,
      };
    },
    async create(urn, inputs) {
      const { name } = parseUrn(urn);
      const fault = begin("create", name);
      return send(`create ${name}`, () => {
        const id = `${name}-${cloud.next}`;
        cloud.next += 1;
        const outputs = { ...inputs, made: `${id}!` };
        cloud.objects.set(id, outputs);
        cloud.owners.set(id, name);
        half(fault, id, outputs);
        return { id, outputs };
      });
    },
    async read(_urn, id, inputs) {
      begin("read", labels(id));
      return send(`read ${id}`, () => {
        const there = cloud.objects.get(id);
        if (there === undefined) return { id: "", outputs: {}, inputs: undefined };
        const { made: _made, ...found } = there;
        return { id, outputs: there, inputs: inputs !== undefined && "label" in inputs ? found : undefined };
      });
    },
    async update(_urn, id, _olds, { news }) {
      const fault = begin("update", labels(id));
      return send(`update ${id}`, () => {
        const outputs = { ...news, made: `${id}!` };
        if (cloud.objects.has(id)) cloud.objects.set(id, outputs);
        half(fault, id, outputs);
        return { outputs };
      });
    },
    async delete(_urn, id) {
      begin("delete", labels(id));
      send(`delete ${id}`, () => {
        cloud.objects.delete(id);
        cloud.owners.delete(id);
      });
    },
    stop: () => {},
    close: () => {},
  };
}
