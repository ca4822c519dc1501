/**
 * The errors of the client, one class for each cause. Only the message survives the engine's protocol, so it names the
 * object, the request, the cause and the next step. It contains no credentials.
 * No class may have a field `id`, `reasons` or `properties`: Pulumi's host treats an error with one as a partly created
 * resource, and would overwrite the state.
 */
import { messageOf, printable, printableLine } from "../wire/text.ts";

/** The subject of an error. */
export interface About {
  readonly kind?: string | undefined;
  /** The object's id, if known. */
  readonly objectId?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  /** The shop's own messages, often Russian. */
  readonly messages?: readonly string[] | undefined;
  readonly cause?: unknown;
}

export class ShopError extends Error {
  readonly code: string;
  readonly kind: string | undefined;
  /** The object's id; the name `id` is not allowed, see above. */
  readonly objectId: string | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly status: number | undefined;
  readonly messages: readonly string[];

  constructor(code: string, what: string, about: About, next: string) {
    super(sentence(what, about, next), about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    this.name = new.target.name;
    this.kind = about.kind;
    this.objectId = about.objectId;
    this.method = about.method;
    this.path = about.path;
    this.status = about.status;
    this.messages = about.messages ?? [];
  }
}

// A hostile or broken shop may answer with megabytes.
const mostMessages = 20;
const longest = 1_000;

function sentence(what: string, about: About, next: string): string {
  const subject =
    about.kind === undefined
      ? ""
      : `${about.kind}${about.objectId === undefined ? "" : ` ${about.objectId}`}: `;
  const place = about.method === undefined ? "" : `${about.method} ${about.path} `;
  const words =
    about.messages === undefined || about.messages.length === 0
      ? ""
      : `: ${about.messages
          .slice(0, mostMessages)
          .map((word) => `"${printableLine(word)}"`)
          .join(", ")}`;
  return printable(`${subject}${place}${printableLine(what, longest)}${words}. ${next}`);
}

/** An operation was called without a required value; nothing was sent. */
export class InvalidCallError extends ShopError {
  constructor(what: string, about: About) {
    super("invalid-call", what, about, "Nothing was sent");
  }
}

/** The package that makes connections can't be loaded; nothing was sent. */
export class MissingPackageError extends ShopError {
  constructor(name: string, cause: unknown) {
    super(
      "missing-package",
      `no request can be sent: the package ${name} is missing or damaged (${messageOf(cause).split("\n")[0]})`,
      { cause },
      "Nothing was sent; run npm install, then run again",
    );
  }
}

/** The request never reached the shop: no connection, unknown host, or untrusted certificate. */
export class UnreachableError extends ShopError {
  constructor(what: string, about: About) {
    super(
      "unreachable",
      `never reached the shop: ${what}`,
      about,
      "Nothing was changed by it; check shop:url and the network, then run again",
    );
  }
}

/** A write may have happened: its response was lost, cut or unreadable. */
export class LostAnswerError extends ShopError {
  constructor(what: string, about: About) {
    super(
      "lost-answer",
      `was sent, but its answer was lost: ${what}`,
      about,
      "It may have happened; run refresh, then up",
    );
  }
}

/** A read got no usable response, also after retries. */
export class NoAnswerError extends ShopError {
  constructor(what: string, about: About) {
    super("no-answer", `got no usable answer: ${what}`, about, "Run again later");
  }
}

/** 401: the shop doesn't know the credentials. */
export class UnauthorizedError extends ShopError {
  constructor(about: About) {
    super(
      "unauthorized",
      "was refused: the shop doesn't know these credentials",
      about,
      "Check shop:applicationId and shop:password, and that the application is still installed",
    );
  }
}

/** 403: the application lacks a permission. 426: the shop's tariff doesn't include the interface. */
export class ForbiddenError extends ShopError {
  constructor(about: About) {
    const tariff = about.status === 426;
    super(
      tariff ? "tariff" : "forbidden",
      tariff
        ? "was refused: the shop's tariff doesn't include this interface"
        : "was refused: the application has no right to it",
      about,
      tariff ? "Change the tariff in the back office" : "Give the application the right in the back office",
    );
  }
}

/** 404: the object doesn't exist, or the shop doesn't offer the operation. */
export class NotFoundError extends ShopError {
  constructor(about: About) {
    // Each shop has the lists.
    const isList = about.objectId === undefined && about.method === "GET";
    super(
      "not-found",
      "not found",
      about,
      isList
        ? "Check that shop:url is the address of a shop; some shops don't offer every operation"
        : "It was deleted, or this shop doesn't offer the operation",
    );
  }
}

/** The advice for a rejected read: not its values, but the account is the reason. */
const accountAdvice = (status: number | undefined) =>
  status === 402
    ? "The shop's account asks for a payment: ask its owner, then run again"
    : "Check shop:url and the shop's account in the back office, then run again";

/** 400, 413, 415, 422: the shop rejected the values. */
export class ValidationError extends ShopError {
  constructor(about: About) {
    super(
      "validation",
      `was refused with ${about.status}`,
      about,
      about.method === "GET" || about.status === 402
        ? accountAdvice(about.status)
        : "Nothing was changed by it; fix the arguments",
    );
  }
}

/** An error document with a success status (platform-facts.md, section 3). */
export class RefusedError extends ShopError {
  constructor(about: About) {
    super(
      "refused",
      `was answered with ${about.status} and errors`,
      about,
      "Fix the arguments, or run refresh",
    );
  }
}

/** The rate limit is used up: rejected too often, or a longer wait than shop:maxWait. */
export class LimitError extends ShopError {
  constructor(what: string, about: About) {
    super(
      "limit",
      `was rejected: ${what}`,
      about,
      "Nothing was changed by it; run again after that, or lower shop:capacity to leave room for others",
    );
  }
}

/** A value isn't of its type; a retry would return the same. */
export class UnreadableValueError extends ShopError {
  /** The element's path: `variants/price`. */
  readonly field: string;

  constructor(field: string, what: string, about: About) {
    super(
      "unreadable-value",
      `was answered with a value that can't be read: ${what}`,
      about,
      "Correct the value in the back office; another run would fail in the same way",
    );
    this.field = field;
  }
}

/** A list returned the same page again and would never end. */
export class StuckListError extends ShopError {
  constructor(page: number, about: About) {
    super(
      "stuck-list",
      `answered page ${page} with objects of earlier pages only: the list doesn't advance`,
      about,
      "Run again, and if it stays report it to the shop's support",
    );
  }
}

/** 3xx: the shop has another address. Credentials aren't sent there. */
export class RedirectError extends ShopError {
  constructor(target: string, about: About) {
    // Its parameters may be secrets.
    const shown = target.replace(/[?#].*/s, "");
    super(
      "redirect",
      `was redirected to ${shown}`,
      about,
      /\b(?:log|sign)[-_]?in\b/i.test(shown)
        ? "The shop asks to log in there: check shop:applicationId and shop:password, and that shop:url is the shop's own address"
        : "The credentials were not sent there; set shop:url to the shop's own address",
    );
  }
}

/** The run was stopped before the request was sent, or during a read. */
export class CancelledError extends ShopError {
  constructor(about: About) {
    super("cancelled", "was cancelled", about, "Nothing was changed by it");
  }
  /** Whether a message belongs to this class: errors cross processes as texts. */
  static says(message: string): boolean {
    return message.endsWith(sentence("was cancelled", {}, "Nothing was changed by it"));
  }
}

/** The lock of the run was removed before a write: another run may be active. */
export class LockLostError extends ShopError {
  constructor(about: About) {
    super(
      "lock-lost",
      "was not sent: somebody removed the lock of this run, and another run may have started",
      about,
      "Nothing was changed by it",
    );
  }
}
