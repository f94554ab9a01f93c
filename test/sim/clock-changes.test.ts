/**
 * Nights in which clocks change, through the whole engine: the window, the caps of an hour and of a day,
 * the wait of a calendar day and the forecast, for mailboxes and campaigns that live by the clock of
 * that place and send all night.
 */

import { describe, expect, test } from "bun:test";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { DAY_MS, MINUTE_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import { seededDice } from "#platform/dice.ts";
import { silentLog } from "#platform/log.ts";
import { createCampaign, moveCampaign } from "#usecases/campaigns/campaigns.ts";
import { project } from "#usecases/forecast/project.ts";
import { createStep } from "#usecases/leads/steps.ts";
import { createAccount } from "#usecases/mailboxes/accounts.ts";
import { createTeam } from "#usecases/team/teams.ts";
import { check } from "../support/simulation/checks.ts";
import { createChronicle, type Handed } from "../support/simulation/chronicle.ts";
import { createMovingClock } from "../support/simulation/clock.ts";
import { createDraw } from "../support/simulation/draw.ts";
import { createInternet } from "../support/simulation/internet.ts";
import { beginLine } from "../support/simulation/lines.ts";
import { startProcess } from "../support/simulation/process.ts";
import { takeSnapshot } from "../support/simulation/snapshot.ts";
import { importSome, recordTerms, type Team } from "../support/simulation/team.ts";

/** Zone, the local date whose night it is, and what the clocks do. */
const NIGHTS: [zone: string, date: string, change: string][] = [
  ["Europe/Berlin", "2026-03-29", "two becomes three"],
  ["Europe/Berlin", "2026-10-25", "three becomes two"],
  ["America/New_York", "2026-03-08", "two becomes three"],
  ["America/New_York", "2026-11-01", "two becomes one"],
  ["America/St_Johns", "2026-03-08", "two becomes three"],
  ["America/St_Johns", "2026-11-01", "two becomes one"],
  ["America/Santiago", "2026-09-06", "midnight becomes one"],
  ["America/Santiago", "2026-04-05", "midnight becomes eleven in the evening"],
  ["Africa/Cairo", "2026-04-24", "midnight becomes one"],
  ["Africa/Cairo", "2026-10-30", "midnight becomes eleven in the evening"],
  ["Asia/Beirut", "2026-03-29", "midnight becomes one"],
  ["Australia/Lord_Howe", "2026-10-04", "two becomes half past two"],
  ["Australia/Lord_Howe", "2026-04-05", "two becomes half past one"],
  ["Pacific/Auckland", "2026-09-27", "two becomes three"],
  ["Pacific/Auckland", "2026-04-05", "three becomes two"],
];

/** Hours of the window: the whole night, the hour that is skipped or repeated, and from it on. */
const WINDOWS: [startHour: number, endHour: number][] = [
  [0, 6],
  [1, 2],
  [2, 3],
  [2, 6],
  [0, 1],
  [22, 24],
];

const HOURLY_LIMIT = 4;

describe.each(NIGHTS)("the night to %s, %s, when %s", (zone, date) => {
  test.each(WINDOWS)("window from %d to %d", async (startHour, endHour) => {
    const { foretold, mails, violations } = await liveThrough(zone, date, startHour, endHour);

    expect(violations).toEqual([]);
    expect(mails.map(({ at, to }) => `${wall(zone, at)} ${to}`)).toEqual(
      foretold.map(({ at, to }) => `${wall(zone, at)} ${to}`),
    );
    expect(mails.length).toBeGreaterThan(0);
    for (const second of mails.filter(({ step }) => step === "s2")) {
      const first = mails.find(({ to, step }) => to === second.to && step === "s1");
      const due = local(zone, first?.at ?? second.at).add({ days: 1 });
      expect(second.at).toBeGreaterThanOrEqual(due.epochMilliseconds);
    }
  });

  test("the hours of the change are counted once", async () => {
    const { mails } = await liveThrough(zone, date, 0, 24);
    const hours = Map.groupBy(mails, ({ at }) => wall(zone, at).slice(0, 13));
    for (const inHour of hours.values()) {
      expect(inHour.length).toBeLessThanOrEqual(HOURLY_LIMIT);
    }
  });
});

/** To the second, as an email's Date header says it. */
function local(zone: string, at: number): Temporal.ZonedDateTime {
  const seconds = Math.floor(at / 1000) * 1000;
  return Temporal.Instant.fromEpochMilliseconds(seconds).toZonedDateTimeISO(zone);
}

function wall(zone: string, at: number): string {
  return local(zone, at).toPlainDateTime().toString();
}

interface Lived {
  foretold: { at: UnixMs; to: string }[];
  mails: Handed[];
  violations: unknown[];
}

/** From the noon before to three days on: one mailbox, two steps a day apart. */
async function liveThrough(
  zone: string,
  date: string,
  startHour: number,
  endHour: number,
): Promise<Lived> {
  const noon = Temporal.PlainDate.from(date)
    .subtract({ days: 2 })
    .toZonedDateTime({ timeZone: zone, plainTime: "12:00" });
  const clock = createMovingClock(unixMs(noon.epochMilliseconds));
  const [draw, chronicle] = [createDraw(1), createChronicle()];
  const internet = createInternet(draw, clock, chronicle);
  const process = startProcess({
    path: ":memory:",
    internet,
    clock,
    dice: seededDice(1),
    log: silentLog,
    pollEveryMs: DAY_MS,
  });
  const { env } = process;
  const { id: teamId } = await env.commit(() => createTeam(env, "Acme"));
  const caller = { teamId, actor: "operator", scopes: ["admin"] };
  const style = { tasks: false, holes: false, nights: true, leads: 30 };
  const team: Team = { caller, draw, chronicle, style, people: 0, steps: 2 };
  const login = { host: "mail.sender.example", password: "secret" };
  await env.commit(() =>
    createAccount(env, caller, {
      email: "mailbox@sender.example",
      provider: "smtp",
      timezone: zone,
      smtp: login,
      imap: login,
      dailyLimit: 20,
      hourlyLimit: HOURLY_LIMIT,
      minGapSeconds: 60,
    }),
  );
  const { id } = await env.commit(() =>
    createCampaign(env, caller, {
      name: "Night",
      sendWindow: { timezone: zone, days: WEEKDAYS, startHour, endHour },
      maxLeadsPerDay: 9,
    }),
  );
  chronicle.marks.set("c1", id);
  for (const nth of [1, 2]) {
    const subject = nth === 1 ? "News" : null;
    const fields = {
      type: "email",
      subject,
      body: `[[c1:s${nth}]] Hello`,
      waitDays: nth - 1,
    } as const;
    await env.commit(() => createStep(env, caller, id, fields));
  }
  beginLine(env, chronicle, "c1");
  await importSome(env, team, id, 30);
  await env.commit(() => env.db.raw.run("update enrollments set zone = ''"));
  await env.commit(() => env.db.raw.run("update leads set timezone = null"));
  recordTerms(env, team);
  await process.advance(plus(clock.now(), MINUTE_MS));
  await env.commit(() => moveCampaign(env, caller, id, "active"));
  const to = plus(clock.now(), 4 * DAY_MS);
  const foretold: Lived["foretold"] = [];
  const addressOf = env.db.raw.query<{ email: string }, [string]>(
    "select email from leads where lower(hex(id)) = ?",
  );
  for (const { send } of project(env, teamId, clock.now(), to)) {
    if (send !== null) {
      const email = addressOf.get(send.leadId.replaceAll("-", ""))?.email ?? "";
      foretold.push({ at: send.at, to: email });
    }
  }
  await process.advance(to);
  const snapshot = takeSnapshot(env.db.raw, clock.now());
  const violations = check({ chronicle, snapshot });
  await process.end();
  return { foretold, mails: chronicle.handed, violations };
}
