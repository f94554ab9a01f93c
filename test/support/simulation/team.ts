/** A random team: mailboxes, campaigns with their steps, and people to write to. */

import { RULE_EVENTS } from "#domain/campaigns/rule.ts";
import { type SendWindow, WEEKDAYS } from "#domain/campaigns/window.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs, unixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { listCampaigns } from "#store/campaigns/campaigns.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import { createCampaign, moveCampaign, patchCampaign } from "#usecases/campaigns/campaigns.ts";
import { createExperiment, type VariantFields } from "#usecases/experiments/experiments.ts";
import { importLeads } from "#usecases/leads/import/import.ts";
import type { ImportItem } from "#usecases/leads/import/import-row.ts";
import { createStep, type StepFields } from "#usecases/leads/steps.ts";
import { createAccount } from "#usecases/mailboxes/accounts.ts";
import { createTeam } from "#usecases/team/teams.ts";
import { amend, type Chronicle } from "./chronicle.ts";
import type { Draw } from "./draw.ts";
import { beginLine } from "./lines.ts";

export const ZONES = [
  "UTC",
  "America/New_York",
  "America/Los_Angeles",
  "America/St_Johns",
  "America/Santiago",
  "Europe/Berlin",
  "Africa/Cairo",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
] as const;

/** Days on whose eve or morrow some of those zones change their clocks. */
const STARTS = [
  "2026-01-14",
  "2026-03-06",
  "2026-03-27",
  "2026-04-03",
  "2026-04-22",
  "2026-09-04",
  "2026-09-25",
  "2026-10-02",
  "2026-10-23",
  "2026-10-28",
  "2026-10-31",
] as const;

export const DOMAINS = ["alpha.example", "beta.example", "gamma.example", "gmail.com"] as const;

/** Every so many people have an address of a role, which is risky: `info35@`. */
const RISKY_EVERY = 5;

export interface Team {
  caller: Caller;
  draw: Draw;
  chronicle: Chronicle;
  /** Ways to leave out of a team what a test has no use for. */
  style: Style;
  people: number;
  steps: number;
}

export interface Style {
  tasks: boolean;
  holes: boolean;
  /** Variants with the holes of their step: an experiment's end frees nobody. */
  alike?: boolean;
  /** Windows of a few hours only in which clocks change. */
  nights: boolean;
  leads: number;
  /** Two endpoints are notified of events; none if left out. */
  webhooks?: boolean;
}

export function drawStart(draw: Draw): UnixMs {
  const day = Date.parse(`${draw.pick(STARTS)}T00:00Z`);
  return unixMs(day + draw.int(0, 24 * 60 - 1) * MINUTE_MS + draw.int(0, 59_999));
}

/** In the order in which a person does it: mailboxes, campaigns, leads. Nothing is started yet. */
export async function makeTeam(
  env: Environment,
  draw: Draw,
  chronicle: Chronicle,
  style: Style,
): Promise<Team> {
  const row = await env.commit(() => createTeam(env, "Acme"));
  const caller: Caller = { teamId: row.id, actor: "operator", scopes: ["admin"] };
  const team: Team = { caller, draw, chronicle, style, people: 0, steps: 0 };
  const accounts: Id[] = [];
  for (let nth = draw.int(1, 4); nth > 0; nth -= 1) {
    accounts.push(await makeAccount(env, team, nth));
  }
  const campaigns = draw.int(1, 3);
  for (let nth = 1; nth <= campaigns; nth += 1) {
    await makeCampaign(env, team, accounts);
  }
  await makeRules(env, team);
  for (const { id } of campaignsOf(env, team)) {
    await importSome(env, team, id, draw.int(5, Math.ceil(style.leads / campaigns)));
  }
  if (draw.chance(0.4)) {
    await tryVariants(env, team);
  }
  recordTerms(env, team);
  return team;
}

/** Each campaign may move its leads on to those behind it. */
async function makeRules(env: Environment, team: Team): Promise<void> {
  const { draw, caller } = team;
  const campaigns = campaignsOf(env, team);
  for (const [at, { id }] of campaigns.entries()) {
    const behind = campaigns.slice(at + 1);
    const rules = draw
      .some(behind.length === 0 ? [] : RULE_EVENTS, 0.4)
      .map((on) => ({ on, campaignId: draw.pick(behind).id, waitDays: draw.pick([1, 1, 2, 4]) }));
    await env.commit(() => patchCampaign(env, caller, id, { rules }));
  }
}

/** An experiment on the first email of a campaign, from the start. */
async function tryVariants(env: Environment, team: Team): Promise<void> {
  const { draw, caller } = team;
  const campaign = draw.pick(campaignsOf(env, team));
  const step = stepsOf(env.db, campaign.id).find(({ type }) => type === "email");
  if (step !== undefined) {
    const variants = drawVariants(team, step);
    const fields = { campaignId: campaign.id, name: "From the start", variants };
    const stepPosition = step.position;
    await env.commit(() => createExperiment(env, caller, { ...fields, stepPosition }));
  }
}

export async function startAll(env: Environment, team: Team): Promise<void> {
  for (const { id } of campaignsOf(env, team)) {
    await env.commit(() => moveCampaign(env, team.caller, id, "active"));
  }
}

export function campaignsOf(env: Environment, { caller }: Team) {
  return listCampaigns(env.db, caller.teamId, { limit: 100, offset: 0 }).rows.toReversed();
}

async function makeAccount(env: Environment, team: Team, nth: number): Promise<Id> {
  const { draw, caller } = team;
  const provider = draw.pick(["smtp", "smtp", "google"] as const);
  const server = provider === "google" ? {} : { host: "mail.sender.example" };
  const login = { ...server, password: "secret" };
  const minGapSeconds = draw.pick([0, 30, 180, 600]);
  const row = await env.commit(() =>
    createAccount(env, caller, {
      email: `mailbox${nth}@sender.example`,
      provider,
      displayName: `Sender ${nth}`,
      timezone: draw.pick(ZONES),
      smtp: login,
      imap: login,
      dailyLimit: draw.pick([2, 5, 12, 30, 100]),
      hourlyLimit: draw.pick([1, 3, 10, 50]),
      providerLimits: draw.chance(0.4) ? { google: draw.int(1, 3), microsoft: 2 } : {},
      minGapSeconds,
      maxGapSeconds: draw.chance(0.3) ? minGapSeconds + draw.int(0, 3600) : null,
      ramp: draw.chance(0.3) ? { start: draw.int(1, 4), increment: draw.int(1, 3) } : null,
    }),
  );
  return row.id;
}

export function drawWindow(team: Team): SendWindow {
  const { draw, style } = team;
  const startHour = style.nights
    ? draw.int(0, 3)
    : draw.chance(0.7)
      ? draw.int(6, 12)
      : draw.int(0, 23);
  const length = style.nights ? draw.int(1, 4) : draw.pick([1, 3, 8, 8, 12, 24]);
  const days = draw.some(WEEKDAYS, style.nights || draw.chance(0.3) ? 1 : 0.7);
  return {
    timezone: draw.pick(ZONES),
    days: days.length === 0 ? ["monday", "thursday"] : days,
    startHour,
    endHour: Math.min(24, startHour + length),
    skipHolidays: startHour % 2 === 0 ? ["DE", "IN", "US"] : [],
  };
}

async function makeCampaign(env: Environment, team: Team, accounts: readonly Id[]): Promise<void> {
  const { draw, caller, chronicle, style } = team;
  const accountIds = draw.chance(0.5) ? [] : draw.some(accounts, 0.7);
  const row = await env.commit(() =>
    createCampaign(env, caller, {
      name: `Campaign ${chronicle.marks.size + 1}`,
      sendWindow: drawWindow(team),
      maxLeadsPerDay: draw.pick([1, 3, 10, 50]),
      dailyLimit: draw.pick([null, null, 4, 20]),
      maxPerDomainPerDay: draw.pick([null, null, 1, 3]),
      priority: draw.pick(["follow_ups", "new_leads"]),
      stopOnReply: draw.chance(0.75),
      stopOnAutoReply: draw.chance(0.2),
      stopCompanyOnReply: draw.chance(0.2),
      evergreen: draw.chance(0.8),
      providerMatching: (["only", "off", "prefer"] as const)[chronicle.marks.size % 3] ?? "off",
      riskyAddresses: chronicle.marks.size % 2 === 0 ? "spread" : "send",
      accountIds,
    }),
  );
  const mark = `c${chronicle.marks.size + 1}`;
  chronicle.marks.set(mark, row.id);
  let isFirst = true;
  for (let left = draw.int(1, 4); left > 0; left -= 1) {
    const type = style.tasks && left > 1 && draw.chance(0.12) ? "task" : "email";
    const fields = { ...drawStep(team, mark), type } as const;
    // The first email needs a subject: it begins the thread.
    const subject =
      isFirst && type === "email" ? `${mark} for {{email}}` : (fields.subject ?? null);
    isFirst &&= type === "task";
    await env.commit(() => createStep(env, caller, row.id, { ...fields, subject }));
  }
  beginLine(env, chronicle, mark);
}

/** What a step may say. Its mark stays with it through every change of its text. */
export function drawStep(team: Team, mark: string): Partial<StepFields> {
  const { draw, style } = team;
  team.steps += 1;
  return {
    subject: draw.chance(0.3) ? `{News|Word} ${team.steps} from {{sender.name}}` : null,
    body: drawBody(draw, `[[${mark}:s${team.steps}]]`, style.holes),
    waitDays: draw.pick([0, 0, 1, 2, 3, 5]),
    waitMinutes: draw.chance(0.3) ? draw.int(1, 1439) : 0,
  };
}

export function drawBody(draw: Draw, mark: string, holes: boolean): string {
  const hole = holes && draw.chance(0.25) ? "How is {{city}}?" : "How are things?";
  return `${mark} {Hello|Good day} {{first_name | default: "you"}},\n\n${hole}\n\n{{signature}}`;
}

/** The first is the step as it is; each other says which it is, and keeps the step's mark. */
export function drawVariants({ draw, chronicle, style }: Team, step: StepRow): VariantFields[] {
  const mark = /\[\[[^\]]*\]\]/.exec(step.body ?? "")?.[0] ?? "";
  return Array.from({ length: draw.int(2, 4) }, (_, nth) => {
    const words = `variant ${chronicle.next()}.`;
    const body = style.alike ? (step.body ?? "") : drawBody(draw, mark, style.holes);
    const config = nth === 0 ? {} : { body: `${body} ${words}` };
    return { name: `V${nth}`, config, weight: draw.pick([1, 1, 2, 5]) };
  });
}

/** Imports people: some known already, some twice, some without an address that is one. */
export async function importSome(
  env: Environment,
  team: Team,
  campaignId: Id,
  count: number,
): Promise<void> {
  const { chronicle } = team;
  const items = Array.from({ length: count }, () => drawLead(team));
  const options = { existing: "merge", skipIfInOtherCampaign: false, dryRun: false } as const;
  const mark = [...chronicle.marks].find(([, id]) => id === campaignId)?.[0] ?? "";
  const known = chronicle.people.get(mark) ?? new Set();
  chronicle.people.set(mark, known);
  const result = await importLeads(env, team.caller, campaignId, items, options);
  chronicle.imports.push({
    input: items.length,
    imported: result.imported,
    skipped: result.skipped.length,
    errors: result.errors.length,
  });
  for (const { email } of items) {
    known.add(email);
  }
}

function drawLead(team: Team): ImportItem {
  const { draw, style } = team;
  if (draw.chance(0.03)) {
    return { email: "nobody at nowhere" };
  }
  const known = team.people > 0 && draw.chance(0.1);
  const nth = known ? draw.int(1, team.people) : team.people + 1;
  team.people = Math.max(team.people, nth);
  return {
    email: `${nth % RISKY_EVERY === 0 ? "info" : "person"}${nth}@${DOMAINS[nth % DOMAINS.length]}`,
    ...(draw.chance(0.8) && { firstName: `Name${nth}` }),
    ...(draw.chance(0.25) && { timezone: draw.pick(ZONES) }),
    ...(!(style.holes && draw.chance(0.1)) && { variables: { city: "Lyon" } }),
  };
}

/** Writes down what is in force from now on. Only between rounds: nothing is under way then. */
export function recordTerms(env: Environment, team: Team): void {
  const { chronicle, caller } = team;
  const seq = chronicle.next();
  const accounts = accountsOf(env.db, caller.teamId);
  for (const [id, history] of chronicle.accounts) {
    const last = history.at(-1);
    if (last !== undefined && !accounts.some((row) => row.id === id)) {
      amend(chronicle.accounts, id, { ...last, seq, startsLeads: false });
    }
  }
  for (const row of accounts) {
    amend(chronicle.accounts, row.id, {
      seq,
      zone: row.timezone,
      dailyLimit: row.dailyLimit,
      hourlyLimit: row.hourlyLimit,
      providerLimits: row.providerLimits,
      atGoogle: row.provider === "google",
      startsLeads: startsLeads(row),
      minGapMs: row.minGapSeconds * 1000,
      ramp: row.ramp,
    });
  }
  const rows = new Map(campaignsOf(env, team).map((row) => [row.id, row]));
  for (const [mark, id] of chronicle.marks) {
    const row = rows.get(id);
    if (row !== undefined) {
      amend(chronicle.campaigns, mark, {
        seq,
        window: row.sendWindow,
        maxNewPerDay: row.maxLeadsPerDay,
        dailyLimit: row.dailyLimit,
        maxPerDomainPerDay: row.maxPerDomainPerDay,
        spreads: row.riskyAddresses === "spread",
        matching: row.providerMatching,
        accountIds: row.accountIds,
        stopOnReply: row.stopOnReply,
        stopCompanyOnReply: row.stopCompanyOnReply,
      });
    }
  }
  const leads = env.db.raw.query<{ email: string; zone: string | null }, []>(
    "select email, timezone as zone from leads",
  );
  for (const { email, zone } of leads.all()) {
    amend(chronicle.zones, email, { seq, zone });
  }
}

/** Whatever its limits of the hour and the day. */
function startsLeads(row: AccountRow): boolean {
  const isUp = row.status === "active" && row.notReadyReason === null && row.unconfirmed === null;
  const isWell = row.health.judged >= 60 && row.refusals === null;
  return isUp && isWell && row.dailyLimit > 0 && row.hourlyLimit > 0;
}

/** A stretch of simulated time: minutes, hours or days. */
export function drawStretch(draw: Draw): number {
  return draw.pick([
    draw.int(1, 90) * MINUTE_MS,
    draw.int(1, 20) * HOUR_MS,
    draw.int(1, 3) * DAY_MS,
  ]);
}
