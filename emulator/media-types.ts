const types = new Map(
  Object.entries({
    liquid: "text/x-liquid",
    css: "text/css",
    scss: "text/x-scss",
    less: "text/x-less",
    js: "application/javascript",
    json: "application/json",
    html: "text/html",
    txt: "text/plain",
    csv: "text/csv",
    md: "text/markdown",
    svg: "image/svg+xml",
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    ico: "image/x-icon",
    woff: "font/woff",
    woff2: "font/woff2",
    ttf: "font/ttf",
    otf: "font/otf",
    eot: "application/vnd.ms-fontobject",
    pdf: "application/pdf",
  }),
);

/** The MIME type for the ending of a file name. */
export function mediaType(name: string): string {
  return types.get(name.toLowerCase().split(".").at(-1) ?? "") ?? "application/octet-stream";
}
