/**
 * The random numbers of fast-check: repeated in `npm test`, so that results are comparable, and new in each campaign.
 * PULUMI_SHOP_SEED sets the seed.
 */
import fc from "fast-check";
import { full } from "../support/size.ts";

const { PULUMI_SHOP_SEED: wanted } = process.env;
if (wanted !== undefined || !full) fc.configureGlobal({ seed: Number(wanted ?? 1) });
