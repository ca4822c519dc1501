/** Groups writes into runs: requests of one client without a long pause, or edits by staff. */

export interface Run {
  readonly id: number;
  /** The client's name without version: `pulumi-shop up`, `curl`. */
  readonly by: string;
  readonly isStaff: boolean;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly last: number;
}

export type Runs = ReturnType<typeof openRuns>;

const mostRuns = 50;
const longestPause = 10_000;
const staff = "staff";

export function openRuns() {
  const runs: { -readonly [name in keyof (Run & { agent: string })]: (Run & { agent: string })[name] }[] = [];
  let id = 0;
  const note = (agent: string, at: number, isStaff: boolean): number => {
    const found = runs.find((one) => one.agent === agent && one.isStaff === isStaff);
    // After an edit by staff a new run begins; edits belong to different runs if another run is between them.
    const isNext =
      found?.id === id || (!isStaff && !runs.some((one) => one.isStaff && one.id > (found?.id ?? 0)));
    // A client that names its run, such as ours, may pause for any time.
    if (found !== undefined && (runOf(agent) !== undefined || (isNext && at - found.last <= longestPause))) {
      found.count += 1;
      found.last = at;
      return found.id;
    }
    id += 1;
    runs.unshift({ id, agent, isStaff, by: nameOf(agent), count: 1, last: at });
    if (runs.length > mostRuns) runs.pop();
    return id;
  };
  return {
    /** The latest runs, newest first. */
    list: runs as readonly Run[],
    /** Notes a request. @returns the number of its run */
    ofClient: (agent: string | undefined, at: number): number =>
      note((agent ?? "a client").slice(0, 200), at, false),
    /** Notes an edit by staff. @returns the number of its run */
    ofStaff: (at: number): number => note(staff, at, true),
    clear: (): void => void runs.splice(0),
  };
}

/** `up` in `pulumi-shop/0.1.0 (up; 3f9a)`: the verb of a client that also names its run. */
const runOf = (agent: string): string | undefined => /^\S+ \((\w+); \w+\)$/.exec(agent)?.[1];

function nameOf(agent: string): string {
  const [name = agent] = agent.split(/[/ ]/);
  const verb = runOf(agent);
  return verb === undefined ? (agent.includes("/") || agent.includes("(") ? name : agent) : `${name} ${verb}`;
}
