/** The shop's year. A season lasts from the first day of its first month to the last day of its last. */
export const seasons = {
  spring: { code: "SPRING", months: [3, 5], percent: 10, off: "6.00", from: "60.00" },
  summer: { code: "SUMMER", months: [6, 8], percent: 15, off: "8.00", from: "75.00" },
  autumn: { code: "HARVEST", months: [9, 11], percent: 10, off: "6.50", from: "60.00" },
  winter: { code: "FROST", months: [12, 2], percent: 20, off: "12.00", from: "95.00" },
} as const;

export type Season = keyof typeof seasons;

/** Special days: the nth weekday (0 is Sunday) of a month. */
export const days = [
  { code: "MUM", title: "Mother's Day", season: "spring", month: 5, weekday: 0, nth: 2, percent: 18 },
  { code: "KILNFRIDAY", title: "Kiln Friday", season: "autumn", month: 11, weekday: 5, nth: 4, percent: 30 },
] as const satisfies readonly { season: Season; [key: string]: unknown }[];

/** The last day of a season that begins in `year`. A season over New Year ends in the next year. */
export function seasonEnd(season: Season, year: number): string {
  const [first, last] = seasons[season].months;
  return isoDay(last < first ? year + 1 : year, last + 1, 0);
}

/** The date of the nth weekday of a month. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): string {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return isoDay(year, month, 1 + ((weekday - first + 7) % 7) + (nth - 1) * 7);
}

function isoDay(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
