/**
 * Files of a data directory are put back to an earlier state behind the program's back, or its log is lost,
 * after it was killed while email went out: it notices, asks the Sent folders of a real Dovecot, and writes
 * to nobody twice. A kill that leaves the files alone goes on at once.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type MailServer,
  mailsOf,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import { outrider, type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { tried } from "../support/promises.ts";
import { ROUND_THE_CLOCK } from "./days.ts";
import { connect, enroll } from "./mail.ts";
import { type Call, caller, campaignLeads, createCampaign, done, until } from "./support.ts";

/** Of each case. */
const RECIPIENTS = 40;
/** Emails that are out when the program is killed. */
const SENT_BEFORE = 20;
const SENDERS = ["sender1@out.test", "sender2@out.test", "sender3@out.test"];
const SLOW = { min_gap_seconds: 1, max_gap_seconds: 1 };
const FAST = { min_gap_seconds: 0, max_gap_seconds: 0 };
const WAIT_MS_MAX = 120_000;
const TEST_MS_MAX = 400_000;
const PUT_BACK = "the data was put back";

const title = "A data directory that is put back";
if (skipsMailServer()) {
  const why = `skipped: the mail server ${missingForMailServer()}`;
  test.skipIf(true)(`${title} (${why})`, () => undefined);
} else {
  describe(title, rollbacks);
}

/** Copies files over those that are there, which keep their place on the disk. */
function copyFiles(from: string, to: string, matches: RegExp): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from).filter((one) => matches.test(one))) {
    copyFileSync(join(from, name), join(to, name));
  }
}

function rollbacks(): void {
  let mail: MailServer;
  beforeAll(async () => {
    mail = await startMailServer({ loadUsers: 5 * RECIPIENTS });
  }, TEST_MS_MAX);
  afterAll(() => mail?.stop(), TEST_MS_MAX);

  const start = (data: string) =>
    startServer({
      data,
      env: {
        OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
        OUTRIDER_MAIL_CA_FILE: join(mail.dir, "tls/cert.pem"),
        OUTRIDER_RATE_LIMIT: "0",
        OUTRIDER_POLL_SECONDS: "1",
        OUTRIDER_LOG_LEVEL: "warn",
      },
    });

  const sent = async (call: Call, id: string): Promise<number> =>
    (await done(call("GET", `/campaigns/${id}/stats`))).sent;

  /** A campaign that is about to send, in files that a stop has left; `old` holds a copy of them. */
  async function prepared(data: string, old: string, leads: readonly string[]) {
    const server = await start(data);
    const { key } = await server.createKey("live");
    const call = caller(server, key);
    for (const email of SENDERS) {
      const { id } = await connect(mail, call, email, { security: "starttls" });
      await done(call("PATCH", `/accounts/${id}`, SLOW));
      await done(call("POST", `/accounts/${id}/test`, { send: false }));
    }
    const campaign = await createCampaign(call, {
      ...{ name: "Rollback", max_leads_per_day: 10_000, send_window: ROUND_THE_CLOCK },
    });
    const step = { type: "email", subject: "Rollback", body: "Hello" };
    await done(call("POST", `/campaigns/${campaign}/steps`, step));
    await enroll(call, campaign, leads);
    await done(call("POST", `/campaigns/${campaign}/start`));
    expect(await server.stop()).toBe(0);
    copyFiles(data, old, /./);
    return { key, campaign };
  }

  async function sendAndDie(server: Server, key: string, campaign: string, count: number) {
    const call = caller(server, key);
    await until(WAIT_MS_MAX, `${count} are sent`, async () =>
      (await sent(call, campaign)) >= count ? true : undefined,
    );
    await server.stop("SIGKILL");
  }

  const FILES = /^live\.db/;
  const cases: [string, (data: string, old: string) => void][] = [
    [
      "an older copy of the database",
      (data, old) => {
        rmSync(join(data, "live.db-wal"), { force: true });
        copyFiles(old, data, FILES);
      },
    ],
    ["no log", (data) => rmSync(join(data, "live.db-wal"))],
    [
      "an older copy of everything, installation.json too",
      (data, old) => {
        rmSync(join(data, "live.db-wal"), { force: true });
        copyFiles(old, data, /^(live\.db|installation\.json)/);
      },
    ],
  ];

  test.each(cases)(
    "%s: nobody is written to twice",
    async (name, putBack) => {
      using directory = temporaryDirectory();
      const [data, old] = [join(directory.path, "data"), join(directory.path, "old")];
      const from = cases.findIndex(([one]) => one === name) * RECIPIENTS;
      const leads = Array.from({ length: RECIPIENTS }, (_, n) => `u${from + n + 1}@load.test`);
      const { key, campaign } = await prepared(data, old, leads);
      await sendAndDie(await start(data), key, campaign, SENT_BEFORE);
      expect(existsSync(join(data, "live.db-wal"))).toBe(true);
      putBack(data, old);

      await using server = await start(data);
      const call = caller(server, key);
      const accounts = await until(WAIT_MS_MAX, "it is known what was sent", async () => {
        const { data } = await done(call("GET", "/accounts"));
        const isKnown = data.every((row: { unconfirmed_since: unknown }) => !row.unconfirmed_since);
        return isKnown && server.log().includes(PUT_BACK) ? data : undefined;
      });
      for (const { id } of accounts) {
        await done(call("PATCH", `/accounts/${id}`, FAST));
      }
      const ended = await until(WAIT_MS_MAX, "every lead is done or held", async () => {
        const rows = await campaignLeads(call, campaign);
        const isOver = rows.every((row) => row.hold_reason !== null || row.status === "completed");
        return isOver ? rows : undefined;
      });
      const held = ended.filter((row) => row.hold_reason === "unknown_send").length;
      const boxes = await until(WAIT_MS_MAX, "everything is delivered", async () => {
        const all = await Promise.all(leads.map((lead) => mailsOf(mail, lead)));
        return all.filter((box) => box.length > 0).length >= RECIPIENTS - held ? all : undefined;
      });
      const twice = boxes.filter((box) => box.length > 1).length;
      console.info(`${name}: ${boxes.flat().length} emails, ${twice} twice, ${held} held`);
      expect(twice).toBe(0);
      // Most of what was sent is found, not held.
      const found = ended.filter((row) => row.status === "completed").length;
      expect(found).toBeGreaterThanOrEqual(SENT_BEFORE / 2);
      expect(server.log()).toContain('"since":"20');
      tried("backups", RECIPIENTS);
    },
    TEST_MS_MAX,
  );

  test(
    "a backup with a mailbox paused, one without copies, its campaign paused: nobody twice",
    async () => {
      using directory = temporaryDirectory();
      const [data, old, fresh] = ["data", "old", "new"].map((name) => join(directory.path, name));
      const from = (cases.length + 1) * RECIPIENTS;
      const leads = Array.from({ length: RECIPIENTS }, (_, n) => `u${from + n + 1}@load.test`);
      const { key, campaign } = await prepared(data ?? "", old ?? "", leads);
      const first = await start(data ?? "");
      const before = caller(first, key);
      const [one, two] = (await done(before("GET", "/accounts"))).data;
      await done(before("POST", `/campaigns/${campaign}/pause`));
      await done(before("PATCH", `/accounts/${one.id}`, { status: "paused" }));
      await done(before("PATCH", `/accounts/${two.id}`, { imap: { save_sent: false } }));
      const file = join(directory.path, "kept.tar.zst");
      const made = await outrider(["backup", file, "--with-key", "--data", data ?? ""]);
      expect(made.exit).toBe(0);
      await done(before("PATCH", `/accounts/${one.id}`, { status: "active" }));
      await done(before("POST", `/campaigns/${campaign}/resume`));
      await sendAndDie(first, key, campaign, SENT_BEFORE);
      expect((await outrider(["restore", file, "--data", fresh ?? ""])).exit).toBe(0);

      await using server = await start(fresh ?? "");
      const call = caller(server, key);
      const accounts = await until(WAIT_MS_MAX, "it is known what was sent", async () => {
        const { data: rows } = await done(call("GET", "/accounts"));
        const isKnown = rows.every((row: { unconfirmed_since: unknown }) => !row.unconfirmed_since);
        return isKnown && server.log().includes(PUT_BACK) ? rows : undefined;
      });
      for (const { id } of accounts) {
        await done(call("PATCH", `/accounts/${id}`, { ...FAST, status: "active" }));
      }
      await done(call("POST", `/campaigns/${campaign}/resume`));
      await until(WAIT_MS_MAX, "every lead is done or held", async () => {
        const rows = await campaignLeads(call, campaign);
        return rows.every((row) => row.hold_reason !== null || row.status === "completed")
          ? true
          : undefined;
      });
      const boxes = await Promise.all(leads.map((lead) => mailsOf(mail, lead)));
      console.info(`a backup: ${boxes.flat().length} emails`);
      expect(boxes.flat().length).toBeGreaterThanOrEqual(SENT_BEFORE);
      expect(boxes.filter((box) => box.length > 1)).toEqual([]);
      tried("backups", RECIPIENTS);
    },
    TEST_MS_MAX,
  );

  test(
    "killed and nothing else: it goes on at once, and nothing is in question",
    async () => {
      using directory = temporaryDirectory();
      const [data, old] = [join(directory.path, "data"), join(directory.path, "old")];
      const leads = Array.from(
        { length: RECIPIENTS },
        (_, n) => `u${cases.length * RECIPIENTS + n + 1}@load.test`,
      );
      const { key, campaign } = await prepared(data, old, leads);
      await sendAndDie(await start(data), key, campaign, SENT_BEFORE / 2);
      // A command opens the files meanwhile, and folds the log into the database.
      expect((await outrider(["teams", "list", "--data", data])).exit).toBe(0);
      await using server = await start(data);
      await sendAndDie(server, key, campaign, SENT_BEFORE);
      await using last = await start(data);
      const call = caller(last, key);
      await until(WAIT_MS_MAX, "all are sent or held", async () => {
        const rows = await campaignLeads(call, campaign);
        return rows.every((row) => row.status === "completed" || row.hold_reason !== null)
          ? true
          : undefined;
      });
      expect(server.log() + last.log()).not.toContain(PUT_BACK);
      const boxes = await Promise.all(leads.map((lead) => mailsOf(mail, lead)));
      expect(boxes.filter((box) => box.length > 1)).toEqual([]);
    },
    TEST_MS_MAX,
  );
}
