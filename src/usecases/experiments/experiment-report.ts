/** The report of an experiment, of what it says now, or of what it was decided on. */

import { type Report, reportOf } from "#domain/experiments/experiment-report.ts";
import type { Environment } from "#environment.ts";
import type { ExperimentRow, ShareRow } from "#store/tables/experiments.ts";
import { figuresOf, resultsOf } from "./experiment-results.ts";

/**
 * While it is under way, the figures of now. Once it is closed, those of its verdict with the counts that it
 * was made on; verdicts from before these were kept have the counts of now, and no lines but of rates.
 */
export function experimentReport(
  env: Environment,
  experiment: ExperimentRow,
  { showsTexts }: Pick<ShareRow, "showsTexts">,
): Report {
  const results = resultsOf(env, experiment);
  const { reading, recommendation, answered, warnings, basis } = results;
  const rows = results.variants.map(({ row }) => row);
  const winner = rows.find(({ id }) =>
    experiment.closedAt === null
      ? id === rows[reading.winner ?? -1]?.id
      : id === experiment.winnerVariantId,
  );
  return reportOf({
    ...{ experiment, reading, recommendation, answered, warnings },
    figures:
      basis?.figures ?? figuresOf(env, experiment, { variants: rows, epochs: [], isFinal: false }),
    leadsByEnd: basis?.leadsByEnd ?? null,
    winner: winner?.name ?? null,
    contents: showsTexts ? rows.map(({ contents }) => contents) : null,
    readAt: env.clock.now(),
  });
}
