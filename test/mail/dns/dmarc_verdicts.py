"""What checkdmarc says of domains at a name server: argv is its port; names and records come as JSON on stdin."""

import json
import logging
import sys

import dns.resolver
from checkdmarc.dmarc import check_dmarc
from checkdmarc.mta_sts import parse_mta_sts_policy, parse_mta_sts_record
from checkdmarc.smtp_tls_reporting import parse_smtp_tls_reporting_record
from checkdmarc.spf import check_spf

logging.disable(logging.CRITICAL)
resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers = ["127.0.0.1"]
resolver.port = int(sys.argv[1])
asked = json.load(sys.stdin)


def parses(parse, text):
    try:
        parse(text)
        return True
    except Exception:
        return False


def spf(domain):
    found = check_spf(domain, resolver=resolver)
    return [found["valid"], found.get("dns_lookups")]


print(
    json.dumps(
        {
            "spf": {domain: spf(domain) for domain in asked["spf"]},
            "dmarc": {
                domain: check_dmarc(domain, resolver=resolver)["valid"] for domain in asked["dmarc"]
            },
            "tls": {text: parses(parse_smtp_tls_reporting_record, text) for text in asked["tls"]},
            "sts": {text: parses(parse_mta_sts_record, text) for text in asked["sts"]},
            "policy": {text: parses(parse_mta_sts_policy, text) for text in asked["policy"]},
        }
    )
)
