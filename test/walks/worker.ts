/** A process of `npm run campaign -- --walks`: runs the walks of its seeds and returns the results. */
import { movesOf } from "./moves.ts";
import { walkOne } from "./share.ts";

process.on("message", async (seed: number) => {
  process.send?.(await walkOne(`seed ${seed}`, movesOf(seed)));
});
process.on("disconnect", () => process.exit(0));
