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
    promise: "No mail goes out twice, or against a stop, a cap or a window; none is lost unseen",
    tests: [
      "test/sim/weeks.test.ts",
      "test/sim/every-statement.test.ts",
      "test/sim/bytes.test.ts",
      "test/sim/violations.test.ts",
      "test/sim/clock-changes.test.ts",
      "test/journeys/worlds.test.ts",
      "test/engine/recover.test.ts",
      "test/engine/wall-clock.test.ts",
      "test/usecases/restarts.test.ts",
    ],
  },
  kills: {
    promise: "A kill at any moment loses nothing that was answered",
    tests: [
      "test/journeys/kill.test.ts",
      "test/journeys/crash.test.ts",
      "test/journeys/webhooks.test.ts",
    ],
  },
  power: {
    promise: "A power cut loses nothing that was answered",
    tests: ["test/journeys/power.test.ts"],
  },
  machine: {
    promise: "A full disk, no more files, no right to write: it says so, goes on, loses nothing",
    tests: [
      "test/journeys/limits.test.ts",
      "test/engine/storage.test.ts",
      "test/api/faults.test.ts",
    ],
  },
  tenants: {
    promise: "Another team, or the other environment, sees nothing, not even that it is there",
    tests: ["test/api/tenants.test.ts"],
  },
  strangers: {
    promise: "Nobody is let in without a key or session that works, nor by another site's page",
    tests: ["test/api/strangers.test.ts"],
  },
  scopes: {
    promise: "A key does what its scopes say and a person what the role says, and nothing else",
    tests: ["test/api/scopes.test.ts", "test/api/people.test.ts"],
  },
  audit: {
    promise: "Every change is in the audit log, under who made it",
    tests: ["test/api/audit-writes.test.ts"],
  },
  secrets: {
    promise: "No secret is found in clear: not in files, backups, logs, answers or deliveries",
    tests: [
      "test/api/secrets.test.ts",
      "test/api/account-secrets.test.ts",
      "test/platform/crypto.test.ts",
      "test/usecases/secrets.test.ts",
      "test/cli/master-key.test.ts",
      "test/journeys/master-key.test.ts",
      "test/journeys/operator.test.ts",
    ],
  },
  outside: {
    promise: "Nothing that a user names makes us reach an address inside the network",
    tests: ["test/platform/guard.test.ts", "test/platform/http.test.ts", "test/mail/guard.test.ts"],
  },
  bytes: {
    promise: "Hostile bytes over HTTP are refused, smuggle nothing, and stop nobody else",
    tests: ["test/journeys/raw-http.test.ts", "test/api/imports-hostile.test.ts"],
  },
  mail: {
    promise: "Mail servers that lie, and mails of any shape, do no harm",
    tests: [
      "test/mail/smtp-faults.test.ts",
      "test/mail/imap-faults.test.ts",
      "test/mail/liars.test.ts",
      "test/mail/parse.test.ts",
      "test/engine/bad-input.test.ts",
      "test/web/mail-html.test.ts",
      "test/journeys/console-mail.test.ts",
    ],
  },
  refusals: {
    promise: "A provider that refuses the sender costs no lead and stops nobody else",
    tests: ["test/engine/sender-refused.test.ts", "test/domain/refusal-texts.test.ts"],
  },
  silence: {
    promise: "A name server that is silent holds up nobody else",
    tests: [
      "test/journeys/silent-dns.test.ts",
      "test/mail/dns.test.ts",
      "test/mail/dns-unbound.test.ts",
      "test/platform/fetch.test.ts",
    ],
  },
  templates: {
    promise: "No template runs code, reads what is not the lead's, or holds up the program",
    tests: ["test/domain/template.test.ts"],
  },
  load: {
    promise: "Under load no answer is wrong and nothing grows",
    tests: ["test/journeys/load.test.ts"],
  },
  upgrades: {
    promise: "Data of every version that was goes on; nothing is migrated that was not saved",
    tests: ["test/store/migrate.test.ts", "test/store/past-schemas.test.ts"],
  },
  backups: {
    promise: "A backup is whole or none, and what is restored sends nothing twice",
    tests: [
      "test/store/backups.test.ts",
      "test/engine/reconcile.test.ts",
      "test/api/backups.test.ts",
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
