/** A fake shop for provider operations: scripted by the test, otherwise uneventful. */
import { createHash } from "node:crypto";
import { newMemory, type Shop } from "../../provider/context/context.ts";
import { noIdentity } from "../../provider/context/identity.ts";
import type { Plan } from "../../provider/context/plan.ts";
import { openReads } from "../../provider/context/reads.ts";

type Needed = "transport" | "url" | "folder" | "now" | "wait" | "say" | "notes";

export function quietShop({
  plan,
  ...own
}: Pick<Shop, Needed> & Partial<Omit<Shop, "plan">> & { readonly plan?: Partial<Plan> | undefined }): Shop {
  const { transport, now, say } = own;
  return {
    identity: noIdentity,
    keyedHash: (text) => createHash("sha256").update(text).digest("hex"),
    guard: undefined,
    zone: async () => "Moscow",
    skewMs: () => transport.shopAheadMs(),
    sayInPreview: say,
    notice: () => false,
    memory: newMemory(),
    reads: openReads({ transport: () => transport, perPage: () => undefined, now }),
    ...own,
    plan: { ...calmPlan, ...plan },
  };
}

/** It applies, without overwrites and resends. */
const calmPlan: Plan = {
  isPreview: false,
  isEmbedded: true,
  overwritesAll: false,
  overwritten: new Set(),
  keepsAll: false,
  stopsOnDrift: false,
  kept: new Set(),
  resent: new Set(),
  replaced: new Set(),
  onlyArguments: false,
  showsTexts: false,
  patienceMs: 60_000,
  recovered: new Set(),
  refreshes: false,
  at: undefined,
  digest: undefined,
  approved: undefined,
  isOwnPlan: undefined,
};
