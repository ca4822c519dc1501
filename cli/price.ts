/** What a plan will cost, in requests and in time, as a person reads it. */
import { kindOf, type Step } from "../engine/index.ts";
import { adoptionPrice, priceOf, type Work } from "../provider/price.ts";
import type { Spent } from "./requests.ts";

const works: Readonly<Partial<Record<Step["op"], Work>>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
};

export interface Price {
  readonly requests: number;
  readonly text: string;
}

/** The price of a plan; undefined where it costs nothing. */
export function priceOfPlan(steps: readonly Step[], spent: Spent): Price | undefined {
  const requests = requestsOf(steps);
  return requests === 0 ? undefined : { requests, text: priceText(requests, spent) };
}

/** Requests that the steps of a plan need where nothing goes wrong. */
function requestsOf(steps: readonly Step[]): number {
  const own = steps.filter(({ custom, type }) => custom && !type.startsWith("pulumi:"));
  const adopts = ({ op, inputs }: Step) => works[op] === "create" && inputs.adopt !== undefined;
  const adoptions = Map.groupBy(own.filter(adopts), ({ type }) => kindOf(type));
  const changing = own.filter((step) => !adopts(step));
  return (
    [...adoptions].reduce((sum, [kind, { length }]) => sum + adoptionPrice(kind, length), 0) +
    changing.reduce((sum, { op, type, changes }) => {
      const work = works[op];
      const paths = changes.map(({ path }) => path);
      return work === undefined ? sum : sum + priceOf(kindOf(type), work, paths);
    }, 0)
  );
}

/** Seconds of one request: what a shop across the internet takes, one after the other. */
const usualSeconds = 0.3;
const windowSeconds = 300;

/** `19 of 500 requests, about 6 s; window 41/500 used`. */
export function priceText(requests: number, { used, limit }: Spent): string {
  if (limit === null || used === null) return `${requests} requests, ${timeText(requests * usualSeconds)}`;
  const left = limit - used;
  // What doesn't fit in this window waits for the next ones.
  const windows = requests <= left ? 0 : Math.ceil((requests - left) / limit);
  const seconds = Math.max(requests * usualSeconds, windows * windowSeconds);
  return `${requests} of ${limit} requests, ${timeText(seconds)}; window ${used}/${limit} used`;
}

function timeText(seconds: number): string {
  if (seconds < 1) return "about 1 s";
  return seconds < 100 ? `about ${Math.round(seconds)} s` : `about ${Math.round(seconds / 60)} min`;
}
