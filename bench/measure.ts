/**
 * What a measurement is: the product and its limit run in turn, round after round, on one machine, so
 * that whatever else the machine does meets both. A ratio is taken inside a round; the median of the
 * rounds is the figure.
 */

/** One run of one side. */
export interface Sample {
  /** In the figure's unit. */
  value: number;
  /** Processor time of one operation in µs, where the system tells it. */
  cpuUs?: number | undefined;
}

export interface Limit {
  name: string;
  /** The ratio that is aimed at. */
  least?: number;
  /**
   * A load is compared with rest, or work with waiting for a disk: whatever else runs on the machine, or
   * what disk it has, moves that by any factor, so it is told and nothing fails by it.
   */
  isUnjudged?: true;
}

export interface Side extends Limit {
  run: () => Promise<Sample>;
}

export interface Question {
  /** Stable: the record is compared by it. */
  id: string;
  about: string;
  unit: "1/s" | "ms" | "µs" | "s" | "MiB" | "kB";
  /** The value that is aimed at: no more of it, or of `1/s` no less. */
  aim?: number;
  product: Side;
  limits: readonly Side[];
}

export interface Against {
  limit: string;
  least: number | null;
  value: number;
  cpuUs: number | null;
  /** How much of the limit is reached: 1 is all of it, whichever way the unit counts. */
  ratio: number;
  /** The same by processor time alone. */
  cpuRatio: number | null;
  isJudged: boolean;
  /** Least and greatest ratio of the rounds. */
  spread: readonly [number, number];
}

export interface Figure {
  id: string;
  about: string;
  unit: Question["unit"];
  rounds: number;
  aim: number | null;
  value: number;
  cpuUs: number | null;
  against: Against[];
}

/** Runs every side `rounds` times, each round in the opposite order of the one before. */
export async function compare(question: Question, rounds: number): Promise<Figure> {
  const sides = [question.product, ...question.limits];
  const samples: Sample[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? sides : sides.toReversed();
    for (const side of order) {
      samples[sides.indexOf(side)]?.push(await side.run());
    }
  }
  return summary(question, samples);
}

/** `samples`: those of the product, then those of each limit, round by round. */
export function summary(
  question: Omit<Question, "product" | "limits"> & { limits: readonly Limit[] },
  samples: readonly (readonly Sample[])[],
): Figure {
  const { id, about, unit } = question;
  const own = samples[0] ?? [];
  return {
    id,
    about,
    unit,
    rounds: own.length,
    aim: question.aim ?? null,
    value: median(own.map(({ value }) => value)),
    cpuUs: medianOrNull(own.map(({ cpuUs }) => cpuUs)),
    against: question.limits.map((limit, index) =>
      against(limit, unit, own, samples[index + 1] ?? []),
    ),
  };
}

function against(
  { name, least, isUnjudged }: Limit,
  unit: Figure["unit"],
  own: readonly Sample[],
  other: readonly Sample[],
): Against {
  const ratios = own.map(({ value }, round) => {
    const theirs = other[round]?.value ?? Number.NaN;
    return unit === "1/s" ? value / theirs : theirs / value;
  });
  const cpuRatios = own.map(({ cpuUs }, round) => {
    const theirs = other[round]?.cpuUs;
    return cpuUs === undefined || theirs === undefined ? undefined : theirs / cpuUs;
  });
  return {
    limit: name,
    least: least ?? null,
    value: median(other.map(({ value }) => value)),
    cpuUs: medianOrNull(other.map(({ cpuUs }) => cpuUs)),
    ratio: median(ratios),
    cpuRatio: medianOrNull(cpuRatios),
    isJudged: least !== undefined && isUnjudged !== true,
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

/** Whether a figure is what it aims at; null where it aims at nothing. */
export function isReached({ aim, unit, value }: Figure): boolean | null {
  return aim === null ? null : unit === "1/s" ? value >= aim : value <= aim;
}

/** A ratio that is less than this part of what it was is worth failing for; others are noise. */
const NOISE = 0.5;

/** A ratio that is off. */
export interface Failure {
  id: string;
  limit: string;
  words: string;
}

/**
 * The ratios with an aim that are off by more than half of the one recorded, or of the aim where that is
 * less: by time and, where it is known, by processor time too. What was never recorded is not checked.
 */
export function failures(figures: readonly Figure[], recorded: readonly Figure[]): Failure[] {
  return figures.flatMap(({ id, about, against: all }) => {
    const before = recorded.find((one) => one.id === id)?.against ?? [];
    return all.flatMap(({ limit, least, ratio, cpuRatio, isJudged }) => {
      const was = before.find((one) => one.limit === limit)?.ratio;
      if (!isJudged || least === null || was === undefined) {
        return [];
      }
      const expected = Math.min(was, least);
      const best = Math.max(ratio, cpuRatio ?? 0);
      const words = `${about}: ${best.toFixed(3)} of ${limit}, where ${expected.toFixed(3)} is expected`;
      return best >= expected * NOISE ? [] : [{ id, limit, words }];
    });
  });
}

/** Times that something is measured before it has failed. */
const ATTEMPTS_MAX = 3;

/** Measures, and anew where a ratio is off: it has failed when it is off each time. */
export async function measured(
  measure: () => Promise<Figure[]>,
  recorded: readonly Figure[],
): Promise<{ figures: Figure[]; failed: Failure[] }> {
  let figures = await measure();
  let failed = failures(figures, recorded);
  for (let attempt = 1; attempt < ATTEMPTS_MAX && failed.length > 0; attempt += 1) {
    figures = await measure();
    const again = failures(figures, recorded);
    failed = failed.filter((one) =>
      again.some(({ id, limit }) => id === one.id && limit === one.limit),
    );
  }
  return { figures, failed };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Null unless every round has one. */
function medianOrNull(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 || known.length < values.length ? null : median(known);
}
