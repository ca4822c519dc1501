/** Which resource of a run states a value: a price that two state would be set back and forth, run by run. */
export interface Stating {
  /** `Prices spring`. */
  readonly resource: string;
  /** Which resource that is, where two have one name: each in a component of its own. */
  readonly of?: unknown;
  /** Where it stands there: `row 3 of prices.csv`. */
  readonly at: string;
}

export interface StatedValues {
  /**
   * @param place `sku MUG-R price`, or by the number of its variant
   * @returns what states it already
   */
  claim(place: string, by: Stating): Stating | undefined;
  /** What states a value. */
  of(place: string): Stating | undefined;
}

export function openStatedValues(): StatedValues {
  const owners = new Map<string, Stating>();
  return {
    claim(place, by) {
      const other = owners.get(place);
      if (other === undefined) owners.set(place, by);
      return other === undefined || isOne(other, by) ? undefined : other;
    },
    of: (place) => owners.get(place),
  };
}

/** Whether both are the same resource. */
export const isOne = (one: Stating, other: Stating): boolean =>
  one.resource === other.resource && one.of === other.of;

/** `Prices spring (row 3 of prices.csv)`. */
export const statingText = ({ resource, at }: Stating): string => `${resource} (${at})`;

/** How to go on where another stack states a value. */
export const elsewhereText =
  "Each stack would set the other's value back. Leave it out of one of the two and run that up, take the other resource out of its stack (state remove) or into this one (state move)";

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
