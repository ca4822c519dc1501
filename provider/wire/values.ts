/** Reads lists and objects out of untyped values. */
import type { Values } from "./codec.ts";

/** The items of a list; empty if it isn't one. */
export const listOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value : []);

/** Whether a value is empty. For a shop, an empty text and an empty list are nothing too. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** The properties of an object; empty if it isn't one. */
export const valuesOf = (value: unknown): Values => (isValues(value) ? value : {});
