/** What has to be there before an operation can do its work, made while nobody measures. */

import { leadAt } from "../../../bench/leads.ts";
import { type Call, createCampaign, done } from "../../journeys/support.ts";
import type { Server } from "../executable.ts";

export interface Stage {
  server: Server;
  key: string;
  operator: string;
  call: Call;
  /** Of something in each collection, by its path in the document. */
  ids: Map<string, string>;
  /** Leads of the large campaign. */
  leads: number;
}

/**
 * What is only refused here: it needs a second person, a provider outside, or an email of which nobody knows
 * whether it went out. None of it looks at many leads.
 */
export const REFUSED: readonly string[] = [
  "DELETE /team/members/{id}",
  "GET /domains/{domain}",
  "GET /domains/{domain}/senders",
  "GET /erasures/{id}",
  "GET /team/members/{id}",
  "PATCH /team/members/{id}",
  "POST /accounts/{id}/connect",
  "POST /billing/licence",
  "POST /billing/portal",
  "POST /campaigns/{id}/leads/{leadId}/resolve",
  "POST /domains/{domain}/check",
  "POST /messages/{id}/resolve",
];

/** What the request takes instead of the document's example. */
export interface Given {
  path?: string;
  query?: string;
  type?: string;
  body?: string | Blob;
}

/** Leads of one body: what a person may send at once. */
export const BODY_LEADS = 1_000;
/** A draft has one lead for so many of the large campaign. */
const DRAFT_SHARE = 10;
const NDJSON = "application/x-ndjson";
const LOOKS_MAX = 600;
const LOOK_EVERY_MS = 50;

/** Invented people of each scene, whom no other one knows. */
const FIRST = { half: 200_000_000, task: 300_000_000, draft: 400_000_000 };

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
export const ROUND_THE_CLOCK = { timezone: "UTC", days: DAYS, start_hour: 0, end_hour: 24 };

/** By an operation's name in the document. */
export const SCENES: Readonly<Record<string, (stage: Stage) => Promise<Given>>> = {
  "POST /sandbox/inject": async ({ ids }) => {
    return json({ kind: "reply", message_id: ids.get("/sandbox/messages"), text: "Tell me more" });
  },
  "POST /backups/upload": async ({ server, operator, ids }) => {
    const path = `/api/v1/backups/${ids.get("/backups")}/download`;
    const backup = await server.fetch(path, { key: operator });
    return { type: "application/octet-stream", body: await backup.blob() };
  },
  "POST /files": () =>
    Promise.resolve({
      query: "?name=large.zip",
      type: "application/octet-stream",
      body: new Blob([new Uint8Array(10 * 1024 * 1024)]),
    }),
  "GET /tasks/{id}": async ({ server, key, call, ids }) => {
    const id = await createCampaign(call, { name: "By hand", send_window: ROUND_THE_CLOCK });
    await done(
      call("POST", `/campaigns/${id}/steps`, {
        type: "task",
        subject: "Call them",
        body: "Ask how it went",
        wait_days: 0,
      }),
    );
    await importLeads(server, key, id, { first: FIRST.task, count: 1 });
    await done(call("POST", `/campaigns/${id}/start`));
    await done(call("POST", "/sandbox/clock", { advance: "1d" }));
    const { data } = await done(call("GET", "/tasks"));
    ids.set("/tasks", data[0].id);
    return {};
  },
  "POST /imports/{id}/cancel": async (stage) => {
    stage.ids.set("/imports", (await halfImport(stage, "running")).id);
    return {};
  },
  "POST /imports/{id}/resume": async (stage) => {
    const { id, offset } = await halfImport(stage, "interrupted");
    stage.ids.set("/imports", id);
    const rest = lines(FIRST.half + BODY_LEADS, BODY_LEADS);
    return { query: `?offset=${offset}`, type: NDJSON, body: rest };
  },
  "POST /imports/{id}/undo": async (stage) => {
    const { data } = await done(stage.call("GET", `/imports?campaign_id=${await draft(stage)}`));
    stage.ids.set("/imports", data[0].id);
    return {};
  },
  "DELETE /campaigns/{id}": async (stage) => {
    return { path: `/campaigns/${await draft(stage)}` };
  },
  "POST /campaigns/{id}/restore": async (stage) => {
    const id = await draft(stage);
    await done(stage.call("DELETE", `/campaigns/${id}`));
    return { path: `/campaigns/${id}/restore` };
  },
  "DELETE /deleted/{id}": async (stage) => {
    const id = await draft(stage);
    await done(stage.call("DELETE", `/campaigns/${id}`));
    return { path: `/deleted/${id}` };
  },
  "GET /campaigns/{id}/rehearsal": async (stage) => {
    const id = await draft(stage);
    const step = { type: "email", subject: "Hello", body: "Hi" };
    await done(stage.call("POST", `/campaigns/${id}/steps`, step));
    return { path: `/campaigns/${id}/rehearsal?days=7` };
  },
  "POST /experiments/{id}/complete": async ({ call, ids }) => {
    const experiment = await done(
      call("POST", "/experiments", {
        name: "By hand",
        campaign_id: ids.get("/campaigns"),
        primary_metric: "reply_rate",
        duration_days: 7,
        variants: [{ name: "Plain" }, { name: "Friendly", config: { subject: "Good morning" } }],
      }),
    );
    ids.set("/experiments", experiment.id);
    const { variants } = await done(call("GET", `/experiments/${experiment.id}/results`));
    return json({ winner_variant_id: variants[1].id });
  },
  "POST /leads/{id}/merge": async ({ call }) => {
    const leads = Array.from({ length: 10 }, (_, at) => ({ email: `one+${at}@merged.example` }));
    const { data } = await done(call("POST", "/leads", { leads }));
    const [id, ...lead_ids] = data.map((lead: { id: string }) => lead.id);
    return { path: `/leads/${id}/merge`, ...json({ lead_ids }) };
  },
  // Whoever stands first was suppressed meanwhile.
  "POST /inbox/threads/{id}/reply": async ({ call }) => {
    const { data } = await done(call("GET", "/inbox/threads?limit=100"));
    return { path: `/inbox/threads/${data.at(-1).id}/reply` };
  },
  "POST /inbox/threads/bulk": async ({ call }) => {
    const { data } = await done(call("GET", "/inbox/threads?limit=100"));
    const change = { done: true, read: true, interest: "interested" };
    return json({ ids: data.map(({ id }: { id: string }) => id), change, add_tags: ["hot"] });
  },
  // A lead who writes to a mailbox that never wrote to them.
  "POST /inbox/threads/{id}/attach": async ({ call, ids }) => {
    const enrollment_id = ids.get("/campaigns/{id}/leads");
    const lead = await done(
      call("GET", `/campaigns/${ids.get("/campaigns")}/leads/${enrollment_id}`),
    );
    const mailbox = { email: "other@out.test", provider: "smtp" };
    const { id: account_id } = await done(call("POST", "/accounts", mailbox));
    const reply = { kind: "reply", account_id, from: lead.email, text: "Hello, who is this?" };
    await done(call("POST", "/sandbox/inject", reply));
    await done(call("POST", "/sandbox/clock", { advance: "1h" }));
    const { data } = await done(call("GET", `/inbox/threads?account_id=${account_id}`));
    return { ...json({ enrollment_id }), path: `/inbox/threads/${data[0].id}/attach` };
  },
  "POST /placement/runs/{id}/cancel": async ({ call, ids }) => {
    const made = { account_ids: [ids.get("/accounts")], seed_ids: [ids.get("/placement/seeds")] };
    ids.set("/placement/runs", (await done(call("POST", "/placement/runs", made))).id);
    return {};
  },
};

function json(fields: object): Given {
  return { type: "application/json", body: JSON.stringify(fields) };
}

/** Of a file: as many leads, a line each. */
function lines(first: number, count: number): string {
  return Array.from({ length: count }, (_, nth) => `${JSON.stringify(leadAt(first + nth))}\n`).join(
    "",
  );
}

/** Puts a file of leads into a campaign; the status of the response. */
export async function importLeads(
  server: Server,
  key: string,
  campaignId: string,
  { first, count }: { first: number; count: number },
): Promise<number> {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const some = Math.min(BODY_LEADS, count - at);
      if (some === 0) {
        controller.close();
      } else {
        controller.enqueue(new TextEncoder().encode(lines(first + at, some)));
        at += some;
      }
    },
  });
  const headers = { "Content-Type": NDJSON };
  const path = `/api/v1/campaigns/${campaignId}/leads/import`;
  const answer = await server.fetch(path, { key, method: "POST", headers, body });
  await answer.text();
  return answer.status;
}

let drafts = 0;

/** A campaign that nobody started, with a tenth of the leads. */
async function draft({ server, key, call, leads }: Stage): Promise<string> {
  const id = await createCampaign(call, { name: `Draft ${drafts}` });
  const count = Math.ceil(leads / DRAFT_SHARE);
  drafts += 1;
  await importLeads(server, key, id, { first: FIRST.draft + drafts * count, count });
  return id;
}

/** An import of whose file a part has arrived: it waits for the rest, or its client has gone. */
async function halfImport(
  { server, key, call }: Stage,
  status: "running" | "interrupted",
): Promise<{ id: string; offset: number }> {
  const campaign = await createCampaign(call, { name: "Half a file" });
  const client = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(lines(FIRST.half, BODY_LEADS)));
    },
  });
  const uploading = server.fetch(`/api/v1/campaigns/${campaign}/leads/import`, {
    ...{ key, method: "POST", headers: { "Content-Type": NDJSON }, body, signal: client.signal },
  });
  // Whatever becomes of it, what is looked at is the import.
  uploading.catch(() => undefined);
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    await Bun.sleep(LOOK_EVERY_MS);
    const { data } = await done(call("GET", `/imports?campaign_id=${campaign}`));
    const [row] = data;
    if (row?.offset > 0 && row.status === status) {
      return row;
    }
    if (row?.offset > 0 && status === "interrupted") {
      client.abort();
    }
  }
  throw new Error("an import does not begin");
}
