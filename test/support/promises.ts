/**
 * What we promise, and the tests that try to break each: the table of `docs/security.md`, which
 * `./build.sh promises` runs and prints with the cases tried and the failures.
 */

import { appendFileSync } from "node:fs";

export interface Promised {
  /** What is promised, as `docs/security.md` says it. */
  promise: string;
  tests: readonly string[];
}

export const PROMISES = {
  sends: {
    promise:
      "No email goes out twice, after a stop, over a limit or outside a window; none is lost silently",
    tests: [
      "test/sim/weeks.test.ts",
      "test/sim/every-statement.test.ts",
      "test/sim/bytes.test.ts",
      "test/sim/violations.test.ts",
      "test/sim/clock-changes.test.ts",
      "test/sim/blocked-provider.test.ts",
      "test/journeys/scenarios.test.ts",
      "test/engine/operations/recover.test.ts",
      "test/engine/operations/wall-clock.test.ts",
      "test/usecases/operations/restarts.test.ts",
    ],
  },
  kills: {
    promise: "Killing the server at any moment loses nothing it has confirmed",
    tests: [
      "test/journeys/kill.test.ts",
      "test/journeys/killed-commands.test.ts",
      "test/sim/every-ending.test.ts",
      "test/journeys/crash.test.ts",
      "test/journeys/webhooks.test.ts",
      "test/journeys/history.test.ts",
    ],
  },
  power: {
    promise: "A power cut loses nothing that was confirmed",
    tests: ["test/journeys/power.test.ts"],
  },
  machine: {
    promise:
      "Out of disk space, file handles or write permission: it says so, keeps running, loses nothing",
    tests: [
      "test/journeys/limits.test.ts",
      "test/engine/operations/storage.test.ts",
      "test/api/faults.test.ts",
    ],
  },
  damage: {
    promise:
      "On a disk that returns other pages than were written, nothing goes out twice, and what is damaged is said",
    tests: ["test/journeys/damage.test.ts"],
  },
  tenants: {
    promise: "Another team, or the other environment, sees nothing, not even that something exists",
    tests: ["test/api/team/tenants.test.ts"],
  },
  strangers: {
    promise: "Nobody gets in without a valid key or session, or through another site's page",
    tests: ["test/api/team/strangers.test.ts"],
  },
  scopes: {
    promise:
      "A key can do what its scopes allow, a person what their role allows, and nothing else",
    tests: ["test/api/team/scopes.test.ts", "test/api/team/people.test.ts"],
  },
  audit: {
    promise: "Every change is in the audit log, with who made it; what is changed there is found",
    tests: [
      "test/api/events/audit-writes.test.ts",
      "test/api/events/audit-chain.test.ts",
      "test/domain/events/audit-chain.test.ts",
    ],
  },
  secrets: {
    promise:
      "No secret is ever in plain text: not in files, backups, logs, responses or deliveries",
    tests: [
      "test/api/secrets.test.ts",
      "test/api/mailboxes/account-secrets.test.ts",
      "test/platform/crypto.test.ts",
      "test/usecases/team/secrets.test.ts",
      "test/cli/master-key.test.ts",
      "test/journeys/master-key.test.ts",
      "test/journeys/operator.test.ts",
    ],
  },
  outside: {
    promise: "Nothing a user enters makes the server reach an address inside your network",
    tests: ["test/platform/guard.test.ts", "test/platform/http.test.ts", "test/mail/guard.test.ts"],
  },
  bytes: {
    promise: "Malicious HTTP requests are rejected, smuggle nothing, and block nobody else",
    tests: ["test/journeys/raw-http.test.ts", "test/api/leads/imports-hostile.test.ts"],
  },
  mail: {
    promise: "Mail servers that lie, and malformed emails, break nothing",
    tests: [
      "test/mail/smtp/smtp-faults.test.ts",
      "test/mail/imap/imap-faults.test.ts",
      "test/mail/liars.test.ts",
      "test/mail/parse.test.ts",
      "test/engine/operations/bad-input.test.ts",
      "test/web/mail-html.test.ts",
      "test/journeys/console-mail.test.ts",
    ],
  },
  refusals: {
    promise: "A provider that refuses a sender costs no lead and blocks nobody else",
    tests: [
      "test/engine/mailboxes/sender-refused.test.ts",
      "test/domain/mailboxes/refusal-texts.test.ts",
    ],
  },
  neighbours: {
    promise: "One team's servers that hang keep no other team's work waiting",
    tests: ["test/engine/neighbours.test.ts", "test/engine/sending/shares.test.ts"],
  },
  silence: {
    promise: "A name server that doesn't respond delays nobody else",
    tests: [
      "test/journeys/silent-dns.test.ts",
      "test/mail/dns/dns.test.ts",
      "test/mail/dns/dns-unbound.test.ts",
      "test/platform/fetch.test.ts",
    ],
  },
  templates: {
    promise: "No template runs code, reads anything but its lead, or blocks the server",
    tests: ["test/domain/sending/template.test.ts"],
  },
  load: {
    promise: "Under load, no response is wrong and nothing leaks",
    tests: ["test/journeys/load.test.ts"],
  },
  upgrades: {
    promise: "Data from every earlier version keeps working; nothing is migrated without a backup",
    tests: ["test/store/sqlite/migrate.test.ts", "test/store/sqlite/past-schemas.test.ts"],
  },
  backups: {
    promise:
      "A backup is complete or doesn't exist, and a restored server sends nothing twice, nor to anyone who opted out since",
    tests: [
      "test/store/operations/backups.test.ts",
      "test/engine/sending/reconcile.test.ts",
      "test/usecases/operations/suppression-restore.test.ts",
      "test/api/operations/backups.test.ts",
      "test/journeys/rollback.test.ts",
    ],
  },
} as const satisfies Readonly<Record<string, Promised>>;

export type PromiseName = keyof typeof PROMISES;

const LOG = process.env["OUTRIDER_PROMISES_LOG"];

/** Counts cases of a promise that one test has tried; where nobody counts, each test is one. */
export function tried(promise: PromiseName, cases: number): void {
  if (LOG !== undefined) {
    appendFileSync(LOG, `${promise} ${cases}\n`);
  }
}
