/** Which resources a program states, each with its arguments and the places of their values. */
import { type FunctionNode, isFunction, openNames, patternsOf } from "./names.ts";
import { type Node, type NodeOf, type Place, parentOf, type Sources, within } from "./sources.ts";
import type { Env, Traced } from "./traced.ts";
import { type Evaluate, openEvaluator } from "./values.ts";

/** A resource as the program states it. */
export interface Stated {
  /** `new Coupon(...)`. */
  readonly at: Place;
  readonly args: Traced;
  /** The item of a list or table that it is made of, where it is made in a loop. */
  readonly row: Traced | undefined;
  /** How many resources the same expression makes. */
  readonly of: number;
}

/** The resources of a program. */
export interface Statements {
  /** What makes a resource; undefined where the program computes its name. */
  find(kind: string, name: string): Stated | undefined;
  /** The places that make resources of a kind. */
  places(kind: string): readonly Place[];
  /** How many resources read a value that stands at a node. */
  readers(node: Node): number;
}

const farthest = 8;

/** @param stack whose program it is */
export function readStatements(sources: Sources, stack: string): Statements {
  const names = openNames(sources);
  const value = openEvaluator(sources, names, stack);
  const found = new Map<string, Stated>();
  const places = new Map<string, Place[]>();
  const readers = new Map<Node, number>();
  for (const source of sources.all)
    for (const node of within(source.root)) {
      if (node.type !== "NewExpression") continue;
      const made = names.packaged({ source, node: node.callee as Node });
      if (made?.module !== "pulumi-shop") continue;
      const at = { source, node };
      places.set(made.name, [...(places.get(made.name) ?? []), at]);
      const envs = [...around(at, node, { sources, names, value, depth: 0 })];
      for (const env of envs) {
        const [name, args] = node.arguments.map((one) => value({ source, node: one as Node }, env));
        if (name?.type !== "scalar" || args === undefined) continue;
        found.set(`${made.name} ${name.value}`, { at, args, row: rowIn(env), of: envs.length });
        for (const one of new Set(nodesIn(args))) readers.set(one, (readers.get(one) ?? 0) + 1);
      }
    }
  return {
    find: (kind, name) => found.get(`${kind} ${name}`),
    places: (kind) => places.get(kind) ?? [],
    readers: (node) => readers.get(node) ?? 0,
  };
}

function* nodesIn(traced: Traced): Generator<Node> {
  yield traced.at.node;
  if (traced.type === "list") for (const item of traced.items) yield* nodesIn(item);
  if (traced.type !== "object") return;
  for (const { node } of traced.parts) yield node;
  for (const entry of traced.entries.values()) yield* nodesIn(entry);
}

/** What the innermost loop goes over: the row itself, of `[name, row]` the row. */
function rowIn(env: Env | undefined): Traced | undefined {
  const [first] = env?.values ?? [];
  return first?.type === "list" && first.items.length === 2 ? first.items[1] : first;
}

interface Reading {
  readonly sources: Sources;
  readonly names: ReturnType<typeof openNames>;
  readonly value: Evaluate;
  /** How many callers stand between it and the node. */
  readonly depth: number;
}

/** All that loops and callers around a node bind to their names: once for each time that it is done. */
function* around(at: Place, node: Node, reading: Reading): Generator<Env | undefined> {
  const { source } = at;
  const inner = parentOf(node);
  if (inner === undefined || reading.depth > farthest) {
    yield undefined;
    return;
  }
  if (inner.type === "ForOfStatement" && inner.body === node) {
    yield* each(inner, { source, node: inner.right }, around(at, inner, reading), reading);
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
      const values = args.map((one) => reading.value({ ...caller, node: one as Node }, env));
      yield { binder: inner, values, outer: env };
    }
}

function* each(
  binder: Node,
  list: Place,
  envs: Iterable<Env | undefined>,
  { value }: Reading,
): Generator<Env | undefined> {
  for (const outer of envs) {
    const items = value(list, outer);
    if (items.type !== "list") yield { binder, values: patternsOf(binder).map(() => items), outer };
    else for (const item of items.items) yield { binder, values: [item], outer };
  }
}

const loops = new Set(["map", "flatMap", "forEach"]);

/** The list of `list.map(work)`. */
function loopedOver({ callee, arguments: [work] }: NodeOf<"CallExpression">, inner: Node): Node | undefined {
  if (work !== inner || callee.type !== "MemberExpression" || callee.property.type !== "Identifier")
    return undefined;
  return loops.has(callee.property.name) ? (callee.object as Node) : undefined;
}

/** The calls of a function, or the uses of `new` of a class whose constructor it is. */
function callersOf(work: FunctionNode, at: Place, { sources, names }: Reading): readonly Place[] {
  const owner = ownerOf(work);
  const name = owner === undefined ? undefined : namedAs(owner);
  if (owner === undefined || name === undefined) return [];
  return sources.calls(name).filter((call) => {
    const { callee } = call.node as NodeOf<"CallExpression">;
    return names.declared(name, { ...call, node: callee as Node })?.node === owner && call.node !== at.node;
  });
}

/** What is called by its name where a function is meant. */
function ownerOf(work: FunctionNode): Node | undefined {
  if (work.type === "FunctionDeclaration") return work;
  const above = parentOf(work);
  if (work.type === "ClassMethod") return work.kind === "constructor" ? parentOf(above ?? work) : undefined;
  return above?.type === "VariableDeclarator" ? above : undefined;
}

function namedAs(owner: Node): string | undefined {
  if (
    owner.type !== "FunctionDeclaration" &&
    owner.type !== "ClassDeclaration" &&
    owner.type !== "VariableDeclarator"
  )
    return undefined;
  return owner.id?.type === "Identifier" ? owner.id.name : undefined;
}
