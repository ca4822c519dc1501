/**
 * What fast-check draws: the same cases each time in `npm test`, so that it says of a change what it said of the one
 * before; others in each campaign, which looks for what nobody has thought of. PULUMI_SHOP_SEED says which.
 */
import fc from "fast-check";
import { full } from "../support/size.ts";

const { PULUMI_SHOP_SEED: wanted } = process.env;
if (wanted !== undefined || !full) fc.configureGlobal({ seed: Number(wanted ?? 1) });
