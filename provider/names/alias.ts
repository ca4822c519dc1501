/** Advice for a resource that was renamed or moved to another component. */

import { parseUrn } from "../../engine/pulumi/urn.ts";
import { themeFolderType } from "./theme-folder.ts";

/**
 * How to keep the object of a moved resource: `give it aliases: [{ name: "p2" }], or run pulumi-shop state rename p2 pot`.
 * @param now the resource's URN, or its owner (owner.ts)
 * @param was its URN in the state
 */
export function movedText(now: string, was: string): string {
  const [to, from] = [placeIn(now), placeIn(was)];
  const name = to.name === from.name ? [] : [`name: ${JSON.stringify(from.name)}`];
  const alias = (parts: readonly string[]) => `give it aliases: [{ ${parts.join(", ")} }]`;
  // A ThemeFolder creates the resources of its files, so a program can't give them aliases.
  if (from.above === "" && to.above.endsWith(themeFolderType)) {
    const path = to.name.slice(to.name.indexOf("/") + 1);
    return `give the ThemeFolder formerNames: ({ path }) => (path === ${JSON.stringify(path)} ? ${JSON.stringify(from.name)} : [])`;
  }
  if (to.above === from.above) return `${alias(name)}, or ${stateRenameText(now, was)}`;
  // The parent of a resource without a component is the stack.
  return from.above === ""
    ? alias([...name, "parent: pulumi.rootStackResource"])
    : `give it aliases: [${JSON.stringify(was)}]`;
}

/**
 * How to rename the resource in the state, for a program that uses the old name for another resource, so that an alias isn't
 * possible. The command can't move a resource: the text is empty if the component differs.
 */
export function stateRenameText(now: string, was: string): string {
  const [to, from] = [placeIn(now), placeIn(was)];
  return to.above === from.above ? `run pulumi-shop state rename ${from.name} ${to.name}` : "";
}

function placeIn(urn: string) {
  const { types, name } = parseUrn(urn);
  return { above: types.split("$").slice(0, -1).join("$"), name };
}
