"""The year's coupons: two for each season, one for each special day, two that are always good."""

import pulumi_shop as shop
from seasons import DAYS, SEASONS, nth_weekday, season_end

PERCENT = 1
MONEY = 2


def create_coupons(year: int, now: str, ceiling: int) -> list[shop.Coupon]:
    """Makes them. `now` is the season that is on: the coupons of the others wait; no discount is above the ceiling."""
    suffix = str(year)[2:]
    coupons = []
    for season, terms in SEASONS.items():
        code = f"{terms['code']}{suffix}"
        discount = min(terms["percent"], ceiling)
        shared = {"disabled": season != now, "expired_at": season_end(season, year)}
        coupons += [
            shop.Coupon(
                code.lower(),
                code=code,
                type_id=PERCENT,
                discount=discount,
                act_once_for_client=True,
                description=f"{season.capitalize()} {year}: {discount} % off, once for each customer",
                **shared,
            ),
            shop.Coupon(
                f"{code}-table".lower(),
                code=f"{code}-TABLE",
                type_id=MONEY,
                discount=terms["off"],
                min_price=terms["from"],
                description=f"{season.capitalize()} {year}: {terms['off']:.2f} off a table from {terms['from']:.2f}",
                **shared,
            ),
        ]
    for day in DAYS:
        code = f"{day['code']}{suffix}"
        discount = min(day["percent"], ceiling)
        end = nth_weekday(year, day["month"], day["weekday"], day["nth"])
        coupons.append(
            shop.Coupon(
                code.lower(),
                code=code,
                type_id=PERCENT,
                discount=discount,
                disabled=day["season"] != now,
                expired_at=end,
                description=f"{day['title']}, {end}: {discount} % off",
            )
        )
    coupons.append(
        shop.Coupon(
            "welcome",
            code="WELCOME",
            type_id=PERCENT,
            discount=min(10, ceiling),
            act_once_for_client=True,
            description="For the first order; goes out with the newsletter's first letter",
        )
    )
    coupons.append(
        shop.Coupon(
            "spasibo",
            code="SPASIBO",
            type_id=MONEY,
            discount=5.00,
            min_price=30.00,
            act_once_for_client=True,
            description="Спасибо за отзыв: with thanks for a review",
        )
    )
    return coupons
