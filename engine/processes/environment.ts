/** What this engine says of a run to the processes that it starts, beside what Pulumi's own says. */

/** A run, as its processes are told of it. */
export interface RunKind {
  /** Whether nothing is changed. */
  readonly dryRun: boolean;
  /** The file of its lock: where it is gone nothing is written any more. */
  readonly lock: string | undefined;
}

export const runEnvironment = ({ dryRun, lock }: RunKind): Readonly<Record<string, string>> => ({
  // A provider may tell this engine more than Pulumi's protocol carries: see `Takes`, `Read` and `isRefusal` (provider.ts, provider-client.ts).
  PULUMI_EMBEDDED_ENGINE: JSON.stringify({ lock }),
  // The SDK's own name for it; its host of providers isn't told otherwise.
  PULUMI_NODEJS_DRY_RUN: String(dryRun),
});

type Environment = Readonly<Record<string, string | undefined>>;

/** A plugin's environment: what there is of the variables that are mapped, under the names that it knows them by. */
export function mappedEnvironment(env: Environment, mappings: Readonly<Record<string, string>>): Environment {
  const mapped = Object.entries(mappings).flatMap(([there, known]) =>
    env[there] === undefined ? [] : [[known, env[there]] as const],
  );
  return { ...env, ...Object.fromEntries(mapped) };
}
