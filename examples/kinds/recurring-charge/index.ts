import { RecurringCharge } from "pulumi-shop";

new RecurringCharge("upkeep", { monthly: "29.00" });
