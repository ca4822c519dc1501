/** Why a run failed, each reason once: a wrong password fails every resource, and is one failure to a person. */

import { type Failure, kindOf, nameOf, typeOf, type WrongArgument, wrongText } from "../../engine/index.ts";
import { withoutGiven } from "../../provider/inventory/index.ts";
import { fieldText, pathIn, pathText } from "../../pulumi/path.ts";

/** A text for each reason: whom it met, and what happened. */
export function failureTexts(failures: readonly Failure[]): readonly string[] {
  const shared = sharedPlaces(failures);
  const isTold = new Set(shared.flat().map(({ wrong }) => wrong));
  const left = failures.flatMap((failure) => withoutTold(failure, isTold));
  return [...shared.map(sharedText), ...[...Map.groupBy(left, reasonOf).values()].map(sameText)];
}

function sameText(same: readonly Failure[]): string {
  const [first] = same as [Failure, ...Failure[]];
  const names = [...new Set(same.flatMap(({ urn }) => (urn === undefined ? [] : [subject(urn)])))];
  // What the program says of it too is the same failure.
  const { message } = same.find(({ urn }) => urn !== undefined) ?? first;
  if (names.length === 0) return message;
  return `${listed(names, most)}: ${message}`;
}

const subject = (urn: string) => `${kindOf(typeOf(urn))} ${nameOf(urn)}`;

const most = 5;

const listed = (names: readonly string[], shown: number) =>
  names.length <= shown
    ? names.join(", ")
    : `${names.slice(0, shown - 1).join(", ")} and ${(names.length - shown + 1).toLocaleString("en")} more`;

/** A message without which object and which request it is about: what is left is why. */
function reasonOf({ message }: Failure): string {
  return message
    .replace(/^the program failed: /, "")
    .replace(/^\w+(?: \S+)?: (?=(?:GET|POST|PUT|DELETE) )/, "")
    .replace(/^(?:GET|POST|PUT|DELETE) \S+ /, "")
    .replace(/\n\s+at [\s\S]*$/, "");
}

/** An argument of a resource that is wrong. */
interface Place {
  readonly urn: string;
  readonly wrong: WrongArgument;
}

/** Arguments of one kind that are wrong for one reason, whatever was given: those that more than one place has. */
function sharedPlaces(failures: readonly Failure[]): readonly (readonly Place[])[] {
  const places = failures.flatMap(({ urn, wrong = [] }) =>
    urn === undefined ? [] : wrong.map((one): Place => ({ urn, wrong: one })),
  );
  const sameness = ({ urn, wrong: { property, reason } }: Place) =>
    JSON.stringify([kindOf(typeOf(urn)), fieldText(property), withoutGiven(reason).reason]);
  return [...Map.groupBy(places, sameness).values()].filter(({ length }) => length > 1);
}

// An example of what was given takes more room than a name.
const mostGiven = 4;

/** `Product: variants.price "10,99" (P0-A), "12,50" (P0-B) and 1,998 more: must be a number`. */
function sharedText(places: readonly Place[]): string {
  const [{ urn, wrong }] = places as [Place, ...Place[]];
  const { reason, given } = withoutGiven(wrong.reason);
  if (given === undefined)
    return `${listed([...new Set(places.map((place) => subject(place.urn)))], most)}: ${fieldText(wrong.property)}: ${reason}`;
  const examples = places.map((place) => `${withoutGiven(place.wrong.reason).given} (${holderIn(place)})`);
  return `${kindOf(typeOf(urn))}: ${fieldText(wrong.property)} ${listed(examples, mostGiven)}: ${reason}`;
}

/** Whose argument it is: the item's key, its place in the list, or the resource's name. */
function holderIn({ urn, wrong: { property } }: Place): string {
  const path = pathIn(property);
  const item = path.slice(0, path.length - (path.length % 2));
  const key = item.at(-1);
  if (key === undefined) return nameOf(urn);
  return /^\d*$/.test(key) ? `${nameOf(urn)}.${pathText(item)}` : key;
}

/** A failure without what is told of several places; none where nothing is left of it. */
function withoutTold(failure: Failure, isTold: ReadonlySet<WrongArgument>): readonly Failure[] {
  const { urn, wrong = [] } = failure;
  const left = wrong.filter((one) => !isTold.has(one));
  if (urn === undefined || left.length === wrong.length) return [failure];
  return left.length === 0 ? [] : [{ urn, message: wrongText(nameOf(urn), left) }];
}
