"""Prices of articles that are there, out of a sheet; and of four days, out of the program."""

import pulumi
import pulumi_shop as shop

wholesale = shop.PriceKind("wholesale", title="Wholesale")
autumn = shop.Prices(
    "autumn",
    file="autumn.csv",
    columns=shop.PricesColumnsArgs(
        sku="Article", price="Price", old_price="Before", prices={"Wholesale": "Wholesale"}
    ),
    opts=pulumi.ResourceOptions(depends_on=[wholesale]),
)

# One article costs less for four days. Then its earlier price comes back.
discounts = {"T-0004": (8.90, 10.50)}
shop.Prices(
    "sale",
    rows=[shop.PricesRowArgs(sku=sku, price=price, old_price=before) for sku, (price, before) in discounts.items()],
    from_="2040-11-23T00:00",
    until="2040-11-27T00:00",
)

pulumi.export("rows", autumn.count)
