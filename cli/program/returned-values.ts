import type { Node, Place } from "./sources.ts";
import { computed, type Env, type Evaluate, plainOf, type Traced, truthOf } from "./traced-values.ts";

type Returned = (node: Node, at: Place, env: Env | undefined) => Traced | undefined;

/** Evaluates the statements of a function. */
export function openReturns(value: Evaluate): Returned {
  const inside = ({ source }: Place, node: Node): Place => ({ source, node });

  /** The value that a statement returns; undefined if it returns none. */
  function returned(node: Node, at: Place, env: Env | undefined): Traced | undefined {
    const ofParts = (parts: readonly Node[]): Traced | undefined => {
      for (const part of parts) {
        const found = returned(part, at, env);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    switch (node.type) {
      case "VariableDeclaration":
      case "FunctionDeclaration":
        return undefined;
      case "BlockStatement":
        return ofParts(node.body);
      case "ReturnStatement":
        return node.argument ? value(inside(at, node.argument), env) : computed(at);
      case "IfStatement": {
        const isTrue = truthOf(value(inside(at, node.test), env));
        if (isTrue === undefined) return computed(at);
        const part = isTrue ? node.consequent : node.alternate;
        return part ? returned(part, at, env) : undefined;
      }
      case "SwitchStatement": {
        const of = value(inside(at, node.discriminant), env);
        const tests = node.cases.map(({ test }) => test && value(inside(at, test), env));
        if ([of, ...tests].some((one) => one && one.type !== "scalar")) return computed(at);
        const found = tests.findIndex((one) => one && plainOf(one) === plainOf(of));
        const from = found < 0 ? tests.indexOf(null) : found;
        return from < 0 ? undefined : ofParts(node.cases.slice(from).flatMap((one) => one.consequent));
      }
      default:
        return computed(at);
    }
  }

  return returned;
}
