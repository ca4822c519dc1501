/** How a program, or the state, is told that a resource has another name, or another component above it, than it had. */

import { parseUrn } from "../../engine/pulumi/urn.ts";
import { themeFolderType } from "./theme-folder.ts";

/**
 * The way to keep the object of a resource that moved: `give it aliases: [{ name: "p2" }], or run pulumi-shop state rename p2 pot`.
 * @param now the resource's URN, or its owner's text (owner.ts)
 * @param was its URN in the state
 */
export function movedText(now: string, was: string): string {
  const [to, from] = [placeIn(now), placeIn(was)];
  const name = to.name === from.name ? [] : [`name: ${JSON.stringify(from.name)}`];
  const alias = (parts: readonly string[]) => `give it aliases: [{ ${parts.join(", ")} }]`;
  // A folder's component makes the resources of its files: nobody can give one of them an alias.
  if (from.above === "" && to.above.endsWith(themeFolderType)) {
    const path = to.name.slice(to.name.indexOf("/") + 1);
    return `give the ThemeFolder formerNames: ({ path }) => (path === ${JSON.stringify(path)} ? ${JSON.stringify(from.name)} : [])`;
  }
  if (to.above === from.above) return `${alias(name)}, or ${stateRenameText(now, was)}`;
  // What stands in no component has the stack itself above it.
  return from.above === ""
    ? alias([...name, "parent: pulumi.rootStackResource"])
    : `give it aliases: [${JSON.stringify(was)}]`;
}

/**
 * The way where the program has the old name too, for another resource: no alias may name that one. The state's command takes
 * a name, and leaves the resource where it stands, so that there is none (an empty text) where the place differs.
 */
export function stateRenameText(now: string, was: string): string {
  const [to, from] = [placeIn(now), placeIn(was)];
  return to.above === from.above ? `run pulumi-shop state rename ${from.name} ${to.name}` : "";
}

function placeIn(urn: string) {
  const { types, name } = parseUrn(urn);
  return { above: types.split("$").slice(0, -1).join("$"), name };
}
