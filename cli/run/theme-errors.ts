/** What the shop says of a theme after an up: it takes a style sheet that it can't compile, and serves the one before. */
import type { Step } from "../../engine/index.ts";
import { createClient } from "../../provider/client/index.ts";
import { printable } from "../../provider/inventory/index.ts";
import { isThemeFile } from "../../provider/resources/index.ts";
import type { PassResult } from "../../runs/command.ts";
import { connect } from "../stack/shop.ts";
import { type Session, tellPerson } from "./stage.ts";

/** Whether a step has written a source that the shop compiles. */
const isCompiled = ({ type, op, inputs }: Step): boolean =>
  op !== "delete" &&
  isThemeFile(type) &&
  inputs.type === "Asset::Media" &&
  /\.(?:scss|less|coffee|ts|jsx|liquid)$/.test(String(inputs.name));

/** Warns of the themes whose compiled sources a run has written; one request, none where there are no such sources. */
export async function themeErrors({ stack }: Session, { steps, isPreview }: PassResult): Promise<void> {
  const ids = new Set(steps.filter(isCompiled).map(({ inputs }) => String(inputs.themeId)));
  if (isPreview || ids.size === 0) return;
  const { transport } = connect(stack, stack.env, tellPerson);
  const warn = (line: string) => tellPerson(`warning: ${printable(line)}`);
  try {
    const themes = await createClient(transport).themes.list();
    for (const { id, title, errorsText = "" } of themes)
      if (ids.has(String(id)) && errorsText.trim() !== "")
        warn(`the shop couldn't compile the theme ${title} (${id}): ${errorsText.trim()}`);
  } catch (error) {
    // The run itself is done, and said.
    warn(`whether the shop could compile the theme isn't known: ${(error as Error).message}`);
  } finally {
    await transport.close();
  }
}
