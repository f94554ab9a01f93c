"""The rules of the API that no JSON Schema can say.

A request that fits the document may still be refused with 422 for one of the reasons below. Any other
422 of such a request is a hole in a schema, and fails the run.
"""

import re

import schemathesis

# By operation, `*` for all: the fields that a refusal may name, and what the rule is.
RULES = {
    "*": [
        (r"Idempotency-Key", "the key was used for another request"),
    ],
    "createCampaign": [
        (r"send_window\.timezone", "must be a zone of the IANA database"),
        (r"send_window\.end_hour", "must be above start_hour"),
        (r"account_ids\.\d+", "must be an account of the team"),
    ],
    "patchCampaign": [
        (r"send_window\.timezone", "must be a zone of the IANA database"),
        (r"send_window\.end_hour", "must be above start_hour"),
        (r"account_ids\.\d+", "must be an account of the team"),
        (r"status", "only some statuses follow each other"),
    ],
    "createKey": [
        (r"scopes\.\d+", "must be a scope that exists"),
        (r"expires_at", "must lie in the future"),
    ],
}


@schemathesis.check
def refused_for_a_known_rule(ctx, response, case):
    """A request that fits the document is refused with 422 only for a rule in RULES."""
    meta = case.meta
    if response.status_code != 422 or meta is None or not meta.generation.mode.is_positive:
        return None
    operation = case.operation.definition.raw.get("operationId", "")
    field = response.json().get("field") or ""
    rules = RULES["*"] + RULES.get(operation, [])
    if not any(re.fullmatch(pattern, field) for pattern, _ in rules):
        raise AssertionError(
            f"{operation} refuses {field!r} of a request that fits the document: "
            f"{response.json().get('message')}. Say it in the schema, or add the rule to RULES."
        )
    return None
