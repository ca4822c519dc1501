/** The embedded shop: `serveShop` listens on a socket, `createShop` is a function without one. */

export type { ShopAnswer, ShopRequest } from "./answers.ts";
export { openDownloads, type Reach } from "./downloads.ts";
export type { Fault, FaultRequest } from "./faults.ts";
export { type ServedShop, type ServeOptions, serveShop } from "./server.ts";
export { createShop, type Shop, type ShopSnapshot } from "./shop.ts";
export type { Credentials, ShopOptions } from "./shop-state.ts";
export type { SiteAnswer } from "./site/index.ts";
export { InvalidControl, type Patch } from "./staff-edits.ts";
