/** How many events `/events` says there are. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const suppress = (email: string) => app.call("POST", "/suppressions", { email });

test("more than ten thousand are not counted, of all kinds or of one", async () => {
  await suppress("ann@example.com");
  app.environments.test.db.raw.run(
    `with recursive n (v) as (select 1 union all select v + 1 from n where v < 9999)
     insert into events (id, team_id, type, created_at, data)
     select randomblob(16), team_id, type, created_at, data from events, n`,
  );
  for (const query of ["", "&type=suppression.created"]) {
    const exact = (await app.call("GET", `/events?limit=1${query}`)).body;
    expect(exact).toMatchObject({ total: 10_000, total_is_capped: false });
  }
  await suppress("bob@example.com");
  for (const query of ["", "&type=suppression.created"]) {
    const capped = (await app.call("GET", `/events?limit=1${query}`)).body;
    expect(capped).toMatchObject({ total: 10_000, total_is_capped: true });
  }
  const none = (await app.call("GET", "/events?limit=1&type=email.sent")).body;
  expect(none).toMatchObject({ total: 0, total_is_capped: false });
});
