import { readFileSync } from "node:fs";
import { test } from "vitest";
import { walk } from "./walk.ts";

test("x", async () => {
  process.env.DBG = "1";
  const { broken } = await walk(
    JSON.parse("[" + readFileSync("/tmp/moves", "utf8").trim().replace(/,$/, "") + "]") as never,
  );
  console.log(broken);
});
