/**
 * Databases as a program of each schema version leaves them: both environments after a day in which everything
 * was done once. With a migration its version's is kept for good:
 * `bun test/support/schema-fixture.ts` writes `test/fixtures/schema/<version>.<environment>.db.zst`.
 */

import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ENVS, type Env } from "#domain/team/api-key.ts";
import { DAY_MS } from "#domain/time.ts";
import { MIGRATIONS } from "#store/sqlite/migrate.ts";
import { createTestApp, type TestApp } from "./app.ts";
import { addAccount, EMAIL_STEP, makeCampaign } from "./campaigns.ts";
import { writeEverything } from "./writes.ts";

export const FIXTURES = resolve(import.meta.dir, "../fixtures/schema");

const LEADS = 40;

export const fixtureName = (version: number, envName: Env) => `${version}.${envName}.db.zst`;

/** The files of both environments after such a day, by this program. */
async function makeFixture(): Promise<Record<Env, Uint8Array>> {
  const app = await createTestApp();
  const bytes = (envName: Env) => app.environments[envName].db.raw.serialize();
  const made = { live: new Uint8Array(), test: new Uint8Array() };
  try {
    await writeEverything(app, async ({ operation }) => {
      // The last thing that is done is that all is forgotten.
      if (operation === "DELETE /sandbox") {
        await sendSomething(app);
        Object.assign(made, { live: bytes("live"), test: bytes("test") });
      }
    });
    return made;
  } finally {
    await app.close();
  }
}

/** A campaign goes through a week of the sandbox: emails, replies, bounces and what they brought. */
async function sendSomething(app: TestApp): Promise<void> {
  await addAccount(app, "zoe@sender.example");
  const { id } = await makeCampaign(app, [
    EMAIL_STEP,
    { type: "email", body: "Again", wait_days: 1 },
  ]);
  const leads = Array.from({ length: LEADS }, (_, n) => ({
    email: `lead${n}@client${n}.example`,
    first_name: `Lead ${n}`,
  }));
  await app.call("POST", `/campaigns/${id}/leads`, { leads });
  const { status } = await app.call("POST", `/campaigns/${id}/start`);
  if (status !== 200) {
    throw new Error(`the campaign was not started: ${status}`);
  }
  const url = "https://hooks.example.com/in";
  const given: [string, object][] = [
    ["/webhooks", { url, events: ["*"] }],
    ["/suppressions", { email: "gone@client.example", reason: "manual" }],
    [
      "/placement/seeds",
      { email: "seed@gmail.com", imap: { host: "imap.gmail.com", password: "p" } },
    ],
  ];
  for (const [path, body] of given) {
    const made = await app.call("POST", path, body, { headers: { "Idempotency-Key": path } });
    if (made.status !== 201) {
      throw new Error(`${path}: ${made.text}`);
    }
  }
  await app.advance(7 * DAY_MS);
}

/** Puts a kept file where a program would find it. */
export function layOut(packed: Uint8Array, path: string): void {
  writeFileSync(path, packed, { mode: 0o600 });
  const db = new Database(path);
  db.run("PRAGMA journal_mode = WAL");
  db.close();
}

if (import.meta.main) {
  const made = await makeFixture();
  mkdirSync(FIXTURES, { recursive: true });
  for (const envName of ENVS) {
    const path = join(FIXTURES, fixtureName(MIGRATIONS.length, envName));
    writeFileSync(path, Bun.zstdCompressSync(made[envName], { level: 19 }));
    process.stdout.write(`${path}\n`);
  }
}
