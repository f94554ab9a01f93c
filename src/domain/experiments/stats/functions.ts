/**
 * Our statistics by name, from JSON to JSON. What is camelCase inside is snake_case here, for arguments,
 * results and the names in refusals.
 */

import { ArgumentError } from "#domain/experiments/stats/argument.ts";
import { allocation } from "#domain/experiments/stats/bandit.ts";
import {
  convergence,
  expectedLoss,
  pBest,
  probBBeatsA,
  valueRemaining,
} from "#domain/experiments/stats/bayes.ts";
import { dunnett, dunnettLevel } from "#domain/experiments/stats/dunnett.ts";
import { epochTest, equivalentCounts } from "#domain/experiments/stats/epochs.ts";
import { groupSequential } from "#domain/experiments/stats/group-sequential.ts";
import { homogeneity } from "#domain/experiments/stats/homogeneity.ts";
import {
  credibleInterval,
  newcombe,
  ratioInterval,
  wilson,
} from "#domain/experiments/stats/intervals.ts";
import {
  daysToDecision,
  minimumDetectable,
  sampleSize,
  testAndRoll,
} from "#domain/experiments/stats/sample-size.ts";
import {
  combinedP,
  epochsCs,
  eprocessEpochs,
  eprocessLimit,
  eprocessReplies,
  holm,
  ratioCs,
} from "#domain/experiments/stats/sequential.ts";
import { expectedLift } from "#domain/experiments/stats/shrinkage.ts";
import { srmChi2, srmEprocess } from "#domain/experiments/stats/split-check.ts";
import {
  cmh,
  fisher,
  raoScott,
  twoProportionTest,
  twoProportionZ,
} from "#domain/experiments/stats/two-proportion.ts";
import { nearestWord } from "#domain/nearest-word.ts";

/** The functions check their own arguments, so that anything may be handed to them. */
type Evaluated = (input: never) => object;

const PAIR = ["x_a", "n_a", "x_b", "n_b"];
const ARMS = ["successes", "failures"];
const REPLIES = ["replies_a", "replies_b", "share_b", "concentration"];
const ERRORS = ["alpha", "power"];

const FUNCTIONS: Readonly<Record<string, readonly [run: Evaluated, inputs: readonly string[]]>> = {
  two_prop_z: [twoProportionZ, PAIR],
  two_prop_p: [twoProportionTest, PAIR],
  fisher: [fisher, PAIR],
  cmh: [cmh, ["strata"]],
  homogeneity: [homogeneity, ["strata"]],
  rao_scott: [raoScott, ["clusters_a", "clusters_b"]],
  wilson: [wilson, ["x", "n", "level"]],
  newcombe: [newcombe, [...PAIR, "level"]],
  ratio_interval: [ratioInterval, [...PAIR, "level"]],
  credible_interval: [credibleInterval, ["s", "f", "level"]],
  eprocess_replies: [eprocessReplies, REPLIES],
  eprocess_limit: [eprocessLimit, ["x", "n", "limit"]],
  eprocess_epochs: [eprocessEpochs, ["epochs", "tau", "grid"]],
  epochs_cs: [epochsCs, ["epochs", "tau", "grid", "alpha"]],
  epoch_test: [epochTest, ["epochs", "level"]],
  equivalent_counts: [equivalentCounts, ["epochs"]],
  ratio_cs: [ratioCs, [...REPLIES, "alpha"]],
  group_sequential: [groupSequential, ["replies_a", "replies_b", "share_b", "expected", "alpha"]],
  combined_p: [combinedP, ["p_anytime", "p_fixed", "is_final", "alpha", "alpha_early"]],
  holm: [holm, ["p"]],
  dunnett: [dunnett, ["p_value", "lambdas", "factor"]],
  dunnett_level: [dunnettLevel, ["alpha", "lambdas"]],
  expected_lift: [expectedLift, ["lift", "past"]],
  p_best: [pBest, ARMS],
  prob_b_beats_a: [probBBeatsA, ["s_a", "f_a", "s_b", "f_b"]],
  expected_loss: [expectedLoss, ARMS],
  value_remaining: [valueRemaining, [...ARMS, "quantile"]],
  convergence: [convergence, ARMS],
  allocation: [allocation, [...ARMS, "mode", "epsilon", "beta", "weights"]],
  sample_size: [sampleSize, ["p1", "p2", ...ERRORS]],
  minimum_detectable: [minimumDetectable, ["baseline", "n_per_variant", ...ERRORS]],
  days_to_decision: [daysToDecision, ["variants", "n_per_variant", "daily_leads", "window_days"]],
  test_and_roll: [testAndRoll, ["list_size", "base_rate", "prior_cv"]],
  srm_chi2: [srmChi2, ["observed", "weights"]],
  srm_eprocess: [srmEprocess, ["observed", "weights", "concentration"]],
};

/** A line a function: its name and what it takes. */
export function functionList(): string[] {
  return Object.entries(FUNCTIONS).map(([name, [, inputs]]) => `  ${name}: ${inputs.join(", ")}`);
}

/** Says what is wrong with a question, for whoever asked it. */
export class QuestionError extends Error {}

/** Lists in lists, as deep as any function's input goes. */
const DEPTH_MAX = 4;

/** The result of `fn` on `input`. Throws a {@link QuestionError} for anything that is no question. */
export function evaluate(fn: unknown, input: unknown): unknown {
  const known = typeof fn === "string" && Object.hasOwn(FUNCTIONS, fn) ? FUNCTIONS[fn] : undefined;
  if (known === undefined) {
    const nearest = typeof fn === "string" ? nearestWord(fn, Object.keys(FUNCTIONS)) : undefined;
    const hint =
      nearest === undefined ? 'see "outrider help stats eval"' : `did you mean ${nearest}?`;
    throw new QuestionError(`fn is not a known function; ${hint}`);
  }
  const [run, inputs] = known;
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new QuestionError("input must be an object");
  }
  refuseMisspelt(Object.keys(input), inputs);
  try {
    return renamed(run(renamed(input, toCamel, DEPTH_MAX) as never), toSnake, DEPTH_MAX);
  } catch (error) {
    if (error instanceof ArgumentError) {
      throw new QuestionError(
        `${toSnake(error.argument)} ${error.rule.replace(/\bn[AB]\b/, toSnake)}`,
      );
    }
    throw error;
  }
}

/** A question with what {@link evaluate} says to it. */
export interface Answered {
  fn: string;
  input: unknown;
  result: unknown;
}

/** The same for an input in our own names. */
export function answered(fn: string, input: object): Answered {
  const named = renamed(input, toSnake, DEPTH_MAX);
  return { fn, input: named, result: evaluate(fn, named) };
}

/** A name that is nearly one of ours would otherwise leave a default in place. Others are let be. */
function refuseMisspelt(names: readonly string[], inputs: readonly string[]): void {
  for (const name of names) {
    const nearest = inputs.includes(name) ? undefined : nearestWord(name, inputs);
    if (nearest !== undefined && !names.includes(nearest)) {
      throw new QuestionError(`input has no ${JSON.stringify(name)}; did you mean ${nearest}?`);
    }
  }
}

function renamed(value: unknown, rename: (name: string) => string, depth: number): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (depth === 0) {
    throw new QuestionError("input has a list or object where a plain value is expected");
  }
  if (Array.isArray(value)) {
    return value.map((member) => renamed(member, rename, depth - 1));
  }
  const entries = Object.entries(value).map(([name, member]) => {
    return [rename(name), renamed(member, rename, depth - 1)];
  });
  return Object.fromEntries(entries);
}

function toCamel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
