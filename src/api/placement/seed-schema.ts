import { Type } from "@sinclair/typebox";
import {
  Documented,
  Id,
  Line,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  Timestamp,
} from "#api/schema.ts";
import { ADDRESS_BYTES_MAX } from "#domain/email-address.ts";
import { HOST_MAX } from "#domain/mailboxes/host.ts";
import { MAIL_PROVIDERS } from "#domain/mailboxes/mail-provider.ts";
import { SECURITIES } from "#domain/mailboxes/mailbox.ts";
import { SEED_STATUSES } from "#domain/placement/placement.ts";

const SECRET_MAX = 1000;
const TOKEN_MAX = 8192;

const server = {
  host: Documented(Line(HOST_MAX, { description: "Host name or IP address" }), { format: "host" }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  security: OneOf(SECURITIES, {
    description: "`none` only towards this machine. Chosen by the port where it is left out",
  }),
  username: Line(320, { description: "The seed's address where it is left out" }),
};
const Imap = Shape(server);
const ImapWrite = Shape({
  ...Type.Partial(Imap).properties,
  password: Type.Optional(Nullable(Line(SECRET_MAX, { description: "Write-only" }))),
});
const Oauth = Shape(
  {
    provider: OneOf(["google", "microsoft"]),
    client_id: Line(SECRET_MAX),
    client_secret: Line(SECRET_MAX),
    refresh_token: Line(TOKEN_MAX),
  },
  { description: "Write-only; logs in in place of the password" },
);

const held = { has_imap_password: Type.Boolean(), has_oauth: Type.Boolean() };

const status = OneOf(SEED_STATUSES, {
  description: "`paused`: left out of runs. `error`: its login is refused, and its tests fail",
});

export const Seed = Shape({
  id: Id,
  team_id: Id,
  email: Type.String(),
  status,
  provider: OneOf(MAIL_PROVIDERS, { description: "By the mail exchanges of its domain" }),
  imap: Nullable(Imap),
  ...held,
  tabs: Nullable(
    Type.Boolean({
      description:
        "Whether Gmail sorts this inbox into categories; without them promotions cannot be told. " +
        "Null for other providers, and until a test mail has arrived",
    }),
  ),
  junk_folder: Nullable(
    Type.String({ description: "The folder that is its spam; null: none was found yet" }),
  ),
  last_looked_at: Nullable(Timestamp),
  last_error: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** What the ETag covers: secrets by whether they are held. */
export const SeedTag = Shape({ status, imap: Seed.properties.imap, ...held });

export const SeedPage = Page(Seed);
export const SeedQuery = Shape(PageQuery.properties);

const email = Documented(
  Line(ADDRESS_BYTES_MAX, { description: "A mailbox of your own; never a lead" }),
  { format: "email" },
);
const settableStatus = Type.Optional(OneOf(SEED_STATUSES));

export const SeedCreate = Shape(
  {
    email,
    status: Type.Optional(OneOf(["active", "paused"])),
    imap: Type.Optional(Nullable(ImapWrite)),
    oauth: Type.Optional(Nullable(Oauth)),
  },
  {
    description:
      "In the live world a secret is needed, and the IMAP server where the provider is not a known " +
      "one; in the test world the address is enough",
  },
);

export const SeedPatch = Shape({
  email: Type.Optional(email),
  status: settableStatus,
  imap: Type.Optional(Nullable(ImapWrite)),
  oauth: Type.Optional(Nullable(Type.Partial(Oauth))),
});

export const SeedTest = Shape({
  ok: Type.Boolean(),
  error: Nullable(Type.String({ description: "What happened, in the server's words or ours" })),
  login_refused: Type.Boolean(),
  seed: Seed,
});
