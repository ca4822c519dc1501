/** A run as lines of JSON: each event, and at the end what came of it. */

import type { Event } from "../../engine/index.ts";
import { printableJson } from "../../provider/inventory/index.ts";
import { refusalText } from "../../runs/command.ts";
import type { Display } from "./display.ts";

/** @param run which of a command's runs it is, `preview` or `up` */
export function jsonDisplay(print: (line: string) => void, run: string): Display {
  const write = (line: string) => print(printableJson(line));
  return {
    watch: (event) => write(JSON.stringify({ run, ...lean(event) })),
    summary({ outcome, counts, failures, outputs, changed, durationMs, deletesUnknown }, spent, told) {
      for (const { kind, id, lines } of told.texts.all)
        write(JSON.stringify({ run, type: "text", kind, id, lines }));
      write(
        JSON.stringify({
          run,
          type: "summary",
          outcome,
          counts,
          failures,
          outputs,
          changed,
          durationMs: Math.round(durationMs),
          ...(deletesUnknown && { deletesUnknown }),
          ...spent,
          ...(told.cost !== undefined && { cost: told.cost.requests }),
          impact: told.impact,
          refused: told.refused.map(refusalText),
          conflicts: told.conflicts,
          unstated: told.texts.unstated,
          ...(told.past !== undefined && {
            last: told.past.last,
            takesBack: told.past.takesBack?.steps.map(({ urn }) => urn) ?? [],
          }),
        }),
      );
    },
  };
}

// What there was is in the state: an event says only what is done.
function lean(event: Event): object {
  if (!("step" in event)) return event;
  const { olds: _olds, ...step } = event.step;
  return { ...event, step };
}
