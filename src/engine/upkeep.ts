/** The upkeep worker: what nobody asks for and waits for no server. Each room says what it has to do, and how much. */

import { earlier, HOUR_MS, isAhead, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { optimize } from "#store/sqlite/database.ts";
import { forgetCheckouts } from "#usecases/billing/billing.ts";
import { forgetFigures } from "#usecases/campaigns/figures.ts";
import { removeFiles } from "#usecases/campaigns/files.ts";
import { resumeAllWithinPlan } from "#usecases/campaigns/plan-pause.ts";
import { noteHeads } from "#usecases/events/audit-chain.ts";
import { forgetUsage, monthOf, rememberTime } from "#usecases/events/limits.ts";
import { forgetAudit, forgetResponses } from "#usecases/events/record.ts";
import { forgetEvents } from "#usecases/events/webhooks.ts";
import { returnSnoozed } from "#usecases/inbox/snooze.ts";
import { resumeDue } from "#usecases/inbox/undo.ts";
import { forgetImports, markInterrupted, markUntold } from "#usecases/leads/import/imports.ts";
import { rescheduleDue } from "#usecases/leads/reschedule.ts";
import { listOwed, sweepDue } from "#usecases/leads/suppressions.ts";
import { forgetCallouts } from "#usecases/mailboxes/callouts.ts";
import { forgetDomainReports } from "#usecases/mailboxes/domain-reports.ts";
import { forgetDomains } from "#usecases/mailboxes/mail-domains.ts";
import { purgeDeleted } from "#usecases/operations/deleted.ts";
import type { Worker } from "./worker.ts";

/** In each step: a slice of what is due. Resolves to when there is more. */
type Chore = (env: Environment, now: UnixMs) => Promise<UnixMs | undefined>;
const CHORES: readonly Chore[] = [
  ...[markUntold, sweepDue, listOwed, resumeDue, rescheduleDue, returnSnoozed, removeFiles],
];

/** Now and then, in one transaction. */
const TIDYING: readonly ((env: Environment, now: UnixMs) => unknown)[] = [
  ...[forgetResponses, forgetUsage, forgetFigures, forgetCheckouts, forgetAudit, noteHeads],
  ...[
    forgetDomainReports,
    forgetDomains,
    forgetCallouts,
    rememberTime,
    markInterrupted,
    resumeAllWithinPlan,
  ],
];

/** What may be much, in transactions of its own. */
const FORGETTING = [forgetEvents, forgetImports, purgeDeleted];

/** Whose turns they are, as the engine names them. */
const HOLDER = "worker upkeep";
const TIDY_EVERY_MS = HOUR_MS;

/** `tidyEveryMs`: how often it forgets what is past its time; tests alone ask for another. */
export function upkeepWorker(env: Environment, tidyEveryMs = TIDY_EVERY_MS): Worker {
  let tidyAt: UnixMs | undefined;
  let fileAt: UnixMs | undefined;
  /** By the wall: what a real hour needs is not needed in each hour of a clock that jumps. */
  const tidyFile = async () => {
    const now = env.wall.now();
    if (!isAhead(fileAt, now, tidyEveryMs) && !env.db.raw.inTransaction) {
      fileAt = plus(now, tidyEveryMs);
      await optimize(env.db, HOLDER);
    }
  };
  return {
    name: "upkeep",
    step: async (now) => {
      let next: UnixMs | undefined;
      for (const chore of CHORES) {
        next = earlier(next, await chore(env, now));
      }
      if (!isAhead(tidyAt, now, tidyEveryMs)) {
        await Promise.all(TIDYING.map((tidy) => env.commit(() => tidy(env, now))));
        for (const forget of FORGETTING) {
          await forget(env, now);
        }
        await tidyFile();
        tidyAt = earlier(plus(now, tidyEveryMs), monthOf(now).monthTo);
      }
      return earlier(tidyAt, next);
    },
  };
}
