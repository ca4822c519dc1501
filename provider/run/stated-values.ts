/** Which resource of a run states a value: a price that two state would be set back and forth, run by run. */
export interface StatedValues {
  /**
   * @param place `sku MUG-R price`
   * @param resource `Prices spring`
   * @returns the resource that states it already
   */
  claim(place: string, resource: string): string | undefined;
}

export function openStatedValues(): StatedValues {
  const owners = new Map<string, string>();
  return {
    claim(place, resource) {
      const other = owners.get(place);
      if (other === undefined) owners.set(place, resource);
      return other === resource ? undefined : other;
    },
  };
}
