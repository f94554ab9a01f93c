/** `/suppressions`: addresses and domains that are never written to. */

import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, IdParams } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { ensure, remove } from "#api/write.ts";
import { COMPLETED_WARNING } from "#domain/campaigns/campaign.ts";
import { listSuppressions } from "#store/leads/suppressions.ts";
import { countInFlight } from "#store/sending/messages.ts";
import type { SuppressionRow } from "#store/tables/leads.ts";
import { liftSuppression } from "#usecases/inbox/undo.ts";
import {
  matchSuppression,
  ownSuppression,
  suppress,
  suppressionKey,
} from "#usecases/leads/suppressions.ts";
import {
  CheckQuery,
  LiftQuery,
  Suppression,
  SuppressionCheck,
  SuppressionCreate,
  SuppressionMade,
  SuppressionPage,
  SuppressionQuery,
} from "./schema.ts";

export const suppressionRoutes = resource("suppressions", "/suppressions")
  .get(
    "",
    ({ world, caller, request }) => {
      const { email, ...query } = readQuery(SuppressionQuery, request);
      const hash = email === undefined ? {} : { hash: suppressionKey(email).hash };
      const { rows, total } = listSuppressions(world.db, caller.teamId, { ...query, ...hash });
      return envelope(rows.map(shown), total, query);
    },
    {
      response: { 200: SuppressionPage },
      detail: { summary: "List suppressions, newest first", ...queryOf(SuppressionQuery) },
    },
  )
  .post(
    "",
    (context) =>
      ensure(
        context,
        () => {
          const { world, caller, body } = context;
          const input = { email: body.email, reason: body.reason ?? "unsubscribe" };
          const { row, created } = suppress(world, caller, input);
          const { email } = suppressionKey(body.email);
          const whose = email.startsWith("@") ? { domain: email } : { recipient: email };
          const in_flight = countInFlight(world.db, caller.teamId, whose);
          return { body: { ...shown(row), in_flight }, created };
        },
        ({ id }) => `/suppressions/${id}`,
      ),
    {
      body: SuppressionCreate,
      response: { 200: SuppressionMade, 201: SuppressionMade },
      detail: {
        summary: "Suppress an address or a domain; 200 where it was, with the stronger reason",
      },
    },
  )
  .get(
    "/check",
    ({ world, caller, request }) => {
      const { email } = readQuery(CheckQuery, request);
      const found = matchSuppression(world, caller.teamId, email);
      return {
        suppressed: found !== null,
        match: found?.match ?? null,
        reason: found?.row.reason ?? null,
      };
    },
    {
      response: { 200: SuppressionCheck },
      detail: { summary: "Whether an address may be written to", ...queryOf(CheckQuery) },
    },
  )
  .get("/:id", ({ world, caller, params }) => shown(ownSuppression(world, caller, params.id)), {
    params: IdParams,
    response: { 200: Suppression },
    detail: { summary: "A suppression" },
  })
  .delete(
    "/:id",
    async (context) => {
      let isLeft = false;
      const lifted = await remove(context, () => {
        const { world, caller, params, request } = context;
        const { reason, resume } = readQuery(LiftQuery, request);
        const why = reason ?? null;
        const how = { why, resume: resume ?? why !== null };
        isLeft = liftSuppression(world, caller, params.id, how);
      });
      if (isLeft) {
        lifted.headers.set("Outrider-Warning", COMPLETED_WARNING);
      }
      return lifted;
    },
    {
      params: IdParams,
      detail: {
        summary: "Lift a suppression",
        description:
          "With a `reason`, kept in the audit log, it is taken back as a mistake: the sequences that " +
          "ended with it go on from where they were. Without one they stay ended. `resume` says it " +
          "outright. Those of a domain go on within a minute, in slices. The header `Outrider-Warning` says " +
          "so where some are of a campaign that is completed and not evergreen: nothing is sent to them.",
        ...queryOf(LiftQuery),
      },
    },
  );

function shown(row: SuppressionRow) {
  return present(Suppression, { ...row, emailHash: Buffer.from(row.hash).toString("hex") });
}
