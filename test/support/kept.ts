/** What a run of hours has found out, kept in a directory: one that was stopped goes on from there. */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Kept {
  /** What was kept under this question, or undefined. */
  find<Answer>(name: string, question: unknown): Answer | undefined;
  keep(name: string, question: unknown, answer: unknown): void;
}

/** A file an answer in `directory`, named `name` and by all that is in the question. */
export function keptIn(directory: string): Kept {
  mkdirSync(directory, { recursive: true });
  const pathOf = (name: string, question: unknown) =>
    join(directory, `${name}-${Bun.hash(JSON.stringify(question)).toString(16)}.json`);
  return {
    find: (name, question) => {
      const path = pathOf(name, question);
      return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
    },
    // Renamed once it is whole: a run that is killed leaves no half of a file to go on from.
    keep: (name, question, answer) => {
      const path = pathOf(name, question);
      writeFileSync(`${path}.new`, JSON.stringify(answer));
      renameSync(`${path}.new`, path);
    },
  };
}
