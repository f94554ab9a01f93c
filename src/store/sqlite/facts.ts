/** Facts about the file itself, for example where the sandbox's clock stands. */

import { type Db, prepared } from "./database.ts";

const fact = prepared(({ raw }) =>
  raw.query<{ value: string }, [string]>("SELECT value FROM facts WHERE name = ?"),
);

export function readFact(db: Db, name: string): string | undefined {
  return fact(db).get(name)?.value;
}

const changed = prepared(({ raw }) =>
  raw.query<{ changed: number }, []>("SELECT changes() AS changed"),
);

/** Rows that the last statement changed, without what triggers did. */
export function changedRows(db: Db): number {
  return changed(db).get()?.changed ?? 0;
}

const putFact = prepared(({ raw }) =>
  raw.query<null, [string, string]>("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)"),
);

export function writeFact(db: Db, name: string, value: string): void {
  putFact(db).run(name, value);
}
