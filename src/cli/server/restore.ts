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
  about: "Go on where neither the backup nor this machine has its master key",
} as const satisfies Option;
const STAGE = {
  type: "boolean",
  about: "Only lay it ready beside the data there: the next start puts it in its place",
} as const satisfies Option;
const CHECK = {
  type: "boolean",
  about: "Only unpack and check it; change nothing",
} as const satisfies Option;

export const restoreCommand = command({
  about: "Restore a backup into an empty data directory",
  details: [
    "Refuses a backup that is damaged or of a newer program, and a directory with anything in it.",
    "The passphrase of a sealed one is OUTRIDER_BACKUP_PASSPHRASE. A server on the restored data first",
    "looks into the mailboxes for what was sent and answered since the backup, so that nobody is",
    "written to twice (docs/operations.md).",
  ].join("\n"),
  options: { check: CHECK, stage: STAGE, "without-key": WITHOUT_KEY, ...BACKUP_OPTIONS },
  positionals: [{ name: "FILE", about: "The backup" }],
  run: async (call) => {
    const { values, words, terminal, workingDir } = call;
    const { config } = configOf(call);
    const file = resolve(workingDir, words[0] ?? "");
    if (!existsSync(file)) {
      throw new CommandError(EXIT.usage, `there is no file ${file}`);
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
    const what = `the backup of ${at}, made by Outrider ${manifest.version}`;
    const done =
      values.check === true ? `${what}, is whole` : `restored ${what}, to ${config.dataDir}`;
    terminal.out(`${done}\n`);
    for (const warning of warnings) {
      terminal.err(`${styled("warning:", "amber", terminal.errColours)} ${warning}\n`);
    }
    return EXIT.done;
  },
});
