/**
 * What is written to the disk for a lead of a file, for a lead that comes by a request of its own, and for an
 * email, with what follows: the index of words, the log, and its fold into the file. And what each adds to the
 * file, which is the least that could be written.
 */

import { statSync } from "node:fs";
import { createEngine } from "#engine/run.ts";
import { createWorkers } from "#engine/workers.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { importLeads } from "#usecases/leads/import/import.ts";
import { feedImport } from "#usecases/leads/import/import-file.ts";
import { beginImport } from "#usecases/leads/import/imports.ts";
import { followChanges } from "#usecases/leads/search.ts";
import { bytesWritten } from "../children.ts";
import { fileOf } from "../lead-file.ts";
import { IMPORT, itemAt, openStage } from "../stage.ts";

export interface WrittenInput {
  directory: string;
  /** Of a sink. */
  port: number;
  leads: number;
  requests: number;
  /** As many as there are leads at most. */
  messages: number;
}

/** Bytes of one. */
interface Written {
  /** Null where the system does not tell. */
  written: number | null;
  kept: number;
}

export interface WrittenResult {
  lead: Written;
  request: Written;
  email: Written;
}

const LOOK_EVERY_MS = 5;
const SEND_MS_MAX = 240_000;
const MAILBOXES = 50;
/** Requests that come in one turn of the event loop. */
const AT_ONCE = 64;

const input = JSON.parse(process.argv[2] ?? "{}") as WrittenInput;
const { environments, env, caller, campaignId } = await openStage({
  directory: input.directory,
  mailboxes: MAILBOXES,
  leads: 0,
  dailyLimit: 2000,
  smtpPort: input.port,
  hours: [0, 24],
  steps: 1,
});

const result: WrittenResult = {
  lead: await written(input.leads, importFile),
  request: await written(input.requests, addEach),
  email: await written(input.messages, send),
};
console.log(JSON.stringify(result));
await environments.close();

async function written(times: number, work: () => Promise<void>): Promise<Written> {
  const [before, from] = [sizeOfFile(), bytesWritten("self")];
  await work();
  while ((await followChanges(env, env.clock.now())) !== undefined) {
    // Until the words of all are there.
  }
  const after = sizeOfFile();
  const until = bytesWritten("self");
  const isTold = from !== undefined && until !== undefined;
  return { written: isTold ? (until - from) / times : null, kept: (after - before) / times };
}

/** With the log folded. */
function sizeOfFile(): number {
  env.db.raw.run("PRAGMA wal_checkpoint(TRUNCATE)");
  return statSync(env.db.raw.filename).size;
}

async function importFile(): Promise<void> {
  const id = env.ids.next(env.clock.now());
  const format = "ndjson" as const;
  const about = { id, campaignId, format, fileName: null, totalBytes: null, delimiter: null };
  const begin = () => beginImport(env, caller, { ...about, reason: null, options: IMPORT });
  const hints = { encoding: null, delimiter: null, map: {} };
  await feedImport(env, caller, { id, begin }, { body: fileOf(input.leads), bytes: null, hints });
}

async function addEach(): Promise<void> {
  for (let from = 0; from < input.requests; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, input.requests - from);
    const items = Array.from({ length }, (_, index) => itemAt(input.leads + from + index));
    await Promise.all(items.map((item) => importLeads(env, caller, campaignId, [item], IMPORT)));
    await followChanges(env, env.clock.now());
  }
}

async function send(): Promise<void> {
  const engine = createEngine(env, createWorkers(env));
  environments.onWake("live", engine.wake);
  const from = performance.now();
  engine.start();
  const sent = () => campaignById(env.db, campaignId)?.sent ?? 0;
  while (sent() < input.messages) {
    if (performance.now() - from > SEND_MS_MAX) {
      throw new Error(`only ${sent()} of ${input.messages} were sent`);
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
  await engine.stop();
}
