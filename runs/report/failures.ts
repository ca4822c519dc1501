/** Why a run failed, each reason once: a wrong password fails every resource, and is one failure to a person. */

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
import { addressOf, CancelledError, withoutGiven } from "../../provider/inventory/index.ts";
import { settingSources } from "../stack/connection.ts";

/** What failed, and why: a reason is told once, whomever it met. */
export interface FailureReason {
  /** `index.ts:4  Product "mug"`; none where the run failed as a whole. */
  readonly subjects: readonly string[];
  /** What they have in common, in lines. */
  readonly reason: readonly string[];
}

/** A text for each reason: whom it met and where the program makes it, then what happened, indented. */
export const failureTexts = (failures: readonly Failure[]): readonly string[] =>
  failureReasons(failures).map(reasonText);

/** Each reason once, with whom it met. */
export function failureReasons(failures: readonly Failure[]): readonly FailureReason[] {
  const shared = sharedPlaces(failures);
  const isTold = new Set(shared.flat().map(({ wrong }) => wrong));
  const left = failures.flatMap((failure) => withoutShown(failure, isTold));
  const told = [...shared.map(sharedReason), ...[...Map.groupBy(left, reasonOf).values()].map(sameReason)];
  return told
    .map((one) => ({ ...one, subjects: one.subjects.toSorted(inOrder) }))
    .toSorted(byPlace)
    .map((one) => ({ ...one, subjects: listed(one.subjects) }));
}

/** Whatever was answered first: `index.ts:9  Product "p2"` before `index.ts:10  Product "p1"`. */
const { compare: inOrder } = new Intl.Collator("en", { numeric: true });

/** As the program reads, from its first line on; what stands at no line stays where it is. */
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
  // What the program says of it too is the same failure.
  const { message, wrong } = same.find(({ urn }) => urn !== undefined) ?? first;
  const told = CancelledError.says(message) ? stoppedText : message;
  return { subjects, reason: wrong?.map(wrongText) ?? told.split("\n") };
}

const stoppedText = "the run was stopped before the next request for it was sent";

function subjectOf({ urn, place }: Pick<Failure, "urn" | "place">): string | undefined {
  if (urn === undefined) return undefined;
  const subject = `${kindOf(typeOf(urn))} "${nameOf(urn)}"`;
  return place === undefined ? subject : `${place}  ${subject}`;
}

/** `price: got "12,50", expected a number`. */
function wrongText({ property, reason }: WrongArgument): string {
  return `${property === "" ? "" : `${property}: `}${expected(withoutGiven(reason))}`;
}

const expected = ({ reason, given }: ReturnType<typeof withoutGiven>): string =>
  given === undefined ? reason : `got ${given}, ${expectedText(reason)}`;
const expectedText = (reason: string) => reason.replace(/^must be /, "expected ");

/** A message without which object and which request it is about: what is left is why. */
function reasonOf({ message, wrong }: Failure): string {
  if (wrong !== undefined) return wrong.map(wrongText).join("\n");
  return message
    .replace(/^the program failed: /, "")
    .replace(/^\w+(?: \S+)?: (?=(?:GET|POST|PUT|DELETE) )/, "")
    .replace(/^(?:GET|POST|PUT|DELETE) \S+ /, "")
    .replace(/\n\s+at [\s\S]*$/, "");
}

/** An argument of a resource that is wrong. */
interface Place {
  readonly failure: Failure;
  readonly urn: string;
  readonly wrong: WrongArgument;
}

/** Arguments of one kind that are wrong for one reason, whatever was given: those that more than one place has. */
function sharedPlaces(failures: readonly Failure[]): readonly (readonly Place[])[] {
  const places = failures.flatMap((failure) =>
    failure.urn === undefined
      ? []
      : (failure.wrong ?? []).map((wrong): Place => ({ failure, urn: failure.urn as string, wrong })),
  );
  const sameness = ({ urn, wrong: { property, reason } }: Place) =>
    JSON.stringify([kindOf(typeOf(urn)), fieldText(property), withoutGiven(reason).reason]);
  return [...Map.groupBy(places, sameness).values()].filter(({ length }) => length > 1);
}

/** Each place with what was given there, then what must be. */
function sharedReason(places: readonly Place[]): FailureReason {
  const [{ wrong }] = places as [Place, ...Place[]];
  const { reason, given } = withoutGiven(wrong.reason);
  const isOne = new Set(places.map((place) => place.wrong.property)).size === 1;
  const subjects = places.map((place) => {
    const own = withoutGiven(place.wrong.reason).given;
    const said = [...(isOne ? [] : [place.wrong.property]), ...(own === undefined ? [] : [`got ${own}`])];
    return [subjectOf(place.failure), ...(said.length === 0 ? [] : [said.join(": ")])].join("  ");
  });
  const what = given === undefined ? reason : expectedText(reason);
  return { subjects, reason: [`${isOne ? wrong.property : fieldText(wrong.property)}: ${what}`] };
}

/** A failure without what is told of several places; none where nothing is left of it. */
function withoutShown(failure: Failure, isTold: ReadonlySet<WrongArgument>): readonly Failure[] {
  const { wrong = [] } = failure;
  const left = wrong.filter((one) => !isTold.has(one));
  if (left.length === wrong.length) return [failure];
  return left.length === 0 ? [] : [{ ...failure, wrong: left }];
}

/** Who looks for an object that isn't there looks in the shop, and is told which shop that was. */
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
