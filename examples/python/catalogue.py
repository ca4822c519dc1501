"""The products of the storefront's table, with the longer texts beside it."""

import csv
from pathlib import Path

import pulumi_shop as shop

STOREFRONT = Path(__file__).parent.parent / "storefront"


def create_products() -> list[shop.Product]:
    """Makes a product of each group of rows; the first row has what its variants share."""
    # Ids differ between shops, so a collection is found by its permalink.
    ids = {found.permalink: found.id for found in shop.get_collections().collections}
    return [create_product(rows, ids) for rows in read_products()]


def read_products() -> list[list[dict[str, str]]]:
    """Rows by product."""
    products: dict[str, list[dict[str, str]]] = {}
    with open(STOREFRONT / "products.csv", encoding="utf-8-sig", newline="") as table:
        for row in csv.DictReader(table):
            products.setdefault(row["permalink"], []).append(row)
    return list(products.values())


def create_product(rows: list[dict[str, str]], ids: dict[str, int]) -> shop.Product:
    first = rows[0]
    permalink = first["permalink"]
    text = STOREFRONT / "descriptions" / f"{permalink}.html"
    return shop.Product(
        permalink,
        permalink=permalink,
        title=first["title"],
        short_description=first["summary"],
        description=text.read_text(encoding="utf-8") if text.exists() else None,
        canonical_url_collection_id=ids[first["collection"]],
        variants=[variant_of(row) for row in rows],
    )


def variant_of(row: dict[str, str]) -> shop.ProductVariantArgs:
    """An empty cell is an argument that the program doesn't state."""
    option = [shop.ProductOptionArgs(title=row["option"], value=row["value"])] if row["option"] else None
    return shop.ProductVariantArgs(
        sku=row["sku"],
        price=float(row["price"]),
        old_price=float(row["old_price"]) if row["old_price"] else None,
        quantity=int(row["quantity"]) if row["quantity"] else None,
        weight=float(row["weight"]) if row["weight"] else None,
        barcode=row["barcode"] or None,
        options=option,
    )
