/** The checks of `outrider doctor`. Each looks at one thing and opens nothing for writing. */

import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { EXIT, type ExitCode } from "#cli/exit.ts";
import type { Config } from "#config/config.ts";
import { messageOf } from "#domain/thrown.ts";
import { toIso, unixMs } from "#domain/time.ts";
import { systemClock } from "#platform/clock.ts";
import { ownTurn } from "#platform/turns.ts";

export type Verdict = "ok" | "warning" | "fault";

export interface Finding {
  check: string;
  verdict: Verdict;
  /** What was seen, and what to do about it. */
  detail: string;
  /** How `doctor` ends because of it, where that is not 1. */
  exit?: ExitCode;
}

const MIB = 1024 * 1024;
const FREE_BYTES_WARN = 1024 * MIB;
const FREE_BYTES_MIN = 100 * MIB;
/** A clock before this is not set: this program did not exist. */
const CLOCK_MIN = unixMs(Temporal.Instant.from("2026-11-01T00:00Z").epochMilliseconds);
const ANSWER_MS_MAX = 2_000;
const OTHERS_MASK = 0o077;

/** `whole`: databases are read from end to end; not beside requests. */
export async function examine(
  config: Config,
  { whole }: { whole: boolean } = { whole: true },
): Promise<Finding[]> {
  const file = (name: string) => join(config.dataDir, name);
  const checks: (() => Finding | Promise<Finding | Finding[]>)[] = [
    () => directory(config.dataDir),
    () => masterKey(config),
    () => disk(config.dataDir),
    () => database("live database", file("live.db"), whole),
    () => database("test database", file("test.db"), whole),
    () => sentFolders(file("live.db")),
    clock,
    () => address(config),
    () => publicUrl(config),
    () => certificates(config, file("live.db")),
  ];
  const findings: Finding[] = [];
  for (const check of checks) {
    await ownTurn();
    findings.push(...[await check()].flat());
  }
  return findings;
}

function ok(check: string, detail: string): Finding {
  return { check, verdict: "ok", detail };
}
function warning(check: string, detail: string): Finding {
  return { check, verdict: "warning", detail };
}
function fault(check: string, detail: string): Finding {
  return { check, verdict: "fault", detail };
}

function directory(dataDir: string): Finding {
  const check = "data directory";
  if (!existsSync(dataDir)) {
    return mayWrite(nearestExisting(dataDir))
      ? ok(check, `${dataDir} doesn't exist yet; the first command creates it`)
      : fault(check, `can't create ${dataDir}: its parent directory is not writable`);
  }
  const stat = statSync(dataDir);
  if (!stat.isDirectory()) {
    return fault(check, `${dataDir} is not a directory`);
  }
  if (!mayWrite(dataDir)) {
    return fault(check, `${dataDir} is not writable by this user`);
  }
  return (stat.mode & OTHERS_MASK) === 0
    ? ok(check, dataDir)
    : warning(check, `${dataDir} is open to other users; run chmod 700`);
}

function masterKey(config: Config): Finding {
  const check = "master key";
  const path = join(config.dataDir, "master.key");
  if (config.masterKey !== null) {
    return ok(check, "set in the configuration");
  }
  if (!existsSync(path)) {
    return existsSync(join(config.dataDir, "live.db"))
      ? fault(
          check,
          `${path} is missing: stored credentials can't be decrypted without it. Put it back`,
        )
      : ok(check, "doesn't exist yet; created with the data directory");
  }
  return (statSync(path).mode & OTHERS_MASK) === 0
    ? ok(check, path)
    : fault(check, `${path} is readable by other users; run chmod 600`);
}

function disk(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(nearestExisting(dataDir));
  const free = bavail * bsize;
  const detail = `${Math.floor(free / MIB)} MiB free`;
  if (free < FREE_BYTES_MIN) {
    return fault("disk", `${detail}; at least ${FREE_BYTES_MIN / MIB} MiB needed`);
  }
  return free < FREE_BYTES_WARN ? warning("disk", detail) : ok("disk", detail);
}

async function database(check: string, path: string, whole: boolean): Promise<Finding> {
  if (!existsSync(path)) {
    return ok(check, "doesn't exist yet");
  }
  const { integrityCheck } = await import("#store/sqlite/database.ts");
  const { readFrozen } = await import("#store/sqlite/frozen.ts");
  const { isKnown, MIGRATIONS, schemaDifference, schemaVersion } = await import(
    "#store/sqlite/migrate.ts"
  );
  try {
    return readFrozen(path, (db) => {
      const version = schemaVersion(db);
      if (version > MIGRATIONS.length) {
        const detail = `schema version ${version} is newer than this version of Outrider supports (${MIGRATIONS.length})`;
        return fault(check, detail);
      }
      const isCompared = version === 0 || (!whole && isKnown(db));
      const other = isCompared ? null : schemaDifference(db);
      if (other !== null) {
        const detail =
          `"${other}" doesn't match schema version ${version}: an unreleased build wrote it. ` +
          "Run that build, or restore a backup made by a release";
        return { ...fault(check, detail), exit: EXIT.badData };
      }
      const verdict = whole ? integrityCheck(db) : "ok";
      return verdict === "ok"
        ? ok(check, `${whole ? "intact, " : ""}schema version ${version}`)
        : fault(check, `damaged: ${verdict}. Restore a backup`);
    });
  } catch (error) {
    return fault(check, `${path}: ${messageOf(error)}`);
  }
}

/** Nothing to say where no mailbox waits, or where the database cannot be read: that is said elsewhere. */
async function sentFolders(path: string): Promise<Finding[]> {
  const { readFrozen } = await import("#store/sqlite/frozen.ts");
  const { unconfirmedAccounts } = await import("#store/mailboxes/accounts.ts");
  if (!existsSync(path)) {
    return [];
  }
  try {
    return readFrozen(path, unconfirmedAccounts).map(({ email, unconfirmed }) => {
      const since = unconfirmed === null ? "" : toIso(unconfirmed.since);
      const detail =
        `${email} sends nothing until its Sent folder has been read, because the data was restored to ` +
        `${since}. Reconnect it, or disable it if it no longer exists`;
      return warning("sent folders", detail);
    });
  } catch {
    return [];
  }
}

function clock(): Finding {
  return systemClock.now() < CLOCK_MIN
    ? fault(
        "clock",
        "this machine's clock is not set, so email would go out at the wrong times. Set the clock",
      )
    : ok("clock", "set");
}

async function address(config: Config): Promise<Finding> {
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const where = `${host}:${config.port}`;
  if (config.port !== 0) {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS_MAX);
      const answer = await fetch(`http://${where}/healthz`, { signal, redirect: "error" });
      return answer.ok
        ? ok("address", `a server is running at ${where}`)
        : fault(
            "address",
            `${where} is used by another program (it returned status ${answer.status})`,
          );
    } catch {
      // Nobody answers: it is free, or held by something that does not speak HTTP.
    }
  }
  const refusal = await tryToListen(config.host, config.port);
  return refusal === null
    ? ok("address", `${where} is free`)
    : fault("address", `cannot listen on ${where}: ${refusal}`);
}

/** Null when it could listen, else the system's error code. */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function publicUrl(config: Config): Finding {
  const check = "public URL";
  return config.publicUrl === null
    ? warning(
        check,
        "public_url is not set, so emails offer unsubscribing by email only, not by link",
      )
    : ok(check, config.publicUrl);
}

async function certificates(config: Config, path: string): Promise<Finding[]> {
  if (!(config.operations.certificates.isAgreed && existsSync(path))) {
    return [];
  }
  const { readFrozen } = await import("#store/sqlite/frozen.ts");
  const { hostsOf } = await import("#app/certificates.ts");
  const { certificateFiles, certificateStates } = await import(
    "#platform/acme/certificate-files.ts"
  );
  const { certificateFinding } = await import("#usecases/operations/operations.ts");
  try {
    const hosts = readFrozen(path, (db) => hostsOf(config, db));
    const files = certificateFiles(config.dataDir);
    return certificateStates(files, hosts, systemClock.now()).map(certificateFinding);
  } catch (error) {
    return [fault("certificates", messageOf(error))];
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function nearestExisting(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : nearestExisting(parent);
}
