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
  about: "Put another release in the place of this program",
  details: [
    "The new file is run once (version) before it takes the place, and the old one stays beside it",
    "as outrider.old. A server that runs goes on as it is until it is restarted; the new one makes a",
    "backup before it changes the data.",
  ].join("\n"),
  options: {
    from: { type: "string", value: "FILE", about: "The new executable", required: true },
    sha256: {
      type: "string",
      value: "HEX",
      about: "What it must be, from the release's SHA256SUMS",
    },
    target: { type: "string", value: "FILE", about: "What is replaced (this program)" },
  },
  run: async (call) => {
    const { values, workingDir } = call;
    const source = resolve(workingDir, values.from);
    if (!existsSync(source)) {
      throw new CommandError(EXIT.badData, `cannot read ${source}`);
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
        : `${target} is ${version} (${commit}) now; the old one is ${target}.old\n`,
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
    throw new CommandError(EXIT.badData, `${path} is ${found}, not what --sha256 says`);
  }
}

function targetOf({ workingDir }: Pick<Call, "workingDir">, named: string | undefined): string {
  const target = named === undefined ? process.execPath : resolve(workingDir, named);
  if (named === undefined && !isCompiled()) {
    throw usageError("this program runs from its source: name the executable with --target");
  }
  if (!existsSync(target)) {
    throw new CommandError(EXIT.badData, `there is no ${target} to replace`);
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
    throw new CommandError(EXIT.badData, "the new file is no Outrider that runs on this machine");
  }
  return { version: said.version, commit: said.commit };
}

function cannotWrite(target: string, error: unknown): CommandError {
  const why = messageOf(error);
  return new CommandError(EXIT.cannotCreate, `cannot replace ${target}: ${why}`);
}
