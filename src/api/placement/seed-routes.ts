/** `/placement/seeds`: the team's own mailboxes in which test emails are looked for. */

import { DRY_RUN, resource } from "#api/context.ts";
import { withEtag } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { actLater, create, patch, remove } from "#api/write.ts";
import { seedsOf } from "#store/placement/placement-seeds.ts";
import type { SeedRow } from "#store/tables/placement.ts";
import { heldCredentials } from "#usecases/mailboxes/credentials.ts";
import { testSeed } from "#usecases/placement/placement-probes.ts";
import {
  createSeed,
  deleteSeed,
  patchSeed,
  requireSeed,
} from "#usecases/placement/placement-seeds.ts";
import {
  Seed,
  SeedCreate,
  SeedPage,
  SeedParams,
  SeedPatch,
  SeedQuery,
  SeedTag,
  SeedTest,
} from "./seed-schema.ts";

export const seedRoutes = resource("placement", "/placement/seeds")
  .get(
    "",
    ({ env, caller, request }) => {
      const query = readQuery(SeedQuery, request);
      const all = seedsOf(env.db, caller.teamId);
      const rows = all.slice(query.offset, query.offset + query.limit);
      return envelope(rows.map(shown), all.length, query);
    },
    {
      response: { 200: SeedPage },
      detail: {
        summary: "List seeds",
        description: "Returns the seed mailboxes, oldest first.",
        ...queryOf(SeedQuery),
      },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { env, caller, body } = context;
          return shown(createSeed(env, caller, read(SeedCreate, body)));
        },
        ({ id }) => `/placement/seeds/${id}`,
      ),
    {
      body: SeedCreate,
      response: { 201: Seed },
      detail: {
        ...DRY_RUN,
        summary: "Create a seed",
        description: "Adds a mailbox of your own that placement runs send to and look into.",
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = requireSeed(context.env, context.caller, context.params.id);
      return withEtag(context, shown(row), SeedTag);
    },
    {
      params: SeedParams,
      response: { 200: Seed },
      detail: {
        summary: "Get a seed",
        description: "Returns one seed mailbox. Secrets are never returned.",
      },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return patch(
        context,
        SeedTag,
        () => shown(requireSeed(env, caller, params.id)),
        () => shown(patchSeed(env, caller, params.id, read(SeedPatch, body))),
      );
    },
    {
      ...changes(SeedPatch, Seed),
      params: SeedParams,
      response: { 200: Seed },
      detail: {
        ...DRY_RUN,
        summary: "Update a seed",
        description:
          "Changes the fields that you send. Setting `status` pauses or reactivates the seed.",
      },
    },
  )
  .delete(
    "/:id",
    (context) => remove(context, () => deleteSeed(context.env, context.caller, context.params.id)),
    {
      params: SeedParams,
      detail: {
        ...DRY_RUN,
        summary: "Delete a seed",
        description: "Deletes a seed mailbox. Its results stay in the runs.",
      },
    },
  )
  .post(
    "/:id/test",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params } = context;
        const { seed, outcome } = await testSeed(env, caller, params.id);
        const ok = outcome.kind === "looked";
        const error = ok ? null : outcome.reason;
        return { ok, error, login_refused: !ok && outcome.login, seed: shown(seed) };
      }),
    {
      params: SeedParams,
      response: { 200: SeedTest },
      detail: {
        summary: "Test a seed",
        description:
          "Logs in to a seed mailbox and looks for its folders, without changing anything in it.",
      },
    },
  );

function shown(row: SeedRow) {
  const { imapPassword, oauth } = heldCredentials(row);
  return present(Seed, { ...row, hasImapPassword: imapPassword, hasOauth: oauth });
}
