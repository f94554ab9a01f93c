/** `/console/digest`: the email that tells somebody each working day what waits in their team's inbox. */

import { type AnyElysia, Elysia } from "elysia";
import { invalid } from "#domain/problem.ts";
import type { Environment } from "#environment.ts";
import { findDigest } from "#store/team/digests.ts";
import { setDigest } from "#usecases/team/digest.ts";
import { signedIn } from "./sessions.ts";
import { type Door, readFields } from "./visitor.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function digestRoutes(live: Environment, door: Door): AnyElysia {
  return new Elysia({ name: "digest", normalize: false })
    .get("/console/digest", (asked) => {
      const { membership } = signedIn(live, door, asked);
      const row = findDigest(live.db, membership.id);
      const { hour, timezone, accountId } = row ?? {};
      return { digest: row === undefined ? null : { hour, timezone, account_id: accountId } };
    })
    .patch("/console/digest", async (asked) => {
      const person = signedIn(live, door, asked);
      const given = await readFields(asked.request, ["hour", "timezone", "account_id"]);
      const hour = /^\d{1,2}$/.test(given.hour) ? Number(given.hour) : Number.NaN;
      const { timezone } = given;
      const accountId = given.account_id.toLowerCase();
      if (!UUID.test(accountId)) {
        throw invalid("account_id", "must be the id of a mailbox");
      }
      await live.commit(() => setDigest(live, person, { hour, timezone, accountId }));
      return new Response(null, { status: 204 });
    })
    .delete("/console/digest", async (asked) => {
      const person = signedIn(live, door, asked);
      await live.commit(() => setDigest(live, person, null));
      return new Response(null, { status: 204 });
    });
}
