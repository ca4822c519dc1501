/** The embedded engine's `up` in a process of its own, to be killed. Started by embedded.ts with the folder and the stack. */
import { openStack, up } from "../../engine/index.ts";

const [folder = "", stack = ""] = process.argv.slice(2);
await up(openStack({ folder, stack, env: process.env, create: true }), { watch: () => {}, parallel: 1 });
