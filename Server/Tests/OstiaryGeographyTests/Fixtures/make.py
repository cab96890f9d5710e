#!/usr/bin/env python3
"""Writes the databases of networks that tests use, in the MaxMind DB format, with mmdb_writer.

Usage: make.py DIRECTORY. The addresses are those of documentation (RFC 5737, RFC 3849), so that no real network is named.
"""

import pathlib
import sys

from mmdb_writer import MMDBWriter
from netaddr import IPSet

# Network: country, latitude, longitude, radius of accuracy in kilometres, autonomous system, hides its users.
NETWORKS = {
    "203.0.113.0/25": ("DE", 52.52, 13.4, 20, 64500, False),  # Berlin
    "203.0.113.128/25": ("DE", 48.14, 11.58, 20, 64501, False),  # Munich, another operator
    "198.51.100.0/24": ("US", 40.71, -74.0, 50, 64502, False),  # New York
    "192.0.2.0/24": ("NL", 52.37, 4.9, 100, 64503, True),  # Amsterdam, a proxy
    "2001:db8:1::/48": ("FR", 48.86, 2.35, 5, 64504, False),  # Paris
}


def writer(kind: str) -> MMDBWriter:
    return MMDBWriter(ip_version=6, ipv4_compatible=True, database_type=kind, languages=["en"], description=kind)


def make(directory: pathlib.Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    city, asn, anonymous = writer("GeoLite2-City"), writer("GeoLite2-ASN"), writer("GeoIP2-Anonymous-IP")
    for network, (country, latitude, longitude, radius, number, hides) in NETWORKS.items():
        addresses = IPSet([network])
        place = {"latitude": latitude, "longitude": longitude, "accuracy_radius": radius}
        city.insert_network(addresses, {"country": {"iso_code": country}, "location": place})
        asn.insert_network(
            addresses, {"autonomous_system_number": number, "autonomous_system_organization": "Example"})
        if hides:
            anonymous.insert_network(addresses, {"is_anonymous": True, "is_public_proxy": True})
    city.to_db_file(str(directory / "city.mmdb"))
    asn.to_db_file(str(directory / "asn.mmdb"))
    anonymous.to_db_file(str(directory / "anonymous.mmdb"))


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]))
