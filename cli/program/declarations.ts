/** The resources that a program declares, with the places of their arguments. */

import { openEvaluator } from "./evaluator.ts";
import { type FunctionNode, isFunction, namedAs, openNames, patternsOf } from "./scopes.ts";
import {
  type Node,
  type NodeOf,
  type Place,
  parentOf,
  type Source,
  type Sources,
  within,
} from "./sources.ts";
import {
  computed,
  type Env,
  type Evaluate,
  listed,
  ofObject,
  plainOf,
  rowPlaces,
  scalar,
  type Traced,
} from "./traced-values.ts";

export interface Declaration {
  readonly kind: string;
  /** Undefined if the program computes it. */
  readonly name: string | undefined;
  /** `new Coupon(...)`. */
  readonly at: Place;
  readonly args: Traced;
  readonly options: Traced | undefined;
  /** The loop items and function calls that lead to it, innermost first. */
  readonly makers: readonly Place[];
}

export type Declarations = ReturnType<typeof readDeclarations>;

const maxCallDepth = 8;

/** @param stack the value of `pulumi.getStack()`; undefined for any */
export function readDeclarations(sources: Sources, stack: string | undefined) {
  const names = openNames(sources);
  const value = openEvaluator(sources, names, stack);
  const all: Declaration[] = [];
  const found = new Map<string, Declaration>();
  const unknown: Place[] = [];
  const readers = new Map<Node, number>();
  const made = new Map<Node, number>();
  const count = (counts: Map<Node, number>, nodes: Iterable<Node>) => {
    for (const node of nodes) counts.set(node, (counts.get(node) ?? 0) + 1);
  };
  for (const source of sources.all)
    for (const node of within(source.root)) {
      const of = madeClass(node);
      if (of === undefined || (node.type !== "NewExpression" && node.type !== "CallExpression")) continue;
      const at = { source, node };
      const kind = names.packaged({ source, node: of });
      if (names.isUnknownClass({ source, node: of })) unknown.push(at);
      if (kind?.module !== "pulumi-shop") continue;
      for (const env of around(at, node, { sources, names, value, depth: 0 })) {
        const [first, args = computed(at), options] = listed(node.arguments as readonly Node[], at, (one) =>
          value(one, env),
        );
        const makers = [at, ...makersIn(env)];
        const name = first?.type === "scalar" ? String(first.value) : undefined;
        const own = { kind: kind.name, name, at, args, options, makers };
        all.push(own);
        if (name !== undefined) found.set(`${kind.name} ${name}`, own);
        count(readers, nodesIn(args));
        count(made, new Set(makers.map((maker) => maker.node)));
      }
    }
  return {
    all,
    /** Where an object is made of a class that isn't known. */
    unknown,
    /** The declaration of a resource; undefined if the program computes its name. */
    find: (kind: string, name: string) => found.get(`${kind} ${name}`),
    /** How many arguments read the value at a node. */
    readers: (node: Node) => readers.get(node) ?? 0,
    /** How many resources a node creates. */
    made: (node: Node) => made.get(node) ?? 0,
  };
}

/** The class of which a node makes an object, also as `super(...)` in a class of the program. */
function madeClass(node: Node): Node | undefined {
  if (node.type === "NewExpression") return node.callee as Node;
  if (node.type !== "CallExpression" || node.callee.type !== "Super") return undefined;
  for (let at = parentOf(node); at !== undefined; at = parentOf(at))
    if (at.type === "ClassDeclaration" || at.type === "ClassExpression") return at.superClass ?? undefined;
  return undefined;
}

/** All nodes that a value is made of, once per argument that reads them. */
function* nodesIn(traced: Traced): Generator<Node> {
  const parts = traced.type === "object" ? traced.parts : [];
  const of = "of" in traced && traced.of !== undefined ? traced.of.flatMap((one) => [...nodesIn(one)]) : [];
  yield* new Set([...[traced.at, ...parts].map(({ node }) => node), ...of]);
  const inner =
    traced.type === "object" ? traced.entries.values() : traced.type === "list" ? traced.items : [];
  for (const one of inner) yield* nodesIn(one);
}

const makersIn = (env: Env | undefined): readonly Place[] =>
  env === undefined
    ? []
    : [...(env.call === undefined ? rowPlaces(env.values[0]) : [env.call]), ...makersIn(env.outer)];

interface Reading {
  readonly sources: Sources;
  readonly names: ReturnType<typeof openNames>;
  readonly value: Evaluate;
  /** The number of callers around the node. */
  readonly depth: number;
}

/** The bindings of loops and callers around a node, one for each time that it runs. */
function* around(at: Place, node: Node, reading: Reading): Generator<Env | undefined> {
  const { source } = at;
  const inner = parentOf(node);
  if (inner === undefined || reading.depth > maxCallDepth) {
    yield undefined;
    return;
  }
  if ((inner.type === "ForOfStatement" || inner.type === "ForInStatement") && inner.body === node) {
    yield* each(inner, { source, node: inner.right }, around(at, inner, reading), reading);
    return;
  }
  if (inner.type === "ForStatement" && inner.body === node) {
    yield* counted(inner, around(at, inner, reading), { source, reading });
    return;
  }
  if (inner.type === "IfStatement" && inner.test !== node) {
    yield* branch(inner, node, around(at, inner, reading), { source, reading });
    return;
  }
  if (!isFunction(inner)) {
    yield* around(at, inner, reading);
    return;
  }
  const call = parentOf(inner);
  const list = call?.type === "CallExpression" ? loopedOver(call, inner) : undefined;
  if (call !== undefined && list !== undefined) {
    yield* each(inner, { source, node: list }, around(at, call, reading), reading);
    return;
  }
  const callers = callersOf(inner, at, reading);
  if (callers.length === 0) yield* around(at, inner, reading);
  for (const caller of callers)
    for (const env of around(caller, caller.node, { ...reading, depth: reading.depth + 1 })) {
      const { arguments: args } = caller.node as NodeOf<"CallExpression">;
      const values = listed(args as readonly Node[], caller, (one) => reading.value(one, env));
      yield { binder: inner, values, outer: env, call: caller };
    }
}

function* each(
  binder: Node,
  list: Place,
  envs: Iterable<Env | undefined>,
  { value }: Reading,
): Generator<Env | undefined> {
  for (const outer of envs) {
    const given = value(list, outer);
    const isKeys = binder.type === "ForInStatement";
    const items = isKeys ? ofObject("keys", [given], list) : given;
    const entries = isKeys && given.type === "object" ? [...given.entries.values()] : [];
    if (items.type !== "list") yield { binder, values: patternsOf(binder).map(() => items), outer };
    // A callback may take the number of the item, too.
    else
      for (const [at, item] of items.items.entries()) {
        const call = entries[at]?.at;
        yield { binder, values: [item, scalar(at, list)], outer, ...(call && { call }) };
      }
  }
}

/** `for (let i = 0; i < list.length; i++)`. */
function* counted(
  binder: NodeOf<"ForStatement">,
  envs: Iterable<Env | undefined>,
  { source, reading: { value } }: { readonly source: Source; readonly reading: Reading },
): Generator<Env | undefined> {
  const { init, test, update } = binder;
  const at = { source, node: binder };
  const first =
    init?.type === "VariableDeclaration" && init.declarations.length === 1 ? init.declarations[0] : undefined;
  const isPlain =
    first?.init?.type === "NumericLiteral" &&
    first.init.value === 0 &&
    update?.type === "UpdateExpression" &&
    test?.type === "BinaryExpression" &&
    test.operator === "<";
  for (const outer of envs) {
    const end = isPlain ? plainOf(value({ source, node: test.right }, outer)) : undefined;
    if (typeof end !== "number") yield { binder, values: patternsOf(binder).map(() => computed(at)), outer };
    else for (let n = 0; n < end; n += 1) yield { binder, values: [scalar(n, at)], outer };
  }
}

/** The bindings with which one of the two branches runs, or may run. */
function* branch(
  { test, consequent }: NodeOf<"IfStatement">,
  node: Node,
  envs: Iterable<Env | undefined>,
  { source, reading }: { readonly source: Source; readonly reading: Reading },
): Generator<Env | undefined> {
  for (const env of envs) {
    const found = reading.value({ source, node: test }, env);
    const isMet = found.type !== "scalar" || Boolean(found.value);
    if (found.type === "computed" || isMet === (consequent === node)) yield env;
  }
}

const loops = new Set(["map", "flatMap", "forEach"]);

/** The list in `list.map(callback)`. */
function loopedOver({ callee, arguments: [work] }: NodeOf<"CallExpression">, inner: Node): Node | undefined {
  if (work !== inner || callee.type !== "MemberExpression" || callee.property.type !== "Identifier")
    return undefined;
  return loops.has(callee.property.name) ? (callee.object as Node) : undefined;
}

/** The calls of a function or method, or the `new` expressions of a class. */
function callersOf(work: FunctionNode, at: Place, { sources, names }: Reading): readonly Place[] {
  if (work.type === "ClassMethod" && work.kind === "method")
    return work.key.type === "Identifier" ? sources.calls(`.${work.key.name}`) : [];
  const owner = ownerOf(work);
  if (owner === undefined) return [];
  const own = namedAs(owner);
  const all = new Set([...(own === undefined ? [] : [own]), ...sources.otherNames]);
  return [...all].flatMap((name) =>
    [...sources.calls(name), ...sources.calls(`.${name}`)].filter((call) => {
      const { callee } = call.node as NodeOf<"CallExpression">;
      return names.called({ ...call, node: callee as Node })?.node === owner && call.node !== at.node;
    }),
  );
}

/** The declaration whose name stands for the function. */
function ownerOf(work: FunctionNode): Node | undefined {
  if (work.type === "FunctionDeclaration") return work;
  const above = parentOf(work);
  if (work.type === "ClassMethod") return work.kind === "constructor" ? parentOf(above ?? work) : undefined;
  if (above?.type === "ExportDefaultDeclaration") return work;
  return above?.type === "VariableDeclarator" ? above : undefined;
}
