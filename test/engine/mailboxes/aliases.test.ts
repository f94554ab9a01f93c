/**
 * A mailbox that sends as an alias of its own: what is known of a mailbox's address holds for each of them. Replies
 * are a lead's, the owner's own email is nobody's, caps count the mailbox, and a lead is written to from one address.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { createLive, type LiveApp } from "../support.ts";

const OWN = "ann@sender.example";
const ALIAS = "sales@shop.example";
const TO = "bob@client.example";
const STEPS = [
  { type: "email", subject: "Offer", body: "Hello, {{sender.name}} of {{sender.email}}" },
  { type: "email", body: "Again", wait_days: 2 },
];

let live: LiveApp;
let account: string;
beforeEach(async () => {
  live = await createLive();
  account = await live.addAccount(OWN);
  await live.call("PATCH", `/accounts/${account}`, {
    display_name: "Ann Lee",
    aliases: [{ email: ALIAS, name: "Ann at Shop" }, { email: "ann.lee@sender.example" }],
    send_as: ALIAS,
  });
});
afterEach(() => live.app.close());

const change = (body: object) => live.call("PATCH", `/accounts/${account}`, body);
const textOf = ({ raw }: { raw: Uint8Array }) => new TextDecoder().decode(raw);
const header = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, "im").exec(raw.replaceAll(/\r?\n[ \t]/g, " "))?.[1] ?? "";

let mails = 0;
function mail(headers: Record<string, string>, body = "Thank you, tell me more."): string {
  mails += 1;
  const all = {
    From: `Bob <${TO}>`,
    To: ALIAS,
    Subject: "Something",
    "Message-ID": `<m${mails}@client.example>`,
    Date: "Mon, 02 Mar 2026 16:30:00 +0000",
    ...headers,
  };
  return [...Object.entries(all).map(([name, value]) => `${name}: ${value}`), "", body].join("\n");
}

async function written(...others: string[]) {
  const { id, leads } = await live.launch(STEPS, TO, ...others);
  await live.run(HOUR_MS * (others.length + 1));
  return { id, leads, lead: leads[0] ?? "", message: live.messages(leads[0] ?? "")[0] };
}
const receive = async (raw: string) => {
  live.deliver(OWN, raw);
  await live.run(2 * MINUTE_MS);
};
const threads = async () => (await live.call("GET", "/inbox/threads")).body.data;

describe("an email", () => {
  test("goes out as the alias: envelope, From with its name, Message-ID and opt-out", async () => {
    await written();
    const [sent] = live.mail.taken;
    const raw = textOf(sent ?? { raw: new Uint8Array() });
    expect(sent?.from).toBe(ALIAS);
    expect(header(raw, "From")).toBe(`Ann at Shop <${ALIAS}>`);
    expect(header(raw, "Message-ID")).toEndWith("@shop.example>");
    expect(header(raw, "List-Unsubscribe")).toContain(`mailto:${ALIAS}?`);
    expect(raw).toContain(`Ann at Shop of ${ALIAS}`);
    expect(raw).not.toContain(OWN);
  });

  test("an alias without a name has the mailbox's", async () => {
    await change({ send_as: "ann.lee@sender.example" });
    await written();
    const raw = textOf(live.mail.taken[0] ?? { raw: new Uint8Array() });
    expect(header(raw, "From")).toBe("Ann Lee <ann.lee@sender.example>");
  });

  test("a lead is written to from one address, whatever new ones are written to from", async () => {
    await written();
    await change({ send_as: null });
    await live.run(4 * DAY_MS);
    expect(live.mail.taken.map(({ from }) => from)).toEqual([ALIAS, ALIAS]);
    await live.launch(STEPS, "carl@other.example");
    await live.run(DAY_MS);
    expect(live.mail.taken.at(-1)?.from).toBe(OWN);
  });

  test("an alias that was removed holds its leads, and those of the mailbox go on", async () => {
    const { lead } = await written();
    await change({ aliases: [], send_as: null });
    await live.run(4 * DAY_MS);
    expect(live.mail.taken.length).toBe(1);
    expect(live.lead(lead)).toMatchObject({
      holdReason: "account_gone",
      holdDetail: expect.stringContaining("alias"),
    });
  });

  test("caps count the mailbox, whichever address it sends as", async () => {
    await change({ daily_limit: 2, hourly_limit: 2, min_gap_seconds: 0 });
    await written("carl@other.example", "dora@third.example");
    expect(live.mail.taken.length).toBe(2);
    await change({ send_as: null });
    await live.run(2 * HOUR_MS);
    expect(live.mail.taken.length).toBe(2);
  });
});

describe("what comes in", () => {
  test("a reply to the alias stops the sequence; our reply goes on from the alias", async () => {
    const { lead, message } = await written();
    await receive(mail({ "In-Reply-To": message?.messageId ?? "" }));
    expect(live.lead(lead).status).toBe("replied");
    await change({ send_as: null });
    const [thread] = await threads();
    const reply = await live.call("POST", `/inbox/threads/${thread.id}/reply`, { body: "Gladly." });
    expect(reply.status).toBe(201);
    await live.run(HOUR_MS);
    expect(live.mail.taken.at(-1)).toMatchObject({ from: ALIAS, to: TO });
  });

  test("a plus address of the alias names the email", async () => {
    const { lead, message } = await written();
    const detail = message?.messageId.slice(1).split("@")[0];
    await receive(mail({ To: `sales+${detail}@shop.example`, From: "x@elsewhere.example" }));
    expect(live.lead(lead).status).toBe("replied");
  });

  test("the owner's own email from the alias is nobody's reply", async () => {
    const { lead, message } = await written();
    await receive(
      mail({ From: `Ann <${ALIAS}>`, To: TO, "In-Reply-To": message?.messageId ?? "" }),
    );
    await receive(mail({ From: `Ann <ann.lee@sender.example>`, To: TO, Subject: "Re: Offer" }));
    expect(live.lead(lead).status).toBe("active");
    expect(await threads()).toEqual([]);
  });

  test("an alias of a colleague's mailbox is no lead's reply", async () => {
    const { lead, message } = await written();
    const id = await live.addAccount("carl@sender.example");
    await live.call("PATCH", `/accounts/${id}`, { aliases: [{ email: "carl@shop.example" }] });
    const headers = { From: "carl@shop.example", "In-Reply-To": message?.messageId ?? "" };
    await receive(mail(headers));
    expect(live.lead(lead).status).toBe("active");
  });

  test("an opt-out by email to the alias counts; an alias that it names isn't suppressed", async () => {
    const { message } = await written();
    const raw = textOf(live.mail.taken[0] ?? { raw: new Uint8Array() });
    const subject = /subject=(\S+?)>/.exec(header(raw, "List-Unsubscribe"))?.[1] ?? "";
    await receive(mail({ Subject: decodeURIComponent(subject) }, `Remove ${ALIAS}`));
    const { data } = (await live.call("GET", "/suppressions")).body;
    expect(data.map(({ email }: { email: string }) => email)).toEqual([message?.recipient]);
  });

  test("the alias isn't one of the others whom a reply goes to", async () => {
    const { message } = await written();
    const headers = { To: `${ALIAS}, zoe@client.example`, "In-Reply-To": message?.messageId ?? "" };
    await receive(mail(headers));
    const [thread] = await threads();
    const { messages } = (await live.call("GET", `/inbox/threads/${thread.id}`)).body;
    expect(messages.at(-1).cc).toEqual(["zoe@client.example"]);
  });
});

test("the alias's domain is watched as one that email is sent from, until it is nobody's", async () => {
  const domains = async () =>
    (await live.call("GET", "/domains")).body.data.map(({ domain }: { domain: string }) => domain);
  expect(await domains()).toEqual(["sender.example", "shop.example"]);
  await change({ aliases: [], send_as: null });
  expect(await domains()).toEqual(["sender.example"]);
  await change({ aliases: [{ email: ALIAS }] });
  await live.call("DELETE", `/accounts/${account}`);
  expect(await domains()).toEqual([]);
});

describe("the API", () => {
  const refused = async (body: object) => {
    const { status, body: said } = await change(body);
    return [status, said.error?.field ?? said.field, said.error?.message ?? said.message];
  };

  test("200: a list replaces the former; addresses are normalized, and a name may be left out", async () => {
    const { status, body } = await change({
      aliases: [{ email: " Hello@Shop.Example ", name: "Hi" }, { email: "b@shop.example" }],
      send_as: "HELLO@shop.example",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      aliases: [
        { email: "hello@shop.example", name: "Hi" },
        { email: "b@shop.example", name: null },
      ],
      send_as: "hello@shop.example",
    });
    expect((await live.call("GET", `/accounts/${account}`)).body).toMatchObject({
      aliases: body.aliases,
    });
  });

  test("422: too many, no address, one twice, the mailbox's own, and a sender that is none of them", async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({ email: `a${at}@shop.example` }));
    expect(await refused({ aliases: many })).toEqual([
      422,
      "aliases",
      expect.stringContaining("50"),
    ]);
    expect((await refused({ aliases: [{ email: "nobody" }] })).slice(0, 2)).toEqual([
      422,
      "aliases.0.email",
    ]);
    const twice = [{ email: "a@shop.example" }, { email: "A@shop.example" }];
    expect((await refused({ aliases: twice })).slice(0, 2)).toEqual([422, "aliases.1.email"]);
    expect((await refused({ aliases: [{ email: OWN }] })).slice(0, 2)).toEqual([
      422,
      "aliases.0.email",
    ]);
    expect((await refused({ aliases: [] })).slice(0, 2)).toEqual([422, "send_as"]);
    expect((await refused({ send_as: "x@shop.example" })).slice(0, 2)).toEqual([422, "send_as"]);
  });

  test("409: an address that is another mailbox's, its alias, or a seed's", async () => {
    const other = await live.addAccount("carl@sender.example");
    await live.call("PATCH", `/accounts/${other}`, { aliases: [{ email: "carl@shop.example" }] });
    for (const email of ["carl@sender.example", "carl@shop.example"]) {
      const [status, field, message] = await refused({ aliases: [{ email }], send_as: null });
      expect([status, field]).toEqual([409, "aliases.0.email"]);
      expect(message).toContain(email);
    }
    const taken = { email: "carl@shop.example", provider: "smtp" };
    const made = await live.call("POST", "/accounts", taken);
    expect(made.status).toBe(409);
    await live.call("DELETE", `/accounts/${other}`);
    expect((await live.call("POST", "/accounts", taken)).status).toBe(201);
  });
});

test("the launch checklist names an alias whose domain isn't set up", async () => {
  await live.run(MINUTE_MS);
  const { id } = await live.launch(STEPS, TO);
  const { warnings } = (await live.call("GET", `/campaigns/${id}/launch-check`)).body;
  const found = warnings.find(({ code }: { code: string }) => code === "alias_domain");
  expect(found?.message).toContain(`${OWN} sends as ${ALIAS}`);
  await change({ send_as: null });
  const after = (await live.call("GET", `/campaigns/${id}/launch-check`)).body.warnings;
  expect(after.map(({ code }: { code: string }) => code)).not.toContain("alias_domain");
});
