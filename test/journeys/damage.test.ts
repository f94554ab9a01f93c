/**
 * A disk that lies: pages of the live database are zeroed, garbled, swapped, torn, or as they were before the
 * last emails, and the file is cut off. Whatever the program makes of it, nobody is written to twice, and what
 * it finds broken it says, with the way back.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { hash01 } from "#domain/random.ts";
import { type ImapSink, startImapSink } from "../mail/imap/imap-sink.ts";
import { type SmtpSink, startSmtpSink } from "../mail/smtp/smtp-sink.ts";
import { type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { tried } from "../support/promises.ts";
import { ROUND_THE_CLOCK } from "./days.ts";
import { type Call, caller, createCampaign, done, until } from "./support.ts";

const SEED = process.env["OUTRIDER_TEST_SEED"] ?? "1";
const ENV = {
  OUTRIDER_RATE_LIMIT: "0",
  OUTRIDER_LOG_LEVEL: "error",
  OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8",
};
const LEADS = 40;
const ACCOUNTS = 4;
/** Emails that are out before the disk lies. */
const SENT_BEFORE = 8;
/** The first damages one page, the next two, and so on. */
const TRIES = 5;
/** How long nothing is sent before a server counts as done. */
const QUIET_MS = 1_500;
/** More than is read at a start. */
const LARGE_BYTES = 1200 * 1024 ** 2;
const BROKEN = /live\.db is damaged .* outrider restore/;
const WAIT_MS_MAX = 60_000;
const TEST_MS_MAX = 300_000;

let directory: ReturnType<typeof temporaryDirectory>;
let smtp: SmtpSink;
let imap: ImapSink;
let key = "";
let campaign = "";
/** Emails that were out before; from then on no Sent folder can be looked at. */
let sentBefore = 0;
const at = (name: string) => join(directory.path, name);

beforeAll(async () => {
  directory = temporaryDirectory();
  smtp = await startSmtpSink();
  imap = await startImapSink(({ tag, verb }) => {
    if (sentBefore > 0) {
      return "drop";
    }
    const state = "* 0 EXISTS\r\n* OK [UIDVALIDITY 7] \r\n* OK [UIDNEXT 1] ";
    return verb === "EXAMINE" ? `${state}\r\n${tag} OK [READ-ONLY] done` : undefined;
  });
  await prepare();
}, TEST_MS_MAX);
afterAll(async () => {
  await Promise.all([smtp.stop(), imap.stop()]);
  directory[Symbol.dispose]();
});

/** `before`: nothing is sent. `data`: some are, and the campaign is paused. Both as a stop leaves them. */
async function prepare(): Promise<void> {
  let server = await startServer({ data: at("data"), env: ENV });
  key = (await server.createKey("live")).key;
  let call = caller(server, key);
  const accounts: string[] = [];
  for (let n = 1; n <= ACCOUNTS; n += 1) {
    const fields = { email: `sender${n}@out.test`, provider: "smtp" };
    const host = { host: "127.0.0.1", security: "none" };
    const login = { username: "u", password: "p" };
    const servers = {
      smtp: { ...host, port: smtp.port, username: "" },
      imap: { ...host, ...login, port: imap.port, save_sent: false },
    };
    const pace = { daily_limit: 2000, hourly_limit: 500, min_gap_seconds: 1, max_gap_seconds: 1 };
    const { id } = await done(call("POST", "/accounts", { ...fields, ...pace, ...servers }));
    await done(call("POST", `/accounts/${id}/test`, { send: false }));
    accounts.push(id);
  }
  campaign = await createCampaign(call, {
    ...{ name: "A disk that lies", max_leads_per_day: 10_000, send_window: ROUND_THE_CLOCK },
  });
  const step = { type: "email", subject: "S", body: "B" };
  await done(call("POST", `/campaigns/${campaign}/steps`, step));
  const leads = Array.from({ length: LEADS }, (_, n) => ({ email: `u${n}@firm${n}.test` }));
  await done(call("POST", `/campaigns/${campaign}/leads`, { leads }));
  expect(await server.stop()).toBe(0);
  cpSync(at("data"), at("before"), { recursive: true });

  server = await startServer({ data: at("data"), env: ENV });
  call = caller(server, key);
  await done(call("POST", `/campaigns/${campaign}/start`));
  await until(WAIT_MS_MAX, "some are sent", async () => {
    return smtp.bodies.length >= SENT_BEFORE || undefined;
  });
  await done(call("POST", `/campaigns/${campaign}/pause`));
  for (const id of accounts) {
    await done(call("PATCH", `/accounts/${id}`, { min_gap_seconds: 0, max_gap_seconds: 0 }));
  }
  expect(await server.stop()).toBe(0);
  cpSync(at("data"), at("kept"), { recursive: true });
  sentBefore = smtp.bodies.length;
}

/** Every file as the last stop left it, in its own place on the disk: a copy of one would be another file. */
function putBack(): void {
  for (const name of readdirSync(at("data")).filter((one) => !existsSync(join(at("kept"), one)))) {
    rmSync(join(at("data"), name), { recursive: true });
  }
  for (const name of readdirSync(at("kept"))) {
    writeFileSync(join(at("data"), name), readFileSync(join(at("kept"), name)));
  }
}

/** Which page is next: any but the first. */
type Draw = (count: number) => number;
interface Disk {
  pages: Uint8Array[];
  /** As they were before the first email. */
  before: readonly Uint8Array[];
  /** Pages to damage. */
  count: number;
  draw: Draw;
}
type Damage = (disk: Disk) => void;

const eachOf = (change: (page: Uint8Array, old: Uint8Array | undefined) => void): Damage => {
  return ({ pages, before, count, draw }) => {
    for (let n = 0; n < count; n += 1) {
      const place = draw(pages.length);
      change(pages[place] ?? new Uint8Array(), before[place]);
    }
  };
};

const KINDS: Readonly<Record<string, Damage>> = {
  "zeroed pages": eachOf((page) => page.fill(0)),
  "garbled pages": eachOf((page) => crypto.getRandomValues(page)),
  "pages torn in the middle": eachOf((page, old) => {
    page.set((old ?? new Uint8Array(page.length)).subarray(page.length / 2), page.length / 2);
  }),
  "pages in each other's place": ({ pages, count, draw }) => {
    for (let n = 0; n < count; n += 1) {
      const [a, b] = [draw(pages.length), draw(pages.length)];
      [pages[a], pages[b]] = [pages[b] ?? new Uint8Array(), pages[a] ?? new Uint8Array()];
    }
  },
  "writes that never came": ({ pages, before, count, draw }) => {
    const changed = pages.flatMap((page, place) =>
      place > 0 && before[place] !== undefined && !Buffer.from(page).equals(before[place])
        ? [place]
        : [],
    );
    for (let n = 0; n < count; n += 1) {
      const place = changed[draw(changed.length)] ?? 0;
      pages[place] = before[place] ?? new Uint8Array();
    }
  },
  "an end that is cut off": ({ pages, draw }) => {
    pages.splice(Math.floor(pages.length / 2) + draw(pages.length / 2));
  },
};

function rootOf(path: string, table: string): number {
  const db = new Database(path, { readonly: true });
  const query = "select rootpage from sqlite_master where name = ?1";
  const root = db.query<{ rootpage: number }, [string]>(query).get(table)?.rootpage ?? 0;
  db.close();
  return root;
}

const TEXTS = 4_000;
const TEXT_IN_THE_MIDDLE = `text ${TEXTS / 2} `;

/** Many pages of texts that nobody asks for. */
function writeTexts(path: string): void {
  const db = new Database(path);
  const [team] = db.query<{ id: Uint8Array }, []>("select id from teams").all();
  const insert = db.query("insert into canned_replies values (?1, ?2, ?3, ?4, 0, 0)");
  db.transaction(() => {
    for (let n = 0; n < TEXTS; n += 1) {
      const id = Buffer.alloc(16);
      id.writeUInt32BE(n);
      insert.run(id, team?.id ?? "", `name ${n}`, `text ${n} ${"x".repeat(500)}`);
    }
  })();
  db.close();
}

function pagesOf(path: string): Uint8Array[] {
  const db = new Database(path);
  db.run("pragma wal_checkpoint(truncate)");
  const size = db.query<{ page_size: number }, []>("pragma page_size").get()?.page_size ?? 0;
  db.close();
  const bytes = readFileSync(path);
  return Array.from({ length: bytes.length / size }, (_, n) =>
    Uint8Array.from(bytes.subarray(n * size, (n + 1) * size)),
  );
}

const recipients = (bodies: readonly string[]) =>
  bodies.map((body) => /^To: .*?([^\s<]+@firm\d+\.test)/m.exec(body)?.[1] ?? body.slice(0, 200));

function twice(names: readonly string[]): string[] {
  return names.filter((name, place) => names.indexOf(name) !== place);
}

/** What became of a start on broken data, in one word; `held` where it says itself that it sends nothing. */
async function play(): Promise<"refused" | "held" | "went on"> {
  let server: Server;
  try {
    server = await startServer({ data: at("data"), env: ENV });
  } catch (error) {
    expect(String(error)).toMatch(/ended with 65:[\s\S]*damaged[\s\S]*outrider restore/);
    return "refused";
  }
  try {
    const call: Call = caller(server, key);
    await call("POST", `/campaigns/${campaign}/resume`);
    let { status, body } = await readiness(server);
    for (let seen = -1; status === 200 && seen !== smtp.bodies.length; ) {
      seen = smtp.bodies.length;
      await Bun.sleep(QUIET_MS);
      ({ status, body } = await readiness(server));
    }
    if (status === 503) {
      expect(body.reason).toMatch(BROKEN);
    }
    return status === 503 ? "held" : "went on";
  } finally {
    await server.stop();
  }
}

async function readiness(server: Server): Promise<{ status: number; body: { reason?: string } }> {
  const response = await server.fetch("/readyz");
  return { status: response.status, body: (await response.json()) as { reason?: string } };
}

describe("Data on a disk that lies", () => {
  test(
    "nothing of it: the rest goes out",
    async () => {
      putBack();
      await using server = await startServer({ data: at("data"), env: ENV });
      await done(caller(server, key)("POST", `/campaigns/${campaign}/resume`));
      await until(WAIT_MS_MAX, "all are sent", async () => {
        return smtp.bodies.length >= LEADS || undefined;
      });
      expect(twice(recipients(smtp.bodies))).toEqual([]);
    },
    TEST_MS_MAX,
  );

  for (const [name, damage] of Object.entries(KINDS)) {
    test(
      `${name}: nobody is written to twice`,
      async () => {
        for (let n = 0; n < TRIES; n += 1) {
          putBack();
          const path = join(at("data"), "live.db");
          const [pages, before] = [pagesOf(path), pagesOf(join(at("before"), "live.db"))];
          let drawn = 0;
          const draw: Draw = (count) => {
            drawn += 1;
            return 1 + Math.floor(hash01(SEED, name, n, drawn) * (Math.floor(count) - 1));
          };
          damage({ pages, before, count: n + 1, draw });
          writeFileSync(path, Buffer.concat(pages));
          // Every second time as a crash leaves it.
          if (n % 2 === 1) {
            writeFileSync(join(at("data"), "outrider.address"), "http://127.0.0.1:1\n");
          }
          const first = smtp.bodies.length;
          const end = await play();
          const own = recipients([
            ...smtp.bodies.slice(0, sentBefore),
            ...smtp.bodies.slice(first),
          ]);
          expect([name, n, end, twice(own)]).toEqual([name, n, end, []]);
          tried("damage", 1);
        }
      },
      TEST_MS_MAX,
    );
  }

  test(
    "a table that nobody reads, in a file too large to wait for after a crash: found in the background",
    async () => {
      putBack();
      const path = join(at("data"), "live.db");
      writeTexts(path);
      const pages = pagesOf(path);
      const middle = pages.filter((page) => Buffer.from(page).includes(TEXT_IN_THE_MIDDLE));
      for (const page of middle) {
        page.fill(0);
      }
      expect(middle.length).toBeGreaterThan(0);
      writeFileSync(path, Buffer.concat(pages));
      // A hole at its end, which SQLite doesn't count.
      truncateSync(path, LARGE_BYTES);
      writeFileSync(join(at("data"), "outrider.address"), "http://127.0.0.1:1\n");
      await using server = await startServer({ data: at("data"), env: ENV });
      const { reason } = await until(WAIT_MS_MAX, "it says that it is broken", async () => {
        const { status, body } = await readiness(server);
        return status === 503 ? body : undefined;
      });
      expect(reason).toMatch(BROKEN);
      expect(reason).toContain("canned_replies");
    },
    TEST_MS_MAX,
  );

  test(
    "a table that turns out to be broken: nothing is sent from then on, and it says why",
    async () => {
      putBack();
      const path = join(at("data"), "live.db");
      const root = rootOf(path, "leads");
      const pages = pagesOf(path);
      pages[root - 1]?.fill(0);
      writeFileSync(path, Buffer.concat(pages));
      await using server = await startServer({ data: at("data"), env: ENV });
      const call = caller(server, key);
      const first = smtp.bodies.length;
      await call("POST", `/campaigns/${campaign}/resume`);
      const { reason } = await until(WAIT_MS_MAX, "it says that it is broken", async () => {
        const { status, body } = await readiness(server);
        return status === 503 ? body : undefined;
      });
      expect(reason).toMatch(BROKEN);
      expect(smtp.bodies.length).toBe(first);
      expect((await call("GET", "/leads")).status).toBe(503);
      expect((await call("GET", `/campaigns/${campaign}`)).status).not.toBe(500);
    },
    TEST_MS_MAX,
  );
});
