/** Makes the SDK's host answer every call: it sends nothing if an error occurs while it answers with an error. */

type Callback = (error: object | null, response?: unknown) => void;
type Handler = (call: unknown, callback?: Callback) => unknown;
type Handlers = Readonly<Record<string, Handler>>;

/** The parts of @grpc/grpc-js that are used. */
export interface Grpc {
  readonly status: { readonly UNKNOWN: number };
  readonly Server: { readonly prototype: { addService(service: unknown, handlers: Handlers): void } };
}

/** Wraps all handlers: one that fails without an answer answers with its error. */
export function answerAlways({ status, Server: { prototype } }: Grpc): void {
  const { addService } = prototype;
  const answering =
    (handlers: Handlers, handler: Handler): Handler =>
    (call, callback) => {
      // A handler that answers with a stream has no callback.
      if (callback === undefined) return handler.call(handlers, call);
      let isAnswered = false;
      const answer: Callback = (...given) => {
        if (isAnswered) return;
        isAnswered = true;
        callback(...given);
      };
      return Promise.resolve(handler.call(handlers, call, answer)).catch((error: unknown) =>
        answer({
          code: status.UNKNOWN,
          details: `the provider failed and could not say why: ${error instanceof Error ? error.message : String(error)}`,
        }),
      );
    };
  prototype.addService = function (service, handlers) {
    // Handlers may be methods of a class, so each is wrapped when it is read.
    const all = new Proxy(handlers, {
      get(of, name) {
        const handler = of[name as string];
        return typeof handler === "function" ? answering(of, handler) : handler;
      },
    });
    return addService.call(this, service, all);
  };
}
