/** `outrider export` and `outrider import`: a whole team out of one installation and into another. */

import { closeSync, openSync, readFileSync, readSync, rmSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { type Call, command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { teamById, withEnvironments, withoutServer } from "#cli/server/environments.ts";
import { configOf, DATA_OPTIONS } from "#cli/server/settings.ts";
import { jsonLine, printable } from "#cli/term.ts";
import { messageOf } from "#domain/thrown.ts";
import type { Vault } from "#platform/secrets/crypto.ts";

const PRIVATE_MODE = 0o600;
const CHUNK_BYTES = 256 * 1024;
/** Of a row: an email and its texts are far below. */
const LINE_CHARS_MAX = 64 * 1024 * 1024;
const KEY_BYTES_MAX = 4 * 1024;

export const exportCommand = command({
  about: "Export a whole team to a file: settings, leads, emails, and history",
  details: [
    "Works while the server runs. Pause the campaigns first: emails sent after the export aren't in the",
    "file, which is JSON lines. Secrets stay encrypted with this installation's master key. Accounts",
    "of people, API keys, the plan, and the sandbox are not exported.",
  ].join("\n"),
  options: {
    team: { type: "string", value: "ID", about: "The team (the first team)" },
    ...DATA_OPTIONS,
  },
  positionals: [{ name: "FILE", about: "File to write; never overwritten" }],
  run: async (call) => {
    const { config } = configOf(call);
    const path = resolve(call.workingDir, call.words[0] ?? "");
    const { exportTeam } = await import("#usecases/operations/team-copy.ts");
    const { firstTeam } = await import("#usecases/team/teams.ts");
    const copied = await withEnvironments(config, async ({ live }) => {
      const { team } = call.values;
      const { id } =
        team === undefined ? await live.commit(() => firstTeam(live)) : await teamById(live, team);
      return writeLines(path, (write) => exportTeam(live, id, write));
    });
    tell(call, copied, `exported ${copied.rows} rows of ${copied.name} to ${path}`);
    return EXIT.done;
  },
});

export const importCommand = command({
  about: "Import a team exported from another installation",
  details: [
    "Stop the server first. Imports everything or nothing. Active campaigns come in paused: before you",
    "resume them, make sure they aren't active on the other installation.",
  ].join("\n"),
  options: {
    "key-file": {
      type: "string",
      value: "FILE",
      about: "master.key of the source installation, to decrypt secrets",
    },
    "without-secrets": {
      type: "boolean",
      about: "Drop secrets: you re-enter passwords; webhooks get new secrets and are turned off",
    },
    ...DATA_OPTIONS,
  },
  positionals: [{ name: "FILE", about: "File written by outrider export" }],
  run: async (call) => {
    const { config } = configOf(call);
    const source = await sourceVault(call);
    const path = resolve(call.workingDir, call.words[0] ?? "");
    const { importTeam } = await import("#usecases/operations/team-copy.ts");
    const { mirrorTeam } = await import("#usecases/team/teams.ts");
    const { findTeam } = await import("#store/team/teams.ts");
    const lines = linesOf(path);
    const copied = await withEnvironments(config, ({ live, test }) =>
      withoutServer(config.dataDir, async () => {
        const done = await live.commit(() => importTeam(live, lines, source));
        const team = findTeam(live.db, done.teamId);
        if (team !== undefined) {
          await test.commit(() => mirrorTeam(test, team));
        }
        return done;
      }),
    );
    tell(call, copied, `imported ${copied.rows} rows of ${copied.name}; its campaigns are paused`);
    return EXIT.done;
  },
});

type Told = Pick<Call, "terminal" | "json">;

function tell(
  { terminal, json }: Told,
  { teamId, name, rows }: { teamId: string; name: string; rows: number },
  text: string,
): void {
  terminal.out(json ? jsonLine({ team_id: teamId, team: name, rows }) : `${printable(text)}\n`);
}

/** The file is whole once this returns; where `work` throws it is gone again. */
function writeLines<Result>(path: string, work: (write: (line: string) => void) => Result): Result {
  let file: number;
  try {
    file = openSync(path, "wx", PRIVATE_MODE);
  } catch (error) {
    throw new CommandError(EXIT.cannotCreate, `can't write ${path}: ${messageOf(error)}`);
  }
  let waiting = "";
  const flush = () => {
    writeSync(file, waiting);
    waiting = "";
  };
  try {
    const result = work((line) => {
      waiting += `${line}\n`;
      if (waiting.length > CHUNK_BYTES) {
        flush();
      }
    });
    flush();
    closeSync(file);
    return result;
  } catch (error) {
    closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
}

/** Line by line, without a pause in which somebody else could write. */
function* linesOf(path: string): Generator<string> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    throw new CommandError(EXIT.badData, `can't read ${path}: ${messageOf(error)}`);
  }
  const decoder = new StringDecoder("utf8");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = "";
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      const lines = (rest + decoder.write(chunk.subarray(0, read))).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > LINE_CHARS_MAX) {
        throw new CommandError(EXIT.badData, `${path} has a line that is too long`);
      }
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}

async function sourceVault(
  call: Pick<Call, "workingDir"> & { values: object },
): Promise<Vault | null> {
  const values = call.values as { "key-file"?: string; "without-secrets"?: boolean };
  const file = values["key-file"];
  if (file === undefined) {
    if (values["without-secrets"] !== true) {
      throw usageError("needs --key-file FILE, or --without-secrets");
    }
    return null;
  }
  const { createVault } = await import("#platform/secrets/crypto.ts");
  const path = resolve(call.workingDir, file);
  try {
    const text = readFileSync(path, "utf8").slice(0, KEY_BYTES_MAX).trim();
    return createVault(new Uint8Array(Buffer.from(text, "base64")));
  } catch (error) {
    throw new CommandError(EXIT.badData, `${path} is not a master key: ${messageOf(error)}`);
  }
}
