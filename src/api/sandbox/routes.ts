/** `/sandbox`: the test environment's clock, its people and its captured email. Test keys only. */

import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ADMIN_SCOPE, resource } from "#api/context.ts";
import { cursorEnvelope, rangeOf } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { withEtag } from "#api/etag.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Shape } from "#api/schema.ts";
import { act, actLater, patch, removeLater } from "#api/write.ts";
import { invalid, Problem } from "#domain/problem.ts";
import { settingsOf } from "#sandbox/settings.ts";
import { SANDBOX_MESSAGE_LIST } from "#store/filter/log-lists.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { listSandboxMessages } from "#store/sandbox/sandbox.ts";
import { startDemo } from "#usecases/sandbox/demo-scene.ts";
import {
  inject,
  patchSandboxSettings,
  requireSandboxMessage,
  resetSandbox,
} from "#usecases/sandbox/sandbox.ts";
import { advanceClock, type ClockControl, setClockSpeed } from "#usecases/sandbox/sandbox-clock.ts";
import { injectPlacement } from "#usecases/sandbox/sandbox-placement.ts";
import { DEMO_LEADS, DemoStart, DemoStarted } from "./demo-schema.ts";
import {
  ClockMove,
  Inject,
  InjectResult,
  presentClock,
  presentInjected,
  presentSandboxDetail,
  presentSandboxMessage,
  readInject,
  SandboxClock,
  SandboxMessageDetail,
  SandboxMessagePage,
  SandboxMessageParams,
  SandboxMessageQuery,
} from "./schema.ts";
import {
  presentSettings,
  readSettings,
  SandboxSettingsBody,
  SandboxSettingsPatch,
} from "./settings-schema.ts";

const DEMO_SEED = 1;
const NoQuery = Shape({});
const CONFLICT = { "x-errors": [409] };

export function sandboxRoutes(control: ClockControl) {
  return new Elysia({ normalize: false })
    .use(clockRoutes(control))
    .use(messageRoutes)
    .use(peopleRoutes);
}

/** Refuses a live key before anything that it sends is looked at. */
function sandbox<const Prefix extends string>(prefix: Prefix) {
  return resource("sandbox", prefix).onTransform(({ env }) => {
    if (env.name !== "test") {
      throw new Problem("permission_error", "the sandbox needs a test key");
    }
  });
}

function clockRoutes(control: ClockControl) {
  return sandbox("/sandbox/clock")
    .get(
      "",
      ({ request }) => {
        readQuery(NoQuery, request);
        return presentClock(control.clock);
      },
      {
        response: { 200: SandboxClock },
        detail: {
          summary: "Get the sandbox clock",
          description: "Returns the time in the test environment, and how fast it runs.",
          ...queryOf(NoQuery),
        },
      },
    )
    .post(
      "",
      (context) => {
        const { env, caller, body, state } = context;
        state.disableIdleTimeout();
        return actLater(context, async () => {
          if (body.advance !== undefined && body.speed !== undefined) {
            throw invalid("speed", "use either advance or speed, not both");
          }
          if (body.advance !== undefined) {
            await advanceClock(env, caller, control, body.advance);
          } else if (body.speed !== undefined) {
            await setClockSpeed(env, caller, control, body.speed);
          } else {
            throw invalid("advance", "advance or speed is required");
          }
          return presentClock(control.clock);
        });
      },
      {
        body: ClockMove,
        response: { 200: SandboxClock },
        detail: {
          summary: "Move the sandbox clock",
          description:
            "Moves the clock forward, and runs everything that is due meanwhile in order, or sets how " +
            "fast the clock runs. The response comes when everything is done.",
          ...ADMIN_SCOPE,
          ...CONFLICT,
        },
      },
    );
}

const messageRoutes = sandbox("/sandbox/messages")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof SandboxMessagePage>> => {
      const query = readQuery(SandboxMessageQuery, request);
      if (isFiltered(query)) {
        const found = await readFiltered(env, caller, SANDBOX_MESSAGE_LIST, query);
        return { data: found.rows.map(presentSandboxMessage), ...found.page };
      }
      const page = listSandboxMessages(env.db, caller.teamId, {
        ...rangeOf(query),
        ...defined({ recipient: query.recipient?.toLowerCase(), accountId: query.accountId }),
      });
      return cursorEnvelope(page, query, presentSandboxMessage);
    },
    {
      response: { 200: SandboxMessagePage },
      detail: {
        summary: "List captured messages",
        description:
          "Returns the emails sent in the test environment, newest first. None of them has left the " +
          "server.",
        ...queryOf(SandboxMessageQuery),
      },
    },
  )
  .get(
    "/:id",
    ({ env, caller, params, request }) => {
      readQuery(NoQuery, request);
      return presentSandboxDetail(requireSandboxMessage(env, caller, params.id));
    },
    {
      params: SandboxMessageParams,
      response: { 200: SandboxMessageDetail },
      detail: {
        summary: "Get a captured message",
        description: "Returns one captured email with its headers and text.",
        ...queryOf(NoQuery),
      },
    },
  )
  .get(
    "/:id/raw",
    ({ env, caller, params, request }) => {
      readQuery(NoQuery, request);
      const { id, raw } = requireSandboxMessage(env, caller, params.id);
      return new Response(Buffer.from(raw), {
        headers: {
          "Content-Type": "message/rfc822",
          "Content-Disposition": `attachment; filename="${id}.eml"`,
        },
      });
    },
    {
      params: SandboxMessageParams,
      detail: {
        summary: "Download a captured message",
        description: "Returns one captured email in its original format.",
        responses: {
          200: {
            description: "The message",
            content: { "message/rfc822": { schema: { type: "string" } } },
          },
        },
        ...queryOf(NoQuery),
      },
    },
  );

const peopleRoutes = sandbox("/sandbox")
  .post(
    "/inject",
    (context) =>
      act(context, () => {
        const { env, caller, body } = context;
        const input = readInject(body);
        const injected =
          "runId" in input
            ? { ...injectPlacement(env, caller, input), answers: null }
            : inject(env, caller, input);
        return presentInjected(body, injected);
      }),
    {
      body: Inject,
      response: { 200: InjectResult },
      detail: {
        summary: "Inject a response",
        description:
          "Simulates what comes back for an email, right now: a reply, an auto-reply, a bounce, a " +
          "complaint, an opt-out, or the result of a placement test.",
        "x-errors": [404],
      },
    },
  )
  .post(
    "/demo",
    (context) => {
      const { env, caller, body, state } = context;
      state.disableIdleTimeout();
      return actLater(context, async () => {
        const cast = { seed: DEMO_SEED, leads: body.leads ?? DEMO_LEADS };
        const { campaigns, imports } = await startDemo(env, caller, cast);
        const accounts = accountsOf(env.db, caller.teamId).length;
        return { accounts, campaigns: campaigns.length + 1, leads: imports };
      });
    },
    {
      body: DemoStart,
      response: { 200: DemoStarted },
      detail: {
        summary: "Start the demo",
        description:
          "Fills an empty sandbox with the demo: mailboxes, an experiment, seed mailboxes, and campaigns " +
          "that are running. Move the clock to see what happens, and reset the sandbox to remove it. " +
          "Refused with 409 when the sandbox has mailboxes or campaigns.",
        ...CONFLICT,
      },
    },
  )
  .get(
    "/settings",
    (context) => {
      const { env, caller, request } = context;
      readQuery(NoQuery, request);
      const settings = presentSettings(settingsOf(env.db, caller.teamId));
      return withEtag(context, settings, SandboxSettingsPatch);
    },
    {
      response: { 200: SandboxSettingsBody },
      detail: {
        summary: "Get the sandbox settings",
        description: "Returns how simulated people and servers behave.",
        ...queryOf(NoQuery),
      },
    },
  )
  .patch(
    "/settings",
    (context) => {
      const { env, caller, body } = context;
      return patch(
        context,
        SandboxSettingsPatch,
        () => presentSettings(settingsOf(env.db, caller.teamId)),
        () => {
          const change = readSettings(body, settingsOf(env.db, caller.teamId));
          return presentSettings(patchSandboxSettings(env, caller, change));
        },
      );
    },
    {
      body: SandboxSettingsPatch,
      response: { 200: SandboxSettingsBody },
      detail: {
        summary: "Update the sandbox settings",
        description: "Changes how simulated people and servers behave, from the next email on.",
      },
    },
  )
  .delete("", (context) => removeLater(context, () => resetSandbox(context.env, context.caller)), {
    detail: {
      summary: "Reset the sandbox",
      description: "Removes the team's records in the test environment. Keys and webhooks stay.",
    },
  });
