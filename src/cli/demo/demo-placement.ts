/** The demo's placement runs: seed mailboxes at each provider, and a run every Sunday. */

import { type Column, table } from "#cli/term.ts";
import type { Caller, Environment } from "#environment.ts";
import { listRuns } from "#store/placement/placement-runs.ts";
import { providersOf } from "#store/placement/placement-tests.ts";

const RUNS_MAX = 100;

export interface DemoPlacement {
  runs: number;
  /** Of the seeds at one provider, over all runs. */
  providers: readonly { provider: string; tests: number; inbox: number; spam: number }[];
  /** Runs whose counts do not add up to their tests. */
  wrong: number;
}

export function placementOf({ db }: Environment, { teamId }: Caller): DemoPlacement {
  const { rows } = listRuns(db, teamId, { limit: RUNS_MAX, offset: 0 });
  const done = rows.filter(({ status }) => status === "completed");
  const ids = done.map(({ id }) => id);
  const all = [...providersOf(db, ids).values()].flatMap((one) => Object.entries(one));
  const providers = [...Map.groupBy(all, ([provider]) => provider)].map(([provider, totals]) => {
    const sum = (of: "total" | "inbox" | "spam") =>
      totals.reduce((so, [, counts]) => so + counts[of], 0);
    return { provider, tests: sum("total"), inbox: sum("inbox"), spam: sum("spam") };
  });
  const addsUp = ({ total, inbox, spam, promotions, notDelivered }: (typeof rows)[number]) =>
    inbox + spam + promotions + notDelivered === total;
  return {
    runs: done.length,
    providers: providers.toSorted((a, b) => (a.provider < b.provider ? -1 : 1)),
    wrong: done.filter((run) => !addsUp(run)).length,
  };
}

export function presentPlacement({ runs, providers }: DemoPlacement) {
  return { runs, providers };
}

export function placementText({ runs, providers }: DemoPlacement, colours: boolean): string {
  const columns: Column[] = [
    { title: `Placement, ${runs} runs` },
    { title: "Tests", right: true },
    { title: "Inbox", right: true },
    { title: "Spam", right: true },
  ];
  const rows = providers.map(({ provider, tests, inbox, spam }) => {
    return [`  ${provider}`, String(tests), String(inbox), String(spam)];
  });
  return table(columns, rows, colours);
}
