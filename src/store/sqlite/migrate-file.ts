/** Migrating a database that nobody has open. */

import { closeDatabase, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";

export function migrateFile(path: string): { from: number; to: number } {
  const db = openDatabase(path);
  try {
    return migrate(db);
  } finally {
    closeDatabase(db);
  }
}
