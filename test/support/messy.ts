/** Unusual names and texts, for tests of naming, printing and comparing. */

/** Texts that break careless printers of code, lines or tables. */
export const awkward = [
  ["one\ntwo `three` $", "{four} \\n five"].join(""),
  "`\n\\",
  "a \"quoted\" 'word' // no comment",
  "</script>\n<!-- ${",
  "\u2028\u2029\u00a0",
  "  lines\n\n  with spaces  \n",
  "$'`$&",
];

/** Unusual names: differing only in case, punctuation only, reserved words, long, invisible. */
export const messy = [
  "SALE10",
  "sale10",
  "Sale10",
  "..",
  "con",
  "__proto__",
  "constructor",
  "toString",
  "e\u0301t\u00e9",
  "\u00e9te\u0301",
  "\u202egnp.a",
  "a\u200bb",
  "ab",
  "100 %",
  "a_b",
  "a-b",
  "\u{1f600}",
  "x".repeat(120),
];
