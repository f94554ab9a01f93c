/** `outrider stats replay`: whether a shared report's figures follow from their inputs. */

import { resolve } from "node:path";
import { command } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { jsonLine, printable, styled } from "#cli/term.ts";
import { replay } from "#domain/experiments/experiment-replay.ts";
import { QuestionError } from "#domain/experiments/stats/functions.ts";

/** Far above what the largest experiment has. */
const REPORT_BYTES_MAX = 64 * 1024 * 1024;

export const statsReplayCommand = command({
  about: "Compute the figures of a shared experiment report again",
  details: [
    "Reads the JSON of a report (the link's /report.json), computes each of its lines from the inputs",
    'and writes {"line", "fn", "figures", "agrees"} for each, with what "differs" where it doesn\'t: no',
    "data directory, no network. The exit code is 1 when a line doesn't agree.",
  ].join("\n"),
  options: {},
  positionals: [{ name: "FILE", about: "The report (- or none for stdin)", optional: true }],
  run: async ({ words: [file = "-"], terminal, workingDir }) => {
    const fail = (why: string) => {
      const head = styled("outrider:", "red", terminal.errColours);
      terminal.err(`${head} ${printable(file)}: ${why}\n`);
      return EXIT.failed;
    };
    const source = file === "-" ? Bun.stdin : Bun.file(resolve(workingDir, file));
    try {
      if (source.size > REPORT_BYTES_MAX && file !== "-") {
        return fail(`a report has at most ${REPORT_BYTES_MAX} bytes`);
      }
      const lines = replay(await source.json());
      if (lines.length === 0) {
        return fail("the report has no lines to compute again");
      }
      terminal.out(lines.map(jsonLine).join(""));
      const agreeing = lines.filter(({ agrees }) => agrees).length;
      terminal.err(`${agreeing} of ${lines.length} lines agree\n`);
      return agreeing === lines.length ? EXIT.done : EXIT.failed;
    } catch (error) {
      if (error instanceof QuestionError) {
        return fail(error.message);
      }
      if (error instanceof SyntaxError) {
        return fail("the file is not valid JSON");
      }
      if (error instanceof Error && "code" in error) {
        return fail(`can't read the file (${String(error.code)})`);
      }
      throw error;
    }
  },
});
