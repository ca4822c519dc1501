import { Coupon, type CouponArgs } from "pulumi-shop";
import { days, nthWeekday, type Season, seasonEnd, seasons } from "./seasons.ts";
import type { Settings } from "./settings.ts";

const percent = 1;
const money = 2;

type SeasonalCoupon = CouponArgs & { readonly code: string };

/** The year's coupons: two per season, one per special day, and two that are always valid. */
function couponsOf({ year, season: now, discountCeiling }: Settings): readonly SeasonalCoupon[] {
  const suffix = String(year).slice(2);
  const ofSeasons = (Object.keys(seasons) as Season[]).flatMap((season): SeasonalCoupon[] => {
    const { code, percent: wished, off, from } = seasons[season];
    const shared = { disabled: season !== now, expiredAt: seasonEnd(season, year) };
    const discount = Math.min(wished, discountCeiling);
    return [
      {
        ...shared,
        code: `${code}${suffix}`,
        typeId: percent,
        discount,
        actOnceForClient: true,
        description: `${capital(season)} ${year}: ${discount} % off, once for each customer`,
      },
      {
        ...shared,
        code: `${code}${suffix}-TABLE`,
        typeId: money,
        discount: off,
        minPrice: from,
        description: `${capital(season)} ${year}: ${off} off a table from ${from}`,
      },
    ];
  });
  const ofDays = days.map((day): SeasonalCoupon => {
    const discount = Math.min(day.percent, discountCeiling);
    const date = nthWeekday(year, day.month, day.weekday, day.nth);
    return {
      code: `${day.code}${suffix}`,
      typeId: percent,
      discount,
      disabled: day.season !== now,
      expiredAt: date,
      description: `${day.title}, ${date}: ${discount} % off`,
    };
  });
  return [...ofSeasons, ...ofDays, ...standing(discountCeiling)];
}

const standing = (ceiling: number): SeasonalCoupon[] => [
  {
    code: "WELCOME",
    typeId: percent,
    discount: Math.min(10, ceiling),
    actOnceForClient: true,
    description: "For the first order; goes out with the newsletter's first letter",
  },
  {
    code: "SPASIBO",
    typeId: money,
    discount: "5.00",
    minPrice: "30.00",
    actOnceForClient: true,
    description: "Спасибо за отзыв: with thanks for a review",
  },
];

export function createCoupons(settings: Settings): readonly Coupon[] {
  return couponsOf(settings).map((args) => new Coupon(args.code.toLowerCase(), args));
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
