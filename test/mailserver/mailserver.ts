/**
 * Starts and ends the throw-away mail server of `mailserver.sh`, in a directory of its own, on
 * ports that were free.
 */

import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Mailbox, ServerLogin } from "#platform/ports/mail.ts";

const SCRIPT = join(import.meta.dir, "mailserver.sh");
const START_MS_MAX = 120_000;
const QUEUE_MS_MAX = 20_000;
const QUEUE_LOOK_MS = 20;
const PORTS = ["IMAP", "IMAPS", "LMTP", "MX", "SUBMISSION", "SMTPS"] as const;
/** Of the packages dovecot-imapd, dovecot-lmtpd, dovecot-sieve, postfix and openssl. */
const PROGRAMS = [
  "/usr/sbin/dovecot",
  "/usr/lib/dovecot/imap",
  "/usr/lib/dovecot/lmtp",
  "/usr/lib/dovecot/modules/lib90_sieve_plugin.so",
  "/usr/sbin/postfix",
  "/usr/bin/openssl",
];

export const PASSWORD = "secret";

export interface MailServer {
  host: string;
  ports: Readonly<Record<(typeof PORTS)[number], number>>;
  /** PEM of the authority to trust. */
  ca: string;
  dir: string;
  /** A mailbox of the server. STARTTLS on both sides, unless `security` says TLS. */
  mailbox(address: string, change?: { security?: "starttls" | "tls"; password?: string }): Mailbox;
  /** Has email to `address` go through this Sieve script from now on. */
  sieve(address: string, script: string): Promise<void>;
  /** Has `address` log in with this password from now on. */
  setPassword(address: string, password: string): Promise<void>;
  /** Waits until Postfix has handed on all that it has accepted, or put it off. */
  emptyQueue(): Promise<void>;
  /** What the servers logged, for a failed test. */
  logs(): Promise<string>;
  stop(): Promise<void>;
}

/** Why the server does not run here; null when it does. */
export function missingForMailServer(): string | null {
  if (process.env["OUTRIDER_TEST_TIER"] === "quick") {
    return "is not for the quick tier";
  }
  if (process.getuid?.() !== 0) {
    return "needs root";
  }
  const missing = PROGRAMS.filter((program) => !existsSync(program));
  return missing.length === 0 ? null : `needs ${missing.join(", ")}`;
}

/**
 * Whether tests of real servers are left out here: never in the full tier nor in CI, where what is
 * missing makes them fail, unless that is the quick tier.
 */
export function skipsMailServer(): boolean {
  const tier = process.env["OUTRIDER_TEST_TIER"];
  const isFull = tier === "full" || (process.env["CI"] === "true" && tier !== "quick");
  return !isFull && missingForMailServer() !== null;
}

export interface MailServerOptions {
  loadUsers?: number;
  /** Name of the junk folder. */
  junk?: string;
  /** Whether folders say what they are for (RFC 6154). */
  specialUse?: boolean;
  /** Where it asks whether an access token is good; without one it takes passwords alone. */
  oauthUrl?: string;
  /** A token is an application's, and opens every mailbox but those that the file `closed` of `dir` names. */
  isApplication?: boolean;
  /** Whose mailbox each further address is; with any, a login may send only from its own addresses. */
  aliases?: Readonly<Record<string, string>>;
  /** Seconds after which Postfix ends a silent connection. */
  smtpIdleSeconds?: number;
  /** Stands in for a provider: under its names, on the usual ports of an address of its own. */
  names?: readonly string[];
}

/** Where a provider's servers listen. */
const USUAL_PORTS = { IMAP: 143, IMAPS: 993, LMTP: 24, MX: 25, SUBMISSION: 587, SMTPS: 465 };

/** An address of this machine on whose usual ports nobody listens: all of 127.0.0.0/8 are its own. */
async function freeHost(): Promise<string> {
  for (;;) {
    const host = `127.${[1, 2, 3].map(() => 1 + Math.floor(Math.random() * 250)).join(".")}`;
    const server = createServer().listen(USUAL_PORTS.IMAPS, host);
    const [outcome] = await Promise.race([
      once(server, "listening").then(() => ["free"]),
      once(server, "error").then(() => ["taken"]),
    ]);
    await new Promise((done) => server.close(done));
    if (outcome === "free") {
      return host;
    }
  }
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const missing = missingForMailServer();
  if (missing !== null) {
    throw new Error(`the mail server ${missing}`);
  }
  const { dir, host, ports } = await begin(options);
  const known = ports as MailServer["ports"];
  return {
    host,
    ports: known,
    ca: await readFile(join(dir, "tls/cert.pem"), "utf8"),
    dir,
    mailbox: (address, change = {}) => mailbox(known, address, change),
    sieve: async (address, script) => {
      await writeFile(join(dir, "sieve", `${address}.sieve`), script, { mode: 0o644 });
    },
    setPassword: async (address, password) => {
      const users = join(dir, "users");
      const lines = (await readFile(users, "utf8")).split("\n").map((line) => {
        return line.startsWith(`${address}:`) ? `${address}:{PLAIN}${password}::::::` : line;
      });
      // The server reads the file at every sign-in, and must never find half of it.
      const { mode, uid, gid } = await stat(users);
      await writeFile(`${users}.next`, lines.join("\n"), { mode });
      await chown(`${users}.next`, uid, gid);
      await rename(`${users}.next`, users);
    },
    emptyQueue: () => emptyQueue(join(dir, "postfix/spool")),
    logs: async () => {
      const names = ["log/dovecot.log", "log/postfix.log"];
      const texts = names.map((name) => readFile(join(dir, name), "utf8").catch(() => ""));
      return (await Promise.all(texts)).join("\n");
    },
    stop: async () => {
      await run("stop", dir, {});
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Another program may take a port that was free a moment ago: then once more, with others. */
const STARTS_MAX = 3;

async function begin(
  {
    loadUsers = 200,
    junk = "Junk",
    specialUse = true,
    oauthUrl = "",
    isApplication = false,
    aliases = {},
    smtpIdleSeconds = 300,
    names = [],
  }: MailServerOptions,
  starts = 1,
): Promise<{ dir: string; host: string; ports: Record<string, number> }> {
  // Socket paths have at most 107 characters, so the directory has to be a short one.
  const dir = await mkdtemp(join(tmpdir(), "mail-"));
  const host = names.length === 0 ? "127.0.0.1" : await freeHost();
  const numbers = names.length === 0 ? await freePorts(PORTS.length) : Object.values(USUAL_PORTS);
  const ports = Object.fromEntries(PORTS.map((name, index) => [name, numbers[index] ?? 0]));
  const settings = {
    ...{ LOAD_USERS: loadUsers, JUNK: junk, SPECIAL_USE: specialUse ? "yes" : "no" },
    ...{ OAUTH_URL: oauthUrl, SMTP_IDLE: smtpIdleSeconds, HOST: host },
    OAUTH_APP: isApplication ? "yes" : "",
    ALIASES: Object.entries(aliases)
      .map((pair) => pair.join("="))
      .join(","),
    NAMES: names.map((name) => `DNS:${name}`).join(","),
  };
  const env = Object.entries({ ...ports, ...settings });
  try {
    await run("start", dir, Object.fromEntries(env.map(([name, value]) => [name, String(value)])));
  } catch (error) {
    await run("stop", dir, {});
    if (starts === STARTS_MAX) {
      throw error;
    }
    const again = { loadUsers, junk, specialUse, oauthUrl, isApplication, aliases, names };
    return begin({ ...again, smtpIdleSeconds }, starts + 1);
  }
  return { dir, host, ports };
}

function mailbox(
  ports: MailServer["ports"],
  address: string,
  {
    security = "starttls",
    password = PASSWORD,
  }: { security?: "starttls" | "tls"; password?: string },
): Mailbox {
  const login = (port: number): ServerLogin => {
    return { host: "localhost", port, security, username: address, password };
  };
  const isTls = security === "tls";
  return {
    teamId: "team-1",
    accountId: `account of ${address}`,
    address,
    provider: "smtp",
    smtp: login(isTls ? ports.SMTPS : ports.SUBMISSION),
    imap: login(isTls ? ports.IMAPS : ports.IMAP),
    oauth: null,
  };
}

async function emptyQueue(spool: string): Promise<void> {
  const late = AbortSignal.timeout(QUEUE_MS_MAX);
  while (!late.aborted) {
    let messages = 0;
    // In the order in which a message goes through them, so that none is missed on its way.
    for (const folder of ["maildrop", "incoming", "active"]) {
      const entries = await readdir(join(spool, folder), { recursive: true, withFileTypes: true });
      messages += entries.filter((entry) => entry.isFile()).length;
    }
    if (messages === 0) {
      return;
    }
    await Bun.sleep(QUEUE_LOOK_MS);
  }
  throw new Error("the queue does not empty");
}

async function run(command: string, dir: string, env: Record<string, string>): Promise<void> {
  const child = Bun.spawn(["bash", SCRIPT, command, dir], {
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...env },
    stdout: "ignore",
    stderr: Bun.file(join(dir, "script.log")),
    timeout: START_MS_MAX,
  });
  if ((await child.exited) !== 0) {
    const said = await readFile(join(dir, "script.log"), "utf8");
    throw new Error(`mail server, ${command}: ${said}`);
  }
}

/** What lies in a mailbox: the files of its folders, each with its flags and its content. */
export interface Filed {
  /** `INBOX`, `Sent`, `Junk`, `Trash`. */
  folder: string;
  /** Without the flags, so that it stays the same when they change. */
  name: string;
  /** Maildir's letters: `S` seen, `F` flagged, `T` trashed. */
  flags: string;
  raw: string;
}

/** Everything in the mailbox of `address`, oldest first in each folder. */
export async function mailsOf(server: MailServer, address: string): Promise<Filed[]> {
  const [local = "", domain = ""] = address.split("@");
  const top = join(server.dir, "mail", domain, local, "Maildir");
  for (;;) {
    try {
      return await filedIn(top);
    } catch (error) {
      // An email's file is renamed when it is seen or flagged: then what was listed is not there any more.
      if ((error as { code?: unknown }).code !== "ENOENT") {
        throw error;
      }
    }
  }
}

async function filedIn(top: string): Promise<Filed[]> {
  const paths = await readdir(top, { recursive: true }).catch(() => []);
  const files = paths.filter((path) => /(^|\/)(cur|new)\/[^/]+$/.test(path)).toSorted();
  return Promise.all(
    files.map(async (path) => {
      const [name = "", flags = ""] = basename(path).split(":2,");
      const folder = path.startsWith(".") ? path.slice(1, path.indexOf("/")) : "INBOX";
      return { folder, name, flags, raw: await readFile(join(top, path), "utf8") };
    }),
  );
}

/** Below those that a system gives to connections of its own choice: none of them takes one meanwhile. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
const TRIES_MAX = 100;

/** Ports that nobody listens on now; all are held until all are known, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, holdPort));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

async function holdPort(): Promise<Server> {
  for (let tries = 1; ; tries += 1) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN));
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      return server;
    } catch (error) {
      if (tries === TRIES_MAX) {
        throw error;
      }
    }
  }
}
