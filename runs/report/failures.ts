/** Why a run failed, each reason once: a wrong password fails every resource, and is one failure to a person. */
import { type Failure, kindOf, nameOf, typeOf } from "../../engine/index.ts";

/** A text for each reason: whom it met, and what happened. */
export function failureTexts(failures: readonly Failure[]): readonly string[] {
  return [...Map.groupBy(failures, reasonOf).values()].map((same) => {
    const [first] = same as [Failure, ...Failure[]];
    const names = [...new Set(same.flatMap(({ urn }) => (urn === undefined ? [] : [subject(urn)])))];
    // What the program says of it too is the same failure.
    const { message } = same.find(({ urn }) => urn !== undefined) ?? first;
    if (names.length === 0) return message;
    return `${listed(names)}: ${message}`;
  });
}

const subject = (urn: string) => `${kindOf(typeOf(urn))} ${nameOf(urn)}`;

const most = 5;

const listed = (names: readonly string[]) =>
  names.length <= most
    ? names.join(", ")
    : `${names.slice(0, most - 1).join(", ")} and ${names.length - most + 1} more`;

/** A message without which object and which request it is about: what is left is why. */
function reasonOf({ message }: Failure): string {
  return message
    .replace(/^the program failed: /, "")
    .replace(/^\w+(?: \S+)?: (?=(?:GET|POST|PUT|DELETE) )/, "")
    .replace(/^(?:GET|POST|PUT|DELETE) \S+ /, "")
    .replace(/\n\s+at [\s\S]*$/, "");
}
