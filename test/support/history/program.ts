/**
 * The executable with the servers that it talks to, each behind a wire that breaks: an SMTP server that writes
 * down what it takes, mailboxes with replies and Sent folders, a receiver of webhooks. It is killed, stopped,
 * started by another build, backed up and put back.
 */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { hash01 } from "#domain/random.ts";
import { type Ask, type SmtpSink, startSmtpSink } from "../../mail/smtp/smtp-sink.ts";
import {
  EXECUTABLE,
  outrider,
  type Server,
  startServer,
  temporaryDirectory,
} from "../executable.ts";
import { layOut } from "../schema-fixture.ts";
import { type Received, type Receiver, startReceiver } from "../webhooks.ts";
import { type ImapServer, startImapServer } from "./imap-server.ts";
import type { Recorder } from "./recorder.ts";
import { startWire, type Wire } from "./wire.ts";

const KEPT = resolve(import.meta.dir, "../../fixtures/kept-directory");
const REPLIES = 0.25;
const ENV = {
  OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8",
  OUTRIDER_RATE_LIMIT: "0",
  OUTRIDER_POLL_SECONDS: "1",
  OUTRIDER_LOG_LEVEL: "warn",
};

export type World = "live" | "test";

export interface Program extends AsyncDisposable {
  wires: Record<"smtp" | "imap" | "hooks", Wire>;
  /** Where the wires of mail servers begin, and the URL of the one to the receiver. */
  ports: { smtp: number; imap: number };
  hooksUrl: string;
  /** Resolves when there is a server that answers. */
  server(): Promise<Server>;
  keys: Record<World, string>;
  /** Names of campaigns by their ids, for what is told of them. */
  campaigns: Map<string, string>;
  restart(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** From the next start on it is the build under test. */
  upgrade(): void;
  save(): Promise<void>;
  restore(): Promise<void>;
  savedCount(): number;
}

export interface ProgramOptions {
  seed: number;
  /** Another build, that begins. */
  older: string | undefined;
}

export async function startProgram(recorder: Recorder, options: ProgramOptions): Promise<Program> {
  const directory = temporaryDirectory();
  const campaigns = new Map<string, string>();
  const imap = await startImapServer(Date.now, (raw) =>
    recorder.add({ kind: "filed", to: recorder.now(), ...readMail(raw) }),
  );
  const smtp = await startTaking(recorder, imap, options.seed);
  const receiver = startReceiver((received) => take(recorder, campaigns, received));
  const wires = {
    smtp: await startWire(smtp.port),
    imap: await startWire(imap.port),
    hooks: await startWire(receiver.port),
  };
  const life = new Life(recorder, directory.path, options.older);
  if (options.older === undefined) {
    layOutKept(life.data);
  }
  await life.start();
  const server = await life.server();
  const keys = {
    live: (await server.createKey("live")).key,
    test: (await server.createKey("test")).key,
  };
  return {
    ...{ wires, keys, campaigns },
    ports: { smtp: wires.smtp.port, imap: wires.imap.port },
    hooksUrl: `http://127.0.0.1:${wires.hooks.port}`,
    server: () => life.server(),
    restart: (signal) => life.restart(signal),
    upgrade: () => life.upgrade(),
    save: () => life.save(),
    restore: () => life.restore(),
    savedCount: () => life.saved.length,
    [Symbol.asyncDispose]: async () => {
      await life.end();
      await endAll(wires, { smtp, imap, receiver });
      directory[Symbol.dispose]();
    },
  };
}

async function endAll(
  wires: Program["wires"],
  { smtp, imap, receiver }: { smtp: SmtpSink; imap: ImapServer; receiver: Receiver },
): Promise<void> {
  await Promise.all(Object.values(wires).map((wire) => wire.stop()));
  await Promise.all([smtp.stop(), imap.stop(), receiver.stop()]);
}

/** Data that an earlier version has left, for the first start to bring up to date. */
function layOutKept(data: string): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const key = crypto.getRandomValues(Buffer.alloc(32)).toString("base64");
  writeFileSync(join(data, "master.key"), `${key}\n`, { mode: 0o600 });
  for (const name of ["live", "test"]) {
    const file = readFileSync(join(KEPT, `${name}.db.zst`));
    layOut(Bun.zstdDecompressSync(file), join(data, `${name}.db`));
  }
}

class Life {
  readonly #recorder: Recorder;
  readonly #directory: string;
  #older: string | undefined;
  #server = Promise.withResolvers<Server>();
  #data: string;
  #copies = 0;
  readonly saved: string[] = [];

  constructor(recorder: Recorder, directory: string, older: string | undefined) {
    this.#recorder = recorder;
    this.#directory = directory;
    this.#older = older;
    this.#data = join(directory, "data");
  }

  get data(): string {
    return this.#data;
  }

  get #around() {
    return { env: ENV, executable: this.#older ?? EXECUTABLE };
  }

  server(): Promise<Server> {
    return this.#server.promise;
  }

  async start(): Promise<void> {
    this.#server.resolve(await startServer({ data: this.#data, ...this.#around }));
  }

  async #stop(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const server = await this.server();
    this.#server = Promise.withResolvers();
    await server.stop(signal);
    this.#recorder.ended();
  }

  async restart(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    await this.#stop(signal);
    await this.start();
  }

  upgrade(): void {
    this.#older = undefined;
  }

  async save(): Promise<void> {
    await this.server();
    const [name, from] = [`copy-${this.saved.length + 1}`, this.#recorder.now()];
    const file = join(this.#directory, `${name}.tar.zst`);
    const args = ["backup", file, "--with-key", "--data", this.#data];
    const { exit, err } = await outrider(args, this.#around);
    if (exit !== 0) {
      throw new Error(`backup ended with ${exit}: ${err}`);
    }
    this.#recorder.add({ kind: "save", name, from, to: this.#recorder.now() });
    this.saved.push(name);
  }

  /** The last backup, or the one before, in another directory; only the lists beside the databases are brought along. */
  async restore(): Promise<void> {
    await this.#stop("SIGKILL");
    const name = this.saved.at(this.#copies % 3 === 2 ? -2 : -1) ?? this.saved[0] ?? "";
    this.#copies += 1;
    const [fresh, from] = [join(this.#directory, `data-${this.#copies}`), this.#recorder.now()];
    mkdirSync(fresh, { mode: 0o700 });
    for (const list of ["erasures.ndjson", "suppressions.ndjson"]) {
      if (existsSync(join(this.#data, list))) {
        cpSync(join(this.#data, list), join(fresh, list));
      }
    }
    const file = join(this.#directory, `${name}.tar.zst`);
    const { exit, err } = await outrider(["restore", file, "--data", fresh], this.#around);
    if (exit !== 0) {
      throw new Error(`restore ended with ${exit}: ${err}`);
    }
    rmSync(this.#data, { recursive: true });
    this.#data = fresh;
    this.#recorder.add({ kind: "restore", name, from, to: this.#recorder.now() });
    await this.start();
  }

  async end(): Promise<void> {
    await (await this.server()).stop("SIGKILL");
  }
}

/** Writes down what is taken; some who are written to reply. */
async function startTaking(recorder: Recorder, imap: ImapServer, seed: number): Promise<SmtpSink> {
  interface Under {
    begun: number;
    from: number;
    user: string;
  }
  const under = new Map<number, Under>();
  const sink: SmtpSink = await startSmtpSink(({ moment, line, connection }: Ask) => {
    const now = recorder.now();
    if (moment === "MAIL") {
      const user = /<([^@>]+)@/.exec(line)?.[1] ?? "";
      under.set(connection, { begun: now, from: now, user });
    } else if (moment === "DATA") {
      under.set(connection, { ...(under.get(connection) as Under), from: now });
    } else if (moment === "BODY") {
      const { begun, from, user } = under.get(connection) as Under;
      queueMicrotask(() => {
        const body = sink.bodies.at(-1) ?? "";
        const mail = readMail(body);
        recorder.add({ kind: "mail", begun, from, to: now, account: user, ...mail });
        if (hash01(seed, "reply", mail.recipient) < REPLIES && mail.step === 1) {
          imap.deliver(user, replyTo(body, mail.recipient, user), Date.now());
        }
      });
    }
    return undefined;
  });
  return sink;
}

function readMail(body: string): { campaign: string; recipient: string; step: number } {
  const subject = /^Subject: (.*)$/m.exec(body)?.[1]?.trim() ?? "";
  return {
    campaign: /about (\w+)/.exec(subject)?.[1] ?? "",
    recipient: /^To: .*?([^\s<]+@[^\s>]+)/m.exec(body)?.[1] ?? "",
    step: subject.startsWith("Re:") ? 2 : 1,
  };
}

function replyTo(body: string, from: string, user: string): string {
  const messageId = /^Message-ID: (<[^>]+>)/im.exec(body)?.[1] ?? "";
  const subject = /^Subject: (.*)$/m.exec(body)?.[1]?.trim() ?? "";
  return [
    ...[`From: <${from}>`, `To: <${user}@out.test>`, `Subject: Re: ${subject}`],
    ...[`Message-ID: <reply-${from}>`, `In-Reply-To: ${messageId}`, `References: ${messageId}`],
    `Date: ${new Date().toUTCString()}`,
    ...["Content-Type: text/plain", "", "Could you send me the price list?", ""],
  ].join("\r\n");
}

interface Event {
  id: string;
  seq: number;
  type: string;
  data: Record<string, unknown>;
}

function take(
  recorder: Recorder,
  campaigns: ReadonlyMap<string, string>,
  { path, body }: Received,
): Response {
  const event = JSON.parse(body) as Event;
  const subject = subjectOf(event, campaigns);
  const hash = String(Bun.hash(body));
  const { id, seq, type } = event;
  const more = { webhook: path, id, seq, type, subject, body: hash, status: 200 };
  recorder.add({ kind: "delivery", to: recorder.now(), ...more });
  return new Response("ok");
}

/** What an event is about, by the names that clients and mail servers have for it. */
export function subjectOf(
  { type, data }: Pick<Event, "type" | "data">,
  campaigns: ReadonlyMap<string, string>,
): string | null {
  if (type === "email.sent" || type === "email.failed") {
    const name = campaigns.get(String(data["campaign_id"]));
    return name === undefined ? null : `${name} ${data["to"]} ${data["step_position"]}`;
  }
  // Those that people's opt-outs make are nobody's request.
  const isAsked = data["reason"] === "manual" && typeof data["suppression_id"] === "string";
  return isAsked ? String(data["suppression_id"]) : null;
}
