/** Why a run failed. Each reason is shown once: a wrong password fails every resource, but is one mistake. */

import {
  AbsentError,
  type Failure,
  type Import,
  kindOf,
  nameOf,
  type Stack,
  typeOf,
  urnOfImport,
  type WrongArgument,
} from "../../engine/index.ts";
import { fieldText } from "../../engine/pulumi/path.ts";
import { addressOf, CancelledError, reasonOfAll, splitReason } from "../../provider/inventory/index.ts";
import { settingSources } from "../stack/other-shops.ts";

export interface FailureReason {
  /** `index.ts:4  Product "mug"`; none if the run failed as a whole. */
  readonly subjects: readonly string[];
  readonly reason: readonly string[];
}

/** Each reason as a text: the resources with their places in the program, then the indented message. */
export const failureTexts = (failures: readonly Failure[]): readonly string[] =>
  failureReasons(failures).map(reasonText);

export function failureReasons(failures: readonly Failure[]): readonly FailureReason[] {
  const shared = sharedPlaces(failures);
  const isTold = new Set(shared.flat().map(({ wrong }) => wrong));
  const left = failures.flatMap((failure) => withoutShown(failure, isTold));
  const told = [...shared.map(sharedReason), ...[...Map.groupBy(left, reasonOf).values()].map(sameReason)];
  const advice = new Set<string>();
  return told
    .map((one) => ({ ...one, subjects: one.subjects.toSorted(inOrder) }))
    .toSorted(byPlace)
    .map(({ subjects, reason }) => ({
      subjects: listed(subjects),
      reason: reason.flatMap((text) => adviceOnce(text.split("\n"), advice)),
    }));
}

/** The lines of a message. Its last line may be advice, which stands only where it is given first. */
function adviceOnce(lines: readonly string[], given: Set<string>): readonly string[] {
  const last = lines.at(-1) ?? "";
  if (lines.length === 1 || last.startsWith(" ")) return lines;
  if (given.has(last)) return lines.slice(0, -1);
  given.add(last);
  return lines;
}

/** Natural order: `index.ts:9  Product "p2"` before `index.ts:10  Product "p1"`. */
const { compare: inOrder } = new Intl.Collator("en", { numeric: true });

/** Sorts by place in the program; reasons without a place stay where they are. */
function byPlace(one: FailureReason, other: FailureReason): number {
  const [a, b] = [one, other].map(({ subjects: [first = ""] }) => /^(\S+):(\d+) {2}/.exec(first));
  if (!a || !b || a[1] !== b[1]) return 0;
  return Number(a[2]) - Number(b[2]);
}

function reasonText({ subjects, reason }: FailureReason): string {
  if (subjects.length === 0) return reason.join("\n");
  return [...subjects, ...reason.map((line) => `  ${line}`)].join("\n");
}

const maxSubjects = 5;

const listed = (lines: readonly string[]): readonly string[] =>
  lines.length <= maxSubjects
    ? lines
    : [
        ...lines.slice(0, maxSubjects - 1),
        `and ${(lines.length - maxSubjects + 1).toLocaleString("en")} more`,
      ];

function sameReason(same: readonly Failure[]): FailureReason {
  const [first] = same as [Failure, ...Failure[]];
  const subjects = [...new Set(same.flatMap((failure) => subjectOf(failure) ?? []))];
  // The program's own error about it is the same failure.
  const { message, wrong } = same.find(({ urn }) => urn !== undefined) ?? first;
  // One request doesn't speak for those of other kinds.
  const kinds = new Set(same.flatMap(({ urn }) => (urn === undefined ? [] : kindOf(typeOf(urn)))));
  const request = kinds.size > 1 ? requestIn(message) : "";
  const shared = request === "" ? message : message.replace(request, "each request ");
  const told = CancelledError.says(message) ? stoppedText : shared;
  return { subjects, reason: wrong?.map(wrongText) ?? [told] };
}

const stoppedText = "the run was stopped before the next request for it was sent";

function subjectOf({ urn, place }: Pick<Failure, "urn" | "place">): string | undefined {
  if (urn === undefined) return undefined;
  const subject = `${kindOf(typeOf(urn))} "${nameOf(urn)}"`;
  return place === undefined ? subject : `${place}  ${subject}`;
}

/** `price: got "12,50", expected a number`. */
function wrongText(wrong: WrongArgument): string {
  const { reason, given } = partsOf(wrong);
  const expected = expectedText(reason);
  const separator = expected === reason ? "; it" : ",";
  const said = given === undefined ? reason : `got ${given}${separator} ${expected}`;
  return `${wrong.property === "" ? "" : `${wrong.property}: `}${said}`;
}

const partsOf = (wrong: WrongArgument): ReturnType<typeof splitReason> =>
  wrong.given === undefined ? splitReason(wrong.reason) : { reason: wrong.reason, given: wrong.given };

const expectedText = (reason: string) => reason.replace(/^(?:must|should) be /, "expected ");

/** The object and the request at the beginning of a message: `Coupon 8841: PUT /admin/discount_codes/8841.xml `. */
const requestIn = (message: string): string =>
  /^(?:\w+(?: \S+)?: )?(?:GET|POST|PUT|DELETE) \S+ /.exec(message)?.[0] ?? "";

/** The message without the object and the request. */
function reasonOf({ message, wrong }: Failure): string {
  if (wrong !== undefined) return wrong.map(wrongText).join("\n");
  const own = message.replace(/^the program failed: /, "");
  return own.slice(requestIn(own).length).replace(/\n\s+at [\s\S]*$/, "");
}

/** An invalid argument of a resource. */
interface Place {
  readonly failure: Failure;
  readonly urn: string;
  readonly wrong: WrongArgument;
}

/** Arguments of one kind that several resources have wrong in the same way. */
function sharedPlaces(failures: readonly Failure[]): readonly (readonly Place[])[] {
  const places = failures.flatMap((failure) =>
    failure.urn === undefined
      ? []
      : (failure.wrong ?? []).map((wrong): Place => ({ failure, urn: failure.urn as string, wrong })),
  );
  const sameness = ({ urn, wrong }: Place) =>
    JSON.stringify([kindOf(typeOf(urn)), fieldText(wrong.property), reasonOfAll(partsOf(wrong).reason)]);
  return [...Map.groupBy(places, sameness).values()].filter(({ length }) => length > 1);
}

/** Each place with its value, then the expected value. */
function sharedReason(places: readonly Place[]): FailureReason {
  const [{ wrong }] = places as [Place, ...Place[]];
  const { reason, given } = partsOf(wrong);
  const isOne = new Set(places.map((place) => place.wrong.property)).size === 1;
  const subjects = places.map((place) => {
    const own = partsOf(place.wrong).given;
    const said = [...(isOne ? [] : [place.wrong.property]), ...(own === undefined ? [] : [`got ${own}`])];
    return [subjectOf(place.failure), ...(said.length === 0 ? [] : [said.join(": ")])].join("  ");
  });
  const what = given === undefined ? reasonOfAll(reason) : expectedText(reason);
  return { subjects, reason: [`${isOne ? wrong.property : fieldText(wrong.property)}: ${what}`] };
}

/** A failure without the arguments that are shown for several places; empty if none is left. */
function withoutShown(failure: Failure, isTold: ReadonlySet<WrongArgument>): readonly Failure[] {
  const { wrong = [] } = failure;
  const left = wrong.filter((one) => !isTold.has(one));
  if (left.length === wrong.length) return [failure];
  return left.length === 0 ? [] : [{ ...failure, wrong: left }];
}

/** Names the shop in the message of an import whose object doesn't exist. */
export function withMissingObject(stack: Stack, imports: readonly Import[], failure: Failure): Failure {
  const { urn, message } = failure;
  const it = imports.find((one) => urnOfImport(stack.name, stack.project.name, one) === urn);
  if (it === undefined || message !== new AbsentError(it.id).message) return failure;
  const url = addressOf(settingSources(stack));
  const words = kindOf(it.type)
    .replaceAll(/(?<!^)(?=[A-Z])/g, " ")
    .toLowerCase();
  return { urn, message: `the shop ${url} has no ${words} ${it.id}` };
}
