import { Type } from "@sinclair/typebox";
import {
  Documented,
  Id,
  Instant,
  Line,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  Timestamp,
} from "#api/schema.ts";
import { ENVS, SCOPES } from "#domain/team/api-key.ts";

const record = {
  id: Id,
  team_id: Id,
  name: Line(100),
  env: OneOf(ENVS),
  last4: Type.String({ description: "Last four characters of the key" }),
  scopes: Type.Array(Type.String()),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
};

export const Key = Shape(record);
export const KeyPage = Page(Key);

/** Only the answer that made a key holds the key. */
export const MintedKey = Shape({
  key: Type.String({ description: "The whole key, shown this once" }),
  ...record,
});

export const KeyCreate = Shape({
  name: Line(100),
  env: Type.Optional(OneOf(ENVS)),
  scopes: Type.Optional(
    Type.Array(Documented(Type.String(), { enum: SCOPES }), { minItems: 1, maxItems: 50 }),
  ),
  expires_at: Type.Optional(Nullable(Instant("When it ends by itself; null: never"))),
});

export const KeyQuery = Shape({
  ...PageQuery.properties,
  env: Type.Optional(OneOf(ENVS, { description: "A live key may list the test keys" })),
});

/** A live key may name the environment of the key that it means. */
export const EnvQuery = Shape({ env: Type.Optional(OneOf(ENVS)) });

/** Without a body, as with an empty one. */
export const KeyRotate = Type.Optional(
  Shape({
    grace_seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 604_800, description: "How long the old key works on" }),
    ),
  }),
);
