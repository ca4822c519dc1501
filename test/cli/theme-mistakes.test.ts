// Mistakes that only Liquid's parser or a rendered page finds: each is told in our words, with its place and what is expected.
import { expect, test } from "vitest";
import { openTerminal } from "./terminal.ts";

/** A snippet, the place with the message, and what is expected. */
const mistakes: readonly (readonly [text: string, finding: string, fix: string])[] = [
  [
    "{% for product of products %}{% endfor %}",
    "1:1 error: Liquid can't read {% for product of products %}",
    "write it as {% for item in list %}",
  ],
  ["{% for %}{% endfor %}", "1:1 error: Liquid can't read {% for %}", "write it as {% for item in list %}"],
  ["{% for i in (1..) %}{% endfor %}", "1:13 error: Liquid can't read this range", "write it as (1..10)"],
  [
    "{% tablerow x y %}{% endtablerow %}",
    "1:1 error: Liquid can't read {% tablerow x y %}",
    "write it as {% tablerow item in list %}",
  ],
  ["{% assign %}", "1:1 error: Liquid can't read {% assign %}", "write it as {% assign name = value %}"],
  ["{% assign x %}", "1:1 error: Liquid can't read {% assign x %}", "write it as {% assign name = value %}"],
  [
    "{% assign x == 1 %}",
    "1:1 error: Liquid can't read {% assign x == 1 %}",
    "write it as {% assign name = value %}",
  ],
  ["{% assign x = %}", "1:14 error: a value is missing here", "write one"],
  [
    "{% assign x = 1 + 2 %}",
    "1:17 error: Liquid can't read + here",
    "calculate with a filter: plus, minus, times, divided_by",
  ],
  [
    '{% assign x = "a %}',
    '1:15 warning: the text after " has no end: Liquid leaves it out',
    'write " where it ends',
  ],
  [
    "{% assign x.y = 1 %}",
    "1:1 error: Liquid can't read {% assign x.y = 1 %}",
    "write it as {% assign name = value %}",
  ],
  ["{{ x || upcase }}", "1:7 error: a filter is missing after |", "write one | and its name"],
  [
    "{{ x | upcase 1 }}",
    "1:15 error: a filter and its arguments have no colon between them: 1",
    "write a colon between a filter and its arguments, as in | append: VALUE",
  ],
  [
    '{{ x | append "a" }}',
    '1:15 error: a filter and its arguments have no colon between them: "a"',
    "write a colon between a filter and its arguments, as in | append: VALUE",
  ],
  [
    '{{ x | append: "a" "b" }}',
    '1:20 error: Liquid can\'t read "b" here',
    "separate the arguments with commas",
  ],
  ["{{ x[0 }}", "1:5 error: [ is not closed", "write ] behind the index"],
  ["{{ }}", "1:4 error: a value is missing here", "write one"],
  ["{{{ x }}}", "1:3 error: {{ has one brace too many", "write {{ value }}"],
  [
    "{{ x; }}",
    "1:5 error: Liquid can't read ; here",
    "write one value, then | and its filters; a comparison is written ==, !=, <, >, and, or, contains",
  ],
  [
    "{{ $x }}",
    "1:4 error: Liquid can't read $x here",
    "write a value: a name such as product.title, a number, or text in quotation marks",
  ],
  ['{{ x.append("a") }}', "1:12 error: Liquid has no calls with brackets", "write a filter: | append: VALUE"],
  ["{% include %}", "1:1 error: Liquid can't read {% include %}", 'write it as {% include "name" %}'],
  ["{% render %}", "1:1 error: Liquid can't read {% render %}", 'write it as {% render "name" %}'],
  ["{% case %}{% when 1 %}{% endcase %}", "1:8 error: a value is missing here", "write one"],
  ["{% cycle %}", "1:1 error: Liquid can't read {% cycle %}", 'write it as {% cycle "first", "second" %}'],
  [
    "{% capture %}a{% endcapture %}",
    "1:1 error: Liquid can't read {% capture %}",
    "write it as {% capture name %}",
  ],
  ["{% raw %}{{ x }}", "1:10 error: {% raw %} is never ended", "write {% endraw %} where it ends"],
  ["{% %}", "1:4 error: the tag has no name", "write its name first, as in {% if product %}"],
  ["{% if x %}a{% endif x %}", "1:12 error: {% endif x %} has more than its name", "write {% endif %}"],
  [
    "{% liquid\n  assign x\n%}",
    "2:3 error: Liquid can't read {% assign x %}",
    "write it as {% assign name = value %}",
  ],
  [
    "{% liquid\n  if x\n    echo x\n%}",
    "2:3 error: {% if %} is never ended",
    "write {% endif %} where it ends",
  ],
  [
    "{% liquid\n  foo\n%}",
    "2:3 error: the platform has no tag {% foo %}",
    "write a tag of the platform, did you mean for?",
  ],
];

/** Words of the parser, of JavaScript and of no theme. */
const raw =
  /illegal|unexpected|expected|invalid|not a function|undefined|token|candidates|limit exceeded|, line:/;

test("a theme's mistakes are told with place, what was found and what is expected", async () => {
  const terminal = openTerminal("");
  for (const [at, [text]] of mistakes.entries()) terminal.write(`theme/snippets/s${at}.liquid`, text);
  const { stdout, code } = await terminal.run("theme", "check");
  expect(code).toBe(1);
  for (const [at, [text, finding, fix]] of mistakes.entries()) {
    const [line = 1] = finding.split(":");
    const source = text.split("\n")[Number(line) - 1]?.trim();
    expect(stdout).toContain(`theme/snippets/s${at}.liquid:${finding}\n    ${source}\n    ${fix}\n`);
  }
  expect(stdout).not.toMatch(raw);
});

test.each([
  ["{% include 5 %}", "a snippet is included by its name, a text in quotation marks, got 5"],
  [
    "{% for i in (1..100000000) %}x{% endfor %}",
    "This page is too large for the embedded shop: it builds texts or lists without end",
  ],
])("a page that fails says so, too: %s", async (text, message) => {
  const terminal = openTerminal("");
  terminal.write("theme/templates/layouts.layout.liquid", "{{ content_for_layout }}");
  terminal.write("theme/templates/index.liquid", text);
  const { stdout } = await terminal.run("theme", "check");
  expect(stdout).toContain(`theme/templates/index.liquid:1:1 error: Front page fails: ${message}\n`);
  expect(stdout).not.toMatch(raw);
});

test("a template that is too large is told as that, and the other files are still checked", async () => {
  const terminal = openTerminal("");
  terminal.write("theme/templates/index.liquid", "x".repeat(1_000_001));
  terminal.write("theme/templates/cart.liquid", "{{ }}");
  const { stdout, stderr, code } = await terminal.run("theme", "check");
  expect(code).toBe(1);
  expect(stdout).toContain("theme/templates/index.liquid:1:1 error: the file has 1,000,001 bytes");
  expect(stdout).toContain("theme/templates/cart.liquid:1:4 error: a value is missing here");
  expect(stdout + stderr).not.toMatch(raw);
});
