/**
 * A stretch of a program's life: clients at work, faults in between, a calm at the end in which everything that
 * was under way ends, and everything is read once more.
 */

import { ROUND_THE_CLOCK } from "../../journeys/days.ts";
import { type Call, caller, campaignLeads, done, until } from "../../journeys/support.ts";
import { Client } from "./client.ts";
import type { Entry, Rules } from "./history.ts";
import * as work from "./operations.ts";
import { type Program, startProgram, type World } from "./program.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { BREAKS } from "./wire.ts";

const CLIENTS: readonly World[] = ["live", "live", "live", "live", "test", "test"];
const PAUSE_MS_MAX = 40;
const ACCOUNT_CAP = 20;
const CAMPAIGN_CAP = 15;
const QUIET_ROUNDS_MAX = 15;
/** An email that was past stopping is taken, and what became of it is recorded. */
const SETTLE_MS = 2_000;
const CALM_MS_MAX = 90_000;
const FAULT_EVERY_MS = 2_500;
const BREAK_MS_MAX = 4_000;

export interface HistoryOptions {
  seconds: number;
  seed: number;
  /** A build that begins, and is replaced on the way. */
  older?: string | undefined;
}

export interface HistoryRun {
  entries: Entry[];
  rules: Rules;
}

export async function runHistory(options: HistoryOptions): Promise<HistoryRun> {
  const { seconds, seed, older } = options;
  const recorder = createRecorder();
  await using program = await startProgram(recorder, { seed, older });
  const shared = await prepare(program);
  const clients = CLIENTS.map((world, nth) => new Client(program, recorder, { nth, world, seed }));
  const life = { endsAt: recorder.now() + seconds * 1_000 };
  const isOver = () => recorder.now() >= life.endsAt;
  const trouble = new Client(program, recorder, { nth: CLIENTS.length, world: "test", seed });
  await Promise.all([
    ...clients.map((client) => act(client, shared[client.world], isOver)),
    breakThings(trouble, isOver),
  ]);
  await calmDown(program, recorder, shared.live.open);
  await readAll(program, recorder, shared, seed);
  return {
    entries: recorder.entries,
    rules: {
      startedAt: recorder.startedAt,
      caps: [
        { of: "account", name: "capped", perDay: ACCOUNT_CAP },
        { of: "campaign", name: "few", perDay: CAMPAIGN_CAP },
      ],
      webhooks: ["/live", "/test"],
      found: (on) => on.startsWith("thread ") || on.startsWith("campaign "),
      forgets: older !== undefined,
    },
  };
}

type SharedByWorld = Record<World, work.Shared>;

async function prepare(program: Program): Promise<SharedByWorld> {
  const server = await program.server();
  const [live, test] = [caller(server, program.keys.live), caller(server, program.keys.test)];
  const accounts: string[] = [];
  for (const name of ["one", "two", "three"]) {
    accounts.push(await connect(program, live, name, { daily_limit: 2_000, hourly_limit: 500 }));
  }
  const capped = await connect(program, live, "capped", { daily_limit: ACCOUNT_CAP });
  const open = await campaign(program, live, "open", { account_ids: accounts });
  const few = await campaign(program, live, "few", {
    ...{ account_ids: accounts, daily_limit: CAMPAIGN_CAP },
  });
  const other = await campaign(program, live, "other", { account_ids: [capped] });
  await done(live("POST", "/webhooks", { url: `${program.hooksUrl}/live` }));
  await done(test("POST", "/webhooks", { url: `${program.hooksUrl}/test` }));
  return {
    live: work.createShared(open, [few, other]),
    test: work.createShared("", []),
  };
}

async function connect(
  { ports }: Program,
  call: Call,
  name: string,
  limits: object,
): Promise<string> {
  const at = { host: "127.0.0.1", security: "none" };
  const { id } = await done(
    call("POST", "/accounts", {
      ...{ email: `${name}@out.test`, provider: "smtp", min_gap_seconds: 0, max_gap_seconds: 0 },
      ...{ hourly_limit: 500, ...limits },
      smtp: { ...at, port: ports.smtp, username: "" },
      imap: { ...at, port: ports.imap, username: name, password: "secret", save_sent: true },
    }),
  );
  await done(call("POST", `/accounts/${id}/test`, { send: false }));
  return id;
}

async function campaign(
  { campaigns }: Program,
  call: Call,
  name: string,
  fields: object,
): Promise<string> {
  const { id } = await done(
    call("POST", "/campaigns", {
      ...{ name, max_leads_per_day: 10_000, send_window: ROUND_THE_CLOCK, evergreen: true },
      ...{ stop_company_on_reply: false, ...fields },
    }),
  );
  campaigns.set(id, name);
  const steps = [
    { type: "email", subject: `A question about ${name}`, body: "Hello." },
    { type: "email", body: "And again.", wait_days: 0 },
  ];
  for (const step of steps) {
    await done(call("POST", `/campaigns/${id}/steps`, step));
  }
  await done(call("POST", `/campaigns/${id}/leads`, { leads: [{ email: `${name}@load.test` }] }));
  await done(call("POST", `/campaigns/${id}/start`));
  return id;
}

type Work = (client: Client, shared: work.Shared) => Promise<unknown>;

/** By how often they are done. */
const EVERYWHERE: readonly (readonly [number, Work])[] = [
  [8, work.putLead],
  [14, work.changeLead],
  [2, work.eraseLead],
  [18, work.readLead],
  [2, work.listLeads],
  [7, work.suppress],
  [4, work.lift],
  [8, work.checkSuppression],
  [5, work.make],
  [6, work.seeMade],
  [2, work.listMade],
  [6, work.readEvents],
];
const LIVE: readonly (readonly [number, Work])[] = [
  ...EVERYWHERE,
  [12, work.enroll],
  [1, work.pauseAndResume],
  [2, work.readCampaign],
  [2, work.listThreads],
  [8, work.label],
];

async function act(client: Client, shared: work.Shared, isOver: () => boolean): Promise<void> {
  const kinds = client.world === "live" ? LIVE : EVERYWHERE;
  const all = kinds.flatMap(([weight, kind]) => Array<Work>(weight).fill(kind));
  while (!isOver()) {
    const kind = client.pick(all) ?? work.readLead;
    // One client pauses and resumes, so that it is never paused for long.
    const isOthers = kind === work.pauseAndResume && client.nth > 0;
    await (isOthers ? work.readLead : kind)(client, shared);
    await Bun.sleep(client.random(PAUSE_MS_MAX));
  }
}

async function breakThings(client: Client, isOver: () => boolean): Promise<void> {
  const { program, recorder } = client;
  for (let n = 0; !isOver(); n += 1) {
    await Bun.sleep(client.random(2 * FAULT_EVERY_MS));
    const dice = n === 0 ? 0.6 : client.random();
    const from = recorder.now();
    if (dice < 0.3) {
      await program.restart("SIGKILL");
      recorder.add({ kind: "fault", fault: "kill", from, to: recorder.now() });
    } else if (dice < 0.36) {
      program.upgrade();
      await program.restart("SIGTERM");
      recorder.add({ kind: "fault", fault: "restart", from, to: recorder.now() });
    } else if (dice < 0.56) {
      await partition(client);
    } else if (dice < 0.7) {
      await program.save();
    } else if (dice < 0.8 && program.savedCount() > 0) {
      await program.restore();
    } else if (dice < 0.88) {
      const body = { advance: client.pick(["20m", "3h", "2d"]) };
      const asked = { method: "POST", path: "/sandbox/clock", body };
      await client.ask(asked, () => ({}));
      recorder.add({ kind: "fault", fault: "clock", from, to: recorder.now() });
    } else {
      await Promise.all([partition(client), Bun.sleep(200).then(() => program.restart("SIGKILL"))]);
      recorder.add({ kind: "fault", fault: "kill", from, to: recorder.now() });
    }
  }
}

async function partition(client: Client): Promise<void> {
  const { program, recorder } = client;
  const target = client.pick(["smtp", "imap", "hooks"] as const) ?? "smtp";
  const state = client.pick(BREAKS) ?? "cut";
  const from = recorder.now();
  program.wires[target].set(state);
  await Bun.sleep(200 + client.random(BREAK_MS_MAX));
  program.wires[target].set("whole");
  recorder.add({ kind: "fault", fault: `${target} ${state}`, from, to: recorder.now() });
}

/** Everything is whole: what can be sent is sent, and what can be delivered is delivered. */
async function calmDown(program: Program, recorder: Recorder, open: string): Promise<void> {
  const mails = () => recorder.entries.filter(({ kind }) => kind === "mail").length;
  for (const wire of Object.values(program.wires)) {
    wire.set("whole");
  }
  const server = await program.server();
  const live = caller(server, program.keys.live);
  await live("POST", `/campaigns/${open}/resume`);
  let waiting: unknown[] = [];
  const isKnown = async () => {
    const { data } = await done(live("GET", "/accounts"));
    waiting = data.filter((row: { unconfirmed_since: unknown }) => row.unconfirmed_since !== null);
    return waiting.length === 0 || undefined;
  };
  await until(CALM_MS_MAX, () => `unconfirmed: ${JSON.stringify(waiting)}`, isKnown);
  // Whoever's server was cut off is tried again after minutes: nobody waits for that.
  for (let rounds = 0, sent = -1; sent !== mails() && rounds < QUIET_ROUNDS_MAX; rounds += 1) {
    sent = mails();
    await Bun.sleep(SETTLE_MS);
  }
  for (const id of program.campaigns.keys()) {
    // One that was paused already says so.
    await live("POST", `/campaigns/${id}/pause`);
  }
  await Bun.sleep(SETTLE_MS);
  for (const world of ["live", "test"] as const) {
    await deliverAll(caller(server, program.keys[world]), program.hooksUrl);
  }
}

/** What waits for another try is tried now. */
async function deliverAll(call: Call, url: string): Promise<void> {
  const { data } = await done(call("GET", "/webhooks?limit=100"));
  const own = data.find((one: { url: string }) => one.url.startsWith(url));
  if (own === undefined) {
    throw new Error(`the webhook is gone: ${JSON.stringify(data)}`);
  }
  let left = 0;
  await until(
    CALM_MS_MAX,
    () => `${left} deliveries wait`,
    async () => {
      const path = `/webhooks/${own.id}/deliveries`;
      const page = await done(call("GET", `${path}?status=pending&limit=100`));
      left = page.total;
      for (const one of page.data) {
        if (one.attempt_count > 0) {
          await call("POST", `${path}/${one.id}/replay`);
        }
      }
      return left === 0 ? true : undefined;
    },
  );
}

async function readAll(
  program: Program,
  recorder: Recorder,
  shared: SharedByWorld,
  seed: number,
): Promise<void> {
  for (const world of ["live", "test"] as const) {
    const client = new Client(program, recorder, { nth: 90 + world.length, world, seed });
    for (const one of shared[world].made) {
      await work.readMade(client, one);
    }
    for (const email of shared[world].suppressions.keys()) {
      await work.readSuppression(client, email);
    }
    await work.listLeads(client, shared[world]);
    await work.listMade(client);
    while (await work.readEvents(client)) {
      // Page after page.
    }
  }
  await readCampaigns(program, recorder);
}

async function readCampaigns(program: Program, recorder: Recorder): Promise<void> {
  const call = caller(await program.server(), program.keys.live);
  for (const [id, campaign] of program.campaigns) {
    const from = recorder.now();
    const leads = await campaignLeads(call, id);
    const to = recorder.now();
    const there = new Set(leads.map(({ email }) => email));
    const asked = recorder.entries.flatMap((entry) =>
      entry.kind === "request" ? entry.acts.map(({ on }) => on) : [],
    );
    const names = [...new Set(asked)].filter((on) => on.startsWith(`enrolled ${campaign} `));
    const acts = names.map((on) => {
      const value = there.has(on.split(" ")[2]) ? "yes" : null;
      return { on, do: "read" as const, value };
    });
    const what = "live GET /campaigns/:id/leads";
    const base = { kind: "request" as const, client: 99, outcome: "ok" as const, status: 200 };
    recorder.add({ ...base, what, from, to, acts });
    for (const { email, current_step: sent, hold_reason: hold, status } of leads) {
      recorder.add({ kind: "standing", campaign, email, sent, hold, status });
    }
  }
}
