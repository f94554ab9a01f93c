/**
 * What things cost with few leads and with many: two environments of the same shape in one process, asked in
 * turn, each a file on disk.
 */

import { mkdirSync } from "node:fs";
import { cursorTo } from "#api/cursor.ts";
import { createApp, createEngines } from "#app.ts";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { unixMs } from "#domain/time.ts";
import { sendWorker } from "#engine/send.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { bytesToId, idToBytes } from "#store/sqlite/columns.ts";
import { optimize } from "#store/sqlite/database.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { createCampaign, moveCampaign, requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { claimNext } from "#usecases/delivery/claim.ts";
import { beginBody, settle } from "#usecases/delivery/settle.ts";
import { explainEnrollment } from "#usecases/forecast/explain-lead.ts";
import { forecastCampaign } from "#usecases/forecast/forecast.ts";
import { importLeads } from "#usecases/leads/import/import.ts";
import { indexChanges } from "#usecases/leads/search.ts";
import { createStep } from "#usecases/leads/steps.ts";
import { createKey } from "#usecases/team/keys.ts";
import type { Sample } from "../measure.ts";
import { FIRST_STEP, IMPORT, itemAt, openStage, type Stage } from "../stage.ts";

export interface SizeInput {
  directory: string;
  few: number;
  many: number;
  mailboxes: number;
  /** Campaigns that are active beside the large one when nothing is due. */
  campaigns: number;
  rounds: number;
  /** Requests, emails and steps in one sample; a mailbox sends 50 emails in all. */
  times: number;
  /** Leads in one sample of an import. */
  added: number;
}

/** Of one round. µs an operation; `added` leads a second; `explain`, `search` and `forecast` ms. */
export type Sized = Record<
  "first" | "last" | "byHand" | "mail" | "added" | "explain" | "search" | "forecast" | "idle",
  Sample
>;

export interface SizeResult {
  few: Sized[];
  many: Sized[];
  /** Emails that the forecast with many leads names. */
  sends: number;
}

const PAGE = 50;
const TUESDAY = Date.UTC(2026, 2, 3, 10);
const SATURDAY_EVENING = Date.UTC(2026, 2, 7, 20);
const FORECAST = { days: 7, asIfStarted: false, listed: 1000 };
/** A name that few leads have. */
const WANTED = "graz first00";

const input = JSON.parse(process.argv[2] ?? "{}") as SizeInput;
let at = TUESDAY;

interface Side {
  stage: Stage;
  get: (path: string) => Promise<unknown>;
  /** Leads so far, for new ones that are not among them. */
  leads: number;
  lastPage: string;
  lastLead: EnrollmentRow;
}

const few = await open("few", input.few);
const many = await open("many", input.many);
const result: SizeResult = { few: [], many: [], sends: 0 };
for (let round = 0; round < input.rounds; round += 1) {
  for (const side of round % 2 === 0 ? [few, many] : [many, few]) {
    (side === few ? result.few : result.many).push(await measure(side));
  }
}
// Beside so many campaigns a claim looks at all of them, which is another figure.
at = SATURDAY_EVENING;
for (const side of [few, many]) {
  await addCampaigns(side.stage);
}
for (let round = 0; round < input.rounds; round += 1) {
  await measureIdle(few, result.few[round]);
  await measureIdle(many, result.many[round]);
}
console.log(JSON.stringify(result));
await few.stage.environments.close();
await many.stage.environments.close();

async function open(name: string, leads: number): Promise<Side> {
  const directory = `${input.directory}/${name}`;
  mkdirSync(directory);
  const stage = await openStage({
    directory,
    mailboxes: input.mailboxes,
    leads,
    dailyLimit: 50,
    hours: [9, 17],
    at: () => at,
    steps: 3,
  });
  const { env, environments, caller, campaignId } = stage;
  while (await env.commit(() => indexChanges(env))) {
    // Until the words of all leads are there.
  }
  await optimize(env.db, "size");
  const app = createApp(environments, createEngines(environments), {
    rateLimit: 0,
    docs: false,
    checkResponses: false,
    closing: () => false,
  });
  const { key } = await env.commit(() => createKey(env, caller, { name: "bench" }));
  const headers = { Authorization: `Bearer ${key}` };
  const get = async (path: string) => {
    const answer = await app.handle(new Request(`http://localhost/api/v1${path}`, { headers }));
    if (!answer.ok) {
      throw new Error(`${path} answered ${answer.status}`);
    }
    return await answer.text();
  };
  const enrollment = (order: string, offset: number) =>
    env.db.raw
      .query<{ id: Uint8Array }, [Uint8Array, number]>(
        `select id from enrollments where campaign_id = ? order by id ${order} limit 1 offset ?`,
      )
      .get(idToBytes(campaignId), offset)?.id ?? new Uint8Array(16);
  return {
    stage,
    get,
    leads,
    lastPage: `after=${cursorTo(bytesToId(enrollment("asc", PAGE)))}`,
    lastLead: enrollmentById(env.db, bytesToId(enrollment("desc", 0))) as EnrollmentRow,
  };
}

async function measure(side: Side): Promise<Sized> {
  const { stage, get, lastPage, lastLead } = side;
  const { env, caller, campaignId } = stage;
  const path = `/campaigns/${campaignId}/leads?limit=${PAGE}`;
  const campaign = requireCampaign(env, caller, campaignId);
  const found = `${path}&search=${encodeURIComponent(WANTED)}`;
  const forecast = async () => {
    result.sends = (await forecastCampaign(env, campaign, FORECAST)).total;
  };
  return {
    first: await timed(input.times, () => get(path)),
    last: await timed(input.times, () => get(`${path}&${lastPage}`)),
    byHand: await timed(input.times, pageByHand(stage)),
    explain: inMs(await timed(1, () => explainEnrollment(env, lastLead))),
    search: inMs(await timed(1, () => get(found))),
    forecast: inMs(await timed(1, forecast)),
    mail: await mails(stage),
    added: await added(side),
    idle: { value: Number.NaN },
  };
}

function inMs({ value, cpuUs }: Sample): Sample {
  return { value: value / 1000, cpuUs };
}

/** The same rows by one prepared statement, and their JSON. */
function pageByHand({ env: { db }, campaignId }: Stage): () => string {
  const select = db.raw.query<Record<string, unknown>, [Uint8Array]>(
    `select e.*, l.email from enrollments e join leads l on l.id = e.lead_id
       where e.campaign_id = +? order by e.id desc limit ${PAGE + 1}`,
  );
  const plain = (value: unknown) => (value instanceof Uint8Array ? bytesToId(value) : value);
  const campaign = idToBytes(campaignId);
  return () => {
    const data = select.all(campaign).map((row) => {
      for (const name in row) {
        row[name] = plain(row[name]);
      }
      return row;
    });
    return JSON.stringify({ data });
  };
}

/** µs of one mail: claimed, begun and settled, each on disk before the next. */
async function mails({ env, mailboxes }: Stage): Promise<Sample> {
  let turn = 0;
  return await timed(input.times, async () => {
    const mailbox = mailboxes[turn % mailboxes.length] ?? "";
    turn += 1;
    const now = unixMs(at);
    const claim = await env.commit(() => claimNext(env, mailbox, now));
    if (claim.kind !== "send") {
      throw new Error("a mailbox has nothing to send");
    }
    await env.commit(() => beginBody(env, claim.message.id));
    const outcome = { kind: "accepted", response: "250 OK" } as const;
    await env.commit(() => settle(env, claim.message.id, outcome, now, { account: claim.account }));
  });
}

/** New leads a second. */
async function added(side: Side): Promise<Sample> {
  const { env, caller, campaignId } = side.stage;
  const items = Array.from({ length: input.added }, (_, index) => itemAt(side.leads + index));
  side.leads += input.added;
  const run = () => importLeads(env, caller, campaignId, items, IMPORT);
  const { value, cpuUs = Number.NaN } = await timed(1, run);
  return { value: (input.added * 1_000_000) / value, cpuUs: cpuUs / input.added };
}

async function addCampaigns({ env, caller }: Stage): Promise<void> {
  const sendWindow = { timezone: "UTC", days: [...WEEKDAYS], startHour: 9, endHour: 17 };
  await env.commit(() => {
    for (let index = 0; index < input.campaigns; index += 1) {
      const { id } = createCampaign(env, caller, { name: `Idle ${index}`, sendWindow });
      createStep(env, caller, id, { type: "email", ...FIRST_STEP });
      moveCampaign(env, caller, id, "active");
    }
  });
}

/** µs of a step of the send worker that finds nothing due. */
async function measureIdle({ stage: { env } }: Side, sized: Sized | undefined): Promise<void> {
  const worker = sendWorker(env);
  while ((await worker.step(unixMs(at))) === at) {
    // Until every mailbox knows that it waits.
  }
  if (sized !== undefined) {
    sized.idle = await timed(input.times, () => worker.step(unixMs(at)));
  }
}

/** µs of one run. */
async function timed(times: number, run: () => unknown): Promise<Sample> {
  const cpu = process.cpuUsage();
  const from = performance.now();
  for (let index = 0; index < times; index += 1) {
    await run();
  }
  const value = ((performance.now() - from) * 1000) / times;
  const { user, system } = process.cpuUsage(cpu);
  return { value, cpuUs: (user + system) / times };
}
