/** Cases in a short form without default values. */
import type { Case, Old, Wanted } from "./case.ts";

type Short<Item> = Partial<Omit<Item, "options">> & {
  readonly name: string;
  readonly options?: Partial<Old["options"]>;
};

export interface ShortCase extends Partial<Omit<Case, "olds" | "program">> {
  readonly olds?: readonly Short<Old>[];
  readonly program?: readonly Short<Wanted>[];
}

const shape = {
  component: false,
  parent: undefined,
  dependsOn: [],
  of: undefined,
  deletedWith: undefined,
  key: 0,
  color: 0,
  first: false,
};
const options = { protect: false, retainOnDelete: false, deleteBeforeReplace: undefined };

/** The complete case. */
export const caseOf = ({ olds = [], program = [], ...rest }: ShortCase): Case => ({
  troubles: [],
  gone: [],
  edited: [],
  unsure: [],
  operation: "up",
  replace: [],
  parallel: 1,
  cut: undefined,
  throws: false,
  ...rest,
  olds: olds.map((one) => ({
    status: "whole",
    leftover: false,
    pending: undefined,
    ...shape,
    ...one,
    options: { ...options, ...one.options },
  })),
  program: program.map((one) => ({
    external: false,
    alias: undefined,
    ...shape,
    ...one,
    options: { ...options, ...one.options },
  })),
});

const isUsual = (value: unknown) =>
  value === undefined ||
  value === false ||
  value === 0 ||
  value === "whole" ||
  (typeof value === "object" && Object.keys(value as object).length === 0);

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, bare(one)]);
  return Object.fromEntries(entries.filter(([, one]) => !isUsual(one)));
}

/** The short form of a case, which caseOf accepts. */
export const shown = (one: Case): string => JSON.stringify(bare(one), undefined, 1);
