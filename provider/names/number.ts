/**
 * The number that a program means: arithmetic leaves the last digits of a fraction off (12 * 1.1 is 13.200000000000001), and a
 * number surely holds fifteen.
 */
export const meantNumber = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15));
