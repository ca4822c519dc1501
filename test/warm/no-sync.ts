/** Disks that take what is written at once: no test cuts the power, and waiting for a disk is most of a small run's time. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

fs.fsyncSync = () => {};
fs.fdatasyncSync = () => {};
syncBuiltinESMExports();
