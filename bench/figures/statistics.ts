/** What the statistics of an experiment cost at the largest size it may have. */

import { program, resultOf, temporaryDirectory } from "../children.ts";
import { type Figure, summary } from "../measure.ts";
import type { StatisticsInput, StatisticsResult, Timing } from "../programs/statistics.ts";
import type { Scale } from "./scale.ts";

const TIMES = 20;

export async function statistics({ rounds }: Scale): Promise<Figure[]> {
  using directory = temporaryDirectory();
  const input: StatisticsInput = { directory: directory.path, rounds, times: TIMES };
  const result = await resultOf<StatisticsResult>(program("statistics", input));
  const limits = [{ name: "1,000 values of the incomplete beta function" }];
  const of = "10 variants at 1,000,000 leads each";
  const figure = (id: string, about: string, samples: readonly Timing[][]) =>
    summary({ id, about, unit: "ms", limits }, samples);
  return [
    figure("win_probabilities", `Win probabilities and losses, ${of}`, result.winProbabilities),
    figure("value_remaining", "… and the value remaining after them", result.valueRemaining),
    figure(
      "experiment_results",
      "Results of an experiment of 10 variants and 1,000,000 leads, read from the store",
      result.results,
    ),
  ];
}
