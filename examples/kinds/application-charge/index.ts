import { ApplicationCharge } from "pulumi-shop";

const setup = new ApplicationCharge("setup", {
  name: "Setting up the shop",
  price: 180,
  returnUrl: "https://app.example.com/paid",
});
export const confirmAt = setup.confirmationUrl;
