/**
 * Databases as a program of each schema version leaves them: both worlds after a day in which everything
 * was done once. With a migration its version's is kept for good:
 * `bun test/support/schema-fixture.ts` writes `test/fixtures/schema/<version>.<world>.db.zst`.
 */

import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ENVS, type Env } from "#domain/api-key.ts";
import { MIGRATIONS } from "#store/migrate.ts";
import { createTestApp } from "./app.ts";
import { writeEverything } from "./writes.ts";

export const FIXTURES = resolve(import.meta.dir, "../fixtures/schema");

export const fixtureName = (version: number, env: Env) => `${version}.${env}.db.zst`;

/** The files of both worlds after such a day, by this program. */
export async function makeFixture(): Promise<Record<Env, Uint8Array>> {
  const app = await createTestApp();
  try {
    await writeEverything(app);
    const bytes = (env: Env) => app.worlds[env].db.raw.serialize();
    return { live: bytes("live"), test: bytes("test") };
  } finally {
    await app.close();
  }
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
  for (const env of ENVS) {
    const path = join(FIXTURES, fixtureName(MIGRATIONS.length, env));
    writeFileSync(path, Bun.zstdCompressSync(made[env], { level: 19 }));
    process.stdout.write(`${path}\n`);
  }
}
