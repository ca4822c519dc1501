/** Environment variables of this engine for the processes of a run, in addition to Pulumi's. */

/** The facts about a run that its processes need. */
export interface RunKind {
  /** Whether the run is a preview. */
  readonly dryRun: boolean;
  /** The path of the run's lock: without the file, nothing may be written. */
  readonly lock: string | undefined;
}

export const runEnvironment = ({ dryRun, lock }: RunKind): Readonly<Record<string, string>> => ({
  // The provider may send more to this engine than Pulumi's protocol has: `Takes`, `Read` and `isRefusal` (provider.ts,
  // provider-client.ts).
  PULUMI_EMBEDDED_ENGINE: JSON.stringify({ lock }),
  // The SDK's own name; its provider host gets this information in no other way.
  PULUMI_NODEJS_DRY_RUN: String(dryRun),
});
