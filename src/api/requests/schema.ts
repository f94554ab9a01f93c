import { type Static, Type } from "@sinclair/typebox";
import { Id, Nullable, OneOf, Page, PageQuery, Shape, Timestamp } from "#api/schema.ts";
import { toIso } from "#domain/time.ts";
import type { LoggedRequest } from "#platform/http/request-log.ts";

export const METHODS = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"] as const;
export const OUTCOMES = ["ok", "refused", "failed"] as const;

export const LoggedCall = Shape({
  id: Type.String({ description: "The X-Request-Id of the answer" }),
  created_at: Timestamp,
  method: Type.String(),
  path: Type.String({ description: "With its query" }),
  status: Type.Integer(),
  duration_ms: Type.Integer({ minimum: 0 }),
  key_id: Id,
  key_name: Nullable(Type.String({ description: "null: the key is not there any more" })),
});
export const LoggedCallPage = Page(LoggedCall);

export const LoggedCallQuery = Shape({
  ...PageQuery.properties,
  method: Type.Optional(OneOf(METHODS)),
  outcome: Type.Optional(
    OneOf(OUTCOMES, { description: "ok: below 400; refused: 400 to 499; failed: 500 and above" }),
  ),
  path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Part of the path" }),
  ),
  key_id: Type.Optional(Id),
});

/** `nameOf` finds a key's name. */
export function presentCall(
  call: LoggedRequest,
  nameOf: (keyId: string) => string | null,
): Static<typeof LoggedCall> {
  const keyId = call.actor.slice("key:".length);
  return {
    id: call.id,
    created_at: toIso(call.at),
    method: call.method,
    path: call.path,
    status: call.status,
    duration_ms: call.durationMs,
    key_id: keyId,
    key_name: nameOf(keyId),
  };
}
