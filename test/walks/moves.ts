/** The moves of a walk as values: what a user, staff and the network do. A generator with a seed draws them. */
import { faultNames } from "../../emulator/faults.ts";
import { repeatable } from "../emulator/in-process.ts";
import type { Form } from "./house/types.ts";

/** The shop of the program's own provider; otherwise the stack's. */
interface Where {
  readonly shop?: "other";
}

/** A number selects one of the existing objects, modulo their count, so that any move can be left out. */
export type Staff = Where & StaffEdit;

type StaffEdit =
  | { readonly staff: "set"; readonly at: number; readonly place: number }
  | { readonly staff: "delete"; readonly at: number }
  | { readonly staff: "again" }
  | { readonly staff: "item"; readonly at: number }
  /** A field gets the value that the program asks for, or is emptied. */
  | { readonly staff: "same" | "clear"; readonly at: number; readonly place: number }
  /** The items of a list change places, or one gets another key. */
  | { readonly staff: "reorder"; readonly at: number }
  | { readonly staff: "rekey"; readonly at: number }
  /** A shopper buys one. */
  | { readonly staff: "sell"; readonly at: number }
  /** Creates a copy of an object, as similar as the shop allows. */
  | { readonly staff: "make"; readonly at: number };

export interface Meanwhile {
  /** Before this request of the run, from 1; 0 is between the preview and the run. */
  readonly before: number;
  readonly edit: Staff;
}

/** The options of a run. */
export interface How {
  readonly adopt?: boolean;
  readonly badPassword?: boolean;
  /** The wrong argument of the other shop's provider. */
  readonly wrong?: "password" | "url";
  readonly refresh?: boolean;
  /** Whether the stack is protected. */
  readonly guard?: boolean;
  /** Whether the program's values win over edits of staff. */
  readonly overwrite?: boolean;
  /** The stack's answer to edits of staff that a refresh has read. */
  readonly drift?: "keep" | "stop";
  /** Selects the resource of the program whose edits of staff stay. */
  readonly keep?: number;
  /** Selects the only resource that the run handles, the only one that it leaves out, or one to replace. */
  readonly select?: { readonly by: "target" | "exclude" | "replace"; readonly at: number };
  /** Permitted names. */
  readonly allowed?: readonly string[];
  readonly meanwhile?: Meanwhile;
  /** The machine sleeps at this request, from 1; meanwhile somebody unlocks the stack and runs `up`. */
  readonly paused?: number;
}

export type Move =
  | (Where & { readonly do: "add"; readonly kind: number; readonly slot: number; readonly module?: boolean })
  | { readonly do: "remove"; readonly at: number }
  | { readonly do: "value"; readonly at: number; readonly place: number }
  | { readonly do: "rename"; readonly at: number; readonly alias: boolean }
  | { readonly do: "into"; readonly at: number }
  /** A field goes into `ignoreChanges`, or all leave it. */
  | { readonly do: "ignore"; readonly at: number; readonly place: number }
  /** A resource gets an option, or loses it. */
  | { readonly do: "option"; readonly at: number; readonly name: "retainOnDelete" | "protect" }
  /** A text ends with the id of an earlier resource from now on, or no longer. */
  | { readonly do: "refer"; readonly at: number; readonly to: number }
  | { readonly do: "items"; readonly at: number; readonly how: "add" | "remove" | "reorder" | "rekey" }
  /** A row of a price sheet is set or removed; the first one creates the sheet. */
  | (Where & {
      readonly do: "sheet";
      readonly slot: number;
      readonly row: number;
      readonly how: "row" | "no row";
    })
  /** A price sheet gets another name, with an alias or without one. */
  | (Where & { readonly do: "rename sheet"; readonly slot: number; readonly alias: boolean })
  /** The active time of a sheet, in hours from now; always if neither is given. */
  | (Where & { readonly do: "sale"; readonly slot: number; readonly from?: number; readonly hours?: number })
  | { readonly do: "pass"; readonly hours: number }
  | { readonly do: "adopt"; readonly at: number; readonly how: "key" | "id" | "off" }
  | { readonly do: "revert"; readonly by: number }
  | ({ readonly do: "staff" } & Staff)
  | (Where & { readonly do: "fault"; readonly fault: (typeof faultNames)[number]; readonly method: string })
  /** The shop ignores or rejects an element of the next write. */
  | { readonly do: "whim"; readonly how: "ignores" | "refuses"; readonly element: string }
  | { readonly do: "preview" | "refresh" | "up" | "destroy"; readonly how: How }
  /** An argument is no longer set, or set to an empty text. */
  | { readonly do: "unset"; readonly at: number; readonly place: number; readonly isEmpty: boolean }
  /** A resource is removed from the state; its object stays. */
  | { readonly do: "state remove"; readonly at: number }
  /** Switches the program between the plugin's types and the dynamic ones. */
  /** Sets the shop's maximum page size; no limit without a number. */
  | { readonly do: "pages"; readonly most?: number }
  /** Somebody restores the state from so many runs ago. */
  | { readonly do: "older state"; readonly by: number }
  /** Somebody runs a command with another shop's address. */
  | { readonly do: "elsewhere"; readonly verb: "up" | "refresh" | "destroy" }
  /**
   * Somebody works in another project of the backend with the same stack name and resources; `cut off`: killed
   * at a response.
   */
  | { readonly do: "neighbour"; readonly verb: "up" | "cut off" | "destroy"; readonly slot: number }
  /** The other project's stack sets a field of a product that this stack has. */
  | { readonly do: "colleague"; readonly at: number; readonly field: "shortDescription" | "description" }
  /** A resource moves to the other project's state and back, with the program in between. */
  | { readonly do: "move state"; readonly at: number }
  | { readonly do: "form"; readonly form: Form }
  /** One kind, or all if undefined. */
  | { readonly do: "pull"; readonly kind?: number; readonly onlyNew: boolean }
  /** Edits of staff are written into the program: all, or those of one resource's kind. */
  | { readonly do: "accept"; readonly at?: number; readonly theirs: boolean }
  /** The user loses the program and its state. */
  | { readonly do: "leave" }
  | { readonly do: "lose state"; readonly notes: boolean };

export type Draw = ReturnType<typeof drawing>;

/** @param seed of the generator */
export function drawing(seed: number) {
  const random = repeatable(seed * 2_654_435_761 + 12_345);
  // The first numbers of similar seeds are similar.
  for (let n = 0; n < 8; n += 1) random();
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const chance = (percent: number) => below(100) < percent;
  return {
    below,
    one,
    chance,
    /** Whether the program has resources in two shops. */
    hasTwo: false,
    where(): Where {
      return this.hasTwo && chance(50) ? { shop: "other" } : {};
    },
  };
}

const howMany = 1_000;

function drawStaff(draw: Draw): Staff {
  const { below, one } = draw;
  const at = below(howMany);
  const edit = one<() => StaffEdit>([
    () => ({ staff: "set", at, place: below(howMany) }),
    () => ({ staff: "set", at, place: below(howMany) }),
    () => ({ staff: "set", at, place: below(howMany) }),
    () => ({ staff: "set", at, place: below(howMany) }),
    () => ({ staff: "same", at, place: below(howMany) }),
    () => ({ staff: "clear", at, place: below(howMany) }),
    () => ({ staff: "reorder", at }),
    () => ({ staff: "rekey", at }),
    () => ({ staff: "delete", at }),
    () => ({ staff: "again" }),
    () => ({ staff: "item", at }),
    () => ({ staff: "sell", at }),
    () => ({ staff: "make", at }),
  ])();
  return { ...edit, ...draw.where() };
}

function drawHow(draw: Draw): How {
  const { chance, below, one } = draw;
  return {
    ...(chance(15) && { adopt: true }),
    ...(chance(4) && { badPassword: true }),
    ...(draw.hasTwo && chance(6) && { wrong: one(["password", "url"] as const) }),
    ...(chance(15) && { refresh: true }),
    ...(chance(12) && { guard: true }),
    ...(chance(12) && { overwrite: true }),
    ...(chance(12) && { drift: one(["keep", "stop"] as const) }),
    ...(chance(8) && { keep: below(howMany) }),
    ...(chance(10) && { select: { by: one(["target", "exclude", "replace"] as const), at: below(howMany) } }),
    ...(chance(20) && { meanwhile: { before: below(7), edit: drawStaff(draw) } }),
    ...(chance(5) && { paused: 1 + below(6) }),
  };
}

const programEdits: readonly ((draw: Draw) => Move)[] = [
  (draw) => ({
    do: "add",
    kind: draw.below(howMany),
    slot: draw.below(howMany),
    ...(draw.chance(30) && { module: true }),
    ...draw.where(),
  }),
  ({ below }) => ({ do: "remove", at: below(howMany) }),
  ({ below }) => ({ do: "value", at: below(howMany), place: below(howMany) }),
  ({ below }) => ({ do: "value", at: below(howMany), place: below(howMany) }),
  ({ below }) => ({ do: "value", at: below(howMany), place: below(howMany) }),
  ({ below, chance }) => ({ do: "rename", at: below(howMany), alias: chance(50) }),
  ({ below }) => ({ do: "into", at: below(howMany) }),
  ({ below }) => ({ do: "ignore", at: below(howMany), place: below(howMany) }),
  ({ below, chance }) => ({ do: "unset", at: below(howMany), place: below(howMany), isEmpty: chance(50) }),
  ({ below }) => ({ do: "refer", at: below(howMany), to: below(howMany) }),
  ({ below, one }) => ({
    do: "option",
    at: below(howMany),
    name: one(["retainOnDelete", "retainOnDelete", "protect"] as const),
  }),
  ({ below, one }) => ({
    do: "items",
    at: below(howMany),
    how: one(["add", "remove", "reorder", "rekey"] as const),
  }),
  ({ below, one }) => ({ do: "adopt", at: below(howMany), how: one(["key", "id", "off"] as const) }),
  ({ below }) => ({ do: "revert", by: 1 + below(4) }),
];

const edits: readonly ((draw: Draw) => Move)[] = [
  ...programEdits,
  (draw) => ({ do: "staff", ...drawStaff(draw) }),
  (draw) => ({ do: "staff", ...drawStaff(draw) }),
  (draw) => ({ do: "staff", ...drawStaff(draw) }),
];

/** An edit of the program. */
export const drawEdit = (draw: Draw): Move => draw.one(programEdits)(draw);

const elements = [
  "title",
  "description",
  "discount",
  "content",
  "name",
  "monthly",
  "price",
  "old-price",
] as const;

const drawForm = ({ one }: Draw): Move => ({ do: "form", form: one(["dynamic", "plugin"] as const) });

const drawPull = ({ below, chance }: Draw): Move => ({
  do: "pull",
  ...(chance(40) && { kind: below(howMany) }),
  onlyNew: chance(50),
});

const drawAccept = ({ below, chance }: Draw): Move => ({
  do: "accept",
  ...(chance(30) && { at: below(howMany) }),
  theirs: chance(70),
});

/** Objects that somebody else created, some of them similar, and a program for them. */
const takeover = (draw: Draw): readonly Move[] => [
  ...Array.from(
    { length: 1 + draw.below(3) },
    (): Move => ({ do: "staff", staff: "make", at: draw.below(howMany) }),
  ),
  { do: "leave" },
  { do: "pull", onlyNew: false },
  { do: "up", how: {} },
];

/** Edits on both sides, and accepted edits of staff. */
const agreement = (draw: Draw): readonly Move[] => [
  { do: "up", how: {} },
  ...Array.from({ length: 1 + draw.below(4) }, () => draw.one(edits)(draw)),
  ...Array.from({ length: 1 + draw.below(3) }, (): Move => ({ do: "staff", ...drawStaff(draw) })),
  ...(draw.chance(40) ? [{ do: "refresh", how: {} } as const] : []),
  drawAccept(draw),
  ...(draw.chance(70) ? [{ do: "up", how: {} } as const] : []),
];

/** A colleague's branch that was applied but isn't merged. */
const unmerged = (draw: Draw): readonly Move[] => {
  const own = Array.from({ length: 1 + draw.below(3) }, () => draw.one(programEdits)(draw));
  return [
    { do: "up", how: {} },
    ...own,
    { do: "up", how: {} },
    { do: "revert", by: own.length },
    ...(draw.chance(50) ? [{ do: "staff", ...drawStaff(draw) } as const] : []),
    { do: "preview", how: {} },
    { do: "up", how: drawHow(draw) },
  ];
};

/** Edits of staff that one checkout accepts, and runs of another checkout that lacks them. */
const elsewhere = (draw: Draw): readonly Move[] => {
  const later = Array.from({ length: draw.below(2) }, () => draw.one(programEdits)(draw));
  const own = Array.from({ length: draw.below(3) }, () => draw.one(programEdits)(draw));
  return [
    { do: "up", how: {} },
    ...Array.from({ length: 1 + draw.below(3) }, (): Move => ({ do: "staff", ...drawStaff(draw) })),
    ...(draw.chance(40) ? [{ do: "refresh", how: {} } as const] : []),
    drawAccept(draw),
    ...later,
    ...(draw.chance(20) ? [{ do: "up", how: drawHow(draw) } as const] : []),
    { do: "revert", by: 1 + later.length },
    ...own,
    ...(draw.chance(40) ? [{ do: "staff", ...drawStaff(draw) } as const] : []),
    ...(draw.chance(30) ? [draw.one(runs)(draw)] : []),
    ...(draw.chance(20) ? [drawAccept(draw)] : []),
    { do: "up", how: drawHow(draw) },
    ...(draw.chance(60) ? [{ do: "revert", by: 1 + own.length } as const, draw.one(runs)(draw)] : []),
  ];
};

/** Edits of staff that a refresh has read, and a run that leaves them or stops at them. */
const keeping = (draw: Draw): readonly Move[] => [
  { do: "up", how: {} },
  ...Array.from({ length: 1 + draw.below(3) }, (): Move => ({ do: "staff", ...drawStaff(draw) })),
  { do: "refresh", how: {} },
  ...Array.from({ length: draw.below(3) }, () => draw.one(programEdits)(draw)),
  {
    do: "up",
    how: {
      ...drawHow(draw),
      ...(draw.chance(60) ? { drift: draw.one(["keep", "stop"] as const) } : { keep: draw.below(howMany) }),
    },
  },
];

/** A field that the program leaves to staff from some run on, with edits on both sides. */
const ignoring = (draw: Draw): readonly Move[] => {
  const at = draw.below(howMany);
  const place = draw.below(howMany);
  return [
    ...(draw.chance(50) ? [{ do: "up", how: {} } as const] : []),
    { do: "ignore", at, place },
    ...Array.from({ length: 1 + draw.below(3) }, () => [
      draw.one<() => Move>([
        () => ({ do: "value", at, place: draw.chance(60) ? place : draw.below(howMany) }),
        () => draw.one(programEdits)(draw),
        () => ({ do: "refresh", how: {} }),
        () => drawAccept(draw),
      ])(),
      { do: "staff", ...drawStaff(draw) } as const,
      { do: "staff", staff: "set", at: draw.below(howMany), place } as const,
      draw.one(runs)(draw),
    ]).flat(),
  ];
};

/** A text with the id of another resource, which is created, replaced or adopted meanwhile. */
const referring = (draw: Draw): readonly Move[] => {
  const refer: Move = { do: "refer", at: draw.below(howMany), to: draw.below(howMany) };
  return [
    { do: "add", kind: draw.below(howMany), slot: draw.below(howMany) },
    { do: "add", kind: draw.below(2), slot: draw.below(howMany) },
    ...(draw.chance(50) ? [{ do: "up", how: {} } as const] : []),
    refer,
    ...Array.from({ length: 1 + draw.below(3) }, () => [
      draw.one<() => Move>([
        () => draw.one(edits)(draw),
        () => draw.one(programEdits)(draw),
        () => ({ do: "staff", staff: "set", at: draw.below(howMany), place: draw.below(howMany) }),
        () => ({ do: "refresh", how: {} }),
      ])(),
      draw.one(runs)(draw),
    ]).flat(),
  ];
};

/** A product that sells, with a refresh before the next run or in it. */
const sale = ({ below, chance }: Draw): readonly Move[] => [
  { do: "add", kind: 0, slot: below(howMany) },
  { do: "up", how: {} },
  { do: "staff", staff: "sell", at: below(howMany) },
  ...(chance(50) ? [{ do: "refresh", how: {} } as const] : []),
  { do: "up", how: { refresh: chance(50) } },
];

/** An object that is adopted by its key after the state was lost and the program changed. */
const reclaim = ({ below, one }: Draw): readonly Move[] => [
  { do: "leave" },
  { do: "add", kind: 0, slot: below(howMany) },
  { do: "up", how: {} },
  { do: "lose state", notes: true },
  { do: "items", at: 0, how: one(["remove", "reorder"] as const) },
  { do: "up", how: { adopt: true } },
];

const drawRow = (draw: Draw): Move => ({
  do: "sheet",
  slot: draw.below(howMany),
  row: draw.below(howMany),
  how: draw.chance(70) ? "row" : "no row",
  ...draw.where(),
});

const drawSheetName = (draw: Draw): Move => ({
  do: "rename sheet",
  slot: draw.below(howMany),
  alias: draw.chance(50),
  ...draw.where(),
});

/** Price sheets with edits on both sides. */
const priced = (draw: Draw): readonly Move[] => [
  drawRow(draw),
  ...(draw.chance(50) ? [drawRow(draw)] : []),
  { do: "up", how: {} },
  ...Array.from({ length: 2 + draw.below(3) }, () => [
    ...Array.from({ length: 1 + draw.below(3) }, () =>
      draw.one<() => Move>([
        () => drawRow(draw),
        () => drawSheetName(draw),
        () => ({ do: "staff", staff: "set", at: draw.below(howMany), place: draw.below(howMany) * 3 + 2 }),
        () => ({ do: "staff", ...drawStaff(draw) }),
        () => draw.one(programEdits)(draw),
        () => ({ do: "refresh", how: {} }),
        () => drawAccept(draw),
      ])(),
    ),
    draw.one(runs)(draw),
  ]).flat(),
];

/** Sheets with an active time, and time that passes. */
const timed = (draw: Draw): readonly Move[] => [
  drawRow(draw),
  ...(draw.chance(50) ? [{ do: "up", how: {} } as const] : []),
  ...Array.from({ length: 2 + draw.below(4) }, () => [
    draw.one<() => Move>([
      () => drawSale(draw),
      () => drawSale(draw),
      () => drawRow(draw),
      () => drawSheetName(draw),
      () => draw.one(edits)(draw),
      () => ({ do: "staff", staff: "set", at: draw.below(howMany), place: draw.below(howMany) * 3 + 2 }),
    ])(),
    ...(draw.chance(60) ? [{ do: "pass", hours: 1 + draw.below(30) } as const] : []),
    draw.one(runs)(draw),
  ]).flat(),
];

const drawSale = (draw: Draw): Move => ({
  do: "sale",
  slot: draw.below(howMany),
  ...(draw.chance(60) && { from: draw.below(40) - 10 }),
  ...(draw.chance(70) && { hours: 1 + draw.below(40) }),
  ...draw.where(),
});

/** Two stacks that share objects, with edits on both sides. */
const shared = (draw: Draw): readonly Move[] => {
  const colleague = (): Move => ({
    do: "colleague",
    at: draw.below(howMany),
    field: draw.chance(70) ? "shortDescription" : "description",
  });
  return [
    { do: "add", kind: 0, slot: draw.below(howMany) },
    { do: "up", how: {} },
    colleague(),
    ...Array.from({ length: 1 + draw.below(4) }, () => [draw.one(edits)(draw), draw.one(runs)(draw)]).flat(),
    colleague(),
    // A shared object stays with the other stack when one stack removes it.
    ...(draw.chance(30)
      ? [{ do: "neighbour", verb: "destroy", slot: 0 } as const, draw.one(runs)(draw)]
      : []),
  ];
};

/** Everything, or a part of it, is deleted or leaves the state, and comes back with the next run. */
const ending = (draw: Draw): readonly Move[] => [
  ...(draw.chance(70) ? [{ do: "up", how: {} } as const] : []),
  ...Array.from({ length: draw.below(3) }, () => draw.one(edits)(draw)),
  ...(draw.chance(30) ? [{ do: "refresh", how: {} } as const] : []),
  draw.chance(70) ? { do: "destroy", how: drawHow(draw) } : { do: "state remove", at: draw.below(howMany) },
  ...Array.from({ length: draw.below(3) }, () => draw.one(edits)(draw)),
  draw.one(runs)(draw),
];

const runs: readonly ((draw: Draw) => Move)[] = [
  (draw) => ({ do: "up", how: drawHow(draw) }),
  (draw) => ({ do: "up", how: drawHow(draw) }),
  (draw) => ({ do: "up", how: drawHow(draw) }),
  ({ chance }) => ({ do: "preview", how: chance(30) ? { refresh: true } : {} }),
  ({ chance, below, one }) => ({
    do: "refresh",
    how: chance(20) ? { select: { by: one(["target", "exclude"] as const), at: below(howMany) } } : {},
  }),
];

/** The moves of a seed: a few resources, then days of edits, each with its run. */
export function movesOf(seed: number): readonly Move[] {
  const draw = drawing(seed);
  const { below, one, chance } = draw;
  draw.hasTwo = chance(35);
  const kind = below(howMany);
  const first = Array.from(
    { length: 1 + below(3) + (draw.hasTwo ? 2 : 0) },
    (): Move => ({
      do: "add",
      kind: chance(50) ? kind : below(howMany),
      slot: below(howMany),
      ...draw.where(),
    }),
  );
  const days = Array.from({ length: 2 + below(4) }, () => [
    ...Array.from({ length: 1 + below(3) }, () => one(edits)(draw)),
    ...(chance(8) ? [{ do: "lose state", notes: chance(50) } as const] : []),
    ...(chance(10) ? [drawForm(draw)] : []),
    ...(chance(8) ? [{ do: "elsewhere", verb: one(["up", "refresh", "destroy"] as const) } as const] : []),
    ...(chance(8)
      ? [
          {
            do: "neighbour",
            verb: one(["up", "cut off", "destroy"] as const),
            slot: below(howMany),
          } as const,
        ]
      : []),
    ...(chance(8) ? [{ do: "older state", by: 1 + below(3) } as const] : []),
    ...(chance(10) ? [{ do: "pages", ...(chance(70) && { most: 1 + below(3) }) } as const] : []),
    ...(chance(12) ? [drawPull(draw)] : []),
    ...(chance(15) ? [drawAccept(draw)] : []),
    ...(chance(8) ? [{ do: "move state", at: below(howMany) } as const] : []),
    ...(chance(8)
      ? [{ do: "whim", how: one(["ignores", "refuses"] as const), element: one(elements) } as const]
      : []),
    ...(chance(15)
      ? [
          {
            do: "fault",
            fault: one(faultNames),
            method: one(["*", "GET", "POST", "PUT", "DELETE"]),
            ...draw.where(),
          } as const,
        ]
      : []),
    one(runs)(draw),
  ]);
  return [
    drawForm(draw),
    ...first,
    { do: "up", how: {} },
    ...(chance(25) ? takeover(draw) : []),
    ...(chance(12) ? sale(draw) : []),
    ...(chance(15) ? reclaim(draw) : []),
    ...(chance(30) ? agreement(draw) : []),
    ...(chance(12) ? unmerged(draw) : []),
    ...days.flat(),
    ...(chance(25) ? priced(draw) : []),
    ...(chance(15) ? shared(draw) : []),
    ...(chance(15) ? timed(draw) : []),
    ...(chance(25) ? elsewhere(draw) : []),
    ...(chance(25) ? keeping(draw) : []),
    ...(chance(25) ? ignoring(draw) : []),
    ...(chance(25) ? referring(draw) : []),
    ...(chance(25) ? ending(draw) : []),
  ];
}

/** One edit of the program and one by staff during its run, on objects of one kind. */
export function interleavingOf(kind: number, seed: number): readonly Move[] {
  const draw = drawing(seed * 16 + kind);
  const { below, one, chance } = draw;
  draw.hasTwo = chance(25);
  const at = below(howMany);
  const edit = one<() => Move>([
    () => ({ do: "value", at, place: below(howMany) }),
    () => ({ do: "value", at, place: below(howMany) }),
    () => ({ do: "items", at, how: one(["add", "remove", "reorder", "rekey"] as const) }),
    () => ({ do: "remove", at }),
    () => ({ do: "rename", at, alias: chance(50) }),
  ])();
  return [
    drawForm(draw),
    { do: "add", kind, slot: 0 },
    { do: "add", kind, slot: draw.hasTwo ? 0 : 1, ...(draw.hasTwo && { shop: "other" }) },
    { do: "up", how: {} },
    edit,
    {
      do: "up",
      how: {
        ...(chance(15) && { refresh: true }),
        ...(chance(10) && { adopt: true }),
        meanwhile: { before: below(5), edit: drawStaff(draw) },
      },
    },
  ];
}
