/** An experiment of ten variants and a million leads in a store, for what it costs to read. */

import { DAY_MS, plus, unixMs } from "#domain/time.ts";
import { experimentById, updateExperiment, variantsOf } from "#store/experiments/experiments.ts";
import { addTallies } from "#store/sending/exposures.ts";
import type { ExperimentRow, ExposureRow } from "#store/tables/experiments.ts";
import { createExperiment } from "#usecases/experiments/experiments.ts";
import { openStage, type Stage } from "../stage.ts";

export const VARIANTS = 10;
export const LEADS = 1_000_000;
const MAILBOXES = 50;
const PROVIDERS = ["google", "microsoft", "custom"] as const;
const HOURS = [0, 24] as const;
const AT = unixMs(1_790_000_000_000);

export interface LargeExperiment extends Disposable {
  stage: Stage;
  row: () => ExperimentRow;
}

/** In `directory`; its sums are those that a million sent emails and checked leads leave behind. */
export async function openLargeExperiment(directory: string): Promise<LargeExperiment> {
  const at = plus(AT, 8 * DAY_MS);
  const size = { mailboxes: 1, leads: 1, dailyLimit: 1, steps: 1 };
  const stage = await openStage({ directory, hours: HOURS, at: () => at, ...size });
  const { env, caller, campaignId } = stage;
  const id = await env.commit(() => {
    const variants = Array.from({ length: VARIANTS }, (_, nth) => {
      return { name: `Variant ${nth}`, config: {}, weight: 1 };
    });
    const row = createExperiment(env, caller, { campaignId, name: "Bench", variants });
    const endsAt = plus(AT, 14 * DAY_MS);
    updateExperiment(env.db, { ...row, startedAt: AT, firstSentAt: AT, endsAt });
    const strata = MAILBOXES * PROVIDERS.length;
    for (const [nth, variant] of variantsOf(env.db, row.id).entries()) {
      for (let stratum = 0; stratum < strata; stratum += 1) {
        const sent = Math.round(LEADS / VARIANTS / strata);
        const replies = Math.round(sent * (0.03 + nth * 0.0003));
        addTallies(
          env.db,
          {
            teamId: row.teamId,
            experimentId: row.id,
            variantId: variant.id,
            epoch: row.epoch,
            accountId: `00000000-0000-7000-8000-${String(stratum % MAILBOXES).padStart(12, "0")}`,
            provider: PROVIDERS[stratum % PROVIDERS.length] ?? "custom",
          } as ExposureRow,
          {
            sent,
            replies,
            interested: Math.round(replies / 2),
            negativeReplies: Math.round(replies / 3),
            bounced: Math.round(sent / 100),
            optedOut: Math.round(sent / 200),
            successes: replies,
            failures: sent - replies,
          },
        );
      }
    }
    return row.id;
  });
  return {
    stage,
    row: () => experimentById(env.db, id) as ExperimentRow,
    [Symbol.dispose]: () => void stage.environments.close(),
  };
}
