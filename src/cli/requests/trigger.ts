/**
 * `outrider trigger`: makes something happen in the sandbox, so that its event is told as it would be.
 * The real thing is done (a reply comes in, an email bounces); no event is made up.
 */

import { command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { styled } from "#cli/term.ts";
import { EVENT_TYPES } from "#domain/events/event.ts";
import { nearestWord } from "#domain/nearest-word.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, type Client, clientOf } from "./client.ts";

/** What follows from an action has been told by then. */
const TOLD_MS_MAX = 20_000;

interface Target {
  lead: string | undefined;
  campaign: string | undefined;
}

/** Does what makes the event happen. */
type Cause = (client: Client, target: Target) => Promise<unknown>;

const played =
  (kind: string, words: object = {}): Cause =>
  async (client, target) => {
    const aim = await aimOf(client, target);
    return client.call("POST", "/sandbox/inject", { kind, ...aim, ...words });
  };

const moved =
  (move: string): Cause =>
  async (client, { campaign }) => {
    if (campaign === undefined) {
      throw usageError("this kind needs --campaign ID");
    }
    return client.call("POST", `/campaigns/${campaign}/${move}`);
  };

const CAUSES: Readonly<Partial<Record<(typeof EVENT_TYPES)[number], Cause>>> = {
  "reply.received": played("reply"),
  "lead.interested": played("interested"),
  "reply.auto": played("auto_reply"),
  "email.bounced": played("bounce"),
  "complaint.received": played("complaint"),
  "lead.unsubscribed": played("unsubscribe"),
  "campaign.started": moved("start"),
  "campaign.paused": moved("pause"),
  "campaign.resumed": moved("resume"),
  "suppression.created": (client) =>
    client.call("POST", "/suppressions", { email: `trigger-${Bun.randomUUIDv7()}@sandbox.test` }),
  "webhook.test": async (client) => {
    const { data } = await client.call<{ data: { id: string }[] }>("GET", "/webhooks?limit=1");
    const first = data[0];
    if (first === undefined) {
      throw new CommandError(EXIT.failed, "there is no webhook to test; create one first");
    }
    return client.call("POST", `/webhooks/${first.id}/test`);
  },
};

export const triggerCommand = command({
  about: "Make something happen in the sandbox and print its event",
  details: [
    CLIENT_DETAILS,
    "Needs a test key. Events you can trigger:",
    ...Object.keys(CAUSES).map((kind) => `  ${kind}`),
    "Replies, bounces, and similar events respond to the last email sent to --lead, or to anyone.",
  ].join("\n"),
  options: {
    lead: { type: "string", value: "ID", about: "Lead whose last email gets the reply or bounce" },
    campaign: {
      type: "string",
      value: "ID",
      about: "Campaign to start, pause, or resume",
    },
    ...CLIENT_OPTIONS,
  },
  positionals: [{ name: "KIND", about: "Event type" }],
  run: async (call) => {
    const { words, values, terminal, json } = call;
    const kind = words[0] ?? "";
    const cause = causeOf(kind);
    const client = clientOf(call);
    await checkSandbox(client);
    const happened = await lastSeq(client);
    await cause(client, { lead: values.lead, campaign: values.campaign });
    const event = await waitFor(client, kind, happened);
    const about = styled(kind, "bold", terminal.outColours);
    terminal.out(json ? `${event}\n` : `${about}\n${JSON.stringify(JSON.parse(event), null, 2)}\n`);
    return EXIT.done;
  },
});

function causeOf(kind: string): Cause {
  const known = EVENT_TYPES.find((type) => type === kind);
  const cause = known === undefined ? undefined : CAUSES[known];
  if (cause !== undefined) {
    return cause;
  }
  if (known !== undefined) {
    throw usageError(`"${kind}" can't be triggered directly; see \`outrider help trigger\``);
  }
  const near = nearestWord(kind, EVENT_TYPES);
  throw usageError(`unknown event "${kind}"${near ? `; did you mean "${near}"?` : ""}`);
}

/** The sandbox's clock answers test keys only. */
async function checkSandbox(client: Client): Promise<void> {
  await client.call("GET", "/sandbox/clock");
}

async function lastSeq(client: Client): Promise<string> {
  const { total } = await client.call<{ total: number }>("GET", "/events?limit=1");
  const offset = Math.max(0, total - 1);
  const { data } = await client.call<{ data: { seq: number }[] }>(
    "GET",
    `/events?limit=1&offset=${offset}`,
  );
  return String(data[0]?.seq ?? 0);
}

async function aimOf(client: Client, { lead }: Target): Promise<object> {
  if (lead !== undefined) {
    return { lead_id: lead };
  }
  const { data } = await client.call<{ data: { id: string }[] }>(
    "GET",
    "/sandbox/messages?limit=1",
  );
  const last = data[0];
  if (last === undefined) {
    throw new CommandError(EXIT.failed, "nothing has been sent in the sandbox yet");
  }
  return { message_id: last.id };
}

async function waitFor(client: Client, type: string, after: string): Promise<string> {
  for await (const { data } of client.events({ type, after }, AbortSignal.timeout(TOLD_MS_MAX))) {
    return data;
  }
  throw new CommandError(EXIT.failed, `the action succeeded, but no ${type} event followed`);
}
