import { type Static, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import { Documented, Id, Line, Nullable, Shape, Text, Timestamp } from "#api/schema.ts";
import { type InterestWords, TEAM_WORD_CHARS_MAX, TEAM_WORDS_MAX } from "#domain/inbox/interest.ts";
import { HOST_MAX } from "#domain/mailboxes/host.ts";
import { toIso } from "#domain/time.ts";
import type { TeamRow } from "#store/tables/teams.ts";
import {
  type TeamPatch as Changes,
  POSTAL_ADDRESS_MAX,
  TEAM_NAME_MAX,
} from "#usecases/team/teams.ts";

const plain = {
  name: Line(TEAM_NAME_MAX),
  postal_address: Nullable(
    Text(POSTAL_ADDRESS_MAX, { minLength: 1, description: "Printed in the footer of every mail" }),
  ),
  footer: Type.Boolean({
    description: "Appends postal address and opt-out where a body has no unsubscribe link",
  }),
  tracking_host: Nullable(
    Documented(
      Line(HOST_MAX, {
        description:
          "Name under which tracked links lead here, over https; null: the installation's own. It has " +
          "to reach this server, which serves links under it to this team alone",
      }),
      { format: "host" },
    ),
  ),
};

const words = (meaning: string) =>
  Type.Array(Line(TEAM_WORD_CHARS_MAX), { maxItems: TEAM_WORDS_MAX, description: meaning });

const interestWords = {
  interested: words("Such as: ping me, count us in"),
  not_interested: words("Such as: hard pass"),
  neutral: words("Such as: parked, after the fair"),
  meeting: words("Such as: see my calendar"),
};

const INTEREST_WORDS = {
  description:
    "Words and phrases of an answer that mean interest to this team, in any language. They come before " +
    "the built-in ones; case and accents are ignored, and a negation before a positive one is seen",
};

/** Settable fields, in the order in which the ETag covers them. */
export const TEAM_SETTABLE = [...Object.keys(plain), "interest_words"];

export const TEAM_READ_ONLY = ["updated_at"] as const;

export const Team = Shape({
  id: Id,
  ...plain,
  interest_words: Shape(interestWords, INTEREST_WORDS),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Team = Static<typeof Team>;

export const TeamPatch = Type.Partial(
  Shape({
    ...plain,
    interest_words: { ...Type.Partial(Shape(interestWords)), ...INTEREST_WORDS },
  }),
);

/** What a body changes: absent fields stay, also among the words. */
export function patchOf({ interest_words, ...rest }: Static<typeof TeamPatch>): Changes {
  return defined({
    ...rest,
    interest_words: interest_words === undefined ? undefined : defined(interest_words),
  });
}

/** Row to wire. The return type makes the compiler check every field against the schema above. */
export function presentTeam(row: TeamRow): Team {
  return {
    id: row.id,
    name: row.name,
    postal_address: row.postalAddress,
    footer: row.footer,
    tracking_host: row.trackingHost,
    interest_words: presentWords(row.interestWords),
    created_at: toIso(row.createdAt),
    updated_at: toIso(row.updatedAt),
  };
}

function presentWords(words: InterestWords): Team["interest_words"] {
  return {
    interested: [...words.interested],
    not_interested: [...words.not_interested],
    neutral: [...words.neutral],
    meeting: [...words.meeting],
  };
}
