/**
 * One email, and a fault at every single place between its claim and its end: the process is killed after
 * each statement and at each wait, with what nobody was told of cut from the write-ahead log; and each
 * statement fails because the disk is full, or busy. The email is taken once; where a death leaves it unknown
 * whether it was, it is never sent again by itself, and is shown as in doubt.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, unixMs } from "#domain/time.ts";
import type { Caller } from "#environment.ts";
import { seededDice } from "#platform/dice.ts";
import { silentLog } from "#platform/log.ts";
import { integrityCheck } from "#store/sqlite/database.ts";
import { createCampaign, moveCampaign } from "#usecases/campaigns/campaigns.ts";
import { importLeads } from "#usecases/leads/import/import.ts";
import { createStep } from "#usecases/leads/steps.ts";
import { createAccount } from "#usecases/mailboxes/accounts.ts";
import { createTeam } from "#usecases/team/teams.ts";
import { tried } from "../support/promises.ts";
import { createChronicle } from "../support/simulation/chronicle.ts";
import { createMovingClock } from "../support/simulation/clock.ts";
import { leaveBehind, STATEMENT_FAULTS, survives } from "../support/simulation/disk.ts";
import { createDraw } from "../support/simulation/draw.ts";
import { createInternet } from "../support/simulation/internet.ts";
import { DEATH } from "../support/simulation/life.ts";
import { type Process, startProcess } from "../support/simulation/process.ts";

const PROVIDERS = ["smtp", "google"] as const;
type Provider = (typeof PROVIDERS)[number];

const START = unixMs(Date.UTC(2026, 2, 3, 10, 0));
/** The quick tier looks at one place in seven. */
const STRIDE = process.env["OUTRIDER_TEST_TIER"] === "full" ? 1 : 7;
/** Places of one kind are fewer than this, or the email never ends. */
const PLACES_MAX = 2_000;
const TEST_MS_MAX = 600_000;
const PAUSE_MS = 5_000;
const POLL_EVERY_MS = DAY_MS;

let directory = "";
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "outrider-places-"));
  for (const provider of PROVIDERS) {
    await prepare(provider);
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const fileOf = (provider: Provider, name = "due") => join(directory, `${provider}-${name}.db`);

function surroundings(place: number) {
  const clock = createMovingClock(START);
  const chronicle = createChronicle();
  const draw = createDraw(place);
  const internet = createInternet(draw, clock, chronicle);
  const open = (path: string, dice: number) =>
    startProcess({
      ...{ path, internet, clock, log: silentLog, pollEveryMs: POLL_EVERY_MS },
      dice: seededDice(dice),
    });
  return { clock, chronicle, draw, internet, open };
}

/** A file with one email that is due. */
async function prepare(provider: Provider): Promise<void> {
  const process = surroundings(0).open(fileOf(provider), 0);
  const { env } = process;
  const { id: teamId } = await env.commit(() => createTeam(env, "Acme"));
  const caller: Caller = { teamId, actor: "operator", scopes: ["admin"] };
  const server = provider === "google" ? {} : { host: "mail.sender.example" };
  const login = { ...server, password: "secret" };
  const email = "mailbox@sender.example";
  await env.commit(() =>
    createAccount(env, caller, { email, provider, timezone: "UTC", smtp: login, imap: login }),
  );
  const sendWindow = { timezone: "UTC", days: WEEKDAYS, startHour: 0, endHour: 24 };
  const { id } = await env.commit(() => createCampaign(env, caller, { name: "One", sendWindow }));
  const step = { type: "email", subject: "Hi", body: "[[c1:s1]] Hello", waitDays: 0 } as const;
  await env.commit(() => createStep(env, caller, id, step));
  const options = { existing: "merge", skipIfInOtherCampaign: false, dryRun: false } as const;
  await importLeads(env, caller, id, [{ email: "person@alpha.example" }], options);
  // What a first poll and the first tidying write is not of the email.
  await process.advance(plus(START, MINUTE_MS));
  await env.commit(() => moveCampaign(env, caller, id, "active"));
  await process.end();
}

interface Fate {
  /** The place was reached at all. */
  struck: boolean;
  taken: number;
  status: string;
  integrity: string;
}

/** The email's life with what `strike` sets up in the process that sends it. */
async function live(
  provider: Provider,
  place: number,
  strike: (process: Process) => void,
): Promise<Fate> {
  const { clock, chronicle, draw, internet, open } = surroundings(place);
  const [path, next] = [fileOf(provider, "now"), fileOf(provider, "next")];
  clock.advanceTo(plus(START, MINUTE_MS));
  copyFileSync(fileOf(provider), path);
  let process = open(path, 2 * place + 1);
  strike(process);
  let struck = false;
  let lived: unknown;
  const worked = await survives(async () => {
    lived = await process.advance(plus(clock.now(), HOUR_MS));
  });
  if (lived === DEATH) {
    struck = true;
    const { isUnsynced } = process.life;
    const remains = { draw, tally: internet.tally, isUnsynced };
    await process.end(() => leaveBehind(path, next, remains));
    process = open(next, 2 * place + 2);
    await process.recover();
  } else if (!worked) {
    clock.advanceTo(plus(clock.now(), PAUSE_MS));
  }
  struck ||= process.disk.hasFailed;
  // Beyond the last place nothing happens later either.
  process.life.spare();
  await process.advance(plus(clock.now(), 2 * DAY_MS));
  const rows = process.env.db.raw.query<{ status: string }, []>("select status from messages");
  const status = rows.all().map((row) => row.status);
  const integrity = integrityCheck(process.env.db);
  await process.end();
  for (const end of ["", "-wal", "-shm"]) {
    rmSync(`${path}${end}`, { force: true });
    rmSync(`${next}${end}`, { force: true });
  }
  const taken = chronicle.handed.filter(({ delivered }) => delivered).length;
  return { struck, taken, status: status.join(), integrity };
}

/** Fates at every place of a kind, until one is beyond the last. */
async function everywhere(
  provider: Provider,
  strike: (process: Process, place: number) => void,
): Promise<Fate[]> {
  const fates: Fate[] = [];
  for (let place = 1; place < PLACES_MAX; place += STRIDE) {
    const fate = await live(provider, place, (process) => strike(process, place));
    if (!fate.struck) {
      return fates;
    }
    fates.push(fate);
  }
  throw new Error("the mail never ends");
}

/** What became of the email, and how often. */
function summary(fates: readonly Fate[]): Record<string, number> {
  const kinds = Map.groupBy(fates, ({ taken, status, integrity }) => {
    return `${taken} ${status} ${integrity}`;
  });
  return Object.fromEntries([...kinds].map(([kind, some]) => [kind, some.length]));
}

const SENT = "1 sent ok";
/** Google's own Sent folder says of an email that was taken that it was. */
const IN_DOUBT = { smtp: ["0 unknown ok", "1 unknown ok"], google: ["0 unknown ok"] };

describe.each(PROVIDERS)("one email of a mailbox at %s", (provider) => {
  test.each([
    ["after each statement", (process: Process, at: number) => process.life.lightStatement(at)],
    ["at each wait", (process: Process, at: number) => process.life.light(at)],
  ])(
    "killed %s",
    async (_where, strike) => {
      const fates = await everywhere(provider, strike);
      tried("sends", fates.length);

      const outcomes = summary(fates);
      const { [SENT]: sent, ...others } = outcomes;
      expect(sent).toBeGreaterThan(0);
      const allowed = IN_DOUBT[provider];
      expect({
        outcomes,
        wrong: Object.keys(others).filter((one) => !allowed.includes(one)),
      }).toEqual({ outcomes, wrong: [] });
    },
    TEST_MS_MAX,
  );

  test.each(STATEMENT_FAULTS)(
    "each statement finds the disk %s",
    async (fault) => {
      const fates = await everywhere(provider, ({ life, disk }, at) =>
        life.failStatement(at, () => disk.failStatement(fault)),
      );
      tried("sends", fates.length);
      expect(fates.length).toBeGreaterThan(0);
      expect(summary(fates)).toEqual({ [SENT]: fates.length });
    },
    TEST_MS_MAX,
  );
});
