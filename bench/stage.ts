/** A live environment as the figures of sending and planning need it: mailboxes, a campaign, leads. */

import { buildEnvironments, type OpenEnvironments } from "#app/environments.ts";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { unixMs } from "#domain/time.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { createMailPort } from "#mail/mail-port.ts";
import { type Clock, systemClock } from "#platform/clock.ts";
import { systemDice } from "#platform/dice.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { silentLog } from "#platform/log.ts";
import type { Dns } from "#platform/ports/dns.ts";
import { createVault } from "#platform/secrets/crypto.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { createCampaign, moveCampaign } from "#usecases/campaigns/campaigns.ts";
import { importLeads } from "#usecases/leads/import/import.ts";
import type { ImportItem } from "#usecases/leads/import/import-row.ts";
import { createStep } from "#usecases/leads/steps.ts";
import { createAccount } from "#usecases/mailboxes/accounts.ts";
import { createTeam } from "#usecases/team/teams.ts";
import { leadAt } from "./leads.ts";

export interface StageInput {
  directory: string;
  mailboxes: number;
  leads: number;
  /** Of each mailbox. */
  dailyLimit: number;
  smtpPort?: number;
  /** Hours in which the campaign sends, every day of the week, UTC. */
  hours: readonly [number, number];
  /** Where the clock stands; the system's if left out. */
  at?: () => number;
  steps: number;
}

export interface Stage {
  environments: OpenEnvironments;
  env: Environment;
  caller: Caller;
  campaignId: string;
  /** Ids. */
  mailboxes: string[];
}

export const FIRST_STEP = {
  subject: "{{company}}, a question",
  body: [
    'Hi {{first_name | default: "there"}},',
    "",
    "I saw that {{company}} is hiring in {{city}}, and wondered how you keep the onboarding of new",
    "people short. We have helped {Fabrikam|Contoso} to halve theirs, with nothing to install.",
    "",
    "Would {Tuesday|Wednesday} suit for ten minutes on the phone?",
    "",
    "{{sender.name}}",
  ].join("\n"),
};

export async function openStage(input: StageInput): Promise<Stage> {
  const { at } = input;
  const clock: Clock = at === undefined ? systemClock : { now: () => unixMs(at()) };
  const none = async () => [];
  const mx = async () => [{ exchange: "mx.example", priority: 10 }];
  const dns: Dns = { lookup: none, mx, isAbsent: async () => false, txt: none, ptr: none };
  const environments = buildEnvironments({
    paths: { live: `${input.directory}/live.db`, test: ":memory:" },
    vault: createVault(new Uint8Array(32).fill(7)),
    wall: clock,
    dice: systemDice(),
    log: silentLog,
    publicUrl: "https://mail.example.com",
    dns,
    mail: () =>
      createMailPort({
        dns,
        clock,
        log: silentLog,
        allowCidrs: parseCidrs("127.0.0.0/8"),
        onRotated: () => undefined,
      }),
  });
  const env = environments.live;
  const team = await env.commit(() => createTeam(env, "Bench"));
  const caller = engineCaller(team.id);
  const mailboxes = await env.commit(() =>
    Array.from({ length: input.mailboxes }, (_, index) => addMailbox(env, caller, input, index)),
  );
  const campaignId = await addCampaign(env, caller, input);
  return { environments, env, caller, campaignId, mailboxes };
}

async function addCampaign(env: Environment, caller: Caller, input: StageInput): Promise<string> {
  const [startHour, endHour] = input.hours;
  const sendWindow = { timezone: "UTC", days: [...WEEKDAYS], startHour, endHour };
  const { id } = await env.commit(() =>
    createCampaign(env, caller, { name: "Bench", sendWindow, maxLeadsPerDay: 10_000 }),
  );
  await env.commit(() => {
    createStep(env, caller, id, { type: "email", ...FIRST_STEP });
    for (let step = 1; step < input.steps; step += 1) {
      createStep(env, caller, id, { type: "email", body: "Did this reach you, {{first_name}}?" });
    }
  });
  for (let from = 0; from < input.leads; from += BATCH) {
    const length = Math.min(BATCH, input.leads - from);
    const items = Array.from({ length }, (_, index) => itemAt(from + index));
    await importLeads(env, caller, id, items, IMPORT);
  }
  await env.commit(() => moveCampaign(env, caller, id, "active"));
  return id;
}

export const IMPORT = {
  existing: "merge",
  skipIfInOtherCampaign: false,
  dryRun: false,
} as const;
/** Leads in memory at a time. */
const BATCH = 10_000;

export function itemAt(index: number): ImportItem {
  const { email, first_name, last_name, company, variables } = leadAt(index);
  return { email, firstName: first_name, lastName: last_name, company, variables };
}

/** Ready, without the gaps between messages, and never read. */
function addMailbox(env: Environment, caller: Caller, input: StageInput, index: number): string {
  const email = `sender${index}@outreach.example`;
  const login = { username: email, password: "a password" };
  const server = { host: "127.0.0.1", security: "none", ...login } as const;
  const { id } = createAccount(env, caller, {
    email,
    provider: "smtp",
    displayName: "Ann Sender",
    dailyLimit: input.dailyLimit,
    hourlyLimit: 500,
    minGapSeconds: 0,
    maxGapSeconds: 0,
    smtp: { ...server, port: input.smtpPort ?? 9 },
    imap: { ...server, port: 9, saveSent: false },
  });
  const row = accountById(env.db, id) as AccountRow;
  const ready = { notReadyReason: null, probeAt: null, pollAt: null } as const;
  updateAccount(env.db, { ...row, ...ready, wakeAt: unixMs(0) });
  return id;
}
