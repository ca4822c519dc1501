/** Prices of variants that are there, as a sheet. */
import * as pulumi from "@pulumi/pulumi";
import { type Row, textOfRows } from "../provider/names/rows.ts";
import { resource } from "./resource.ts";

/** What a sheet asks of one variant. What is left out stays as it is; an empty text takes a value away. */
export interface PricesRow {
  /** The variant's article number. */
  readonly sku?: string;
  /** The variant's bar code, where `key` is `barcode`. */
  readonly barcode?: string;
  /** Price in the shop's currency. */
  readonly price?: number | string;
  /** The price before, shown crossed out. */
  readonly oldPrice?: number | string;
  /** What it cost the shop. */
  readonly costPrice?: number | string;
  /** Prices of other kinds, each by the title of its PriceKind. */
  readonly prices?: Readonly<Record<string, number | string>>;
}

/** How a sheet's columns are called; what isn't named isn't read. */
export interface PricesColumns {
  /** The heading of the variant's article number. */
  readonly sku?: string;
  /** The heading of the variant's bar code, where `key` is `barcode`. */
  readonly barcode?: string;
  /** The heading of the price. */
  readonly price?: string;
  /** The heading of the price before, shown crossed out. */
  readonly oldPrice?: string;
  /** The heading of what it cost the shop. */
  readonly costPrice?: string;
  /** The heading of the pieces in stock; stock is only set where this is stated. */
  readonly quantity?: string;
  /** Headings of prices of other kinds, each by the title of its PriceKind. */
  readonly prices?: Readonly<Record<string, string>>;
}

/** Arguments of `Prices`: `file` or `rows`, and how they are read. */
export interface PricesArgs {
  /** The sheet, a path in the project's folder: .xlsx, or text with commas, semicolons or tabs. */
  readonly file?: pulumi.Input<string | pulumi.asset.FileAsset | undefined>;
  /** The rows themselves, in the place of `file`. */
  readonly rows?: pulumi.Input<string | readonly PricesRow[] | undefined>;
  /** By what a row finds its variant: `sku`, or `barcode`. */
  readonly key?: pulumi.Input<"sku" | "barcode" | undefined>;
  /** Headings of the columns; without them price, oldPrice, costPrice and prices[TITLE] are read. */
  readonly columns?: pulumi.Input<PricesColumns | undefined>;
  /** Which sheet of a workbook; the first when left out. */
  readonly sheet?: pulumi.Input<string | undefined>;
  /** The encoding of a text that says none; UTF-8, else windows-1251, when left out. */
  readonly encoding?: pulumi.Input<string | undefined>;
  /** What stands before decimals, `.` or `,`, where a column's amounts don't tell: 1,234. */
  readonly decimal?: pulumi.Input<"." | "," | undefined>;
  /** The word in a cell that takes a value away; `-` when left out. An empty cell leaves the value alone. */
  readonly none?: pulumi.Input<string | undefined>;
  /** What becomes of rows whose variant isn't found, or of several: an `error`, or a `report` while the rest is done. */
  readonly unknown?: pulumi.Input<"error" | "report" | undefined>;
  /** What becomes of a row that leaves the sheet, and of all at the end: the shop may `keep` its values, or `restore` those from before the sheet. */
  readonly onRemove?: pulumi.Input<"keep" | "restore" | undefined>;
  /** From when its rows are asked for: a date and a time of the shop, such as `2026-11-27T00:00`, or with an offset. */
  readonly from?: pulumi.Input<string | undefined>;
  /** Until when, written as `from`. At the first run from then on the shop gets back what it had before, as with `onRemove: "restore"`. */
  readonly until?: pulumi.Input<string | undefined>;
}

/** Outputs of `Prices`. */
export interface PricesOutputs {
  /** How many rows the sheet has. */
  readonly count: pulumi.Output<number>;
  /** How many products have them. */
  readonly products: pulumi.Output<number>;
  /** SHA-256 of the rows as text, lowercase hex; not set if the rows are secret. */
  readonly digest: pulumi.Output<string | undefined>;
}

/** Prices of variants that are there, out of a sheet. It manages what its rows state, and nothing else of them. */
export class Prices extends resource<PricesArgs, PricesOutputs>("Prices") {
  constructor(name: string, args: PricesArgs, opts?: pulumi.CustomResourceOptions) {
    const { rows, none } = args ?? {};
    // A row is a line: as lists of objects they would take every process on the way several times as long.
    const text = pulumi
      .all([rows, none])
      .apply(([known, word]) => (Array.isArray(known) ? textOfRows(known as readonly Row[], word) : known));
    super(
      name,
      rows === undefined ? args : { ...args, rows: text as pulumi.Output<string | undefined> },
      opts,
    );
  }
}
