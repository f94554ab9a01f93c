/**
 * One random scenario over HTTP: eight clients change things at once, the sandbox's clock moves on, and what
 * was sent is held against the rules. Settings are read back from the API after every change, so that a
 * rule knows under which ones an email was sent; what was forecast is compared with what came.
 */

import { type Call, done } from "../../journeys/support.ts";
import { createDraw, type Draw } from "../simulation/draw.ts";
import { createDeeds, type Deeds } from "./deeds.ts";
import { listen } from "./endpoint.ts";
import { compareForecasts, foretell } from "./foretold.ts";
import {
  type EnrollmentSeen,
  eventsAfter,
  look,
  type Moment,
  type ScenarioEvent,
  type Sent,
  sentOf,
} from "./history.ts";
import { RULES } from "./rules.ts";

export interface ScenarioFigures {
  emails: number;
  changes: number;
  requests: number;
  forecasts: number;
  foretold: number;
  explained: number;
  events: number;
}

export interface Lived {
  seed: number;
  faults: string[];
  figures: ScenarioFigures;
}

export interface Scenario {
  call: Call;
  draw: Draw;
  figures: ScenarioFigures;
  deeds: Deeds;
  moment: Moment;
  /** The settings before the last changes, for what was sent while these were made. */
  earlier: Moment;
  /** Where each lead stands, event after event. */
  leads: Map<string, EnrollmentSeen>;
  sent: Sent[];
  events: ScenarioEvent[];
  cursor: string;
  fault(what: string): void;
}

const CLIENTS = 8;
const ROUNDS = 14;
const ENDED = new Set(["completed", "replied", "bounced", "unsubscribed", "failed", "suppressed"]);
/** A calm end: everything may be sent, so that nobody may be left waiting. */
const CALM_WEEKS = 12;
const FAULTS_MAX = 20;

export async function liveScenario(seed: number, server: Call): Promise<Lived> {
  const draw = createDraw(seed);
  const figures = {
    emails: 0,
    changes: 0,
    requests: 0,
    forecasts: 0,
    foretold: 0,
    explained: 0,
    events: 0,
  };
  const faults: string[] = [];
  const fault = (what: string) => {
    if (faults.length < FAULTS_MAX) {
      faults.push(what);
    }
  };
  const call: Call = async (method, path, ...rest) => {
    figures.requests += 1;
    const reply = await server(method, path, ...rest);
    if (reply.status >= 500) {
      fault(`${method} ${path} ${JSON.stringify(rest[0])} is answered ${reply.text}`);
    }
    return reply;
  };
  await done(call("DELETE", "/sandbox"));
  const none = { reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 };
  const rates = { ...none, complaint: 0, unsubscribe: 0, spam: 0 };
  await done(call("PATCH", "/sandbox/settings", { rates }));
  await done(call("POST", "/sandbox/clock", { speed: 0 }));
  using endpoint = await listen(call);
  const moment = await look(call);
  const { cursor } = await eventsAfter(call, "");
  const empty = { leads: new Map(), sent: [], events: [], cursor };
  const deeds = createDeeds(call, draw);
  const scenario: Scenario = {
    call,
    draw,
    figures,
    deeds,
    moment,
    earlier: moment,
    fault,
    ...empty,
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await change(scenario, round === 0);
    await (draw.chance(0.3) ? passForetold(scenario) : pass(scenario, draw.pick(SPANS)));
  }
  await calm(scenario);
  await balance(scenario);
  for (const wrong of await endpoint.settle(scenario.events.map(({ id }) => id))) {
    fault(wrong);
  }
  return { seed, faults, figures };
}

const SPANS = ["20m", "3h", "11h", "1d", "1d7h", "2d", "4d", "1000000s"].slice(0, 7);

/** Changes by several clients at once; then the settings are read back. */
async function change(scenario: Scenario, isFirst: boolean): Promise<void> {
  const { deeds, draw, figures } = scenario;
  const todo = isFirst ? await deeds.begin() : deeds.draw(scenario.moment, draw.int(1, CLIENTS));
  figures.changes += todo.length;
  const replies = await Promise.all(todo.map((deed) => deed()));
  for (const said of replies.filter((one) => one !== undefined)) {
    scenario.fault(said);
  }
  await renew(scenario);
}

async function renew(scenario: Scenario): Promise<void> {
  scenario.earlier = scenario.moment;
  scenario.moment = await look(scenario.call);
  await read(scenario, [scenario.earlier, scenario.moment]);
  scenario.deeds.given.clear();
  scenario.leads = new Map(scenario.moment.enrollments);
}

async function pass(scenario: Scenario, advance: string): Promise<void> {
  await done(scenario.call("POST", "/sandbox/clock", { advance }));
  await read(scenario, [scenario.moment]);
  scenario.moment = await look(scenario.call);
  scenario.leads = new Map(scenario.moment.enrollments);
  scenario.deeds.passed(scenario);
}

/** The same, with a forecast before it that has to come true: nobody replies and nothing is changed. */
async function passForetold(scenario: Scenario): Promise<void> {
  await pass(scenario, "6h");
  const foretold = await foretell(scenario);
  const from = scenario.sent.length;
  await pass(scenario, `${foretold.hours}h`);
  compareForecasts(scenario, foretold, scenario.sent.slice(from));
}

/** Reads what happened, and holds it against the rules under at least one of these settings. */
async function read(scenario: Scenario, moments: readonly Moment[]): Promise<void> {
  const { events, cursor } = await eventsAfter(scenario.call, scenario.cursor);
  scenario.cursor = cursor;
  scenario.events.push(...events);
  scenario.figures.events += events.length;
  for (const event of events) {
    if (event.type === "email.sent" && event.data.kind === "step") {
      const sent = sentOf(event);
      judge(scenario, sent, moments);
      scenario.sent.push(sent);
      scenario.figures.emails += 1;
      scenario.deeds.moved.delete(sent.enrollment);
    } else if (event.type === "lead.status_changed") {
      recordStatus(scenario, event);
    }
  }
}

/** Who ends while the clock moves gets nothing more. */
function recordStatus({ leads }: Scenario, { data }: ScenarioEvent): void {
  const row = leads.get(data.enrollment_id);
  if (row !== undefined) {
    leads.set(row.id, { ...row, status: data.current });
  }
}

function judge(scenario: Scenario, sent: Sent, moments: readonly Moment[]): void {
  const own = scenario.sent.filter(({ enrollment }) => enrollment === sent.enrollment);
  const known = moments.filter(({ campaigns }) => campaigns.has(sent.campaign));
  // A lead's zone is not its campaign's: changes made at once may have reached one and not the other.
  const given = moments.length > 1 ? (scenario.deeds.given.get(sent.to) ?? []) : [];
  const zones = [...new Set([...moments.map((moment) => moment.zones.get(sent.to)), ...given])];
  const broken = (known.length === 0 ? moments : known).flatMap((moment) => {
    const campaign = moment.campaigns.get(sent.campaign);
    const account = moment.accounts.get(sent.account);
    const enrollment = standing(scenario, moment, sent.enrollment);
    if (campaign === undefined || account === undefined || enrollment === undefined) {
      return [["its campaign, mailbox and lead are there"]];
    }
    const { movedSteps } = scenario.deeds;
    const isMoved = scenario.deeds.moved.has(sent.enrollment);
    const isAfter = moments.length > 1 && moment === moments.at(-1);
    const one = { sent, campaign, account, enrollment, moment, isAfter, own, isMoved, movedSteps };
    return zones.map((ofLead) => {
      const zone = ofLead ?? campaign.send_window.timezone;
      return Object.entries(RULES)
        .filter(([, rule]) => !rule({ ...one, zone, before: scenario.sent }))
        .map(([name]) => name);
    });
  });
  // Of changes that were made at once some may have come before it, and some after.
  const always = broken.reduce((sum, names) => sum.filter((name) => names.includes(name)));
  for (const name of always) {
    const at = new Date(sent.at).toISOString();
    scenario.fault(`${name}: ${at} ${JSON.stringify(sent)} after ${JSON.stringify(own.at(-1))}`);
  }
}

/** As events say it; who was enrolled since then was pending at first. */
function standing({ leads }: Scenario, { enrollments }: Moment, id: string) {
  const row = enrollments.get(id);
  return leads.get(id) ?? (row && { ...row, status: "pending" });
}

/** Everything is resumed; then nobody who could be written to is left, and each has had the whole. */
async function calm(scenario: Scenario): Promise<void> {
  for (const deed of scenario.deeds.letGo(scenario.moment)) {
    const said = await deed();
    if (said !== undefined) {
      scenario.fault(said);
    }
  }
  await renew(scenario);
  for (let week = 0; week < CALM_WEEKS; week += 1) {
    await pass(scenario, "7d");
  }
  for (const {
    id,
    email,
    status,
    campaign_id,
    hold_reason,
  } of scenario.moment.enrollments.values()) {
    const campaign = scenario.moment.campaigns.get(campaign_id);
    const isRunning = campaign?.status === "active" || campaign?.status === "completed";
    if (isRunning && !ENDED.has(status) && hold_reason === null) {
      scenario.fault(
        `${email} (${id}) is ${status} for good in a campaign that is ${campaign.status}`,
      );
    }
    const last = scenario.sent.findLast(({ enrollment }) => enrollment === id)?.step;
    const left = campaign?.steps.slice(1 + campaign.steps.findIndex((one) => one.id === last));
    const had = scenario.sent.filter(({ enrollment }) => enrollment === id).map(({ step }) => step);
    if (isRunning && status === "completed" && !scenario.deeds.finished.has(id)) {
      const missed = left?.filter((step) => !had.includes(step.id)) ?? [];
      if (missed.length > 0 && !scenario.deeds.appended.has(campaign_id)) {
        scenario.fault(`${email} (${id}) is completed without ${missed.length} steps`);
      }
    }
  }
}

/** The sandbox's mailboxes hold what the events tell, each email once; the sums agree. */
async function balance(scenario: Scenario): Promise<void> {
  const captured = new Map<string, number>();
  let after = "";
  do {
    const page = await done(scenario.call("GET", `/sandbox/messages?limit=100${after}`));
    for (const { message_id } of page.data) {
      captured.set(message_id, (captured.get(message_id) ?? 0) + 1);
    }
    after = page.next_cursor === null ? "" : `&after=${encodeURIComponent(page.next_cursor)}`;
  } while (after !== "");
  const told = new Set(scenario.sent.map(({ messageId }) => messageId));
  for (const [id, times] of captured) {
    if (times !== 1 || !told.has(id)) {
      scenario.fault(`${id} was captured ${times} times and ${told.has(id) ? "" : "not "}told`);
    }
  }
  if (told.size !== captured.size) {
    scenario.fault(`${told.size} emails were told and ${captured.size} captured`);
  }
  for (const { id } of scenario.moment.campaigns.values()) {
    const { sent } = await done(scenario.call("GET", `/campaigns/${id}/stats`));
    const count = scenario.sent.filter(({ campaign }) => campaign === id).length;
    if (sent !== count) {
      scenario.fault(`/stats says ${sent} sent where ${count} were`);
    }
  }
}
