import { ApplicationCharge, RecurringCharge } from "pulumi-shop";
import type { Settings } from "./settings.ts";

/** The fees of the studio that maintains the shop: one each month, and one for importing the catalogue. */
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
      // Set only if it is true: a charge can't be changed, so each difference creates a new one.
      ...(testCharges && { test: true }),
    }),
  };
}
