/** Resolves names in a program: to their declaration, in this file or in another one, or to a package's export. */
import { isBuiltin } from "node:module";
import {
  endOf,
  type Node,
  type NodeOf,
  type Pattern,
  type Place,
  parentOf,
  requiredIn,
  type Source,
  type Sources,
  startOf,
  within,
} from "./sources.ts";

export type FunctionNode =
  | NodeOf<"ArrowFunctionExpression">
  | NodeOf<"FunctionExpression">
  | NodeOf<"FunctionDeclaration">
  | NodeOf<"ClassMethod">;

export const isFunction = (node: Node): node is FunctionNode =>
  node.type === "ArrowFunctionExpression" ||
  node.type === "FunctionExpression" ||
  node.type === "FunctionDeclaration" ||
  node.type === "ClassMethod";

export interface Imported {
  readonly module: string;
  readonly name: string;
}

const ours = /^(?:pulumi-shop|@pulumi\/pulumi)(?:\/|$)/;

export type Names = ReturnType<typeof openNames>;

export function openNames(sources: Sources) {
  function declared(name: string, { source, node }: Place): Place | undefined {
    for (let at: Node | undefined = node; at !== undefined; at = parentOf(at)) {
      const found = declaredIn(at, name, source);
      if (found === undefined) continue;
      const imported = importedAs(found);
      return imported === undefined ? found : exported(source, imported);
    }
    return undefined;
  }

  /** The declaration of the function or class that a callee names, also by `module.name`. */
  function called({ source, node }: Place): Place | undefined {
    if (node.type === "Identifier") return declared(node.name, { source, node });
    if (node.type !== "MemberExpression" || node.property.type !== "Identifier") return undefined;
    const whole = node.object.type === "Identifier" ? moduleNamed(node.object.name, source) : undefined;
    return whole && exported(source, { ...whole, name: node.property.name });
  }

  function exported(source: Source, { module, name }: Imported): Place | undefined {
    const other = sources.imported(source, module);
    if (other?.root.type !== "Program") return undefined;
    for (const statement of other.root.body) {
      if (statement.type === "ExportDefaultDeclaration" && name === "default")
        return { source: other, node: statement.declaration as Node };
      if (statement.type !== "ExportNamedDeclaration") continue;
      for (const specifier of statement.specifiers) {
        if (specifier.type !== "ExportSpecifier" || nameOf(specifier.exported) !== name) continue;
        const own = nameOf(specifier.local);
        if (statement.source) return exported(other, { module: statement.source.value, name: own });
        return declared(own, { source: other, node: other.root });
      }
    }
    const own = declaredIn(other.root, name, other);
    if (own !== undefined && isExported(own.node)) return own;
    for (const statement of other.root.body) {
      if (statement.type !== "ExportAllDeclaration" || name === "default") continue;
      const found = exported(other, { module: statement.source.value, name });
      if (found !== undefined) return found;
    }
    return assigned(other, name);
  }

  /** What a module of CommonJS exports under a name; `*` is all of it. */
  function assigned(source: Source, name: string): Place | undefined {
    for (const node of within(source.root)) {
      if (node.type !== "AssignmentExpression") continue;
      const to = source.text.slice(startOf(node.left as Node), endOf(node.left as Node));
      const right = node.right as Node;
      const whole = to === "module.exports" ? right : undefined;
      const module = whole && requiredIn(whole);
      if (module !== undefined) return exported(source, { module, name });
      const isAsked =
        whole === undefined
          ? /^(?:module\.)?exports\.(\w+)$/.exec(to)?.[1] === name
          : ["*", "default"].includes(name);
      const found = isAsked ? right : whole && namedIn(whole, name)?.value;
      if (found?.type === "Identifier") return declared(found.name, { source, node: found });
      if (found !== undefined) return { source, node: found as Node };
    }
    return undefined;
  }

  function packaged({ source, node }: Place): Imported | undefined {
    if (node.type === "Identifier") {
      for (let at: Node | undefined = node; at !== undefined; at = parentOf(at)) {
        const found = declaredIn(at, node.name, source);
        if (found !== undefined) return ofPackage(found, node.name);
      }
      return undefined;
    }
    if (node.type !== "MemberExpression" || node.property.type !== "Identifier") return undefined;
    const whole = node.object.type === "Identifier" ? packaged({ source, node: node.object }) : undefined;
    return whole === undefined ? undefined : { ...whole, name: node.property.name };
  }

  /** What a declaration takes from a package: an import, another name of one, or a class that only extends one. */
  function ofPackage({ source, node }: Place, name: string): Imported | undefined {
    const imported = importedAs({ source, node });
    if (imported !== undefined) return ofModule(source, imported);
    if (node.type === "ClassDeclaration") {
      const isPlain = !node.body.body.some((one) => one.type === "ClassMethod" && one.kind === "constructor");
      return isPlain && node.superClass ? packaged({ source, node: node.superClass }) : undefined;
    }
    if (node.type !== "VariableDeclarator" || !node.init) return undefined;
    const { id, init } = node;
    if (init.type === "Identifier" && init.name === name) return undefined;
    const whole = packaged({ source, node: init });
    const part = id.type === "ObjectPattern" ? partNamed(id, name) : undefined;
    if (id.type !== "Identifier" && part === undefined) return undefined;
    return whole && { ...whole, name: part ?? whole.name };
  }

  /** A package's export, also if another file of the program exports it again. */
  function ofModule(source: Source, imported: Imported): Imported | undefined {
    const { module, name } = imported;
    if (!module.startsWith(".")) return imported;
    const place = exported(source, imported);
    if (place !== undefined) return ofPackage(place, name);
    const other = sources.imported(source, module);
    if (other?.root.type !== "Program") return undefined;
    for (const { specifiers, source: from } of other.root.body.filter(isNamedExport)) {
      const specifier = specifiers.find((one) => nameOf(one.exported) === name);
      if (specifier?.type !== "ExportSpecifier") continue;
      const own = nameOf(specifier.local);
      return from
        ? ofModule(other, { module: from.value, name: own })
        : packaged({ source: other, node: specifier.local as Node });
    }
    const all = other.root.body.filter((one) => one.type === "ExportAllDeclaration");
    const from = all.find((one) => !one.source.value.startsWith("."));
    return from && { module: from.source.value, name };
  }

  /** Whether a class may be one of a package that makes resources itself, or is known only at run time. */
  function isUnknownClass({ source, node }: Place): boolean {
    const imported = packaged({ source, node });
    if (imported !== undefined) return !isBuiltin(imported.module) && !ours.test(imported.module);
    if (node.type === "MemberExpression") return isUnknownClass({ source, node: node.object as Node });
    if (node.type !== "Identifier") return true;
    for (let at: Node | undefined = node; at !== undefined; at = parentOf(at)) {
      if (bindsName(at, node.name)) return true;
      if (declaredIn(at, node.name, source) !== undefined)
        return declared(node.name, { source, node })?.node.type !== "ClassDeclaration";
    }
    return false;
  }

  return {
    declared,
    called,
    isUnknownClass,
    /** The declaration of a name that a module of the program exports. */
    exported,
    /** The package's export that a callee is; undefined for the program's own functions. */
    packaged,
  };
}

/** Whether `export` precedes the statement that declares a name. */
const isExported = (node: Node): boolean => {
  const above = parentOf(node);
  return above !== undefined && (isNamedExport(above) || isExported(above));
};

const isNamedExport = (node: Node): node is NodeOf<"ExportNamedDeclaration"> =>
  node.type === "ExportNamedDeclaration";

/** The property that a destructuring pattern takes under a name. */
function partNamed({ properties }: NodeOf<"ObjectPattern">, name: string): string | undefined {
  const own = properties.find((one) => one.type === "ObjectProperty" && hasName(one.value as Node, name));
  return own?.type === "ObjectProperty" && own.key.type === "Identifier" ? own.key.name : undefined;
}

export function declaredIn(node: Node, name: string, source: Source): Place | undefined {
  const statements = node.type === "Program" || node.type === "BlockStatement" ? node.body : [];
  for (const statement of statements) {
    const own =
      (statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration") &&
      statement.declaration
        ? (statement.declaration as Node)
        : statement;
    if (own.type === "VariableDeclaration") {
      const declarator = own.declarations.find(({ id }) => hasName(id, name));
      if (declarator !== undefined) return { source, node: takenOf(declarator, name) };
    }
    if (isNamed(own) && own.id?.name === name) return { source, node: own };
    if (own.type === "ImportDeclaration") {
      const specifier = own.specifiers.find(({ local }) => local.name === name);
      if (specifier !== undefined) return { source, node: specifier };
    }
  }
  return undefined;
}

const isNamed = (node: Node) =>
  node.type === "FunctionDeclaration" ||
  node.type === "ClassDeclaration" ||
  node.type === "TSEnumDeclaration";

/** What takes a name out of a module that is required; else what declares it. */
function takenOf(declarator: NodeOf<"VariableDeclarator">, name: string): Node {
  const { id, init } = declarator;
  if (id.type !== "ObjectPattern" || !init || requiredIn(init) === undefined) return declarator;
  return (
    id.properties.find((one) => one.type === "ObjectProperty" && hasName(one.value as Node, name)) ??
    declarator
  );
}

export function importedAs({ node }: Place): Imported | undefined {
  const above = parentOf(node);
  const declarator = node.type === "ObjectProperty" ? parentOf(above ?? node) : node;
  if (declarator?.type === "VariableDeclarator") {
    const init = declarator.init ?? undefined;
    const [of, name] =
      init?.type === "MemberExpression" && !init.computed && init.property.type === "Identifier"
        ? [init.object as Node, init.property.name]
        : [init, "*"];
    const module = of && requiredIn(of);
    if (module === undefined) return undefined;
    const isPart = node.type === "ObjectProperty";
    return { module, name: isPart && node.key.type === "Identifier" ? node.key.name : name };
  }
  if (above?.type !== "ImportDeclaration") return undefined;
  const module = above.source.value;
  if (node.type === "ImportDefaultSpecifier") return { module, name: "default" };
  if (node.type === "ImportNamespaceSpecifier") return { module, name: "*" };
  return node.type === "ImportSpecifier" ? { module, name: nameOf(node.imported) } : undefined;
}

/** The module that a name of a file stands for as a whole: `import * as name`. */
export function moduleNamed(name: string, source: Source): Imported | undefined {
  const place = declaredIn(source.root, name, source);
  const imported = place && importedAs(place);
  return imported?.name === "*" ? imported : undefined;
}

export const namedIn = (node: Node, name: string): NodeOf<"ObjectProperty"> | undefined =>
  node.type === "ObjectExpression"
    ? node.properties.find(
        (one): one is NodeOf<"ObjectProperty"> =>
          one.type === "ObjectProperty" &&
          (one.key.type === "StringLiteral"
            ? one.key.value === name
            : !one.computed && one.key.type === "Identifier" && one.key.name === name),
      )
    : undefined;

const nameOf = (node: { readonly name: string } | { readonly value: string }): string =>
  "name" in node ? node.name : node.value;

/** The parameter patterns of a function, or the variable patterns of a loop. */
export function patternsOf(node: Node): readonly Node[] {
  if (isFunction(node)) return node.params as readonly Pattern[];
  const head =
    node.type === "ForOfStatement" || node.type === "ForInStatement"
      ? node.left
      : node.type === "ForStatement"
        ? node.init
        : undefined;
  return head?.type === "VariableDeclaration" ? head.declarations.map(({ id }) => id as Node) : [];
}

export const bindsName = (node: Node, name: string) =>
  patternsOf(node).some((pattern) => hasName(pattern, name));

export function hasName(pattern: Node, name: string): boolean {
  switch (pattern.type) {
    case "Identifier":
      return pattern.name === name;
    case "AssignmentPattern":
      return hasName(pattern.left, name);
    case "TSParameterProperty":
      return hasName(pattern.parameter, name);
    case "RestElement":
      return hasName(pattern.argument as Node, name);
    case "ArrayPattern":
      return pattern.elements.some((element) => element !== null && hasName(element, name));
    case "ObjectPattern":
      return pattern.properties.some((one) =>
        hasName(one.type === "RestElement" ? one : (one.value as Node), name),
      );
    default:
      return false;
  }
}

/** The value of a variable; undefined if it is assigned more than once, or in a branch. */
export function assignedValue(declarator: NodeOf<"VariableDeclarator">, name: string): Node | undefined {
  const declaration = parentOf(declarator);
  const init = declarator.init ?? undefined;
  if (declaration?.type !== "VariableDeclaration" || declaration.kind === "const") return init;
  const block = parentOf(declaration);
  const isOf = (node: Node) =>
    [...within(node)].some((one) => one.type === "Identifier" && one.name === name);
  const [first, ...more] = [...within(block ?? declaration)].filter(
    (one) =>
      (one.type === "AssignmentExpression" && isOf(one.left as Node)) ||
      (one.type === "UpdateExpression" && isOf(one.argument)),
  );
  if (first === undefined) return init;
  const isOnce = more.length === 0 && init === undefined && parentOf(parentOf(first) ?? first) === block;
  if (!isOnce || first.type !== "AssignmentExpression" || first.operator !== "=") return undefined;
  return first.left.type === "Identifier" ? (first.right as Node) : undefined;
}

/** The name of what a declaration declares; undefined for a pattern or another node. */
export function namedAs(owner: Node): string | undefined {
  if (
    owner.type !== "FunctionDeclaration" &&
    owner.type !== "ClassDeclaration" &&
    owner.type !== "VariableDeclarator"
  )
    return undefined;
  return owner.id?.type === "Identifier" ? owner.id.name : undefined;
}

interface OwnClass {
  /** The method around a node. */
  readonly owner: NodeOf<"ClassMethod"> | undefined;
  /** The initial value of the property. */
  readonly initial: Node | undefined;
  /** All assignments of the property. */
  readonly setters: readonly NodeOf<"AssignmentExpression">[];
}

/** What the class around a node says about a property of `this`; undefined if `this` may be another object. */
export function ofOwnClass(node: Node, name: string): OwnClass | undefined {
  let owner: NodeOf<"ClassMethod"> | undefined;
  for (let at = parentOf(node); at !== undefined; at = parentOf(at)) {
    if (at.type === "ClassMethod") owner = at;
    if (at.type === "FunctionExpression" || at.type === "FunctionDeclaration") return undefined;
    if (at.type !== "ClassDeclaration" && at.type !== "ClassExpression") continue;
    const { body } = at.body;
    const isNamed = (one: (typeof body)[number]) =>
      one.type === "ClassProperty" && !one.static && one.key.type === "Identifier" && one.key.name === name;
    const own = body.find(isNamed);
    const initial = own?.type === "ClassProperty" ? (own.value as Node | null) : undefined;
    return { owner, initial: initial ?? undefined, setters: settersOf(at, name) };
  }
  return undefined;
}

const settersOf = (node: Node, name: string): readonly NodeOf<"AssignmentExpression">[] =>
  [...within(node)].flatMap((one) => {
    const left = one.type === "AssignmentExpression" ? (one.left as Node) : undefined;
    if (one.type !== "AssignmentExpression" || left?.type !== "MemberExpression") return [];
    const isIt = left.computed || (left.property.type === "Identifier" && left.property.name === name);
    return left.object.type === "ThisExpression" && isIt ? [one] : [];
  });
