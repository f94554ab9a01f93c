import { Type } from "@sinclair/typebox";
import {
  AsIs,
  CreatedAt,
  Described,
  Documented,
  IdOf,
  Line,
  Name,
  Nullable,
  OneOf,
  Shape,
  Text,
  UpdatedAt,
} from "#api/schema.ts";
import { TEAM_WORD_CHARS_MAX, TEAM_WORDS_MAX } from "#domain/inbox/interest.ts";
import { HOST_MAX } from "#domain/mailboxes/host.ts";
import { LANGUAGES } from "#domain/sending/languages.ts";
import { POSTAL_ADDRESS_MAX, TEAM_NAME_MAX, UNSUBSCRIBE_TEXT_MAX } from "#usecases/team/teams.ts";

const plain = {
  name: Name(TEAM_NAME_MAX, { description: "Name of the team", examples: ["Example Works"] }),
  postal_address: Nullable(
    Text(POSTAL_ADDRESS_MAX, {
      minLength: 1,
      description: "Postal address, shown in the footer of every email",
      examples: ["Example Works\n1 Main St\nDenver, CO 80202"],
    }),
  ),
  footer: Type.Boolean({
    description:
      "Append postal address and unsubscribe link to emails whose body has no unsubscribe link",
  }),
  unsubscribe_text: Documented(
    Nullable(
      Line(UNSUBSCRIBE_TEXT_MAX, {
        description:
          "Plain text of the unsubscribe link in that footer, the same for everyone. Null for our word in " +
          "the recipient's language: that of the lead's variable `language` (a BCP 47 tag such as " +
          "`pt-BR`), else of the country that the address's domain belongs to, else the team's",
        examples: ["Not relevant? Unsubscribe here"],
      }),
    ),
    { default: null },
  ),
  language: Documented(
    Described(
      OneOf(LANGUAGES),
      "Language of our own words to recipients whose language isn't known, and of the test emails " +
        "that a mailbox sends to itself",
      "de",
    ),
    { default: "en" },
  ),
  tracking_host: Nullable(
    Documented(
      Line(HOST_MAX, {
        description:
          "Host name of tracked links; null for the installation's own. It has to reach this server " +
          "over https, and serves this team alone",
        examples: ["links.example.com"],
      }),
      { format: "host" },
    ),
  ),
};

const words = (meaning: string, ...examples: string[]) =>
  Type.Array(Line(TEAM_WORD_CHARS_MAX), {
    maxItems: TEAM_WORDS_MAX,
    description: `Phrases that mean ${meaning}`,
    examples: [examples],
  });

const interestWords = {
  interested: words("interest", "ping me", "count us in"),
  not_interested: words("no interest", "hard pass"),
  neutral: words("neither", "parked", "after the fair"),
  meeting: words("a meeting", "see my calendar"),
};

const INTEREST_WORDS = {
  description:
    "Phrases of replies that show interest, in any language, by what they mean. They take precedence " +
    "over the built-in ones; case and accents are ignored, and a negation before a positive one counts",
};

export const Team = Shape({
  id: IdOf("The team's id"),
  ...plain,
  interest_words: AsIs(Shape(interestWords, INTEREST_WORDS)),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
});

export const TeamPatch = Type.Partial(
  Shape({
    ...plain,
    interest_words: AsIs({ ...Type.Partial(Shape(interestWords)), ...INTEREST_WORDS }),
  }),
);
