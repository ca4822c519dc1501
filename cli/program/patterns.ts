/** Destructuring: the part of a value that a name gets. */
import type { Node, NodeOf, Place } from "./sources.ts";
import { computed, type Env, entryOf, listOf, scalar, type Traced } from "./traced-values.ts";

export interface Where {
  readonly at: Place;
  readonly env: Env | undefined;
}

interface Evaluating {
  readonly value: (place: Place, env: Env | undefined) => Traced;
  readonly keyOf: (property: NodeOf<"ObjectProperty">, where: Where) => string | undefined;
}

type OfPattern = (pattern: Node, of: Traced, name: string, where: Where) => Traced | undefined;

/** The value of a pattern in a list, such as a parameter: an item, or for `...rest` those from there on. */
export function itemAt(items: readonly Traced[], index: number, at: Place): Traced {
  if (at.node.type === "RestElement") return listOf(items.slice(index), at);
  return items[index] ?? scalar(undefined, at);
}

export function openPatterns({ value, keyOf }: Evaluating): OfPattern {
  /** The part of a destructured value that a name gets; undefined if the pattern doesn't have the name. */
  function ofPattern(pattern: Node, of: Traced, name: string, where: Where): Traced | undefined {
    const { at, env } = where;
    switch (pattern.type) {
      case "Identifier":
        return pattern.name === name ? of : undefined;
      case "TSParameterProperty":
        return ofPattern(pattern.parameter, of, name, where);
      case "AssignmentPattern": {
        const isUnset = of.type === "scalar" && of.value === undefined;
        return ofPattern(
          pattern.left,
          isUnset ? value({ ...at, node: pattern.right }, env) : of,
          name,
          where,
        );
      }
      case "ArrayPattern":
        for (const [index, element] of pattern.elements.entries()) {
          if (element === null) continue;
          const own = { ...at, node: element };
          const part = of.type === "list" ? itemAt(of.items, index, own) : computed(at);
          const found = ofPattern(element, part, name, where);
          if (found !== undefined) return found;
        }
        return undefined;
      case "RestElement":
        return ofPattern(pattern.argument as Node, of, name, where);
      case "ObjectPattern":
        return ofObjectPattern(pattern, of, name, where);
      default:
        return undefined;
    }
  }

  function ofObjectPattern(
    pattern: NodeOf<"ObjectPattern">,
    of: Traced,
    name: string,
    where: Where,
  ): Traced | undefined {
    const { at } = where;
    const taken = new Set<string>();
    for (const property of pattern.properties) {
      if (property.type === "RestElement") {
        if (property.argument.type !== "Identifier" || property.argument.name !== name) continue;
        if (of.type !== "object") return computed(at);
        return { ...of, entries: new Map([...of.entries].filter(([key]) => !taken.has(key))) };
      }
      const key = keyOf(property, where) ?? "";
      taken.add(key);
      const entry = entryOf(of, key) ?? computed(at);
      const found = ofPattern(property.value as Node, entry, name, where);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return ofPattern;
}
