"""What the runs need to know beside the document: records to ask for, and the rules no schema can say.

A request that fits the document may still be refused with 422 for one of the rules in RULES. Any other
422 of such a request is a hole in a schema, and fails the run.
"""

import itertools
import os
import re
import zoneinfo

import requests
import schemathesis
from hypothesis import strategies as st

API = os.environ["OUTRIDER_API"]
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.environ['OUTRIDER_KEY']}"
SECONDS_MAX = 120
# Seeds and schedules that a run makes: a team may not have many more.
PLACEMENT_RECORDS_MAX = 40
# A team may have 50.
WORKSPACES_KEPT = 30
WEBHOOKS_MADE_MAX = 10

# Zones that any machine knows: "posix/…" and the like are files of this one.
ZONES = sorted(name for name in zoneinfo.available_timezones() if re.match(r"[A-Z]\w+/[A-Z]", name))
PEOPLE = [f"{name}@{host}" for name in ("ann", "bo.li", "c+d") for host in ("example.org", "acme.test")]
schemathesis.openapi.format("timezone", st.sampled_from(["UTC", *ZONES]))
schemathesis.openapi.format("email-or-domain", st.sampled_from([*PEOPLE, "@example.net"]))
schemathesis.serializer.alias("application/x-ndjson", "text/plain")
schemathesis.openapi.format("host", st.sampled_from(["mail.acme.test", "192.0.2.7", "2001:db8::7"]))

WINDOW = [
    (r"send_window\.timezone", "must be a zone of the IANA database"),
    (r"send_window\.(start|end)_hour", "must end after it starts"),
    (r"send_window\.skip_holidays\.\d+", "must be a country whose public holidays are known"),
    (r"account_ids\.\d+", "must be an account of the team"),
]
MOVES = [(r"rules(\.\d+(\.(campaign_id|on|wait_days|wait_minutes))?)?", "one for an event, to another campaign of the team, in no circle")]
OF_WORKSPACE = [(r"workspace_id", "one of the team's at that provider, which has the address's domain")]
WORKSPACE = [
    (r"tenant|client_id|client_secret|service_account_key", "each provider takes its own, and needs them"),
    (r"domains(\.\d+)?", "domain names, no two of them in two workspaces"),
]
CURSOR = [(r"after", "must be the next_cursor of an earlier page")]
FILTER = [
    (r"filter", "must be in the filter language, with the list's fields"),
    (r"sort", "must be one of the list's"),
    (r"offset", "has a bound beside a filter or sort"),
    (
        r"search|email|status|interest|hold_reason|response|done|unread|kind|folder|campaign_id|account_id|assignee_id|mentions|reason"
        r"|trigger_type|type|actor|action|target|request_id|since|until|recipient",
        "can't stand beside a filter or sort",
    ),
]
ADDRESS = [(r"email", "must be an address that a mail server takes, its domain in any script")]
EXPERIMENT = [
    (r"campaign_id|step_position", "must be the team's, and an email step of that campaign"),
    (r"variants", "has a bound of its own, below that of variants as they were read"),
    (r"variants\.\d+\.(id|name)", "must be one that the experiment has; unique by name"),
    (r"variants\.\d+\.config(\.\w+)?", "must be a template that compiles and has leads to be sent to; the first step has a subject"),
    (r"variants\.\d+\.weight", "must be the same for every variant with test_and_roll"),
    (r"guardrails\.\d+(\.(metric|max_rate))?", "has one of two limits, once for a metric; for bounces below that of all"),
]
FILE = [
    (r"map(\..*)?|delimiter|encoding", "must be a JSON object of fields and columns of the file; one sign"),
    (r"body", "must be a file with a first line"),
]
# Formats know no bounds.
YEARS = "must be from 1970 to 9999"
RENDERED = (r"steps\.\d+\.(subject|body|attachment_ids(\.\d+)?)", "must say something to that lead, with files that are there")
WEBHOOK = [
    (r"url", "must be https, without credentials"),
    (r"secret", "must be whsec_ and 24 to 64 bytes in base64"),
    (r"campaign_ids\.\d+", "must be a campaign of this environment"),
    (r"headers(\..*)?", "must be a header that may be set, in visible ASCII, at most ten"),
]

TAG = [
    (r"ids(\.\d+)?", "must be the team's"),
    (r"(add|remove|add_tags|remove_tags|tags|tag)(\.\d+)?", "one line without separators; twenty at most"),
]

PUT_ASIDE = [
    (r"snoozed_until", "must lie in the future, by 2100, and not go with done"),
    (r"assignee_id", "must be a member of the team"),
]
COPIES = [(r"(cc|bcc)\.\d+", "must be an address that may be written to")]
CARRIED = [(r"attachment_ids(\.\d+)?|body", "must be the team's files; images in a text too; 10 MB in all")]

# By operation, `*` for all: the fields that a refusal may name, and what the rule is.
RULES = {
    "*": [(r"Idempotency-Key", "the key was used for another request")],
    "createCampaign": [*WINDOW, *MOVES],
    "patchCampaign": [*WINDOW, *MOVES, (r"steps(\..*)?|account_ids", "a start needs steps and accounts")],
    "createKey": [
        (r"scopes\.\d+", "must be a scope that exists"),
        (r"expires_at", "must lie in the future"),
    ],
    **{f"list{noun}Tags": TAG for noun in ("Lead", "Campaign", "Account", "InboxThread")},
    **{f"tag{noun}": TAG for noun in ("Leads", "Campaigns", "Accounts", "InboxThreads")},
    "listCampaigns": [*CURSOR, *FILTER, *TAG],
    "listAccounts": [*CURSOR, *FILTER, *TAG],
    "listLeads": [*CURSOR, *FILTER, *ADDRESS, *TAG],
    "listCampaignLeads": [*CURSOR, *FILTER, *ADDRESS],
    "listTasks": [*CURSOR, *FILTER],
    "listInboxThreads": [*CURSOR, *FILTER, *TAG],
    "patchInboxThread": PUT_ASIDE,
    "changeInboxThreads": [
        *TAG,
        *[(rf"change\.({field})", rule) for field, rule in PUT_ASIDE],
    ],
    "createInboxThreadNote": [(r"mentions\.\d+", "must be a member of the team")],
    "forwardInboxThread": [
        *COPIES,
        *CARRIED,
        (r"to", "must be an address that may be written to"),
        (r"message_id", "must be an email that was sent or received"),
    ],
    "getCampaignRehearsal": [(r"steps(\..*)?|account_ids|max_.*", "a start needs steps and accounts")],
    "replyToInboxThread": [
        *COPIES,
        *CARRIED,
        (r"body", "must say something: blanks and empty tags do not"),
        (r"subject", "has a bound in bytes"),
    ],
    "attachInboxThread": [(r"enrollment_id", "must be a lead of a campaign")],
    "patchMessage": [(r"kind|read|severity", "a mail that came in is no message of ours")],
    "getExperimentResults": [
        (r"segment_by", "is one of three words, or custom: and a value that some lead has, of not too many"),
    ],
    "listSuppressions": [*CURSOR, *FILTER, *ADDRESS],
    "checkSuppression": ADDRESS,
    "createSuppression": ADDRESS,
    "listSandboxMessages": [*CURSOR, *FILTER],
    "createWorkspace": WORKSPACE,
    "patchWorkspace": WORKSPACE,
    "connectWorkspaceAccounts": [(r"emails(\.\d+)?", "addresses at the workspace's domains")],
    "listAccountProviders": [(r"account_id|from|to", "an account of the team; 92 days at most, in order")],
    "createAccount": [
        (r"aliases\.\d+\.email", "an address that is neither the account's own nor named twice"),
        (r"send_as", "must be the account's address or one of its aliases"),
        *OF_WORKSPACE,
        *ADDRESS,
        (r"timezone", "must be a zone of the IANA database"),
        (r"(smtp|imap)\.(host|security)", "must be a host; unencrypted only on this machine"),
        (r"max_gap_seconds", "must not be below min_gap_seconds"),
        (r"oauth", "for google and microsoft only"),
        (r"ramp\.from", YEARS),
    ],
    "changeAccounts": [*TAG, (r"ids(\.\d+)?|filter(\.tag)?", "one of the two")],
    "importAccounts": [(r".+", "a CSV file whose first row names fields of an account")],
    "upsertLeads": [(r"leads\.\d+\.(email|timezone|variables(\..*)?|tags(\.\d+)?)", "an address; a zone; tags")],
    "duplicateCampaign": [],
    "runBatch": [(r"operations\.\d+(\..+)?", "each as if alone; names refer to earlier operations")],
    "patchLead": [*TAG, (r"email", "only as it was read: another address is another lead")],
    "startCampaign": [(r"steps(\..*)?|account_ids", "a start needs steps and accounts")],
    "resumeCampaign": [(r"steps(\..*)?|account_ids", "a start needs steps and accounts")],
    "createCampaignStep": [*CARRIED, (r"position", "positions have no holes")],
    "patchCampaignStep": [*CARRIED, (r"position", "positions have no holes")],
    "previewCampaign": [(r"position|step_id|lead_id|lead", "must be of this campaign; one lead")],
    "checkCampaignStep": [
        (r"step_id|lead_id|lead", "must be an email, and a lead of this campaign"),
        RENDERED,
    ],
    "getAccountDns": [(r"selector", "must be a DNS name")],
    "patchCampaignLead": [
        (r"current_step", "the campaign has so many steps"),
        (r"next_attempt_at|status", "only some follow each other"),
    ],
    "createPlacementSeed": [
        *ADDRESS,
        (r"imap\.(host|security)", "must be a host; unencrypted only on this machine"),
    ],
    "patchPlacementSeed": [
        (r"email", "only as it was read"),
        (r"imap\.(host|security)", "must be a host; unencrypted only on this machine"),
        (r"oauth\.\w+", "the first credentials must be whole"),
    ],
    "createPlacementRun": [
        (r"(account_ids|seed_ids)(\.\d+)?", "must be the team's, and work"),
        (r"campaign_id|step_id|position", "must be the team's; one step that can be rendered"),
    ],
    "listCannedReplies": [(r"thread_id", "must be the team's")],
    "mergeLead": [(r"lead_ids(\.\d+)?", "must be other leads of the team, none twice")],
    "createLeadView": [
        (r"name|filter", "must not be blank; a filter must be one of leads"),
        (r"columns(\.\d+)?", "must be columns of the list, none twice"),
    ],
    "uploadFile": [(r"name", "must be a name, of a type that providers take"), (r"body", "must not be empty")],
    "createCannedReply": [(r"name|body", "must not be blank; a body must be a template")],
    "createPlacementSchedule": [
        (r"(account_ids|seed_ids)\.\d+", "must be the team's"),
        (r"campaign_id|step_id", "must be the team's, and an email of that campaign"),
        (r"timezone", "must be a zone of the IANA database"),
    ],
    "patchSandboxSettings": [
        (r"faults\.auth_failures\.\d+", "must be an account of the team"),
        (r"delays\.\w+(\.\w+)?|blocks\.\d+\.until", "must end after it starts"),
    ],
    "createExperiment": EXPERIMENT,
    "patchExperiment": EXPERIMENT,
    "getExperimentPlan": [
        (r"leads|leads_per_day", "is required, or the campaign that says it"),
        (r"campaign_id|step_position", "must be the team's, and a step of that campaign"),
    ],
    "completeExperiment": [(r"winner_variant_id", "must be a variant of the experiment")],
    "createWebhook": WEBHOOK,
    "patchWebhook": WEBHOOK,
    "rotateWebhookSecret": WEBHOOK,
    "replayWebhook": [(r"until", "must lie after since"), (r"since|until", YEARS)],
    "exportMessages": [(r"from|until", YEARS)],
    "listWebhookDeliveries": [*CURSOR, *FILTER],
    "listEvents": [*CURSOR, *FILTER, (r"type", "must name kinds or families of events that exist")],
    "streamEvents": [*CURSOR, (r"type", "must name kinds or families of events that exist")],
    "listAudit": [*CURSOR, *FILTER, (r"since|until", YEARS)],
    "listPlacementRuns": [*CURSOR, *FILTER],
    "listImports": [*CURSOR, *FILTER],
    "importCampaignFile": [*FILE, (r"import_id", "the id was used for another request")],
    "importSuppressions": [*FILE, (r"import_id", "the id was used for another request")],
    "previewImport": FILE,
    "resumeImport": FILE,
    "downloadImportLines": [(r"outcome", "must be outcomes, with commas between them")],
    "getStats": [
        (r"account_id", "not together with campaign_id"),
        (r"days", "not together with from"),
        (r"from|to", "days of the calendar, in order, not too many"),
        (r"timezone", "must be a zone of the IANA database"),
    ],
    "setBillingLicense": [(r"licence", "must be signed, the team's and in force")],
    "enrollCampaignLeads": [
        (r"view_id|filter|after", "one of the two, a filter of leads; an earlier answer's"),
    ],
    "changeCampaignLeads": [
        (r"lead_ids|filter(\..*)?|after", "one of the two; an earlier answer's"),
        (r"fill(\..*)?", "goes with the action release, and gives something"),
    ],
    "sendTestCampaignStep": [
        (r"to|lead_id|step_id", "must be an address; an email; a lead of it"),
        RENDERED,
    ],
    "subscribeToPlan": [(r"licence", "must be signed, the team's and in force")],
    "setAccountDkim": [(r"selector|private_key", "must be a DNS name; an RSA key of some strength")],
    "patchTeam": [
        (r"tracking_host", "must be a host name"),
        (r"interest_words\.\w+\.\d+", "must contain a letter or a digit; a word means one thing"),
        (r"default_timezone|timezone", "must be a zone of the IANA database"),
    ],
    "injectIntoSandbox": [
        (r"lead_id", "name one of the four ids"),
        (r"run_id|seed_id|account_id|placement", "name one test of a run, with kind placement only"),
        (r"message_id|enrollment_id|text|returns_on|from", "has no meaning with kind placement"),
        (r"kind|from|text", "with account_id a stranger writes: a reply, with sender and words"),
        (r"from|returns_on", "must be an address, a day of the calendar"),
    ],
    "moveSandboxClock": [(r"advance|speed", "give one of the two; 1s to 366d")],
}
RULES["patchLeadView"] = RULES["createLeadView"]
RULES["patchCannedReply"] = RULES["createCannedReply"]
RULES["patchPlacementSchedule"] = RULES["createPlacementSchedule"]
RULES["patchAccount"] = [
    *RULES["createAccount"],
    (r"provider", "only as it was read"),
    (r"oauth\.\w+", "the first credentials must be whole"),
    (r"ramp\.(start|increment)", "a ramp that there was not needs both"),
]


@schemathesis.check
def refused_for_a_known_rule(ctx, response, case):
    """A request that fits the document is refused with 422 only for a rule in RULES."""
    meta = case.meta
    if response.status_code != 422 or meta is None or not meta.generation.mode.is_positive:
        return None
    if "None" in map(str, (case.path_parameters or {}).values()):
        # A link followed to a record that another record does not have: `campaign_id` may be null.
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


# Records to ask for. Made-up ids are unknown, so every third request that fits gets a record's own.

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
COUNTER = itertools.count(1)


def ask(method, path, body=None):
    response = SESSION.request(method, f"{API}{path}", json=body, timeout=SECONDS_MAX)
    response.raise_for_status()
    return response.json()


def campaign():
    number = next(COUNTER)
    made = ask("POST", "/campaigns", {"name": f"Made for the run {number}"})
    path = f"/campaigns/{made['id']}"
    text = "Hello {{ first_name | default: \"there\" }}"
    step = ask("POST", f"{path}/steps", {"type": "email", "subject": text, "body": text})
    ask("POST", f"{path}/leads", {"leads": [{"email": f"reply+{number}@sandbox.test"}]})
    lead = ask("GET", f"{path}/leads")["data"][0]
    return {"id": made["id"], "stepId": step["id"], "leadId": lead["id"], "lead": lead["lead_id"]}


def account():
    body = {"email": f"box{next(COUNTER)}@acme.test", "provider": "smtp"}
    return {"id": ask("POST", "/accounts", body)["id"]}


def workspace():
    if len(ask("GET", "/workspaces")["data"]) > WORKSPACES_KEPT:
        return {"id": ask("GET", "/workspaces")["data"][-1]["id"]}
    body = {"provider": "microsoft", "domains": ["acme.test"], "client_id": "app", "client_secret": "secret"}
    return {"id": ask("POST", "/workspaces", body)["id"]}


def suppression():
    body = {"email": f"person{next(COUNTER)}@example.org"}
    return {"id": ask("POST", "/suppressions", body)["id"]}


def key():
    return {"id": ask("POST", "/keys", {"name": f"made {next(COUNTER)}", "env": "test"})["id"]}


def invitation():
    body = {"email": f"guest{next(COUNTER)}@example.org", "role": "viewer"}
    return {"id": ask("POST", "/team/invitations", body)["id"]}


def seed():
    if ask("GET", "/placement/seeds?limit=1")["total"] > PLACEMENT_RECORDS_MAX:
        return past("/placement/seeds")
    return {"id": ask("POST", "/placement/seeds", {"email": f"seed{next(COUNTER)}@seeds.test"})["id"]}


def placement_run():
    account()
    return {"id": ask("POST", "/placement/runs", {"seed_ids": [seed()["id"]]})["id"]}


def placement_schedule():
    if ask("GET", "/placement/schedules?limit=1")["total"] > PLACEMENT_RECORDS_MAX:
        return past("/placement/schedules")
    return {"id": ask("POST", "/placement/schedules", {})["id"]}


def canned_reply():
    if ask("GET", "/canned-replies?limit=1")["total"] > PLACEMENT_RECORDS_MAX:
        return past("/canned-replies")
    return {"id": ask("POST", "/canned-replies", {"name": f"Reply {next(COUNTER)}", "body": "Hi"})["id"]}


def lead_view():
    if ask("GET", "/lead-views?limit=1")["total"] > PLACEMENT_RECORDS_MAX:
        return past("/lead-views")
    return {"id": ask("POST", "/lead-views", {"name": f"View {next(COUNTER)}"})["id"]}


def stored_file():
    headers = {**SESSION.headers, "Content-Type": "application/octet-stream"}
    response = requests.post(f"{API}/files?name=a.txt", data=b"hello", headers=headers, timeout=SECONDS_MAX)
    return {"id": response.json()["id"]}


def experiment():
    body = {"campaign_id": campaign()["id"], "name": "A", "variants": [{"name": "a"}, {"name": "b"}]}
    return {"id": ask("POST", "/experiments", body)["id"]}


def webhook():
    if ask("GET", "/webhooks?limit=1")["total"] > WEBHOOKS_MADE_MAX:
        return past("/webhooks")
    url = f"https://hooks.example.com/{next(COUNTER)}"
    return {"id": ask("POST", "/webhooks", {"url": url, "events": ["webhook.test"]})["id"]}


def deleted():
    made = campaign()
    SESSION.delete(f"{API}/campaigns/{made['id']}", timeout=SECONDS_MAX).raise_for_status()
    return {"id": made["id"]}


def delivery():
    made = webhook()
    ask("POST", f"/webhooks/{made['id']}/test")
    given = past(f"/webhooks/{made['id']}/deliveries")
    return {"id": made["id"], "deliveryId": given["id"]}


def past(path):
    """The first of what `set_the_scene` left."""
    return {"id": ask("GET", path)["data"][0]["id"]}


def set_the_scene():
    """A month of a small campaign with a task in it, so that there are messages and tasks."""
    account()
    everyday = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    window = {"timezone": "UTC", "days": everyday, "start_hour": 0, "end_hour": 24}
    made = ask("POST", "/campaigns", {"name": "Scene", "send_window": window})
    path = f"/campaigns/{made['id']}"
    ask("POST", f"{path}/steps", {"type": "email", "subject": "Hello", "body": "Hello"})
    ask("POST", f"{path}/steps", {"type": "task", "subject": "Call", "wait_days": 0})
    names = [f"person{number}@example.org" for number in range(9)]
    people = [{"email": email} for email in [*names, "reply@sandbox.test", "ooo@sandbox.test"]]
    ask("POST", f"{path}/leads", {"leads": people})
    ask("POST", f"{path}/start")
    ask("POST", "/sandbox/clock", {"advance": "3d"})


def thread_note():
    thread = past("/inbox/threads")["id"]
    path = f"/inbox/threads/{thread}/notes"
    notes = ask("GET", path)["data"]
    note = notes[-1] if len(notes) > 100 else ask("POST", path, {"body": "Knows Ann"})
    return {"id": thread, "noteId": note["id"]}


def mail():
    thread = past("/inbox/threads")["id"]
    return {"id": ask("GET", f"/inbox/threads/{thread}")["messages"][-1]["id"]}


MAKERS = {
    "/campaigns/": campaign,
    "/leads/": lambda: {"id": campaign()["lead"]},
    "/accounts/": account,
    "/workspaces/": workspace,
    "/suppressions/": suppression,
    "/tasks/": lambda: past("/tasks"),
    "/inbox/threads/{id}/notes": thread_note,
    "/inbox/threads/": lambda: past("/inbox/threads"),
    "/messages/": mail,
    "/sandbox/messages/": lambda: past("/sandbox/messages"),
    "/keys/": key,
    "/team/invitations/": invitation,
    "/experiments/": experiment,
    "/webhooks/{id}/deliveries/{deliveryId}": delivery,
    "/webhooks/": webhook,
    "/deleted/": deleted,
    "/events/": lambda: past("/events"),
    "/canned-replies/": canned_reply,
    "/lead-views/": lead_view,
    "/files/": stored_file,
    "/placement/seeds/": seed,
    "/placement/runs/": placement_run,
    "/placement/schedules/": placement_schedule,
}
SCENE = []
# By prefix, one record for all requests that are to be refused, since they change nothing.
SPARE = {}


def record_for(prefix, case):
    """A record of its own for a request that may change it, or that would delete it if wrongly accepted."""
    if case.meta.generation.mode.is_positive or case.method == "DELETE":
        return MAKERS[prefix]()
    if prefix not in SPARE:
        SPARE[prefix] = MAKERS[prefix]()
    return SPARE[prefix]


@schemathesis.hook
def before_call(context, case, kwargs):
    meta = case.meta
    body = case.operation.definition.raw.get("requestBody", {})
    if case.body is None and not body.get("required", False):
        # Generated clients send `null` for a body that they leave out, which no schema says. Another that is wrong.
        case.body = []
    given = case.path_parameters or {}
    if meta is not None and meta.phase.name.value == "stateful" and case.query:
        # A dry run makes no record that a later step could ask for.
        if str(case.query.get("dry_run")).lower() == "true":
            case.query = {name: value for name, value in case.query.items() if name != "dry_run"}
    if meta is None or meta.phase.name.value == "stateful" or not given:
        return
    if not all(UUID.fullmatch(str(value)) for value in given.values()) or next(COUNTER) % 3:
        return
    for prefix in MAKERS:
        if case.path.startswith(prefix):
            if not SCENE:
                SCENE.append(True)
                set_the_scene()
            made = record_for(prefix, case)
            case.path_parameters = {name: made[name] for name in given}
            return
