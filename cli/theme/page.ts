/** What is put into each page: it shows problems over the page, and loads it again when the shop has something else. */

import type { Problem } from "./known.ts";

export const eventsPath = "/_theme/events";

/** @param version what the shop had when the page was made: a page that is older than the next event is loaded again */
export const script = (version: number): string =>
  `<script>(${client.toString()})(${version}, ${JSON.stringify(eventsPath)})</script>`;

/** What of a browser this needs; the compiler knows Node only. */
interface Element {
  id: string;
  className: string;
  textContent: string;
  innerHTML: string;
  append(...children: readonly unknown[]): void;
  remove(): void;
  attachShadow(options: { readonly mode: "open" }): Element;
}
declare const document: {
  readonly body: Element;
  createElement(name: string): Element;
  getElementById(id: string): Element | null;
};
declare const location: { reload(): void };
declare const EventSource: new (
  path: string,
) => {
  onmessage: (event: { readonly data: string }) => void;
};

/** Runs in the page: it stands by itself. */
function client(version: number, path: string): void {
  const style =
    "section{position:fixed;inset:auto 0 0 0;max-height:60vh;overflow:auto;z-index:2147483647;background:#1b1b1f;color:#f4f4f5;font:14px/1.5 ui-monospace,monospace;padding:16px 20px;border-top:4px solid #e5484d}" +
    "h2{font-size:14px;margin:0;color:#ff9592}pre{margin:6px 0;padding:6px 10px;background:#2a2a30;white-space:pre-wrap}p{margin:0 0 12px}";
  const show = (problems: readonly Problem[]) => {
    document.getElementById("theme-problems")?.remove();
    if (problems.length === 0) return;
    const host = document.createElement("div");
    host.id = "theme-problems";
    const root = host.attachShadow({ mode: "open" });
    const sheet = document.createElement("style");
    sheet.textContent = style;
    const box = document.createElement("section");
    for (const one of problems) {
      const parts = [
        ["h2", `${one.path}:${one.line}:${one.column} ${one.message}`],
        ["pre", one.source],
        ["p", one.fix],
      ] as const;
      for (const [name, text] of parts) {
        if (text === "") continue;
        const element = document.createElement(name);
        element.textContent = text;
        box.append(element);
      }
    }
    root.append(sheet, box);
    document.body.append(host);
  };
  new EventSource(path).onmessage = ({ data }) => {
    const told = JSON.parse(data) as { readonly version: number; readonly problems: readonly Problem[] };
    if (told.version !== version) location.reload();
    else show(told.problems);
  };
}
