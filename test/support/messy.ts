/** What people call things and write into them: for tests of whatever names, prints or compares. */

/** Texts that break a printer that isn't careful: of code, of lines, of tables. */
export const awkward = [
  ["one\ntwo `three` $", "{four} \\n five"].join(""),
  "`\n\\",
  "a \"quoted\" 'word' // no comment",
  "</script>\n<!-- ${",
  "\u2028\u2029\u00a0",
  "  lines\n\n  with spaces  \n",
  "$'`$&",
];

/** What people call things: alike but for case, nothing but signs, words of a language or a system, long, unseen. */
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
