/** Tags with an `end…` tag. Liquid doesn't parse the content of the second group. */
const blocks = new Set(["if", "unless", "case", "for", "tablerow", "capture", "form", "paginate"]);
const verbatim = new Set(["comment", "raw", "schema", "style", "javascript"]);

/**
 * Mistakes in the nesting of a template's tags. The shop accepts a broken template and goes on showing the earlier page
 * (platform-facts.md, section 8), so mistakes must be found before the upload.
 */
export function liquidProblems(text: string): readonly string[] {
  const problems: string[] = [];
  const open: { tag: string; line: number }[] = [];
  let line = 1;
  let at = 0;
  const moveTo = (end: number) => {
    for (; at < end; at += 1) if (text[at] === "\n") line += 1;
  };
  for (let start = nextMark(text, 0); start >= 0; start = nextMark(text, at)) {
    moveTo(start);
    const isTag = text[start + 1] === "%";
    const closing = isTag ? "%}" : "}}";
    const end = text.indexOf(closing, start + 2);
    if (end < 0)
      return [...problems, `${line}: "${text.slice(start, start + 2)}" is never closed by "${closing}"`];
    const inside = text.slice(start + 2, end);
    if (/\{[{%]/.test(inside))
      return [
        ...problems,
        `${line}: "${text.slice(start, start + 2)}" isn't closed before the next one begins`,
      ];
    const tag = isTag ? (/^-?\s*(\w+)/.exec(inside)?.[1] ?? "") : "";
    if (isTag && tag === "") problems.push(`${line}: a tag without a name`);
    if (tag.startsWith("end")) problems.push(...closed(open, tag, line));
    else if (blocks.has(tag)) open.push({ tag, line });
    const opened = line;
    moveTo(end + 2);
    if (!verbatim.has(tag)) continue;
    const after = endOf(text, tag, at);
    if (after < 0) return [...problems, `${opened}: "${tag}" is never closed by "end${tag}"`];
    moveTo(after);
  }
  return [...problems, ...open.map(({ tag, line }) => `${line}: "${tag}" is never closed by "end${tag}"`)];
}

function closed(open: { tag: string; line: number }[], tag: string, line: number): readonly string[] {
  const last = open.at(-1);
  if (last === undefined) return [`${line}: "${tag}" closes nothing`];
  if (`end${last.tag}` !== tag)
    return [`${line}: "${tag}" stands where "end${last.tag}" must, for line ${last.line}`];
  open.pop();
  return [];
}

function nextMark(text: string, from: number): number {
  for (let i = text.indexOf("{", from); i >= 0; i = text.indexOf("{", i + 1))
    if (text[i + 1] === "%" || text[i + 1] === "{") return i;
  return -1;
}

/** The position after a verbatim block, or -1. */
function endOf(text: string, tag: string, from: number): number {
  const end = new RegExp(`\\{%-?\\s{0,20}end${tag}\\s{0,20}-?%\\}`, "g");
  end.lastIndex = from;
  return end.test(text) ? end.lastIndex : -1;
}
