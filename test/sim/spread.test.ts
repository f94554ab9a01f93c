/**
 * Weeks in which a campaign spreads its leads with risky addresses: a mailbox writes to few of them a day, nobody else
 * waits for them, and each gets its email in the end. Judged by what the simulated servers took, and by lists of
 * addresses that are risky, or not, by how the test made them.
 */

import { describe, expect, test } from "bun:test";
import { hashInt } from "#domain/random.ts";
import { DAY_MS, HOUR_MS, type UnixMs } from "#domain/time.ts";
import { createTestApp, START, type TestApp } from "../support/app.ts";
import { addAccount, makeCampaign } from "../support/campaigns.ts";
import { quiet, ROUND_THE_CLOCK } from "../support/inbox.ts";
import { batches, replay, seedsOf } from "../support/simulation/seeds.ts";

const FILE = "test/sim/spread.test.ts";
const BATCHES = batches({ full: 20, quick: 3 }, 5);
const PLAIN = 160;
const RISKY = 14;
const DAYS = 14;
/** As `docs/deliverability.md` has it. */
const EMAILS_PER_RISKY = 20;

interface Taken {
  at: UnixMs;
  account: string;
  to: string;
}

interface Weeks {
  taken: Taken[];
  foreseen: Taken[];
}

/** The weeks of a seed. `plant` runs once before them. */
async function live(seed: number, risky: number, plant?: (app: TestApp) => void): Promise<Weeks> {
  const app = await createTestApp({ seed });
  await quiet(app);
  const env = app.environments.test;
  const taken: Taken[] = [];
  const { send } = env.mail;
  env.mail.send = async (mailbox, envelope, beforeBody) => {
    const outcome = await send(mailbox, envelope, beforeBody);
    if (outcome.kind === "accepted") {
      taken.push({ at: env.clock.now(), account: mailbox.accountId, to: envelope.to });
    }
    return outcome;
  };
  for (const [nth, timezone] of ["UTC", "Pacific/Auckland"].entries()) {
    const { id } = await addAccount(app, `mailbox${nth}@sender.example`);
    const daily_limit = [25, 45, 90][hashInt(3, seed, "limit", nth)] ?? 0;
    const limits = { daily_limit, hourly_limit: 20, min_gap_seconds: 60, timezone };
    await app.call("PATCH", `/accounts/${id}`, { ...limits, ramp: null });
  }
  const step = { type: "email", subject: "Hello", body: "Hi" };
  const { id } = await makeCampaign(app, [step, { ...step, wait_days: 2 }]);
  const other = await makeCampaign(app, [step]);
  const window = { send_window: ROUND_THE_CLOCK, max_leads_per_day: 500 };
  await app.call("PATCH", `/campaigns/${id}`, { ...window, risky_addresses: "spread" });
  await app.call("PATCH", `/campaigns/${other.id}`, window);
  const leads = [
    ...Array.from({ length: PLAIN }, (_, n) => `p${n}@firm${n}.example`),
    ...Array.from({ length: risky }, (_, n) => `info@office${n}.example`),
  ].sort((a, b) => hashInt(1e6, seed, a) - hashInt(1e6, seed, b));
  const add = (campaign: string, emails: readonly string[]) =>
    app.call("POST", `/campaigns/${campaign}/leads`, { leads: emails.map((email) => ({ email })) });
  await add(id, leads);
  await add(
    other.id,
    Array.from({ length: PLAIN / 2 }, (_, n) => `q${n}@firm${n}.example`),
  );
  await app.call("POST", `/campaigns/${id}/start`);
  await app.call("POST", `/campaigns/${other.id}/start`);
  plant?.(app);
  const path = `/campaigns/${id}/forecast?days=${DAYS}`;
  const { sends } = (await app.call("GET", path)).body;
  const emails = new Map(
    env.db.raw
      .query<{ id: string; email: string }, []>("select lower(hex(id)) as id, email from leads")
      .all()
      .map(({ id, email }) => [id, email]),
  );
  await app.advance(DAYS * DAY_MS);
  await app.close();
  const foreseen = sends.map((one: { at: string; account_id: string; lead_id: string }) => ({
    at: Date.parse(one.at),
    ...{ account: one.account_id, to: emails.get(one.lead_id.replaceAll("-", "")) },
  }));
  return { taken, foreseen };
}

const isRisky = ({ to }: Taken) => to.startsWith("info@");

/** First emails only, in their order. */
function firsts(taken: readonly Taken[]): Taken[] {
  const known = new Set<string>();
  return taken.filter(({ to }) => {
    const isFirst = !known.has(to);
    known.add(to);
    return isFirst;
  });
}

/** First emails to risky addresses beyond the first of a mailbox and UTC day, and one in twenty. */
function tooMany({ taken }: Weeks): string[] {
  const days = Map.groupBy(
    firsts(taken),
    ({ account, at }) => `${account} ${new Date(at).toISOString().slice(0, 10)}`,
  );
  return [...days].flatMap(([day, emails]) =>
    emails.flatMap((one, before) => {
      const risky = emails.slice(0, before).filter(isRisky).length;
      const most = Math.max(1, Math.floor(before / EMAILS_PER_RISKY));
      return isRisky(one) && risky >= most ? [`${risky + 1} of ${before} on ${day}`] : [];
    }),
  );
}

/**
 * Hours by whose end the others had got fewer first emails than in the weeks without risky leads. Each email to such a
 * lead, a follow-up too, may take the turn of one to somebody else.
 */
function behind(weeks: Weeks, without: Weeks): string[] {
  return Array.from({ length: DAYS * 24 }, (_, hour) => START + (hour + 1) * HOUR_MS).flatMap(
    (end) => {
      const until = ({ taken }: Weeks) => taken.filter(({ at }) => at < end);
      const risky = until(weeks).filter(isRisky).length;
      const got = until(weeks).length - risky;
      const most = until(without).length;
      return got + risky < most ? [`${got} and ${risky} instead of ${most} by ${end}`] : [];
    },
  );
}

describe("a campaign that spreads risky addresses", () => {
  test.each(BATCHES)(
    "writes to few of them a day and to everybody in the end, seeds $from to $to",
    async (batch) => {
      for (const seed of seedsOf(batch)) {
        const weeks = await live(seed, RISKY);
        const written = new Set(
          firsts(weeks.taken)
            .filter(isRisky)
            .map(({ to }) => to),
        );
        const own = weeks.taken.filter(({ to }) => !to.startsWith("q"));
        const found = {
          tooMany: tooMany(weeks),
          behind: behind(weeks, await live(seed, 0)),
          written: written.size,
        };
        expect({ replay: replay(seed, FILE), ...found }).toEqual({
          ...{ replay: replay(seed, FILE), tooMany: [], behind: [], written: RISKY },
        });
        expect(weeks.foreseen).toEqual(own);
      }
    },
    600_000,
  );

  test("is told from one that forgets whom it wrote to", async () => {
    const forgetful = await live(1, RISKY, (app) =>
      app.environments.test.db.raw.run(`create temp trigger planted after insert on usage
        when new.kind = 'account_spread' begin delete from usage where kind = new.kind; end`),
    );
    expect(tooMany(forgetful).length).toBeGreaterThan(0);
  });

  test("is told from one that sends to them as to others", async () => {
    const heedless = await live(1, RISKY, (app) =>
      app.environments.test.db.raw.run("update campaigns set risky_addresses = 'send'"),
    );
    expect(tooMany(heedless).length).toBeGreaterThan(0);
  });
});
