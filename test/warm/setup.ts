/** Before and after each file of tests. */
import "./sdk.ts";
import { afterAll } from "vitest";
import { closeHelpers } from "./started.ts";

afterAll(closeHelpers);
