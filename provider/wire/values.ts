/** Values whose place is known, as what stands there. */
import type { Values } from "./codec.ts";

/** The items of a list; none where there is no list. */
export const listOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value : []);

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** The values of an object by name; none where there is none. */
export const valuesOf = (value: unknown): Values => (isValues(value) ? value : {});
