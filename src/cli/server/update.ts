/** `outrider update`: puts another release in this executable's place, and goes back where it isn't ready. */

import { chmodSync, copyFileSync, existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Call, command, type Option } from "#cli/command.ts";
import { CommandError, EXIT, type ExitCode, usageError } from "#cli/exit.ts";
import { jsonLine, styled } from "#cli/term.ts";
import type { Config } from "#config/config.ts";
import { messageOf } from "#domain/thrown.ts";
import { stopwatch } from "#platform/clock.ts";
import { isCompiled } from "#platform/self.ts";
import { serverOf } from "#store/sqlite/lock.ts";
import { download, readRelease, releaseFileOf, type Version } from "./releases.ts";
import { checkMayRestart, putInPlace, rollOut } from "./rollout.ts";
import { configOf, settingOptions } from "./settings.ts";

const ANSWER_MS_MAX = 60_000;
const EXECUTABLE_MODE = 0o755;
const READY_SECONDS = 120;
const READY_SECONDS_MAX = 3_600;
/** Of the time that the migration of a copy took, for the real one with its backup. */
const MIGRATION_FACTOR = 3;

const OPTIONS = {
  check: { type: "boolean", about: "Only say whether there is another version" },
  from: { type: "string", value: "FILE", about: "New executable, instead of fetching one" },
  sha256: {
    type: "string",
    value: "HEX",
    about: "With --from: expected SHA-256, from the release's SHA256SUMS",
  },
  target: { type: "string", value: "FILE", about: "Executable to replace (this one)" },
  "allow-downgrade": {
    type: "boolean",
    about: "Take an older version, or another build of this one",
  },
  "restart-command": {
    type: "string",
    value: "COMMAND",
    about: "What restarts the server, such as 'systemctl restart outrider'; default: SIGTERM",
  },
  "no-restart": { type: "boolean", about: "Only replace the file" },
  timeout: {
    type: "string",
    value: "SECONDS",
    about: `Seconds that the new version may take to be ready (${READY_SECONDS}), plus its migration`,
  },
  ...settingOptions(["update_url", "update_key", "data", "backup_dir"]),
} as const satisfies Record<string, Option>;

type UpdateCall = Call<typeof OPTIONS>;

/** What takes the place: fetched and verified, or a file that was named. */
interface Candidate {
  /** Null of a file without a signature, which is asked itself. */
  signed: Version | null;
  /** Writes it to a path, as it was signed. */
  write: (to: string) => Promise<void>;
}

export const updateCommand = command({
  about: "Replace this executable with another release",
  details: [
    "Fetches the release at update_url, checks its signature with update_key, and tries its migration on a",
    "copy of the data. Then it replaces this executable, which is kept next to it as outrider.old, and",
    "restarts the server on --data: with SIGTERM, after which systemd or another supervisor must start it",
    "again. If the new version isn't ready in time, the old one comes back, and so does the data if it was",
    "migrated.",
  ].join("\n"),
  options: OPTIONS,
  run: async (call) => {
    const { values } = call;
    const { config } = configOf(call);
    const interrupt = call.interrupt();
    const readyMs = secondsOf(values.timeout) * 1_000;
    const target = targetOf(call, values.target);
    const current = versionOf(target);
    const candidate = await candidateOf(call, config, target, interrupt);
    if (values.check === true) {
      return sayWhetherNewer(call, current, candidate.signed);
    }
    if (candidate.signed !== null) {
      if (values.from === undefined && isUpToDate(call, current, candidate.signed)) {
        return sayUpToDate(call, current);
      }
      refuseDowngrade(call, current, candidate.signed);
    }
    const next = `${target}.next`;
    try {
      await candidate.write(next);
      const version = checkedVersion(next, candidate.signed);
      refuseDowngrade(call, current, version);
      const ready = readyMs + (await tryMigration(call, config, next, interrupt));
      if (interrupt.aborted) {
        throw new CommandError(EXIT.interrupted, "interrupted; nothing was changed");
      }
      return await install(call, config, { target, next, version, readyMs: ready });
    } catch (error) {
      throw error instanceof CommandError ? error : cannotWrite(target, error);
    } finally {
      rmSync(next, { force: true });
    }
  },
});

async function install(
  call: UpdateCall,
  config: Config,
  made: { target: string; next: string; version: Version; readyMs: number },
): Promise<ExitCode> {
  const { values, terminal } = call;
  const { target, version } = made;
  // On Windows, a program that runs can't be replaced by rename, and there is no SIGTERM.
  const isLeft = values["no-restart"] === true || process.platform === "win32";
  const server = isLeft ? null : serverOf(config.dataDir);
  if (server === null) {
    putInPlace(made);
  } else {
    const restartCommand = values["restart-command"];
    if (restartCommand === undefined) {
      checkMayRestart(server);
    }
    await rollOut({ ...made, config, restartCommand, say: (line) => say(call, line) }, server);
  }
  const previous = `${target}.old`;
  const restarted = server !== null;
  const text = `${target} is now ${version.version} (${version.commit}); the old one is at ${previous}\n`;
  const state = restarted ? "The server is ready with it" : "No server was restarted";
  terminal.out(
    call.json ? jsonLine({ target, ...version, previous, restarted }) : `${text}${state}\n`,
  );
  return EXIT.done;
}

async function candidateOf(
  call: UpdateCall,
  config: Config,
  target: string,
  interrupt: AbortSignal,
): Promise<Candidate> {
  const { values, workingDir } = call;
  const { from: place, key } = config.operations.update;
  if (values.from !== undefined) {
    if (values.check === true) {
      throw usageError("--check asks for a release; leave out --from");
    }
    return namedCandidate(resolve(workingDir, values.from), config, values.sha256);
  }
  if (values.sha256 !== undefined) {
    throw usageError("--sha256 is for --from; a fetched release is checked by its signature");
  }
  if (place === null) {
    throw usageError(
      "nowhere to fetch from: set update_url (--update-url) to where releases are, or use --from FILE",
    );
  }
  const release = await readRelease(place, key);
  return {
    signed: release,
    write: async (to) => {
      const file = await releaseFileOf(target);
      const wanted = release.sums.get(file);
      if (wanted === undefined) {
        throw new CommandError(
          EXIT.badData,
          `release ${release.version} has no ${file}; build it, and use --from`,
        );
      }
      say(call, `downloading ${file} ${release.version}, signed by ${key.id}`);
      const found = await download(place, file, to, interrupt);
      if (found !== wanted) {
        throw new CommandError(
          EXIT.badData,
          `${file} isn't what was signed: its SHA-256 is ${found}, not ${wanted}. Nothing was changed; ` +
            "try again, as the download may have been cut short",
        );
      }
    },
  };
}

/** A file that was named: a signature beside it counts, too. */
async function namedCandidate(
  source: string,
  config: Config,
  sha256: string | undefined,
): Promise<Candidate> {
  if (!existsSync(source)) {
    throw new CommandError(EXIT.badData, `can't read ${source}`);
  }
  await checkHash(source, sha256, "--sha256");
  const folder = dirname(source);
  let signed: Version | null = null;
  if (existsSync(join(folder, "SHA256SUMS.minisig"))) {
    const release = await readRelease(folder, config.operations.update.key);
    await checkHash(source, release.sums.get(basename(source)) ?? "none", "the signed SHA256SUMS");
    signed = release;
  }
  return {
    signed,
    write: (to) => {
      copyFileSync(source, to);
      chmodSync(to, EXECUTABLE_MODE);
      return Promise.resolve();
    },
  };
}

async function checkHash(path: string, wanted: string | undefined, from: string): Promise<void> {
  if (wanted === undefined) {
    return;
  }
  if (from === "--sha256" && !/^[0-9a-f]{64}$/i.test(wanted)) {
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
      `${path} doesn't match ${from}: its hash is ${found}. Download it again`,
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

function isUpToDate({ values }: UpdateCall, current: Version | null, signed: Version): boolean {
  const isOther = values["allow-downgrade"] === true && current?.commit !== signed.commit;
  return current?.version === signed.version && !isOther;
}

function isOlder(a: Version, b: Version): boolean {
  return Bun.semver.order(a.version, b.version) < 0;
}

function refuseDowngrade({ values }: UpdateCall, current: Version | null, next: Version): void {
  if (current !== null && isOlder(next, current) && values["allow-downgrade"] !== true) {
    throw new CommandError(
      EXIT.badData,
      `${next.version} is older than ${current.version}, which is here. Nothing was changed; if you mean it, use ` +
        "--allow-downgrade: data that a newer version has migrated needs a backup from before it",
    );
  }
}

function sayUpToDate(call: UpdateCall, current: Version | null): ExitCode {
  const { version = null } = current ?? {};
  call.terminal.out(
    call.json
      ? jsonLine({ version, available: version, update: false })
      : `already up to date: ${version}\n`,
  );
  return EXIT.done;
}

function sayWhetherNewer(
  call: UpdateCall,
  current: Version | null,
  signed: Version | null,
): ExitCode {
  if (signed === null || (current !== null && !isOlder(current, signed))) {
    return sayUpToDate(call, current);
  }
  const { version = null } = current ?? {};
  call.terminal.out(
    call.json
      ? jsonLine({ version, available: signed.version, update: true })
      : `${signed.version} is available, and this is ${version}; install it with outrider update\n`,
  );
  return EXIT.done;
}

/** Throws where `path` is no Outrider that runs here, or another than was signed. */
function checkedVersion(path: string, signed: Version | null): Version {
  const found = versionOf(path);
  if (found === null) {
    throw new CommandError(
      EXIT.badData,
      "the new file is not an Outrider executable for this machine",
    );
  }
  if (signed !== null && (found.version !== signed.version || found.commit !== signed.commit)) {
    throw new CommandError(
      EXIT.badData,
      `the new file says it is ${found.version} (${found.commit}), but ${signed.version} (${signed.commit}) was signed`,
    );
  }
  return found;
}

/** What `path` says it is; null where it is no Outrider that runs here. */
function versionOf(path: string): Version | null {
  try {
    const { stdout } = Bun.spawnSync([path, "version", "--json"], {
      env: {},
      timeout: ANSWER_MS_MAX,
      stderr: "ignore",
    });
    const { version, commit } = JSON.parse(stdout.toString()) as Partial<Version>;
    const isRelease = /^\d+\.\d+\.\d+/.test(version ?? "") && typeof commit === "string";
    return isRelease ? { version: version ?? "", commit } : null;
  } catch {
    return null;
  }
}

/** Migrates a copy of the data with the new executable. Returns how long the migration itself may take. */
async function tryMigration(
  call: UpdateCall,
  config: Config,
  next: string,
  interrupt: AbortSignal,
): Promise<number> {
  if (!existsSync(join(config.dataDir, "live.db"))) {
    return 0;
  }
  say(call, "trying the migration on a copy of the data");
  const elapsed = stopwatch();
  const file = call.values.config === undefined ? [] : ["--config", call.values.config];
  const child = Bun.spawn([next, "migrate", "--dry-run", "--data", config.dataDir, ...file], {
    cwd: call.workingDir,
    env: call.env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    signal: interrupt,
  });
  const [err, exit] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (exit !== 0) {
    throw new CommandError(
      EXIT.badData,
      `the new version can't take over the data in ${config.dataDir}: ${err.trim() || `exit code ${exit}`}. ` +
        "Nothing was changed",
    );
  }
  return Math.ceil(elapsed()) * MIGRATION_FACTOR;
}

function secondsOf(text: string | undefined): number {
  const seconds = Number(text ?? READY_SECONDS);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > READY_SECONDS_MAX) {
    throw usageError(`--timeout must be 1 to ${READY_SECONDS_MAX} seconds`);
  }
  return seconds;
}

function say({ json, terminal }: UpdateCall, line: string): void {
  if (!json) {
    terminal.err(styled(`${line}\n`, "dim", terminal.errColours));
  }
}

function cannotWrite(target: string, error: unknown): CommandError {
  return new CommandError(EXIT.cannotCreate, `can't replace ${target}: ${messageOf(error)}`);
}
