/** A report held against itself: each line computed again, and the figures that it gives. */

import { evaluate, QuestionError } from "#domain/experiments/stats/functions.ts";

export interface Replayed {
  /** From 1, as the lines stand in the report. */
  line: number;
  fn: unknown;
  /** Paths of the figures that it is of. */
  figures: string[];
  agrees: boolean;
  /** What is not the same, and why; absent where all is. */
  differs?: string[];
}

/** One for each line. Throws a {@link QuestionError} for what is no report. */
export function replay(report: unknown): Replayed[] {
  const lines = isRecord(report) ? report["lines"] : undefined;
  if (!Array.isArray(lines)) {
    throw new QuestionError("this is no report of an experiment: it has no lines");
  }
  return lines.map((given: unknown, at) => {
    const one = isRecord(given) ? given : {};
    const gives = isRecord(one["gives"]) ? one["gives"] : {};
    const differs = differencesOf(report, one, gives);
    return {
      ...{ line: at + 1, fn: one["fn"], figures: Object.keys(gives), agrees: differs.length === 0 },
      ...(differs.length === 0 ? {} : { differs }),
    };
  });
}

function differencesOf(report: unknown, line: Fields, gives: Fields): string[] {
  let result: unknown;
  try {
    result = evaluate(line["fn"], line["input"]);
  } catch (error) {
    if (error instanceof QuestionError) {
      return [error.message];
    }
    throw error;
  }
  const own = { input: line["input"], result };
  return [
    ...(isSame(result, line["result"]) ? [] : [`result: computed ${JSON.stringify(result)}`]),
    ...Object.entries(gives).flatMap(([path, of]) => {
      const [shown, computed] = [at(report, path), at(own, String(of))];
      const is = computed !== undefined && isSame(shown, computed);
      return is ? [] : [`${path}: shown ${JSON.stringify(shown)}, is ${JSON.stringify(computed)}`];
    }),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands at `variants.0.name` of a value; undefined where nothing does. */
function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((one, name) => {
    const isThere = typeof one === "object" && one !== null && Object.hasOwn(one, name);
    return isThere ? (one as Fields)[name] : undefined;
  }, value);
}

/** To the last digit. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
