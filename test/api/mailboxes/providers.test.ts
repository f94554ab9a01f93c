/**
 * The table of recipient providers, against what the simulated servers were offered and said: their own record, not
 * the product's. Bounces and replies are held against the emails that they are shown on.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, plus, toIso } from "#domain/time.ts";
import { simulatedProvider } from "#sandbox/dns.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";
import { addAccount, makeCampaign } from "../../support/campaigns.ts";
import { ROUND_THE_CLOCK } from "../../support/inbox.ts";

const SEED = 3;
const LEADS = 150;
const MAILBOXES = ["mailbox1@sender.example", "mailbox2@sender.example"];

let app: TestApp;
let offered: Record<string, Record<string, number>>;
beforeEach(async () => {
  app = await createTestApp({ seed: SEED });
  offered = {};
  const { env, send } = { env: app.environments.test, send: app.environments.test.mail.send };
  env.mail.send = async (mailbox, envelope, beforeBody) => {
    const outcome = await send(mailbox, envelope, beforeBody);
    const provider = simulatedProvider(SEED, domainIn(envelope.to));
    const key = `${mailbox.accountId} ${provider}`;
    const line = offered[key] ?? {};
    offered[key] = { ...line, [outcome.kind]: (line[outcome.kind] ?? 0) + 1 };
    return outcome;
  };
});
afterEach(() => app.close());

const domainIn = (address: string) => address.slice(address.indexOf("@") + 1);

/** A few days of sending with replies and bounces, in which Google refuses and Microsoft slows down. */
async function live(): Promise<string[]> {
  const days = (from: number, until: number) => {
    return { from: toIso(plus(START, from * DAY_MS)), until: toIso(plus(START, until * DAY_MS)) };
  };
  await app.call("PATCH", "/sandbox/settings", {
    seed: SEED,
    rates: { reply: 0.2, hard_bounce: 0.02, soft_bounce: 0.02 },
    faults: { timeout: 0.02 },
    blocks: [
      { provider: "google", kind: "refuse", ...days(1, 30) },
      { provider: "microsoft", kind: "throttle", ...days(1, 1.2) },
    ],
  });
  const ids: string[] = [];
  for (const email of MAILBOXES) {
    const { id } = await addAccount(app, email);
    await app.call("PATCH", `/accounts/${id}`, { daily_limit: 60, hourly_limit: 10 });
    ids.push(id);
  }
  const step = { type: "email", subject: "Hello", body: "Hi" };
  const { id } = await makeCampaign(app, [step, { ...step, wait_days: 1 }]);
  const change = { send_window: ROUND_THE_CLOCK, max_leads_per_day: 500 };
  await app.call("PATCH", `/campaigns/${id}`, change);
  const leads = Array.from({ length: LEADS }, (_, n) => ({ email: `p${n}@firm${n}.example` }));
  await app.call("POST", `/campaigns/${id}/leads`, { leads });
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(4 * DAY_MS + HOUR_MS);
  return ids;
}

interface Line {
  account_id: string;
  provider: string;
  [count: string]: unknown;
}

const table = async (query = ""): Promise<{ from: string; to: string; data: Line[] }> =>
  (await app.call("GET", `/accounts/providers${query}`)).body;

/** Of the team's emails: those with a bounce or a reply, by mailbox and provider. */
function shownOn(column: "bounced_at" | "replied_at"): Record<string, number> {
  const rows = app.environments.test.db.raw
    .query<{ account: string; recipient: string }, []>(
      `select lower(hex(account_id)) as account, recipient from messages
         where kind = 'step' and ${column} is not null`,
    )
    .all();
  const found: Record<string, number> = {};
  for (const { account, recipient } of rows) {
    const key = `${account} ${simulatedProvider(SEED, domainIn(recipient))}`;
    found[key] = (found[key] ?? 0) + 1;
  }
  return found;
}

describe("GET /accounts/providers", () => {
  test("200: what each provider was offered and said, and what came back", async () => {
    const ids = await live();
    const { data, from, to } = await table();
    expect([from, to]).toEqual(["2026-02-05", "2026-03-06"]);
    const said = data.map(({ account_id, provider, accepted, deferred, refused }) => {
      const counts = { accepted, deferred, refused };
      const some = Object.entries(counts).filter(([, count]) => count !== 0);
      return [`${account_id} ${provider}`, Object.fromEntries(some)];
    });
    const heard = Object.entries(offered).map(([key, { unreachable: _, ...counts }]) => [
      key,
      counts,
    ]);
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(heard));
    for (const [name, column] of [
      ["bounced", "bounced_at"],
      ["replied", "replied_at"],
    ] as const) {
      const counted = data.flatMap(({ account_id, provider, [name]: count }) =>
        count === 0 ? [] : [[`${account_id.replaceAll("-", "")} ${provider}`, count]],
      );
      expect(Object.fromEntries(counted)).toEqual(shownOn(column));
    }
    const sum = (name: string) => data.reduce((all, line) => all + Number(line[name]), 0);
    for (const name of ["accepted", "deferred", "refused", "bounced", "replied"]) {
      expect([name, sum(name) > 0]).toEqual([name, true]);
    }
    expect(sum("attempts")).toBe(sum("accepted") + sum("deferred") + sum("refused"));
    expect(new Set(data.map(({ account_id }) => account_id))).toEqual(new Set(ids));

    const stopped = data.filter((line) => (line["refused_by"] as unknown[]).length > 0);
    expect(stopped.map(({ provider }) => provider)).toEqual(["google", "google"]);
    expect(stopped[0]?.["refused_by"]).toMatchObject([
      { provider: "google", page: "https://support.google.com/a/answer/3726730" },
    ]);
  });

  test("200: of one mailbox, one provider and some days", async () => {
    const [first = ""] = await live();
    const { data } = await table();
    const own = data.filter(({ account_id }) => account_id === first);
    expect((await table(`?account_id=${first}`)).data).toEqual(own);
    const microsoft = data.filter(({ provider }) => provider === "microsoft");
    expect((await table("?provider=microsoft")).data).toEqual(microsoft);

    const dates = ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"];
    let accepted = 0;
    for (const date of dates) {
      for (const line of (await table(`?from=${date}&to=${date}`)).data) {
        accepted += Number(line["accepted"]);
      }
    }
    expect(accepted).toBe(data.reduce((all, line) => all + Number(line["accepted"]), 0));
    expect((await table("?from=2026-01-01&to=2026-01-31&provider=custom")).data).toEqual([]);
  });

  test.each([
    ["a date that is none", "from=2026-02-30", "from"],
    ["days that run backwards", "from=2026-03-02&to=2026-03-01", "to"],
    ["more than 92 days", "from=2025-01-01&to=2026-01-01", "from"],
    ["a provider that is none", "provider=hotmail", "provider"],
  ])("422: %s", async (_what, query, field) => {
    const { status, body } = await app.call("GET", `/accounts/providers?${query}`);
    expect({ status, field: body.field }).toEqual({ status: 422, field });
  });

  test("422: another team's mailbox; its lines are not in the list", async () => {
    const [first = ""] = await live();
    const { keys } = await app.addTeam("Other");
    const ask = (query: string) =>
      app.call("GET", `/accounts/providers${query}`, undefined, { key: keys.test });
    expect(await ask(`?account_id=${first}`)).toMatchObject({
      status: 422,
      body: { field: "account_id" },
    });
    expect((await ask("")).body.data).toEqual([]);
  });
});
