"""Keeps contacts in HubSpot: whoever replies becomes a contact or updates theirs, with the reply as a note.

    OUTRIDER_SECRET=whsec_… HUBSPOT_TOKEN=pat-… python3 hubspot.py 8000

Point a webhook with the event "reply.received" at it, with "include": ["lead", "reply.text"]. The token is that of a
private app with the scopes crm.objects.contacts.read and crm.objects.contacts.write. Python 3.10 or later, no packages.
Payloads: https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/batch/upsert-contacts
and https://developers.hubspot.com/docs/api/crm/notes
"""

import base64
import hashlib
import hmac
import html
import json
import os
import sys
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

TOKEN = os.environ["HUBSPOT_TOKEN"]
HUBSPOT_URL = os.environ.get("HUBSPOT_URL", "https://api.hubapi.com")
# HubSpot's own type of the association of a note with a contact.
NOTE_TO_CONTACT = 202
NOTE_MAX = 65_536
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


def call(path, body):
    """Returns HubSpot's response; raises an OSError for a status of 400 or more."""
    headers = {"content-type": "application/json", "authorization": f"Bearer {TOKEN}"}
    request = urllib.request.Request(HUBSPOT_URL + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def handle(event):
    included = event.get("included", {})
    lead, reply = included.get("lead"), included.get("reply")
    if event["type"] != "reply.received" or lead is None:
        return
    fields = {
        "email": lead["email"],
        "firstname": lead["first_name"],
        "lastname": lead["last_name"],
        "company": lead["company"],
        "phone": lead["phone"],
        "website": lead["website"],
    }
    contact = {
        "idProperty": "email",
        "id": lead["email"],
        "properties": {name: value for name, value in fields.items() if value},
    }
    upserted = call("/crm/v3/objects/contacts/batch/upsert", {"inputs": [contact]})
    words = html.escape((reply or {}).get("text") or "(no text)").replace("\n", "<br>")
    note_type = {"associationCategory": "HUBSPOT_DEFINED", "associationTypeId": NOTE_TO_CONTACT}
    note = {
        "properties": {"hs_timestamp": event["created_at"], "hs_note_body": words[:NOTE_MAX]},
        "associations": [{"to": {"id": upserted["results"][0]["id"]}, "types": [note_type]}],
    }
    call("/crm/v3/objects/notes", note)


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
