/** Evaluates constant expressions and keeps the place of each value. Anything else is `computed`. */
import {
  bindsName,
  declaredIn,
  type Imported,
  importedAs,
  isAssigned,
  isFunction,
  type Names,
  patternsOf,
} from "./scopes.ts";
import { type Node, type NodeOf, type Place, parentOf, type Source, type Sources } from "./sources.ts";
import {
  computed,
  type Env,
  grouped,
  ofEnum,
  ofList,
  ofObject,
  ofOperator,
  ofStatics,
  ofText,
  plainOf,
  scalar,
  type Traced,
} from "./traced-values.ts";

const maxDepth = 60;

/** The declarations of a value; any other node is the value itself. */
const declares: ReadonlySet<string> = new Set([
  "VariableDeclarator",
  "FunctionDeclaration",
  "ClassDeclaration",
  "TSEnumDeclaration",
]);

interface Where {
  readonly at: Place;
  readonly env: Env | undefined;
}

/** Evaluates an expression with the bindings around it. */
export type Evaluate = (place: Place, env: Env | undefined) => Traced;

/** @param stack the value of `pulumi.getStack()` */
export function openEvaluator(sources: Sources, { packaged, exported }: Names, stack: string): Evaluate {
  const constants = new Map<Node, Traced>();
  let depth = 0;

  function value(place: Place, env: Env | undefined): Traced {
    if (depth > maxDepth) return computed(place);
    depth += 1;
    try {
      return evaluated(place, env);
    } finally {
      depth -= 1;
    }
  }

  const inside = ({ source }: Place, node: Node): Place => ({ source, node });

  function evaluated(at: Place, env: Env | undefined): Traced {
    const { node } = at;
    switch (node.type) {
      case "StringLiteral":
      case "NumericLiteral":
      case "BooleanLiteral":
        return scalar(node.value, at, true);
      case "NullLiteral":
        return scalar(null, at, true);
      case "TemplateLiteral":
        return templateOf(node, at, env);
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "ParenthesizedExpression":
        return value(inside(at, node.expression), env);
      case "Identifier":
        return node.name === "undefined" ? scalar(undefined, at, true) : named(node.name, at, env);
      case "ObjectExpression":
        return objectOf(node, at, env);
      case "ArrayExpression":
        return listOf(node, at, env);
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "FunctionDeclaration":
        return { type: "function", at };
      case "MemberExpression":
      case "OptionalMemberExpression":
        return memberOf(node, at, env);
      case "CallExpression":
        return callOf(node, at, env);
      case "ConditionalExpression": {
        const test = value(inside(at, node.test), env);
        if (test.type === "computed") return computed(at);
        const isTrue = test.type !== "scalar" || Boolean(test.value);
        return value(inside(at, isTrue ? node.consequent : node.alternate), env);
      }
      case "LogicalExpression":
        return logicalOf(node, at, env);
      case "UnaryExpression":
        return unaryOf(node, at, env);
      case "BinaryExpression":
        return binaryOf(node, at, env);
      case "NewExpression":
        return newOf(node, at, env);
      default:
        return computed(at);
    }
  }

  function templateOf(node: NodeOf<"TemplateLiteral">, at: Place, env: Env | undefined): Traced {
    const parts = node.expressions.map((one) => value(inside(at, one as Node), env));
    const texts = parts.map((part) => (part.type === "scalar" ? String(part.value) : undefined));
    if (texts.includes(undefined)) return computed(at);
    const text = node.quasis
      .map(({ value: { cooked } }, index) => `${cooked ?? ""}${texts[index] ?? ""}`)
      .join("");
    return scalar(text, at, parts.length === 0);
  }

  function objectOf(node: NodeOf<"ObjectExpression">, at: Place, env: Env | undefined): Traced {
    const entries = new Map<string, Traced>();
    const parts: Place[] = [];
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        const spread = value(inside(at, property.argument), env);
        if (spread.type !== "object") continue;
        for (const [name, entry] of spread.entries) entries.set(name, entry);
        parts.push(...spread.parts);
        continue;
      }
      const name = keyOf(property, at, env);
      if (name === undefined) continue;
      const entry =
        property.type === "ObjectMethod"
          ? computed(inside(at, property))
          : value(inside(at, property.value as Node), env);
      entries.set(name, entry);
    }
    return { type: "object", entries, at, parts: [...parts, at] };
  }

  function keyOf(
    { key, computed: isComputed }: NodeOf<"ObjectProperty"> | NodeOf<"ObjectMethod">,
    at: Place,
    env: Env | undefined,
  ): string | undefined {
    if (key.type === "Identifier" && !isComputed) return key.name;
    const name = key.type === "PrivateName" ? undefined : value(inside(at, key), env);
    return name?.type === "scalar" ? String(name.value) : undefined;
  }

  function listOf(node: NodeOf<"ArrayExpression">, at: Place, env: Env | undefined): Traced {
    let isLiteral = true;
    const items = node.elements.flatMap((element): readonly Traced[] => {
      if (element === null) return [];
      if (element.type !== "SpreadElement") return [value(inside(at, element), env)];
      const spread = value(inside(at, element.argument), env);
      isLiteral = false;
      return spread.type === "list" ? spread.items : [computed(inside(at, element))];
    });
    return { type: "list", items, at, isLiteral };
  }

  function memberOf(
    node: NodeOf<"MemberExpression"> | NodeOf<"OptionalMemberExpression">,
    at: Place,
    env: Env | undefined,
  ): Traced {
    const { property } = node;
    const key =
      !node.computed && property.type === "Identifier"
        ? property.name
        : property.type === "PrivateName"
          ? undefined
          : plainOf(value(inside(at, property), env));
    const imported = packaged(at);
    if (imported !== undefined || key === undefined) return computed(at);
    const whole = node.object.type === "Identifier" ? moduleOf(node.object.name, at) : undefined;
    if (whole !== undefined) return ofImport(whole.source, { ...whole.imported, name: String(key) }, at);
    return entryOf(value(inside(at, node.object as Node), env), String(key)) ?? computed(at);
  }

  /** The module of `import * as name`. */
  function moduleOf(name: string, { source }: Place) {
    const place = declaredIn(source.root, name, source);
    const imported = place === undefined ? undefined : importedAs(place);
    return imported?.name === "*" ? { source, imported } : undefined;
  }

  function entryOf(of: Traced, key: string): Traced | undefined {
    if (of.type === "object") return of.entries.get(key) ?? scalar(undefined, of.at);
    if (of.type === "list" && /^\d+$/.test(key)) return of.items[Number(key)];
    if (key === "length" && of.type === "list") return scalar(of.items.length, of.at);
    return undefined;
  }

  function logicalOf(node: NodeOf<"LogicalExpression">, at: Place, env: Env | undefined): Traced {
    const left = value(inside(at, node.left), env);
    if (left.type === "computed") return computed(at);
    const known = left.type === "scalar" ? left.value : true;
    const takesLeft =
      node.operator === "??"
        ? known !== undefined && known !== null
        : node.operator === "||"
          ? Boolean(known)
          : !known;
    return takesLeft ? left : value(inside(at, node.right), env);
  }

  function unaryOf(node: NodeOf<"UnaryExpression">, at: Place, env: Env | undefined): Traced {
    const of = value(inside(at, node.argument), env);
    if (of.type !== "scalar") return computed(at);
    if (node.operator === "-") return scalar(-Number(of.value), at, node.argument.type === "NumericLiteral");
    return node.operator === "!" ? scalar(!of.value, at) : computed(at);
  }

  /** A Map or a Set iterates over its list. */
  function newOf(
    { callee, arguments: [of] }: NodeOf<"NewExpression">,
    at: Place,
    env: Env | undefined,
  ): Traced {
    const isList = callee.type === "Identifier" && (callee.name === "Map" || callee.name === "Set");
    const items = isList && of !== undefined ? value(inside(at, of as Node), env) : undefined;
    return items?.type === "list" ? { ...items, isLiteral: false } : computed(at);
  }

  function binaryOf(node: NodeOf<"BinaryExpression">, at: Place, env: Env | undefined): Traced {
    const [left, right] = [node.left, node.right].map((one) => value(inside(at, one as Node), env));
    if (left?.type !== "scalar" || right?.type !== "scalar") return computed(at);
    return ofOperator(node.operator, left.value, right.value, at);
  }

  function callOf(node: NodeOf<"CallExpression">, at: Place, env: Env | undefined): Traced {
    const { callee } = node;
    const imported = packaged(inside(at, callee as Node));
    if (imported?.module === "@pulumi/pulumi")
      return imported.name === "getStack" ? scalar(stack, at) : computed(at);
    const args = () => node.arguments.map((one) => value(inside(at, one as Node), env));
    if (callee.type === "MemberExpression" && callee.property.type === "Identifier" && !callee.computed) {
      const method = callee.property.name;
      const { object } = callee;
      const applying = {
        at,
        apply: (work: Place, given: readonly Traced[]) => result(work, given, { at, env }),
      };
      if (object.type === "Identifier" && method === "groupBy") {
        const [of, by] = args();
        return grouped({ name: object.name, of, by }, applying);
      }
      if (object.type === "Identifier" && object.name === "Object") return ofObject(method, args()[0], at);
      const of = value(inside(at, object as Node), env);
      if (of.type === "list") return ofList(method, of, args()[0], applying);
      if (of.type === "scalar" && typeof of.value === "string") return ofText(method, of.value, args(), at);
      return computed(at);
    }
    if (callee.type !== "Identifier") return computed(at);
    const [first] = args();
    // `String(x)` and `Number(x)` of a literal are still that literal.
    if (callee.name === "String" && first?.type === "scalar") return { ...first, value: String(first.value) };
    if (callee.name === "Number" && first?.type === "scalar") return { ...first, value: Number(first.value) };
    const called = value(inside(at, callee), env);
    return called.type === "function" ? result(called.at, args(), { at, env }) : computed(at);
  }

  /** Evaluates a function that only declares constants and returns a value. */
  function result({ source, node }: Place, args: readonly Traced[], { at, env }: Where): Traced {
    if (!isFunction(node)) return computed(at);
    const own: Env = { binder: node, values: args, outer: env };
    const { body } = node;
    if (body.type !== "BlockStatement") return value({ source, node: body }, own);
    const last = body.body.at(-1);
    const isPlain = body.body.slice(0, -1).every(({ type }) => type === "VariableDeclaration");
    if (!isPlain || last?.type !== "ReturnStatement" || !last.argument) return computed(at);
    return value({ source, node: last.argument }, own);
  }

  function named(name: string, at: Place, env: Env | undefined): Traced {
    for (let node: Node | undefined = at.node; node !== undefined; node = parentOf(node)) {
      const bound = boundIn(env, node);
      const found =
        bound === undefined ? undefined : ofBinder(node, bound, name, { at: inside(at, node), env });
      if (found !== undefined) return found;
      if (bindsName(node, name)) return computed(at);
      const place = declaredIn(node, name, at.source);
      if (place !== undefined) return ofDeclaration(place, name, at, env);
    }
    return computed(at);
  }

  function boundIn(env: Env | undefined, node: Node): readonly Traced[] | undefined {
    for (let at = env; at !== undefined; at = at.outer) if (at.binder === node) return at.values;
    return undefined;
  }

  function ofBinder(node: Node, values: readonly Traced[], name: string, where: Where): Traced | undefined {
    for (const [index, pattern] of patternsOf(node).entries()) {
      const found = ofPattern(pattern, values[index] ?? scalar(undefined, where.at), name, where);
      if (found !== undefined) return found;
    }
    return undefined;
  }

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
        return ofPattern(pattern.left, isUnset ? value(inside(at, pattern.right), env) : of, name, where);
      }
      case "ArrayPattern":
        for (const [index, element] of pattern.elements.entries()) {
          if (element === null) continue;
          const found = ofPattern(element, entryOf(of, String(index)) ?? computed(at), name, where);
          if (found !== undefined) return found;
        }
        return undefined;
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
    const { at, env } = where;
    const taken = new Set<string>();
    for (const property of pattern.properties) {
      if (property.type === "RestElement") {
        if (property.argument.type !== "Identifier" || property.argument.name !== name) continue;
        if (of.type !== "object") return computed(at);
        return { ...of, entries: new Map([...of.entries].filter(([key]) => !taken.has(key))) };
      }
      const key = keyOf(property, at, env) ?? "";
      taken.add(key);
      const entry = entryOf(of, key) ?? computed(at);
      const found = ofPattern(property.value as Node, entry, name, where);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function ofDeclaration(place: Place, name: string, at: Place, env: Env | undefined): Traced {
    const { node } = place;
    if (node.type === "FunctionDeclaration") return { type: "function", at: place };
    const ofPart = (part: Node) => value(inside(place, part), undefined);
    if (node.type === "TSEnumDeclaration") return ofEnum(node, place, ofPart);
    if (node.type === "ClassDeclaration") return ofStatics(node, place, ofPart);
    const imported = importedAs(place);
    if (imported !== undefined) return ofImport(place.source, imported, at);
    if (node.type !== "VariableDeclarator" || !node.init || isAssigned(node, name)) return computed(at);
    const whole = () => value({ source: place.source, node: node.init as Node }, env);
    return (
      ofPattern(node.id as Node, isOfModule(node) ? constant(node, whole) : whole(), name, {
        at: place,
        env,
      }) ?? computed(at)
    );
  }

  const isOfModule = (node: Node) => {
    const above = parentOf(parentOf(node) ?? node);
    return above?.type === "Program" || above?.type === "ExportNamedDeclaration";
  };

  function constant(node: Node, whole: () => Traced): Traced {
    const known = constants.get(node) ?? whole();
    constants.set(node, known);
    return known;
  }

  function ofImport(source: Source, imported: Imported, at: Place): Traced {
    const other = sources.imported(source, imported.module);
    if (other !== undefined && other.root.type !== "Program") {
      const whole = value({ source: other, node: other.root }, undefined);
      return ["default", "*"].includes(imported.name)
        ? whole
        : (entryOf(whole, imported.name) ?? computed(at));
    }
    const place = exported(source, imported);
    if (place === undefined) return computed(at);
    if (declares.has(place.node.type)) return ofDeclaration(place, imported.name, at, undefined);
    return value(place, undefined);
  }

  return value;
}
