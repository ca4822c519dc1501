/** Prices of variants that are in the shop, from a sheet. */
import * as pulumi from "@pulumi/pulumi";
import { areRows, textOfRows } from "../provider/names/rows.ts";
import { refuseUnsendable } from "./refusals.ts";
import { resource } from "./resource.ts";

/** The values that a sheet sets for one variant. A value that you leave out stays as it is; an empty text removes it. */
export interface PricesRow {
  /** SKU of the variant, by which the row finds it. */
  readonly sku?: string;
  /** Bar code of the variant, by which the row finds it if `key` is `barcode`. */
  readonly barcode?: string;
  /** Price in the shop's currency. */
  readonly price?: number | string;
  /** Former price, shown crossed out, in the shop's currency. */
  readonly oldPrice?: number | string;
  /** Price that the shop paid for the variant, in the shop's currency. */
  readonly costPrice?: number | string;
  /** Prices of other kinds, by the title of the PriceKind, such as `{ Wholesale: 9.5 }`. */
  readonly prices?: Readonly<Record<string, number | string>>;
}

/** Headings of a sheet's columns. A column that you don't name is not read. */
export interface PricesColumns {
  /** Heading of the variant's SKU. */
  readonly sku?: string;
  /** Heading of the variant's bar code, if `key` is `barcode`. */
  readonly barcode?: string;
  /** Heading of the price. */
  readonly price?: string;
  /** Heading of the former price, shown crossed out. */
  readonly oldPrice?: string;
  /** Heading of the price that the shop paid. */
  readonly costPrice?: string;
  /** Heading of the number in stock. Without it, the sheet sets no stock. */
  readonly quantity?: string;
  /** Headings of prices of other kinds, by the title of the PriceKind. */
  readonly prices?: Readonly<Record<string, string>>;
}

/** Arguments of `Prices`: `file` or `rows`, and the way to read them. */
export interface PricesArgs {
  /** Path of the sheet in the project's folder: .xlsx, or a text file with commas, semicolons or tabs. Set `file` or `rows`. */
  readonly file?: pulumi.Input<string | pulumi.asset.FileAsset | undefined>;
  /** The rows themselves, instead of `file`. */
  readonly rows?: pulumi.Input<string | readonly PricesRow[] | undefined>;
  /** The column by which a row finds its variant: `sku` (default) or `barcode`. */
  readonly key?: pulumi.Input<"sku" | "barcode" | undefined>;
  /** Headings of the columns. Default: `sku`, `price`, `oldPrice`, `costPrice`, and `prices[TITLE]` for a price kind. */
  readonly columns?: pulumi.Input<PricesColumns | undefined>;
  /** Name of the sheet in a workbook. Default: the first one that isn't hidden. */
  readonly sheet?: pulumi.Input<string | undefined>;
  /** Encoding of a text that isn't Unicode, such as `windows-1252`. Default: `windows-1251`. */
  readonly encoding?: pulumi.Input<string | undefined>;
  /** The decimal separator, `.` or `,`. Needed only if the amounts of a column leave it open, as 1,234 does. */
  readonly decimal?: pulumi.Input<"." | "," | undefined>;
  /** The word in a cell that removes the value. Default: `-`. An empty cell leaves the value as it is. */
  readonly none?: pulumi.Input<string | undefined>;
  /** If a row finds no variant, or several: `error` (default) refuses the sheet, `report` applies the other rows. */
  readonly unknown?: pulumi.Input<"error" | "report" | undefined>;
  /** If a row or the whole resource is removed: `keep` (default) leaves its values in the shop, `restore` puts back those from before the sheet. */
  readonly onRemove?: pulumi.Input<"keep" | "restore" | undefined>;
  /** Start: date and time in the shop's time zone, such as `2026-11-27T00:00`, or with an offset. Before it, the sheet sets nothing. */
  readonly from?: pulumi.Input<string | undefined>;
  /** End, written like `from`. The first run after it puts back the previous values, as with `onRemove: "restore"`. */
  readonly until?: pulumi.Input<string | undefined>;
}

/** Outputs of `Prices`. */
export interface PricesOutputs {
  /** Number of rows in the sheet. */
  readonly count: pulumi.Output<number>;
  /** Number of products that have these variants. */
  readonly products: pulumi.Output<number>;
  /** SHA-256 of the rows as text, lowercase hex; not set if the rows are secret. */
  readonly digest: pulumi.Output<string | undefined>;
}

/** Prices of variants that are in the shop, from a sheet. It manages only the values in its rows. */
export class Prices extends resource<PricesArgs, PricesOutputs>("Prices") {
  constructor(name: string, args: PricesArgs, opts?: pulumi.CustomResourceOptions) {
    const { rows, none } = args ?? {};
    const what = `Prices "${name}"`;
    // Beside the outputs in it, which are known later: the SDK makes empty objects of dates.
    refuseUnsendable(what, { rows });
    // A row is a line: as lists of objects they would take every process on the way several times as long.
    const text = pulumi.all([rows, none]).apply(([known, word]) => {
      refuseUnsendable(what, { rows: known });
      return areRows(known) ? textOfRows(known, word) : known;
    });
    super(
      name,
      rows === undefined ? args : { ...args, rows: text as pulumi.Output<string | undefined> },
      opts,
    );
  }
}
