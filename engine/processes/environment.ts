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
