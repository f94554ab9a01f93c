import { Type } from "@sinclair/typebox";
import {
  Documented,
  Id,
  inFlight,
  Line,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  Timestamp,
} from "#api/schema.ts";
import { ADDRESS_BYTES_MAX } from "#domain/email-address.ts";
import { SUPPRESSION_REASONS } from "#domain/leads/suppression.ts";

export const Suppression = Shape({
  id: Id,
  team_id: Id,
  email_hash: Type.String({ description: "SHA-256 of the address in lower case, hexadecimal" }),
  email: Nullable(Type.String({ description: "The address or `@domain`; null after an erasure" })),
  reason: OneOf(SUPPRESSION_REASONS),
  created_at: Timestamp,
});

export const SuppressionMade = Shape({ ...Suppression.properties, ...inFlight });

export const SuppressionPage = Page(Suppression);

const email = Documented(
  Line(ADDRESS_BYTES_MAX, {
    description: "An address, or `@example.com` for a domain without its subdomains",
  }),
  { format: "email-or-domain" },
);

export const SuppressionCreate = Shape({
  email,
  reason: Type.Optional(OneOf(SUPPRESSION_REASONS, { description: "`unsubscribe` if left out" })),
});

export const SuppressionQuery = Shape({
  ...PageQuery.properties,
  reason: Type.Optional(OneOf(SUPPRESSION_REASONS)),
  email: Type.Optional(email),
});

const REASON_MAX = 500;

export const LiftQuery = Shape({
  reason: Type.Optional(Line(REASON_MAX, { description: "Why, for the audit log" })),
  resume: Type.Optional(
    Type.Boolean({ description: "Whether sequences go on; true where a reason is given" }),
  ),
});

export const CheckQuery = Shape({ email });

export const SuppressionCheck = Shape({
  suppressed: Type.Boolean(),
  match: Nullable(OneOf(["address", "domain"])),
  reason: Nullable(OneOf(SUPPRESSION_REASONS)),
});
