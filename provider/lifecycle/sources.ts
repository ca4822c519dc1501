/** Sources of themes that a program changes: their mistakes are told before anything is sent, and refused where the stack is protected. */
import { basename, dirname, resolve } from "node:path";
import { bodyArgumentsIn, isBodyUnknown, textOf, themeFileOf, wantedHash } from "../body/arguments.ts";
import type { Definition } from "../definition/define.ts";
import { ownerIn } from "../names/owner.ts";
import { type FolderFile, folders, isInThemeFolder, themeFilesIn } from "../names/theme-folder.ts";
import { nameIn, type Shop } from "../run/context.ts";
import { isAllowed } from "../run/guard.ts";
import { type Finding, findingText } from "../theme/finding.ts";
import type { Failure } from "../values/check-lists.ts";
import { isBodySecret } from "../values/secrets.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";

/** Looks through a source that is new or changes. @returns what a protected stack refuses */
export async function sourceFailures(
  definition: Definition,
  shop: Shop,
  olds: Values,
  args: Values,
): Promise<readonly Failure[]> {
  if (definition.body?.theme === undefined || shop.plan.onlyArguments) return [];
  const findings = await findingsOf(definition, shop, olds, args);
  const name = nameIn(args);
  const isRefused = shop.guard?.isProtected === true && !isAllowed(shop.guard, name);
  const [property = ""] = bodyArgumentsIn(args);
  const refused = isRefused ? findings.filter(({ severity }) => severity === "error") : [];
  for (const finding of findings) {
    shop.notice({ type: "finding", finding });
    if (!refused.includes(finding)) shop.sayInPreview(`${finding.severity}: ${findingText(finding)}`);
  }
  return refused.map((finding) => ({
    property,
    reason: `${findingText(finding)} (shop:protected). Pass --allow ${name} to send it all the same, or set SHOP_ALLOW=${name}`,
  }));
}

async function findingsOf(
  definition: Definition,
  shop: Shop,
  olds: Values,
  args: Values,
): Promise<readonly Finding[]> {
  const { type, name } = args;
  // What the shop has already blocks nobody, and a secret is not quoted.
  if (isSame(olds, args) || isBodyUnknown(args) || isBodySecret(args)) return [];
  if (typeof name !== "string" || [name, type].includes(unknownValue)) return [];
  const text = textOf(args, shop.folder);
  if (text === undefined) return [];
  // Loaded where there is a source: most programs have none.
  const { checkFile, checkTheme } = await import("../theme/check.ts");
  const file = themeFileOf(args, text);
  const missing = (beyond: readonly Pick<FolderFile, "type" | "name">[]) =>
    checkTheme([file], beyond).filter(({ rule }) => rule === "missing-snippet" || rule === "missing-file");
  const alone = checkFile(file);
  const beside = besideIn(shop, file.path);
  if (beside === undefined || shop.plan.isPreview === false || missing(beside).length === 0) return alone;
  const { themeId } = args;
  if (themeId === undefined || themeId === unknownValue) return alone;
  const { objects } = await shop.reads.all(definition, { themeId });
  const of = ownerIn(args);
  for (const finding of missing([...beside, ...objects.map((one) => themeFileOf(one))])) {
    // A folder's component has all that it has in the folder; who states single files may make this one without the provider.
    const fails = finding.severity === "error" && isInThemeFolder(of);
    // Whether the program makes it itself, later than this, only who sees the whole plan can tell.
    if (!shop.notice({ type: "lacks", kind: definition.kind, of, finding, fails }))
      shop.sayInPreview(`warning: ${findingText(finding)}, or let the program make it`);
  }
  return alone;
}

const folderFiles = new WeakMap<Shop["memory"], Map<string, readonly FolderFile[]>>();

/** The theme in whose folder a source lies; undefined where it lies in none. */
function besideIn({ memory, folder }: Shop, path: string | undefined): readonly FolderFile[] | undefined {
  if (path === undefined) return undefined;
  const place = dirname(resolve(folder, path));
  if (!Object.hasOwn(folders, basename(place))) return undefined;
  const root = dirname(place);
  const known = folderFiles.get(memory) ?? new Map<string, readonly FolderFile[]>();
  folderFiles.set(memory, known);
  const files = known.get(root) ?? themeFilesIn(root);
  known.set(root, files);
  return files;
}

const isSame = (olds: Values, args: Values): boolean =>
  wantedHash(olds) === wantedHash(args) && olds.name === args.name && olds.type === args.type;
