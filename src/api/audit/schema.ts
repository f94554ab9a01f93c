import { type Static, Type } from "@sinclair/typebox";
import { CursorPage, CursorQuery, Instant, Nullable, Shape, Timestamp } from "#api/schema.ts";
import { toIso } from "#domain/time.ts";
import type { AuditRow } from "#store/tables/journal.ts";

const Facts = Nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    description: "Fields as the API names them; of a change only those that differ",
  }),
);

export const AuditEntry = Shape({
  seq: Type.Integer({ minimum: 1, description: "Rises with time" }),
  actor: Type.String({
    description:
      "`user:<id>`, `key:<id>`, `engine` for what was done by itself, `operator` on the command line",
  }),
  actor_name: Nullable(
    Type.String({ description: "What the person or the key is called now; null for the others" }),
  ),
  action: Type.String({ description: "`<noun>.<verb>`, for example `campaign.pause`" }),
  target: Type.String({ description: "`<noun>:<id>`" }),
  created_at: Timestamp,
  request_id: Nullable(Type.String({ description: "The X-Request-Id of the request that did it" })),
  before: Facts,
  after: Facts,
});
export const AuditPage = CursorPage(AuditEntry);

const filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

export const AuditQuery = Shape({
  ...CursorQuery.properties,
  actor: filter("`user:<id>`, `key:<id>`, `engine`, `operator`; `key:*` for any key"),
  action: filter("`campaign.patch`, or `campaign.*` for all that was done to campaigns"),
  target: filter("`campaign:<id>`, or `campaign:*`"),
  request_id: filter("One request's entries"),
  since: Type.Optional(Instant("From this time on")),
  until: Type.Optional(Instant("Before this time")),
});

export function presentEntry(row: AuditRow, name: string | null): Static<typeof AuditEntry> {
  return {
    seq: row.seq,
    actor: row.actor,
    actor_name: name,
    action: row.action,
    target: row.target,
    created_at: toIso(row.at),
    request_id: row.requestId,
    before: row.before,
    after: row.after,
  };
}
