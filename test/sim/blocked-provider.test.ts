/**
 * A week in which a provider refuses every mailbox for some days, or slows it down for some hours: no lead is
 * lost, nothing but single tries goes to it meanwhile, everybody else has got as much by each hour of it as in the same
 * week without the block, and what was kept back is sent afterwards. Judged by what the simulated servers were
 * offered, not by the product's own record.
 */

import { describe, expect, test } from "bun:test";
import { hashInt } from "#domain/random.ts";
import { DAY_MS, HOUR_MS, plus, toIso, type UnixMs } from "#domain/time.ts";
import { simulatedProvider } from "#sandbox/dns.ts";
import { createTestApp, START, type TestApp } from "../support/app.ts";
import { addAccount, makeCampaign } from "../support/campaigns.ts";
import { ROUND_THE_CLOCK } from "../support/inbox.ts";
import { tried } from "../support/promises.ts";
import { batches, replay, seedsOf } from "../support/simulation/seeds.ts";

const FILE = "test/sim/blocked-provider.test.ts";
const BATCHES = batches({ full: 40, quick: 6 }, 10);
const MAILBOXES = 3;
const LEADS = 180;
const STEPS = 2;
const DAYS = 12;
/** How long nothing is tried after the second refusal in a row, the third, and so on: `docs/deliverability.md`. */
const WAIT_HOURS = [1, 4, 12, 24];

interface Block {
  provider: "google" | "microsoft";
  kind: "refuse" | "throttle";
  from: UnixMs;
  until: UnixMs;
}

/** An email that a simulated server was offered. */
interface Offer {
  at: UnixMs;
  account: string;
  recipient: string;
  provider: string;
  taken: boolean;
}

interface Week {
  offers: Offer[];
  statuses: string[];
}

/** One to three days from an hour of the first two days on; a slow-down lasts some hours. */
function blockOf(seed: number, kind: Block["kind"]): Block {
  const from = plus(START, (1 + hashInt(40, seed, "from")) * HOUR_MS);
  const hours = kind === "refuse" ? 24 + hashInt(48, seed, "hours") : 2 + hashInt(5, seed, "hours");
  const provider = hashInt(2, seed, "provider") === 0 ? "google" : "microsoft";
  return { provider, kind, from, until: plus(from, hours * HOUR_MS) };
}

/** The week of a seed. `plant` runs once before it. */
async function live(seed: number, block: Block | null, plant?: (app: TestApp) => void) {
  const app = await createTestApp({ seed });
  const env = app.environments.test;
  const offers: Offer[] = [];
  const { send } = env.mail;
  env.mail.send = async (mailbox, envelope, beforeBody) => {
    const at = env.clock.now();
    const outcome = await send(mailbox, envelope, beforeBody);
    const recipient = envelope.to;
    const provider = simulatedProvider(seed, recipient.slice(recipient.indexOf("@") + 1));
    const taken = outcome.kind === "accepted";
    offers.push({ at, account: mailbox.accountId, recipient, provider, taken });
    return outcome;
  };
  const rates = ["reply", "interested", "auto_reply", "hard_bounce", "soft_bounce"];
  const none = [...rates, "complaint", "unsubscribe", "spam"].map((name) => [name, 0]);
  const blocks = block === null ? [] : [{ ...block, ...instants(block) }];
  await app.call("PATCH", "/sandbox/settings", { seed, rates: Object.fromEntries(none), blocks });
  for (let nth = 1; nth <= MAILBOXES; nth += 1) {
    const { id } = await addAccount(app, `mailbox${nth}@sender.example`);
    const limits = { daily_limit: 40, hourly_limit: 10, min_gap_seconds: 60 };
    await app.call("PATCH", `/accounts/${id}`, { ...limits, ramp: null });
  }
  const step = { type: "email", subject: "Hello", body: "Hi" };
  const { id } = await makeCampaign(app, [step, { ...step, wait_days: 2 }]);
  const change = { send_window: ROUND_THE_CLOCK, max_leads_per_day: 500 };
  await app.call("PATCH", `/campaigns/${id}`, change);
  const leads = Array.from({ length: LEADS }, (_, n) => ({ email: `p${n}@firm${n}.example` }));
  await app.call("POST", `/campaigns/${id}/leads`, { leads });
  await app.call("POST", `/campaigns/${id}/start`);
  plant?.(app);
  await app.advance(DAYS * DAY_MS);
  const rows = env.db.raw.query<{ status: string }, []>("select status from enrollments").all();
  await app.close();
  return { offers, statuses: rows.map(({ status }) => status) } satisfies Week;
}

function instants({ from, until }: Block) {
  return { from: toIso(from), until: toIso(until) };
}

/** Emails beyond the two that it takes to stop a mailbox, and the single tries after each wait. */
function tooSoon({ offers }: Week, { provider }: Block): string[] {
  const accounts = [...new Set(offers.map(({ account }) => account))];
  return accounts.flatMap((account) => {
    let refusals = 0;
    let latest = 0;
    return offers
      .filter((one) => one.account === account && one.provider === provider)
      .flatMap(({ at, taken }) => {
        const hours = WAIT_HOURS[Math.min(refusals - 2, WAIT_HOURS.length - 1)] ?? 0;
        const early = at < latest + hours * HOUR_MS;
        [refusals, latest] = taken ? [0, at] : [refusals + 1, at];
        return early ? [`${account} after ${refusals} refusals at ${at}`] : [];
      });
  });
}

/** Leads that did not get each email once. */
function lost({ offers, statuses }: Week): string[] {
  const got = Map.groupBy(
    offers.filter(({ taken }) => taken),
    ({ recipient }) => recipient,
  );
  const wrong = [...got].flatMap(([to, { length }]) =>
    length === STEPS ? [] : [`${to} ${length}`],
  );
  const open = statuses.filter((status) => status !== "completed");
  return [...wrong, ...open, ...(got.size === LEADS ? [] : [`${LEADS - got.size} got nothing`])];
}

/**
 * Hours of the block by whose end others had got fewer emails than in the week without it. An email that is refused
 * may take the turn of one to somebody else, and no more than that.
 */
function behind(week: Week, without: Week, { provider, from, until }: Block): string[] {
  const hours = Array.from({ length: (until - from) / HOUR_MS }, (_, n) =>
    plus(from, (n + 1) * HOUR_MS),
  );
  return hours.flatMap((end) => {
    const [blocked, plain] = [week, without].map(({ offers }) =>
      offers.filter(({ at }) => at < end),
    );
    const others = (offers: Offer[] = []) =>
      offers.filter((one) => one.taken && one.provider !== provider).length;
    const refused = (blocked ?? []).filter(({ taken }) => !taken).length;
    return others(blocked) + refused < others(plain)
      ? [`${others(blocked)} instead of ${others(plain)} by ${toIso(end)}`]
      : [];
  });
}

/** Mailboxes that didn't write there again within the longest wait after the block's end. */
function unrecovered({ offers }: Week, { provider, until }: Block): string[] {
  const latest = plus(until, 24 * HOUR_MS + 6 * HOUR_MS);
  const there = offers.filter((one) => one.provider === provider && one.at >= until);
  return there.some(({ at, taken }) => taken && at <= latest) ? [] : ["nobody writes there again"];
}

describe("a provider that refuses every mailbox for days", () => {
  test.each(BATCHES)(
    "loses no lead, seeds $from to $to",
    async (batch) => {
      let refusals = 0;
      for (const seed of seedsOf(batch)) {
        const block = blockOf(seed, "refuse");
        const without = await live(seed, null);
        const week = await live(seed, block);
        const found = {
          lost: lost(week),
          tooSoon: tooSoon(week, block),
          behind: behind(week, without, block),
          unrecovered: unrecovered(week, block),
        };
        refusals += week.offers.filter(({ taken }) => !taken).length;
        expect({ replay: replay(seed, FILE), ...found }).toEqual({
          ...{ replay: replay(seed, FILE), lost: [], tooSoon: [] },
          ...{ behind: [], unrecovered: [] },
        });
      }
      expect(refusals).toBeGreaterThan(0);
      tried("sends", seedsOf(batch).length);
    },
    600_000,
  );

  const onRefusal = (change: string) => (app: TestApp) =>
    app.environments.test.db.raw.run(`create temp trigger planted after update on accounts
      when new.refusals is not null begin update accounts set ${change} where id = new.id; end`);

  test("is told from a week in which refusals are forgotten", async () => {
    const block = blockOf(1, "refuse");
    const week = await live(1, block, onRefusal("refusals = null"));
    expect(tooSoon(week, block).length).toBeGreaterThan(0);
  });

  test("is told from a week in which a refusal stops the mailbox everywhere", async () => {
    const block = blockOf(1, "refuse");
    const week = await live(1, block, onRefusal("backoff_until = 4e12"));
    expect(behind(week, await live(1, null), block).length).toBeGreaterThan(0);
    expect(lost(week).length).toBeGreaterThan(0);
    expect(unrecovered(week, block)).toHaveLength(1);
  });
});

describe("a provider that slows every mailbox down for hours", () => {
  test.each(BATCHES)(
    "loses no lead, seeds $from to $to",
    async (batch) => {
      let deferrals = 0;
      for (const seed of seedsOf(batch)) {
        const block = blockOf(seed, "throttle");
        const week = await live(seed, block);
        deferrals += week.offers.filter(({ taken }) => !taken).length;
        const found = { lost: lost(week), unrecovered: unrecovered(week, block) };
        expect({ replay: replay(seed, FILE), ...found }).toEqual({
          ...{ replay: replay(seed, FILE), lost: [], unrecovered: [] },
        });
      }
      expect(deferrals).toBeGreaterThan(0);
    },
    600_000,
  );
});
