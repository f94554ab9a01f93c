import { Type } from "@sinclair/typebox";
import {
  CreatedAt,
  Documented,
  IdOf,
  IdParamsOf,
  Instant,
  Name,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  TeamId,
  TimestampOf,
} from "#api/schema.ts";
import { ENVS, SCOPES } from "#domain/team/api-key.ts";

const name = Name(100, { description: "What the key is for", examples: ["CRM sync"] });
const env = Type.Optional(
  OneOf(ENVS, {
    description: "Environment of the keys; a live key may name the test environment",
  }),
);

export const KeyParams = IdParamsOf("The key's id");

const record = {
  id: IdOf("The key's id"),
  team_id: TeamId,
  name,
  env: OneOf(ENVS, { description: "Environment that the key opens" }),
  last4: Type.String({ description: "Last four characters of the key", examples: ["x7Qd"] }),
  scopes: Type.Array(Type.String(), {
    description: "What the key may do",
    examples: [["campaigns:read", "leads:write"]],
  }),
  created_at: CreatedAt,
  expires_at: Nullable(TimestampOf("When the key expires; null for never")),
  revoked_at: Nullable(TimestampOf("When the key was revoked; null when it was not")),
  last_used_at: Nullable(TimestampOf("When the key was last used; null before")),
};

export const Key = Shape(record);
export const KeyPage = Page(Key);

/** Only the answer that made a key holds the key. */
export const MintedKey = Shape({
  key: Type.String({ description: "The key itself, shown only now" }),
  ...record,
});

export const KeyCreate = Shape({
  name,
  env: Type.Optional(
    OneOf(ENVS, {
      description: "Environment that the key opens; without it, that of the key that creates it",
    }),
  ),
  scopes: Type.Optional(
    Type.Array(Documented(Type.String(), { enum: SCOPES }), {
      minItems: 1,
      maxItems: 50,
      description: "What the key may do; without it, the same as the key that creates it",
      examples: [["campaigns:read", "leads:write"]],
    }),
  ),
  expires_at: Type.Optional(
    Documented(Nullable(Instant("When the key expires; null for never")), { default: null }),
  ),
});

export const KeyQuery = Shape({
  ...PageQuery.properties,
  env,
});

/** A live key may name the environment of the key that it means. */
export const EnvQuery = Shape({ env });

/** How long a replaced key keeps working where nothing is said: a day. */
export const GRACE_SECONDS = 86_400;

/** Without a body, as with an empty one. */
export const KeyRotate = Type.Optional(
  Shape({
    grace_seconds: Type.Optional(
      Documented(
        Type.Integer({
          minimum: 0,
          maximum: 604_800,
          description: "Seconds for which the old key keeps working",
        }),
        { default: GRACE_SECONDS },
      ),
    ),
  }),
);
