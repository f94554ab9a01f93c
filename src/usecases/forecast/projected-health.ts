/**
 * The health of a mailbox in a projected future: every email is taken and none does harm, days leave the
 * window, pauses end. It is assessed by the same function as the real one, at the same instants.
 */

import {
  assessHealth,
  type DayTally,
  type HealthView,
  limitsOf,
  windowStart,
} from "#domain/mailboxes/health.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { inboxRateOf } from "#store/placement/placement-tests.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { healthFacts } from "#usecases/campaigns/health.ts";

/** What a judgement changed for the mailbox: it was paused, may send again, or may send more. */
export type Turn = "paused" | "freed" | "more" | null;

export interface ProjectedHealth {
  /** The score that the rules go by, and whether it is on trial. */
  standing(): { healthScore: number; onTrial: boolean };
  /** When time alone may change it next. */
  nextAt(): UnixMs | undefined;
  turn(at: UnixMs): Turn;
  /** A server took an email that was claimed on `date`; null: one that is not counted. */
  accepted(date: string | null, at: UnixMs): void;
  /** It works again after an error. */
  recovered(at: UnixMs): void;
  isPaused(): boolean;
}

export function projectHealth(env: Environment, row: AccountRow, from: UnixMs): ProjectedHealth {
  const { days: stored, smtpErrors, refusals, zone } = healthFacts(env, row, from);
  const days: DayTally[] = stored.map((day) => ({ ...day }));
  const { status, statusReason, healthScore, healthAt } = row;
  const health = { ...row.health, wantsRun: false };
  let view: HealthView = { status, statusReason, healthScore, health, healthAt };
  let errors = smtpErrors;
  const rates = new Map<UnixMs, ReturnType<typeof inboxRateOf>>();

  const rateAt = (at: UnixMs) => {
    const { from: since } = windowStart(zone, at);
    const rate = rates.get(since) ?? inboxRateOf(env.db, row.id, since);
    rates.set(since, rate);
    return rate;
  };
  const assess = (now: UnixMs): Turn => {
    const before = view;
    view = assessHealth(view, { now, zone, days, smtpErrors: errors, refusals, ...rateAt(now) });
    if (view.status !== before.status) {
      return view.status === "active" ? "freed" : "paused";
    }
    const [was, is] = [limitsOf(before.health), limitsOf(view.health)];
    return (was.halved && !is.halved) || (!was.startsNew && is.startsNew) ? "more" : null;
  };
  const count = (date: string) => {
    const day = days.find((one) => one.date === date);
    if (day === undefined) {
      days.push({ date, sends: 1, hardBounces: 0, complaints: 0 });
    } else {
      day.sends += 1;
    }
  };
  return {
    standing: () => ({
      healthScore: view.health.judged,
      onTrial: view.health.trial !== null,
    }),
    nextAt: () => view.healthAt ?? undefined,
    turn: assess,
    accepted: (date, at) => {
      if (date !== null) {
        count(date);
        if (view.healthAt !== null) {
          assess(at);
        }
      }
      if (errors > 0) {
        errors = 0;
        assess(at);
      }
    },
    recovered: (at) => {
      if (view.status === "error") {
        errors = 0;
        view = { ...view, status: "active", statusReason: null };
        assess(at);
      }
    },
    isPaused: () => view.status !== "active",
  };
}
