"""Keeps what happened last to each lead in a SQLite table. A webhook receiver, complete: it verifies signatures,
takes each event once, and never lets an older event replace a newer one.

    OUTRIDER_SECRET=whsec_… python3 lead_status.py 8000

Point a webhook with the events "lead.*" and "reply.received" at it. Python 3.10 or later, no packages.
"""

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["OUTRIDER_SECRET"]
DATABASE = os.environ.get("DATABASE", "leads.db")
BODY_BYTES_MAX = 1_000_000


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


def store(event):
    """Takes the event in one transaction; returns what is known afterwards."""
    lead = event["data"].get("lead_id")
    with sqlite3.connect(DATABASE) as db:
        db.execute("create table if not exists events (id text primary key)")
        db.execute("create table if not exists leads (id text primary key, seq int, type text)")
        db.execute("insert or ignore into events values (?)", (event["id"],))
        if lead is not None:
            db.execute(
                "insert into leads values (?, ?, ?) on conflict (id) do update"
                " set seq = excluded.seq, type = excluded.type where excluded.seq > leads.seq",
                (lead, event["seq"], event["type"]),
            )
        (processed,) = db.execute("select count(*) from events").fetchone()
        row = db.execute("select seq from leads where id = ?", (lead,)).fetchone()
    # Outrider's check of receivers reads these two; otherwise the body is ignored.
    return {"processed": processed, "latest_seq": row and row[0]}


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        size = int(self.headers.get("content-length", "0"))
        if size > BODY_BYTES_MAX:
            return self.respond(413, {})
        try:
            event = verify(SECRET, self.headers, self.rfile.read(size))
        except ValueError as refusal:
            return self.respond(401, {"error": str(refusal)})
        self.respond(200, store(event))

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
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print(f"listening on port {server.server_port}", flush=True)
    server.serve_forever()
