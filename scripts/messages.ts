/** Every message with which the code refuses something, read from the source: what docs/messages.md must explain. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const parts = ["sdk", "provider", "plugin", "pulumi", "engine", "runs", "cli", "testing"];

/** Messages by their text, what varies as "…", each with the files that say it. */
export function messagesInCode(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of sources()) {
    const file = ts.createSourceFile(
      path,
      readFileSync(join(root, path), "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node: ts.Node) => {
      for (const text of textsOf(node)) {
        // What only repeats another's words has none of its own.
        if (text.replace(/[^A-Za-z]/g, "").length < 8) continue;
        found.set(text, [...new Set([...(found.get(text) ?? []), path])]);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

const sources = () =>
  parts.flatMap((part) =>
    readdirSync(join(root, part), { recursive: true })
      .map((name) => `${part}/${String(name).replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".ts"))
      .toSorted(),
  );

/** The messages that a node states: of an error that is made, of a wrong argument, of a wrong setting. */
function textsOf(node: ts.Node): readonly string[] {
  if (ts.isNewExpression(node) && node.expression.getText().endsWith("Error"))
    return firstTexts(node.arguments);
  if (ts.isCallExpression(node)) {
    const callee = node.expression.getText();
    const isWrong = callee === "wrong" && node.arguments.length === 1;
    if (isWrong || ["super", "refuse", "wrong.push"].includes(callee) || /^z\.\w+$/.test(callee))
      return firstTexts(node.arguments);
  }
  // Reasons that are made elsewhere than where they are given.
  if (ts.isVariableDeclaration(node) && node.name.getText() === "reasons") return below(node);
  if (ts.isFunctionDeclaration(node) && node.name?.text === "unknownArgument") return below(node);
  if (ts.isPropertyAssignment(node) && node.name.getText() === "reason") return sentences(node.initializer);
  return [];
}

/** What the first argument that is a sentence may say; a single word is a code or a name. */
function firstTexts(nodes: readonly ts.Expression[] | undefined): readonly string[] {
  return (nodes ?? []).map(sentences).find((texts) => texts.length > 0) ?? [];
}

function below(node: ts.Node): readonly string[] {
  const found: string[] = [];
  const visit = (one: ts.Node) => {
    if (ts.isTemplateExpression(one) || ts.isStringLiteralLike(one)) found.push(...sentences(one));
    else ts.forEachChild(one, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}

const sentences = (node: ts.Expression) =>
  textsIn(node)
    .map((text) => text.replace(/\s+/g, " ").replaceAll(/…+/g, "…").trim())
    .filter((text) => text.includes(" "));

/** The texts that an expression may be, what varies as "…". */
function textsIn(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("")];
  if (ts.isParenthesizedExpression(node)) return textsIn(node.expression);
  if (ts.isConditionalExpression(node)) return [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)];
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textsIn(node.left), textsIn(node.right)];
    return (left.length > 0 ? left : ["…"]).flatMap((one) =>
      (right.length > 0 ? right : ["…"]).map((other) => one + other),
    );
  }
  return [];
}
