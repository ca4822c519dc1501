import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, JsTag } from "pulumi-shop";

export interface SeasonalCampaignArgs {
  /** The theme whose pages carry the banner. */
  readonly themeId: pulumi.Input<number>;
  /** What shoppers read. One line of plain text. */
  readonly headline: string;
  /** The last day, YYYY-MM-DD. */
  readonly until: string;
  /** From which sum how much is taken off; a coupon for each step. */
  readonly steps: readonly { readonly from: number; readonly percent: number }[];
}

/** All that a campaign is made of, as one thing: taken out of the program, all of it goes. */
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
    // The script looks for the banner: it goes live after it, and goes first when the campaign ends.
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

/** Text that means nothing to HTML, nor to Liquid. */
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
