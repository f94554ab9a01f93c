import { type Static, Type } from "@sinclair/typebox";
import { Id, Line, Nullable, Shape, Text, Timestamp } from "#api/schema.ts";
import { toIso } from "#domain/time.ts";
import type { TeamRow } from "#store/tables/teams.ts";
import { POSTAL_ADDRESS_MAX, TEAM_NAME_MAX } from "#usecases/teams.ts";

const plain = {
  name: Line(TEAM_NAME_MAX),
  postal_address: Nullable(
    Text(POSTAL_ADDRESS_MAX, { minLength: 1, description: "Printed in the footer of every mail" }),
  ),
  footer: Type.Boolean({
    description: "Appends postal address and opt-out where a body has no unsubscribe link",
  }),
};

/** Settable fields, in the order in which the ETag covers them. */
export const TEAM_SETTABLE = Object.keys(plain);

export const TEAM_READ_ONLY = ["updated_at"] as const;

export const Team = Shape({ id: Id, ...plain, created_at: Timestamp, updated_at: Timestamp });
export type Team = Static<typeof Team>;

export const TeamPatch = Type.Partial(Shape(plain));

/** Row to wire. The return type makes the compiler check every field against the schema above. */
export function presentTeam(row: TeamRow): Team {
  return {
    id: row.id,
    name: row.name,
    postal_address: row.postalAddress,
    footer: row.footer,
    created_at: toIso(row.createdAt),
    updated_at: toIso(row.updatedAt),
  };
}
