/** What eight clients do to a scenario: everything that the document lets a person do to a campaign. */

import type { Call, Reply } from "../../journeys/support.ts";
import type { Draw } from "../simulation/draw.ts";
import type { Scenario } from "./drive.ts";
import type { AccountSeen, CampaignSeen, EnrollmentSeen, Moment } from "./history.ts";

/** Says what was not as it had to be. */
type Deed = () => Promise<string | undefined>;

interface Expected {
  enrollment: string;
  email: string;
  kind: string;
  arrives: number;
  statuses: readonly string[];
  suppresses: boolean;
}

export interface Deeds {
  /** Enrollments whose next email a person has moved. */
  moved: Set<string>;
  movedSteps: Set<string>;
  /** Enrollments that a person has completed. */
  finished: Set<string>;
  /** Campaigns with steps that came or moved after their start. */
  appended: Set<string>;
  /** The zones that files gave to each address since the settings were read back: a later one replaces. */
  given: Map<string, string[]>;
  begin(): Promise<Deed[]>;
  draw(moment: Moment, count: number): Deed[];
  letGo(moment: Moment): Deed[];
  /** The clock has moved on: what was injected has had its effect. */
  passed(scenario: Scenario): void;
}

const ZONES = [
  ...["UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"],
  ...["Pacific/Kiritimati", "Pacific/Midway"],
];
const DOMAINS = ["alpha.example", "beta.example", "gamma.example", "delta.example"];
const WEEK = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const ENDED = ["completed", "replied", "bounced", "unsubscribed", "failed", "suppressed"];
const KINDS = [
  { kind: "reply", statuses: ["replied"], suppresses: false },
  { kind: "interested", statuses: ["replied"], suppresses: false },
  { kind: "unsubscribe", statuses: ["unsubscribed"], suppresses: true },
  { kind: "bounce", statuses: ["bounced"], suppresses: true },
  { kind: "complaint", statuses: ["suppressed", "unsubscribed"], suppresses: true },
  { kind: "auto_reply", statuses: [], suppresses: false },
  { kind: "newsletter", statuses: [], suppresses: false },
];
const PATIENCE_MS = 15 * 60_000;

export function createDeeds(call: Call, draw: Draw): Deeds {
  let named = 0;
  const expected: Expected[] = [];
  const moved = new Set<string>();
  const movedSteps = new Set<string>();
  const finished = new Set<string>();
  const resumed = new Set<string>();
  const appended = new Set<string>();
  const given = new Map<string, string[]>();

  const accept = async (reply: Promise<Reply>, ...statuses: number[]) => {
    const { status, text } = await reply;
    const isFine = statuses.length === 0 ? status < 300 : statuses.includes(status) || status < 300;
    return isFine ? undefined : `answered ${status}: ${text}`;
  };
  const change = (path: string, body: object, ...statuses: number[]): Deed => {
    return () => accept(call("PATCH", path, body), ...statuses);
  };

  const window = () => {
    const start = draw.int(0, 20);
    const days = draw.some(WEEK, 0.7);
    return {
      days: days.length === 0 ? ["saturday"] : days,
      start_hour: start,
      end_hour: draw.int(start + 1, 24),
    };
  };
  const caps = () => ({
    max_leads_per_day: draw.pick([1, 2, 5, 50]),
    daily_limit: draw.pick([null, null, 3, 10]),
    max_per_domain_per_day: draw.pick([null, null, 1, 4]),
  });
  const limits = () => ({
    daily_limit: draw.pick([2, 7, 30, 200]),
    hourly_limit: draw.pick([1, 4, 10, 60]),
    min_gap_seconds: draw.pick([0, 60, 180, 900]),
  });
  const step = () => ({
    type: "email",
    subject: "Hello",
    body: "Words",
    wait_days: draw.int(0, 4),
  });
  const leads = (count: number) =>
    Array.from({ length: count }, () => {
      named += 1;
      const person = draw.chance(0.1) ? draw.int(1, named) : named;
      const email = `person${person}@${DOMAINS[person % DOMAINS.length]}`;
      const timezone = draw.chance(0.5) ? null : draw.pick(ZONES);
      if (timezone !== null) {
        given.set(email, [...(given.get(email) ?? []), timezone]);
      }
      return { email, timezone };
    });

  const addAccount: Deed = () => {
    named += 1;
    const email = `sender${named}@ours.example`;
    const zone = draw.pick(ZONES);
    return accept(
      call("POST", "/accounts", { email, provider: "sandbox", timezone: zone, ...limits() }),
    );
  };
  const addCampaign: Deed = async () => {
    const fields = {
      name: "Scenario",
      stop_on_reply: draw.chance(0.8),
      stop_on_auto_reply: draw.chance(0.2),
      send_window: { timezone: draw.pick(ZONES), ...window() },
      ...caps(),
    };
    const steps = Array.from({ length: draw.int(1, 4) }, step);
    const list = leads(draw.int(1, 25));
    const made = await call("POST", "/campaigns", fields);
    const path = `/campaigns/${made.body.id}`;
    for (const one of steps) {
      await call("POST", `${path}/steps`, one);
    }
    await call("POST", `${path}/leads`, { leads: list });
    // Every mailbox may have been paused meanwhile.
    return await accept(call("POST", `${path}/start`), 422);
  };

  const onSteps = ({ id, steps, status }: CampaignSeen): Deed => {
    const path = `/campaigns/${id}/steps`;
    const one = draw.pick(steps);
    const position = draw.int(1, Math.max(1, steps.length));
    const kind = draw.pick(["insert", "move", "delete", "wait", "wait"]);
    if (kind === "insert") {
      appended.add(id);
      const fields = { ...step(), position };
      return () => accept(call("POST", path, fields));
    }
    if (kind === "move") {
      appended.add(id);
      movedSteps.add(one.id);
      return change(`${path}/${one.id}`, { position });
    }
    if (kind === "delete" && (steps.length > 1 || status === "draft")) {
      return () => accept(call("DELETE", `${path}/${one.id}`), 409);
    }
    return change(`${path}/${one.id}`, { wait_days: draw.int(0, 6) });
  };
  const onCampaign = (campaign: CampaignSeen): Deed => {
    const path = `/campaigns/${campaign.id}`;
    const list = leads(draw.int(1, 12));
    return draw.pick<() => Deed>([
      () => change(path, { send_window: window() }),
      () => change(path, { send_window: { timezone: draw.pick(ZONES) } }),
      () => change(path, caps()),
      () => () =>
        accept(
          call("POST", `${path}/${campaign.status === "paused" ? "resume" : "pause"}`),
          409,
          422,
        ),
      () => () => accept(call("POST", `${path}/leads`, { leads: list })),
      () => change(path, caps()),
      () => onSteps(campaign),
    ])();
  };
  const onEnrollment = ({ id, campaign_id, status, email }: EnrollmentSeen, now: number): Deed => {
    const path = `/campaigns/${campaign_id}/leads/${id}`;
    const injected = draw.pick(KINDS);
    const later = new Date(now + draw.int(0, 200) * 3_600_000).toISOString();
    return draw.pick<() => Deed>([
      () => {
        resumed.add(id);
        return change(path, { status: status === "paused" ? "active" : "paused" }, 409);
      },
      () => {
        if (draw.chance(0.3)) {
          finished.add(id);
          return change(path, { status: "completed" }, 409);
        }
        // Whoever had replied goes on.
        resumed.add(id);
        return change(path, { status: "active" }, 409);
      },
      () => {
        moved.add(id);
        return change(path, { next_attempt_at: later }, 409);
      },
      () => () => inject(id, email, injected),
      () => () => inject(id, email, injected),
    ])();
  };
  const inject = async (
    enrollment: string,
    email: string,
    { kind, statuses, suppresses }: (typeof KINDS)[number],
  ) => {
    const reply = await call("POST", "/sandbox/inject", { kind, enrollment_id: enrollment });
    if (reply.status < 300) {
      const arrives = Date.parse(reply.body.arrives_at);
      expected.push({ enrollment, email, kind, arrives, statuses, suppresses });
    }
    // Nobody answers before they were written to.
    return reply.status < 300 || [404, 409, 422].includes(reply.status) ? undefined : reply.text;
  };
  const onAccount = ({ id, status }: AccountSeen): Deed => {
    const path = `/accounts/${id}`;
    const kind = draw.pick(["limits", "limits", "zone", "status"]);
    if (kind === "limits") {
      return change(path, limits());
    }
    return kind === "zone"
      ? change(path, { timezone: draw.pick(ZONES) })
      : change(path, { status: status === "paused" ? "active" : "paused" }, 409);
  };
  const onSuppressions = (moment: Moment): Deed => {
    const people = [...moment.enrollments.values()];
    const email =
      draw.chance(0.15) || people.length === 0 ? `@${draw.pick(DOMAINS)}` : draw.pick(people).email;
    return () => accept(call("POST", "/suppressions", { email, reason: "manual" }));
  };

  return {
    moved,
    movedSteps,
    finished,
    appended,
    given,
    begin: async () => {
      const accounts = Array.from({ length: draw.int(1, 4) }, () => addAccount);
      for (const deed of accounts) {
        await deed();
      }
      return Array.from({ length: draw.int(1, 4) }, () => addCampaign);
    },
    draw: (moment, count) => {
      const campaigns = draw.some([...moment.campaigns.values()], 0.5);
      const free = [...moment.enrollments.values()].filter((one) =>
        campaigns.every(({ id }) => id !== one.campaign_id),
      );
      const deeds = [
        ...campaigns.map(onCampaign),
        ...draw.some(free, 0.15).map((one) => onEnrollment(one, moment.at)),
        ...draw.some([...moment.accounts.values()], 0.2).map(onAccount),
        ...(draw.chance(0.15) ? [onSuppressions(moment)] : []),
        ...(draw.chance(0.05) ? [addCampaign] : []),
      ];
      return deeds.slice(0, count);
    },
    letGo: (moment) => {
      const wide = { daily_limit: 2000, hourly_limit: 500, min_gap_seconds: 1, status: "active" };
      const open = { days: WEEK, start_hour: 0, end_hour: 24 };
      const free = { max_leads_per_day: 1000, daily_limit: null, max_per_domain_per_day: null };
      return [
        ...[...moment.accounts.keys()].map((id) => change(`/accounts/${id}`, wide)),
        ...[...moment.campaigns.values()].flatMap(({ id, status }) => [
          change(`/campaigns/${id}`, { ...free, send_window: open }),
          ...(status === "paused" ? [() => accept(call("POST", `/campaigns/${id}/resume`))] : []),
        ]),
        ...[...moment.enrollments.values()]
          .filter(({ status, next_attempt_at }) => status === "paused" && next_attempt_at === null)
          .map(({ id, campaign_id }) =>
            change(`/campaigns/${campaign_id}/leads/${id}`, { status: "active" }),
          ),
      ];
    },
    passed: ({ moment, sent, fault, events }) => {
      const now = Math.max(moment.at, ...events.map(({ created_at }) => Date.parse(created_at)));
      for (const one of expected.splice(0)) {
        if (one.arrives + PATIENCE_MS > now) {
          expected.push(one);
          continue;
        }
        const row = moment.enrollments.get(one.enrollment);
        const campaign = moment.campaigns.get(row?.campaign_id ?? "");
        const ends =
          one.kind === "auto_reply" ? campaign?.stop_on_auto_reply : one.statuses.length > 0;
        const isLeft = one.statuses.includes("replied") && campaign?.stop_on_reply === false;
        if (
          ends &&
          !isLeft &&
          !resumed.has(one.enrollment) &&
          row !== undefined &&
          !ENDED.includes(row.status)
        ) {
          fault(`${one.kind} of ${one.email}: still ${row.status}`);
        }
        const late = sent.find(
          ({ to, at }) => one.suppresses && to === one.email && at > one.arrives + PATIENCE_MS,
        );
        if (late !== undefined) {
          fault(`${one.email} was written to after ${one.kind}`);
        }
      }
    },
  };
}
