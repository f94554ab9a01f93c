/** The sandbox keeps what every mail port keeps. */

import { MINUTE_MS } from "#domain/time.ts";
import { insertSeed } from "#store/placement/placement-seeds.ts";
import { insertSandboxMail, listSandboxMessages } from "#store/sandbox/sandbox.ts";
import { mailPortConformance } from "../mail/conformance.ts";
import { createSandbox, mailbox, TEAM } from "./support.ts";

const SEED = {
  id: "019cae10-0000-7000-8000-0000000000c1",
  email: "seed@gmail.com",
  status: "active",
  provider: "google",
  mxAt: null,
  mxErrors: 0,
  imap: null,
  oauthProvider: null,
  secrets: null,
  tabs: null,
  junkFolder: null,
  lastLookedAt: null,
  lastError: null,
} as const;

mailPortConformance("the sandbox", { incoming: true, logins: true }, async () => {
  const { db, clock, port, ann, ben, set } = createSandbox();
  insertSeed(db, { ...SEED, teamId: TEAM, createdAt: clock.now(), updatedAt: clock.now() });
  set({ authFailures: [ben.accountId] });
  return {
    port,
    mailbox: ann,
    wrongLogin: ben,
    recipients: {
      accepts: "ada@example.com",
      refuses: "smtp550@sandbox.test",
      defers: "smtp421@sandbox.test",
    },
    arrivals: async (messageId) =>
      listSandboxMessages(db, TEAM, { limit: 1000, offset: 0 }).rows.filter(
        (row) => row.messageId === messageId,
      ).length,
    incoming: {
      deliver: async (raw) => {
        const { accountId } = ann;
        const arrivesAt = clock.now();
        insertSandboxMail(db, { teamId: TEAM, accountId, folder: "INBOX", raw, arrivesAt });
      },
      traces: async () => JSON.stringify(db.raw.query("select * from sandbox_mails").all()),
      tells: false,
    },
    seed: {
      mailbox: mailbox(SEED.id, SEED.email),
      address: SEED.email,
      delivered: async () => clock.move(15 * MINUTE_MS),
    },
    stop: async () => db.raw.close(),
  };
});
