import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, JsTag } from "pulumi-shop";

export interface SeasonalCampaignArgs {
  /** The theme whose pages carry the banner. */
  readonly themeId: pulumi.Input<number>;
  /** The line that shoppers read, as plain text. */
  readonly headline: string;
  /** The last day, YYYY-MM-DD. */
  readonly until: string;
  /** The least order value and the discount of each coupon. */
  readonly steps: readonly { readonly from: number; readonly percent: number }[];
}

/** All parts of a campaign. If you remove it from the program, `up` deletes all of them. */
export class SeasonalCampaign extends pulumi.ComponentResource {
  declare readonly codes: pulumi.Output<string[]>;

  constructor(name: string, args: SeasonalCampaignArgs, opts?: pulumi.ComponentResourceOptions) {
    super("campaigns:index:SeasonalCampaign", name, {}, opts);
    const parent = { parent: this };
    const coupons = args.steps.map(
      ({ from, percent }) =>
        new Coupon(
          `${name}-${percent}`,
          {
            code: `${name.toUpperCase()}${percent}`,
            typeId: 1,
            discount: percent,
            minPrice: from,
            expiredAt: args.until,
            description: `${args.headline}: ${percent} % from ${from}`,
          },
          parent,
        ),
    );
    const codes = pulumi.all(coupons.map(({ code }) => code));
    const banner = new Asset(
      `${name}-banner`,
      {
        themeId: args.themeId,
        type: "Asset::Snippet",
        name: `campaign-${name}.liquid`,
        content: codes.apply((all) => bannerOf(args, all)),
      },
      parent,
    );
    // The script needs the banner: it is created after the banner and deleted before it.
    new JsTag(
      `${name}-countdown`,
      { type: "JsTag::TextTag", name: `Campaign ${name}`, content: countdownTo(args.until) },
      { ...parent, dependsOn: banner },
    );
    this.codes = codes;
    this.registerOutputs({ codes });
  }
}

function bannerOf({ headline, until }: SeasonalCampaignArgs, codes: readonly string[]): string {
  return [
    `<aside data-campaign-until="${until}">`,
    `  <p>${plain(headline)}</p>`,
    ...codes.map((code) => `  <code>${code}</code>`),
    "</aside>",
    "",
  ].join("\n");
}

/** Escapes HTML and Liquid. */
function plain(text: string): string {
  return text.replace(/[&<>{}"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function countdownTo(until: string): string {
  return `(() => {
  const banner = document.querySelector('[data-campaign-until="${until}"]');
  const days = Math.ceil((Date.parse("${until}T23:59:59Z") - Date.now()) / 86400000);
  if (banner && days < 0) banner.remove();
  else if (banner) banner.append(days === 1 ? "The last day!" : days + " days left");
})();
`;
}
