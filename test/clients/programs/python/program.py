"""From a mailbox to a verified webhook, through the client that openapi-python-client makes of the document.

Prints what it has seen as one line of JSON.
"""

import io
import json
import os
import queue
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TypeVar

import httpx
from outrider import AuthenticatedClient
from outrider.api.accounts import create_account
from outrider.api.campaigns import (
    create_campaign,
    create_campaign_step,
    get_campaign_stats,
    patch_campaign,
    start_campaign,
)
from outrider.api.events import list_events
from outrider.api.experiments import create_experiment, get_experiment_results
from outrider.api.imports import import_campaign_file
from outrider.api.leads import import_campaign_leads, list_campaign_leads
from outrider.api.sandbox import move_sandbox_clock
from outrider.api.system import get_system
from outrider.api.webhooks import create_webhook
from outrider.models import (
    AccountCreate,
    AccountCreated,
    AccountProvider,
    Campaign,
    CampaignCreate,
    CampaignLeadList,
    CampaignPatch,
    CampaignStats,
    CampaignStepCreate,
    CampaignStepType,
    CreateCampaignStepResult,
    EmailSentEvent,
    ErrorBody,
    ErrorType,
    EventList,
    EventPattern,
    Experiment,
    ExperimentCreate,
    ExperimentCreateVariantsItem,
    ExperimentPrimaryMetric,
    ExperimentResult,
    ImportCampaignFileResult,
    ImportCampaignLeadsRequest,
    ImportCampaignLeadsResult,
    LeadEnrolledEvent,
    MoveSandboxClockRequest,
    PatchCampaignResult,
    SandboxClock,
    SystemStatus,
    Webhook,
    WebhookCreate,
)
from outrider.types import UNSET, File, Unset
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

DAYS_MAX = 10
SECONDS_MAX = 60
T = TypeVar("T")


def expect(kind: type[T], answer: object) -> T:
    """Returns the answer where it is no refusal."""
    assert isinstance(answer, kind), answer
    return answer


class Receiver(BaseHTTPRequestHandler):
    deliveries: "queue.Queue[tuple[dict[str, str], bytes]]" = queue.Queue()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.deliveries.put((dict(self.headers), body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
client = AuthenticatedClient(
    base_url=os.environ["OUTRIDER_URL"] + "/api/v1",
    token=os.environ["OUTRIDER_KEY"],
    timeout=httpx.Timeout(SECONDS_MAX),
)

mailbox = AccountCreate(email="ann@sender.example", provider=AccountProvider.SANDBOX)
expect(AccountCreated, create_account.sync(client=client, body=mailbox))
draft = CampaignCreate(name="Spring", notes="A draft")
campaign = expect(Campaign, create_campaign.sync(client=client, body=draft))
step = CampaignStepCreate(type_=CampaignStepType.EMAIL, subject="A question", body="Hi")
expect(CreateCampaignStepResult, create_campaign_step.sync(campaign.id, client=client, body=step))

leads = ImportCampaignLeadsRequest.from_dict(
    {
        "leads": [
            {"email": "ada@one.example", "first_name": "Ada", "variables": {"city": "Oslo"}},
            {"email": "bo@two.example", "first_name": None},
        ]
    }
)
added = expect(
    ImportCampaignLeadsResult, import_campaign_leads.sync(campaign.id, client=client, body=leads)
)
rows = b"email,first_name\ncy@three.example,Cy\ndi@four.example,Di\ned@five.example,Ed"
imported = expect(
    ImportCampaignFileResult,
    import_campaign_file.sync(campaign.id, client=client, body=File(payload=io.BytesIO(rows))),
)

variants = [
    ExperimentCreateVariantsItem.from_dict({"name": name, "config": {"subject": subject}})
    for name, subject in (("A", "A question"), ("B", "Hello"))
]
plan = ExperimentCreate(
    name="Subject",
    campaign_id=campaign.id,
    primary_metric=ExperimentPrimaryMetric.REPLY_RATE,
    variants=variants,
)
experiment = expect(Experiment, create_experiment.sync(client=client, body=plan))
hook = WebhookCreate(
    url=f"http://127.0.0.1:{receiver.server_port}/hooks", events=[EventPattern.EMAIL_SENT]
)
webhook = expect(Webhook, create_webhook.sync(client=client, body=hook))
patch = CampaignPatch(notes=None)
cleared = expect(PatchCampaignResult, patch_campaign.sync(campaign.id, client=client, body=patch))
expect(PatchCampaignResult, start_campaign.sync(campaign.id, client=client))

sent = 0
for _ in range(DAYS_MAX):
    if sent == 5:
        break
    move = MoveSandboxClockRequest(advance="1d")
    expect(SandboxClock, move_sandbox_clock.sync(client=client, body=move))
    sent = expect(CampaignStats, get_campaign_stats.sync(campaign.id, client=client)).sent

results = expect(ExperimentResult, get_experiment_results.sync(experiment.id, client=client))
emails: set[str] = set()
after: str | Unset | None = UNSET
while after is not None:
    page = expect(
        CampaignLeadList, list_campaign_leads.sync(campaign.id, client=client, limit=2, after=after)
    )
    emails.update(lead.email for lead in page.data)
    after = page.next_cursor
events = expect(EventList, list_events.sync(client=client, type_="email.sent")).data
to = sorted(one.data.to for one in events if isinstance(one, EmailSentEvent) and one.data.to)
others = expect(EventList, list_events.sync(client=client, type_="lead.*")).data

headers, body = Receiver.deliveries.get(timeout=SECONDS_MAX)
verifier = Verifier(webhook.secret)
told = EmailSentEvent.from_dict(verifier.verify(body, headers))
try:
    verifier.verify(body + b" ", headers)
    forged = "believed"
except WebhookVerificationError:
    forged = "refused"
refusal = expect(ErrorBody, create_campaign.sync(client=client, body=CampaignCreate(name="")))
assert refusal.type_ is ErrorType.VALIDATION_ERROR
system = expect(SystemStatus, get_system.sync(client=client))

print(
    json.dumps(
        {
            "notes": [campaign.notes, cleared.notes],
            "imported": [added.imported, imported.imported],
            "sent": sent,
            "metric": results.experiment.primary_metric,
            "variants": sorted(variant.name for variant in results.variants),
            "variantsSent": sum(variant.emails_sent for variant in results.variants),
            "leads": len(emails),
            "events": to,
            "enrolled": sum(isinstance(one, LeadEnrolledEvent) for one in others),
            "webhook": told.data.to in to,
            "forged": forged,
            "refused": [refusal.type_, refusal.field],
            "disk": system.disk.free_bytes > 0,
        }
    )
)
