/** A process of `npm run campaign -- --walks`: it walks the seeds that it is told, and answers what came of them. */
import { movesOf } from "./moves.ts";
import { walkOne } from "./share.ts";

process.on("message", async (seed: number) => {
  process.send?.(await walkOne(`seed ${seed}`, movesOf(seed)));
});
process.on("disconnect", () => process.exit(0));
