/** The shop. The stack files, such as Pulumi.live.yaml, hold the differences between the shops. */
import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, getThemeOutput } from "pulumi-shop";

const config = new pulumi.Config();
const percent = config.getNumber("welcomePercent") ?? 10;

const welcome = new Coupon("welcome", {
  code: "WELCOME",
  discount: { percent },
  actOnceForClient: true,
  description: "For the first order",
});

const theme = getThemeOutput({ published: true });
new Asset("about", {
  themeId: theme.id,
  type: "Asset::Template",
  name: "page.about.liquid",
  file: "theme/templates/page.about.liquid",
});

export const code = welcome.code;
