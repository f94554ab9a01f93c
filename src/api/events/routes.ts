/** `/events` and `/event-types`: everything that happened, in order, for 30 days. */

import type { Static } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { checkPattern, type EventType, typesWanted } from "#domain/events/event.ts";
import { invalid, notFound } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { countEvents, findEvent, lastSeq, readEvents } from "#store/events/events.ts";
import { EVENT_LIST } from "#store/filter/log-lists.ts";
import { presentEvent } from "#usecases/events/deliveries.ts";
import { presentKinds } from "./kinds.ts";
import { Event, EventKindList, EventPage, EventParams, EventQuery, StreamQuery } from "./schema.ts";
import { streamEvents } from "./stream.ts";

export const eventRoutes = resource("webhooks", "/events", "events")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof EventPage>> => {
      const { order, ...query } = readQuery(EventQuery, request);
      if (isFiltered(query)) {
        const sort = query.sort ?? (order === "desc" ? "-created" : "created");
        const found = await readFiltered(env, caller, EVENT_LIST, { ...query, sort });
        return { data: found.rows.map((row) => presentEvent(env, row)), ...found.page };
      }
      const { limit, offset } = query;
      const types = typesOf(query.type);
      const after = placeOf(env, caller, query.after, "after");
      const range = { ...defined({ after }), limit: limit + 1, offset, order, ...types };
      const rows = readEvents(env.db, caller.teamId, range);
      const page = rows.slice(0, limit);
      const last = page.at(-1)?.seq ?? after;
      const { total, isCapped } = countEvents(env.db, caller.teamId, types.types);
      return {
        data: page.map((row) => presentEvent(env, row)),
        total,
        total_is_capped: isCapped,
        limit,
        offset,
        hasMore: rows.length > limit,
        next_cursor: last === undefined ? null : String(last),
      };
    },
    {
      response: { 200: EventPage },
      detail: {
        summary: "List events",
        description:
          "Returns events, oldest first unless `order` is `desc`. To continue, pass `next_cursor` as " +
          "`after`; it is set on the last page, too, so that you can ask for new events later. Events " +
          "are kept for 30 days.",
        ...queryOf(EventQuery),
      },
    },
  )
  .get(
    "/stream",
    ({ env, caller, request }) => {
      const query = readQuery(StreamQuery, request);
      const header = request.headers.get("last-event-id") ?? undefined;
      const last = lastSeq(env.db);
      const after =
        placeOf(env, caller, header, "Last-Event-ID") ??
        placeOf(env, caller, query.after, "after") ??
        last;
      // Where a backup was restored meanwhile, numbers begin anew before those that somebody has seen.
      const start = { after: Math.min(after, last), ...typesOf(query.type) };
      return streamEvents(env, caller, start);
    },
    {
      detail: {
        summary: "Stream events",
        description:
          "Sends events as they happen, as server-sent events: `id` is the event's `seq`, `event` " +
          "its kind and `data` the event. The stream begins with new events, or after " +
          "`Last-Event-ID` or `after`. It ends when the server stops and when the key is revoked.",
        responses: {
          200: {
            description: "Events, until either side disconnects",
            content: { "text/event-stream": { schema: { type: "string" } } },
          },
        },
        ...queryOf(StreamQuery),
      },
    },
  )
  .get(
    "/:id",
    ({ env, caller, params }) => {
      const row = findEvent(env.db, caller.teamId, params.id);
      if (row === undefined) {
        throw notFound("event");
      }
      return presentEvent(env, row);
    },
    {
      params: EventParams,
      response: { 200: Event },
      detail: { summary: "Get an event", description: "Returns one event." },
    },
  );

export const eventTypeRoutes = resource("webhooks", "/event-types", "events").get(
  "",
  () => ({ data: presentKinds() }),
  {
    response: { 200: EventKindList },
    detail: {
      summary: "List event types",
      description: "Returns the kinds of event, with a schema and an example of each.",
    },
  },
);

const SEQ = /^\d{1,15}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The number after which to read. Throws `validation_error` for what is neither a number nor an event. */
function placeOf(
  env: Environment,
  caller: Caller,
  text: string | undefined,
  field: string,
): number | undefined {
  if (text === undefined || SEQ.test(text)) {
    return text === undefined ? undefined : Number(text);
  }
  const id = text.toLowerCase();
  const row = UUID.test(id) ? findEvent(env.db, caller.teamId, id) : undefined;
  if (row === undefined) {
    throw invalid(field, "must be the seq of an event, or the id of one that is still kept");
  }
  return row.seq;
}

function typesOf(text: string | undefined): { types?: EventType[] } {
  if (text === undefined) {
    return {};
  }
  const patterns = text.split(",").map((word) => word.trim());
  for (const pattern of patterns) {
    checkPattern(pattern, "type");
  }
  return { types: typesWanted(patterns) };
}
