"""Posts replies and trouble with mailboxes to a channel of Slack, or of anything that takes Slack's incoming
webhooks (Mattermost, Rocket.Chat, Discord with /slack at the end of its URL).

    OUTRIDER_SECRET=whsec_… SLACK_URL=https://hooks.slack.com/services/… python3 slack.py 8000

Point a webhook at it with the events "reply.received", "account.error", and "campaign.paused", and with
"include": ["lead", "campaign"]. Python 3.10 or later, no packages.
Payload: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

SLACK_URL = os.environ["SLACK_URL"]
SECRET = os.environ["OUTRIDER_SECRET"]
BODY_BYTES_MAX = 1_000_000
SEEN_MAX = 10_000
seen = {}


def verify(secret, headers, body):
    """Returns the event; raises if Outrider didn't send it or it's older than five minutes."""
    id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
    right = "v1," + base64.b64encode(mac).decode()
    given = headers.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(right.encode(), one.encode()) for one in given):
        raise ValueError("not an Outrider webhook")
    if not sent.isdigit() or abs(time.time() - int(sent)) > 300:
        raise ValueError("too old")
    return json.loads(body)


def escape(text):
    """What Slack would read as markup; the order counts."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def message(event):
    """The lines for the channel; None for an event that nobody there needs."""
    data, included = event["data"], event.get("included", {})
    if event["type"] == "reply.received":
        lead, campaign = included.get("lead") or {}, included.get("campaign") or {}
        who = lead.get("company") or data["from"] or "Somebody"
        where = f" ({campaign['name']})" if campaign else ""
        words = data.get("snippet") or "(no text)"
        return f"*{escape(who)}* replied{escape(where)}: {data['interest'] or 'not classified'}\n>{escape(words)}"
    if event["type"] == "account.error":
        return f"*{escape(data['email'])}* stopped sending: {escape(data['last_error'] or 'unknown error')}"
    if event["type"] == "campaign.paused":
        return f"*{escape(data['name'])}* is paused: {escape(data['reason'] or 'no reason given')}"
    return None


def handle(event):
    text = message(event)
    if text is not None:
        body = json.dumps({"text": text}).encode()
        request = urllib.request.Request(SLACK_URL, body, {"content-type": "application/json"})
        urllib.request.urlopen(request, timeout=10).close()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        size = int(self.headers.get("content-length", "0"))
        if size > BODY_BYTES_MAX:
            return self.respond(413, {})
        try:
            event = verify(SECRET, self.headers, self.rfile.read(size))
        except ValueError as refusal:
            return self.respond(401, {"error": str(refusal)})
        try:
            if event["id"] not in seen:
                handle(event)
                seen[event["id"]] = True
                if len(seen) > SEEN_MAX:
                    del seen[next(iter(seen))]
        except OSError as failure:
            # Outrider sends the event again later.
            return self.respond(503, {"error": str(failure)})
        self.respond(200, {})

    def respond(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print(f"listening on port {server.server_port}", flush=True)
    server.serve_forever()
