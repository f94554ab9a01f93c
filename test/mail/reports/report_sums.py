"""What parsedmarc reads in reports: argv are files; prints what it sums up of each as JSON, null for none."""

import json
import logging
import sys

import parsedmarc

logging.disable(logging.CRITICAL)


def sums(path):
    try:
        parsed = parsedmarc.parse_report_file(path, offline=True, always_use_local_files=True)
    except Exception:
        return None
    report = parsed["report"]
    if parsed["report_type"] != "aggregate":
        return [
            report["organization_name"],
            report["report_id"],
            [
                [one["policy_domain"], one["successful_session_count"], one["failed_session_count"]]
                for one in report["policies"]
            ],
        ]
    sources = {}
    for record in report["records"]:
        key = f"{record['source']['ip_address']} {record['identifiers']['header_from']}"
        count, aligned = record["count"], record["alignment"]
        disposition = record["policy_evaluated"]["disposition"]
        of = sources.setdefault(key, [0] * 6)
        facts = [True, aligned["dmarc"], aligned["spf"], aligned["dkim"]]
        facts += [disposition == "quarantine", disposition == "reject"]
        sources[key] = [was + count * fact for was, fact in zip(of, facts)]
    metadata = report["report_metadata"]
    domain = report["policy_published"]["domain"]
    return [metadata["org_name"], metadata["report_id"], domain, sources]


print(json.dumps([sums(path) for path in sys.argv[1:]]))
