/** preview, up, refresh, destroy. */
import * as engine from "../../engine/index.ts";
import {
  atShop,
  type Difference,
  isRefusedInPart,
  isWhole,
  leftBehind,
  type Meter,
  manyText,
  mayBeRefused,
  openMeter,
  type Staged,
  stateText,
  type Verb,
  withoutMoved,
} from "../../runs/command.ts";
import { type Command, defineCommand } from "../command.ts";
import { CommandError, codes } from "../exit.ts";
import { parallelOf, type RunValues, runOptionsOf, timeoutOf } from "../options.ts";
import { saysYes } from "../report/ask.ts";
import { endPlan } from "./plan-end.ts";
import { isInstalled } from "./pulumi.ts";
import { checkPlanOptions } from "./saved.ts";
import { codeOf, openSession, planUnseen, type Session, stage, tellPerson } from "./stage.ts";
import { openStop, type Stop } from "./stop.ts";
import { exitCodes, texts } from "./texts.ts";
import { themeErrors } from "./theme-errors.ts";
import { openTypes } from "./types.ts";
import { tellingUnchanged } from "./unchanged.ts";
import { runWithPulumi } from "./with-pulumi.ts";

/** The command of a verb. */
export const runCommand = (verb: Verb): Command =>
  defineCommand({
    usage: `${verb} [options]`,
    what: texts[verb].what,
    example: texts[verb].example,
    notes: exitCodes,
    options: runOptionsOf(verb),
    run: (values) => run(verb, values),
  });

async function run(verb: Verb, values: RunValues): Promise<number> {
  if (values.engine !== undefined && values.engine !== "embedded" && values.engine !== "pulumi")
    throw new CommandError(`--engine must be embedded or pulumi, got ${values.engine}`, codes.configuration);
  if (values.json && values.markdown === "-")
    throw new CommandError("use either --json or --markdown -", codes.configuration);
  checkPlanOptions(verb, values);
  if (values.pictures !== undefined) await checkPictures(values);
  const meter = openMeter(process.env, tellPerson);
  // A second Ctrl-C waits for nothing below.
  process.once("exit", meter.close);
  try {
    if (values.engine === "pulumi")
      return await tellingUnchanged(meter, () => runWithPulumi(verb, values, meter));
    return await runEmbedded(verb, values, meter);
  } finally {
    process.off("exit", meter.close);
    meter.close();
  }
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

async function runEmbedded(verb: Verb, given: RunValues, meter: Meter): Promise<number> {
  const parallel = parallelOf(given.parallel);
  const stop = openStop(timeoutOf(given.timeout), tellPerson);
  try {
    return await tellingUnchanged(meter, async () => {
      const opened = openSession(verb, given, meter, { stop, parallel });
      const { values } = opened;
      // Nothing to read and nothing to delete needs no shop.
      const needsShop = verb === "preview" || verb === "up" || engine.load(opened.stack).resources.length > 0;
      const session = needsShop ? await atShop(opened) : opened;
      if (verb === "up" && !values["preview-only"] && !session.stack.exists)
        tellPerson(stateText(session.stack));
      if (values.engine === undefined && !values.json && isInstalled())
        tellPerson(`pulumi found: use it with ${verb} --engine pulumi`);
      return await notingTypes(session, async () => (await stages(session)) ?? codes.success);
    });
  } finally {
    stop.close();
  }
}

/** A preview also says where the program's types are wrong. */
async function notingTypes({ verb, stack }: Session, work: () => Promise<number>): Promise<number> {
  if (verb !== "preview") return work();
  const types = openTypes(stack.project);
  try {
    const code = await work();
    const note = await types.note();
    if (note !== undefined) tellPerson(note);
    return code;
  } finally {
    types.close();
  }
}

/** Preview, question, run: each stage may end the command. */
async function stages(session: Session): Promise<number | undefined> {
  const { verb, values, stop } = session;
  const onlyPreview = verb === "preview" || values["preview-only"] === true;
  const skips = values["skip-preview"] === true && !onlyPreview;
  const needsPreview =
    onlyPreview ||
    (verb === "refresh"
      ? // What it finds it also shows; asking first would read the shop twice.
        !skips && !values.yes
      : !skips || mayBeRefused(session.stack, session.choices));
  let plan: Staged | undefined;
  let refused = false;
  let moved: readonly Difference[] = [];
  if (needsPreview) {
    const planned = await (skips ? planUnseen(session) : stage(session, true));
    const code = codeOf(planned, session);
    // What was refused stays as it is; the rest is done, and the run ends with an error all the same.
    refused = planned.refused.length === 0 && isRefusedInPart(planned.result);
    const ended = endPlan(session, planned, code !== undefined && !refused);
    if (ended !== undefined && "code" in ended) return ended.code;
    if (onlyPreview || (code !== undefined && !refused)) return code;
    moved = ended?.left ?? [];
    refused ||= moved.length > 0;
    if (!planned.result.changed)
      return (await endOf(session, planned)) ?? (refused ? codes.failure : codes.success);
    if (!values.yes && !skips) await confirm(verb, stop, planned);
    // A refresh reads what there is: what it finds is its own affair.
    const declined = [...planned.declined, ...withoutMoved(planned.fresh, moved)];
    plan = verb === "refresh" ? undefined : { ...planned, declined };
  }
  const result = await stage(session, false, plan);
  const left = await endOf(session, result);
  return codeOf(result, session) ?? left ?? (refused ? codes.failure : undefined);
}

/** What is to be said when all is done. A destroy that leaves objects of creates that were cut off has not done what it is for. */
async function endOf(session: Session, staged: Staged): Promise<number | undefined> {
  const { verb, stack } = session;
  if (verb === "up" && !staged.planned)
    for (const line of await themeErrors(session, staged)) tellPerson(`warning: ${line}`);
  if (!isWhole(session, staged)) return undefined;
  const lines = await leftBehind(stack, staged.result, tellPerson);
  const isFailure = verb === "destroy" && lines.length > 0;
  for (const line of lines) tellPerson(`${isFailure ? "error" : "warning"}: ${line}`);
  return isFailure ? codes.failure : undefined;
}

async function confirm(verb: Verb, stop: Stop, { impact: { putBack } }: Staged): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandError("no terminal to confirm on; pass --yes", codes.configuration);
  const edits = manyText(putBack.length, "edit");
  if (putBack.length > 0 && !(await saysYes(`Put back ${edits} of staff's?`, stop.signal)))
    throw new CommandError(
      "not confirmed. accept writes what staff changed into the program; up --keep with names or kinds leaves it in the shop",
      stop.timedOut() ? codes.timeout : codes.cancelled,
    );
  if (!(await saysYes(texts[verb].question, stop.signal)))
    throw new CommandError("not confirmed", stop.timedOut() ? codes.timeout : codes.cancelled);
}
