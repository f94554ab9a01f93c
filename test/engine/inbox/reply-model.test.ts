/**
 * Guarantees of the model that labels unclear replies: it is asked where rules and people are silent, changes
 * a label of interest and nothing else, and is not missed where it fails. The model is a script behind HTTP:
 * no real one is small enough to come with the tests.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { replyModelWorker } from "#engine/reply-model.ts";
import { isSuppressed } from "#usecases/leads/suppressions.ts";
import { createLive, type LiveApp } from "../support.ts";

const SENDER = "desk@acme.example";
const BOB = "bob@client.example";
const UNCLEAR = "Blue, as far as I know.";

let live: LiveApp;
let asked: { path: string; key: string | null; body: { model: string; messages: unknown[] } }[];
let respond: () => Response | Promise<Response>;
let server: ReturnType<typeof Bun.serve>;
let lead: string;
beforeEach(async () => {
  live = await createLive();
  asked = [];
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const key = request.headers.get("authorization");
      const body = (await request.json()) as (typeof asked)[number]["body"];
      asked.push({ path: new URL(request.url).pathname, key, body });
      return await respond();
    },
  });
  says("interested", "asks for more");
  await live.addAccount(SENDER);
});
afterEach(async () => {
  await server.stop(true);
  await live.app.close();
});

function says(interest: string, reason = "because"): void {
  const content = JSON.stringify({ interest, reason });
  respond = () => Response.json({ choices: [{ message: { role: "assistant", content } }] });
}

/** Bob replies with `text`; the rules read it, then the model is asked. */
async function reply(text: string, to?: string): Promise<void> {
  const { id, leads } = await live.launch(
    [{ type: "email", subject: "Offer", body: "Hello" }],
    BOB,
  );
  lead = leads[0] ?? "";
  if (to !== undefined) {
    const rules = [{ on: "interested", campaign_id: to }];
    expect((await live.call("PATCH", `/campaigns/${id}`, { rules })).status).toBe(200);
  }
  await live.run(HOUR_MS / 4);
  const head = [`From: Bob <${BOB}>`, `To: ${SENDER}`, "Subject: Re: Hello"];
  const answers = live.messages(lead)[0]?.messageId;
  const ids = [`Message-ID: <${crypto.randomUUID()}@client.example>`, `In-Reply-To: ${answers}`];
  live.deliver(SENDER, [...head, ...ids, "", text].join("\n"));
  await live.run(HOUR_MS / 4);
  await askModel();
}

async function askModel(): Promise<void> {
  const { signal } = new AbortController();
  const model = { url: `http://127.0.0.1:${server.port}/v1`, name: "small", key: "secret" };
  const worker = replyModelWorker(live.env, { ...model, fetch, signal });
  const now = live.env.clock.now();
  while ((await worker.step(now)) === now) {
    // Until nothing is left.
  }
}

const thread = async () => {
  const { data } = (await live.call("GET", "/inbox/threads")).body;
  return (await live.call("GET", `/inbox/threads/${data[0].id}`)).body;
};

test("where the rules are silent its label counts, with its reason", async () => {
  await reply(`${UNCLEAR}\n\nOn Monday, Desk wrote:\n> Hello`);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ path: "/v1/chat/completions", key: "Bearer secret" });
  expect(asked[0]?.body.messages[1]).toEqual({ role: "user", content: JSON.stringify(UNCLEAR) });
  expect(live.lead(lead).interest).toBe("interested");
  const { interest, messages } = await thread();
  expect(interest).toBe("interested");
  const [mail] = messages.filter(({ direction }: { direction: string }) => direction === "in");
  expect(mail).toMatchObject({ kind: "reply", evidence: "by the model: asks for more" });
  expect(live.events()).toContain("lead.interested");
});

test.each([
  ["a rule has a label", "Yes, I am interested, please send more information."],
  ["somebody wants no email", "Please remove me from your list."],
])("where %s it is not asked", async (_what, text) => {
  await reply(text);
  expect(asked).toEqual([]);
});

test.each(["unsubscribe", "bounce", "complaint", "stop", "unsure"])(
  "it says %s: nothing happens",
  async (label) => {
    says(label);
    await reply(UNCLEAR);
    expect(asked).toHaveLength(1);
    expect(live.lead(lead)).toMatchObject({ interest: null, status: "replied" });
    expect(isSuppressed(live.env.db, live.app.team.id, BOB, "client.example")).toBeNull();
    expect((await thread()).interest).toBeNull();
  },
);

test("what a person does while it is asked stands", async () => {
  const { respond: later } = { respond };
  respond = async () => {
    const { data } = (await live.call("GET", "/inbox/threads")).body;
    await live.call("PATCH", `/inbox/threads/${data[0].id}`, { interest: "not_interested" });
    return await later();
  };
  await reply(UNCLEAR);
  expect(asked).toHaveLength(1);
  expect(live.lead(lead).interest).toBe("not_interested");
});

test.each([
  ["an error", () => new Response("no", { status: 500 })],
  ["too much", () => new Response("x".repeat(100_000))],
  ["something else", () => new Response("<html>")],
])("it returns %s: as if there were none", async (_what, broken) => {
  respond = broken;
  await reply(UNCLEAR);
  expect(live.lead(lead)).toMatchObject({ interest: null, status: "replied" });
});

test("a reply that was a program's after all takes its label along", async () => {
  await reply(UNCLEAR);
  const { id } = await thread();
  await live.call("PATCH", `/inbox/threads/${id}`, { kind: "auto_reply" });
  expect(live.lead(lead).interest).toBeNull();
  await live.run(DAY_MS);
  expect(live.lead(lead).interest).toBeNull();
});

test("no rule of the campaign moves the lead on for it", async () => {
  const { id } = await live.launch([{ type: "email", subject: "More", body: "Hello" }]);
  await reply(UNCLEAR, id);
  expect(live.lead(lead)).toMatchObject({ interest: "interested", status: "replied" });
  expect((await live.call("GET", `/campaigns/${id}/leads`)).body.total).toBe(0);
});
