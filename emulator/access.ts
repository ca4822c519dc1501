/**
 * Who may ask for what is beside the interface: control requests and pages have no credentials, so a website that its
 * visitor's browser lets ask this machine must be told apart from a program or a person at this machine.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { ShopRequest } from "./exchange.ts";

export type Access = ReturnType<typeof openAccess>;

type Asked = Pick<ShopRequest, "method" | "headers" | "local">;

/**
 * @param origin the shop's own address
 * @param token what a control request that changes something has to bring
 */
export function openAccess(origin: string, token: string) {
  const own = new URL(origin);
  const ownPort = portOf(own);
  // A name may be pointed at this machine by its owner (DNS rebinding); an address and a loopback name can't.
  const isOwn = (host: string): boolean => {
    const asked = URL.parse(`http://${host}`);
    if (asked === null || asked.host === "" || asked.pathname !== "/" || portOf(asked) !== ownPort)
      return false;
    const name = bare(asked.hostname);
    if (name === "localhost" || isLoopback(name) || name === bare(own.hostname)) return true;
    return ["0.0.0.0", "::"].includes(bare(own.hostname)) && isIP(name) !== 0;
  };
  /** Why a request isn't from here; undefined where it may be. */
  const strange = ({ headers }: Asked): string | undefined => {
    if (headers.host !== undefined && !isOwn(headers.host))
      return `Host ${headers.host} is not this shop; ask ${origin}`;
    const from = headers.origin === undefined ? undefined : URL.parse(headers.origin);
    if (headers.origin !== undefined && (from?.protocol !== "http:" || !isOwn(from.host)))
      return `Origin ${headers.origin} is another website`;
    return undefined;
  };
  return {
    token,
    /**
     * Why a page is refused; undefined where it is shown. The storefront's frame is a sandbox, whose style sheets a
     * browser asks for with `Origin: null`; a website that asks so gets no answer to read.
     */
    refusesPage: ({ headers: { origin, ...headers }, ...request }: Asked) =>
      strange({ ...request, headers: origin === "null" ? headers : { ...headers, origin } }),
    /** Why a control request is refused; undefined where it is accepted. */
    refusesControl(request: Asked): string | undefined {
      if (!request.local) return "control requests are for this machine only";
      const site = request.headers["sec-fetch-site"];
      if (site === "cross-site" || site === "same-site") return "another website asks";
      const why = strange(request);
      if (why !== undefined || request.method === "GET" || request.method === "HEAD") return why;
      return equal(request.headers["x-control-token"] ?? "", token)
        ? undefined
        : 'the header x-control-token must be the "control" of the line that serve prints';
    },
  };
}

const portOf = (url: URL) => url.port || (url.protocol === "https:" ? "443" : "80");
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, "").toLowerCase();
const isLoopback = (name: string) => name === "::1" || (isIP(name) === 4 && name.startsWith("127."));

/** Compares in a time that says nothing of where two texts differ. */
export function equal(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
