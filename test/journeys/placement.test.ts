/**
 * Placement over real servers: three mailboxes write to eight seeds through Postfix; Dovecot's Sieve files
 * some of it away, a server refuses some, and a server of ours with Gmail's extension has categories. The
 * program is killed in the middle and started again. What arrived is read off the mailboxes themselves.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type GmailSink, startGmailSink } from "../mail/smtp/gmail-sink.ts";
import {
  freePorts,
  type MailServer,
  mailsOf,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import { type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { connect } from "./mail.ts";
import { type Call, caller, done, type Reply, until } from "./support.ts";

const SENDERS = ["sender1@out.test", "sender2@out.test", "sender3@out.test"] as const;
/** Where each seed's email ends; `spam@acme.test` is refused before it gets anywhere. */
const SEEDS = {
  "u1@load.test": "inbox",
  "u2@load.test": "inbox",
  "u3@load.test": "spam",
  "u4@load.test": "spam",
  "u5@load.test": "inbox",
  "u6@load.test": "promotions",
  "u7@load.test": "inbox",
  "spam@acme.test": "not_delivered",
} as const;
const GMAIL = ["u6@load.test", "u7@load.test"];
const RUN_MS_MAX = 180_000;
const TEST_MS_MAX = 240_000;

const skips = skipsMailServer();
const title = "Placement over real mailboxes";
if (skips) {
  test.skipIf(true)(
    `${title} (skipped: the mail server ${missingForMailServer()})`,
    () => undefined,
  );
} else {
  describe(title, journey);
}

function journey(): void {
  const directory = temporaryDirectory();
  let mail: MailServer;
  let gmail: GmailSink;
  let port: number;
  let server: Server;
  let call: Call;

  const start = () =>
    startServer({
      data: join(directory.path, "data"),
      port,
      env: {
        OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
        OUTRIDER_MAIL_CA_FILE: join(mail.dir, "tls/cert.pem"),
        OUTRIDER_PUBLIC_URL: `http://127.0.0.1:${port}`,
        OUTRIDER_RATE_LIMIT: "0",
        OUTRIDER_POLL_SECONDS: "1",
        OUTRIDER_LOG_LEVEL: "warn",
      },
    });

  beforeAll(async () => {
    mail = await startMailServer({ loadUsers: 8 });
    gmail = await startGmailSink();
    [port = 0] = await freePorts(1);
    server = await start();
    const { key } = await server.createKey("live");
    // After a restart it is another server at the same address.
    call = (...request) => caller(server, key)(...request);
    for (const email of SENDERS) {
      const { id } = await connect(mail, call, email, { security: "starttls" });
      await done(call("PATCH", `/accounts/${id}`, { min_gap_seconds: 1, max_gap_seconds: 1 }));
      await until(RUN_MS_MAX, `${email} is ready`, async () =>
        (await done(call("GET", `/accounts/${id}`))).ready ? true : undefined,
      );
    }
    const into = (folder: string) =>
      `require ["fileinto", "mailbox"]; fileinto :create "${folder}";`;
    await mail.sieve("u3@load.test", into("Junk"));
    await mail.sieve("u4@load.test", into("Junk"));
    await mail.sieve("u5@load.test", into("Projects"));
    for (const email of Object.keys(SEEDS)) {
      await done(call("POST", "/placement/seeds", { email, imap: imapOf(email) }));
    }
  }, TEST_MS_MAX);

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await gmail.stop();
    await mail.stop();
    directory[Symbol.dispose]();
  }, 60_000);

  /** Two seeds are read from the server with categories, and the refused one from anybody's mailbox. */
  const imapOf = (email: string) => {
    if (GMAIL.includes(email)) {
      const server = { host: "127.0.0.1", port: gmail.port, security: "none" };
      return { ...server, username: email, password: "secret" };
    }
    const owner = email === "spam@acme.test" ? "alice@acme.test" : email;
    return mail.mailbox(owner).imap;
  };

  /** What Postfix has delivered for the two is shown by the server with categories. */
  const showAtGmail = async () => {
    for (const email of GMAIL) {
      for (const { raw } of await mailsOf(mail, email)) {
        const messageId = /^message-id:\s*(<[^>]+>)/im.exec(raw)?.[1] ?? "";
        if (!gmail.mails.some((known) => known.messageId === messageId)) {
          const tab =
            SEEDS[email as keyof typeof SEEDS] === "promotions" ? "promotions" : "primary";
          gmail.mails.push({ folder: "INBOX", messageId, tab });
        }
      }
    }
  };

  const read = async (id: string): Promise<Reply["body"]> => {
    await showAtGmail();
    return await done(call("GET", `/placement/runs/${id}`));
  };
  const sentOf = (run: Reply["body"]) =>
    run.results.filter((result: Reply["body"]) => result.sent_at !== null).length;
  /** Between two emails of a second each, so that none is under way. */
  const sent = (id: string, count: number) =>
    until(RUN_MS_MAX, `${count} mails are sent`, async () => {
      const run = await read(id);
      return sentOf(run) >= count && sentOf(run) % SENDERS.length === 0 ? true : undefined;
    });

  test(
    "each email is sent once and found where it is, through a kill and a restart",
    async () => {
      const { id, total_tests } = await done(call("POST", "/placement/runs", {}));
      expect(total_tests).toBe(24);
      await sent(id, 6);
      await server.stop("SIGKILL");
      server = await start();
      await sent(id, 12);
      await server.stop();
      server = await start();

      const run = await until(RUN_MS_MAX, "the run is complete", async () => {
        const now = await read(id);
        return now.status === "completed" ? now : undefined;
      });
      expect(run).toMatchObject({
        ...{ total_tests: 24, inbox_count: 12, spam_count: 6, promotions_count: 3 },
        ...{ not_delivered_count: 3, pending_count: 0, failed_count: 0, inbox_rate: 0.5 },
        by_provider: { custom: { total: 24, inbox: 12, spam: 6, rate: 0.5 } },
      });
      for (const result of run.results) {
        const placement = SEEDS[result.seed_email as keyof typeof SEEDS];
        expect([result.seed_email, result.placement]).toEqual([result.seed_email, placement]);
        expect(result.tested_at).not.toBeNull();
        if (placement !== "not_delivered") {
          expect(result.latency_ms).toBeGreaterThanOrEqual(0);
          expect(result.latency_ms).toBeLessThan(RUN_MS_MAX);
        }
      }
      expect(run.results.filter(({ folder }: Reply["body"]) => folder === "Projects")).toHaveLength(
        3,
      );
      for (const [email, placement] of Object.entries(SEEDS)) {
        const box = await mailsOf(mail, email);
        const from = box.map(({ raw }) => /^from:.*<([^>]+)>/im.exec(raw)?.[1]).toSorted();
        expect([email, from]).toEqual([email, placement === "not_delivered" ? [] : [...SENDERS]]);
        if (placement === "spam") {
          expect(new Set(box.map(({ folder }) => folder))).toEqual(new Set(["Junk"]));
        }
        // Looked at without a trace.
        expect(box.filter(({ flags }) => flags !== "")).toEqual([]);
      }
      expect((await done(call("GET", "/inbox/threads"))).total).toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    "a seed that cannot log in fails its own test alone, and says why",
    async () => {
      await mail.setPassword("u2@load.test", "another");
      const seeds = (await done(call("GET", "/placement/seeds"))).data;
      const ids = seeds
        .filter(({ email }: Reply["body"]) => /^u[123]@/.test(email))
        .map((seed: Reply["body"]) => seed.id);
      const { id } = await done(call("POST", "/placement/runs", { seed_ids: ids }));
      const run = await until(RUN_MS_MAX, "the run is complete", async () => {
        const now = await read(id);
        return now.status === "completed" ? now : undefined;
      });
      expect(run).toMatchObject({ total_tests: 6, inbox_count: 3, spam_count: 3, failed_count: 3 });
      const failed = run.results.filter(({ status }: Reply["body"]) => status === "failed");
      expect(failed.map((result: Reply["body"]) => result.seed_email)).toEqual(
        new Array(3).fill("u2@load.test"),
      );
      expect(failed[0].error).toContain("rejects the login");
    },
    TEST_MS_MAX,
  );
}
