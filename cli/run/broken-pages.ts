/** Pages that a plan breaks: they are rendered before and after it, as far as its templates change. */
import type { Step, Watch } from "../../engine/index.ts";
import type { Finding } from "../../provider/inventory/index.ts";
import { isThemeFile } from "../../provider/resources/index.ts";
import { isFailed, isPlan, judgeFindings, type Preview, type Run } from "../../runs/command.ts";
import type { RunValues } from "../options.ts";

/** Whether a step writes a source that pages are rendered of. */
const isSource = ({ type, op, inputs }: Step): boolean =>
  op !== "delete" &&
  isThemeFile(type) &&
  (inputs.type !== "Asset::Media" || String(inputs.name).endsWith(".liquid"));

const placeOf = ({ path, line }: Finding) => `${path}:${line}`;

/** A plan with the pages that render now and fail after it. */
export async function withPages(
  { verb, stack, values, say }: Run & { readonly values: RunValues },
  found: Preview,
  watch: Watch,
): Promise<Preview> {
  const written = found.steps.filter(isSource);
  // Pictures show them too, with what the shop has.
  if (!isPlan(verb) || values.pictures !== undefined || isFailed(found) || written.length === 0) return found;
  const { brokenPages } = await import("../pictures/broken.ts");
  const { findings: broken, sent } = await brokenPages(found, stack, say);
  const known = new Set(found.findings.map(placeOf));
  const judged = judgeFindings(
    stack,
    broken
      .filter((one) => !known.has(placeOf(one)))
      .map((finding) => {
        const step = written.find(({ inputs }) => finding.path.endsWith(`/${inputs.name}`)) ?? written[0];
        return { finding, step, names: [step?.name ?? "", step?.urn ?? ""], fails: true };
      }),
  );
  const whole = withFindings(found, judged, watch);
  return { ...whole, usage: { ...whole.usage, requests: whole.usage.requests + sent } };
}

/** A plan with more findings, which are told too. */
export function withFindings(
  found: Preview,
  { refused, warnings, findings }: ReturnType<typeof judgeFindings>,
  watch: Watch,
): Preview {
  for (const warning of warnings) watch(warning);
  return {
    ...found,
    events: [...found.events, ...warnings],
    refused: [...found.refused, ...refused],
    findings: [...found.findings, ...findings],
  };
}
