/**
 * Files: interface.md, Files; the attachment is in platform-facts.md, section 9. There is no GET of a single file and
 * no PUT.
 */
import { Invalid } from "../conversions.ts";
import { mediaType } from "../media-types.ts";
import {
  type Context,
  countRoute,
  deleteRoute,
  documentOf,
  listRoute,
  type Resource,
  route,
  selectionOf,
} from "../routing.ts";

const document = documentOf("file", { created_at: "timeA", id: "integer", absolute_url: "string" });

const path = "/admin/files";
const selected = (context: Context) => selectionOf(context, { perPage: 250 });
const place = (id: number, name: string) =>
  `/files/1/${id % 8192}/${id}/original/${encodeURIComponent(name)}`;

/** A file's name. @throws Invalid if it has none, or one that can't be the last part of an address */
export function fileName({ params, upload }: Pick<Context, "params" | "upload">): string {
  const name = typeof params.filename === "string" && params.filename !== "" ? params.filename : upload?.name;
  if (name === undefined) throw new Invalid([["filename", "can't be blank"]]);
  if (/[/\\\0]/.test(name) || /^\.{1,2}$/.test(name)) throw new Invalid([["filename", "is invalid"]]);
  return name;
}

function create(context: Context) {
  const { upload, store, now, origin } = context;
  if (upload === undefined) throw new Invalid([["src", "can't be blank"]]);
  const name = fileName(context);
  const { id } = store.insert("file", { absolute_url: "" }, now);
  const own = place(id, name);
  store.putBlob(own, mediaType(name), upload.bytes);
  const row = { absolute_url: `${origin}${own}`, path: own };
  return { status: 201, document, object: store.update("file", id, row, now) };
}

export const files: Resource = {
  kinds: [{ name: "file", empty: { absolute_url: "", path: "" } }],
  routes: [
    countRoute(path, "file", selected),
    listRoute(path, ["xml"], "file", document, selected),
    route("POST", path, ["xml"], create, {
      body: {
        roots: ["file"],
        takes: ["src", "attachment", "filename", "name"],
        reads: document.shape,
        upload: true,
      },
    }),
    deleteRoute(path, ["xml"], "file", ({ store }, gone) => store.removeBlob(String(gone.path))),
  ],
};
