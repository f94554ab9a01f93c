/** `/suppressions`: addresses and domains that are never written to. */

import type { Static } from "@sinclair/typebox";
import { DRY_RUN, IN_BATCH, resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { ensure, remove } from "#api/write.ts";
import { COMPLETED_WARNING } from "#domain/campaigns/campaign.ts";
import { SUPPRESSION_LIST } from "#store/filter/lists.ts";
import { listSuppressions } from "#store/leads/suppressions.ts";
import { countInFlight } from "#store/sending/messages.ts";
import type { SuppressionRow } from "#store/tables/leads.ts";
import { liftSuppression } from "#usecases/inbox/undo.ts";
import {
  matchSuppression,
  requireSuppression,
  suppress,
  suppressionKey,
} from "#usecases/leads/suppressions.ts";
import {
  CheckQuery,
  LiftQuery,
  REASON_DEFAULT,
  Suppression,
  SuppressionCheck,
  SuppressionCreate,
  SuppressionMade,
  SuppressionPage,
  SuppressionParams,
  SuppressionQuery,
} from "./schema.ts";

export const suppressionRoutes = resource("suppressions", "/suppressions")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof SuppressionPage>> => {
      const { email, ...query } = readQuery(SuppressionQuery, request);
      if (isFiltered(query) || query.after !== undefined) {
        const asked = { ...query, ...defined({ email }) };
        const found = await readFiltered(env, caller, SUPPRESSION_LIST, asked);
        return { data: found.rows.map(shown), ...found.page };
      }
      const hash = email === undefined ? {} : { hash: suppressionKey(email).hash };
      const { rows, total } = listSuppressions(env.db, caller.teamId, { ...query, ...hash });
      return envelope(rows.map(shown), total, query);
    },
    {
      response: { 200: SuppressionPage },
      detail: {
        summary: "List suppressions",
        description: "Returns the addresses and domains that are never emailed, newest first.",
        ...queryOf(SuppressionQuery),
      },
    },
  )
  .post(
    "",
    (context) =>
      ensure(
        context,
        () => {
          const { env, caller, body } = context;
          const input = { email: body.email, reason: body.reason ?? REASON_DEFAULT };
          const { row, created } = suppress(env, caller, input);
          const { email } = suppressionKey(body.email);
          const whose = email.startsWith("@") ? { domain: email } : { recipient: email };
          const in_flight = countInFlight(env.db, caller.teamId, whose);
          return { body: { ...shown(row), in_flight }, created };
        },
        ({ id }) => `/suppressions/${id}`,
      ),
    {
      body: SuppressionCreate,
      response: { 200: SuppressionMade, 201: SuppressionMade },
      detail: {
        ...DRY_RUN,
        summary: "Create a suppression",
        description:
          "Suppresses an address or a domain and ends the sequences of its leads. An address that " +
          "is suppressed already is returned with 200, with the stronger of the two reasons. " +
          "`in_flight` counts the emails that it was too late to stop.",
      },
    },
  )
  .get(
    "/check",
    ({ env, caller, request }) => {
      const { email } = readQuery(CheckQuery, request);
      const found = matchSuppression(env, caller.teamId, email);
      return {
        suppressed: found !== null,
        match: found?.match ?? null,
        reason: found?.row.reason ?? null,
      };
    },
    {
      response: { 200: SuppressionCheck },
      detail: {
        summary: "Check an address",
        description: "Returns whether an address, or its domain, is suppressed.",
        ...queryOf(CheckQuery),
      },
    },
  )
  .get("/:id", ({ env, caller, params }) => shown(requireSuppression(env, caller, params.id)), {
    params: SuppressionParams,
    response: { 200: Suppression },
    detail: {
      ...IN_BATCH,
      summary: "Get a suppression",
      description: "Returns one suppression.",
    },
  })
  .delete(
    "/:id",
    async (context) => {
      let isLeft = false;
      const lifted = await remove(context, () => {
        const { env, caller, params, request } = context;
        const { reason, resume } = readQuery(LiftQuery, request);
        const why = reason ?? null;
        const how = { why, resume: resume ?? why !== null };
        isLeft = liftSuppression(env, caller, params.id, how);
      });
      if (isLeft) {
        lifted.headers.set("Outrider-Warning", COMPLETED_WARNING);
      }
      return lifted;
    },
    {
      params: SuppressionParams,
      detail: {
        summary: "Delete a suppression",
        description:
          "Allows emails to the address or domain again. With a `reason` the suppression " +
          "counts as a mistake, and the sequences that ended with it go on from where they were; " +
          "without one they stay ended, unless `resume` is true. Those of a domain resume within a " +
          "minute. The response header `Outrider-Warning` is set when some of the leads get no " +
          "email because their campaign is completed and not evergreen.",
        ...queryOf(LiftQuery),
      },
    },
  );

function shown(row: SuppressionRow) {
  return present(Suppression, { ...row, emailHash: Buffer.from(row.hash).toString("hex") });
}
