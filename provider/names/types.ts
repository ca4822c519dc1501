/** Types of our resources. A resource is a dynamic one or the plugin's; nobody else knows how either type is written. */

const dynamic = "pulumi-nodejs:dynamic/shop:";
const plugin = "shop:index:";

export const dynamicType = (kind: string): string => `${dynamic}${kind}`;

/** The type of a kind's resources where the project names the plugin; a data source's token is written like it. */
export const pluginType = (kind: string): string => `${plugin}${kind}`;

/** The kind of a resource of ours, whichever of its two types it has; undefined for any other type. */
export function kindOfType(type: string): string | undefined {
  const prefix = [dynamic, plugin].find((one) => type.startsWith(one));
  const kind = prefix === undefined ? "" : type.slice(prefix.length);
  return /^\w+$/.test(kind) ? kind : undefined;
}

/** The other type of a resource of ours; a type that isn't ours stays as it is. */
export function otherType(type: string): string {
  const kind = kindOfType(type);
  if (kind === undefined) return type;
  return type === pluginType(kind) ? dynamicType(kind) : pluginType(kind);
}

/** The line by which the SDK's host finds the provider of a kind; it stands in the state of each dynamic resource of ours. */
export const handlerText = (kind: string): string =>
  `exports.handler=()=>require("pulumi-shop/provider").handler("${kind}")`;

/** The kind whose provider such a line finds; undefined for any other text. */
export function handledKind(text: unknown): string | undefined {
  const kind = typeof text === "string" ? /\("(\w+)"\)$/.exec(text)?.[1] : undefined;
  return kind !== undefined && handlerText(kind) === text ? kind : undefined;
}
