/** The shops of a walk, each with a model of its own: the stack's, and that of the program's own provider. */
import type { Event, Failure, State, Step } from "../../engine/index.ts";
import { nameOf } from "../../engine/index.ts";
import type { Ran, Resource } from "./house/types.ts";
import type { House } from "./house.ts";
import { type Broken, type Counts, type HowRan, type Model, openModel } from "./model.ts";
import type { Files, Pulled } from "./pull.ts";

export type ShopName = "own" | "other";
type States = ReturnType<House["state"]>;
type Planned = Ran & { readonly planned: Ran };

/** The shop of a state or a step. Only the provider that the program makes has a name of its own. */
const shopOf = ({ provider }: Pick<Step | State, "provider">): ShopName =>
  provider !== undefined && nameOf(provider).split("::")[0] === "other" ? "other" : "own";

const inShop =
  (shop: ShopName) =>
  (one: Pick<State, "provider">): boolean =>
    shopOf(one) === shop;

/** The resources of a program in one shop. */
export const programIn = <One extends Resource>(shop: ShopName, program: readonly One[]): readonly One[] =>
  program.filter((one) => (one.shop ?? "own") === shop);

/** A house as it looks to somebody who knows one of its shops. */
export function houseIn(shop: ShopName, house: House): House {
  const state = () => house.state().filter(inShop(shop));
  if (shop === "own") return { ...house, shop: house.shop, state };
  const other = house.other();
  return { ...house, shop: other, state, rows: (table) => other.store.list(table) };
}

/** Whether a request went to a shop: those to the other one have its address. */
export const isSentTo =
  (shop: ShopName) =>
  (line: string): boolean =>
    / https?:/.test(line) === (shop === "other");

const stepsOf = new WeakMap<readonly Event[], Map<ShopName, readonly Event[]>>();

/** The events about one shop; the same list for the same events. */
function eventsIn(shop: ShopName, events: readonly Event[]): readonly Event[] {
  const known = stepsOf.get(events) ?? new Map<ShopName, readonly Event[]>();
  stepsOf.set(events, known);
  const found =
    known.get(shop) ?? events.filter((event) => !("step" in event) || shopOf(event.step) === shop);
  known.set(shop, found);
  return found;
}

/** A run as it concerns one shop. */
function ranIn(shop: ShopName, ran: Ran, isIn: (urn: string) => boolean): Ran {
  const isMeant = ({ urn }: Failure) => urn === undefined || isIn(urn);
  return {
    ...ran,
    ...(ran.result && { result: { ...ran.result, failures: ran.result.failures.filter(isMeant) } }),
    events: eventsIn(shop, ran.events),
    plan: ran.plan.filter(inShop(shop)),
    notices: ran.notices.filter(inShop(shop)),
    requests: ran.requests.filter(isSentTo(shop)),
  };
}

/** The models of a walk's shops behind one interface. */
export function openShops(house: House) {
  const shops = new Map<ShopName, Model>([["own", openModel(houseIn("own", house))]]);
  const own = shops.get("own") as Model;
  const each = (work: (model: Model, shop: ShopName) => void) => {
    for (const [shop, model] of shops) work(model, shop);
  };
  const all = <T>(work: (model: Model) => readonly T[]): readonly T[] => [...shops.values()].flatMap(work);
  /** Sees a run as a shop does, by the resources of the program and of both states. */
  const seen = (before: States, program: readonly Resource[]) => {
    const states = [...before, ...house.state()];
    return (shop: ShopName, ran: Ran): Ran => {
      const isIn = (urn: string) => {
        const known = states.find((one) => one.urn === urn);
        const asked = program.find(({ name }) => name === nameOf(urn));
        return (known === undefined ? (asked?.shop ?? "own") : shopOf(known)) === shop;
      };
      return ranIn(shop, ran, isIn);
    };
  };
  let program: readonly Resource[] = [];
  return {
    own,
    /** The model of the other shop, which is opened with its first use. */
    other(): Model {
      const model = shops.get("other") ?? openModel(houseIn("other", house));
      shops.set("other", model);
      return model;
    },
    in: (shop: ShopName) => (shop === "own" ? own : shops.get("other")),
    names: () => [...shops.keys()],
    broken: (): readonly Broken[] => all(({ broken }) => broken),
    counts(): Counts {
      const [first, ...others] = all(({ counts }) => [counts]) as [Counts, ...Counts[]];
      const sum = { ...first };
      for (const { conflicts, kept, gap } of others) {
        sum.conflicts += conflicts;
        sum.kept += kept;
        sum.gap += gap;
      }
      return sum;
    },
    breaks: own.breaks,
    rows: own.rows,
    take: (by: "staff" | "requests") => each((model) => model.take(by)),
    removed: (state: States[number], key: string) => shops.get(shopOf(state))?.removed(key),
    begins: () => each((model) => model.begins()),
    shown: (ran: Ran) => each((model) => model.shown(ran)),
    forget: () => each((model) => model.forget()),
    olderState: () => each((model) => model.olderState()),
    checkMade: () => each((model) => model.checkMade()),
    hasDeleted: () => all((model) => [model.hasDeleted()]).some(Boolean),
    setAside(): () => void {
      const wake = all((model) => [model.setAside()]);
      return () => {
        for (const one of wake) one();
      };
    },
    refreshed: (before: States) => each((model, shop) => model.refreshed(before.filter(inShop(shop)))),
    /** @param asked the program, if it isn't that of the last run */
    looked(ran: Ran, before: States, asked = program): void {
      const see = seen(before, asked);
      each((model, shop) => model.looked(see(shop, ran), before.filter(inShop(shop))));
    },
    ran(ran: Planned, before: States, how: HowRan): void {
      program = how.program;
      const see = seen(before, program);
      each((model, shop) => {
        const planned = see(shop, ran.planned);
        const told = { ...see(shop, ran), planned };
        const { kept } = how;
        model.ran(told, before.filter(inShop(shop)), { ...how, kept, program: programIn(shop, program) });
      });
    },
    accepted: (now: readonly Resource[], written: number) =>
      each((model, shop) => model.accepted(programIn(shop, now), shop === "own" ? written : 0)),
    /** A pull reads the stack's shop, and leaves the resources of the other one as they are. */
    pulled(before: Files, pulled: Pulled, kinds: readonly string[]): void {
      each((model, shop) => {
        const part = <F extends Files>(files: F): F => ({
          ...files,
          program: shop === "own" ? programIn("own", files.program) : [],
        });
        model.pulled(part(before), part(pulled), kinds);
      });
      const others = [before, pulled].map((files) => JSON.stringify(programIn("other", files.program)));
      if (others[0] !== others[1]) own.breaks("pull", `the other shop's resources are ${others[1]}`);
    },
  };
}

export type Shops = ReturnType<typeof openShops>;
