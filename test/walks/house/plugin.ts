/** The plugin as an engine calls it, with every message as bytes of the protocol. */
import type * as grpc from "@grpc/grpc-js";
import type { Plugin } from "../../../engine/processes/plugin.ts";
import {
  type Client,
  checkFailures,
  checkRequest,
  diffRequest,
  providerCalls,
  verdictOf,
} from "../../../engine/processes/provider-client.ts";
import { inStruct, toStruct } from "../../../engine/processes/wire.ts";
import { checkConfig, configOf, diffConfig, settingNames } from "../../../plugin/configuration.ts";
import { resourceCalls } from "../../../plugin/resources.ts";
import { answerTo } from "../../../plugin/server.ts";
import { emptyModule } from "../../../plugin/wire.ts";
import type { NativeHandler } from "../../../provider/native.ts";
import type { Sources } from "../../../provider/settings/settings.ts";

interface Message {
  serializeBinary(): Uint8Array;
}

/** The message that arrives. */
const sent = <T extends Message>(message: T): T =>
  (message.constructor as unknown as { deserializeBinary(bytes: Uint8Array): T }).deserializeBinary(
    message.serializeBinary(),
  );

type Answered = (error: Partial<grpc.StatusObject> | null, response?: Message) => void;
type Call = (request: never) => Promise<Message | undefined>;

function clientOf(handlerOf: (kind: string) => NativeHandler): Client {
  const calls = resourceCalls(handlerOf) as unknown as Readonly<Record<string, Call>>;
  const entries = Object.entries(calls).map(([name, work]) => [
    name,
    (request: Message & { getUrn(): string }, _metadata: unknown, _options: unknown, answered: Answered) => {
      const answer = async () => sent((await work(sent(request) as never)) ?? new emptyModule.Empty());
      answer().then(
        (response) => answered(null, response),
        (error: unknown) => answered(answerTo(error, request.getUrn())),
      );
    },
  ]);
  return Object.fromEntries(entries) as Client;
}

/** The plugin of a house, without a process; its configuration names the shop. */
export function pluginOf(
  open: (sources: Pick<Sources, "config" | "provider">) => (kind: string) => NativeHandler,
): Plugin {
  const [stop, close] = [() => {}, () => {}];
  return {
    async checkConfig(urn, olds, news) {
      const response = sent(checkConfig(sent(checkRequest(urn, olds, news))));
      return { inputs: inStruct(response.getInputs()), failures: checkFailures(response.getFailuresList()) };
    },
    diffConfig: async (urn, id, olds, news) =>
      verdictOf(sent(diffConfig(sent(diffRequest(urn, id, olds, { news, oldInputs: olds }))))),
    configure: async (urn, inputs) => ({
      ...providerCalls(
        clientOf(
          open({
            config: configOf(toStruct(inputs)),
            ...(settingNames(urn) !== undefined && { provider: urn }),
          }),
        ),
      ),
      acceptsSecrets: true,
      previews: true,
      stop,
      close,
    }),
    stop,
    close,
  };
}
