import { type Static, Type } from "@sinclair/typebox";
import { taggedQuery } from "#api/filter.ts";
import { foreseen } from "#api/foresee.ts";
import {
  Count,
  CreatedAt,
  CursorQuery,
  Described,
  Documented,
  filtered,
  IdOf,
  IdParamsOf,
  inFlight,
  Line,
  Name,
  Nullable,
  OneOf,
  PageQuery,
  Shape,
  TeamId,
  Text,
  TimestampOf,
  UpdatedAt,
  warned,
  withDefaults,
} from "#api/schema.ts";
import { ADDRESS_BYTES_MAX } from "#domain/email-address.ts";
import {
  ACCOUNT_DEFAULTS,
  ACCOUNT_STATUS_REASONS,
  ACCOUNT_STATUSES,
  ALIASES_MAX,
  DAILY_LIMIT_MAX,
  GAP_SECONDS_MAX,
  HOURLY_LIMIT_MAX,
  limitsWarning,
  NOT_READY_REASONS,
  RAMP_MAX,
  SIGNATURE_MAX,
} from "#domain/mailboxes/account.ts";
import { HOST_MAX } from "#domain/mailboxes/host.ts";
import { PROVIDERS, SECURITIES } from "#domain/mailboxes/mailbox.ts";
import { ACCOUNT_LIST } from "#store/filter/lists.ts";
import { LimitsByProvider, Refusal } from "./provider-schema.ts";

const ADDRESS = "ann@example.com";
const SECRET_MAX = 1000;
const TOKEN_MAX = 8192;

const provider = OneOf(PROVIDERS, {
  description:
    "Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment",
});

const server = {
  host: Documented(
    Line(HOST_MAX, { description: "Host name or IP address", examples: ["smtp.example.com"] }),
    { format: "host" },
  ),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: "Port; without one, the usual port for `security`",
    examples: [587],
  }),
  security: OneOf(SECURITIES, {
    description:
      "How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only",
  }),
  username: Line(320, {
    minLength: 0,
    description:
      "Name to log in with; without one, the account's address. Empty for a relay without a login",
    examples: ["ann@example.com"],
  }),
};
const saveSent = Type.Boolean({
  description:
    "Store a copy of each sent email in the Sent folder; off for google and microsoft, which do so themselves",
});

const Smtp = Shape(server, {
  description: "Server to send through; preset for google and microsoft. Null when none is set",
});
const Imap = Shape(
  {
    ...server,
    host: Described(server.host, "Host name or IP address", "imap.example.com"),
    port: Described(server.port, "Port; without one, the usual port for `security`", 993),
    save_sent: saveSent,
  },
  { description: "Server to read from; preset for google and microsoft. Null when none is set" },
);

const password = Type.Optional(
  Nullable(Line(SECRET_MAX, { description: "Password or app password; write-only" })),
);
const SmtpWrite = Shape(
  { ...Type.Partial(Smtp).properties, password },
  { description: "Server to send through; google and microsoft need none" },
);
const ImapWrite = Shape(
  {
    ...Type.Partial(Imap).properties,
    password: Type.Optional(
      Nullable(
        Line(SECRET_MAX, {
          description: "Password or app password; write-only. Without one, the SMTP password",
        }),
      ),
    ),
  },
  { description: "Server to read from; google and microsoft need none" },
);
const Oauth = Shape(
  {
    client_id: Line(SECRET_MAX, { description: "Client id registered with the provider" }),
    client_secret: Line(SECRET_MAX, { description: "Secret of the client" }),
    refresh_token: Type.Optional(
      Line(TOKEN_MAX, {
        description: "Token of the mailbox's owner; `POST /accounts/{id}/connect` obtains one",
      }),
    ),
  },
  {
    description: "OAuth 2.0 credentials, used for SMTP and IMAP in place of passwords; write-only",
  },
);
const OauthPatch = Type.Partial(Oauth);

const ramp = {
  start: Type.Integer({
    minimum: 1,
    maximum: RAMP_MAX,
    description: "Emails on the first day",
    examples: [5],
  }),
  increment: Type.Integer({
    minimum: 0,
    maximum: RAMP_MAX,
    description: "Emails to add on each following day",
    examples: [2],
  }),
  from: Type.String({
    format: "date",
    description: "First day, in the account's time zone; without one, today",
    examples: ["2026-03-02"],
  }),
};

const Ramp = Shape(ramp, {
  description:
    "Raises the daily limit step by step while the mailbox is new; null to allow it from the first day",
});

const plain = {
  display_name: Nullable(
    Name(255, { description: "Name in the From header of emails", examples: ["Ann Lee"] }),
  ),
  signature: Nullable(
    Text(SIGNATURE_MAX, {
      description: "Text or HTML that `{{ signature }}` in a step stands for",
      examples: ["Ann Lee\nExample Works"],
    }),
  ),
  timezone: Documented(
    Line(64, {
      description: "IANA time zone whose days and hours the limits count",
      examples: ["Europe/Berlin"],
    }),
    { format: "timezone" },
  ),
  daily_limit: Type.Integer({
    minimum: 0,
    maximum: DAILY_LIMIT_MAX,
    description: "Emails per day",
    examples: [40],
  }),
  hourly_limit: Type.Integer({
    minimum: 0,
    maximum: HOURLY_LIMIT_MAX,
    description: "Emails per hour",
    examples: [12],
  }),
  provider_limits: LimitsByProvider,
  verify_addresses: Type.Boolean({
    description:
      "Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address",
    examples: [false],
  }),
  min_gap_seconds: Type.Integer({
    minimum: 0,
    maximum: GAP_SECONDS_MAX,
    description: "Shortest time between two emails, in seconds",
    examples: [120],
  }),
  max_gap_seconds: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: GAP_SECONDS_MAX,
      description:
        "Longest time between two emails, in seconds; null to spread a day's emails over its sending hours",
      examples: [900],
    }),
  ),
};

const email = Documented(
  Line(ADDRESS_BYTES_MAX, { description: "Address of the mailbox", examples: [ADDRESS] }),
  { format: "email" },
);

const aliasName = Nullable(
  Name(255, {
    description: "Name in the From header; null or absent: the account's `display_name`",
    examples: ["Ann at Example Works"],
  }),
);
const alias = { email, name: aliasName };
const ALIASES = {
  maxItems: ALIASES_MAX,
  description:
    "Further addresses of the mailbox: email to them arrives in it, and it may send as them",
};
const sendAs = Nullable(
  Documented(
    Line(ADDRESS_BYTES_MAX, {
      description:
        "The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from",
      examples: ["sales@example.com"],
    }),
    { format: "email" },
  ),
);

const workspaceId = Nullable(
  IdOf("Workspace with whose consent the mailbox logs in; null with credentials of its own"),
);

const written = {
  ...Type.Partial(Shape(plain)).properties,
  ramp: Type.Optional(Nullable(Type.Partial(Ramp))),
  smtp: Type.Optional(Nullable(SmtpWrite)),
  imap: Type.Optional(Nullable(ImapWrite)),
  oauth: Type.Optional(Nullable(OauthPatch)),
  workspace_id: Type.Optional(workspaceId),
  aliases: Type.Optional(Type.Array(Shape({ email, name: Type.Optional(aliasName) }), ALIASES)),
  send_as: Type.Optional(sendAs),
};

const held = {
  has_smtp_password: Type.Boolean({ description: "Whether an SMTP password is stored" }),
  has_imap_password: Type.Boolean({ description: "Whether an IMAP password is stored" }),
  has_oauth: Type.Boolean({ description: "Whether the mailbox logs in with OAuth 2.0" }),
  has_oauth_client: Type.Boolean({
    description: "Whether an OAuth client is stored that still needs its owner's consent",
  }),
};

export const AccountParams = IdParamsOf("The account's id");

export const Account = Shape(
  {
    id: IdOf("The account's id"),
    team_id: TeamId,
    email: Type.String({ description: "Address of the mailbox", examples: [ADDRESS] }),
    provider,
    status: OneOf(ACCOUNT_STATUSES, {
      description: "Only an active account sends; `error` ends once the connection works again",
    }),
    status_reason: Nullable(
      OneOf(ACCOUNT_STATUS_REASONS, {
        description: "Why the account is not active; null when it is",
      }),
    ),
    ready: Type.Boolean({
      description: "Whether a connection test has passed; always true in the test environment",
    }),
    not_ready_reason: Nullable(
      OneOf(NOT_READY_REASONS, {
        description:
          "Why the account is not ready; null when it is. `workspace`: its workspace's consent is refused, and it goes on by itself once that is repaired",
      }),
    ),
    ...plain,
    aliases: Type.Array(Shape(alias), ALIASES),
    send_as: sendAs,
    ramp: Nullable(Ramp),
    smtp: Nullable(Smtp),
    imap: Nullable(Imap),
    ...held,
    workspace_id: workspaceId,
    reconnect_url: Nullable(
      Type.String({
        description:
          "Page on which the mailbox's owner renews an OAuth consent that has ended; null otherwise",
      }),
    ),
    health_score: Type.Number({
      minimum: 0,
      maximum: 100,
      description: "How the mailbox's emails of the last days were received; 100 is best",
      examples: [96],
    }),
    consecutive_smtp_errors: Count("SMTP errors since the last email that was sent"),
    last_error: Nullable(
      Type.String({ description: "What went wrong last; null when nothing did" }),
    ),
    backoff_until: Nullable(
      TimestampOf("When sending resumes after the server asked to slow down; null otherwise"),
    ),
    unconfirmed_since: Nullable(
      TimestampOf(
        "Since when it is unknown what the mailbox sent, after a restore; null otherwise. It sends again once its Sent folder has been read; set `disabled` for a mailbox that can no longer be read",
      ),
    ),
    verify_addresses_problem: Nullable(
      Type.String({
        description:
          "Why `verify_addresses` has stopped, or some servers aren't asked; null where nothing is wrong",
        examples: [null],
      }),
    ),
    refused_by: Type.Array(Refusal, {
      description:
        "Recipient providers that refuse this mailbox as a sender. Their leads stay pending; testing " +
        "the mailbox tries them again right away",
    }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  { description: "A mailbox that sends and receives" },
);
export type Account = Static<typeof Account>;

const { ramp: shownRamp, smtp, imap, status, workspace_id, aliases, send_as } = Account.properties;
/** What the ETag covers: secrets by whether they are held. */
export const AccountTag = Shape({
  ...{ ...plain, ramp: shownRamp, smtp, imap, status, ...held, workspace_id, aliases, send_as },
});

/** As it is after a change. */
export const AccountChanged = Shape({
  ...Account.properties,
  ...inFlight,
  ...foreseen,
  ...warned(
    "What is odd about the limits in the request, though they were stored",
    limitsWarning({ dailyLimit: 30, hourlyLimit: 50 }) ?? "",
  ),
});

export const AccountList = Shape({
  data: Type.Array(Account, { description: "The accounts, oldest first" }),
  ...filtered,
});

/** The whole list unless a part of it is asked for. */
export const AccountQuery = Shape({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "Accounts to return; without it, all" }),
  ),
  offset: PageQuery.properties.offset,
  after: CursorQuery.properties.after,
  ...taggedQuery(ACCOUNT_LIST),
});

export const AccountCreate = withDefaults(
  Shape({
    email,
    provider,
    ...written,
    ramp: Type.Optional(
      Nullable(
        Described(Shape({ ...ramp, from: Type.Optional(ramp.from) }), Ramp.description ?? ""),
      ),
    ),
    oauth: Type.Optional(Nullable(Oauth)),
  }),
  ACCOUNT_DEFAULTS,
);

/** Address and provider are taken as they were read, and refused when they differ. */
export const AccountPatch = Shape({
  email: Type.Optional(email),
  provider: Type.Optional(provider),
  ...written,
  status: Type.Optional(
    OneOf(ACCOUNT_STATUSES, {
      description: "`paused` and `disabled` stop sending; `active` resumes it",
    }),
  ),
});
export type AccountPatch = Static<typeof AccountPatch>;
