/** Sources of themes that a program changes: their mistakes are told before anything is sent, and refused where the stack is protected. */
import { askedHash, fileIn, isBodyUnknown, statedBy, textOf } from "../body/arguments.ts";
import type { Definition } from "../definition/define.ts";
import { nameIn, type Shop } from "../run/context.ts";
import { isAllowed } from "../run/guard.ts";
import type { FileType } from "../theme/files.ts";
import type { Finding } from "../theme/finding.ts";
import type { Failure } from "../values/check.ts";
import { isBodySecret } from "../values/secrecy.ts";
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
  const findings = await findingsOf(shop, olds, args);
  const name = nameIn(args);
  const isRefused = shop.guard?.isProtected === true && !isAllowed(shop.guard, name);
  const [property = ""] = statedBy(args);
  const refused = isRefused ? findings.filter(({ severity }) => severity === "error") : [];
  for (const finding of findings)
    if (!refused.includes(finding)) shop.sayInPreview(`${finding.severity}: ${findingText(finding)}`);
  return refused.map((finding) => ({
    property,
    reason: `${findingText(finding)} (shop:protected). Pass --allow ${name} to send it all the same, or set SHOP_ALLOW=${name}`,
  }));
}

async function findingsOf(shop: Shop, olds: Values, args: Values): Promise<readonly Finding[]> {
  const { type, name } = args;
  // What the shop has already blocks nobody, and a secret is not quoted.
  if (isSame(olds, args) || isBodyUnknown(args) || isBodySecret(args)) return [];
  if (typeof name !== "string" || [name, type].includes(unknownValue)) return [];
  const text = textOf(args, shop.folder);
  if (text === undefined) return [];
  // Loaded where there is a source: most programs have none.
  const { checkFile } = await import("../theme/check.ts");
  return checkFile({ type: type as FileType, name, text, path: fileIn(args)?.path });
}

const isSame = (olds: Values, args: Values): boolean =>
  askedHash(olds) === askedHash(args) && olds.name === args.name && olds.type === args.type;

const findingText = ({ path, line, column, message, source, fix }: Finding): string =>
  `${path}:${line}:${column} ${message}${source === "" ? "" : ` (${source})`}; ${fix}`;
