/** The fees of an application: a one-time set-up fee, and a monthly fee. */
import * as pulumi from "@pulumi/pulumi";
import { ApplicationCharge, getAccountOutput, RecurringCharge } from "pulumi-shop";

const plans = { starter: "9.00", workshop: "24.50", factory: "79.00" } as const;
const isPlan = (name: string): name is keyof typeof plans => Object.hasOwn(plans, name);

const plan = new pulumi.Config().get("plan") ?? "starter";
if (!isPlan(plan))
  throw new pulumi.RunError(`app-charges:plan is "${plan}"; write one of ${Object.keys(plans).join(", ")}`);

const account = getAccountOutput();

const setup = new ApplicationCharge("setup", {
  name: "Setting up label printing",
  price: "49.90",
  returnUrl: pulumi.interpolate`https://labels.example/installed?shop=${account.id}`,
});

// A shop has at most one. Another plan changes the fee in place.
const subscription = new RecurringCharge("subscription", { monthly: plans[plan] });

export const shop = account.apply(({ title }) => title);
export const askTheOwnerToConfirm = setup.confirmationUrl;
export const status = setup.status;
export const paidTill = subscription.paidTill;
