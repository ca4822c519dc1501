import { PriceKind } from "pulumi-shop";

const wholesale = new PriceKind("wholesale", { title: "Wholesale" });
export const attribute = wholesale.variantPriceMethodName;
