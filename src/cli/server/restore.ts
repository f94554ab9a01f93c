/** `outrider restore`: a backup into an empty directory. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { command, type Option } from "#cli/command.ts";
import { CommandError, EXIT } from "#cli/exit.ts";
import { jsonLine, styled } from "#cli/term.ts";
import { toIso } from "#domain/time.ts";
import { BACKUP_OPTIONS, explained, knownKey } from "./backups.ts";
import { configOf } from "./settings.ts";

const WITHOUT_KEY = {
  type: "boolean",
  about: "Continue even if neither the backup nor this machine has the master key",
} as const satisfies Option;
const STAGE = {
  type: "boolean",
  about: "Unpack it next to the existing data; the next start swaps it in",
} as const satisfies Option;
const CHECK = {
  type: "boolean",
  about: "Unpack and check the backup; change nothing",
} as const satisfies Option;

export const restoreCommand = command({
  about: "Restore a backup into an empty data directory",
  details: [
    "Refuses a backup that is damaged or from a newer version, and a directory that isn't empty.",
    "Set OUTRIDER_BACKUP_PASSPHRASE for an encrypted backup. A server started on the restored data first",
    "checks the mailboxes for emails sent and received since the backup, so that nobody gets the same",
    "email twice (docs/operations.md).",
  ].join("\n"),
  options: { check: CHECK, stage: STAGE, "without-key": WITHOUT_KEY, ...BACKUP_OPTIONS },
  positionals: [{ name: "FILE", about: "The backup file" }],
  run: async (call) => {
    const { values, words, terminal, workingDir } = call;
    const { config } = configOf(call);
    const file = resolve(workingDir, words[0] ?? "");
    if (!existsSync(file)) {
      throw new CommandError(EXIT.usage, `no such file: ${file}`);
    }
    const found = await explained(async () => {
      const passphrase = config.operations.backupPassphrase;
      if (values.check === true) {
        const { verifyBackup } = await import("#store/operations/backups.ts");
        return verifyBackup(file, passphrase, config.operations.backupDir);
      }
      const { applyRestore, emptyDirectory, stageRestore } = await import(
        "#store/operations/restore.ts"
      );
      const { dataDir } = config;
      if (values.stage !== true) {
        emptyDirectory(dataDir);
      }
      const masterKey = knownKey(config, dataDir);
      const unpacked = await stageRestore({
        file,
        passphrase,
        dataDir,
        masterKey,
        keyInDirectory: config.masterKey === null,
        withoutKey: values["without-key"] === true,
      });
      if (values.stage !== true) {
        applyRestore(dataDir);
      }
      return unpacked;
    });
    const { manifest, examined } = found;
    const at = toIso(manifest.createdAt);
    const warnings = [...examined.live.warnings, ...examined.test.warnings];
    if (call.json) {
      const { id, version, schema, masterKey } = manifest;
      const said = { id, created_at: at, version, schema, master_key: masterKey, warnings };
      terminal.out(jsonLine({ ...said, data: config.dataDir }));
      return EXIT.done;
    }
    const what = `the backup from ${at}, made by Outrider ${manifest.version}`;
    const done =
      values.check === true ? `${what}, is intact` : `restored ${what}, to ${config.dataDir}`;
    terminal.out(`${done}\n`);
    for (const warning of warnings) {
      terminal.err(`${styled("warning:", "amber", terminal.errColours)} ${warning}\n`);
    }
    return EXIT.done;
  },
});
