/** A self-contained page that shows pages before and after a plan, one over the other. */
import { hash } from "node:crypto";
import type { Side } from "./before-after-shops.ts";
import { type Page, policy } from "./pages.ts";

/** Screenshots of a page on one screen, as PNG in base64. */
export interface Shot extends Partial<Readonly<Record<Side, string>>> {
  readonly screen: string;
  readonly width: number;
}

export interface PageWithShots extends Page {
  /** Empty without a browser: the page itself is shown then. */
  readonly shots: readonly Shot[];
}

const safe = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** A note beside the title. */
function changeWord({ before, after, broken }: Page): string | undefined {
  if (broken !== undefined) return "fails after this plan";
  if (before === undefined) return "new";
  return after === undefined ? "gone" : undefined;
}

export const titleOf = (page: Page): string => {
  const word = changeWord(page);
  return word === undefined ? page.title : `${page.title} (${word})`;
};

export function comparisonPage(
  title: string,
  pages: readonly PageWithShots[],
  notes: readonly string[],
): string {
  const sections = pages.map((page, at) => section(page, at + 1)).join("\n");
  const links = pages.map((page, at) => `<li><a href="#p${at + 1}">${safe(titleOf(page))}</a></li>`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}; script-src 'sha256-${hash("sha256", script, "base64")}'">
<title>${safe(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${safe(title)}</h1>
<ol>${links.join("")}</ol>
${notes.map((note) => `<p>${safe(note)}</p>`).join("\n")}
</header>
<main>
${sections}
</main>
<script>${script}</script>
</body>
</html>
`;
}

function section(page: PageWithShots, number: number): string {
  const parts = page.shots.length > 0 ? page.shots.map((shot) => figure(page, shot)) : [frames(page)];
  return `<section id="p${number}" aria-labelledby="t${number}">
<h2 id="t${number}">${safe(titleOf(page))}</h2>
<p><code>${safe(page.path)}</code></p>
<div class="screens">${parts.join("\n")}</div>
</section>`;
}

function figure({ title }: Page, { screen, width, ...sides }: Shot): string {
  const { before, after } = sides;
  const image = (side: Side) =>
    `<img class="${side}" width="${width}" src="data:image/png;base64,${sides[side]}" alt="${safe(`${title} ${side}, ${screen}`)}">`;
  const style = `style="max-width:${width}px"`;
  if (before === undefined || after === undefined)
    return `<figure ${style}><figcaption>${screen}, ${before === undefined ? "after" : "before"}</figcaption>${image(before === undefined ? "after" : "before")}</figure>`;
  return `<figure class="pair" ${style}>
<figcaption>${screen}</figcaption>
<label><span>Before</span><input type="range" min="0" max="100" value="50" aria-label="${safe(`${title}, ${screen}: where before ends and after begins`)}"><span>After</span></label>
<label class="only"><input type="checkbox">Only what differs</label>
<div class="both">${image("before")}${image("after")}<i></i></div>
</figure>`;
}

function frames({ title, ...sides }: Page): string {
  const frame = (side: Side) =>
    sides[side] === undefined
      ? ""
      : `<figure class="frame"><figcaption>${side === "before" ? "Before" : "After"}</figcaption><iframe sandbox="" loading="lazy" title="${safe(`${title} ${side}`)}" srcdoc="${safe(sides[side])}"></iframe></figure>`;
  return frame("before") + frame("after");
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: light-dark(#ccc, #444); }
body { margin: 0 auto; max-width: 110rem; padding: 1rem 1.5rem 4rem; }
h2 { margin: 3rem 0 0; }
p { margin: .2rem 0 1rem; }
.screens { display: flex; flex-wrap: wrap; gap: 2rem; align-items: flex-start; }
figure { margin: 0; flex: 1 1 20rem; }
figcaption { font-weight: 600; text-transform: capitalize; }
img { display: block; width: 100%; height: auto; border: 1px solid var(--line); box-sizing: border-box; }
label { display: flex; gap: .6rem; align-items: center; padding: .3rem 0; background: Canvas; }
label:not(.only) { position: sticky; top: 0; z-index: 1; }
input { min-width: 0; margin: 0; }
input[type="range"] { flex: 1; }
.both { --at: 50%; position: relative; display: grid; cursor: ew-resize; touch-action: pan-y; }
.both > * { grid-area: 1 / 1; align-self: start; user-select: none; }
.both .before { clip-path: inset(0 calc(100% - var(--at)) 0 0); }
.both .after { clip-path: inset(0 0 0 var(--at)); }
.both i { position: relative; align-self: stretch; width: 2px; margin-left: calc(var(--at) - 1px); background: #d3245c; pointer-events: none; }
.pair:has(:checked) img { clip-path: none; }
.pair:has(:checked) .after { mix-blend-mode: difference; }
.pair:has(:checked) .both { isolation: isolate; }
.pair:has(:checked) i { display: none; }
.frame { flex-basis: 40%; min-width: 22rem; }
iframe { width: 100%; height: 80vh; border: 1px solid var(--line); background: #fff; }
`;

const script = `
for (const pair of document.querySelectorAll(".pair")) {
  const both = pair.querySelector(".both"), range = pair.querySelector("input");
  const set = (at) => { both.style.setProperty("--at", at + "%"); };
  range.addEventListener("input", () => set(range.value));
  const drag = (event) => {
    if (event.buttons !== 1) return;
    const box = both.getBoundingClientRect();
    range.value = Math.min(100, Math.max(0, ((event.clientX - box.left) / box.width) * 100));
    set(range.value);
    event.preventDefault();
  };
  both.addEventListener("pointerdown", drag);
  both.addEventListener("pointermove", drag);
}
`;
