/** What fields mean to those who live of a shop: the definitions say it, a plan's impact and a stack's limits are computed of it. */

/**
 * The business meaning of a field.
 * - `title`: what staff call the object
 * - `price`, `cost`: what a shopper pays for one, what it cost the shop; `currency`: in what
 * - `stock`: how many there are to sell
 * - `hides`: true takes the object from the shoppers' eyes, or out of their hands
 * - `discount`: how much is taken off, in the `unit` beside it; `smallest-order`: the sum from which it is given;
 *   `starts`, `ends`: the first and the last day
 * - `charge`, `monthly-charge`: what the shop's owner pays, once or each month
 * - `page`: the text that shoppers' pages are made of
 */
export type Role =
  | "title"
  | "price"
  | "cost"
  | "currency"
  | "stock"
  | "hides"
  | "discount"
  | "unit"
  | "smallest-order"
  | "starts"
  | "ends"
  | "charge"
  | "monthly-charge"
  | "page";
