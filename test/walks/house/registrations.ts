/** A program as a list of resources: the registrations that the SDK's classes send to the engine. */
import type { Properties, RunOptions } from "../../../engine/index.ts";
import { pathsByKey } from "../../../engine/pulumi/path.ts";
import type { Goal, Registered } from "../../../engine/values/goal.ts";
import { secret, unknownText, type Value } from "../../../engine/values/values.ts";
import { ownerText } from "../../../provider/names/owner.ts";
import { dynamicType, handlerText, otherType, pluginType } from "../../../provider/names/types.ts";
import type { Values } from "../../../provider/wire/codec.ts";
import { ignoredBeside } from "../../../sdk/identity.ts";
import { keyedArguments } from "../../../sdk/keyed-lists.ts";
import { deletesFirst, keyedLists } from "../../../sdk/outputs.ts";
import { goal } from "../../engine/in-process.ts";
import type { Form, Resource } from "./types.ts";

/** Secrets with Pulumi's own mark, as the SDK sends them. */
function withSecrets(args: Values, secrets: readonly string[]): Values {
  const marked: Record<string, unknown> = { ...args };
  for (const path of secrets) {
    const [, name = path, index, inner] = /^(\w+)(?:\[(\d+)\]\.(\w+))?$/.exec(path) ?? [];
    const value = marked[name];
    marked[name] =
      inner === undefined
        ? secret(plainValue(value))
        : (value as readonly Values[]).map((item, at) =>
            at === Number(index) ? { ...item, [inner]: secret(plainValue(item[inner])) } : item,
          );
  }
  return marked;
}

// The SDK leaves out undefined values.
const plainValue = (value: unknown) => JSON.parse(JSON.stringify(value)) as Value;

const componentType = "scene:index:Group";

/** Registers resources like the SDK's classes. */
export function programOf(
  program: readonly Resource[],
  form: Form,
  project: string,
  other: Properties | undefined,
): NonNullable<NonNullable<RunOptions["parts"]>["program"]> {
  const parents = new Map<string, string>();
  return async (deployment) => {
    parents.clear();
    for (const parent of new Set(program.flatMap((one) => one.parent ?? []))) {
      const { urn } = await deployment.register({ ...goal(parent, {}), type: componentType, custom: false });
      parents.set(parent, urn);
    }
    const provider =
      other && (await deployment.register({ ...goal("other", other), type: "pulumi:providers:shop" }));
    const reference = provider && `${provider.urn}::${provider.id ?? unknownText}`;
    const started = new Map<string, Promise<Registered>>();
    const settled = await Promise.allSettled(
      program.map((one) => {
        const other = started.get(one.refers?.to ?? "");
        const registered = register(deployment, one, other, one.shop && reference);
        started.set(one.name, registered);
        return registered;
      }),
    );
    return settled.some(({ status }) => status === "rejected") ? 1 : 0;
  };

  async function register(
    deployment: { register(goal: Goal): Promise<Registered> },
    resource: Resource,
    other: Promise<Registered> | undefined,
    provider = "",
  ): Promise<Registered> {
    const { kind, name, aliases = [], parent, secrets = [], refers } = resource;
    const argument = refers?.argument ?? "";
    const referred = await other;
    const args = referred === undefined ? resource.args : joinedWith(referred.id, argument, resource.args);
    const dependencies = referred === undefined ? [] : [referred.urn];
    const lists = keyedLists[kind] ?? {};
    const ignoreChanges = resource.ignoreChanges && pathsByKey(lists, args, resource.ignoreChanges);
    const above = parent === undefined ? [] : [componentType];
    const told = {
      __of: ownerText({ stack: "dev", project }, above, kind, name),
      __secret: secrets.map((path) => path.replace(/\[.*/, "")).join(",") || undefined,
      __provider: handlerText(kind),
    };
    const inputs = plainValue({
      ...keyedArguments(lists, withSecrets(args, secrets)),
      ...(form === "dynamic" && told),
      ...ignoredBeside({ native: form !== "dynamic", isRead: false }, lists, args, ignoreChanges),
    }) as Properties;
    const type = form === "dynamic" ? dynamicType(kind) : pluginType(kind);
    return deployment.register(
      goal(name, inputs, {
        type,
        provider,
        dependencies,
        propertyDependencies: referred === undefined ? {} : { [argument]: dependencies },
        parent: parent === undefined ? "" : (parents.get(parent) ?? ""),
        ignoreChanges: ignoreChanges ?? [],
        retainOnDelete: resource.retainOnDelete,
        protect: resource.protect,
        deleteBeforeReplace: deletesFirst.includes(kind) ? true : undefined,
        aliases: [
          ...aliases.map((alias) => ({ name: alias })),
          ...[name, ...aliases].map((alias) => ({ name: alias, type: otherType(type) })),
        ],
      }),
    );
  }
}

/** The arguments with the other resource's id behind a text; unknown in a preview that creates the other one. */
const joinedWith = (id: string | undefined, argument: string, args: Values): Values => ({
  ...args,
  [argument]: id === undefined ? unknownText : `${args[argument]}-${id}`,
});
