import { create, get, integer, listing, oneOf, remove, resource, text, time } from "../definition/define.ts";

// A FileTag contains nothing but an address.
const classOf = (content: string) =>
  /^(https?:)?\/\/\S+$/.test(content) ? "JsTag::FileTag" : "JsTag::TextTag";

function contentDoubt(type: unknown, content: string): string | undefined {
  if (/^\s*<script/i.test(content)) return "begins with <script>: write the JavaScript alone";
  const other = classOf(content);
  if (type === undefined || type === other) return undefined;
  return `is ${other === "JsTag::FileTag" ? "an address" : "no address"}: write it with type: "${other}"`;
}

export const jsTag = resource({
  kind: "JsTag",
  displayName: "script",
  section: "JS tags",
  one: "file-tag",
  sent: "js-tag",
  many: "js-tags",
  // The element's name depends on the tag's class (platform-facts.md, section 7).
  alsoOne: ["text-tag", "js-tag"],
  operations: {
    create: create("/admin/js_tags.xml"),
    get: get("/admin/js_tags/{id}.xml", { undocumented: true }),
    list: listing("/admin/js_tags.xml", { undocumented: true }),
    remove: remove("/admin/js_tags/{id}.xml", { undocumented: true }),
  },
  keys: [["name"]],
  names: ["name"],
  doubts: ({ type, content }) => {
    const doubt = typeof content === "string" ? contentDoubt(type, content) : undefined;
    return doubt === undefined ? {} : { content: doubt };
  },
  fields: {
    /** Type of `content`: a script, or the address of one. */
    type: oneOf(
      {
        "JsTag::TextTag": "content is JavaScript, put into the page",
        "JsTag::FileTag": "content is the address of a script",
      },
      { mode: "required", writeOnly: true, pullValue: ({ content }) => classOf(String(content ?? "")) },
    ),
    /** JavaScript source, or the address of a script. */
    content: text({ mode: "required", format: "code" }),
    /** Name by which staff and `adopt: "key"` find the tag. */
    name: text({ undocumented: true, role: "title" }),
    /** Id of the shop's account. */
    accountId: integer({ mode: "computed" }),
    /** Id of the installed application that owns the tag. */
    applicationPasswordId: integer({ mode: "computed" }),
    /** When the tag was created. */
    createdAt: time("B"),
    /** When the shop last changed it. */
    updatedAt: time("B"),
  },
});
