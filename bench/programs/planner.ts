/**
 * What planning costs while nothing can be sent, and what it costs to look ahead: one campaign of many
 * leads, many mailboxes, a Saturday evening outside the window.
 */

import { unixMs } from "#domain/time.ts";
import { sendWorker } from "#engine/send.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import { idToBytes } from "#store/sqlite/columns.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { forecastCampaign, sendingStatus } from "#usecases/forecast/forecast.ts";
import { openStage, type Stage } from "../stage.ts";

export interface PlannerInput {
  directory: string;
  mailboxes: number;
  leads: number;
  rounds: number;
  /** Steps of the worker in one sample. */
  steps: number;
}

/** µs of one operation, round by round, ours and the limit's. */
export interface PlannerResult {
  idle: [number[], number[]];
  woken: [number[], number[]];
  status: [number[], number[]];
  /** Milliseconds. */
  forecast: [number[], number[]];
  /** Emails that the forecast names. */
  sends: number;
}

const FORECAST = { days: 7, asIfStarted: false, listed: 1000 };
const SATURDAY_EVENING = Date.UTC(2026, 2, 7, 20);

const input = JSON.parse(process.argv[2] ?? "{}") as PlannerInput;
const { directory, mailboxes, leads } = input;
const stage = await openStage({
  directory,
  mailboxes,
  leads,
  dailyLimit: 50,
  hours: [9, 17],
  at: () => SATURDAY_EVENING,
  steps: 3,
});
const { env, environments, caller, campaignId } = stage;
const now = unixMs(SATURDAY_EVENING);
const worker = sendWorker(env);
const result: PlannerResult = {
  idle: [[], []],
  woken: [[], []],
  status: [[], []],
  forecast: [[], []],
  sends: 0,
};
const asks = raw(stage);
await env.commit(() => wakeAccounts(env.db, caller.teamId));
await worker.step(now);

for (let round = 0; round < input.rounds; round += 1) {
  result.idle[0].push(await timed(input.steps, () => worker.step(now)));
  result.idle[1].push(await timed(input.steps, asks.due));
  result.woken[0].push(await eachWoken());
  result.woken[1].push(await timed(1, () => env.commit(asks.woken)));
  const row = requireCampaign(env, caller, campaignId);
  result.status[0].push(await timed(1, () => sendingStatus(env, row)));
  result.status[1].push(await timed(1, asks.status));
  const forecast = await timed(1, async () => {
    result.sends = (await forecastCampaign(env, row, FORECAST)).total;
  });
  result.forecast[0].push(forecast / 1000);
  result.forecast[1].push((await timed(1, () => asks.forecast(result.sends))) / 1000);
}
for (const pair of result.woken) {
  pair.forEach((us, index) => {
    pair[index] = us / mailboxes;
  });
}
console.log(JSON.stringify(result));
await environments.close();

async function eachWoken(): Promise<number> {
  await env.commit(() => wakeAccounts(env.db, caller.teamId));
  return await timed(1, () => worker.step(now));
}

async function timed(times: number, run: () => unknown): Promise<number> {
  const from = performance.now();
  for (let index = 0; index < times; index += 1) {
    await run();
  }
  return ((performance.now() - from) * 1000) / times;
}

/** The least that could answer: the same rows by prepared statements, and no deciding. */
function raw({ env: { db }, caller: { teamId } }: Stage) {
  const [team, campaign] = [idToBytes(teamId), idToBytes(campaignId)];
  const due = db.raw.query("select id from accounts where wake_at <= +? order by wake_at limit 64");
  const account = db.raw.query("select * from accounts where id = ?");
  const all = db.raw.query<{ id: Uint8Array }, [Uint8Array]>(
    "select id from accounts where team_id = ?",
  );
  const active = db.raw.query("select * from campaigns where team_id = ? and status = 'active'");
  const queue = db.raw.query<{ id: Uint8Array; lead_id: Uint8Array }, [Uint8Array, number]>(
    `select * from enrollments where campaign_id = +? and spread = 0 and zone = '' and due_at is not null
       and account_id is null order by due_at, id limit +?`,
  );
  const lead = db.raw.query("select * from leads where id = ?");
  const wait = db.raw.query("update accounts set wake_at = ? where id = ?");
  return {
    due: () => due.all(now - 1),
    woken: () => {
      for (const { id } of all.all(team)) {
        account.get(id);
        active.all(team);
        queue.all(campaign, 1);
        wait.run(now + 1, id);
      }
    },
    status: () => {
      for (const { id } of all.all(team)) {
        account.get(id);
      }
      active.all(team);
      queue.all(campaign, 1);
    },
    forecast: (sends: number) => {
      for (const { lead_id: id } of queue.all(campaign, sends)) {
        lead.get(id);
      }
    },
  };
}
