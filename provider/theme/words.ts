/** Words for what Liquid can't read. */
import type { LiquidError } from "liquidjs";
import type { Mistake } from "./finding.ts";

type Words = Pick<Mistake, "message" | "fix">;

const calculation: readonly [RegExp, string] = [
  /^[+\-*/%]/,
  "calculate with a filter: plus, minus, times, divided_by",
];

/** Syntax of other languages, and its equivalent in Liquid. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [/^&&/, "write and"],
  [/^\|\|/, "write or"],
  [/^=>/, "write >="],
  [/^=/, "write == to compare"],
  [/^in\b/, "write LIST contains VALUE"],
  [/^(?:not\b|!)/, "write {% unless VALUE %}, or VALUE == false"],
  [/^[()]/, "Liquid has no brackets here: nest one condition in the other"],
  [/^[“”„«»‘’`]/, "write straight quotation marks, \" or '"],
  calculation,
];

/** @param word where Liquid stops in a condition */
export function conditionWords(word: string): Words {
  const usual = "write values with ==, !=, <, >, <=, >= or contains between two, joined by and, or";
  return {
    message:
      word === "" ? "a value is missing in this condition" : `Liquid can't read ${word} in a condition`,
    fix: foreign.find(([sign]) => sign.test(word))?.[1] ?? usual,
  };
}

const valueFix = "write one value, then | and its filters";

/** @param word a sign behind a value, which ends what Liquid reads */
export function outputWords(word: string): Words {
  if (word.startsWith("("))
    return { message: "Liquid has no calls with brackets", fix: "write a filter: | append: VALUE" };
  const [sign, fix] = calculation;
  const usual = `${valueFix}; a comparison is written ==, !=, <, >, and, or, contains`;
  return { message: `Liquid can't read ${word} here`, fix: sign.test(word) ? fix : usual };
}

/** @param word begins what follows a value, and can be read but means nothing */
export function moreWords(value: string, word: string): Words {
  const [sign, calculated] = calculation;
  const isCondition = /^(?:[=!<>]|contains\b|and\b|or\b)/.test(word);
  return {
    message: `Liquid takes ${value} here, and leaves out ${word}`,
    fix: isCondition ? "put the condition into {% if %}" : sign.test(word) ? calculated : valueFix,
  };
}

/** @param word what stands in place of a value */
export function valueWords(word: string, tag: string | undefined): Words {
  if (word === "") return { message: "a value is missing here", fix: "write one" };
  if (word.startsWith("{") && tag === undefined)
    return { message: "{{ has one brace too many", fix: "write {{ value }}" };
  return {
    message: `Liquid can't read ${word} here`,
    fix: "write a value: a name such as product.title, a number, or text in quotation marks",
  };
}

/** Describes an error of Liquid's tokenizer. Its own texts name its parts, not those of a theme. */
export function errorWords(
  { message, token }: LiquidError,
  isCondition: boolean,
): Words & Pick<Mistake, "at"> {
  const { input, begin } = token;
  const word = /^\S+/.exec(input.slice(begin, token.end))?.[0] ?? "";
  const at = (sign: string) => Math.max(0, input.lastIndexOf(sign, begin - 1));
  if (message.includes("[ not closed"))
    return { at: at("["), message: "[ is not closed", fix: "write ] behind the index" };
  if (message.includes("expected filter name"))
    return { at: begin, message: "a filter is missing after |", fix: "write one | and its name" };
  if (message.includes("after filter name"))
    return {
      at: begin,
      message: `a filter and its arguments have no colon between them: ${word}`,
      fix: "write a colon between a filter and its arguments, as in | append: VALUE",
    };
  if (message.includes("unexpected character"))
    return {
      at: begin,
      message: `Liquid can't read ${word} here`,
      fix: "separate the arguments with commas",
    };
  const from = at("(");
  const range = /^\S+/.exec(input.slice(from))?.[0] ?? "";
  return isCondition
    ? { at: from, ...conditionWords(range) }
    : { at: from, message: "Liquid can't read this range", fix: "write it as (1..10)" };
}
