"""Writes src/domain/campaigns/holidays.json: each country's public holidays, year by year.

The calendar is that of the `holidays` package, of the version below. Holidays of all of a country are taken, and the
days off for those that fall on a weekend; for the United Kingdom those of England, since its countries have few in
common. Run it with the package installed: python3 .ci/public_holidays.py
"""

import json
import pathlib

import holidays

VERSION = "0.109"
FIRST, LAST = 2026, 2035
PART = {"GB": "ENG"}


def days_of(country: str) -> str:
    """`0101 0403|0101 0326`: month and day, the years in order."""
    years = range(FIRST, LAST + 1)
    dates = holidays.country_holidays(country, subdiv=PART.get(country), years=years)
    return "|".join(
        " ".join(f"{day:%m%d}" for day in sorted(dates) if day.year == year) for year in years
    )


if holidays.__version__ != VERSION:
    raise SystemExit(f"needs holidays {VERSION}, found {holidays.__version__}")
codes = holidays.list_supported_countries(include_aliases=False)
countries = {code: days_of(code) for code in sorted(codes)}
table = {
    "firstYear": FIRST,
    "lastYear": LAST,
    # A country that announces its holidays from year to year alone has years without any.
    "countries": {code: days for code, days in countries.items() if all(days.split("|"))},
}
path = pathlib.Path(__file__).parent.parent / "src/domain/campaigns/holidays.json"
path.write_text(json.dumps(table, indent=2) + "\n")
