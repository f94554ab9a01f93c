/** What the planner costs with one large campaign: at rest, when woken, and looking ahead. */

import { program, resultOf, temporaryDirectory } from "../children.ts";
import { type Figure, summary } from "../measure.ts";
import type { PlannerInput, PlannerResult } from "../programs/planner.ts";
import type { Scale } from "./scale.ts";

export async function planning(scale: Scale): Promise<Figure[]> {
  using directory = temporaryDirectory();
  const { mailboxes, plannedLeads: leads, plannerRounds: rounds, workerSteps: steps } = scale;
  const input: PlannerInput = { directory: directory.path, mailboxes, leads, rounds, steps };
  const result = await resultOf<PlannerResult>(program("planner", input));
  const of = `${mailboxes} mailboxes, ${leads} leads`;
  const limits = [{ name: "the same rows by prepared statements, nothing decided" }];
  const figure = (
    id: string,
    about: string,
    unit: "ms" | "µs",
    [ours, theirs]: [number[], number[]],
  ) => {
    const samples = [ours, theirs].map((list) => list.map((value) => ({ value })));
    return summary({ id, about, unit, limits }, samples);
  };
  return [
    figure("plan_idle", `A step of the send worker with nothing due, ${of}`, "µs", result.idle),
    figure("plan_woken", "… for each mailbox that is woken and has to wait", "µs", result.woken),
    figure("status", "sending_status and next_send_at of the campaign", "µs", result.status),
    figure("forecast", `Forecast of 7 days, ${result.sends} mails`, "ms", result.forecast),
  ];
}
