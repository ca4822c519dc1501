/** preview, up, refresh, destroy. */
import {
  checkTarget,
  type RequestCounter,
  sentNoWrites,
  stateLocationText,
  unchangedText,
} from "../../runs/command.ts";
import { type Command, defineCommand } from "../command.ts";
import { CommandError, codes } from "../exit.ts";
import { type RunValues, type RunVerb, runOptionsOf } from "../options.ts";
import { conduct } from "./conduct.ts";
import { isInstalled } from "./pulumi.ts";
import { checkPlanOptions } from "./saved.ts";
import { openSession, type Tools, tellPerson, withTools } from "./stage.ts";
import { exitCodes, texts } from "./texts.ts";
import { themeErrors } from "./theme-errors.ts";
import { openTypes } from "./types.ts";
import { runWithPulumi } from "./with-pulumi.ts";

export const runCommand = (verb: RunVerb): Command =>
  defineCommand({
    usage: `${verb} [options]`,
    ...texts[verb],
    notes: exitCodes,
    options: runOptionsOf(verb),
    run: (values) => run(verb, values),
  });

async function run(verb: RunVerb, values: RunValues): Promise<number> {
  if (values.engine !== undefined && values.engine !== "embedded" && values.engine !== "pulumi")
    throw new CommandError(`--engine must be embedded or pulumi, got ${values.engine}`, codes.configuration);
  if (values.json && values.markdown === "-")
    throw new CommandError("use either --json or --markdown -", codes.configuration);
  checkPlanOptions(verb, values);
  if (values.pictures !== undefined) await checkPictures(values);
  const runs = values.engine === "pulumi" ? runWithPulumi : runEmbedded;
  return withTools(values, (tools) => tellingUnchanged(tools.counter, () => runs(verb, values, tools)));
}

/** @throws CommandError where there will be no pictures, before anything is planned */
async function checkPictures({ engine: asked }: RunValues): Promise<void> {
  if (asked === "pulumi")
    throw new CommandError(
      "--pictures shows what the embedded engine plans: leave out --engine pulumi",
      codes.configuration,
    );
  const { findBrowser } = await import("../pictures/browser.ts");
  findBrowser(process.env);
}

async function runEmbedded(verb: RunVerb, values: RunValues, tools: Tools): Promise<number> {
  const session = await checkTarget(openSession(verb, values, tools));
  if (verb === "up" && !values["preview-only"] && !session.stack.exists)
    tellPerson(stateLocationText(session.stack));
  if (values.engine === undefined && !values.json && isInstalled())
    tellPerson(`pulumi found: use it with ${verb} --engine pulumi`);
  if (verb === "up") return conduct({ ...session, end: (staged) => themeErrors(session, staged) });
  if (verb !== "preview") return conduct(session);
  // A preview also says where the program's types are wrong.
  const types = openTypes(session.stack.project);
  try {
    const code = await conduct(session);
    const note = await types.note();
    if (note !== undefined) tellPerson(note);
    return code;
  } finally {
    types.close();
  }
}

/**
 * Does a command's work. The requests that went out know whether the shop was changed, whatever ended it.
 * @param work answers an exit code
 */
async function tellingUnchanged(
  { usage }: Pick<RequestCounter, "usage">,
  work: () => Promise<number>,
): Promise<number> {
  try {
    const code = await work();
    if (code !== codes.success && sentNoWrites(usage())) tellPerson(unchangedText);
    return code;
  } catch (error) {
    if (error instanceof Error && sentNoWrites(usage()) && !/nothing was changed/i.test(error.message))
      error.message += `\n${unchangedText}`;
    throw error;
  }
}
