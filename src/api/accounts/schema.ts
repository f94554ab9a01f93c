import { type Static, Type } from "@sinclair/typebox";
import {
  Documented,
  Id,
  inFlight,
  Line,
  Nullable,
  OneOf,
  Shape,
  Text,
  Timestamp,
} from "#api/schema.ts";
import { ADDRESS_BYTES_MAX } from "#domain/email-address.ts";
import {
  ACCOUNT_STATUS_REASONS,
  ACCOUNT_STATUSES,
  DAILY_LIMIT_MAX,
  GAP_SECONDS_MAX,
  HOURLY_LIMIT_MAX,
  NOT_READY_REASONS,
  RAMP_MAX,
  SIGNATURE_MAX,
} from "#domain/mailboxes/account.ts";
import { CONNECTION_STEPS } from "#domain/mailboxes/connection-step.ts";
import { HOST_MAX } from "#domain/mailboxes/host.ts";
import { PROVIDERS, SECURITIES } from "#domain/mailboxes/mailbox.ts";

const SECRET_MAX = 1000;
const TOKEN_MAX = 8192;

const server = {
  host: Documented(Line(HOST_MAX, { description: "Host name or IP address" }), { format: "host" }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  security: OneOf(SECURITIES, {
    description: "`none` only towards this machine. Chosen by the port where it is left out",
  }),
  username: Line(320, {
    minLength: 0,
    description: "The account's address where it is left out; empty for a relay without a login",
  }),
};
const saveSent = Type.Boolean({
  description: "File a copy of what was sent; off for google and microsoft, which keep one",
});

const Smtp = Shape(server);
const Imap = Shape({ ...server, save_sent: saveSent });

const password = Type.Optional(Nullable(Line(SECRET_MAX, { description: "Write-only" })));
const SmtpWrite = Shape({ ...Type.Partial(Smtp).properties, password });
const ImapWrite = Shape({
  ...Type.Partial(Imap).properties,
  password: Type.Optional(
    Nullable(Line(SECRET_MAX, { description: "Write-only; that of SMTP where it is left out" })),
  ),
});
const Oauth = Shape(
  {
    client_id: Line(SECRET_MAX),
    client_secret: Line(SECRET_MAX),
    refresh_token: Type.Optional(
      Line(TOKEN_MAX, { description: "Left out: `POST /accounts/{id}/connect` gets one" }),
    ),
  },
  { description: "Write-only; logs in on both sides in place of the passwords" },
);
const OauthPatch = Type.Partial(Oauth);

const ramp = {
  start: Type.Integer({ minimum: 1, maximum: RAMP_MAX, description: "Messages on the first day" }),
  increment: Type.Integer({ minimum: 0, maximum: RAMP_MAX, description: "More on each day after" }),
  from: Type.String({
    format: "date",
    description: "First day, in the account's zone; the day on which the ramp is set if left out",
  }),
};

const plain = {
  display_name: Nullable(Line(255)),
  signature: Nullable(Text(SIGNATURE_MAX)),
  timezone: Documented(
    Line(64, { description: "IANA time zone name; limits count its days and hours" }),
    { format: "timezone" },
  ),
  daily_limit: Type.Integer({ minimum: 0, maximum: DAILY_LIMIT_MAX }),
  hourly_limit: Type.Integer({ minimum: 0, maximum: HOURLY_LIMIT_MAX }),
  min_gap_seconds: Type.Integer({ minimum: 0, maximum: GAP_SECONDS_MAX }),
  max_gap_seconds: Nullable(Type.Integer({ minimum: 0, maximum: GAP_SECONDS_MAX })),
};

const written = {
  ...Type.Partial(Shape(plain)).properties,
  ramp: Type.Optional(Nullable(Type.Partial(Shape(ramp)))),
  smtp: Type.Optional(Nullable(SmtpWrite)),
  imap: Type.Optional(Nullable(ImapWrite)),
  oauth: Type.Optional(Nullable(OauthPatch)),
};

const held = {
  has_smtp_password: Type.Boolean(),
  has_imap_password: Type.Boolean(),
  has_oauth: Type.Boolean({ description: "It logs in by consent" }),
  has_oauth_client: Type.Boolean({ description: "It has a client that waits for a consent" }),
};

export const Account = Shape({
  id: Id,
  team_id: Id,
  email: Type.String(),
  provider: OneOf(PROVIDERS),
  status: OneOf(ACCOUNT_STATUSES),
  status_reason: Nullable(OneOf(ACCOUNT_STATUS_REASONS)),
  ready: Type.Boolean({ description: "Live: its connection has been proven. Test: always" }),
  not_ready_reason: Nullable(OneOf(NOT_READY_REASONS)),
  ...plain,
  ramp: Nullable(Shape(ramp)),
  smtp: Nullable(Smtp),
  imap: Nullable(Imap),
  ...held,
  reconnect_url: Nullable(
    Type.String({
      description: "Where to connect it anew, without a key, when its consent has ended",
    }),
  ),
  health_score: Type.Number({ minimum: 0, maximum: 100 }),
  consecutive_smtp_errors: Type.Integer({ minimum: 0 }),
  last_error: Nullable(Type.String()),
  backoff_until: Nullable(Timestamp),
  unconfirmed_since: Nullable({
    ...Timestamp,
    description:
      "After a restore or a rollback: since when it is not known what this mailbox sent. It sends " +
      "again once its Sent folder has been read; one that never can be read is let go by `disabled`",
  }),
  refused_by: Type.Array(
    Shape({
      provider: Type.String({
        description: "Or the domain that runs its own servers; `*`: such domains together",
      }),
      refusals: Type.Integer({ minimum: 1, description: "In a row" }),
      since: Timestamp,
      until: Nullable({
        ...Timestamp,
        description: "One email is tried then; null: one refusal alone stops nothing",
      }),
      said: Type.String({ description: "The server's own words" }),
      remedy: Type.String(),
      page: Nullable(Type.String({ description: "Where the provider explains its refusals" })),
    }),
    {
      description:
        "Recipient providers that refuse this mailbox as a sender. Leads there stay pending; a test of " +
        "the mailbox tries them at once",
    },
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Account = Static<typeof Account>;

const { ramp: shownRamp, smtp, imap, status } = Account.properties;
/** What the ETag covers: secrets by whether they are held. */
export const AccountTag = Shape({ ...plain, ramp: shownRamp, smtp, imap, status, ...held });

/** As it is after a change. */
export const AccountChanged = Shape({ ...Account.properties, ...inFlight });

export const AccountList = Shape({ data: Type.Array(Account) });

/** The whole list unless a part of it is asked for. */
export const AccountQuery = Shape({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "All if left out" })),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
});

const email = Documented(Line(ADDRESS_BYTES_MAX, { description: "The mailbox's address" }), {
  format: "email",
});

export const AccountCreate = Shape({
  email,
  provider: OneOf(PROVIDERS),
  ...written,
  ramp: Type.Optional(Nullable(Shape({ ...ramp, from: Type.Optional(ramp.from) }))),
  oauth: Type.Optional(Nullable(Oauth)),
});

/** Address and provider are taken as they were read, and refused when they differ. */
export const AccountPatch = Shape({
  email: Type.Optional(email),
  provider: Type.Optional(OneOf(PROVIDERS)),
  ...written,
  status: Type.Optional(OneOf(ACCOUNT_STATUSES)),
});
export type AccountPatch = Static<typeof AccountPatch>;

const Check = Shape({ ok: Type.Boolean(), error: Nullable(Type.String()) });

export const AccountTestRequest = Type.Optional(
  Shape({
    send: Type.Optional(
      Type.Boolean({
        default: true,
        description: "Send a mail from the mailbox to itself; it is counted against its limits",
      }),
    ),
  }),
);

const Step = Shape({
  step: OneOf(CONNECTION_STEPS),
  ok: Nullable(Type.Boolean({ description: "`null`: not tried, or not known yet" })),
  message: Type.String({ description: "What happened, in plain words" }),
  remedy: Nullable(Type.String({ description: "What to do about it" })),
  ms: Type.Integer({ minimum: 0 }),
});

export const AccountTest = Shape({
  ok: Type.Boolean({ description: "No step failed" }),
  steps: Type.Array(Step),
  smtp: Check,
  imap: Check,
  account: Account,
});

export const ConsentLink = Shape({
  url: Type.String({
    description: "To be opened in a browser by whoever can sign in to the mailbox",
  }),
  expires_at: Timestamp,
});
