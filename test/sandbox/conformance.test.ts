/** The sandbox keeps what every mail port keeps. */

import { insertSandboxMail, listSandboxMessages } from "#store/sandbox.ts";
import { mailPortConformance } from "../mail/conformance.ts";
import { createSandbox, TEAM } from "./support.ts";

mailPortConformance("the sandbox", { incoming: true, logins: true }, async () => {
  const { db, clock, port, ann, ben, set } = createSandbox();
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
    stop: async () => db.raw.close(),
  };
});
