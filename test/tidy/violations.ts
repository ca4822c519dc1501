/** Finds violations in a file's syntax tree. */
import ts from "typescript";

/** From the root, with forward slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

const parsed = new WeakMap<Source, ts.SourceFile>();

/** The syntax tree of a file, parsed once. */
export function treeOf(source: Source): ts.SourceFile {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const tree = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true);
  parsed.set(source, tree);
  return tree;
}

const walked = new WeakMap<Source, readonly ts.Node[]>();

/** All nodes of a file, parents first; collected once. */
function nodesOf(source: Source): readonly ts.Node[] {
  const known = walked.get(source);
  if (known !== undefined) return known;
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(treeOf(source));
  walked.set(source, nodes);
  return nodes;
}

const at = (source: Source, node: ts.Node, what: string) =>
  `${source.path}:${treeOf(source).getLineAndCharacterOfPosition(node.getStart()).line + 1} ${what}`;

/** A kind's names: that of its class, and that of its file. */
export interface KindNames {
  readonly kind: string;
  readonly file: string;
}

/** Expressions that identify a kind; a field may have the type "file", and an error the code "redirect". */
const tellsKind = /^(kind|one|many|sent)$/;

/** Places that compare a kind's name, or pick out one definition. */
export function kindsNamed(source: Source, kinds: readonly KindNames[]): readonly string[] {
  const byClass = new Set(kinds.map(({ kind }) => kind));
  const byFile = new Set(kinds.map(({ file }) => file));
  const found: string[] = [];
  for (const node of nodesOf(source)) {
    const target = specifierOf(node);
    if (target !== undefined && /(^|\/)resources\/(?!index\.ts$)[\w-]+\.ts$/.test(target))
      found.push(at(source, node, `takes the definition ${target}`));
    if (!ts.isStringLiteralLike(node)) continue;
    const { text } = node;
    const isPlainWord = !text.includes("-");
    if (byClass.has(text) || (byFile.has(text) && (!isPlainWord || comparedWithKind(node))))
      found.push(at(source, node, `names ${text}`));
  }
  return found;
}

/** Whether a literal is compared with an expression that identifies a kind. */
function comparedWithKind(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return isKind(parent.left === node ? parent.right : parent.left);
  if (ts.isCaseClause(parent)) return isKind(parent.parent.parent.expression);
  // [..., "file"].includes(kind), new Set(["file"]).has(kind)
  for (let above: ts.Node | undefined = parent; above !== undefined; above = above.parent) {
    if (ts.isCallExpression(above) && above.arguments.some(isKind)) return true;
    if (ts.isStatement(above)) return false;
  }
  return false;
}

function isKind(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return tellsKind.test(node.name.text);
  return ts.isIdentifier(node) && tellsKind.test(node.text);
}

const waiting = new Set(["setTimeout", "setInterval"]);
const network = new Set(["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]);
const networkModules = /^(node:)?(http|https|http2|net|tls|dgram)$|^undici$/;
/** Harmless members of these modules. */
const harmless = new Set(["BlockList", "isIP", "isIPv4", "isIPv6"]);

/** Places that wait for time to pass. */
export function waits(source: Source): readonly string[] {
  return [
    ...globalsUsed(source, waiting),
    ...modulesUsed(source, /^(node:)?timers(\/promises)?$/, new Set(["setImmediate"])),
    ...nodesOf(source)
      .filter((node) => ts.isPropertyAccessExpression(node) && node.getText() === "Atomics.wait")
      .map((node) => at(source, node, "uses Atomics.wait")),
  ];
}

/** Places that import an XML parser. */
export const parsers = (source: Source): readonly string[] =>
  modulesUsed(source, /^(saxes|fast-xml-parser|@rgrove\/parse-xml)$/, new Set());

/** Places that open connections. */
export const connections = (source: Source): readonly string[] => [
  ...globalsUsed(source, network),
  ...modulesUsed(source, networkModules, harmless),
];

/** Places that use process-wide state (streams, arguments, environment, exit); process ids are allowed. */
export function surroundings(source: Source): readonly string[] {
  return [
    ...globalsUsed(source, new Set(["console"])),
    ...nodesOf(source)
      .filter((node) => ts.isIdentifier(node) && node.text === "process")
      .filter(({ parent }) => !(ts.isPropertyAccessExpression(parent) && parent.name.text === "pid"))
      .map((node) => at(source, node, `uses ${node.parent.getText()}`)),
  ];
}

/** Uses of globals, by name or as a property of the global object. */
function globalsUsed(source: Source, names: ReadonlySet<string>): readonly string[] {
  const imported = new Set<string>();
  const found: string[] = [];
  for (const node of nodesOf(source)) {
    if (ts.isImportSpecifier(node)) imported.add(node.name.text);
    if (!ts.isIdentifier(node) || !names.has(node.text)) continue;
    const { parent } = node;
    if (ts.isImportSpecifier(parent) || (ts.isPropertyAssignment(parent) && parent.name === node)) continue;
    if (ts.isMethodSignature(parent) || ts.isPropertySignature(parent)) continue;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    if (isMember && !/^(globalThis|global|window)$/.test(parent.expression.getText())) continue;
    if (isTypeOnly(node)) continue;
    // Members of imported modules are found by the module.
    if (!imported.has(node.text)) found.push(at(source, node, `uses ${node.text}`));
  }
  return found;
}

function isTypeOnly(node: ts.Node): boolean {
  for (let above: ts.Node | undefined = node; above !== undefined; above = above.parent) {
    if (ts.isTypeNode(above)) return true;
    if (ts.isExpression(above) && !ts.isIdentifier(above)) return false;
  }
  return false;
}

/** Values imported from such a module; types and harmless members don't count. */
function modulesUsed(source: Source, modules: RegExp, without: ReadonlySet<string>): readonly string[] {
  return nodesOf(source).flatMap((node) => {
    const target = specifierOf(node);
    if (target === undefined || !modules.test(target)) return [];
    const names = valuesOf(node).filter((name) => !without.has(name));
    return names.length === 0 ? [] : [at(source, node, `imports ${names.join(", ")} of ${target}`)];
  });
}

/** The module that a node names: an import, export, dynamic import or require. */
function specifierOf(node: ts.Node): string | undefined {
  const named =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isCallExpression(node)
        ? node.arguments[0]
        : undefined;
  if (named === undefined || !ts.isStringLiteralLike(named)) return undefined;
  return ts.isCallExpression(node) && !loads(node.expression) ? undefined : named.text;
}

const loads = (called: ts.Expression) =>
  called.kind === ts.SyntaxKind.ImportKeyword ||
  /(^|\.)(require|getBuiltinModule|createRequire\(.*\))$/.test(called.getText());

/** The values of an import; "*" for all. */
function valuesOf(node: ts.Node): readonly string[] {
  if (!ts.isImportDeclaration(node)) return ts.isExportDeclaration(node) && node.isTypeOnly ? [] : ["*"];
  const clause = node.importClause;
  if (clause === undefined) return ["*"];
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const bindings = clause.namedBindings;
  const whole = clause.name !== undefined || (bindings !== undefined && ts.isNamespaceImport(bindings));
  const named = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
  return [
    ...(whole ? ["*"] : []),
    ...named
      .filter(({ isTypeOnly: only }) => !only)
      .map(({ name, propertyName }) => (propertyName ?? name).text),
  ];
}

/** Imported values with their module; types don't count. */
export function importsOf(source: Source): readonly string[] {
  return nodesOf(source).flatMap((node) => {
    const target =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? specifierOf(node) : undefined;
    return target === undefined || valuesOf(node).length === 0 ? [] : [target];
  });
}

/** A variable of the protocol between command, engine and provider, or its prefix. */
const told = /^(SHOP|PULUMI_EMBEDDED)_[A-Z_]*$/;

/** Places that name such a variable as a key, a property or a whole text. */
export function variablesNamed(source: Source): readonly string[] {
  return nodesOf(source).flatMap((node) => {
    const named = ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
    return named && told.test(node.text) ? [at(source, node, `names ${node.text}`)] : [];
  });
}

/** The names of a body's arguments and outputs. */
const bodyWords = new Set([
  "content",
  "file",
  "src",
  "filename",
  "attachment",
  "isText",
  "sha256",
  "absoluteUrl",
  "assetUrl",
]);
/** Objects with such a property that aren't resources: files, fingerprints, hashes, options of commands. */
const others = /(^|\.)(file|fact|print|body|note|flags)$|^fingerprint\(/;

/** Places that name an argument or an output of a body. */
export function bodiesNamed(source: Source): readonly string[] {
  return nodesOf(source).flatMap((node) => {
    const text = bodyWordAt(node);
    return text === undefined ? [] : [at(source, node, `names ${text}`)];
  });
}

function bodyWordAt(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) {
    const { parent } = node;
    // hash("sha256", text), Buffer.from(text, "sha256") and others name an algorithm.
    const isHash =
      ts.isCallExpression(parent) && /(^hash|createH(ash|mac)|pbkdf2Sync)$/.test(parent.expression.getText());
    return bodyWords.has(node.text) && !isHash ? node.text : undefined;
  }
  if (ts.isPropertyAccessExpression(node))
    return bodyWords.has(node.name.text) && !others.test(node.expression.getText().replaceAll("?", ""))
      ? node.name.text
      : undefined;
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const name = (node.propertyName ?? node.name).getText();
  return bodyWords.has(name) && node.dotDotDotToken === undefined ? name : undefined;
}

/** Functions with more than this number of parameters. */
export const crowded = (source: Source, most: number): readonly string[] =>
  nodesOf(source)
    .filter((node) => ts.isFunctionLike(node) && "body" in node && node.parameters.length > most)
    .map((node) => at(source, node, "takes too many parameters"));

/** A file's texts, except module names, and its exported names. */
export function wordsOf(source: Source): {
  readonly texts: readonly string[];
  readonly names: readonly string[];
} {
  const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateLiteralLikeNode =>
    (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) &&
    !ts.isImportDeclaration(node.parent) &&
    !ts.isExportDeclaration(node.parent);
  const names = treeOf(source).statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    const { name } = statement as ts.DeclarationStatement;
    return name === undefined ? [] : [name.text];
  });
  return {
    texts: nodesOf(source)
      .filter(isText)
      .map(({ text }) => text),
    names,
  };
}

/** Type assertions in a file. */
export const casts = (source: Source): readonly string[] =>
  nodesOf(source)
    .filter(
      (node) => ts.isNonNullExpression(node) || (ts.isAsExpression(node) && node.type.getText() !== "const"),
    )
    .map((node) => at(source, node, "casts"));
