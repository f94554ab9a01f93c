/**
 * The numbers of `/experiments/{id}/results` are those that somebody else counts from the raw mail: the
 * executable plays an experiment, and a program in another language with another library of statistics
 * reads every message and every answer from the file, and computes each number anew.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { type Call, caller, done } from "../journeys/support.ts";
import { startServer } from "../support/executable.ts";

const TEST_MS_MAX = 600_000;
const ROOT = join(import.meta.dir, "..", "..");
const PYTHON = join(ROOT, ".toolchain", "venv", "bin", "python");
const SAYS = ["the first way", "the second way", "the third way"];
const WINDOW_DAYS = 3;
const EVERY_DAY = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

test.skipIf(process.env["OUTRIDER_TEST_TIER"] !== "full")(
  "counted and computed anew from the raw email they are the same, while it runs and at its end",
  async () => {
    await using server = await startServer({ env: { OUTRIDER_RATE_LIMIT: "0" } });
    const { key } = await server.createKey("test");
    const call = caller(server, key);
    const id = await start(call);
    // Written to by the third day; answered by the seventh; the end is at seven days.
    await advance(call, 6 * DAY_MS + 20 * HOUR_MS);
    const running = await compare(call, id, server.data);
    await advance(call, 5 * DAY_MS);
    const final = await compare(call, id, server.data);

    expect(running).toMatchObject({ exit: 0, said: expect.stringContaining(", 0 differ") });
    expect(running.isFinal).toBe(false);
    expect(final).toMatchObject({ exit: 0, said: expect.stringContaining(", 0 differ") });
    expect(final.isFinal).toBe(true);
  },
  TEST_MS_MAX,
);

test.skipIf(process.env["OUTRIDER_TEST_TIER"] !== "full")(
  "those of a bandit too, whose shares and rates moved",
  async () => {
    await using server = await startServer({ env: { OUTRIDER_RATE_LIMIT: "0" } });
    const { key } = await server.createKey("test");
    const call = caller(server, key);
    const id = await start(call, "thompson_sampling");
    await advance(call, 4 * DAY_MS);
    // From here on everybody is answered three times as often.
    const rates = [0.15, 0.3, 0.2];
    const effects = SAYS.map((contains, nth) => ({ contains, rates: { reply: rates[nth] } }));
    await done(call("PATCH", "/sandbox/settings", { effects }));
    await advance(call, 2 * DAY_MS + 20 * HOUR_MS);
    const running = await compare(call, id, server.data);
    await advance(call, 5 * DAY_MS);
    const final = await compare(call, id, server.data);

    expect(running).toMatchObject({ exit: 0, said: expect.stringContaining(", 0 differ") });
    expect(final).toMatchObject({ exit: 0, said: expect.stringContaining(", 0 differ") });
    expect([running.isFinal, final.isFinal]).toEqual([false, true]);
    expect(final.epochs).toBeGreaterThan(3);
  },
  TEST_MS_MAX,
);

/** To the next full hour after that long: leads are measured by the hour. */
async function advance(call: Call, ms: number): Promise<void> {
  const now = Date.parse((await done(call("GET", "/sandbox/clock"))).now);
  const target = Math.ceil((now + ms) / HOUR_MS) * HOUR_MS;
  await done(call("POST", "/sandbox/clock", { advance: `${Math.ceil((target - now) / 1000)}s` }));
}

async function start(call: Call, mode = "fixed_split"): Promise<string> {
  await done(
    call("PATCH", "/sandbox/settings", {
      rates: {
        ...{ reply: 0.05, interested: 0, auto_reply: 0.05, hard_bounce: 0.02, soft_bounce: 0 },
        ...{ complaint: 0, unsubscribe: 0, spam: 0.02 },
      },
      effects: [
        { contains: SAYS[1], rates: { reply: 0.12 } },
        { contains: SAYS[2], rates: { reply: 0.07 } },
      ],
      delays: { reply: { min_seconds: 600, max_seconds: 4 * 86_400 } },
    }),
  );
  for (const email of ["ann@sender.example", "ben@sender.example"]) {
    const limits = { daily_limit: 500, hourly_limit: 100, min_gap_seconds: 0 };
    await done(call("POST", "/accounts", { email, provider: "smtp", ...limits }));
  }
  const campaign = await done(
    call("POST", "/campaigns", {
      name: "Numbers",
      max_leads_per_day: mode === "fixed_split" ? 300 : 150,
      send_window: { timezone: "UTC", days: EVERY_DAY, start_hour: 8, end_hour: 20 },
    }),
  );
  const step = { type: "email", subject: "A word", body: `Hello, ${SAYS[0]}.` };
  await done(call("POST", `/campaigns/${campaign.id}/steps`, step));
  const experiment = await done(
    call("POST", "/experiments", {
      campaign_id: campaign.id,
      name: "Three ways",
      duration_days: 7,
      attribution_window_days: WINDOW_DAYS,
      early_stopping: false,
      optimization_mode: mode,
      variants: [
        { name: "First", weight: 1 },
        { name: "Second", weight: 2, config: { body: `Hello, ${SAYS[1]}.` } },
        { name: "Third", weight: 1.5, config: { body: `Hello, ${SAYS[2]}.` } },
      ],
    }),
  );
  const size = mode === "fixed_split" ? 600 : 900;
  const leads = Array.from({ length: size }, (_, nth) => ({
    email: `p${nth}@firm${nth % 97}.example`,
  }));
  await done(call("POST", `/campaigns/${campaign.id}/leads`, { leads }));
  await done(call("POST", `/campaigns/${campaign.id}/start`));
  return experiment.id;
}

async function compare(call: Call, id: string, data: string) {
  const results = await done(call("GET", `/experiments/${id}/results`));
  const experiment = await done(call("GET", `/experiments/${id}`));
  const history = await done(call("GET", `/experiments/${id}/history`));
  const clock = await done(call("GET", "/sandbox/clock"));
  const now = Date.parse(clock.now);
  const reading = { results, experiment, history, now, window_days: WINDOW_DAYS, says: SAYS };
  const child = Bun.spawn([PYTHON, join(import.meta.dir, "recompute.py"), join(data, "test.db")], {
    stdin: new Blob([JSON.stringify(reading)]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return {
    exit,
    said: `${out}${err}`,
    isFinal: results.is_final as boolean,
    epochs: history.allocations.length,
  };
}
