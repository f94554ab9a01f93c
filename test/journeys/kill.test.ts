/**
 * What a sudden end costs: the compiled executable is killed (SIGKILL) fifty times while it sends two
 * thousand emails, and started again each time on what it left. The servers that it talks to decide when:
 * after a number of commands drawn from a seed, so that the end comes in every part of an email's way,
 * in a start and in a look into the Sent folder too.
 *
 * An email counts as delivered from its final dot, whether or not anybody was left to read the answer.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { hash01 } from "#domain/random.ts";
import { type ImapSink, startImapSink } from "../mail/imap/imap-sink.ts";
import { type SmtpSink, startSmtpSink } from "../mail/smtp/smtp-sink.ts";
import { type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { tried } from "../support/promises.ts";
import { ROUND_THE_CLOCK } from "./days.ts";
import {
  type Call,
  caller,
  campaignLeads,
  createCampaign,
  done,
  type Reply,
  until,
} from "./support.ts";

const SEED = process.env["OUTRIDER_TEST_SEED"] ?? "1";
const KILLS = 50;
const ACCOUNTS = 8;
const LEADS = 1000;
const STEPS = 2;
/** Commands of both protocols that a life may hear before its end. */
const ASKS_MAX = 320;
const DELAY_MS_MAX = 12;
const TEST_MS_MAX = 600_000;
/** Until everything that can be sent is sent. */
const FINISH_MS_MAX = 240_000;

const ENV = {
  OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8",
  OUTRIDER_RATE_LIMIT: "0",
  OUTRIDER_POLL_SECONDS: "1",
  OUTRIDER_LOG_LEVEL: "error",
};

/**
 * Kills a process when both servers have been asked a number of things, before the answer: what was
 * asked has happened, and nobody learns of it. Or some milliseconds later, while it does its own part.
 */
function createTrap() {
  let left = Number.POSITIVE_INFINITY;
  let delay = 0;
  let pid = 0;
  let hasSprung = false;
  let sprung = Promise.withResolvers<void>();
  const spring = () => {
    hasSprung = true;
    process.kill(pid, "SIGKILL");
    sprung.resolve();
  };
  return {
    arm: (asks: number, delayMs: number) => {
      left = asks;
      delay = delayMs;
      hasSprung = false;
      sprung = Promise.withResolvers();
    },
    aim: (at: number) => {
      pid = at;
    },
    count: () => {
      left -= 1;
      if (left === 0 && delay === 0) {
        spring();
      } else if (left === 0) {
        setTimeout(spring, delay);
      }
    },
    hasSprung: () => hasSprung,
    sprung: () => sprung.promise,
  };
}

describe("Killed at any moment", () => {
  const trap = createTrap();
  const directory = temporaryDirectory();
  const data = join(directory.path, "data");
  let smtp: SmtpSink;
  let imap: ImapSink;
  let server: Server | undefined;

  beforeAll(async () => {
    smtp = await startSmtpSink(() => {
      trap.count();
      return undefined;
    });
    imap = await startImapSink(({ tag, verb, line, connection }) => {
      trap.count();
      return mailboxAnswer(smtp, { tag, verb, line, connection });
    });
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await smtp.stop();
    await imap.stop();
    directory[Symbol.dispose]();
  });

  const start = () => startServer({ data, env: ENV, spawned: trap.aim });

  test(
    "no email goes out twice, and none is lost without a state that a person sees",
    async () => {
      server = await start();
      const { key } = await server.createKey("live");
      const campaignId = await prepare(caller(server, key), smtp.port, imap.port);
      await server.stop("SIGKILL");

      for (let kill = 0; kill < KILLS; kill += 1) {
        const asks = 1 + Math.floor(hash01(SEED, kill, "asks") * ASKS_MAX);
        const delay = Math.floor(hash01(SEED, kill, "delay") * 2 * DELAY_MS_MAX) - DELAY_MS_MAX;
        trap.arm(asks, Math.max(0, delay));
        server = await start().catch((error: unknown) => {
          if (!trap.hasSprung()) {
            throw error;
          }
          return undefined;
        });
        await trap.sprung();
        await server?.stop("SIGKILL");
      }
      const sentWhileKilled = smtp.bodies.length;
      // Requests of mailboxes that are read spring the trap too: how many emails went out meanwhile varies.
      expect(sentWhileKilled).toBeGreaterThan(LEADS / 10);
      expect(sentWhileKilled).toBeLessThan(LEADS * STEPS);

      trap.arm(Number.POSITIVE_INFINITY, 0);
      server = await start();
      const call = caller(server, key);
      const leads = await until(FINISH_MS_MAX, "every lead is done or held", async () => {
        const { status, body } = await call("GET", `/campaigns/${campaignId}/stats`);
        return status === 200 && body.open === body.held
          ? campaignLeads(call, campaignId)
          : undefined;
      });
      const delivered = deliveredTo(smtp.bodies);
      expect([...delivered].filter(([, count]) => count > 1)).toEqual([]);
      expect(leads).toHaveLength(LEADS);
      expect(leads.filter((lead) => !isExplained(lead, delivered))).toEqual([]);
      const held = leads.filter((lead) => lead.hold_reason === "unknown_send");
      expect(held.length).toBeGreaterThan(0);

      await resolveAll(call, campaignId, delivered);
      expect([...deliveredTo(smtp.bodies)].filter(([, count]) => count > 1)).toEqual([]);
      expect(smtp.bodies).toHaveLength(LEADS * STEPS);
      const stats = await done(call("GET", `/campaigns/${campaignId}/stats`));
      expect(stats).toMatchObject({ sent: LEADS * STEPS, completed: LEADS, held: 0, failed: 0 });
      expect(await server.stop()).toBe(0);
      tried("kills", KILLS);

      expect(inFile(data, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
      expect(
        inFile(data, "SELECT status, COUNT(*) AS count FROM messages GROUP BY status"),
      ).toEqual([{ status: "sent", count: LEADS * STEPS }]);
    },
    TEST_MS_MAX,
  );
});

/** Mailboxes, two steps without a wait, and everybody enrolled. Returns the campaign's id. */
async function prepare(call: Call, smtpPort: number, imapPort: number): Promise<string> {
  for (let account = 1; account <= ACCOUNTS; account += 1) {
    const { id } = await done(
      call("POST", "/accounts", {
        email: `sender${account}@out.test`,
        provider: "smtp",
        daily_limit: 2000,
        hourly_limit: 500,
        min_gap_seconds: 0,
        max_gap_seconds: 0,
        smtp: { host: "127.0.0.1", port: smtpPort, security: "none", username: "" },
        imap: {
          host: "127.0.0.1",
          port: imapPort,
          security: "none",
          username: `${account % 2 === 0 ? "files" : "forgets"}-${account}`,
          password: "secret",
          save_sent: false,
        },
      }),
    );
    const tested = await done(call("POST", `/accounts/${id}/test`, { send: false }));
    expect(tested).toMatchObject({ smtp: { ok: true }, imap: { ok: true } });
  }
  const id = await createCampaign(call, {
    name: "Under fire",
    max_leads_per_day: 10_000,
    send_window: ROUND_THE_CLOCK,
  });
  const steps = [
    { type: "email", subject: "Hello", body: "Hi there." },
    { type: "email", body: "And again.", wait_days: 0 },
  ];
  for (const step of steps) {
    await done(call("POST", `/campaigns/${id}/steps`, step));
  }
  const leads = Array.from({ length: LEADS }, (_, n) => ({ email: `u${n + 1}@load.test` }));
  expect(await done(call("POST", `/campaigns/${id}/leads`, { leads }))).toMatchObject({
    imported: LEADS,
  });
  await done(call("POST", `/campaigns/${id}/start`));
  return id;
}

/** An empty mailbox; those whose user "files" keep what they sent, and can be asked for it. */
const filing = new Set<number>();
function mailboxAnswer(
  smtp: SmtpSink,
  ask: { tag: string; verb: string; line: string; connection: number },
): string | undefined {
  const { tag, verb, line, connection } = ask;
  if (verb === "LOGIN" && line.includes("files-")) {
    filing.add(connection);
  }
  if (verb === "LIST" && filing.has(connection)) {
    const sent = '* LIST (\\HasNoChildren \\Sent) "/" Sent';
    return `* LIST (\\HasNoChildren) "/" INBOX\r\n${sent}\r\n${tag} OK done`;
  }
  if (verb === "EXAMINE") {
    const state = ["* 0 EXISTS", "* OK [UIDVALIDITY 7] ", "* OK [UIDNEXT 1] "].join("\r\n");
    return `${state}\r\n${tag} OK [READ-ONLY] done`;
  }
  if (verb === "UID SEARCH") {
    const messageId = /<[^>]+>/.exec(line)?.[0];
    const isThere = messageId !== undefined && smtp.bodies.some((body) => body.includes(messageId));
    return `* SEARCH${isThere ? " 5" : ""}\r\n${tag} OK done`;
  }
  return undefined;
}

/** How often each recipient got each step; the second one is in the thread of the first. */
function deliveredTo(bodies: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const body of bodies) {
    const to = /^To: .*?([^\s<]+@load\.test)/m.exec(body)?.[1];
    const slot = `${to} ${/^Subject: Re:/m.test(body) ? 2 : 1}`;
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return counts;
}

/** What the API says of a lead is what was delivered, or says that nobody knows. */
function isExplained(lead: Reply["body"], delivered: ReadonlyMap<string, number>): boolean {
  const steps = [1, 2].filter((step) => delivered.has(`${lead.email} ${step}`)).length;
  return lead.hold_reason === "unknown_send"
    ? steps === lead.current_step || steps === lead.current_step + 1
    : lead.status === "completed" && lead.current_step === STEPS && steps === STEPS;
}

/** A person looks into each doubt: what arrived is treated as sent, the rest sent again. */
async function resolveAll(
  call: Call,
  campaignId: string,
  delivered: ReadonlyMap<string, number>,
): Promise<void> {
  const path = `/campaigns/${campaignId}/leads`;
  const held = await campaignLeads(call, campaignId);
  for (const lead of held.filter(({ hold_reason }) => hold_reason !== null)) {
    const arrived = delivered.has(`${lead.email} ${lead.current_step + 1}`);
    const action = arrived ? "treat_as_sent" : "send_again";
    await done(call("POST", `${path}/${lead.id}/resolve`, { action }));
  }
  await until(FINISH_MS_MAX, "the campaign is completed", async () => {
    const { body } = await call("GET", `/campaigns/${campaignId}`);
    return body.status === "completed" ? true : undefined;
  });
}

function inFile(data: string, sql: string): unknown[] {
  const db = new Database(join(data, "live.db"));
  try {
    return db.query(sql).all();
  } finally {
    db.close();
  }
}
