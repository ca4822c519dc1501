/** Two campaigns, each a component of coupons, a snippet and a script. */
import { getThemeOutput } from "pulumi-shop";
import { SeasonalCampaign } from "./seasonal-campaign.ts";

const themeId = getThemeOutput({ published: true }).id;

const harvest = new SeasonalCampaign("harvest", {
  themeId,
  headline: "Harvest week: bowls for soup, jars for jam",
  until: "2027-10-03",
  steps: [
    { from: 40, percent: 5 },
    { from: 90, percent: 12 },
  ],
});

const masleniza = new SeasonalCampaign("blini", {
  themeId,
  headline: "Масленица: всё для блинов",
  until: "2027-03-14",
  steps: [{ from: 25.5, percent: 7 }],
});

export const harvestCodes = harvest.codes;
export const bliniCodes = masleniza.codes;
