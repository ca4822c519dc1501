/**
 * The number that a program means: arithmetic leaves the last digits of a fraction off (18 * 0.9 is 16.200000000000003), and a
 * number surely holds fifteen.
 */
export const meantNumber = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15));
