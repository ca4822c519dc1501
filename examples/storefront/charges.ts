import { ApplicationCharge, RecurringCharge } from "pulumi-shop";
import type { Settings } from "./settings.ts";

/** What the shop owes the studio that keeps it: a sum a month, and one for moving the catalogue in. */
export function createCharges({ monthly, testCharges }: Settings): {
  readonly upkeep: RecurringCharge;
  readonly setup: ApplicationCharge;
} {
  return {
    upkeep: new RecurringCharge("upkeep", { monthly }),
    setup: new ApplicationCharge("setup", {
      name: "Moving the catalogue in",
      price: "180.00",
      returnUrl: "https://studio.example/clay-and-ladle/charged",
      // Only said where it is wanted: a charge can't be changed, each difference makes a new one.
      ...(testCharges && { test: true }),
    }),
  };
}
