/** Whether everything runs at full size: the one place that reads it. */
export const full = process.env.PULUMI_SHOP_CAMPAIGN === "full";
