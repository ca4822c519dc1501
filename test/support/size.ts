/** Whether everything runs at full size. */
export const full = process.env.PULUMI_SHOP_CAMPAIGN === "full";
