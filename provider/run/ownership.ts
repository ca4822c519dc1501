/** Whose an object is in this run: what a plan keeps it doesn't delete, and two resources never own one (docs/rules.md, rule 3). */

/** Objects as `objectKey` names them, resources as `resourceOf` does. */
export interface Ownership {
  /** The resource that made an object in this run, or took it over; else the one that keeps it. */
  owner(key: string): string | undefined;
  /** The resource that made it in this run, or took it over. */
  maker(key: string): string | undefined;
  /** The resource that took it over in this run: another may have had it before. */
  taker(key: string): string | undefined;
  /** The resource that has it in the state, and keeps it. */
  keeper(key: string): string | undefined;
  /** Whether it makes room for another. */
  leaves(key: string): boolean;
  made(key: string, resource: string): void;
  taken(key: string, resource: string): void;
  kept(key: string, resource: string): void;
  /** It makes room, whoever kept it. */
  left(key: string): void;
}

export function openOwnership(): Ownership {
  const makers = new Map<string, string>();
  const takers = new Map<string, string>();
  const keepers = new Map<string, string>();
  const leaving = new Set<string>();
  return {
    owner: (key) => makers.get(key) ?? keepers.get(key),
    maker: (key) => makers.get(key),
    taker: (key) => takers.get(key),
    keeper: (key) => keepers.get(key),
    leaves: (key) => leaving.has(key),
    made: (key, resource) => void makers.set(key, resource),
    taken(key, resource) {
      makers.set(key, resource);
      takers.set(key, resource);
    },
    kept: (key, resource) => void keepers.set(key, resource),
    left(key) {
      keepers.delete(key);
      leaving.add(key);
    },
  };
}
