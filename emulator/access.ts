/**
 * Protects control requests and pages, which need no credentials, from other websites: a browser on this machine may
 * send requests for any site that its user visits.
 */
import { hash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { ShopRequest } from "./answers.ts";

export type Access = ReturnType<typeof openAccess>;

type Asked = Pick<ShopRequest, "method" | "headers" | "local">;

/**
 * @param origin the shop's own address
 * @param token required by control requests that change something
 */
export function openAccess(origin: string, token: string) {
  const own = new URL(origin);
  const ownPort = portOf(own);
  // The owner of a domain can point it at this machine (DNS rebinding), but not an address or a loopback name.
  const isOwn = (host: string): boolean => {
    const asked = URL.parse(`http://${host}`);
    if (asked === null || asked.host === "" || asked.pathname !== "/" || portOf(asked) !== ownPort)
      return false;
    const name = bare(asked.hostname);
    if (name === "localhost" || isLoopback(name) || name === bare(own.hostname)) return true;
    return ["0.0.0.0", "::"].includes(bare(own.hostname)) && isIP(name) !== 0;
  };
  /** Why a request doesn't come from this machine; undefined if it may. */
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
     * Why a page is refused; undefined if it is served. The storefront runs in a sandboxed frame, so a browser requests
     * its style sheets with `Origin: null`; other websites that send this can't read the answer.
     */
    refusesPage: ({ headers: { origin, ...headers }, ...request }: Asked) =>
      strange({ ...request, headers: origin === "null" ? headers : { ...headers, origin } }),
    /** Why a control request is refused; undefined if it is accepted. */
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

/** Compares two texts in constant time. */
export function equal(one: string, other: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(one), digest(other));
}
