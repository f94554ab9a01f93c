/**
 * The demo's bad list: bought addresses of which many are gone and some complain. Its mailbox falls ill,
 * is throttled, paused, comes back by itself at half its caps and is well again; its campaign is stopped
 * by its guard, and goes on when somebody has looked.
 */

import { type Column, table } from "#cli/term.ts";
import { Problem } from "#domain/problem.ts";
import { HOUR_MS, plus, toIso, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { listCampaigns } from "#store/campaigns/campaigns.ts";
import { readEvents } from "#store/events/events.ts";
import { listSandboxMessages } from "#store/sandbox/sandbox.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { moveCampaign } from "#usecases/campaigns/campaigns.ts";
import { BAD_CAMPAIGN, BAD_MAILBOX } from "#usecases/sandbox/demo-scene.ts";
import { inject } from "#usecases/sandbox/sandbox.ts";

/** How many of those complain, and when: late enough on the second day for its emails to have bounced by any pace. */
const CROSS = 2;
const CROSS_AFTER_MS = 33 * HOUR_MS;

/** How long a campaign that a guard has stopped waits until somebody looks. */
const LOOKED_AT_MS = 20 * HOUR_MS;
const CAMPAIGNS_MAX = 100;
const MESSAGES_MAX = 1000;
const EVENTS_MAX = 200_000;

/** What happened to a mailbox's health, or to a campaign because of its emails. */
export interface DemoIncident {
  at: UnixMs;
  /** A mailbox's address, or a campaign's name. */
  who: string;
  /** Null of a campaign. */
  score: number | null;
  what: string;
}

/** Some of the list complain. Runs inside a commit. */
function complain(env: Environment, caller: Caller): void {
  const { rows } = listSandboxMessages(env.db, caller.teamId, {
    limit: MESSAGES_MAX,
    offset: 0,
  });
  const cross = rows.filter(({ recipient }) => recipient.startsWith("office")).slice(0, CROSS);
  for (const { messageId } of cross) {
    inject(env, caller, { kind: "complaint", target: { messageId } });
  }
}

/** What people do between two scenes, the first of which began at `from`, the last one at `at`. */
export async function play(
  env: Environment,
  caller: Caller,
  { from, at }: { from: UnixMs; at: UnixMs },
): Promise<void> {
  const crossAt = plus(from, CROSS_AFTER_MS);
  if (at < crossAt && crossAt <= env.clock.now()) {
    await env.commit(() => complain(env, caller));
  }
  await lookAfter(env, caller);
}

/** Somebody looks at what a guard has stopped, a day later, and lets it go on where it can. */
async function lookAfter(env: Environment, caller: Caller): Promise<void> {
  const { rows } = listCampaigns(env.db, caller.teamId, { limit: CAMPAIGNS_MAX, offset: 0 });
  for (const { id } of rows.filter((row) => isDue(row, env.clock.now()))) {
    try {
      await env.commit(() => moveCampaign(env, caller, id, "active"));
    } catch (error) {
      // Its mailbox rests still: it is looked at again.
      if (!(error instanceof Problem)) {
        throw error;
      }
    }
  }
}

function isDue({ status, statusReason, updatedAt }: CampaignRow, now: UnixMs): boolean {
  const isStopped = statusReason === "bounce_rate" || statusReason === "complaint_rate";
  return status === "paused" && isStopped && plus(updatedAt, LOOKED_AT_MS) <= now;
}

/** In order of time: what the event log tells. */
export function incidentsOf(env: Environment, { teamId }: Caller): DemoIncident[] {
  const events = readEvents(env.db, teamId, { after: 0, limit: EVENTS_MAX });
  return events.flatMap(({ type, createdAt: at, data }): DemoIncident[] => {
    const facts = data as Record<string, unknown>;
    if (type === "account.health_changed" && facts["email"] === BAD_MAILBOX.email) {
      const score = Number(facts["current"]);
      return [{ at, who: BAD_MAILBOX.email, score, what: wordsFor(facts, score) }];
    }
    const isStop = type === "campaign.paused" && facts["reason"] !== "manual";
    if (isStop || (type === "campaign.resumed" && facts["name"] === BAD_CAMPAIGN.name)) {
      const what = isStop ? `stopped: ${facts["reason"]}` : "resumed manually";
      return [{ at, who: String(facts["name"]), score: null, what }];
    }
    return [];
  });
}

function wordsFor(facts: Record<string, unknown>, score: number): string {
  if (facts["status"] === "paused") {
    return `paused until ${String(facts["paused_until"]).slice(0, 10)}: ${facts["cause"]}`;
  }
  const caps = facts["halved"] === true ? "limits halved" : "full limits";
  const leads = facts["starts_new_leads"] === true ? caps : `${caps}, no new leads`;
  const isFall = score < Number(facts["previous"]);
  return isFall ? `${leads}: ${facts["cause"]}` : leads;
}

/** The demo's story of a mailbox: it fell, was throttled and paused, and is well again. */
export function isTold(incidents: readonly DemoIncident[], isOver: boolean): boolean {
  const failing = incidents.filter(({ who }) => who === BAD_MAILBOX.email);
  const first = (words: string, from = 0) =>
    failing.findIndex(({ what }, index) => index >= from && what.startsWith(words));
  const [throttled, paused] = [first("limits halved: "), first("paused")];
  const isInOrder = throttled >= 0 && paused > throttled && first("full limits", paused) > paused;
  return !isOver || isInOrder;
}

export function presentIncidents(incidents: readonly DemoIncident[]) {
  return incidents.map(({ at, who, score, what }) => ({ at: toIso(at), who, score, what }));
}

/** For people what the report says in codes. */
function inWords(what: string): string {
  return what
    .replace("full limits", "full limits")
    .replace("limits halved", "half its limits")
    .replaceAll("_", " ");
}

export function incidentsText(incidents: readonly DemoIncident[], colours: boolean): string {
  const columns: Column[] = [
    { title: "Health" },
    { title: "Score", right: true },
    { title: "Mailbox or campaign" },
    { title: "What" },
  ];
  const rows = incidents.map(({ at, who, score, what }) => {
    return [
      `  ${toIso(at).slice(0, 16).replace("T", " ")}`,
      String(score ?? ""),
      who,
      inWords(what),
    ];
  });
  return table(columns, rows, colours);
}
