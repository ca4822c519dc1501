/** Removes the rounding error of arithmetic (12 * 1.1 is 13.200000000000001): a number holds fifteen digits exactly. */
export const meantNumber = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15));
