/** The kinds' handlers, called directly instead of through a thread. */

import { withInProcessProvider } from "../../../engine/processes/in-process-provider.ts";
import type { Provider } from "../../../engine/processes/provider.ts";
import type { Handler } from "../../../provider/index.ts";
import { handledKind } from "../../../provider/names/types.ts";

/** The engine's provider from the kinds' handlers. */
export const providerOf = (handlerOfKind: (kind: string) => Handler): Provider =>
  withInProcessProvider(
    {
      has: () => true,
      async ask(provider, verb, ...given) {
        const handler = handlerOfKind(handledKind(provider) ?? `of ${provider}`);
        return plain(await Reflect.apply(handler[verb], handler, given));
      },
      stop: () => {},
      close: () => {},
    },
    () => Promise.reject(new Error("there is no other provider")),
  );

/** Values cross as JSON, without undefined ones, like in the host of dynamic providers. */
const plain = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer ?? null, (name, value: unknown) => {
      if (value === undefined) throw new Error(`${name} is undefined: Unexpected struct type.`);
      return value;
    }),
  );
