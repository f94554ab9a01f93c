import { Type } from "@sinclair/typebox";
import {
  CreatedAt,
  Documented,
  IdOf,
  IdParamsOf,
  Line,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  TeamId,
  TimestampOf,
  UpdatedAt,
} from "#api/schema.ts";
import { ADDRESS_BYTES_MAX } from "#domain/email-address.ts";
import { HOST_MAX } from "#domain/mailboxes/host.ts";
import { MAIL_PROVIDERS } from "#domain/mailboxes/mail-provider.ts";
import { SECURITIES } from "#domain/mailboxes/mailbox.ts";
import { SEED_STATUSES } from "#domain/placement/placement.ts";

const SECRET_MAX = 1000;
const TOKEN_MAX = 8192;

const server = {
  host: Documented(
    Line(HOST_MAX, { description: "Host name or IP address", examples: ["imap.example.com"] }),
    { format: "host" },
  ),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: "Port; without one, the usual port for `security`",
    examples: [993],
  }),
  security: OneOf(SECURITIES, {
    description:
      "How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only",
  }),
  username: Line(320, {
    description: "Name to log in with; without one, the seed's address",
    examples: ["seed1@example.com"],
  }),
};
const Imap = Shape(server, {
  description: "Server to read from; preset for known providers. Null when none is set",
});
const ImapWrite = Shape(
  {
    ...Type.Partial(Imap).properties,
    password: Type.Optional(
      Nullable(Line(SECRET_MAX, { description: "Password or app password; write-only" })),
    ),
  },
  { description: "Server to read from; known providers need a password only" },
);
const Oauth = Shape(
  {
    provider: OneOf(["google", "microsoft"], { description: "Provider that issued them" }),
    client_id: Line(SECRET_MAX, { description: "Client id registered with the provider" }),
    client_secret: Line(SECRET_MAX, { description: "Secret of the client" }),
    refresh_token: Line(TOKEN_MAX, { description: "Token of the mailbox's owner" }),
  },
  { description: "OAuth 2.0 credentials, used in place of a password; write-only" },
);

const held = {
  has_imap_password: Type.Boolean({ description: "Whether a password is stored" }),
  has_oauth: Type.Boolean({ description: "Whether OAuth 2.0 credentials are stored" }),
};

const status = OneOf(SEED_STATUSES, {
  description: "`paused` leaves it out of runs; `error` means that its login is refused",
});

export const Seed = Shape(
  {
    id: IdOf("The seed's id"),
    team_id: TeamId,
    email: Type.String({ description: "Address of the mailbox", examples: ["seed1@example.com"] }),
    status,
    provider: OneOf(MAIL_PROVIDERS, { description: "Provider, by the MX records of its domain" }),
    imap: Nullable(Imap),
    ...held,
    tabs: Nullable(
      Type.Boolean({
        description:
          "Whether Gmail sorts this inbox into tabs; without them promotions cannot be recognized. " +
          "Null for other providers, and until an email of a run has arrived",
      }),
    ),
    junk_folder: Nullable(
      Type.String({
        description: "Its spam folder; null until it is found",
        examples: ["[Gmail]/Spam"],
      }),
    ),
    last_looked_at: Nullable(TimestampOf("When the mailbox was last read; null before")),
    last_error: Nullable(
      Type.String({ description: "What went wrong last; null when nothing did" }),
    ),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  { description: "A mailbox of your own that placement runs send to and look into" },
);

/** What the ETag covers: secrets by whether they are held. */
export const SeedTag = Shape({ status, imap: Seed.properties.imap, ...held });

export const SeedParams = IdParamsOf("The seed's id");

export const SeedPage = Page(Seed);
export const SeedQuery = Shape(PageQuery.properties);

const email = Documented(
  Line(ADDRESS_BYTES_MAX, {
    description: "Address of a mailbox of your own; it can never be a lead",
    examples: ["seed1@example.com"],
  }),
  { format: "email" },
);
const settableStatus = Type.Optional(
  OneOf(SEED_STATUSES, { description: "`paused` leaves it out of runs; `active` resumes it" }),
);

export const SeedCreate = Shape(
  {
    email,
    status: Type.Optional(
      Documented(OneOf(["active", "paused"], { description: "`paused` leaves it out of runs" }), {
        default: "active",
      }),
    ),
    imap: Type.Optional(Nullable(ImapWrite)),
    oauth: Type.Optional(Nullable(Oauth)),
  },
  {
    description:
      "In live, credentials are required, and the IMAP server unless the provider is known; in the test " +
      "environment the address is enough",
  },
);

export const SeedPatch = Shape({
  email: Type.Optional(email),
  status: settableStatus,
  imap: Type.Optional(Nullable(ImapWrite)),
  oauth: Type.Optional(Nullable(Type.Partial(Oauth))),
});

export const SeedTest = Shape({
  ok: Type.Boolean({ description: "Whether the mailbox can be read" }),
  error: Nullable(Type.String({ description: "What went wrong; null when it works" })),
  login_refused: Type.Boolean({ description: "Whether the login was refused" }),
  seed: Seed,
});
