/** `outrider drill`: tries whether the newest backup, or a replica, would bring everything back. */

import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Drilled } from "#app/drill.ts";
import { type Call, command } from "#cli/command.ts";
import { CommandError, EXIT } from "#cli/exit.ts";
import { jsonLine, printable, styled } from "#cli/term.ts";
import type { Config } from "#config/config.ts";
import { toIso } from "#domain/time.ts";
import { systemClock } from "#platform/clock.ts";
import { BACKUP_OPTIONS, explained, knownKey } from "./backups.ts";
import { configOf } from "./settings.ts";

export const drillCommand = command({
  about: "Try whether a backup or replica would bring everything back",
  details: [
    "Restores the newest backup, or FILE, into a temporary directory, without a network: migrates it, asks",
    "it whether it's ready, and compares it with the current data. FILE can be a directory that a replica",
    "was restored to. Changes nothing. The server's metrics show when a drill last succeeded.",
  ].join("\n"),
  options: BACKUP_OPTIONS,
  positionals: [{ name: "FILE", about: "Backup, or directory of a replica", optional: true }],
  run: async (call) => {
    const { config } = configOf(call);
    const path = await copyToTry(config, call.words[0], call.workingDir);
    const { drill } = await import("#app/drill.ts");
    const { writeDrill } = await import("#store/operations/drill.ts");
    const at = systemClock.now();
    const from = statSync(path).isDirectory() ? { directory: path } : { file: path };
    const note = (copiedAt: typeof at, faults: string[]) => {
      if (existsSync(config.operations.backupDir)) {
        const succeeded = faults.length === 0;
        writeDrill(config.operations.backupDir, { at, copiedAt, succeeded, faults });
      }
    };
    const masterKey = knownKey(config, config.dataDir);
    const done = await explained(() => drill({ config, from, masterKey })).catch((error) => {
      note(at, [error instanceof Error ? error.message : String(error)]);
      throw error;
    });
    note(done.copiedAt, done.faults);
    say(call, path, done);
    return done.faults.length === 0 ? EXIT.done : EXIT.failed;
  },
});

async function copyToTry(
  config: Config,
  named: string | undefined,
  workingDir: string,
): Promise<string> {
  if (named !== undefined) {
    const path = resolve(workingDir, named);
    if (!existsSync(path)) {
      throw new CommandError(EXIT.usage, `no such file or directory: ${path}`);
    }
    return path;
  }
  const { listBackups } = await import("#store/operations/backup-files.ts");
  const [newest] = listBackups(config.operations.backupDir);
  if (newest === undefined) {
    const { backupDir } = config.operations;
    throw new CommandError(EXIT.failed, `no backups in ${backupDir}; make one: outrider backup`);
  }
  return newest.path;
}

function say(
  { json, terminal }: Pick<Call, "json" | "terminal">,
  path: string,
  { copiedAt, counts, faults }: Drilled,
): void {
  const succeeded = faults.length === 0;
  if (json) {
    const rows = { copy: counts.copy, original: counts.original };
    terminal.out(jsonLine({ succeeded, path, copied_at: toIso(copiedAt), rows, faults }));
    return;
  }
  const rows = Object.entries(counts.copy).map(([table, count]) => {
    const original = counts.original?.[table];
    const beside = original === undefined ? "" : ` (${original} in the current data)`;
    return `  ${table}: ${count}${beside}\n`;
  });
  const verdict = succeeded ? styled("works", "green", terminal.outColours) : "does NOT work";
  terminal.out(`${printable(path)}, from ${toIso(copiedAt)}, ${verdict}. Until then it has\n`);
  terminal.out(rows.join(""));
  for (const fault of faults) {
    terminal.err(`${styled("error:", "red", terminal.errColours)} ${fault}\n`);
  }
}
