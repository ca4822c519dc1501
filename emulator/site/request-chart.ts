/**
 * Requests over time: a bar for each five seconds of the last five minutes, with reads, writes and refused requests
 * stacked.
 */
import type { Entry } from "../request-log.ts";

const seconds = 5;
const bars = 60;
const height = 48;

export function requestChart(log: readonly Entry[], now: number): string {
  const last = Math.floor(now / 1000 / seconds);
  const sums = Array.from({ length: bars }, () => ({ reads: 0, writes: 0, refused: 0 }));
  let total = 0;
  for (let at = log.length - 1; at >= 0; at -= 1) {
    const { at: time, method, status } = log[at] as Entry;
    const sum = sums[bars - 1 - last + Math.floor(time / 1000 / seconds)];
    // Earlier entries are older still.
    if (sum === undefined) break;
    total += 1;
    sum[status === 429 || status === 503 ? "refused" : method === "GET" ? "reads" : "writes"] += 1;
  }
  const most = Math.max(1, ...sums.map(({ reads, writes, refused }) => reads + writes + refused));
  const rects = sums.flatMap((sum, at) => {
    let top = height;
    return (["reads", "writes", "refused"] as const).map((name) => {
      const tall = (sum[name] / most) * height;
      top -= tall;
      return tall === 0
        ? ""
        : `<rect class="${name}" x="${at * 5}" y="${top.toFixed(1)}" width="4" height="${tall.toFixed(1)}"/>`;
    });
  });
  const words = `${total} requests in the last five minutes, at most ${most} in ${seconds} seconds`;
  return `<figure><svg viewBox="0 0 ${bars * 5} ${height}" preserveAspectRatio="none" role="img" aria-label="${words}">${rects.join("")}</svg>
<figcaption><span class="reads">reads</span> <span class="writes">writes</span> <span class="refused">refused</span> · last five minutes</figcaption></figure>`;
}
