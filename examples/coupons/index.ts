/** A year of coupons from a table of holidays. The year is a setting, so that the same program always creates the same shop. */
import * as pulumi from "@pulumi/pulumi";
import { Coupon } from "pulumi-shop";

const percent = 1;
const money = 2;

const holidays = [
  { code: "LOVE", title: "Valentine's Day", ends: "02-14", typeId: percent, discount: 14 },
  { code: "VESNA", title: "8 Марта", ends: "03-08", typeId: percent, discount: 8 },
  { code: "SCHOOL", title: "Back to school", ends: "09-05", typeId: money, discount: "7.50", minPrice: 50 },
  { code: "SINGLES", title: "Singles' Day", ends: "11-11", typeId: percent, discount: 11 },
  { code: "ADVENT", title: "Advent", ends: "12-24", typeId: money, discount: 10, minPrice: "80.00" },
] as const;

const config = new pulumi.Config();
const year = config.getNumber("year", { min: 2020, max: 2099 }) ?? 2027;
const today = config.get("today") ?? `${year}-01-01`;
if (!/^\d{4}-\d\d-\d\d$/.test(today))
  throw new pulumi.RunError(`coupons:today is "${today}"; write YYYY-MM-DD`);

const coupons = holidays.map(({ code, title, ends, ...terms }) => {
  const expiredAt = `${year}-${ends}`;
  return new Coupon(code.toLowerCase(), {
    ...terms,
    code: `${code}${year}`,
    description: `${title}, until ${expiredAt}`,
    expiredAt,
    actOnceForClient: true,
    // The shop refuses it after its last day. Disabling it also shows this in the back office.
    disabled: expiredAt < today,
  });
});

export const codes = coupons.map(({ code }) => code);
