/** The embedded engine's `up` in its own process, to be killed. Started by embedded.ts with folder, stack and time. */
import { openStack, up } from "../../engine/index.ts";

const [folder = "", stack = "", time = ""] = process.argv.slice(2);
const now = () => new Date(time);
await up(openStack({ folder, stack, env: process.env, create: true, now }), { watch: () => {}, parallel: 1 });
