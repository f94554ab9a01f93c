/** The product sends: workers, claims, settlements and SMTP as in `serve`, from a file on disk. */

import { createEngine } from "#engine/run.ts";
import { createWorkers } from "#engine/workers.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { openStage } from "../stage.ts";
import type { SendInput, SendResult } from "./send-limit.ts";

const LOOK_EVERY_MS = 5;
const SEND_MS_MAX = 240_000;

const input = JSON.parse(process.argv[2] ?? "{}") as SendInput;
const { environments, env, campaignId } = await openStage({
  directory: input.directory,
  mailboxes: input.mailboxes,
  leads: input.messages,
  dailyLimit: 2000,
  smtpPort: input.port,
  hours: [0, 24],
  steps: 1,
});
const engine = createEngine(env, createWorkers(env));
environments.onWake("live", engine.wake);
Bun.gc(true);
const cpu = process.cpuUsage();
const from = performance.now();
engine.start();
const sent = () => campaignById(env.db, campaignId)?.sent ?? 0;
while (sent() < input.messages) {
  if (performance.now() - from > SEND_MS_MAX) {
    throw new Error(`only ${sent()} of ${input.messages} were sent`);
  }
  await Bun.sleep(LOOK_EVERY_MS);
}
const ms = performance.now() - from;
const { user, system } = process.cpuUsage(cpu);
const result: SendResult = { ms, cpuUs: user + system };
console.log(JSON.stringify(result));
await engine.stop();
await environments.close();
