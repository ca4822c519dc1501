/** What stands between the engine and a kind's handler in the real thing: the host of dynamic providers. */

import type { Properties } from "../../../engine/index.ts";
import { InitError, type Provider, RefusedError } from "../../../engine/processes/provider.ts";
import type { Handler } from "../../../provider/index.ts";
import type { Values } from "../../../provider/wire/codec.ts";
import { CrashError } from "../../support/disk.ts";

/** The engine's provider out of kinds' handlers, with errors as the host of dynamic providers hands them on. */
export function providerOf(handlerOfUrn: (urn: string) => Handler): Provider {
  // The host finds a provider by the line that the properties carry (cmd/dynamic-provider, getProvider).
  const of = (urn: string, { __provider }: Values): Handler => {
    if (typeof __provider !== "string") throw new Error(`code must be a string, not ${typeof __provider}`);
    return handlerOfUrn(urn);
  };
  const calls = async <T>(work: () => Promise<unknown>): Promise<T> => {
    try {
      return (await work()) as T;
    } catch (error) {
      if (error instanceof CrashError) throw error;
      const { id, properties, reasons, message } = error as {
        id?: string;
        properties?: Values;
        reasons?: string[];
        message: string;
      };
      if (properties?.__refused === true) throw new RefusedError(message);
      if (id !== undefined)
        throw new InitError({ id, properties: plain(properties ?? {}), reasons: reasons ?? [] });
      throw new Error(message);
    }
  };
  return {
    async check(urn, olds, news) {
      const { inputs, failures } = await calls<{
        inputs: Values;
        failures: { property: string; reason: string }[];
      }>(() => of(urn, news).check(olds, news));
      const { __takes, __stays: _stays, ...rest } = plain({ ...inputs, __provider: news.__provider });
      return { inputs: rest, failures, takes: __takes as never };
    },
    async diff(urn, id, olds, { news }) {
      const verdict = await calls<{ changes: boolean; replaces?: string[]; deleteBeforeReplace?: boolean }>(
        () => of(urn, news).diff(id, olds, news),
      );
      return {
        changes: verdict.changes ? "some" : "none",
        replaces: verdict.replaces ?? [],
        deleteBeforeReplace: verdict.deleteBeforeReplace ?? false,
      };
    },
    async create(urn, inputs) {
      const { id, outs } = await calls<{ id: string; outs: Values }>(() => of(urn, inputs).create(inputs));
      return { id, outputs: plain({ ...outs, __provider: inputs.__provider }) };
    },
    async read(urn, id, inputs, outputs) {
      const props = outputs === undefined || Object.keys(outputs).length === 0 ? inputs : outputs;
      const found = await calls<{ id?: string; props?: Values; inputs?: Values }>(() =>
        of(urn, props).read(id, props),
      );
      const __provider = props.__provider;
      const { __keeps: keeps, ...values } = found.props ?? {};
      return {
        id: found.id ?? "",
        ...(typeof keeps === "string" && { keeps }),
        outputs: plain({ ...values, __provider }),
        inputs: found.inputs === undefined ? undefined : plain({ ...found.inputs, __provider }),
      };
    },
    async update(urn, id, olds, { news }) {
      const { outs } = await calls<{ outs: Values }>(() => of(urn, news).update(id, olds, news));
      return { outputs: plain({ ...outs, __provider: news.__provider }) };
    },
    delete: (urn, id, outputs) => calls(() => of(urn, outputs).delete(id, outputs)),
    stop: () => {},
    close: () => {},
  };
}

/** What crosses the protocol is JSON, and the host of dynamic providers answers nothing where a value is undefined. */
const plain = (values: Values): Properties =>
  JSON.parse(
    JSON.stringify(values, (name, value: unknown) => {
      if (value === undefined) throw new Error(`${name} is undefined: Unexpected struct type.`);
      return value;
    }),
  ) as Properties;
