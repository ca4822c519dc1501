/** Our own engine, as the scenarios run it. */
import { destroy, openStack, outputs, preview, recorder, refresh, up } from "../../engine/index.ts";
import type { Engine, Ran } from "./scene.ts";
import { nameOf } from "./scene.ts";

const verbs = { preview, up, refresh, destroy };

export const embedded: Engine = {
  name: "embedded",
  async run(verb, folder, env, options) {
    const { events, watch } = recorder();
    const said: string[] = [];
    let outcome: Ran["outcome"] = "failed";
    const stack = () => openStack({ folder, stack: "dev", env: { ...process.env, ...env }, create: true });
    try {
      const { previewOnly, ...rest } = options;
      const asked = { ...rest, watch, ...(previewOnly !== undefined && { previewOnly }) };
      const result = await verbs[verb](stack(), asked);
      outcome = result.outcome === "succeeded" ? "succeeded" : "failed";
      said.push(...result.failures.map(({ message }) => message));
    } catch (error) {
      said.push((error as Error).message);
    }
    const steps = events.flatMap((event) => {
      if (event.type !== "done" && event.type !== "failed") return [];
      const { op, urn, type } = event.step;
      // A replacement is told by its parts here, which have an order.
      if (op === "replace" && event.type === "done") return [];
      return type.startsWith("pulumi:")
        ? []
        : [`${op} ${nameOf(urn)}${event.type === "failed" ? " failed" : ""}`];
    });
    for (const event of events)
      if (event.type === "message" && event.severity !== "info") said.push(event.text);
      else if (event.type === "printed") said.push(event.text);
    return {
      outcome,
      steps,
      outputs: outputs(stack(), { showSecrets: true }),
      messages: said.join("\n"),
    };
  },
};
