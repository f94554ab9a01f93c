/** `outrider backup`: one file of everything, made beside a running server or without one. */

import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { command, type Option } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { jsonLine, styled } from "#cli/term.ts";
import { toIso } from "#domain/time.ts";
import { BACKUP_OPTIONS, existingPlace, explained } from "./backups.ts";
import { configOf } from "./settings.ts";

const WITH_KEY = {
  type: "boolean",
  about: "Include the master key in an unencrypted backup",
} as const satisfies Option;

/** Reasons that another program of ours may give. */
const REASONS = ["manual", "schedule", "before_restore", "before_migration"] as const;

export const backupCommand = command({
  about: "Back up both environments to one file, and verify it by unpacking it",
  details: [
    "Works while the server runs. Without FILE, the backup goes to the backup directory, named by time.",
    "If OUTRIDER_BACKUP_PASSPHRASE is set, the backup is encrypted and includes the master key. Otherwise",
    "the key is left out, unless --with-key, and restoring needs this installation's master.key.",
  ].join("\n"),
  options: {
    "with-key": WITH_KEY,
    reason: { type: "string", value: "WORD", about: `${REASONS.join(", ")} (manual)` },
    ...BACKUP_OPTIONS,
  },
  positionals: [{ name: "FILE", about: "File to create, or a directory", optional: true }],
  run: async (call) => {
    const { values, words, terminal, workingDir } = call;
    const { config } = configOf(call);
    const reason = REASONS.find((one) => one === (values.reason ?? "manual"));
    if (reason === undefined) {
      throw usageError(`--reason must be one of ${REASONS.join(", ")}`);
    }
    const place = await existingPlace(config);
    const target = targetOf(words[0], workingDir);
    const { makeBackup } = await import("#store/operations/backups.ts");
    const made = await explained(() =>
      makeBackup(target.directory === null ? place : { ...place, directory: target.directory }, {
        reason,
        ...(target.file === null ? {} : { file: target.file }),
        withKey: values["with-key"] === true,
      }),
    );
    const { manifest, warnings, path, id } = made;
    const bytes = statSync(path).size;
    const sealed = place.passphrase !== null;
    if (call.json) {
      const at = toIso(manifest.createdAt);
      const key = manifest.masterKey;
      terminal.out(
        jsonLine({ id, path, bytes, sealed, master_key: key, created_at: at, warnings }),
      );
    } else {
      terminal.out(`${path}\n`);
      const key = manifest.masterKey === "included" ? "with" : "without";
      const words = `${bytes} bytes, ${sealed ? "encrypted" : "not encrypted"}, ${key} the master key; unpacked and verified`;
      terminal.err(styled(`${words}\n`, "dim", terminal.errColours));
      for (const warning of warnings) {
        terminal.err(`${styled("warning:", "amber", terminal.errColours)} ${warning}\n`);
      }
    }
    return EXIT.done;
  },
});

interface Target {
  directory: string | null;
  file: string | null;
}

function targetOf(named: string | undefined, workingDir: string): Target {
  if (named === undefined) {
    return { directory: null, file: null };
  }
  const path = resolve(workingDir, named);
  if (existsSync(path) && statSync(path).isDirectory()) {
    return { directory: path, file: null };
  }
  if (existsSync(path)) {
    throw new CommandError(EXIT.cannotCreate, `${path} already exists; choose another name`);
  }
  return { directory: join(path, ".."), file: path };
}
