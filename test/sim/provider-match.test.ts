/**
 * Weeks in which new leads go from mailboxes at their own provider, while mailboxes are paused and resumed, domains move
 * from one provider to another, and name servers are silent now and then. Judged by what the simulated servers took, by
 * what the name servers had said of each domain by then, and by the mailboxes that the test itself had paused.
 */

import { describe, expect, test } from "bun:test";
import { hashInt } from "#domain/random.ts";
import { DAY_MS, HOUR_MS, plus, type UnixMs } from "#domain/time.ts";
import { createTestApp, START, type TestApp } from "../support/app.ts";
import { makeCampaign } from "../support/campaigns.ts";
import { quiet, ROUND_THE_CLOCK } from "../support/inbox.ts";
import { batches, replay, seedsOf } from "../support/simulation/seeds.ts";

const FILE = "test/sim/provider-match.test.ts";
const BATCHES = batches({ full: 30, quick: 2 }, 10);
const LEADS = 260;
const STEPS = 2;
const DAYS = 12;

const EXCHANGES = {
  google: "aspmx.l.google.com",
  microsoft: "firm.mail.protection.outlook.com",
  yahoo: "mta5.am0.yahoodns.net",
  custom: "mx.firm.net",
} as const;
type Host = keyof typeof EXCHANGES;
const SILENT = null;

/** Each mailbox, where it is, and how it's known: by its server, or by its domain's exchanges behind a relay. */
const MAILBOXES = [
  { email: "ann@north.example.org", provider: "google", host: "google" },
  { email: "bob@north.example.org", provider: "google", host: "google" },
  { email: "cy@east.example.org", provider: "microsoft", host: "microsoft" },
  { email: "di@relayed.example.org", provider: "smtp", host: "microsoft" },
  { email: "ed@own.example.org", provider: "smtp", host: "custom" },
] as const;
type Status = "active" | "paused";

interface Options {
  seed: number;
  matching: "off" | "prefer" | "only";
  /** Domains move and name servers are silent, mailboxes are paused and resumed. */
  rough: boolean;
  plant?: (app: TestApp) => void;
}

/** A first email that a simulated server took; `to` is null where nobody could know whose servers they were. */
interface First {
  at: UnixMs;
  recipient: string;
  from: Host;
  /** From the mailbox that only its domain's exchanges tell to be there. */
  isRelayed: boolean;
  to: Host | null;
  /** Where the campaign had an active mailbox then. */
  active: readonly Host[];
}

interface Weeks {
  firsts: First[];
  taken: { at: number; account: string; recipient: string }[];
  foreseen: { at: number; account: string; recipient: string | undefined }[];
  statuses: string[];
}

function pick<Item>(from: readonly Item[], ...key: (string | number)[]): Item {
  return from[hashInt(from.length, ...key)] as Item;
}

function hostOf({ seed, rough }: Options, domain: string, at: UnixMs): Host | null {
  const own = MAILBOXES.find(({ email }) => email.endsWith(`@${domain}`));
  if (own !== undefined) {
    return own.host;
  }
  const moves = rough && hashInt(3, seed, domain, "moves") === 0;
  const period = moves ? Math.floor((at - START) / (2 * DAY_MS)) : 0;
  const isSilent = rough && hashInt(10, seed, domain, Math.floor(at / (6 * HOUR_MS))) === 0;
  const hosts = ["google", "google", "microsoft", "microsoft", "yahoo", "custom"] as const;
  return isSilent ? SILENT : pick(hosts, seed, domain, period);
}

async function live(options: Options): Promise<Weeks> {
  const { seed, matching, rough, plant } = options;
  const app = await createTestApp({ seed });
  await quiet(app);
  const env = app.environments.test;
  const said = new Map<string, { at: UnixMs; host: Host | null }>();
  env.dns.mx = async (domain) => {
    const at = env.clock.now();
    const host = hostOf(options, domain, at);
    said.set(domain, { at, host });
    if (host === SILENT) {
      throw new Error("no name server answered");
    }
    return [{ exchange: EXCHANGES[host], priority: 10 }];
  };
  const status = new Map<string, Status>();
  const places = new Map<string, Host>();
  let relayed = "";
  for (const { email, provider, host } of MAILBOXES) {
    const { id } = (await app.call("POST", "/accounts", { email, provider })).body;
    const daily_limit = pick([12, 18, 30], seed, email);
    await app.call("PATCH", `/accounts/${id}`, { daily_limit, min_gap_seconds: 60, ramp: null });
    status.set(id, "active");
    places.set(id, host);
    relayed = provider === "smtp" && host === "microsoft" ? id : relayed;
  }
  const firsts: First[] = [];
  const taken: Weeks["taken"] = [];
  const known = new Set<string>();
  const { send } = env.mail;
  env.mail.send = async (mailbox, envelope, beforeBody) => {
    const outcome = await send(mailbox, envelope, beforeBody);
    const at = env.clock.now();
    const { to: recipient } = envelope;
    if (outcome.kind === "accepted") {
      taken.push({ at, account: mailbox.accountId, recipient });
      const answer = said.get(recipient.slice(recipient.indexOf("@") + 1));
      const isFresh = answer !== undefined && at <= plus(answer.at, 7 * DAY_MS);
      const active = [...status].flatMap(([id, one]) =>
        one === "active" ? [places.get(id) as Host] : [],
      );
      if (!known.has(recipient)) {
        const from = places.get(mailbox.accountId) as Host;
        const isRelayed = mailbox.accountId === relayed;
        firsts.push({ at, recipient, from, isRelayed, to: isFresh ? answer.host : null, active });
      }
      known.add(recipient);
    }
    return outcome;
  };
  const step = { type: "email", subject: "Hello", body: "Hi" };
  const { id } = await makeCampaign(app, [step, { ...step, wait_days: 1 }]);
  const change = { send_window: ROUND_THE_CLOCK, max_leads_per_day: 500 };
  const { body } = await app.call("PATCH", `/campaigns/${id}`, {
    ...{ ...change, provider_matching: matching },
  });
  expect(body.provider_matching).toBe(matching);
  const leads = Array.from({ length: LEADS }, (_, n) => ({
    email: `p${n}@firm${n % 90}.example.org`,
  }));
  await app.call("POST", `/campaigns/${id}/leads`, { leads });
  if (!rough) {
    await app.advance(HOUR_MS);
  }
  await app.call("POST", `/campaigns/${id}/start`);
  plant?.(app);
  const path = `/campaigns/${id}/forecast?days=${DAYS}`;
  const { sends } = (await app.call("GET", path)).body;
  const emails = new Map(
    env.db.raw
      .query<{ id: string; email: string }, []>("select lower(hex(id)) as id, email from leads")
      .all()
      .map((one) => [one.id, one.email]),
  );
  const foreseen = sends.map((one: { at: string; account_id: string; lead_id: string }) => ({
    ...{ at: Date.parse(one.at), account: one.account_id },
    recipient: emails.get(one.lead_id.replaceAll("-", "")),
  }));
  for (let hours = 0; hours < DAYS * 24; ) {
    const next = rough ? 1 + hashInt(20, seed, "hours", hours) : DAYS * 24;
    await app.advance(next * HOUR_MS);
    hours += next;
    if (rough) {
      const whose = pick([...status.keys()], seed, "whose", hours);
      await put(app, status, whose, pick(["active", "paused"], seed, "status", hours));
    }
  }
  const count = taken.length;
  for (const account of status.keys()) {
    await put(app, status, account, "active");
  }
  await app.advance(40 * DAY_MS);
  const rows = env.db.raw.query<{ status: string }, []>("select status from enrollments").all();
  await app.close();
  const statuses = rows.map((row) => row.status);
  return { firsts, taken: rough ? taken : taken.slice(0, count), foreseen, statuses };
}

async function put(app: TestApp, known: Map<string, Status>, id: string, status: Status) {
  const answer = await app.call("PATCH", `/accounts/${id}`, { status });
  expect(answer.status).toBe(200);
  known.set(id, status);
}

const isNamed = (host: Host | null) => host !== null && host !== "custom";

/** First emails from another provider's mailbox than their own, where an active one was at theirs. */
function crossed({ firsts }: Weeks): string[] {
  return firsts
    .filter(({ from, to, active }) => isNamed(to) && from !== to && active.includes(to as Host))
    .map(({ recipient, from, to, at }) => `${recipient} at ${to} from ${from}, ${at}`);
}

/** Leads that did not get each email once. */
function lost({ taken, statuses }: Weeks): string[] {
  const got = Map.groupBy(taken, ({ recipient }) => recipient);
  const wrong = [...got].filter(([, { length }]) => length !== STEPS).map(([to]) => to);
  const open = statuses.filter((status) => status !== "completed");
  return [...wrong, ...open, ...(got.size === LEADS ? [] : [`${LEADS - got.size} got nothing`])];
}

function lastFirst({ firsts }: Weeks): UnixMs {
  return firsts.at(-1)?.at ?? START;
}

describe("new leads and mailboxes at their own provider", () => {
  test.each(BATCHES)(
    "only: none crosses, none is lost, and a provider without a mailbox goes from any, seeds $from to $to",
    async (batch) => {
      for (const seed of seedsOf(batch)) {
        const weeks = await live({ seed, matching: "only", rough: true });
        const found = { crossed: crossed(weeks), lost: lost(weeks) };
        expect({ replay: replay(seed, FILE), ...found }).toEqual({
          ...{ replay: replay(seed, FILE), crossed: [], lost: [] },
        });
        const isMatched = ({ isRelayed, to }: First) => isRelayed && to === "microsoft";
        expect(weeks.firsts.some(isMatched)).toBeTrue();
        const elsewhere = weeks.firsts.filter(({ from, to }) => isNamed(to) && from !== to);
        expect(elsewhere.some(({ to }) => to === "yahoo")).toBeTrue();
        expect(new Set(weeks.firsts.map(({ from }) => from)).size).toBe(3);
      }
    },
    600_000,
  );

  test.each(BATCHES)(
    "prefer: more go from their own, and all are written to as soon, seeds $from to $to",
    async (batch) => {
      for (const seed of seedsOf(batch)) {
        const [off, prefer] = [
          await live({ seed, matching: "off", rough: false }),
          await live({ seed, matching: "prefer", rough: false }),
        ];
        const found = { lost: lost(prefer), late: Math.max(0, lastFirst(prefer) - lastFirst(off)) };
        expect({ replay: replay(seed, FILE), ...found }).toEqual({
          ...{ replay: replay(seed, FILE), lost: [], late: 0 },
        });
        expect(crossed(prefer).length).toBeLessThan(crossed(off).length / 2);
      }
    },
    600_000,
  );

  test.each(["prefer", "only"] as const)("%s: the forecast is what happens", async (matching) => {
    const { foreseen, taken } = await live({ seed: 1, matching, rough: false });
    expect(foreseen).toEqual(taken);
    expect(taken.length).toBeGreaterThan(LEADS);
  });

  test("are told from weeks in which it's switched off", async () => {
    const plant = (app: TestApp) =>
      app.environments.test.db.raw.run("update campaigns set provider_matching = 'off'");
    const weeks = await live({ seed: 1, matching: "only", rough: true, plant });
    expect(crossed(weeks).length).toBeGreaterThan(20);
  });
});
