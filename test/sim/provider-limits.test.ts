/**
 * A month in which mailboxes may send only so many emails a day to each provider, while their time zones and limits are
 * changed, domains move from one provider to another, and name servers are silent now and then. Judged by what the
 * simulated servers took and by what the name servers had said of each domain by then, not by the product's own record.
 */

import { describe, expect, test } from "bun:test";
import { hashInt } from "#domain/random.ts";
import { DAY_MS, HOUR_MS, plus, type UnixMs } from "#domain/time.ts";
import { createTestApp, START, type TestApp } from "../support/app.ts";
import { addAccount, makeCampaign } from "../support/campaigns.ts";
import { ROUND_THE_CLOCK } from "../support/inbox.ts";
import { tried } from "../support/promises.ts";
import { wallAt } from "../support/simulation/scene.ts";
import { batches, replay, seedsOf } from "../support/simulation/seeds.ts";

const FILE = "test/sim/provider-limits.test.ts";
const BATCHES = batches({ full: 40, quick: 2 }, 10);
const MAILBOXES = 3;
const LEADS = 240;
const STEPS = 2;
const DAYS = 30;
const ZONES = ["UTC", "America/New_York", "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Pago_Pago"];
/** Of a domain's answer, seven days are fresh. */
const ANSWER_MS_MAX = 7 * DAY_MS;

const EXCHANGES = {
  google: "aspmx.l.google.com",
  microsoft: "firm.mail.protection.outlook.com",
  custom: "mx.firm.net",
} as const;
type Host = keyof typeof EXCHANGES;
type Limits = Partial<Record<Host, number>>;
const LIMITED = ["google", "microsoft"] as const;

/** Two in three domains stay where they are; the others move every few days. */
function hostOf(seed: number, domain: string, at: UnixMs): Host {
  const moves = hashInt(3, seed, domain, "moves") === 0;
  const period = moves ? Math.floor((at - START) / (3 * DAY_MS)) : 0;
  return pick(["google", "google", "microsoft", "custom"] as const, seed, domain, period);
}

/** A name server says nothing for a few hours of some days. */
function isSilent(seed: number, domain: string, at: UnixMs): boolean {
  return hashInt(12, seed, domain, Math.floor(at / (6 * HOUR_MS))) === 0;
}

function pick<Item>(from: readonly Item[], ...key: (string | number)[]): Item {
  return from[hashInt(from.length, ...key)] as Item;
}

interface Terms {
  zone: string;
  limits: Limits;
}

/** An email that a simulated server took; `host` is null where nobody could know whose servers they were. */
interface Taken extends Terms {
  at: UnixMs;
  account: string;
  recipient: string;
  host: Host | null;
}

interface Month {
  taken: Taken[];
  statuses: string[];
}

function limitsOf(seed: number, ...key: (string | number)[]): Limits {
  const limits: Limits = {};
  for (const name of LIMITED) {
    if (hashInt(4, seed, name, ...key) > 0) {
      limits[name] = 1 + hashInt(4, seed, name, "limit", ...key);
    }
  }
  return limits;
}

/** The month of a seed. `plant` runs once before it. */
async function live(seed: number, plant?: (app: TestApp) => void): Promise<Month> {
  const app = await createTestApp({ seed });
  const env = app.environments.test;
  const said = new Map<string, { at: UnixMs; host: Host | null }>();
  env.dns.mx = async (domain) => {
    const at = env.clock.now();
    const host = isSilent(seed, domain, at) ? null : hostOf(seed, domain, at);
    said.set(domain, { at, host });
    if (host === null) {
      throw new Error("no name server answered");
    }
    return [{ exchange: EXCHANGES[host], priority: 10 }];
  };
  const terms = new Map<string, Terms>();
  const taken: Taken[] = [];
  const { send } = env.mail;
  env.mail.send = async (mailbox, envelope, beforeBody) => {
    const outcome = await send(mailbox, envelope, beforeBody);
    const at = env.clock.now();
    const [account, recipient] = [mailbox.accountId, envelope.to];
    const answer = said.get(recipient.slice(recipient.indexOf("@") + 1));
    const isFresh = answer !== undefined && at <= plus(answer.at, ANSWER_MS_MAX);
    const now = terms.get(account);
    if (outcome.kind === "accepted" && now !== undefined) {
      taken.push({ at, account, recipient, host: isFresh ? answer.host : null, ...now });
    }
    return outcome;
  };
  const rates = ["reply", "interested", "auto_reply", "hard_bounce", "soft_bounce"];
  const none = [...rates, "complaint", "unsubscribe", "spam"].map((name) => [name, 0]);
  await app.call("PATCH", "/sandbox/settings", { seed, rates: Object.fromEntries(none) });
  for (let nth = 1; nth <= MAILBOXES; nth += 1) {
    const { id } = await addAccount(app, `mailbox${nth}@sender.example`);
    const change = { daily_limit: 40, hourly_limit: 20, min_gap_seconds: 60, ramp: null };
    await app.call("PATCH", `/accounts/${id}`, change);
    await set(app, terms, id, { zone: "UTC", limits: limitsOf(seed, nth) });
  }
  const step = { type: "email", subject: "Hello", body: "Hi" };
  const { id } = await makeCampaign(app, [step, { ...step, wait_days: 2 }]);
  const change = { send_window: ROUND_THE_CLOCK, max_leads_per_day: 500 };
  await app.call("PATCH", `/campaigns/${id}`, change);
  const leads = Array.from({ length: LEADS }, (_, n) => ({ email: `p${n}@firm${n % 90}.example` }));
  await app.call("POST", `/campaigns/${id}/leads`, { leads });
  await app.call("POST", `/campaigns/${id}/start`);
  plant?.(app);
  for (let hours = 0; hours < DAYS * 24; ) {
    const next = 1 + hashInt(60, seed, "hours", hours);
    await app.advance(next * HOUR_MS);
    hours += next;
    await turn(app, terms, seed, hours);
  }
  // Without limits nobody is left waiting.
  for (const account of terms.keys()) {
    await set(app, terms, account, { zone: "UTC", limits: {} });
  }
  await app.advance(12 * DAY_MS);
  const rows = env.db.raw.query<{ status: string }, []>("select status from enrollments").all();
  await app.close();
  return { taken, statuses: rows.map(({ status }) => status) };
}

/** A person moves a mailbox to another zone, or changes its limits. */
async function turn(app: TestApp, terms: Map<string, Terms>, seed: number, hours: number) {
  const account = pick([...terms.keys()], seed, "whose", hours);
  const now = terms.get(account);
  if (now !== undefined) {
    const moved = { zone: pick(ZONES, seed, "zone", hours) };
    const limited = { limits: limitsOf(seed, "later", hours) };
    const isMoved = hashInt(3, seed, "what", hours) > 0;
    await set(app, terms, account, { ...now, ...(isMoved ? moved : limited) });
  }
}

async function set(app: TestApp, terms: Map<string, Terms>, id: string, now: Terms) {
  const change = { timezone: now.zone, provider_limits: now.limits };
  const { status } = await app.call("PATCH", `/accounts/${id}`, change);
  expect(status).toBe(200);
  terms.set(id, now);
}

/** Emails over a limit on the local day of their mailbox. One that may be at any provider counts at each. */
function over({ taken }: Month): string[] {
  return taken.flatMap((mail, index) => {
    const { date } = wallAt(mail.zone, mail.at);
    return LIMITED.flatMap((name) => {
      const limit = mail.limits[name] ?? Number.POSITIVE_INFINITY;
      const isThere = ({ host }: Taken) => host === null || host === name;
      const count = taken
        .slice(0, index + 1)
        .filter((one) => one.account === mail.account && isThere(one))
        .filter((one) => wallAt(mail.zone, one.at).date === date).length;
      return isThere(mail) && count > limit
        ? [`${mail.recipient} is number ${count} of ${limit} at ${name} on ${date} ${mail.zone}`]
        : [];
    });
  });
}

/** Days of a mailbox on which it sent all that one of its limits lets it. */
function filled({ taken }: Month): number {
  const days = Map.groupBy(taken, (mail) => {
    return `${mail.account} ${mail.host} ${wallAt(mail.zone, mail.at).date}`;
  });
  return [...days.values()].filter((mails) => {
    const { host, limits } = mails.at(-1) as Taken;
    return host !== null && limits[host] === mails.length;
  }).length;
}

/** Leads that did not get each email once. */
function lost({ taken, statuses }: Month): string[] {
  const got = Map.groupBy(taken, ({ recipient }) => recipient);
  const wrong = [...got].filter(([, { length }]) => length !== STEPS).map(([to]) => to);
  const open = statuses.filter((status) => status !== "completed");
  return [...wrong, ...open, ...(got.size === LEADS ? [] : [`${LEADS - got.size} got nothing`])];
}

describe("limits for each recipient provider", () => {
  test.each(BATCHES)(
    "hold for a month and lose no lead, seeds $from to $to",
    async (batch) => {
      let full = 0;
      for (const seed of seedsOf(batch)) {
        const month = await live(seed);
        const found = { over: over(month), lost: lost(month) };
        full += filled(month);
        expect({ replay: replay(seed, FILE), ...found }).toEqual({
          ...{ replay: replay(seed, FILE), over: [], lost: [] },
        });
      }
      expect(full).toBeGreaterThan(10);
      tried("sends", seedsOf(batch).length);
    },
    600_000,
  );

  test("are told from a month in which what was sent is forgotten", async () => {
    const forget = (app: TestApp) =>
      app.environments.test.db.raw.run(`create temp trigger planted after insert on usage
        when new.kind = 'account_provider' begin
          update usage set count = 0 where kind = 'account_provider'; end`);
    expect(over(await live(1, forget)).length).toBeGreaterThan(0);
  });
});
