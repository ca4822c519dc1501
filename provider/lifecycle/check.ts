/** check, derived from a definition: reports as failures of arguments what a preview can know to be impossible. */

import { basename, dirname, resolve } from "node:path";
import {
  bodyArgumentsIn,
  isBodyUnknown,
  textIn,
  textOf,
  themeFileOf,
  wantedHash,
} from "../body/arguments.ts";
import type { Checked } from "../change/check.ts";
import { duplicateItems, type Failure } from "../change/check-lists.ts";
import { doubtsIn, doubtTexts } from "../change/doubts.ts";
import { parentNames } from "../change/identity.ts";
import { missingForCreate, removedArgumentTexts } from "../change/partial.ts";
import { isBodySecret } from "../change/secrets.ts";
import { titleProblems } from "../client/call.ts";
import { titlesIn } from "../client/titled-amounts.ts";
import { type NewObject, resourceIn, type Shop, seenAs } from "../context/context.ts";
import { guardCreate, isAllowed, isJudged, ProtectedError } from "../context/limits.ts";
import { checkWithTimes } from "../context/time-window.ts";
import { calledIn, nameIn, ownerIn } from "../names/owner.ts";
import { type FolderFile, folders, isInThemeFolder, themeFilesIn } from "../names/theme-folder.ts";
import { type Finding, findingText } from "../theme/finding.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { missingArgumentFailures } from "./adoption.ts";
import { claimKey, keyClaimedTwice, valuesSetTwice } from "./other-owners.ts";
import {
  type AdoptionPreview,
  type CreatePreview,
  missingParents,
  previewCreate,
  replacementFailures,
} from "./preview-create.ts";

type CheckResult = Checked & { readonly taken?: AdoptionPreview | undefined };

/** An object as the state has it, and the arguments that its program asks for. Without a state it is new, or a replacement. */
interface Checking extends NewObject {
  readonly olds: Values;
}

/** Checks arguments as far as the program, the stack and, in a preview, the shop show that they can't be applied. */
export async function check(before: Omit<Checking, "args">, news: Values): Promise<CheckResult> {
  const { definition, shop, olds } = before;
  const { plan } = shop;
  // A preview of creates sends nothing: without this, only the up would report that the connection is incomplete.
  // The address throws if it is.
  if (!plan.isEmbedded && !plan.onlyArguments) void shop.url;
  const isOld = Object.keys(olds).length > 0;
  const isPart = isOld && missingForCreate(definition, olds).length > 0;
  const checked = await checkWithTimes(definition, shop, news, { isPart, isKnown: isOld });
  const checking = { ...before, args: checked.inputs };
  if (isOld) remember(checking, news);
  if (checked.failures.length > 0) return checked;
  const failed = (failures: readonly Failure[]) =>
    failures.length > 0 ? { ...checked, failures } : undefined;
  const failure =
    failed(valuesSetTwice(checking)) ??
    (await reportMissingTitles(checking)) ??
    failed(await sourceFailures(checking)) ??
    failed(claimKey(checking));
  if (failure !== undefined) return failure;
  if (isOld || isReplacement(checking)) return { ...checked, failures: await changeFailures(checking) };
  return checkCreate(checking);
}

/** Notes what the diff, the create and the delete of the same resource need to know of its state. */
function remember(checking: Checking, news: Values): void {
  const { memory } = checking.shop;
  const { olds } = checking;
  const resource = resourceIn(checking);
  memory.inState.add(resource);
  // Dynamic resources name their provider in the arguments, those of the plugin don't.
  if (news.__provider !== undefined && olds.__provider === undefined) memory.fromPlugin.add(resource);
  const text = textIn(olds);
  if (text !== undefined) memory.texts.set(resource, text);
}

/** Whether the engine asks without a state because it replaces the resource: then `adopt` doesn't apply. */
function isReplacement(checking: Checking): boolean {
  const { args } = checking;
  const { memory, notes, plan } = checking.shop;
  if (args.__of === undefined) return false;
  const of = ownerIn(args);
  return (
    memory.inState.has(resourceIn(checking)) ||
    plan.replaced.has(nameIn(args)) ||
    (!plan.isEmbedded && notes.isInState(of) && !memory.deleted.has(of))
  );
}

async function changeFailures(checking: Checking): Promise<readonly Failure[]> {
  const { definition, shop, olds, args } = checking;
  const isOld = Object.keys(olds).length > 0;
  if (!isOld || shop.plan.replaced.has(nameIn(args))) {
    const why = "a replacement is a new object and takes no values from the old one";
    const lacking = missingArgumentFailures(definition, args, why);
    if (lacking.length > 0) return lacking;
  }
  const doubled = isOld ? duplicateItems(definition, args, olds) : [];
  if (doubled.length > 0) return doubled;
  reportDoubts(checking, olds);
  reportUnset(checking);
  const isLooked = shop.plan.isPreview !== false && !shop.plan.onlyArguments;
  const hasMoved = parentNames(definition).some(
    (name) => olds[name] !== undefined && String(olds[name]) !== String(args[name]),
  );
  if (!isLooked) return [];
  const missing = hasMoved ? await missingParents(checking) : [];
  return missing.length > 0 ? missing : replacementFailures(checking);
}

async function checkCreate(checking: Checking): Promise<CheckResult> {
  const { definition, shop, args: inputs } = checking;
  const { failures, taken } = await createPreview(checking);
  if (failures.length > 0) {
    const shared = keyClaimedTwice(checking);
    return { inputs, failures: shared.length > 0 ? shared : failures };
  }
  if (taken !== undefined) {
    const { asked } = taken;
    reportDoubts({ ...checking, args: asked }, taken.olds);
    const doubled = duplicateItems(definition, asked, taken.olds);
    return {
      inputs: asked,
      failures: [...doubled, ...valuesSetTwice({ ...checking, args: asked }, taken.olds)],
      taken,
    };
  }
  reportDoubts(checking, {});
  // A comparison of a program with its shop checks arguments of objects that are there already.
  const doubled = shop.plan.onlyArguments ? [] : duplicateItems(definition, inputs, {});
  return { inputs, failures: [...doubled, ...limitFailures(checking)] };
}

async function createPreview(object: NewObject): Promise<CreatePreview> {
  const { shop } = object;
  const { isEmbedded, isPreview } = shop.plan;
  // In a run the embedded engine may find that this is a renamed resource, which is updated: the limits judge that then.
  if (isEmbedded && isPreview === false)
    return previewCreate({ ...object, shop: seenAs(shop, { guard: undefined }) });
  return previewCreate(object);
}

/** Checks the limits of the stack now, because no engine calls a diff for a create. */
function limitFailures({ definition, shop, args }: NewObject): readonly Failure[] {
  try {
    if (isJudged(shop.guard, args)) guardCreate(shop.guard, definition, args);
    return [];
  } catch (error) {
    if (!(error instanceof ProtectedError)) throw error;
    return [{ property: error.argument, reason: error.message }];
  }
}

/** Marks imported arguments until a run replaces them by the program's: no program has set them. */
export const importedName = "__imported";

function reportUnset(checking: Checking): void {
  const { definition, shop, olds, args } = checking;
  if (olds[importedName] !== undefined) return;
  const lines = removedArgumentTexts(definition, calledIn(definition, args), olds, args);
  if (lines.length > 0 && !shop.notice({ type: "unstated", kind: definition.kind, of: nameIn(args), lines }))
    for (const line of lines) shop.sayInPreview(line);
}

/** Warns of new values that a shop probably refuses, changes or shows garbled. */
function reportDoubts({ definition, shop, args }: Checking, known: Values): void {
  if (shop.plan.onlyArguments) return;
  const today = new Date(shop.now()).toISOString().slice(0, 10);
  const doubts = doubtsIn(definition, args, known, today);
  if (doubts.length > 0 && !shop.notice({ type: "doubts", kind: definition.kind, of: ownerIn(args), doubts }))
    for (const line of doubtTexts(calledIn(definition, args), doubts)) shop.sayInPreview(line);
}

/** Warns of price kinds that amounts name and the shop doesn't have yet. */
async function reportMissingTitles(checking: Checking): Promise<undefined> {
  const { definition, shop, olds, args } = checking;
  if (shop.plan.isPreview === false || shop.plan.onlyArguments) return;
  if (titlesIn(definition, args).join() === titlesIn(definition, olds).join()) return;
  for (const { text } of await titleProblems(shop.transport, definition, args))
    shop.sayInPreview(`${calledIn(definition, args)}: ${text}`);
}

/** Checks the source of a theme's file if it is new or changed. @returns the errors, if the stack is protected */
async function sourceFailures(checking: Checking): Promise<readonly Failure[]> {
  const { definition, shop, args } = checking;
  if (definition.body?.theme === undefined || shop.plan.onlyArguments) return [];
  const findings = await findingsOf(checking);
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
    reason: `${findingText(finding)} (shop:protected). Pass --allow ${name} to send it anyway, or set SHOP_ALLOW=${name}`,
  }));
}

async function findingsOf({ definition, shop, olds, args }: Checking): Promise<readonly Finding[]> {
  const { type, name, themeId } = args;
  const isSame = wantedHash(olds) === wantedHash(args) && olds.name === name && olds.type === type;
  // Errors that the shop has already block nobody, and findings would quote a secret.
  if (isSame || isBodyUnknown(args) || isBodySecret(args)) return [];
  if (typeof name !== "string" || [name, type].includes(unknownValue)) return [];
  const text = textOf(args, shop.folder);
  if (text === undefined) return [];
  // Loaded only here: most programs have no theme, and the parser takes time to load.
  const { checkFile, checkTheme } = await import("../theme/check.ts");
  const file = themeFileOf(args, text);
  const missing = (beyond: readonly Pick<FolderFile, "type" | "name">[]) =>
    checkTheme([file], beyond).filter(({ rule }) => rule === "missing-snippet" || rule === "missing-file");
  const alone = checkFile(file);
  const beside = folderOf(shop, file.path);
  if (beside === undefined || shop.plan.isPreview === false || missing(beside).length === 0) return alone;
  if (themeId === undefined || themeId === unknownValue) return alone;
  const { objects } = await shop.reads.all(definition, { themeId });
  const of = ownerIn(args);
  for (const finding of missing([...beside, ...objects.map((one) => themeFileOf(one))])) {
    // A ThemeFolder has only the files of its folder. A program that lists files may set the missing one with another resource.
    const fails = finding.severity === "error" && isInThemeFolder(of);
    if (!shop.notice({ type: "lacks", kind: definition.kind, of, finding, fails }))
      shop.sayInPreview(`warning: ${findingText(finding)}, or create it in the program`);
  }
  return alone;
}

const folderFiles = new WeakMap<Shop["memory"], Map<string, readonly FolderFile[]>>();

/** The files of the theme folder that has this source; undefined if it is in none. */
function folderOf({ memory, folder }: Shop, path: string | undefined): readonly FolderFile[] | undefined {
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
