import { Type } from "@sinclair/typebox";
import { AsIs, Documented, Id, Line, Nullable, Shape, Text, Timestamp } from "#api/schema.ts";
import { TEAM_WORD_CHARS_MAX, TEAM_WORDS_MAX } from "#domain/inbox/interest.ts";
import { HOST_MAX } from "#domain/mailboxes/host.ts";
import { POSTAL_ADDRESS_MAX, TEAM_NAME_MAX } from "#usecases/team/teams.ts";

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

export const Team = Shape({
  id: Id,
  ...plain,
  interest_words: AsIs(Shape(interestWords, INTEREST_WORDS)),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const TeamPatch = Type.Partial(
  Shape({
    ...plain,
    interest_words: AsIs({ ...Type.Partial(Shape(interestWords)), ...INTEREST_WORDS }),
  }),
);
