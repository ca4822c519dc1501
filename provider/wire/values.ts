/** Values whose place is known, as what stands there. */
import type { Values } from "./codec.ts";

/** The items of a list; none where there is no list. */
export const listOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value : []);

/** Whether nothing stands there; to a shop an empty text and an empty list are nothing too. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** The values of an object by name; none where there is none. */
export const valuesOf = (value: unknown): Values => (isValues(value) ? value : {});
