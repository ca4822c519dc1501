/**
 * `npm run campaign -- --walks 20000 [--from SEED] [--workers N]`: runs this number of walks (test/walks) on all cores
 * and prints a line for each thousand. A walk that breaks a rule is printed immediately as a script, reduced to the
 * necessary moves, and sets the exit code. `npm run campaign -- --trace SEED`, or a file with such a script, prints
 * every step of one walk.
 */
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type Move, movesOf } from "../test/walks/moves.ts";
import { add, line, none, type Totals } from "../test/walks/share.ts";
import { trace } from "../test/walks/trace.ts";

const { values } = parseArgs({
  options: {
    walks: { type: "string" },
    trace: { type: "string" },
    from: { type: "string", default: "1" },
    workers: { type: "string", default: String(availableParallelism()) },
  },
});
if (values.trace !== undefined) {
  await trace(movesIn(values.trace), (line) => process.stdout.write(`${line}\n`));
  process.exit();
}

/** The moves of a seed, or those in a file, one per line. */
function movesIn(what: string): readonly Move[] {
  if (/^\d+$/.test(what)) return movesOf(Number(what));
  return readFileSync(what, "utf8")
    .split("\n")
    .flatMap((line) => /^\s*(\{"do":.*\}),?$/.exec(line)?.[1] ?? [])
    .map((line): Move => JSON.parse(line));
}

const [walks, from, workers] = [values.walks, values.from, values.workers].map(Number) as [
  number,
  number,
  number,
];
if (![walks, from, workers].every(Number.isSafeInteger))
  throw new Error("--walks, --from and --workers take integers");

const totals = none();
let broken = 0;
let next = from;

function take(answer: { readonly totals: Totals; readonly script?: string }): void {
  add(totals, answer.totals);
  if (answer.script !== undefined) {
    broken += 1;
    process.stdout.write(`\n${answer.script}\n\n`);
  }
  if (totals.walks % 1_000 === 0 || totals.walks === walks) {
    const perMinute = Math.round((totals.walks / process.uptime()) * 60);
    process.stdout.write(`${line(totals)}, broken ${broken}; ${perMinute} walks a minute\n`);
  }
}

/** A worker process that walks until there are no seeds left. */
const work = () =>
  new Promise<void>((resolve, reject) => {
    const child = fork(new URL("../test/walks/worker.ts", import.meta.url));
    const goOn = () => {
      if (next === from + walks) return child.disconnect();
      child.send(next);
      next += 1;
    };
    child.on("message", (answer: Parameters<typeof take>[0]) => {
      take(answer);
      goOn();
    });
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`a process of walks exited with code ${code}`)),
    );
    goOn();
  });

await Promise.all(Array.from({ length: workers }, work));
process.exit(broken === 0 ? 0 : 1);
