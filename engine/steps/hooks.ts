/**
 * Hooks: functions of the program's that run before and after something is done to a resource, and when that failed
 * (pkg/resource/deploy/deployment.go, RunHooks; retries.go).
 */

import { parseUrn, quoted } from "../../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import type { Watch } from "../values/events.ts";
import type { ErrorHook, Hook, HookArguments, HookType } from "../values/hook.ts";

export type Hooks = ReturnType<typeof openHooks>;

/** How often an operation that fails is done, at most. */
const maxTries = 100;

type Told = Omit<HookArguments, "urn" | "id" | "name" | "type">;

const about = ({ urn, id = "", type }: State): Pick<HookArguments, "urn" | "id" | "name" | "type"> => ({
  urn,
  id,
  name: parseUrn(urn).name,
  type,
});

export function openHooks({ dryRun, watch }: { readonly dryRun: boolean; readonly watch: Watch }) {
  const hooks = new Map<string, Hook>();
  const errorHooks = new Map<string, ErrorHook>();
  const warn = (urn: string, text: string) => watch({ type: "message", severity: "warning", text, urn });

  function refuseSecond(name: string): void {
    if (name === "") throw new Error("resource hook name cannot be empty");
    if (hooks.has(name) || errorHooks.has(name))
      throw new Error(`resource hook already registered for name ${quoted(name)}`);
  }

  async function run(type: HookType, state: State, told: Told): Promise<void> {
    for (const name of state.resourceHooks?.[type] ?? []) {
      const hook = hooks.get(name);
      if (hook === undefined)
        throw new Error(`hook ${quoted(name)} was not registered: the program must have it still`);
      if (dryRun && !hook.onDryRun) continue;
      try {
        await hook.call({ ...about(state), ...told });
      } catch (error) {
        const { message } = error as Error;
        if (!hook.ignoreErrors)
          throw new Error(
            `${type.startsWith("Before") ? "before" : "after"} hook ${quoted(name)} failed: ${message}`,
            {
              cause: error,
            },
          );
        warn(state.urn, `${type} hook ${quoted(name)} failed: ${message}`);
      }
    }
  }

  async function wantsAgain(state: State, told: Told, operation: string, errors: readonly string[]) {
    let again = false;
    for (const name of state.resourceHooks?.OnError ?? []) {
      const hook = errorHooks.get(name);
      if (hook === undefined)
        throw new Error(`error hook ${quoted(name)} was not registered: the program must have it still`);
      try {
        again = (await hook.call({ ...about(state), ...told, operation, errors })) || again;
      } catch (error) {
        throw new Error(`error hook ${quoted(name)} failed: ${(error as Error).message}`, { cause: error });
      }
    }
    return again;
  }

  return {
    register(hook: Hook): void {
      refuseSecond(hook.name);
      hooks.set(hook.name, hook);
    },
    registerError(hook: ErrorHook): void {
      refuseSecond(hook.name);
      errorHooks.set(hook.name, hook);
    },
    run,
    /** Does an operation, again while the hooks of its errors ask for it. */
    async retried<T>(
      operation: "create" | "update" | "delete",
      state: State,
      told: Told,
      work: () => Promise<T>,
    ): Promise<T> {
      const errors: string[] = [];
      for (;;) {
        try {
          return await work();
        } catch (error) {
          errors.unshift((error as Error).message);
          if (errors.length >= maxTries)
            throw new Error("maximum number of error hook retries reached", { cause: error });
          if (!(await wantsAgain(state, told, operation, errors))) throw error;
          warn(
            state.urn,
            `retrying ${operation} due to on-error hook request (${errors.length}/${maxTries})`,
          );
        }
      }
    },
  };
}

/** @throws Error where a resource has hooks of its delete: without the program nobody could run them */
export function refuseDeleteHooks(states: readonly State[]): void {
  const lines = states.flatMap(({ urn, resourceHooks = {} }) => {
    const names = [...(resourceHooks.BeforeDelete ?? []), ...(resourceHooks.AfterDelete ?? [])];
    return names.length === 0 ? [] : [`\n  ${parseUrn(urn).name}: ${names.join(", ")}`];
  });
  if (lines.length > 0)
    throw new Error(
      `hooks of a delete run in the program, which destroy doesn't run; take the resources out of the program, leave ` +
        `their hooks in it and run up, or take the hooks away and run up before destroy:${lines.join("")}`,
    );
}
