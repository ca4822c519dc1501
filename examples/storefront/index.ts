/** Clay & Ladle, a pottery with a kitchen: the whole shop. settings.ts has the differences between its stacks. */
import * as pulumi from "@pulumi/pulumi";
import { File, JsTag, PriceKind } from "pulumi-shop";
import { createCatalogue, readCatalogue } from "./catalogue.ts";
import { createCharges } from "./charges.ts";
import { createCoupons } from "./coupons.ts";
import { type Problems, refuse } from "./problems.ts";
import { readSettings } from "./settings.ts";
import { readText } from "./text-file.ts";
import { createTheme } from "./theme.ts";
import { readTheme } from "./theme-files.ts";

const config = new pulumi.Config("storefront");
const problems: Problems = [];
const settings = readSettings((key) => config.get(key), problems);
const catalogue = readCatalogue(problems);
const themeFiles = readTheme("theme", problems);
const script = readText("banner.js", problems);
refuse("This shop can't be made from what the program reads", problems);

const products = createCatalogue(catalogue);
const coupons = createCoupons(settings);

const wholesale = new PriceKind("wholesale", { title: "Wholesale" });
new PriceKind("cafes", { title: "Cafés & restaurants" });

const sizeChart = new File("size-chart", { file: "files/size-chart.csv" });
const careCard = new File("care-card", { file: "files/care-card.txt" });
const workshop = new File("workshop", { file: "files/workshop.pdf" });

const theme = createTheme(themeFiles, { settings, sizeChart, careCard, wholesale });

new JsTag("banner", {
  type: "JsTag::TextTag",
  name: "Storefront: season banner",
  content: script,
});

const { upkeep, setup } = createCharges(settings);

export const season = `${settings.season} ${settings.year}`;
export const productCount = products.length;
export const couponCodes = coupons.map(({ code }) => code);
export const themeTitle = theme.title;
export const themeAssets = theme.assets.map(({ name }) => name);
export const wholesalePrice = wholesale.variantPriceMethodName;
export const downloads = [sizeChart, careCard, workshop].map(({ absoluteUrl }) => absoluteUrl);
export const paidTill = upkeep.paidTill;
export const confirmSetupAt = setup.confirmationUrl;
