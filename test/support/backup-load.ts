/** Backups that are made while a campaign sends, each restored, examined, and gone on with. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, unixMs } from "#domain/time.ts";
import { unpackBackup } from "#store/operations/backup-archive.ts";
import { makeBackup } from "#store/operations/backups.ts";
import { copyOpen } from "#store/operations/snapshot.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { createTestApp } from "./app.ts";
import { addAccount, makeCampaign } from "./campaigns.ts";

const LEADS = 600;
/** Of the campaign's four weeks, between two backups: each catches another hour. */
const STRIDE_MS = 5 * HOUR_MS;
const CAMPAIGN_MS = 28 * DAY_MS;
const KEY = new Uint8Array(32).fill(7);
const STEP = { type: "email", subject: "A question", body: "Hello" };

export interface Lived {
  backups: number;
  /** Those that hold emails which were sent. */
  withMail: number;
  /** Emails sent, in the smallest and in the largest. */
  mails: { least: number; most: number };
  /** Emails that the restored ones went on to send, within a day of theirs. */
  sentAfter: number;
  /** What was wrong with any, in words. */
  faults: string[];
}

/** Makes `count` backups over the weeks of a campaign, each in the middle of an advance. */
export async function liveWithBackups(count: number): Promise<Lived> {
  const dir = mkdtempSync(join(tmpdir(), "outrider-backup-load-"));
  const app = await createTestApp();
  const lived: Lived = {
    ...{ backups: 0, withMail: 0, faults: [] },
    ...{ mails: { least: Number.POSITIVE_INFINITY, most: 0 }, sentAfter: 0 },
  };
  try {
    await addAccount(app, "ann@sender.example");
    await addAccount(app, "bob@sender.example");
    const { id } = await makeCampaign(app, [STEP, { ...STEP, wait_days: 3 }]);
    const leads = Array.from({ length: LEADS }, (_, n) => ({ email: `lea@customer-${n}.example` }));
    await app.call("POST", `/campaigns/${id}/leads`, { leads });
    await app.call("POST", `/campaigns/${id}/start`);
    const { live, test } = app.environments;
    for (let nth = 0; nth < count; nth += 1) {
      const moving = app.advance(Math.min(STRIDE_MS, CAMPAIGN_MS / count) + nth * HOUR_MS);
      const file = join(dir, `${nth}.tar.zst`);
      const at = unixMs(test.clock.now());
      // The copy is taken while the environment moves: the two take turns on one event loop.
      const made = makeBackup(
        {
          ...{ directory: dir, masterKey: () => KEY, passphrase: null, version: "1.0.0" },
          clock: { now: () => at },
          newId: () => crypto.randomUUID(),
          copy: (envName, to) => copyOpen(envName === "live" ? live.db : test.db, to, at),
        },
        { reason: "manual", file },
      );
      await made;
      await moving;
      await restoreAndGoOn(file, join(dir, String(nth)), app.team.id, lived);
    }
    return lived;
  } finally {
    await app.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function restoreAndGoOn(
  file: string,
  into: string,
  teamId: string,
  lived: Lived,
): Promise<void> {
  mkdirSync(into);
  const { examined } = await unpackBackup(file, null, into);
  const whole = [...examined.live.faults, ...examined.test.faults];
  const paths = { live: join(into, "live.db"), test: join(into, "test.db") };
  const app = await createTestApp({ paths, seed: 2 });
  try {
    const env = app.environments.test;
    lived.backups += 1;
    const query = "select count(*) as n from messages where status = 'sent'";
    const sentNow = () => env.db.raw.query<{ n: number }, []>(query).get()?.n ?? 0;
    const sent = sentNow();
    lived.withMail += sent > 0 ? 1 : 0;
    lived.mails.least = Math.min(lived.mails.least, sent);
    lived.mails.most = Math.max(lived.mails.most, sent);
    await app.advance(DAY_MS);
    lived.sentAfter += sentNow() - sent;
    const broken = checkInvariants(env, teamId).filter(({ holds }) => !holds);
    const told = broken.map(({ name, detail }) => `${name}: ${detail}`);
    lived.faults.push(...[...whole, ...told].map((fault) => `backup ${lived.backups}: ${fault}`));
  } finally {
    await app.close();
    rmSync(into, { recursive: true, force: true });
    rmSync(file, { force: true });
  }
}
