/** `/placement/seeds`: the team's own mailboxes in which test mails are looked for. */

import { resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { checkMatch, tagged } from "#api/etag.ts";
import { checkIdentity, dropReadOnly } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, IdParams } from "#api/schema.ts";
import { actLater, create, patch, remove } from "#api/write.ts";
import { seedsOf } from "#store/placement/placement-seeds.ts";
import { testSeed } from "#usecases/placement/placement-probes.ts";
import { createSeed, deleteSeed, ownSeed, patchSeed } from "#usecases/placement/placement-seeds.ts";
import {
  presentSeed,
  presentSeedTest,
  readSeed,
  SEED_READ_ONLY,
  SEED_SETTABLE,
  Seed,
  SeedCreate,
  SeedPage,
  SeedPatch,
  SeedQuery,
  SeedTest,
} from "./seed-schema.ts";

export const seedRoutes = resource("placement", "/placement/seeds")
  .get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(SeedQuery, request);
      const all = seedsOf(world.db, caller.teamId);
      const rows = all.slice(query.offset, query.offset + query.limit);
      return envelope(rows.map(presentSeed), all.length, query);
    },
    {
      response: { 200: SeedPage },
      detail: { summary: "List seed mailboxes, oldest first", ...queryOf(SeedQuery) },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { world, caller, body } = context;
          return presentSeed(createSeed(world, caller, { ...readSeed(body), email: body.email }));
        },
        ({ id }) => `/placement/seeds/${id}`,
      ),
    {
      body: SeedCreate,
      response: { 201: Seed },
      detail: { summary: "Add a seed mailbox" },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = ownSeed(context.world, context.caller, context.params.id);
      return tagged(context, presentSeed(row), SEED_SETTABLE);
    },
    { params: IdParams, response: { 200: Seed }, detail: { summary: "A seed mailbox" } },
  )
  .patch(
    "/:id",
    (context) =>
      patch(
        context,
        () => {
          const { world, caller, params, body, state, request } = context;
          const before = presentSeed(ownSeed(world, caller, params.id));
          checkIdentity(state, before);
          checkMatch(request, before, SEED_SETTABLE);
          const change = { ...readSeed(body), ...defined({ email: body.email }) };
          return presentSeed(patchSeed(world, caller, params.id, change));
        },
        SEED_SETTABLE,
      ),
    {
      params: IdParams,
      body: SeedPatch,
      transform: dropReadOnly(SEED_READ_ONLY),
      response: { 200: Seed },
      detail: { summary: "Change a seed mailbox, or pause and reactivate it by its status" },
    },
  )
  .delete(
    "/:id",
    (context) =>
      remove(context, () => deleteSeed(context.world, context.caller, context.params.id)),
    {
      params: IdParams,
      detail: { summary: "Delete a seed mailbox; what was found in it stays in the runs" },
    },
  )
  .post(
    "/:id/test",
    (context) =>
      actLater(context, async () => {
        const { world, caller, params } = context;
        return presentSeedTest(await testSeed(world, caller, params.id));
      }),
    {
      params: IdParams,
      response: { 200: SeedTest },
      detail: { summary: "Log in to a seed mailbox and look around; changes nothing in it" },
    },
  );
