/**
 * Continuous replication, as docs/operations.md says it: server and Litestream are killed while email goes
 * out, the replica is restored on "another machine", and the server goes on there. At most the last
 * moments are lost, and nobody is written to twice. Dovecot and Postfix are real, and so is Litestream.
 */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import {
  mailsOf,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import { startServer, temporaryDirectory } from "../support/executable.ts";
import { ROUND_THE_CLOCK } from "./days.ts";
import { addSteps, connect, enroll, STEPS } from "./mail.ts";
import { caller, campaignLeads, createCampaign, done, type Reply, until } from "./support.ts";

const ROOT = resolve(import.meta.dir, "../..");
const LITESTREAM = join(ROOT, ".toolchain/bin/litestream");
const RECIPIENTS = 30;
/** Emails that are out when the lights go off: one a second from each of two mailboxes, so seconds' worth. */
const SENT_BEFORE = 16;
const SLOW = { min_gap_seconds: 1, max_gap_seconds: 1 };
const FAST = { min_gap_seconds: 0, max_gap_seconds: 0 };
const WAIT_MS_MAX = 240_000;
const TEST_MS_MAX = 400_000;
/** The second that is promised, and what a busy machine adds to it. */
const LOST_MS_MAX = 5_000;

const { CI, OUTRIDER_TEST_TIER: tier } = process.env;
const isFull = tier === "full" || (CI === "true" && tier !== "quick");
const lacksLitestream = !(existsSync(LITESTREAM) || isFull);
const skips = lacksLitestream || skipsMailServer();
const missing = lacksLitestream ? "is not installed" : missingForMailServer();

/** The configuration and the commands that the manual shows, for directories of this test. */
function manual(paths: Readonly<Record<string, string>>): { yaml: string; restore: string[] } {
  const text = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
  const placed = Object.entries(paths).reduce(
    (whole, [shown, real]) => whole.replaceAll(shown, real),
    text.slice(text.indexOf("## Replication with Litestream")),
  );
  const yaml = /```yaml\n([\s\S]*?)```/.exec(placed)?.[1] ?? "";
  const lines = placed.split("\n").filter((line) => line.startsWith("litestream restore "));
  return { yaml, restore: lines };
}

test.skipIf(skips)(
  `a replica goes on where the machine ended${skips ? ` (skipped: Litestream ${missing})` : ""}`,
  async () => {
    using directory = temporaryDirectory();
    const old = join(directory.path, "old");
    const fresh = join(directory.path, "new");
    const { yaml, restore } = manual({
      "/var/lib/outrider": old,
      "/mnt/other": join(directory.path, "replica"),
      "./new/": `${fresh}/`,
    });
    expect(yaml).toContain(old);
    expect(restore).toHaveLength(2);
    const config = join(directory.path, "litestream.yml");
    writeFileSync(config, yaml);
    const mail = await startMailServer({ loadUsers: RECIPIENTS });
    const env = {
      OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
      OUTRIDER_MAIL_CA_FILE: join(mail.dir, "tls/cert.pem"),
      OUTRIDER_RATE_LIMIT: "0",
      OUTRIDER_POLL_SECONDS: "1",
      OUTRIDER_LOG_LEVEL: "warn",
    };
    try {
      const first = await startServer({ data: old, env });
      const { key } = await first.createKey("live");
      const replicator = Bun.spawn([LITESTREAM, "replicate", "-config", config], {
        stdout: "ignore",
        stderr: "ignore",
      });
      let campaign: string;
      try {
        const call = caller(first, key);
        for (const sender of ["sender1@out.test", "sender2@out.test"]) {
          const { id } = await connect(mail, call, sender, { security: "starttls" });
          await done(call("PATCH", `/accounts/${id}`, SLOW));
          await done(call("POST", `/accounts/${id}/test`, { send: false }));
        }
        campaign = await createCampaign(call, {
          ...{ name: "Load", max_leads_per_day: 10_000, send_window: ROUND_THE_CLOCK },
        });
        await addSteps(call, campaign, 0);
        const leads = Array.from({ length: RECIPIENTS }, (_, n) => `u${n + 1}@load.test`);
        await enroll(call, campaign, leads);
        await until(WAIT_MS_MAX, "the first copy is made", async () =>
          ["live", "test"].every((name) => holdsFile(join(directory.path, "replica", name)))
            ? true
            : undefined,
        );
        await done(call("POST", `/campaigns/${campaign}/start`));
        await until(WAIT_MS_MAX, "some are sent", async () => {
          const { sent } = await done(call("GET", `/campaigns/${campaign}/stats`));
          return sent >= SENT_BEFORE ? true : undefined;
        });
      } finally {
        replicator.kill("SIGKILL");
        await Promise.all([first.stop("SIGKILL"), replicator.exited]);
      }

      mkdirSync(fresh, { mode: 0o700 });
      for (const line of restore) {
        const [, ...args] = line.split(/\s+/);
        const { exitCode, stdout, stderr } = Bun.spawnSync([LITESTREAM, ...args]);
        const said = exitCode === 0 ? "" : `${stdout}${stderr}`;
        expect({ line, exitCode, said }).toEqual({
          ...{ line, exitCode: 0, said: "" },
        });
      }
      copyFileSync(join(old, "master.key"), join(fresh, "master.key"));
      const lostMs = newestMessage(old) - newestMessage(fresh);
      expect(lostMs).toBeLessThanOrEqual(LOST_MS_MAX);
      expect(integrity(fresh)).toEqual(["ok", "ok"]);

      await using second = await startServer({ data: fresh, env });
      const call = caller(second, key);
      for (const { id } of (await done(call("GET", "/accounts"))).data) {
        await done(call("PATCH", `/accounts/${id}`, FAST));
      }
      const leads = await until(WAIT_MS_MAX, "every lead is done or held", async () => {
        const { status, body } = await call("GET", `/campaigns/${campaign}/stats`);
        return status === 200 && body.open === body.held
          ? campaignLeads(call, campaign)
          : undefined;
      });
      for (const lead of leads as Reply["body"][]) {
        const box = await mailsOf(mail, lead.email);
        const steps = new Set(box.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)?.[1]));
        const isHeld = lead.hold_reason === "unknown_send";
        expect({ to: lead.email, mails: box.length, isHeld }).toEqual({
          to: lead.email,
          mails: isHeld ? expect.any(Number) : STEPS,
          isHeld,
        });
        expect(steps.size).toBe(box.length);
        expect(box.length).toBeLessThanOrEqual(STEPS);
      }
      expect(await second.stop()).toBe(0);
      expect(integrity(fresh)).toEqual(["ok", "ok"]);
    } finally {
      await mail.stop();
    }
  },
  TEST_MS_MAX,
);

/** Whether there is a file in a directory or below it. */
function holdsFile(path: string): boolean {
  return (
    existsSync(path) &&
    readdirSync(path, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())
  );
}

/** When the newest email that a data directory knows of was begun. */
function newestMessage(data: string): number {
  using db = new Database(join(data, "live.db"));
  const row = db.query<{ at: number }, []>("select max(claimed_at) as at from messages").get();
  return row?.at ?? 0;
}

function integrity(data: string): string[] {
  return ["live.db", "test.db"].map((name) => {
    using db = new Database(join(data, name));
    const row = db.query<{ integrity_check: string }, []>("pragma integrity_check").get();
    return row?.integrity_check ?? "";
  });
}
