/** Disks without sync: tests don't cut the power, and syncing takes most of a small run's time. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

fs.fsyncSync = () => {};
fs.fdatasyncSync = () => {};
syncBuiltinESMExports();
