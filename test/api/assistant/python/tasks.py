"""The ten tasks of an assistant, by the protocol's official SDK and without a model.

    tasks.py stdio | http | http-legacy

Every call is made from what its tool says of itself alone: its arguments are held against the tool's
inputSchema before they are sent, and what it answers against its outputSchema. Prints what was seen.
"""

import asyncio
import json
import os
import sys

import httpx2
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

URL = os.environ["OUTRIDER_URL"]
KEY = os.environ["OUTRIDER_KEY"]
DAYS_MAX = 30


class Assistant:
    def __init__(self, client, tools):
        self.client = client
        self.tools = {tool.name: tool for tool in tools}
        self.calls = 0

    async def answer(self, name, arguments):
        """What a tool answers: its structured content, or its refusal."""
        tool = self.tools[name]
        result = await self.client.call_tool(name, arguments)
        self.calls += 1
        if result.is_error:
            return None, json.loads(result.content[0].text)
        Draft202012Validator(tool.output_schema).validate(result.structured_content)
        assert json.loads(result.content[0].text) == result.structured_content, name
        return result.structured_content, None

    async def use(self, name, /, **arguments):
        tool = self.tools[name]
        Draft202012Validator(tool.input_schema).validate(arguments)
        answer, refusal = await self.answer(name, arguments)
        assert refusal is None, (name, refusal)
        return answer

    async def plan(self, name, /, **arguments):
        answer = await self.use(name, **arguments)
        assert "confirm" in answer and "result" not in answer, (name, answer)
        return answer

    async def confirmed(self, name, /, **arguments):
        """A plan is shown, and then confirmed."""
        plan = await self.plan(name, **arguments)
        answer = await self.use(name, **arguments, confirm=plan["confirm"])
        return plan["plan"], answer["result"]

    async def refused(self, name, /, **arguments):
        answer, refusal = await self.answer(name, arguments)
        assert answer is None, (name, answer)
        return refusal


async def make_a_campaign(ann):
    assert (await ann.use("list_accounts"))["data"] == []
    account = (await ann.use("create_account", email="ann@sender.example", provider="sandbox"))["id"]
    campaign = (
        await ann.use("create_campaign", name="Spring", account_ids=[account], stop_on_reply=True)
    )["id"]
    step = await ann.use(
        "create_campaign_step",
        id=campaign,
        type="email",
        subject="A question",
        body="Hello {{ first_name }}, who buys software at your company?",
    )
    step = step["result"]["id"]
    leads = [
        {"email": f"lea@customer-{n}.example", "first_name": "Lea", "company": f"Customer {n}"}
        for n in range(80)
    ]
    added = await ann.use("import_campaign_leads", id=campaign, leads=leads)
    assert added["result"]["imported"] == 80
    lead = {"email": "lea@example.com", "first_name": "Lea"}
    preview = await ann.use("preview_campaign", id=campaign, position=1, lead=lead)
    assert "Hello Lea" in preview["text"]
    return account, campaign, step


async def forecast_before_start(ann, campaign):
    forecast = await ann.use("get_campaign_forecast", id=campaign, days=7, as_if_started=True)
    check = await ann.use("get_campaign_launch_check", id=campaign)
    assert check["ready"] is True
    return forecast["total"]


async def start(ann, campaign):
    plan = await ann.plan("start_campaign", id=campaign)
    assert plan["plan"]["from"] == ["ann@sender.example"], plan
    assert (await ann.use("get_campaign", id=campaign))["status"] == "draft"
    forged = plan["confirm"][:-1] + ("A" if plan["confirm"][-1] != "A" else "B")
    refusal = await ann.refused("start_campaign", id=campaign, confirm=forged)
    assert refusal["field"] == "confirm", refusal
    started = await ann.use("start_campaign", id=campaign, confirm=plan["confirm"])
    assert started["result"]["status"] == "active"
    return plan["plan"]["emails"]


async def read_an_experiment(ann, campaign):
    made = await ann.use(
        "create_experiment",
        campaign_id=campaign,
        name="Subject",
        step_position=1,
        variants=[
            {"name": "A", "config": {}},
            {"name": "B", "config": {"subject": "Is this worth a call?"}},
        ],
    )
    assert (await ann.use("list_experiments"))["data"][0]["id"] == made["id"]
    return made["id"]


async def why_nobody_was_written_to(ann, campaign):
    await ann.use("pause_campaign", id=campaign)
    record = await ann.use("get_campaign", id=campaign)
    lead = (await ann.use("list_campaign_leads", id=campaign, limit=1))["data"][0]["lead_id"]
    explained = await ann.use("explain_campaign_lead", id=campaign, leadId=lead)
    await ann.use("get_attention")
    await ann.confirmed("resume_campaign", id=campaign)
    return [record["status"], explained["reason"]]


async def pass_time(ann, campaign):
    for _ in range(DAYS_MAX):
        await ann.use("move_sandbox_clock", advance="1d")
        stats = await ann.use("get_campaign_stats", id=campaign)
        if stats["replied"] > 0 and stats["sent"] == 80:
            return stats
    raise AssertionError("nobody replied")


async def answer_an_interested_reply(ann):
    found = await ann.use("list_inbox_threads", kind="reply", limit=1)
    thread = found["data"][0]["id"]
    await ann.use("patch_inbox_thread", id=thread, interest="interested")
    [interested] = (await ann.use("list_inbox_threads", interest="interested", limit=1))["data"]
    assert (await ann.use("get_inbox_thread", id=interested["id"]))["messages"]
    words = {"id": interested["id"], "body": "Thank you! Does Thursday suit you?"}
    plan = await ann.plan("reply_to_inbox_thread", **words)
    assert plan["plan"]["text"] == words["body"]
    other = {**words, "body": "Buy now!", "confirm": plan["confirm"]}
    refusal = await ann.refused("reply_to_inbox_thread", **other)
    assert refusal["field"] == "confirm", refusal
    once = await ann.use("reply_to_inbox_thread", **words, confirm=plan["confirm"])
    again = await ann.use("reply_to_inbox_thread", **words, confirm=plan["confirm"])
    assert once == again, "a confirmation sends once"
    await ann.use("move_sandbox_clock", advance="1h")
    thread = await ann.use("get_inbox_thread", id=interested["id"])
    return sum(words["body"] in (one["text"] or "") for one in thread["messages"])


async def suppress_a_domain(ann):
    await ann.use("create_suppression", email="@rival.example")
    return (await ann.use("check_suppression", email="bo@rival.example"))["suppressed"]


async def find_a_lead_and_its_history(ann):
    email = "lea@customer-7.example"
    [lead] = (await ann.use("list_leads", email=email))["data"]
    await ann.use("get_lead", id=lead["id"])
    history = await ann.use("list_lead_timeline", id=lead["id"])
    return len(history["data"]) > 0


async def check_a_mailbox(ann, account):
    health = await ann.use("get_account_health", id=account)
    found = await ann.use("find_operations", words="test the connection of a mailbox")
    assert found["operations"][0]["operation"] == "testAccount"
    call = {"operation": "testAccount", "arguments": {"id": account}}
    plan = await ann.use("call_operation", **call)
    call["arguments"]["confirm"] = plan["confirm"]
    tested = await ann.use("call_operation", **call)
    return [health["score"] > 0, tested["result"]["ok"]]


async def pause_what_bounces(ann, account, campaign):
    stats = await ann.use("get_campaign_stats", id=campaign)
    paused = await ann.use("patch_account", id=account, status="paused")
    plan, active = await ann.confirmed("patch_account", id=account, status="active")
    assert plan["from"] == ["ann@sender.example"]
    return [stats["bounced"] >= 0, paused["result"]["status"], active["status"]]


async def export_results(ann, campaign, sent):
    page = await ann.use("export_results", campaign_id=campaign)
    assert page["next_row"] is None
    leads = await ann.use("export_leads", campaign_id=campaign)
    return [[row["sent"] for row in page["rows"]] == [sent], len(leads["rows"])]


async def strictness(ann):
    return [
        await ann.refused("create_campaign", name="x", stop_on_replay=True),
        await ann.refused("list_campaigns", body={"limit": 1}),
        await ann.refused("get_campaign"),
        await ann.refused("call_operation", operation="getCampain"),
    ]


async def prompts_and_resources(ann, client, campaign):
    prompts = (await client.list_prompts()).prompts
    shown = await client.get_prompt("campaign_from_brief", {"brief": "Write to Lea"})
    assert "Write to Lea" in shown.messages[0].content.text
    templates = (await client.list_resource_templates()).resource_templates
    read = await client.read_resource(f"outrider://campaigns/{campaign}")
    assert json.loads(read.contents[0].text)["name"] == "Spring"
    await client.read_resource("outrider://attention")
    try:
        await client.read_resource("outrider://campaigns/../keys")
        raise AssertionError("read what is no resource")
    except Exception as error:
        assert "no such resource" in str(error), error
    return [len(prompts) > 0, len(templates) > 0]


async def tasks(client):
    tools = []
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    for tool in tools:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
    ann = Assistant(client, tools)
    account, campaign, _ = await make_a_campaign(ann)
    forecast = await forecast_before_start(ann, campaign)
    planned = await start(ann, campaign)
    experiment = await read_an_experiment(ann, campaign)
    silence = await why_nobody_was_written_to(ann, campaign)
    stats = await pass_time(ann, campaign)
    results = await ann.use("get_experiment_results", id=experiment)
    return {
        "forecast": forecast > 0 and planned >= forecast,
        "silence": silence,
        "variants": [one["name"] for one in results["variants"]],
        "answers": await answer_an_interested_reply(ann),
        "suppressed": await suppress_a_domain(ann),
        "history": await find_a_lead_and_its_history(ann),
        "mailbox": await check_a_mailbox(ann, account),
        "bounces": await pause_what_bounces(ann, account, campaign),
        "exported": await export_results(ann, campaign, stats["sent"]),
        "refused": [one.get("field") or one["message"] for one in await strictness(ann)],
        "hints": ["did you mean" in one["message"] for one in await strictness(ann)],
        "beside": await prompts_and_resources(ann, client, campaign),
    }


async def main(transport):
    if transport == "stdio":
        command, *arguments = json.loads(os.environ["OUTRIDER_PROGRAM"])
        env = {name: os.environ[name] for name in ("PATH", "OUTRIDER_URL", "OUTRIDER_KEY")}
        server = StdioServerParameters(command=command, args=[*arguments, "mcp"], env=env)
        async with Client(stdio_client(server)) as client:
            return await tasks(client)
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(headers=headers, timeout=120) as http:
        server = streamable_http_client(f"{URL}/mcp", http_client=http)
        mode = "legacy" if transport == "http-legacy" else "auto"
        async with Client(server, mode=mode) as client:
            return await tasks(client)


print(json.dumps(asyncio.run(main(sys.argv[1]))))
