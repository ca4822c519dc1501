/** Files: interface.md, Files; the attachment is platform-facts.md, section 9. There is no GET of one and no PUT. */
import { Invalid } from "../casts.ts";
import { mediaType } from "../media-types.ts";
import { cutOf, existing, idOf, route } from "../routing.ts";

const document = {
  root: "file",
  list: "files",
  shape: { created_at: "timeA", id: "integer", absolute_url: "string" },
} as const;

const place = (id: number, name: string) =>
  `/files/1/${id % 8192}/${id}/original/${encodeURIComponent(name)}`;

export const files = [
  route("GET", "/admin/files", ["xml"], (context) => ({
    document,
    objects: context.store.list("file", cutOf(context, { perPage: 250 })),
  })),
  route("POST", "/admin/files", ["xml"], (context) => {
    const { upload, params } = context;
    const name =
      typeof params.filename === "string" && params.filename !== "" ? params.filename : upload?.name;
    if (upload === undefined) throw new Invalid([["src", "can't be blank"]]);
    if (name === undefined) throw new Invalid([["filename", "can't be blank"]]);
    if (/[/\\\0]/.test(name)) throw new Invalid([["filename", "is invalid"]]);
    const { id } = context.store.insert("file", { absolute_url: "" }, context.now);
    const path = place(id, name);
    context.store.putBlob(path, mediaType(name), upload.bytes);
    return {
      status: 201,
      document,
      object: context.store.update(
        "file",
        id,
        { absolute_url: `${context.origin}${path}`, path },
        context.now,
      ),
    };
  }),
  route("DELETE", "/admin/files/:id", ["xml"], (context) => {
    const found = existing(context, "file", idOf(context));
    context.store.removeBlob(String(found.path));
    context.store.remove("file", found.id);
    return { done: true };
  }),
];
