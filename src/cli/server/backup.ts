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
  about: "Put the master key into an archive that is not sealed",
} as const satisfies Option;

/** Reasons that another program of ours may give. */
const REASONS = ["manual", "schedule", "before_restore", "before_migration"] as const;

export const backupCommand = command({
  about: "Write a backup of both worlds to one file, and check it by unpacking it",
  details: [
    "Works while a server runs. Without FILE it goes to the backup directory under a name of its time.",
    "Sealed where OUTRIDER_BACKUP_PASSPHRASE is set; only then the master key is in it, unless",
    "--with-key. Without the key a backup is restored beside the master.key of the installation.",
  ].join("\n"),
  options: {
    "with-key": WITH_KEY,
    reason: { type: "string", value: "WORD", about: `${REASONS.join(", ")} (manual)` },
    ...BACKUP_OPTIONS,
  },
  positionals: [{ name: "FILE", about: "A file to be made, or a directory", optional: true }],
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
      const words = `${bytes} bytes, ${sealed ? "sealed" : "not sealed"}, ${key} the master key; unpacked and found whole`;
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
    throw new CommandError(EXIT.cannotCreate, `${path} is there already`);
  }
  return { directory: join(path, ".."), file: path };
}
