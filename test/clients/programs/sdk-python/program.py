"""
From a mailbox to a verified webhook, through the client of `clients/python`. Prints what it has seen as one
line of JSON.
"""

from __future__ import annotations

import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from threading import Thread
from typing import Any

from outrider import Outrider, OutriderError, WebhookError, verify_webhook

DAYS_MAX = 10
SECONDS_MAX = 60


class Receiver(BaseHTTPRequestHandler):
    deliveries: Queue[tuple[dict[str, str], bytes]] = Queue()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.deliveries.put((dict(self.headers), body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
Thread(target=receiver.serve_forever, daemon=True).start()
api = Outrider(os.environ["OUTRIDER_KEY"], os.environ["OUTRIDER_URL"])

api.create_account({"email": "ann@sender.example", "provider": "sandbox"})
campaign = api.create_campaign({"name": "Spring", "notes": "A draft"})
id = campaign["id"]
api.create_campaign_step(id, {"type": "email", "subject": "A question", "body": "Hi"})
added = api.import_campaign_leads(
    id,
    {
        "leads": [
            {"email": "ada@one.example", "first_name": "Ada", "variables": {"city": "Oslo"}},
            {"email": "bo@two.example", "first_name": None},
        ]
    },
)
rows = "email,first_name\ncy@three.example,Cy\ndi@four.example,Di\ned@five.example,Ed"
imported = api.import_campaign_file(id, rows)
experiment = api.create_experiment(
    {
        "name": "Subject",
        "campaign_id": id,
        "primary_metric": "reply_rate",
        "variants": [
            {"name": "A", "config": {"subject": "A question"}},
            {"name": "B", "config": {"subject": "Hello"}},
        ],
    }
)
webhook = api.create_webhook(
    {"url": f"http://127.0.0.1:{receiver.server_port}/hooks", "events": ["email.sent"]}
)
cleared = api.patch_campaign(id, {"notes": None})
api.start_campaign(id)

sent = 0
for _ in range(DAYS_MAX):
    if sent == 5:
        break
    api.move_sandbox_clock({"advance": "1d"})
    sent = api.get_campaign_stats(id)["sent"]

results = api.get_experiment_results(experiment["id"])
emails = {lead["email"] for lead in api.iter_campaign_leads(id, limit=2)}
to = sorted(
    event["data"]["to"] or ""
    for event in api.iter_events(type="email.sent", limit=2)
    if event["type"] == "email.sent"
)
enrolled = [one for one in api.iter_events(type="lead.*") if one["type"] == "lead.enrolled"]

headers, body = Receiver.deliveries.get(timeout=SECONDS_MAX)
told = verify_webhook(body, headers, webhook["secret"])
try:
    verify_webhook(body + b" ", headers, webhook["secret"])
    forged = "believed"
except WebhookError:
    forged = "refused"
try:
    api.create_campaign({"name": ""})
    refused: list[str | None] = []
except OutriderError as error:
    refused = [error.type, error.field]

print(
    json.dumps(
        {
            "notes": [campaign["notes"], cleared["notes"]],
            "imported": [added["imported"], imported["imported"]],
            "sent": sent,
            "metric": results["experiment"]["primary_metric"],
            "variants": sorted(variant["name"] for variant in results["variants"]),
            "variantsSent": sum(variant["emails_sent"] for variant in results["variants"]),
            "leads": len(emails),
            "events": to,
            "enrolled": len(enrolled),
            "webhook": told["type"] == "email.sent" and told["data"]["to"] in to,
            "forged": forged,
            "refused": refused,
            "disk": api.get_system()["disk"]["free_bytes"] > 0,
        }
    )
)
