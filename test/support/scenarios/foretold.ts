/** Forecasts and explanations, held against what came: to the minute, the mailbox and the step. */

import { done } from "../../journeys/support.ts";
import type { Scenario } from "./drive.ts";
import type { Sent } from "./history.ts";

interface Forecast {
  campaign: string;
  /** True where there are more emails than are listed. */
  isCut: boolean;
  emails: string[];
}

interface Explained {
  enrollment: string;
  at: number | null;
}

export interface Foretold {
  from: number;
  hours: number;
  forecasts: Forecast[];
  explained: Explained[];
}

const DAYS = 3;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const EXPLAINED = 8;

export async function foretell({
  call,
  draw,
  moment,
  figures,
  fault,
}: Scenario): Promise<Foretold> {
  const hours = draw.int(6, 44);
  const until = moment.at + hours * HOUR_MS;
  const forecasts: Forecast[] = [];
  for (const { id, status } of moment.campaigns.values()) {
    if (status === "active") {
      const { sends, total } = await done(call("GET", `/campaigns/${id}/forecast?days=${DAYS}`));
      const emails = sends
        .filter(({ at }: { at: string }) => Date.parse(at) <= until)
        .map((one: { at: string; enrollment_id: string; account_id: string; step_id: string }) =>
          keyOf(Date.parse(one.at), one.enrollment_id, one.account_id, one.step_id),
        );
      forecasts.push({ campaign: id, isCut: total > sends.length, emails });
    }
  }
  const explained: Explained[] = [];
  const share = EXPLAINED / Math.max(1, moment.enrollments.size);
  for (const { id, campaign_id } of draw.some([...moment.enrollments.values()], share)) {
    const { status, body, text } = await call(
      "GET",
      `/campaigns/${campaign_id}/leads/${id}/explain`,
    );
    if (status === 200) {
      const isExact = body.next_send_at !== null && !body.estimated;
      explained.push({ enrollment: id, at: isExact ? Date.parse(body.next_send_at) : null });
      figures.explained += 1;
    } else {
      fault(`explain is answered ${text}`);
    }
  }
  return { from: moment.at, hours, forecasts, explained };
}

export function compareForecasts(
  scenario: Scenario,
  foretold: Foretold,
  came: readonly Sent[],
): void {
  const until = foretold.from + foretold.hours * HOUR_MS;
  for (const { campaign, isCut, emails } of foretold.forecasts) {
    const real = came
      .filter((one) => one.campaign === campaign)
      .map((one) => keyOf(one.at, one.enrollment, one.account, one.step));
    const missing = emails.filter((one) => !real.includes(one));
    const extra = isCut ? [] : real.filter((one) => !emails.includes(one));
    scenario.figures.forecasts += 1;
    scenario.figures.foretold += emails.length;
    if (missing.length + extra.length > 0) {
      const from = new Date(foretold.from).toISOString();
      scenario.fault(
        `a forecast from ${from} for ${foretold.hours} h: did not come ${missing.slice(0, 3)}; came unforeseen ${extra.slice(0, 3)}`,
      );
    }
  }
  for (const { enrollment, at } of foretold.explained) {
    const next = came.find((one) => one.enrollment === enrollment);
    const isWithin = at !== null && at > foretold.from && at <= until;
    if (isWithin && minuteOf(next?.at ?? 0) !== minuteOf(at)) {
      const [said, was] = [at, next?.at ?? 0].map((one) => new Date(one).toISOString());
      scenario.fault(`explain says ${said} of ${enrollment}; it was ${was}`);
    }
  }
}

function keyOf(at: number, enrollment: string, account: string, step: string): string {
  return [new Date(minuteOf(at) * MINUTE_MS).toISOString(), enrollment, account, step].join(" ");
}

function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS);
}
