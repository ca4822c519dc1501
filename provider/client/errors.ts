/**
 * What can go wrong between us and a shop, one class each. The message alone must do - nothing else survives the
 * engine's protocol - so it says what, where, why and what next. Credentials are in none of it.
 */

/** What an error is about. */
export interface About {
  readonly kind?: string | undefined;
  readonly id?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  /** The shop's own words, as they are, often Russian. */
  readonly messages?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** The base of all errors of the client. */
export class ShopError extends Error {
  readonly code: string;
  readonly kind: string | undefined;
  readonly id: string | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly status: number | undefined;
  readonly messages: readonly string[];

  constructor(code: string, what: string, about: About, next: string) {
    super(sentence(what, about, next), about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    this.name = new.target.name;
    this.kind = about.kind;
    this.id = about.id;
    this.method = about.method;
    this.path = about.path;
    this.status = about.status;
    this.messages = about.messages ?? [];
  }
}

function sentence(what: string, about: About, next: string): string {
  const subject =
    about.kind === undefined ? "" : `${about.kind}${about.id === undefined ? "" : ` ${about.id}`}: `;
  const place = about.method === undefined ? "" : `${about.method} ${about.path} `;
  const words =
    about.messages === undefined || about.messages.length === 0
      ? ""
      : `: ${about.messages.map((word) => `"${word}"`).join(", ")}`;
  return `${subject}${place}${what}${words}. ${next}`;
}

/** An operation was called without what it needs; nothing was sent. */
export class InvalidCallError extends ShopError {
  constructor(what: string, about: About) {
    super("invalid-call", what, about, "Nothing was sent");
  }
}

/** The request surely never arrived: no connection, no name, no trust in the certificate. */
export class UnreachableError extends ShopError {
  constructor(what: string, about: About) {
    super(
      "unreachable",
      `never reached the shop: ${what}`,
      about,
      "Check shop:url and the network; nothing was changed, run again",
    );
  }
}

/** A write may have happened: its answer was lost, cut or unreadable. */
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

/** A read got no usable answer, also after being repeated. */
export class NoAnswerError extends ShopError {
  constructor(what: string, about: About) {
    super("no-answer", `got no usable answer: ${what}`, about, "Nothing was changed; run again later");
  }
}

/** 401: the credentials are not this shop's. */
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

/** 403: the application lacks the right; 426: the shop's tariff has no such interface. */
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

/** 404: no such object, or no such operation on this shop. */
export class NotFoundError extends ShopError {
  constructor(about: About) {
    super(
      "not-found",
      "found nothing there",
      about,
      "It was deleted, or this shop doesn't offer the operation",
    );
  }
}

/** 400, 413, 415, 422: the shop refuses what was sent. */
export class ValidationError extends ShopError {
  constructor(about: About) {
    super("validation", `was refused with ${about.status}`, about, "Nothing was changed; mend the arguments");
  }
}

/** An error document under a status of success (platform-facts.md, section 3). */
export class RefusedError extends ShopError {
  constructor(about: About) {
    super(
      "refused",
      `was answered with ${about.status} and errors`,
      about,
      "Mend the arguments, or run refresh",
    );
  }
}

/** The window is used up and the time to wait for it is over. */
export class LimitError extends ShopError {
  constructor(what: string, about: About) {
    super(
      "limit",
      `was rejected: ${what}`,
      about,
      "Run again when the window is open, or lower shop:capacity to leave room for others",
    );
  }
}

/** 3xx: the shop lives elsewhere. Credentials never follow. */
export class RedirectError extends ShopError {
  constructor(target: string, about: About) {
    super(
      "redirect",
      `was redirected to ${target}`,
      about,
      "The credentials were not sent there; set shop:url to the shop's own address",
    );
  }
}

/** The run was stopped before the request was sent, or while a read was under way. */
export class CancelledError extends ShopError {
  constructor(about: About) {
    super("cancelled", "was cancelled", about, "Nothing was changed by it");
  }
}
