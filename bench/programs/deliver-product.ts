/**
 * The product delivers: a queue of events, all there at the beginning, from a file on disk to endpoints
 * over real HTTP; one of them may be a black hole. Prints how long those to the others took.
 */

import { buildEnvironments } from "#app/environments.ts";
import { createEngine } from "#engine/run.ts";
import { webhooksWorker } from "#engine/webhooks.ts";
import { engineCaller } from "#environment.ts";
import { createMailPort } from "#mail/mail-port.ts";
import { systemClock } from "#platform/clock.ts";
import { systemDice } from "#platform/dice.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { createHttp } from "#platform/http/http.ts";
import { silentLog } from "#platform/log.ts";
import type { Dns } from "#platform/ports/dns.ts";
import { createVault } from "#platform/secrets/crypto.ts";
import { emit } from "#usecases/events/record.ts";
import { createWebhook } from "#usecases/events/webhooks.ts";
import { createTeam } from "#usecases/team/teams.ts";

export interface DeliverInput {
  directory: string;
  port: number;
  endpoints: number;
  /** For each endpoint. */
  events: number;
  /** The last endpoint never answers. */
  hole: boolean;
}

export interface DeliverResult {
  perSecond: number;
  /** Of the deliveries to endpoints that answer, from being queued to being recorded. */
  p99Ms: number;
  cpuUs: number;
}

const SLICE_EVENTS = 500;
const LOOK_EVERY_MS = 50;
const DELIVER_MS_MAX = 280_000;

const input = JSON.parse(process.argv[2] ?? "{}") as DeliverInput;
const none = async () => [];
const dns: Dns = { lookup: none, mx: none, isAbsent: async () => false, txt: none, ptr: none };
const allowCidrs = parseCidrs("127.0.0.0/8");
const environments = buildEnvironments({
  paths: { live: `${input.directory}/live.db`, test: ":memory:" },
  vault: createVault(new Uint8Array(32).fill(7)),
  wall: systemClock,
  dice: systemDice(),
  log: silentLog,
  publicUrl: null,
  dns,
  http: createHttp({ dns, allowCidrs }),
  // Nothing is sent: only the delivery worker runs.
  mail: () =>
    createMailPort({
      dns,
      clock: systemClock,
      log: silentLog,
      allowCidrs,
      onRotated: () => undefined,
    }),
});
const env = environments.live;
const team = await env.commit(() => createTeam(env, "Bench"));
const answering = input.hole ? input.endpoints - 1 : input.endpoints;
await env.commit(() => {
  for (let n = 0; n < input.endpoints; n += 1) {
    const path = n < answering ? `/in/${n}` : "/hole";
    const url = `http://127.0.0.1:${input.port}${path}`;
    createWebhook(env, engineCaller(team.id), { url, events: ["*"], active: true });
  }
});
for (let made = 0; made < input.events; made += SLICE_EVENTS) {
  await env.commit(() => {
    for (let n = made; n < Math.min(input.events, made + SLICE_EVENTS); n += 1) {
      const email = `sender${n}@outreach.example`;
      emit(env, team.id, "account.recovered", { account_id: team.id, email });
    }
  });
}

const { raw } = env.db;
const left = raw.query<{ n: number }, []>(
  `select count(*) n from deliveries d join webhooks w on w.id = d.webhook_id
   where d.status = 'pending' and w.url not like '%/hole'`,
);
Bun.gc(true);
const engine = createEngine(env, [webhooksWorker(env)]);
environments.onWake("live", engine.wake);
const cpu = process.cpuUsage();
const from = performance.now();
const queuedAt = systemClock.now();
engine.start();
while ((left.get()?.n ?? 0) > 0) {
  if (performance.now() - from > DELIVER_MS_MAX) {
    throw new Error(`${left.get()?.n} deliveries are left`);
  }
  await Bun.sleep(LOOK_EVERY_MS);
}
const ms = performance.now() - from;
const { user, system } = process.cpuUsage(cpu);
const count = answering * input.events;
const p99 = raw
  .query<{ ended_at: number }, [number]>(
    `select ended_at from deliveries where status = 'succeeded' order by ended_at limit 1 offset ?`,
  )
  .get(Math.floor(count * 0.99));
const result: DeliverResult = {
  perSecond: (count * 1000) / ms,
  p99Ms: (p99?.ended_at ?? 0) - queuedAt,
  cpuUs: (user + system) / count,
};
console.log(JSON.stringify(result));
process.exit(0);
