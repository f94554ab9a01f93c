"""Asks a server that fails in many ways. Prints what came of each request, one line of JSON for all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

import outrider.client
from outrider import Outrider, OutriderError, OutriderUnreachable, WebhookError, verify_webhook

outrider.client.PAUSE_SECONDS = 0.001
api = Outrider("outrider_test_key", os.environ["OUTRIDER_URL"])


def outcome(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except OutriderError as error:
        return [error.type, error.message, error.field, error.status, error.request_id]
    except OutriderUnreachable:
        return "unreachable"
    except (ValueError, WebhookError) as error:
        return str(error)


def ids(records: Iterable[Any]) -> list[str]:
    return [record["id"] for record in records]


with open("webhooks.json") as file:
    webhooks = json.load(file)

print(
    json.dumps(
        {
            "busy": outcome(lambda: api.create_campaign({"name": "x"})["id"]),
            "broken": outcome(lambda: api.create_webhook({"url": "https://a.example"})["id"]),
            "deleted": outcome(lambda: api.delete_campaign("broken")),
            "refused": outcome(lambda: api.get_campaign("refused")),
            "proxy": outcome(lambda: api.get_campaign("proxy")),
            "noId": outcome(lambda: api.get_campaign("")),
            "cursors": outcome(lambda: ids(api.iter_leads(limit=2, search="a b&c"))),
            "events": outcome(lambda: ids(api.iter_events(limit=2))),
            "mailboxes": outcome(lambda: ids(api.iter_accounts(limit=2))),
            "experiments": outcome(lambda: ids(api.iter_experiments(limit=2))),
            "webhooks": [
                outcome(
                    lambda: verify_webhook(
                        one["body"], one["headers"], one["secrets"], now=one["now"]
                    )["id"]
                )
                for one in webhooks
            ],
        }
    )
)
