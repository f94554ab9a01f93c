/**
 * Checks the types of everything, and that doing so stays cheap: what a schema's type costs is paid again by
 * whoever reads it, and an editor waits as long for each word as this takes for all of them.
 *
 *   bun .ci/types.ts
 */

import { join } from "node:path";

/**
 * Types made of generic ones by one checker. The same on every machine, unlike the seconds that they take.
 * Of it, 45,000: workspaces, a resource with seven routes and a form; 5,000: the experiments page asks for segments and costs, and patches variants, by the typed client;
 * 19,000: waits in minutes and the rules of a campaign, in columns of three tables that every statement's types name;
 * 60,000: the routes of sending domains, whose checks, changes and senders nest;
 * 31,000: a lead's address with its verdict, in every shape that holds a lead; 9,000: the table of recipient providers;
 * 8,000: a mailbox's aliases, in every shape that holds an account; 3,000: its limits for each of the providers;
 * 6,000: the queue of risky leads, in every statement over enrollments;
 * 10,500: whether a campaign's leads go from mailboxes at their provider, in every shape that holds a campaign;
 * 14,000: a mailbox's consent to callouts and what a lead's server said, in every shape and statement that holds one;
 * 15,000: five operations that list, restore, and purge what was deleted, and the delay of a start;
 * 58,000: the chain of a team's audit entries, and receipts of erasures; 1,000: a setting, and one more route;
 * 2,000: suppressions written down beside the database, and carried out again after a restore;
 * 2,500: where updates are, who signs them, and what takes a server to one;
 * 2,000: metrics by their labels, and the files of an installation.
 */
export const INSTANTIATIONS_MAX = 2_857_500;

/** Several share the files, and what two of them need is made twice: a file more would move all the others. */
const CHECKERS = "1";

const TSC = join(import.meta.dir, "../node_modules/.bin/tsc");

/** What tsc said of the sources, and why they are refused though nothing is wrong with their types. */
export function verdictOf(output: string): { said: string; refusal: string | undefined } {
  const [said = ""] = output.split(/^Files: /m);
  const made = Number(/^Instantiations: +(\d+)$/m.exec(output)?.[1]);
  return {
    said,
    refusal:
      made <= INSTANTIATIONS_MAX
        ? undefined
        : `tsc made ${made} types of generic ones; at most ${INSTANTIATIONS_MAX} are allowed.\n`,
  };
}

if (import.meta.main) {
  const ran = Bun.spawnSync([
    process.execPath,
    "--bun",
    TSC,
    "--noEmit",
    "--extendedDiagnostics",
    ...["--checkers", CHECKERS],
    ...process.argv.slice(2),
  ]);
  const { said, refusal } = verdictOf(`${ran.stdout}${ran.stderr}`);
  process.stderr.write(said + (ran.exitCode === 0 ? (refusal ?? "") : ""));
  process.exitCode = ran.exitCode || (refusal === undefined ? 0 : 1);
}
