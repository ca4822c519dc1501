/** Evaluates constant expressions and keeps the place of each value. Anything else is `computed`. */
import { dirname } from "node:path";
import { ofGlobal, ofNew, ofPackage, ofSetting } from "./package-calls.ts";
import { itemAt, openPatterns, type Where } from "./patterns.ts";
import { openReturns } from "./returned-values.ts";
import {
  assignedValue,
  bindsName,
  declaredIn,
  hasName,
  type Imported,
  importedAs,
  isFunction,
  moduleNamed,
  type Names,
  namedAs,
  ofOwnClass,
  patternsOf,
} from "./scopes.ts";
import { type Node, type NodeOf, type Place, parentOf, type Source, type Sources } from "./sources.ts";
import {
  computed,
  computedFrom,
  type Env,
  type Evaluate,
  entryOf,
  grouped,
  listed,
  ofClass,
  ofEnum,
  ofList,
  ofObject,
  ofOperator,
  ofText,
  plainOf,
  scalar,
  type Traced,
  truthOf,
} from "./traced-values.ts";

const maxDepth = 60;

/** The declarations of a value; any other node is the value itself. */
const declares: ReadonlySet<string> = new Set([
  "VariableDeclarator",
  "FunctionDeclaration",
  "ClassDeclaration",
  "TSEnumDeclaration",
]);

/** @param stack the value of `pulumi.getStack()`; undefined for any */
export function openEvaluator(
  sources: Sources,
  { declared, packaged, exported }: Names,
  stack: string | undefined,
): Evaluate {
  const constants = new Map<Node, Traced>();
  const returned = openReturns(value);
  const ofPattern = openPatterns({ value, keyOf: (property, { at, env }) => keyOf(property, at, env) });
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
      case "TSTypeAssertion":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "ParenthesizedExpression":
        return value(inside(at, node.expression), env);
      case "AwaitExpression":
        return value(inside(at, node.argument), env);
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
      case "OptionalCallExpression":
        return callOf(node, at, env);
      case "ConditionalExpression": {
        const isTrue = truthOf(value(inside(at, node.test), env));
        if (isTrue === undefined) return computed(at);
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
      case "BlockStatement":
        return returned(node, at, env) ?? computed(at);
      default:
        return computed(at);
    }
  }

  function templateOf(node: NodeOf<"TemplateLiteral">, at: Place, env: Env | undefined): Traced {
    const parts = node.expressions.map((one) => value(inside(at, one as Node), env));
    const texts = parts.map((part) => (part.type === "scalar" ? String(part.value) : undefined));
    if (texts.includes(undefined)) return computedFrom(computed(at), parts);
    const text = node.quasis
      .map(({ value: { cooked } }, index) => `${cooked ?? ""}${texts[index] ?? ""}`)
      .join("");
    return computedFrom(scalar(text, at, parts.length === 0), parts);
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
      const isGetter = property.type === "ObjectMethod" && property.kind === "get";
      const of = property.type === "ObjectMethod" ? property.body : (property.value as Node);
      const isValue = isGetter || property.type !== "ObjectMethod";
      entries.set(name, isValue ? value(inside(at, of), env) : computed(inside(at, property)));
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
    const isLiteral = !node.elements.some((element) => element?.type === "SpreadElement");
    return { type: "list", items: listed(node.elements, at, (one) => value(one, env)), at, isLiteral };
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
    // Of this file: an address counts as its path.
    if (node.object.type === "ThisExpression") return ofThis(String(key), at, env) ?? computed(at);
    if (node.object.type === "MetaProperty")
      return scalar(key === "dirname" ? dirname(at.source.path) : at.source.path, at);
    const whole = node.object.type === "Identifier" ? moduleNamed(node.object.name, at.source) : undefined;
    if (whole !== undefined) return ofImport(at.source, { ...whole, name: String(key) }, at);
    return entryOf(value(inside(at, node.object as Node), env), String(key)) ?? computed(at);
  }

  /** A property of the object that a class makes: a parameter of the constructor, a value that it sets, or an initial one. */
  function ofThis(name: string, at: Place, env: Env | undefined): Traced | undefined {
    const own = ofOwnClass(at.node, name);
    const [setter, ...others] = own?.setters ?? [];
    if (own === undefined || others.length > 0) return undefined;
    const maker = own.owner?.kind === "constructor" ? own.owner : undefined;
    if (setter !== undefined)
      return maker !== undefined && parentOf(parentOf(setter) ?? setter) === maker.body
        ? value(inside(at, setter.right as Node), env)
        : undefined;
    if (own.initial !== undefined) return value(inside(at, own.initial), undefined);
    const index = maker?.params.findIndex((one) => one.type === "TSParameterProperty" && hasName(one, name));
    const [pattern, bound] = [maker?.params[index ?? -1], maker && boundIn(env, maker)];
    if (pattern === undefined || bound === undefined || index === undefined) return undefined;
    const place = inside(at, pattern);
    return ofPattern(pattern, itemAt(bound, index, place), name, { at: place, env });
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
    if (of.type !== "scalar") return computedFrom(computed(at), [of]);
    if (node.operator === "-")
      return computedFrom(scalar(-Number(of.value), at, node.argument.type === "NumericLiteral"), [of]);
    if (node.operator === "+") return { ...of, value: Number(of.value) };
    return node.operator === "!" ? scalar(!of.value, at) : computed(at);
  }

  function newOf(node: NodeOf<"NewExpression">, at: Place, env: Env | undefined): Traced {
    const name = node.callee.type === "Identifier" ? node.callee.name : "";
    const args = listed(node.arguments as readonly Node[], at, (one) => value(one, env));
    const made = declared(name, at);
    if (made?.node.type === "ClassDeclaration")
      return ofClass(made.node, { at, isStatic: false }, (part) => value(inside(made, part), undefined));
    const imported = packaged(inside(at, node.callee as Node));
    return ofNew(imported ?? { name }, args, at) ?? computed(at);
  }

  function binaryOf(node: NodeOf<"BinaryExpression">, at: Place, env: Env | undefined): Traced {
    const sides = [node.left, node.right].map((one) => value(inside(at, one as Node), env));
    const [left, right] = sides;
    const isKnown = left?.type === "scalar" && right?.type === "scalar";
    return computedFrom(
      isKnown ? ofOperator(node.operator, left.value, right.value, at) : computed(at),
      sides,
    );
  }

  function callOf(
    node: NodeOf<"CallExpression"> | NodeOf<"OptionalCallExpression">,
    at: Place,
    env: Env | undefined,
  ): Traced {
    const { callee } = node;
    const imported = packaged(inside(at, callee as Node));
    const args = () => listed(node.arguments as readonly Node[], at, (one) => value(one, env));
    if (imported !== undefined) return ofPackage(imported, args(), { at, stack, read });
    const isMember = callee.type === "MemberExpression" || callee.type === "OptionalMemberExpression";
    if (isMember && callee.property.type === "Identifier" && !callee.computed) {
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
      if (object.type === "Identifier" && object.name === "Object") return ofObject(method, args(), at);
      if (object.type === "Identifier" && object.name === "Number")
        return ofGlobal(method, args()[0]) ?? computed(at);
      // A JSON file's text counts as its values.
      if (object.type === "Identifier" && object.name === "JSON" && method === "parse")
        return args().find((one) => one.type !== "scalar") ?? computed(at);
      const isOfModule = object.type === "Identifier" && moduleNamed(object.name, at.source) !== undefined;
      const called = isOfModule ? value(inside(at, callee), env) : undefined;
      if (called?.type === "function") return result(called.at, args(), { at, env });
      const of = value(inside(at, object as Node), env);
      const own = of.type === "object" ? of.entries.get(method) : undefined;
      if (own?.type === "function") return result(own.at, args(), { at, env });
      if (of.type === "list") return ofList(method, of, args(), applying);
      if (of.type === "computed" && of.setting) return ofSetting(of.setting, method, args(), at);
      if (of.type === "scalar" && typeof of.value === "string")
        return computedFrom(ofText(method, of.value, args(), at), [of, ...args()]);
      return computedFrom(computed(at), [of, ...args()]);
    }
    const converted = callee.type === "Identifier" ? ofGlobal(callee.name, args()[0]) : undefined;
    if (converted !== undefined) return converted;
    const called = value(inside(at, callee as Node), env);
    return called.type === "function" ? result(called.at, args(), { at, env }) : computed(at);
  }

  /** The values of a JSON file, or another file's text. */
  function read(path: string, isText: boolean): Traced | undefined {
    const source = sources.json(path);
    if (source !== undefined) return value({ source, node: source.root }, undefined);
    const other = isText ? sources.text(path) : undefined;
    return other && scalar(other.text, { source: other, node: other.root }, true);
  }

  /** Evaluates a function that returns a value by `return`, `if` and `switch`, after constants. */
  function result({ source, node }: Place, args: readonly Traced[], { at, env }: Where): Traced {
    if (!isFunction(node)) return computed(at);
    const own: Env = { binder: node, values: args, outer: env };
    return value({ source, node: node.body }, own);
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
      const of = itemAt(values, index, { ...where.at, node: pattern });
      const found = ofPattern(pattern, of, name, where);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function ofDeclaration(place: Place, name: string, at: Place, env: Env | undefined): Traced {
    const { node } = place;
    if (node.type === "FunctionDeclaration") return { type: "function", at: place };
    const ofPart = (part: Node) => value(inside(place, part), undefined);
    if (node.type === "TSEnumDeclaration") return ofEnum(node, place, ofPart);
    if (node.type === "ClassDeclaration") return ofClass(node, { at: place, isStatic: true }, ofPart);
    const imported = importedAs(place);
    if (imported !== undefined) {
      const whole = ofImport(place.source, imported, at);
      const pattern = node.type === "ObjectProperty" ? (node.value as Node) : undefined;
      return (pattern && ofPattern(pattern, whole, name, { at: place, env })) ?? whole;
    }
    const of = node.type === "VariableDeclarator" ? assignedValue(node, name) : undefined;
    if (node.type !== "VariableDeclarator" || of === undefined) return computed(at);
    const whole = () => value({ source: place.source, node: of }, env);
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
    // An export may have another name.
    if (declares.has(place.node.type))
      return ofDeclaration(place, namedAs(place.node) ?? imported.name, at, undefined);
    return value(place, undefined);
  }

  return value;
}
