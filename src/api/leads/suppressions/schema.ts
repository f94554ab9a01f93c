import { Type } from "@sinclair/typebox";
import { listQuery } from "#api/filter.ts";
import {
  CreatedAt,
  Described,
  Documented,
  FilteredPage,
  IdOf,
  IdParamsOf,
  inFlight,
  Line,
  Nullable,
  OneOf,
  Shape,
  TeamId,
} from "#api/schema.ts";
import { ADDRESS_BYTES_MAX } from "#domain/email-address.ts";
import { SUPPRESSION_REASONS } from "#domain/leads/suppression.ts";
import { SUPPRESSION_LIST } from "#store/filter/lists.ts";

const EXAMPLE = "ann.lee@example.com";

export const SuppressionParams = IdParamsOf("The suppression's id");

export const Suppression = Shape({
  id: IdOf("The suppression's id"),
  team_id: TeamId,
  email_hash: Type.String({
    description: "SHA-256 of the address in lower case, in hexadecimal",
    examples: ["d15b2b1a8a1e0c4a0f5e…"],
  }),
  email: Nullable(
    Type.String({
      description:
        "The address or `@domain`; null after the lead was erased, or where a restore knows only the hash",
      examples: [EXAMPLE],
    }),
  ),
  reason: OneOf(SUPPRESSION_REASONS, { description: "Why it is suppressed" }),
  created_at: CreatedAt,
});

export const SuppressionMade = Shape({ ...Suppression.properties, ...inFlight });

export const SuppressionPage = FilteredPage(Suppression);

const email = Documented(
  Line(ADDRESS_BYTES_MAX, {
    description: "Address, or `@example.com` for a domain without its subdomains",
    examples: [EXAMPLE],
  }),
  { format: "email-or-domain" },
);

export const REASON_DEFAULT = "unsubscribe";

export const SuppressionCreate = Shape({
  email,
  reason: Type.Optional(
    Documented(OneOf(SUPPRESSION_REASONS, { description: "Why it is suppressed" }), {
      default: REASON_DEFAULT,
    }),
  ),
});

export const SuppressionQuery = listQuery(SUPPRESSION_LIST, {
  reason: Type.Optional(
    OneOf(SUPPRESSION_REASONS, { description: "Only suppressions with this reason" }),
  ),
  email: Type.Optional(
    Described(email, "Only the suppression of this address or `@domain`", EXAMPLE),
  ),
});

const REASON_MAX = 500;

export const LiftQuery = Shape({
  reason: Type.Optional(
    Line(REASON_MAX, {
      description: "Why it was a mistake; stored in the audit log",
      examples: ["Suppressed by accident"],
    }),
  ),
  resume: Type.Optional(
    Type.Boolean({
      description:
        "Whether the sequences that ended with it resume; without it, only when `reason` is given",
    }),
  ),
});

export const CheckQuery = Shape({ email });

export const SuppressionCheck = Shape({
  suppressed: Type.Boolean({ description: "Whether the address is suppressed" }),
  match: Nullable(
    OneOf(["address", "domain"], {
      description: "Whether the address itself or its domain is; null when neither is",
    }),
  ),
  reason: Nullable(
    OneOf(SUPPRESSION_REASONS, { description: "Reason of the suppression; null without one" }),
  ),
});
