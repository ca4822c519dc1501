/** What a run is told of its plan where nothing is asked of it: it carries out, overwrites nothing, resends nothing. */
import type { Plan } from "../../provider/run/context.ts";

export const calmPlan = (more: Partial<Plan> = {}): Plan => ({
  isPreview: false,
  isEmbedded: true,
  overwrites: false,
  overwritten: new Set(),
  keeps: false,
  stops: false,
  kept: new Set(),
  resent: new Set(),
  replaced: new Set(),
  onlyArguments: false,
  showsTexts: false,
  patienceMs: 60_000,
  ...more,
});
