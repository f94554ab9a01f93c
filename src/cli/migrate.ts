/** `outrider migrate`: brings the data up to this program, or shows on a copy that it would. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENVS } from "#domain/api-key.ts";
import { systemClock } from "#runtime/clock.ts";
import { silentLog } from "#runtime/log.ts";
import type { BackupPlace } from "#store/backups.ts";
import { existingPlace } from "./backups.ts";
import { command, type Option } from "./command.ts";
import { CommandError, EXIT } from "./exit.ts";
import { configOf, settingOptions } from "./settings.ts";
import { jsonLine } from "./term.ts";
import { withoutServer } from "./worlds.ts";

const DRY_RUN = {
  type: "boolean",
  about: "Migrate a copy, check it, and throw it away",
} as const satisfies Option;

export const migrateCommand = command({
  about: "Bring the data up to this program; serve does so by itself",
  details:
    "A backup is made before anything is changed. The server must not run, unless --dry-run.",
  options: { "dry-run": DRY_RUN, ...settingOptions(["data", "backup_dir"]) },
  run: async (call) => {
    const { config } = configOf(call);
    const place = await existingPlace(config);
    const isDry = call.values["dry-run"] === true;
    const { backupBeforeMigration, pendingMigrations } = await import("#upgrade.ts");
    const { migrateFile } = await import("#store/migrate-file.ts");
    const pending = pendingMigrations(config);
    let backup: string | null = null;
    if (isDry) {
      await migrateCopies(place);
    } else if (pending.length > 0) {
      backup = await withoutServer(config.dataDir, async () => {
        const made = await backupBeforeMigration(config, silentLog);
        for (const { env } of pending) {
          migrateFile(join(config.dataDir, `${env}.db`));
        }
        return made;
      });
    }
    const [first] = pending;
    if (call.json) {
      const migrations = pending.map(({ env, from, to }) => ({ env, from, to }));
      call.terminal.out(jsonLine({ dry_run: isDry, migrations, backup }));
    } else if (first === undefined) {
      call.terminal.out("up to date\n");
    } else {
      const what = isDry ? "would go" : "went";
      call.terminal.out(`${what} from schema version ${first.from} to ${first.to}\n`);
    }
    return EXIT.done;
  },
});

/** Throws where a migrated copy would be damaged. */
async function migrateCopies(place: BackupPlace): Promise<void> {
  const { examineFile } = await import("#store/snapshot.ts");
  const { migrateFile } = await import("#store/migrate-file.ts");
  const copy = mkdtempSync(join(tmpdir(), "outrider-migrate-"));
  try {
    for (const env of ENVS) {
      const path = join(copy, `${env}.db`);
      place.copy(env, path, systemClock.now());
      migrateFile(path);
      const [fault] = examineFile(path).faults;
      if (fault !== undefined) {
        throw new CommandError(EXIT.badData, `the ${env} database would be damaged: ${fault}`);
      }
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
