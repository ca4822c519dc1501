"""The shop's year: when its seasons end, and the days of its own."""

from datetime import date, timedelta

# First and last month, percent, money off, and the least order value.
SEASONS = {
    "spring": {"code": "SPRING", "months": (3, 5), "percent": 10, "off": 6.00, "from": 60.00},
    "summer": {"code": "SUMMER", "months": (6, 8), "percent": 15, "off": 8.00, "from": 75.00},
    "autumn": {"code": "HARVEST", "months": (9, 11), "percent": 10, "off": 6.50, "from": 60.00},
    "winter": {"code": "FROST", "months": (12, 2), "percent": 20, "off": 12.00, "from": 95.00},
}

# The nth weekday (0 is Monday) of a month.
DAYS = [
    {"code": "MUM", "title": "Mother's Day", "season": "spring", "month": 5, "weekday": 6, "nth": 2, "percent": 18},
    {"code": "KILNFRIDAY", "title": "Kiln Friday", "season": "autumn", "month": 11, "weekday": 4, "nth": 4, "percent": 30},
]


def season_end(season: str, year: int) -> str:
    """The last day of a season that begins in a year; one that goes over New Year ends in the next."""
    first, last = SEASONS[season]["months"]
    after = date(year + 1 if last < first else year, last + 1, 1)
    return (after - timedelta(days=1)).isoformat()


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> str:
    """The date of the nth weekday of a month."""
    first = date(year, month, 1).weekday()
    return date(year, month, 1 + (weekday - first) % 7 + (nth - 1) * 7).isoformat()
