"""The products and coupons of examples/storefront, in Python."""

import pulumi
from catalogue import create_products
from coupons import create_coupons

config = pulumi.Config("storefront")
products = create_products()
coupons = create_coupons(
    year=config.get_int("year") or 2027,
    now=config.get("season") or "spring",
    ceiling=config.get_int("discountCeiling") or 25,
)

pulumi.export("productCount", len(products))
pulumi.export("couponCodes", [coupon.code for coupon in coupons])
