/** A walk: moves in one house, one after the other, with all rules checked after each. */
import type { Adopted } from "../../cli/pull/existing-program.ts";
import type { Stored } from "../../emulator/store.ts";
import { nameOf, unknownText, unlock } from "../../engine/index.ts";
import { ShopError } from "../../provider/client/errors.ts";
import { kindOfType } from "../../provider/names/types.ts";
import { chosenEnv } from "../../provider/settings/protocol.ts";
import { settingsEnv } from "../../provider/settings/settings.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { isDoneAlready, sendsNothing, stepNotices } from "../../runs/report/step-notices.ts";
import type { Effect, Fault } from "../support/disk.ts";
import { accept, isWhole, tellingAll } from "./accept.ts";
import { isOwn } from "./house/session.ts";
import type { Form, Options, Ran } from "./house/types.ts";
import { type House, openHouse } from "./house.ts";
import { keptSku, kindOfTable, momentOf, oldPrice, type Place, sheetKind, walkKinds } from "./kinds.ts";
import { type Broken, type Counts, keyOf, liveRows, type Model, objectOf, placesOf } from "./model.ts";
import type { How, Move, Staff } from "./moves.ts";
import { type Entry, edited, kindOf, round } from "./program.ts";
import { type Pulled, pull } from "./pull.ts";
import { houseIn, isSentTo, openShops, programIn, type ShopName, type Shops } from "./shops.ts";

export interface Walked {
  readonly broken: readonly Broken[];
  readonly counts: Counts;
}

/** One of the shops, and what staff know of it. */
interface Yard {
  readonly name: ShopName;
  readonly house: House;
  readonly model: Model;
  readonly deleted: { readonly table: string; readonly row: Stored }[];
  /** A product that no program of the walk manages and staff sell; sheets set its prices. */
  readonly furniture: Set<string>;
  goods: string | undefined;
}

interface Scene {
  /** With the states of both shops. */
  readonly whole: House;
  /** As the stack's shop sees it. */
  readonly house: House;
  readonly model: Shops;
  readonly yards: Map<ShopName, Yard>;
  form: Form;
  program: readonly Entry[];
  readonly earlier: (readonly Entry[])[];
  /** The program of the last run. */
  asked: readonly Entry[];
  /** The state after each run. */
  readonly states: string[];
  /** The content of `adopt.dev.json` now, and beside each program. */
  adopted: Adopted;
  readonly adoptedOf: WeakMap<readonly Entry[], Adopted>;
  /** A colleague's stack: its values of products, by key. */
  readonly parts: Map<string, string>;
  fresh: () => number;
  /** Requests of the current run. */
  requests: string[];
  /** Whether a fault is pending. */
  isFaulty: boolean;
  /** Whether a run was overtaken: its refresh may be in the other run's state. */
  wasOvertaken: boolean;
}

function openYard(name: ShopName, house: House, model: Model): Yard {
  return { name, house, model, deleted: [], furniture: new Set(liveRows(house).keys()), goods: undefined };
}

/** A shop as its staff see it, at first. An unused theme would only cost reads. */
function openFor(name: ShopName, whole: House): House {
  const house = houseIn(name, whole);
  for (const { id } of house.rows("asset")) house.shop.edit({ kind: "asset", id, delete: true });
  return house;
}

/** The shop of a move or a resource; the other one is opened with its first use. */
function yardOf(
  { yards, whole, model }: Scene,
  { shop = "own" }: { readonly shop?: ShopName | undefined },
): Yard {
  const yard = yards.get(shop) ?? openYard(shop, openFor(shop, whole), model.other());
  yards.set(shop, yard);
  return yard;
}

function openScene(whole: House): Scene {
  const house = openFor("own", whole);
  const model = openShops(whole);
  let n = 1_000;
  return {
    whole,
    house,
    model,
    yards: new Map([["own", openYard("own", house, model.own)]]),
    form: "dynamic",
    program: [],
    earlier: [],
    asked: [],
    states: [],
    adopted: {},
    adoptedOf: new WeakMap(),
    parts: new Map(),
    fresh: () => {
      n += 1;
      return n;
    },
    requests: [],
    isFaulty: false,
    wasOvertaken: false,
  };
}

/**
 * Runs moves until a rule is broken.
 * @param settles whether to continue until nothing is left to do
 */
export async function walk(moves: Iterable<Move>, settles = true, house = openHouse()): Promise<Walked> {
  const scene = openScene(house);
  const { model } = scene;
  try {
    for (const move of moves) {
      await step(scene, move);
      if (model.broken().length > 0) break;
    }
    if (settles && model.broken().length === 0) await settle(scene, {});
    // Each run of real pulumi takes seconds.
    if (settles && !house.isPulumi && model.broken().length === 0) await settle(scene, { refresh: true });
  } catch (error) {
    // The events of a run have laws of their own (test/engine/event-law.ts).
    model.breaks("law", (error as Error).message);
  } finally {
    await house.close();
  }
  return { broken: model.broken(), counts: model.counts() };
}

async function step(scene: Scene, move: Move): Promise<void> {
  const { house, whole, model } = scene;
  // The user needs a moment.
  house.clock.offsetMs += 1_000;
  switch (move.do) {
    case "staff":
      staffEdits(scene, yardOf(scene, move), move, false);
      return;
    case "fault":
      scene.isFaulty = true;
      return yardOf(scene, move).house.shop.faults.add({ fault: move.fault, method: move.method, times: 1 });
    case "neighbour":
      return neighbour(scene, move);
    case "elsewhere":
      return elsewhere(scene, move.verb);
    case "older state":
      return putBack(scene, move.by);
    case "colleague":
      return colleague(scene, move);
    case "pass":
      house.clock.offsetMs += move.hours * 3_600_000;
      return;
    case "pages":
      return house.capPages(move.most);
    case "move state":
      return moveState(scene, move.at);
    case "form":
      scene.form = hasTwo(scene.program) ? "plugin" : move.form;
      return;
    case "lose state":
      scene.states.length = 0;
      house.loseState();
      if (move.notes) house.loseNotes();
      return model.forget();
    case "whim":
      scene.isFaulty = true;
      return house.setWhim({ how: move.how, element: move.element });
    case "leave":
      scene.states.length = 0;
      house.loseState();
      house.loseNotes();
      change(scene, [], {});
      return model.forget();
    case "pull":
      return pullInto(scene, move);
    case "accept":
      return acceptInto(scene, move);
    case "up": {
      const before = house.stateText();
      await up(scene, move.how);
      const text = house.stateText();
      // A refused run wrote none.
      if (text !== undefined && text !== before) scene.states.push(text);
      return;
    }
    case "destroy":
      // Under real pulumi, a destroy has no plan of its own.
      if (!house.isPulumi) await ended(scene, move.how);
      return;
    case "state remove":
      return removeState(scene, move.at);
    case "preview":
    case "refresh": {
      const before = whole.state();
      const ran =
        move.do === "preview"
          ? await house.preview(scene.program, optionsOf(scene, move.how))
          : await house.refresh(optionsOf(scene, move.how));
      model.looked(ran, move.do === "refresh" ? [] : before, scene.program);
      if (move.do === "refresh" && ran.result?.outcome === "succeeded") model.refreshed(before);
      return;
    }
    default: {
      const yard = yardOf(scene, "shop" in move ? move : {});
      if (move.do === "sheet") await stockGoods(yard);
      const now = edited(scene.program, move, {
        theme: Number(yard.house.rows("theme")[0]?.id),
        fresh: scene.fresh,
        inHours: (hours) => momentOf(hours, house.clock.offsetMs),
        adoptable: (entry) => adoptable(yardOf(scene, entry), entry),
        earlier: scene.earlier,
      });
      // Going back to an older program restores its ids, too.
      change(scene, now, move.do === "revert" ? (scene.adoptedOf.get(now) ?? scene.adopted) : scene.adopted);
    }
  }
}

function change(scene: Scene, program: readonly Entry[], adopted: Adopted): void {
  if (program !== scene.program) scene.earlier.push(scene.program);
  scene.program = program;
  // The SDK's Provider needs the plugin.
  if (hasTwo(program)) scene.form = "plugin";
  scene.adopted = adopted;
  scene.adoptedOf.set(program, adopted);
}

const hasTwo = (program: readonly Entry[]) => programIn("other", program).length > 0;

async function pullInto(scene: Scene, { kind, onlyNew }: Extract<Move, { do: "pull" }>): Promise<void> {
  const { house, model } = scene;
  const { furniture } = yardOf(scene, {});
  const kinds = kind === undefined ? [] : [round(walkKinds, kind)?.kind ?? ""];
  const before = { program: scene.program, adopted: scene.adopted };
  let pulled: Pulled;
  try {
    pulled = await pull(house, before, kinds, onlyNew);
  } catch (error) {
    // A failed pull wrote nothing.
    if (!scene.isFaulty || !(error instanceof ShopError)) throw error;
    return;
  }
  model.pulled(before, pulled, kinds);
  // The shop's initial content belongs to nobody.
  const isFurniture = ({ kind: of, args: { adopt } }: Entry) =>
    adopt !== undefined && furniture.has(objectOf({ type: `:${of}`, id: String(adopt) }));
  change(
    scene,
    pulled.program.filter((entry) => !isFurniture(entry)),
    pulled.adopted,
  );
}

async function acceptInto(scene: Scene, { at, theirs }: Extract<Move, { do: "accept" }>): Promise<void> {
  const { house, model, program, adopted } = scene;
  calm(scene);
  const meant = at === undefined ? undefined : round(program, at);
  // A text with another resource's id is computed and can't be written, and that resource can't be taken out.
  const computed = program.flatMap(({ name, refers }) => (refers === undefined ? [] : [name, refers.to]));
  const isWanted = ({ kind, name }: { kind: string; name: string }) =>
    !computed.includes(name) && (meant === undefined || kind === meant.kind || name === meant.name);
  // The files keep the provider of the other shop.
  const reading = { ...tellingAll(optionsOf(scene, {})), hasProvider: hasTwo(program) };
  const before = scene.whole.state();
  const refreshed = await house.refresh(reading);
  model.looked(refreshed, [], program);
  if (refreshed.result?.outcome !== "succeeded") return;
  model.refreshed(before);
  const done = await accept(house, { program, adopted }, { isWanted, theirs, refreshed, reading });
  if (done === undefined) return;
  model.looked(done.planned, [], program);
  model.accepted(done.program, done.written);
  for (const text of done.wrong) model.breaks("accept", text);
  change(scene, done.program, adopted);
}

const optionsOf = ({ form, program, yards }: Scene, how: How): Options => {
  const kept = keptBy(program, how);
  const selected = selectedBy(program, how);
  const settings = {
    ...(how.adopt && { adopt: "key" }),
    ...(how.guard && { protected: "true" }),
    ...(how.overwrite && { conflicts: "overwrite" }),
    ...(how.drift !== undefined && { drift: how.drift }),
  };
  // A provider of the program doesn't get the stack's configuration, but the environment.
  const isForAll = yards.has("other");
  const config = Object.entries(settings).map(([name, value]) => [`shop:${name}`, value]);
  return {
    form,
    ...(!isForAll && config.length > 0 && { config: Object.fromEntries(config) }),
    ...(how.wrong && { wrong: how.wrong }),
    env: {
      ...(isForAll && settingsEnv(settings)),
      ...(how.badPassword && { SHOP_PASSWORD: "0".repeat(32) }),
      ...chosenEnv({
        ...(how.allowed && { allow: how.allowed }),
        ...(kept !== undefined && { keep: [kept] }),
      }),
    },
    refresh: how.refresh === true,
    ...(selected !== undefined && { select: { by: selected.by, names: [selected.name] } }),
  };
};

/** Whether a run handles only some of the resources. */
const isPart = (program: readonly Entry[], how: How) =>
  how.select?.by !== "replace" && selectedBy(program, how) !== undefined;

/** The resource that a run handles alone, leaves out or replaces. */
function selectedBy(program: readonly Entry[], { select }: How) {
  const entry = select && round(program, select.at);
  return entry && { by: select.by, name: entry.name };
}

/** The name of the resource whose edits of staff stay. */
const keptBy = (program: readonly Entry[], { keep }: How): string | undefined =>
  keep === undefined ? undefined : round(program, keep)?.name;

/** A command with another shop's address stops before it does anything. */
async function elsewhere(scene: Scene, verb: "up" | "refresh" | "destroy"): Promise<void> {
  const { house, model, program } = scene;
  const before = house.state();
  // The provider isn't asked about replaced objects; the command compares the shop, too (runs/stack/connection.ts).
  if (before.every(({ pendingReplacement }) => pendingReplacement === true)) return;
  const ran = await house.elsewhere(() =>
    verb === "up" ? house.up(program, optionsOf(scene, {})) : house[verb](optionsOf(scene, {})),
  );
  const after = house.state();
  if (JSON.stringify(after) !== JSON.stringify(before))
    model.breaks("another shop", `${verb} changed the state: ${ran.steps.join(", ")}`);
  if (ran.requests.some(isWrite))
    model.breaks(
      "another shop",
      `${verb} wrote to a shop that isn't the state's: ${ran.requests.join(", ")}`,
    );
  if (ran.error === undefined && ran.result?.outcome === "succeeded")
    model.breaks("another shop", `${verb} said nothing of the other shop`);
}

/** Another project has its own objects and notes: neither project takes or changes the other's. */
async function neighbour(scene: Scene, { verb, slot }: Extract<Move, { do: "neighbour" }>): Promise<void> {
  const { house, model, program } = scene;
  // An object without a key can exist twice and can't be adopted.
  const equal = programIn("own", program).filter(
    ({ kind }) => kind === "File" || kind === "ApplicationCharge",
  );
  if (verb !== "destroy" && equal.length === 0) return;
  calm(scene);
  // Equal objects from the same few seconds can't be told apart: the two clocks may differ that much
  // (lifecycle/lost.ts).
  house.clock.offsetMs += 10_000;
  const objects = () => new Set(house.state().map(objectOf));
  // An object that this program adopted by id is the other program's, too.
  const shared = await house.neighbour(async () => objects());
  const own = () => {
    const known = objects();
    const rows = [...liveRows(house)].filter(([key]) => known.has(key) && !shared.has(key));
    return [house.stateText(), house.notes(), ...rows];
  };
  const before = JSON.stringify(own());
  const entries = equal.map(({ kind, name, args: { adopt: _adopt, ...args } }) => ({ kind, name, args }));
  let answers = slot % 3;
  const crash = {
    plan: ({ path }: Effect): Fault | undefined => {
      if (path.startsWith("answer ")) answers -= 1;
      return answers < 0 ? { crash: "before" } : undefined;
    },
  };
  const options = { ...optionsOf(scene, {}), ...(verb === "cut off" && { crash }) };
  const theirs = await house.neighbour(async () => {
    await (verb === "destroy" ? house.destroy(options) : house.go(entries, options));
    return objects();
  });
  const standing = [...shared].filter((key) => model.rows().has(key) && objects().has(key));
  const gone = standing.filter((key) => !liveRows(house).has(key));
  if (gone.length > 0)
    model.breaks("another project", `${verb} there deleted ${gone.join()}, which this one has too`);
  if (JSON.stringify(own()) !== before)
    model.breaks("another project", `${verb} there changed an object, the state or the notes here`);
  model.take("staff");
  for (const state of house.state()) {
    const object = objectOf(state);
    if (theirs.has(object) && !shared.has(object))
      model.breaks("another project", `${object} is of ${state.urn} and of the other project`);
  }
}

/** Two stacks of one shop with parts of the same object: neither changes the other's part. */
async function colleague(scene: Scene, { at, field }: Extract<Move, { do: "colleague" }>): Promise<void> {
  const { house, model, program, parts } = scene;
  const own = house.state().filter((state) => model.rows().has(objectOf(state)) && state.delete !== true);
  const state = round(
    own.filter(({ type }) => kindOfType(type) === "Product"),
    at,
  );
  if (state === undefined || house.hasJournal()) return;
  // The plugin's state doesn't say that a field is left to others.
  const isIgnoring = program.some(({ name, ignoreChanges }) => ignoreChanges && name === nameOf(state.urn));
  const hasIgnored = [state.inputs, state.outputs].some((side) => String(side?.__ignored ?? "") !== "");
  if (isIgnoring || hasIgnored) return;
  // What this program states and no run has set belongs to whoever runs first.
  const entry = program.find(({ kind, name }) => kind === "Product" && name === nameOf(state.urn));
  if (entry?.args[field] !== undefined && state.inputs?.[field] === undefined) return;
  calm(scene);
  const options = optionsOf(scene, {});
  const known = await house.preview(program, options);
  const there = [...model.rows().keys()];
  const key = objectOf(state);
  const value = `w${scene.fresh()}`;
  const part = { kind: "Product", name: `part-${state.id}`, args: { adopt: state.id, [field]: value } };
  const column = field === "description" ? field : "short_description";
  const last = await house.neighbour(async () => house.state().find(({ urn }) => nameOf(urn) === part.name));
  const was = last?.outputs?.[field];
  // Somebody has changed it since the colleague's last run: a conflict.
  const isEdited = was !== undefined && was !== (model.rows().get(key)?.[column] ?? "");
  const before = JSON.stringify([model.rows().get(key), house.stateText()]);
  const ran = await house.neighbour(() => house.up([part], options));
  const { outcome, failures = [] } = ran.result ?? {};
  // An object that the colleague's program no longer has isn't deleted if this stack has it (rule 3).
  const shared = house
    .state()
    .map(({ type, id }) => `has ${kindOfType(type)} ${id} too, so it is not deleted:`);
  const refusals = failures.filter(({ message }) => !shared.some((text) => message.includes(text)));
  const isRefused = outcome !== "succeeded" && (failures.length === 0 || refusals.length > 0);
  const isStated = state.inputs?.[field] !== undefined;
  const told = refusals.map(({ message }) => message).join();
  model.take("staff");
  const row = model.rows().get(key);
  if (isStated && (!isRefused || JSON.stringify([row, house.stateText()]) !== before))
    model.breaks("another project", `${field} of ${key} is stated here, and was changed there: ${told}`);
  if (!isStated && !isEdited && (isRefused || row?.[column] !== value))
    model.breaks("another project", `${field} of ${key} is stated by nobody, and was refused there: ${told}`);
  // This program may state a description again.
  if (!isStated && field !== "description" && row?.[column] === value) parts.set(key, value);
  const now = await house.preview(program, options);
  // Objects that the colleague's stack has aren't deleted here; those that it no longer has are, unless refused. An
  // object that it deleted can't be adopted here any more and is created again.
  const gone = there.filter((one) => !model.rows().has(one));
  const isOf = (message: string) =>
    gone.some((one) => new RegExp(`(\\(|can't adopt \\w+ )${one.split("/")[1]}\\b`).test(message));
  const again = new Set([
    ...known.plan.flatMap((step) =>
      step.op === "adopt" && gone.includes(objectOf(step)) ? [step.name] : [],
    ),
    ...(known.result?.failures ?? []).flatMap(({ urn, message }) =>
      isOf(message) ? [nameOf(urn ?? "")] : [],
    ),
  ]);
  // An object stays as long as one that depends on it.
  const refused = new Set(now.steps.flatMap((step) => /^delete (\S+) refused$/.exec(step)?.[1] ?? []));
  const needed = new Set(
    house
      .state()
      .filter(({ urn }) => refused.has(nameOf(urn)))
      .flatMap(({ dependencies = [] }) => dependencies.map((urn) => `delete ${nameOf(urn)}`)),
  );
  // The colleague no longer sets the value that this program may not change.
  const freed = new Set(
    (known.result?.failures ?? []).flatMap(({ urn, message }) =>
      / of the stack neighbour\//.test(message) ? [nameOf(urn ?? "")] : [],
    ),
  );
  const stepsOf = ({ steps }: Ran) =>
    steps
      .filter((step) => !needed.has(step) && !freed.has(step.split(" ")[1] ?? ""))
      .filter((step) => !/^(adopt|create) /.test(step) || !again.has(step.split(" ")[1] ?? ""))
      .map((step) => step.replace(/^((?:delete|replace) .*) refused$/, "$1"))
      .toSorted();
  if (stepsOf(now).join() !== stepsOf(known).join())
    model.breaks("another project", `${known.steps.join()} was planned, and now ${now.steps.join()}`);
}

/** A resource moves to the other project with its state: both plans stay the same. */
async function moveState(scene: Scene, at: number): Promise<void> {
  const { house, model, program } = scene;
  const entry = round(program, at);
  // A program there would lack the resource that a text refers to.
  if (entry === undefined || entry.refers || program.some(({ refers }) => refers?.to === entry.name)) return;
  calm(scene);
  const options = optionsOf(scene, {});
  const isIts = (step: string) => step.split(" ")[1] === entry.name;
  const before = house.state().toSorted((one, other) => (one.urn < other.urn ? -1 : 1));
  const own = before.filter(({ urn }) => urn.split("::").at(-1) === entry.name);
  // Resources that aren't in the state, wait for their delete, or have another type by now can't move.
  const [state] = own;
  if (state === undefined || own.length > 1 || state.delete || house.hasJournal()) return;
  // A resource of a component moves without the component.
  if (state.type !== state.urn.split("::")[2]) return;
  const known = await house.preview(program, options);
  model.looked(known, scene.whole.state(), program);
  const rest = program.filter((one) => one !== entry);
  try {
    // The other project exists from now on.
    await house.neighbour(async () => {});
    await house.moveState(entry.name, "neighbour");
  } catch (error) {
    const { message } = error as Error;
    if (!/has it already|was interrupted|an earlier run|these belong together/.test(message))
      model.breaks("move", message);
    return;
  }
  const here = await house.preview(rest, options);
  const away = here.plan.filter(
    // Another resource with its key may adopt it.
    ({ id, op, type, provider }) =>
      provider === undefined &&
      op !== "adopt" &&
      id !== undefined &&
      objectOf({ id, type }) === objectOf(state),
  );
  await house.neighbour(async () => {
    const there = await house.preview([entry], options);
    const isAlone = house.state().filter(({ urn }) => urn.split("::").at(-1) === entry.name).length === 1;
    // Steps that this program refuses aren't planned.
    if (isAlone && isWhole(known) && there.steps.filter(isIts).join() !== known.steps.filter(isIts).join())
      model.breaks("move", `${entry.name}: ${known.steps.join(", ")} here, ${there.steps.join(", ")} there`);
    // The other project may have the name.
    const moved = house.state().find((one) => objectOf(one) === objectOf(state));
    await house.moveState(moved?.urn ?? entry.name, "memory");
  });
  if (away.length > 0)
    model.breaks("move", `${entry.name} has moved, and is still planned: ${here.steps.join(", ")}`);
  const after = house.state().toSorted((one, other) => (one.urn < other.urn ? -1 : 1));
  // A default provider that nothing used meanwhile is another one.
  const textOf = (states: typeof before) => JSON.stringify(states).replaceAll(/::[0-9a-f-]{36}"/g, '"');
  if (textOf(after) !== textOf(before))
    model.breaks("move", `there and back the state is another: ${JSON.stringify([before, after])}`);
}

/** After an older state is restored, nothing is applied before a refresh. */
async function putBack(scene: Scene, by: number): Promise<void> {
  const { house, model, program, states } = scene;
  const [older, now] = [states.at(-1 - by), house.stateText()];
  // The last written state isn't older, even if an older one may be in its place by now.
  if (older === undefined || older === now || older === states.at(-1)) return;
  // A journal names the state that it continues; no command continues on another one.
  if (house.hasJournal()) return;
  calm(scene);
  house.putStateBack(older);
  model.olderState();
  const ran = await house.go(program, optionsOf(scene, {}));
  if (ran.error === undefined || ran.requests.length > 0 || house.stateText() !== older)
    model.breaks("older state", `up went on: ${[...ran.steps, ...ran.requests].join(", ")}`);
  model.looked(await house.refresh(optionsOf(scene, {})), [], program);
}

const isWrite = (line: string) => !line.startsWith("GET ");

async function up(scene: Scene, how: How): Promise<Ran & { readonly planned: Ran }> {
  const { program, model } = scene;
  const checks = [...scene.yards.values()].map((yard) => watchStock(scene, yard));
  const ran = await upAllowed(scene, how);
  // Resources that a run leaves out weren't asked for anything.
  scene.asked = isPart(program, how) ? [] : program;
  for (const [key, value] of scene.parts) {
    const row = model.rows().get(key);
    if (row === undefined) scene.parts.delete(key);
    else if (row.short_description !== value)
      model.breaks("another project", `${key}: a colleague's ${value} is ${row.short_description} now`);
  }
  for (const check of checks) check();
  return ran;
}

/** The program's numbers are those of its last run: sold stock stays sold. @returns a function that checks it */
function watchStock({ asked, program }: Scene, { name, house, model }: Yard): () => void {
  const same = house.state().filter(({ urn }) => {
    const numbers = numbersOf(program, urn);
    return numbers !== undefined && numbers === numbersOf(asked, urn);
  });
  const known = new Set(same.map(objectOf));
  const stock = stockOf(house);
  const numbered = new Set(
    programIn(name, asked).flatMap(({ args }) =>
      ((args.variants ?? []) as readonly Stored[]).flatMap((one) =>
        one.quantity === undefined ? [] : [one.sku],
      ),
    ),
  );
  return () => {
    for (const [variant, { key, quantity }] of stockOf(house)) {
      const was = stock.get(variant);
      if (was !== undefined && known.has(key) && numbered.has(was.sku) && quantity > was.quantity)
        model.breaks("stock", `${key}: variant ${variant} had ${was.quantity} and has ${quantity} again`);
    }
  };
}

/** The program's quantity of each variant of a product; undefined without such a product. */
function numbersOf(program: readonly Entry[], urn: string): string | undefined {
  const args = program.find(({ name }) => name === urn.split("::").at(-1))?.args;
  const variants = args?.variants as readonly Stored[] | undefined;
  return variants
    ?.map(({ quantity }) => quantity)
    .toSorted()
    .join();
}

const stockOf = (house: House) =>
  new Map(
    house
      .rows("product")
      .flatMap((row) =>
        ((row.variants ?? []) as readonly Stored[]).map(
          ({ id, sku, quantity }) =>
            [id, { key: keyOf("product", row), sku, quantity: Number(quantity ?? 0) }] as const,
        ),
      ),
  );

/** Deletes the resources of the state, or some of them. The program stays. */
async function ended(
  scene: Scene,
  { badPassword: _bad, wrong: _wrong, paused: _slept, ...how }: How,
): Promise<void> {
  const { house } = scene;
  const { select, ...rest } = how;
  const before = house.stateText();
  await upTold(scene, select?.by === "replace" ? rest : how, "destroy");
  scene.asked = [];
  const text = house.stateText();
  if (text !== undefined && text !== before) scene.states.push(text);
}

/** A resource that leaves the state without its object. */
async function removeState({ whole: house, model }: Scene, at: number): Promise<void> {
  const state = round(
    house.state().filter(({ delete: isLeaving }) => isLeaving !== true),
    at,
  );
  if (state === undefined || house.isPulumi || house.hasJournal()) return;
  try {
    await house.removeState(state.urn);
  } catch (error) {
    if (!/depend on it/.test((error as Error).message)) throw error;
    return;
  }
  model.removed(state, objectOf(state));
}

/** Like `upTold`. A create under another name is refused by the preview and then permitted by name. */
async function upAllowed(scene: Scene, how: How): Promise<Ran & { readonly planned: Ran }> {
  const ran = await upTold(scene, how);
  const names = ran.planned.guarded.flatMap(
    (text) => /pass --allow (\S+) to create it anyway/.exec(text)?.[1] ?? [],
  );
  // On a protected stack, the user confirms twice.
  if (names.length === 0 || how.guard === true) return ran;
  if (ran.requests.some(isWrite))
    scene.model.breaks("guard", `the preview refused it, and the run wrote: ${ran.requests.join(", ")}`);
  return upTold(scene, { ...how, allowed: names });
}

async function upTold(
  scene: Scene,
  how: How,
  verb: "up" | "destroy" = "up",
): Promise<Ran & { readonly planned: Ran }> {
  const { house, model } = scene;
  const program = verb === "up" ? scene.program : [];
  const before = scene.whole.state();
  model.begins();
  const { meanwhile } = how;
  const requests: string[] = [];
  let isDisturbed = false;
  let overtaken: Promise<string> | undefined;
  let last = "";
  scene.requests = requests;
  const { badPassword, wrong: wrongOther, ...right } = how;
  if (badPassword === true || (wrongOther !== undefined && hasTwo(program))) {
    // The plan used the right credentials, the run fails.
    const planned = await house.preview(program, optionsOf(scene, right));
    const fails =
      planned.error !== undefined || planned.result?.failures.some(({ refused }) => refused !== true);
    const isRefused = planned.guarded.length > 0 || fails === true;
    // With another shop's address, what the plan creates would be made there, as asked.
    const makes = planned.plan.some(
      ({ provider, op }) => provider !== undefined && !/^(update|delete)$/.test(op),
    );
    const wrong = optionsOf(scene, {
      ...how,
      refresh: false,
      ...(makes && wrongOther && { wrong: "password" as const }),
    });
    const ran = { ...(isRefused ? planned : await house.go(program, wrong)), planned };
    model.ran(ran, before, {
      isRefreshed: false,
      isGuarded: false,
      isPart: false,
      isDisturbed: true,
      adopts: false,
      isMadeAgain: true,
      program,
    });
    calm(scene);
    return ran;
  }
  const options: Options = {
    ...optionsOf(scene, how),
    onRequest: (line, _number) => {
      if (isWrite(last)) model.take("requests");
      if (meanwhile?.before === requests.length + 1) {
        model.take("requests");
        isDisturbed = true;
        staffEdits(scene, yardOf(scene, meanwhile.edit), meanwhile.edit, true);
      }
      requests.push(line);
      last = line;
    },
    held: async () => {
      if (how.paused === requests.length) overtaken ??= overtake(scene);
      isDisturbed ||= overtaken !== undefined;
      await overtaken;
    },
  };
  const between = (planned: Ran) => {
    if (how.paused !== undefined) model.shown(planned);
    if (meanwhile?.before !== 0) return;
    isDisturbed = true;
    staffEdits(scene, yardOf(scene, meanwhile.edit), meanwhile.edit, false);
  };
  const ran = await (verb === "up" ? house.up(program, options, between) : house.end(options, between));
  if (overtaken !== undefined) checkOvertaken(scene, ran, await overtaken);
  model.ran(ran, before, {
    // The refresh of a paused run may have read the other run's changes.
    isRefreshed: how.refresh === true || scene.wasOvertaken,
    isGuarded: how.guard === true,
    isPart: isPart(scene.program, how),
    isDisturbed: isDisturbed || scene.isFaulty,
    adopts: how.adopt === true,
    ...(how.overwrite !== true && {
      drift: how.drift,
      kept: keptBy(scene.program, how),
    }),
    // Under real pulumi nobody sees the whole plan: a create under another name is only announced.
    isMadeAgain: how.allowed !== undefined || house.isPulumi,
    program,
  });
  const { warnings = [] } = ran;
  if (ran.result?.outcome === "succeeded" && warnings.length > 0 && !scene.isFaulty)
    model.breaks("warned", warnings.join("\n"));
  // The cost of deleting an already deleted object is only estimated.
  const isFaulty =
    scene.isFaulty ||
    model.hasDeleted() ||
    isDisturbed ||
    ran.planned.guarded.length > 0 ||
    // A lost object may appear at any time.
    ran.planned.said.some((line) => line.includes("this run looks for the object first")) ||
    ran.said.length > 0;
  if (!isFaulty && ran.result?.outcome === "succeeded" && ran.planned.result?.outcome === "succeeded")
    checkEstimate(model, ran);
  calm(scene);
  return ran;
}

/** Another run while this one is paused, after somebody removed its lock. @returns the state that it wrote */
async function overtake(scene: Scene): Promise<string> {
  const { house, model, requests } = scene;
  scene.wasOvertaken = true;
  await house.reads(async (_shop, stack) => unlock(stack));
  // Requests that the shop has handled belong to the paused run's plan.
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  model.take("requests");
  const wake = model.setAside();
  await upAllowed(scene, {});
  wake();
  scene.requests = requests;
  return house.stateText() ?? "";
}

/** A run that lost its lock sends only its pending request, and leaves the other run's state alone. */
function checkOvertaken({ house, model }: Scene, { error }: Ran, state: string): void {
  if (!/the lock .* is gone/.test(error?.message ?? ""))
    model.breaks("overtaken", `the run went on: ${error?.message ?? "no error"}`);
  if ((house.stateText() ?? "") !== state)
    model.breaks("overtaken", "the run wrote its state over another one's");
}

function calm(scene: Scene): void {
  for (const { house } of scene.yards.values()) house.shop.faults.clear();
  scene.house.setWhim(undefined);
  scene.isFaulty = false;
}

function checkEstimate(model: Shops, { requests, steps, planned }: Ran & { readonly planned: Ran }): void {
  if (planned.requestsNeeded === undefined) return;
  // A recently lost object is searched for until it appears or its time is over, so the number of requests isn't
  // known. A list of several pages is read page by page.
  const isRepeat = (line: string, at: number) =>
    at > 0 &&
    !isWrite(line) &&
    requests.lastIndexOf(line, at - 1) > requests.slice(0, at).findLastIndex(isWrite);
  if (planned.cutOffs > 0 && requests.some(isRepeat)) return;
  // At most as many as announced; the announcement may be a tenth, and two, too high.
  const { requestsNeeded: most } = planned;
  const isOpen = planned.plan.some(({ changes }) => changes.some((one) => one.new === unknownText));
  if (requests.length > most || (most > requests.length * 1.1 + 2 && !isOpen))
    model.breaks(
      "estimate",
      `${planned.requestsNeeded} requests were announced, ${requests.length} were sent: ${requests.join(", ")}; steps ${steps.join(", ")}`,
    );
}

const named =
  /conflict:|was deleted in the shop|already|can't adopt(?!.*there is none with that id)|two resources|set adopt|adopt: "key" found|costs money|was interrupted|an earlier run|last modification|can't be deleted|is not deleted|is not replaced|leave it out|of one variant of the shop|[Rr]emove it from one of the two|the rest was applied|no variant has this|is protected|marked for protection|write each sku once|remove the alias of one of them/;

/** After two more runs without faults, nothing is left to do, or a refusal says why. */
async function settle(scene: Scene, how: How): Promise<void> {
  const { house, model } = scene;
  calm(scene);
  for (let turn = 0; turn < 2; turn += 1) {
    const before = JSON.stringify(house.state());
    const ran = await up(scene, how);
    if (model.broken().length > 0) return;
    // With real pulumi, a run without changes isn't repeated.
    const isSame = house.isPulumi && JSON.stringify(house.state()) === before;
    const isOver = isSame && ran.result?.outcome === "succeeded";
    if (isOver && leftBy(ran).length === 0) return model.checkMade();
  }
  const left = await up(scene, {});
  if (model.broken().length > 0) return;
  const failures = [...(left.result?.failures ?? []), ...(left.planned.result?.failures ?? [])];
  const unnamed = failures.filter(({ message }) => !named.test(message));
  if (unnamed.length > 0 || left.error !== undefined)
    model.breaks("stuck", `${left.error?.message ?? ""} ${unnamed.map(({ message }) => message).join("\n")}`);
  const steps = leftBy(left);
  if (failures.length === 0 && steps.length > 0)
    model.breaks("stuck", `after two runs there is still to do: ${steps.join(", ")}`);
  if (failures.length === 0) model.checkMade();
}

/** The announced steps of a run, and its requests. */
function leftBy({ planned, requests }: Ran & { readonly planned: Ran }): readonly string[] {
  const texts = stepNotices(planned.notices);
  // The output for the user; after one run, the state has the shop's values.
  const shown = planned.plan.filter(
    (step) =>
      isOwn(step) &&
      (!sendsNothing(step, texts) || isDoneAlready(step, texts)) &&
      // A row whose variant was deleted is named until it is removed from the sheet.
      (kindOfType(step.type) !== sheetKind.kind || texts.changes(step)?.sends !== 0),
  );
  return [...shown.map(({ op, name }) => `${op} ${name}`), ...requests.filter(isWrite)];
}

/** The products of sheets exist before the first sheet. */
async function stockGoods(yard: Yard): Promise<void> {
  const { house, model, furniture } = yard;
  if (yard.goods !== undefined) return;
  // A product that the shop creates and nobody manages.
  const other = openHouse();
  const variants = [0, 1, 2, 3].map((row) => ({ sku: `P${row}`, price: 50 }));
  await other.go([{ kind: "Product", name: "goods", args: { title: "Goods", variants } }]);
  const [row] = other.rows("product");
  await other.close();
  if (row === undefined) throw new Error("no goods were made");
  const own = itemsOf(row).map((item, at) => ({ ...item, id: 7_000_000 + at }));
  const [category] = house.rows("category");
  makeAgain(house, { table: "product", row: { ...row, category_id: category?.id ?? null, variants: own } });
  model.take("staff");
  const made = house.rows("product").find(({ permalink }) => permalink === row.permalink);
  if (made === undefined) return;
  yard.goods = keyOf("product", made);
  furniture.add(yard.goods);
}

/** The id that an entry could adopt: its own object's, or the last free one of its kind. */
function adoptable({ house, furniture }: Yard, entry: Entry): string | undefined {
  const states = house.state();
  const own = states.find(({ urn }) => urn.split("::").at(-1) === entry.name);
  if (own?.id !== undefined) return own.id;
  const known = new Set(states.map(objectOf));
  const { table } = kindOf(entry);
  const row = house
    .rows(table)
    .findLast((one) => !known.has(keyOf(table, one)) && !furniture.has(keyOf(table, one)));
  return row === undefined ? undefined : String(row.id);
}

/** Edits of staff, outside the interface. */
function staffEdits(scene: Scene, yard: Yard, edit: Staff, isRunning: boolean): void {
  const { house, model, deleted, furniture, goods } = yard;
  if (edit.staff === "again") {
    const last = deleted.pop();
    if (last !== undefined) makeAgain(house, last);
    model.take("staff");
    return;
  }
  // The shop's initial content belongs to nobody.
  const there = [...model.rows()].filter(([key]) => !furniture.has(key) || key === goods);
  const isMeant = ([, row]: (typeof there)[number]) => edit.staff !== "sell" || row.variants !== undefined;
  const meant = round(there.filter(isMeant), edit.at);
  if (meant === undefined) return;
  const [key, row] = meant;
  const table = key.split("/")[0] ?? "";
  if (edit.staff === "delete") {
    deleted.push({ table, row });
    house.shop.edit({ kind: table, id: row.id, delete: true });
    model.take("staff");
    return;
  }
  if (edit.staff === "make") {
    makeLike(house, table, row, scene.fresh());
    model.take("staff");
    return;
  }
  if (edit.staff === "sell") {
    const variants = (row.variants ?? []) as readonly Stored[];
    const sold = variants.map((one) => ({ ...one, quantity: Math.max(0, Number(one.quantity ?? 0) - 1) }));
    if (variants.length > 0) house.shop.edit({ kind: table, id: row.id, set: { variants: sold } });
    model.take("staff");
    return;
  }
  if (edit.staff === "reorder" || edit.staff === "rekey") {
    const variants = row.variants as readonly Stored[] | undefined;
    // A sheet's row means the variant with its key (findings.test.ts).
    if (variants === undefined || (edit.staff === "rekey" && key === goods)) return;
    const at = edit.at % variants.length;
    const sku = `staff${scene.fresh()}`;
    const changed =
      edit.staff === "reorder"
        ? variants.toReversed()
        : variants.map((one, each) => (each === at ? { ...one, sku } : one));
    house.shop.edit({ kind: table, id: row.id, set: { variants: changed } });
    model.take("staff");
    return;
  }
  if (edit.staff === "item") {
    const variants = row.variants as readonly Stored[] | undefined;
    if (variants === undefined) return;
    const n = scene.fresh();
    // Deletes an existing object and creates it again.
    if (edit.at % 4 === 3) {
      const again = variants.map((one, at) =>
        at === edit.at % variants.length ? { ...one, id: 8_000_000 + n } : one,
      );
      house.shop.edit({ kind: table, id: row.id, set: { variants: again } });
      model.take("staff");
      return;
    }
    // A variant for a sheet, if no product has it.
    const kept = keptSku(n);
    const isThere = [...model.rows().values()].some((one) => itemsOf(one).some(({ sku }) => sku === kept));
    const item = { ...variants[0], id: 5_000_000 + n, sku: isThere ? `staff${n}` : kept, price: `${n}.25` };
    house.shop.edit({ kind: table, id: row.id, set: { variants: [...variants, item] } });
    model.take("staff");
    model.added(key, item.id, item.sku);
    return;
  }
  const places = [...placesFor(table, row), ...(key === goods ? [oldPrice] : [])];
  const place = round(places, edit.place);
  // A sheet's prices have their own rules.
  if (place === undefined || (edit.staff !== "set" && key === goods)) return;
  if (edit.staff === "set") setPlace(scene, yard, { key, row }, { place, at: edit.place, isRunning });
  else setOther(scene, yard, { key, row }, { place, at: edit.place, isSame: edit.staff === "same" });
}

/** A field that staff give the program's value, or empty. */
function setOther(
  { program }: Scene,
  { house, model }: Yard,
  { key, row }: { readonly key: string; readonly row: Stored },
  { place, at, isSame }: { readonly place: Place; readonly at: number; readonly isSame: boolean },
): void {
  const state = house.state().find((one) => objectOf(one) === key);
  const args = program.find(({ name }) => state !== undefined && name === nameOf(state.urn))?.args;
  const listIn = (of: Values | Stored | undefined) =>
    (place.inner === undefined ? [] : (of?.[place.argument] ?? [])) as readonly Stored[];
  const items = listIn(row);
  const own = items[at % Math.max(1, items.length)];
  const stated = listIn(args).find((one) => one.sku === own?.sku);
  const asked = place.inner === undefined ? args?.[place.argument] : stated?.[place.inner];
  const isOptional = place.argument === "description" || place.column === "old_price";
  if (isSame ? asked === undefined : !isOptional) return;
  const value = isSame && asked !== "" ? (typeof asked === "number" ? asked.toFixed(2) : asked) : null;
  try {
    const set =
      place.inner === undefined
        ? { [place.column]: value }
        : { [place.argument]: items.map((one) => (one === own ? { ...one, [place.column]: value } : one)) };
    house.shop.edit({ kind: key.split("/")[0] ?? "", id: row.id, set });
  } catch (error) {
    if ((error as Error).constructor.name !== "Taken") throw error;
    return;
  }
  model.overruled(key, place, place.inner === undefined ? undefined : own?.id);
}

function placesFor(table: string, row: Stored): readonly Place[] {
  const kinds = walkKinds.filter((one) => one.table === table);
  const isJson = /\.json$/.test(String(row.name ?? ""));
  const kind = kinds.find(({ places }) => isJson === (places[0]?.stored(1) !== "w1")) ?? kinds[0];
  return kind === undefined ? [] : placesOf(kinds.length === 1 ? (kinds[0] ?? kind) : kind);
}

function setPlace(
  scene: Scene,
  { name, house, model }: Yard,
  { key, row }: { readonly key: string; readonly row: Stored },
  { place, at, isRunning }: { readonly place: Place; readonly at: number; readonly isRunning: boolean },
) {
  const n = scene.fresh();
  const table = key.split("/")[0] ?? "";
  const isInGap = isRunning && hasLooked(scene.requests.filter(isSentTo(name)), table, row.id);
  const value = place.stored(n);
  if (place.inner === undefined) {
    try {
      house.shop.edit({ kind: table, id: row.id, set: { [place.column]: value } });
    } catch (error) {
      // Another object has this key; the back office refuses it, too.
      if ((error as Error).constructor.name !== "Taken") throw error;
      return;
    }
    return model.edited(key, place, undefined, n, isInGap);
  }
  const items = row[place.argument] as readonly Stored[];
  const index = at % items.length;
  const changed = items.map((item, each) => (each === index ? { ...item, [place.column]: value } : item));
  house.shop.edit({ kind: table, id: row.id, set: { [place.argument]: changed } });
  model.edited(key, place, items[index]?.id, n, isInGap);
}

/** Whether a run has read an object, alone or in a list. */
function hasLooked(requests: readonly string[], table: string, id: number): boolean {
  const { list } = walkKinds.find((one) => one.table === table) ?? { list: "" };
  return requests.some((line) => {
    const path = line.split(" ")[1]?.split("?")[0] ?? "";
    return (
      line.startsWith("GET ") &&
      path.includes(list) &&
      (path.includes(`/${id}.`) || new RegExp(`${list}\\.(xml|json)$`).test(path))
    );
  });
}

function makeAgain(house: House, { table, row }: Yard["deleted"][number]): void {
  // An object that a shop has once can't be created twice.
  if (kindOfTable(table) === "RecurringCharge" && house.rows(table).length > 0) return;
  const { id: _id, created_at: _created, updated_at: _updated, archived: _archived, ...data } = row;
  const key = keyIn(table, row);
  try {
    house.shop.store.insert(table, data, row.updated_at + 1, {
      ...(key !== undefined && { key }),
      ...(row.theme_id !== undefined && { owner: Number(row.theme_id) }),
    });
  } catch (error) {
    // The program was faster: the key is taken.
    if ((error as Error).constructor.name !== "Taken") throw error;
  }
}

/** A copy of an object, as similar as possible: unique fields get other values. */
function makeLike(house: House, table: string, row: Stored, n: number): void {
  const own: Readonly<Record<string, () => object>> = {
    Product: () => ({
      permalink: `${row.permalink}-${n}`,
      variants: itemsOf(row).map((item, at) => ({
        ...item,
        id: 6_000_000 + n * 10 + at,
        sku: `like${n}-${at}`,
      })),
    }),
    Coupon: () => ({
      code: alike(String(row.code), (code) => isFree(house, table, { ...row, code })) ?? `like${n}`,
    }),
    Asset: () => ({ name: `like${n}.${String(row.name).split(".").at(-1)}` }),
  };
  makeAgain(house, { table, row: { ...row, ...own[kindOfTable(table)]?.() } });
}

/** The same letters in another case: the same name for users. */
const alike = (text: string, isFreeText: (text: string) => boolean) =>
  [text.toLowerCase(), text.toUpperCase(), `${text.charAt(0)}${text.slice(1).toLowerCase()}`].find(
    isFreeText,
  );

const isFree = (house: House, table: string, row: Stored) =>
  !house.rows(table).some((other) => keyIn(table, other) === keyIn(table, row));

const itemsOf = (row: Stored) => (row.variants ?? []) as readonly Stored[];

function keyIn(table: string, row: Stored): string | undefined {
  const kind = kindOfTable(table);
  if (kind === "Product") return String(row.permalink);
  if (kind === "Coupon") return String(row.code);
  return kind === "Asset" ? `${row.theme_id}/${row.type}/${row.name}` : undefined;
}

/** The shortest walk that breaks the same rule: moves are removed one by one. */
export async function shrink(
  moves: readonly Move[],
  what: Broken["what"],
  settles = true,
): Promise<readonly Move[]> {
  let shortest = moves;
  for (let size = Math.ceil(moves.length / 2); size > 0; ) {
    let shorter: readonly Move[] | undefined;
    for (let from = 0; from < shortest.length && shorter === undefined; from += size) {
      const without = shortest.toSpliced(from, size);
      const { broken } = await walk(without, settles);
      if (broken[0]?.what === what) shorter = without;
    }
    if (shorter !== undefined) shortest = shorter;
    else size = Math.floor(size / 2);
  }
  return shortest;
}

/** A walk as a test to paste. */
export const script = (moves: readonly Move[], { what, text }: Broken): string =>
  [
    `// ${what}: ${text}`,
    `test("a walk", async () => {`,
    "  const { broken } = await walk([",
    ...moves.map((move) => `    ${JSON.stringify(move)},`),
    "  ]);",
    "  expect(broken).toEqual([]);",
    "});",
  ].join("\n");
