/** The types of our resources: dynamic, and the plugin's. */

const dynamic = "pulumi-nodejs:dynamic/shop:";
const plugin = "shop:index:";

export const dynamicType = (kind: string): string => `${dynamic}${kind}`;

/** The plugin's type of a kind, or the token of a data source. */
export const pluginType = (kind: string): string => `${plugin}${kind}`;

/** The kind of one of our types; undefined for any other type. */
export function kindOfType(type: string): string | undefined {
  const prefix = [dynamic, plugin].find((one) => type.startsWith(one));
  const kind = prefix === undefined ? "" : type.slice(prefix.length);
  return /^\w+$/.test(kind) ? kind : undefined;
}

/** The other form of a type; a foreign type is returned unchanged. */
export function otherType(type: string): string {
  const kind = kindOfType(type);
  if (kind === undefined) return type;
  return type === pluginType(kind) ? dynamicType(kind) : pluginType(kind);
}

/** The line that imports a kind's provider in the SDK's host. The state of each dynamic resource contains it. */
export const handlerText = (kind: string): string =>
  `exports.handler=()=>require("pulumi-shop/provider").handler("${kind}")`;

/** The kind of such a line; undefined for any other text. */
export function handledKind(text: unknown): string | undefined {
  const kind = typeof text === "string" ? /\("(\w+)"\)$/.exec(text)?.[1] : undefined;
  return kind !== undefined && handlerText(kind) === text ? kind : undefined;
}
