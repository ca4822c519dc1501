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
  const parts = (["name", "project", "stack"] as const).flatMap((part) =>
    to[part] === from[part] ? [] : [`${part}: ${JSON.stringify(from[part])}`],
  );
  const alias = (all: readonly string[]) => `give it aliases: [{ ${all.join(", ")} }]`;
  // A ThemeFolder creates the resources of its files, so a program can't give them aliases.
  if (from.above === "" && to.above.endsWith(themeFolderType)) {
    const path = to.name.slice(to.name.indexOf("/") + 1);
    return `give the ThemeFolder formerNames: ({ path }) => (path === ${JSON.stringify(path)} ? ${JSON.stringify(from.name)} : [])`;
  }
  const renames = stateRenameText(now, was);
  if (to.above === from.above) return renames === "" ? alias(parts) : `${alias(parts)}, or ${renames}`;
  // The parent of a resource without a component is the stack.
  return from.above === ""
    ? alias([...parts, "parent: pulumi.rootStackResource"])
    : `give it aliases: [${JSON.stringify(was)}]`;
}

/**
 * How to rename the resource in the state, for a program that uses the old name for another resource, so that an alias isn't
 * possible. The command can't move a resource: the text is empty if the component, the project or the stack differs.
 */
export function stateRenameText(now: string, was: string): string {
  const [to, from] = [placeIn(now), placeIn(was)];
  const isHere = (["above", "project", "stack"] as const).every((part) => to[part] === from[part]);
  return isHere ? `run pulumi-shop state rename ${from.name} ${to.name}` : "";
}

function placeIn(urn: string) {
  const { stack, project, types, name } = parseUrn(urn);
  return { above: types.split("$").slice(0, -1).join("$"), name, project, stack };
}
