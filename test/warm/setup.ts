/** After each file of tests. */
import { afterAll } from "vitest";
import { closeHelpers } from "./started.ts";

afterAll(closeHelpers);
