/** Which resource of a run states a value: a price that two state would be set back and forth, run by run. */
export interface Stating {
  /** `Prices spring`. */
  readonly resource: string;
  /** Which resource that is, where two have one name: each in a component of its own. */
  readonly of?: unknown;
  /** Where it stands there: `row 3 of prices.csv`. */
  readonly at: string;
  /** When it is asked, in milliseconds since 1970; always where left out. */
  readonly span?: Span;
}

export interface Span {
  readonly from: number;
  readonly until: number;
  /** Whether the moment of the run is before it. */
  readonly isLater: boolean;
}

const overlaps = ({ span: one }: Stating, { span: other }: Stating) =>
  (one?.from ?? 0) < (other?.until ?? Infinity) && (other?.from ?? 0) < (one?.until ?? Infinity);

export interface StatedValues {
  /**
   * @param place `sku MUG-R price`, or by the number of its variant
   * @returns what states it already
   */
  claim(place: string, by: Stating): Stating | undefined;
  /** What states a value at the moment of the run. */
  of(place: string): Stating | undefined;
}

export function openStatedValues(): StatedValues {
  const owners = new Map<string, readonly Stating[]>();
  return {
    claim(place, by) {
      const all = owners.get(place);
      if (all === undefined) {
        owners.set(place, [by]);
        return undefined;
      }
      const other = all.find((one) => !isOne(one, by) && overlaps(one, by));
      if (other === undefined && !all.some((one) => isOne(one, by))) owners.set(place, [...all, by]);
      return other;
    },
    of: (place) => owners.get(place)?.find(({ span }) => span?.isLater !== true),
  };
}

/** Whether both are the same resource. */
const isOne = (one: Stating, other: Stating): boolean =>
  one.resource === other.resource && one.of === other.of;

/** `Prices spring (row 3 of prices.csv)`. */
export const statingText = ({ resource, at }: Stating): string => `${resource} (${at})`;

/** How to go on where another stack states a value. */
export const elsewhereText =
  "Each stack would set the other's value back. Leave it out of one of the two and run that up, take the other resource out of its stack (state remove) or into this one (state move)";

/** The place of a value of an item that a program finds by its key: `sku MUG-R price`. */
export const keyedPlace = (key: string, name: string, column: string): string => `${key} ${name} ${column}`;

/** The place of a value of an item that the shop has numbered. */
export const numberedPlace = (list: string, id: unknown, column: string): string => `${list} ${id} ${column}`;

/** Who states a value of one of these items. @param items their places, without a column */
export function statingOf(
  stated: ReadonlyMap<string, Stating>,
  items: readonly string[],
): Stating | undefined {
  const meant = new Set(items);
  for (const [place, by] of stated) {
    const [list, id] = place.split(" ", 2);
    if (meant.has(numberedPlace(list ?? "", id, ""))) return by;
  }
  return undefined;
}
