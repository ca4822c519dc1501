/** Plays a case in a scene that every engine can run: a state file, a JavaScript program, provider.cjs and world.json. */
import type { Properties } from "../../../engine/values/values.ts";
import type { NormalState } from "../normal.ts";
import { type Options, plugged, type Scene } from "../scene.ts";
import type { Case, Trouble, Wanted } from "./case.ts";
import { idOf, inputsOf, objectsOf, oldIdOf, type Place, stateOf } from "./states.ts";

export type Form = "dynamic" | "plugin";

const common = {
  project: "scene",
  group: "scene:index:Group",
  // Named as in the records (normal.ts).
  providerId: "<id>",
  time: "2025-01-01T00:00:00Z",
};
const code = { __provider: "<provider>" };
const places: Readonly<Record<Form, Place>> = {
  dynamic: {
    ...common,
    thing: "pulumi-nodejs:dynamic/scene:Thing",
    package: "pulumi-nodejs",
    settings: {},
    more: { inputs: code, outputs: code },
  },
  plugin: {
    ...common,
    thing: "scene:index:Thing",
    package: "scene",
    settings: { region: "north" },
    more: { inputs: {}, outputs: { region: "north" } },
  },
};

/** Plays a case's operation. Interrupted processes are tested with our engine only. */
export async function playIn(opened: Scene, one: Case, form: Form = "dynamic"): Promise<void> {
  const scene = form === "plugin" ? plugged(opened) : opened;
  const place = places[form];
  const { resources, pending } = stateOf(one, place);
  if (one.olds.length > 0) scene.begin({ resources, pending } as unknown as NormalState);
  // Objects that a program reads must exist: for a missing one our engine reports an error, while Pulumi accepts the
  // empty object from the SDK's host.
  for (const wanted of one.program)
    if (wanted.external)
      scene.edit(idOf(wanted.name), { ...inputsOf(wanted, undefined), made: `${idOf(wanted.name)}!` });
  for (const [id, { outputs }] of objectsOf(one, resources, place)) scene.edit(id, outputs);
  scene.world(worldOf(one));
  scene.program(programText(one));
  const urns = one.replace.flatMap(
    (name) => resources.find(({ urn, delete: old }) => !old && urn.endsWith(`::${name}`))?.urn ?? [],
  );
  const { parallel } = one;
  const asksForAll: Options = { parallel, ...(urns.length > 0 && { replace: urns }) };
  if (one.operation === "up") await scene.up(asksForAll);
  else if (one.operation === "preview") await scene.preview(asksForAll);
  else if (one.operation === "up after refresh") await scene.up({ ...asksForAll, refresh: true });
  else await scene.run(one.operation, { parallel });
}

/** The program's statements. */
function programText({ program, throws }: Case): string {
  const statements = program.map((one) => {
    const { name, component } = one;
    const options = optionsOf(one);
    const inputs = Object.entries(inputsOf(one, undefined)).filter(([key]) => key !== "label");
    const values = inputs.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    const all = [...values, ...(one.of === undefined ? [] : [`of: ${one.of}.made`])].join(", ");
    return component
      ? `const ${name} = new Group("${name}", undefined, { ${options} });`
      : `const ${name} = new Thing("${name}", { ${all} }, { ${options} });`;
  });
  const known = program.map(({ name }) => `${name}.urn`).join(", ");
  const end = `pulumi.all([${known}]).apply(() => { throw new Error("the program ends badly"); });`;
  return [...statements, ...(throws ? [end] : [])].join("\n");
}

function optionsOf({
  parent,
  dependsOn,
  deletedWith,
  alias,
  external,
  component,
  options,
  name,
}: Wanted): string {
  const { protect, retainOnDelete, deleteBeforeReplace } = options;
  const said = {
    parent,
    ...(dependsOn.length > 0 && { dependsOn: `[${dependsOn.join(", ")}]` }),
    ...(!component && {
      ...(external && { id: JSON.stringify(idOf(name)) }),
      deletedWith,
      ...(alias !== undefined && { aliases: `[{ name: "${alias}" }]` }),
      ...(protect && { protect }),
      ...(retainOnDelete && { retainOnDelete }),
      deleteBeforeReplace,
    }),
  };
  return Object.entries(said)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${value}`)
    .join(", ");
}

/** A case as world.json: check and create have the name, other operations the id. */
function worldOf({ olds, program, troubles, unsure }: Case): Properties {
  const ids = (name: string) => [idOf(name), oldIdOf(name), `${name}-1`];
  const all = [...new Set([...olds, ...program].map(({ name }) => name))];
  const rules = [
    ...all
      .filter((name) => unsure.includes(name))
      .flatMap((name) => ids(name).map((id) => [`diff ${id}`, { answer: {} }])),
    ...troubles.flatMap((trouble) => {
      const { name, verb } = trouble;
      const of = verb === "check" || verb === "create" ? [name] : ids(name);
      return of.map((one) => [`${verb} ${one}`, ruleOf(trouble)]);
    }),
  ];
  return Object.fromEntries(rules) as Properties;
}

function ruleOf({ name, verb, fault }: Trouble): Properties {
  if (fault === "fails") return { error: `${verb} ${name} fails` };
  if (verb === "check") return { failures: [{ property: "color", reason: "is wrong" }] };
  if (fault === "half") return { reasons: ["half made"] };
  return verb === "create" ? { error: `create ${name} fails` } : { refused: `${verb} ${name} is refused` };
}
