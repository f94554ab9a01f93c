/** `outrider migrate`: brings the data up to this program, or shows on a copy that it would. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, type Option } from "#cli/command.ts";
import { CommandError, EXIT } from "#cli/exit.ts";
import { jsonLine } from "#cli/term.ts";
import { ENVS } from "#domain/team/api-key.ts";
import { systemClock } from "#platform/clock.ts";
import { silentLog } from "#platform/log.ts";
import type { BackupPlace } from "#store/operations/backups.ts";
import { existingPlace } from "./backups.ts";
import { withoutServer } from "./environments.ts";
import { configOf, settingOptions } from "./settings.ts";

const DRY_RUN = {
  type: "boolean",
  about: "Migrate a copy, check it, and delete it",
} as const satisfies Option;

export const migrateCommand = command({
  about: "Migrate the data to this version; serve does this on its own",
  details:
    "Makes a backup before changing anything. Stop the server first, unless you use --dry-run.",
  options: { "dry-run": DRY_RUN, ...settingOptions(["data", "backup_dir"]) },
  run: async (call) => {
    const { config } = configOf(call);
    const place = await existingPlace(config);
    const isDry = call.values["dry-run"] === true;
    const { backupBeforeMigration, migrateFile, pendingMigrations } = await import(
      "#app/upgrade.ts"
    );
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
      const what = isDry ? "would migrate" : "migrated";
      call.terminal.out(`${what} from schema version ${first.from} to ${first.to}\n`);
    }
    return EXIT.done;
  },
});

/** Throws where a migrated copy would be damaged. */
async function migrateCopies(place: BackupPlace): Promise<void> {
  const { examineFile } = await import("#store/operations/snapshot.ts");
  const { migrateFile } = await import("#app/upgrade.ts");
  const copy = mkdtempSync(join(tmpdir(), "outrider-migrate-"));
  try {
    for (const env of ENVS) {
      const path = join(copy, `${env}.db`);
      place.copy(env, path, systemClock.now());
      migrateFile(path);
      const [fault] = examineFile(path).faults;
      if (fault !== undefined) {
        throw new CommandError(
          EXIT.badData,
          `migrating would damage the ${env} database: ${fault}`,
        );
      }
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
