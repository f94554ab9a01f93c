/** `outrider update --from FILE`: puts another executable in this one's place, or in that of `--target`. */

import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { type Call, command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { jsonLine } from "#cli/term.ts";
import { messageOf } from "#domain/thrown.ts";
import { isCompiled } from "#platform/self.ts";

const ANSWER_MS_MAX = 60_000;
const EXECUTABLE_MODE = 0o755;

interface Version {
  version: string;
  commit: string;
}

export const updateCommand = command({
  about: "Replace this executable with another release",
  details: [
    "Runs the new file once (version) to check it, then replaces this one, which is kept next to it",
    "as outrider.old. A running server keeps the old version until you restart it; the new version",
    "makes a backup before it migrates the data.",
  ].join("\n"),
  options: {
    from: { type: "string", value: "FILE", about: "The new executable", required: true },
    sha256: {
      type: "string",
      value: "HEX",
      about: "Expected SHA-256, from the release's SHA256SUMS",
    },
    target: { type: "string", value: "FILE", about: "Executable to replace (this one)" },
  },
  run: async (call) => {
    const { values, workingDir } = call;
    const source = resolve(workingDir, values.from);
    if (!existsSync(source)) {
      throw new CommandError(EXIT.badData, `can't read ${source}`);
    }
    await checkHash(source, values.sha256);
    const target = targetOf(call, values.target);
    const next = `${target}.next`;
    let installed: Version;
    try {
      copyFileSync(source, next);
      chmodSync(next, EXECUTABLE_MODE);
      installed = versionOf(next);
      renameSync(target, `${target}.old`);
      renameSync(next, target);
    } catch (error) {
      rmSync(next, { force: true });
      throw error instanceof CommandError ? error : cannotWrite(target, error);
    }
    const { version, commit } = installed;
    call.terminal.out(
      call.json
        ? jsonLine({ target, version, commit, previous: `${target}.old` })
        : `${target} is now ${version} (${commit}); the old one is at ${target}.old\n`,
    );
    return EXIT.done;
  },
});

async function checkHash(path: string, wanted: string | undefined): Promise<void> {
  if (wanted === undefined) {
    return;
  }
  if (!/^[0-9a-f]{64}$/i.test(wanted)) {
    throw usageError("--sha256 takes 64 hexadecimal digits");
  }
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const bytes of Bun.file(path).stream()) {
    hasher.update(bytes);
  }
  const found = hasher.digest("hex");
  if (found !== wanted.toLowerCase()) {
    throw new CommandError(
      EXIT.badData,
      `${path} doesn't match --sha256: its hash is ${found}. Download it again`,
    );
  }
}

function targetOf({ workingDir }: Pick<Call, "workingDir">, named: string | undefined): string {
  const target = named === undefined ? process.execPath : resolve(workingDir, named);
  if (named === undefined && !isCompiled()) {
    throw usageError(
      "Outrider is running from source: name the executable to replace with --target",
    );
  }
  if (!existsSync(target)) {
    throw new CommandError(EXIT.badData, `nothing to replace: ${target} doesn't exist`);
  }
  return target;
}

/** What `path` says it is. Throws where it is no Outrider that runs here. */
function versionOf(path: string): Version {
  let said: Partial<Version>;
  try {
    const { stdout } = Bun.spawnSync([path, "version", "--json"], {
      env: {},
      timeout: ANSWER_MS_MAX,
      stderr: "ignore",
    });
    said = JSON.parse(stdout.toString()) as Partial<Version>;
  } catch {
    said = {};
  }
  if (typeof said.version !== "string" || typeof said.commit !== "string") {
    throw new CommandError(
      EXIT.badData,
      "the new file is not an Outrider executable for this machine",
    );
  }
  return { version: said.version, commit: said.commit };
}

function cannotWrite(target: string, error: unknown): CommandError {
  const why = messageOf(error);
  return new CommandError(EXIT.cannotCreate, `can't replace ${target}: ${why}`);
}
