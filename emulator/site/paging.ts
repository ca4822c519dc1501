/** Paging of long lists: templates loop over one page, and `paginate` links the others. */

/** Default number of entries on a page. */
export const perPage = 50;

const whole = Symbol("whole");

export type Paged<T> = readonly T[] & { readonly [whole]?: readonly T[] };

/** The first page of a list, with a reference to the whole. */
export const pagedOf = <T>(all: readonly T[]): Paged<T> =>
  Object.assign(all.slice(0, perPage), { [whole]: all });

export const wholeOf = <T>(list: Paged<T>): readonly T[] => list[whole] ?? list;

export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** One page of a list, and the links to others. */
export function pageOf<T>(all: readonly T[], { path, query }: Asked, size = perPage) {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const asked = Math.trunc(Number(query.get("page") ?? 1));
  const page = asked >= 1 && asked <= pages ? asked : 1;
  const link = (number: number) => {
    const own = new URLSearchParams(query);
    own.set("page", String(number));
    return { title: String(number), url: `${path}?${own}`, is_link: number !== page };
  };
  const inside = (number: number) => (number < 1 || number > pages ? undefined : link(number));
  return {
    shown: Object.assign(all.slice((page - 1) * size, page * size), { [whole]: all }) as Paged<T>,
    paginate: {
      current_page: page,
      pages,
      items: all.length,
      page_size: size,
      current_offset: (page - 1) * size,
      previous: inside(page - 1),
      next: inside(page + 1),
      parts: partsOf(page, pages, link),
    },
  };
}

/** The first, the last, those around the current one, and gaps. */
function partsOf<T>(page: number, pages: number, link: (number: number) => T) {
  const near = Array.from({ length: pages }, (_none, at) => at + 1).filter(
    (number) => number === 1 || number === pages || Math.abs(number - page) <= 2,
  );
  return near.flatMap((number, at) => {
    const isGap = at > 0 && number - (near[at - 1] ?? 0) > 1;
    return isGap ? [{ title: "…", is_link: false }, link(number)] : [link(number)];
  });
}
