import * as fc from "fast-check";
import { cases, type Case } from "./case.ts";
import { judged } from "./judge.ts";
import { smallest } from "./shrink.ts";
const t = performance.now();
let n = 0;
const out: Record<string, number> = {};
const same = (a: string) => a.replace(/[a-g]-\d|::[a-g]\b|\b[a-g]\b/g, "X");
const sh = (o: any) =>
  JSON.stringify(o, (_k, v) => (v === false || v === 0 || (Array.isArray(v) && !v.length) ? undefined : v));
const kinds = new Set<string>();
const runs = Number(process.argv[2] ?? 200),
  seed = Number(process.argv[3] ?? 1);
for (const one of fc.sample(cases, { numRuns: runs, seed })) {
  n++;
  const why = await judged(one, (k) => {
    out[k] = (out[k] ?? 0) + 1;
  });
  if (!why.length) continue;
  const kind = same(why[0]!);
  if (kinds.has(kind)) {
    out[kind] = (out[kind] ?? 0) + 1;
    continue;
  }
  kinds.add(kind);
  const small = await smallest(one, async (c) => {
    const w = await judged(c);
    return w.some((x) => same(x) === kind);
  });
  console.log("=== case", n);
  for (const o of small.olds) console.log("  ", sh(o));
  console.log("program");
  for (const o of small.program) console.log("  ", sh(o));
  console.log(sh({ ...small, olds: [], program: [] }));
  console.log(await judged(small));
}
console.log(n, "cases", Math.round(performance.now() - t), "ms", JSON.stringify(out));
