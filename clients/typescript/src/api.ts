// Made by .ci/client.ts from the API's own document. Not to be changed by hand.

/** The body of every error response */
export type ErrorBody = {
  /** What kind of refusal it is; stable, unlike the message */
  type: "invalid_request" | "authentication_error" | "plan_limit" | "permission_error" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_error" | "rate_limit_exceeded" | "internal_error" | "upstream_error" | "unavailable";
  /** What was wrong and what would be right, for people */
  message: string;
  /** Dotted path of the field in the body or the query; null when no single field is at fault */
  field: string | null;
  /** The response's HTTP status */
  status: number;
};

export type Account = {
  /** The account's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Address of the mailbox */
  email: string;
  /** Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment */
  provider: "google" | "microsoft" | "smtp" | "sandbox";
  /** Only an active account sends; `error` ends once the connection works again */
  status: "active" | "paused" | "error" | "disabled";
  /** Why the account is not active; null when it is */
  status_reason: "manual" | "health" | "auth" | "smtp_errors" | null;
  /** Whether a connection test has passed; always true in the test environment */
  ready: boolean;
  /** Why the account is not ready; null when it is */
  not_ready_reason: "no_credentials" | "untested" | "failed" | null;
  /** Name in the From header of emails */
  display_name: string | null;
  /** Text or HTML that `{{ signature }}` in a step stands for */
  signature: string | null;
  /** IANA time zone whose days and hours the limits count */
  timezone: string;
  /** Emails per day */
  daily_limit: number;
  /** Emails per hour */
  hourly_limit: number;
  /** Shortest time between two emails, in seconds */
  min_gap_seconds: number;
  /** Longest time between two emails, in seconds; null to spread a day's emails over its sending hours */
  max_gap_seconds: number | null;
  /** Raises the daily limit step by step while the mailbox is new; null to allow it from the first day */
  ramp: {
    /** Emails on the first day */
    start: number;
    /** Emails to add on each following day */
    increment: number;
    /** First day, in the account's time zone; without one, today */
    from: string;
  } | null;
  /** Server to send through; preset for google and microsoft. Null when none is set */
  smtp: {
    /** Host name or IP address */
    host: string;
    /** Port; without one, the usual port for `security` */
    port: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security: "starttls" | "tls" | "none";
    /** Name to log in with; without one, the account's address. Empty for a relay without a login */
    username: string;
  } | null;
  /** Server to read from; preset for google and microsoft. Null when none is set */
  imap: {
    /** Host name or IP address */
    host: string;
    /** Port; without one, the usual port for `security` */
    port: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security: "starttls" | "tls" | "none";
    /** Name to log in with; without one, the account's address. Empty for a relay without a login */
    username: string;
    /** Store a copy of each sent email in the Sent folder; off for google and microsoft, which do so themselves */
    save_sent: boolean;
  } | null;
  /** Whether an SMTP password is stored */
  has_smtp_password: boolean;
  /** Whether an IMAP password is stored */
  has_imap_password: boolean;
  /** Whether the mailbox logs in with OAuth 2.0 */
  has_oauth: boolean;
  /** Whether an OAuth client is stored that still needs its owner's consent */
  has_oauth_client: boolean;
  /** Page on which the mailbox's owner renews an OAuth consent that has ended; null otherwise */
  reconnect_url: string | null;
  /** How the mailbox's emails of the last days were received; 100 is best */
  health_score: number;
  /** SMTP errors since the last email that was sent */
  consecutive_smtp_errors: number;
  /** What went wrong last; null when nothing did */
  last_error: string | null;
  /** When sending resumes after the server asked to slow down; null otherwise */
  backoff_until: string | null;
  /** Since when it is unknown what the mailbox sent, after a restore; null otherwise. It sends again once its Sent folder has been read; set `disabled` for a mailbox that can no longer be read */
  unconfirmed_since: string | null;
  /** Recipient providers that refuse this mailbox as a sender. Their leads stay pending; testing the mailbox tries them again right away */
  refused_by: Array<{
    /** Provider that refuses, or a domain with servers of its own; `*` for all such domains */
    provider: string;
    /** Refusals in a row */
    refusals: number;
    /** When the first of them came */
    since: string;
    /** When one email is tried again; null while a single refusal stops nothing */
    until: string | null;
    /** What the server said */
    said: string;
    /** What to do about it */
    remedy: string;
    /** Page on which the provider explains its refusals */
    page: string | null;
  }>;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type AccountActivity = {
  /** The account's id */
  account_id: string;
  /** The hours, oldest first; the last one is under way */
  hours: Array<{
    /** When the hour began */
    from: string;
    /** Emails sent */
    sent: number;
    /** Emails that a server deferred; they are tried again */
    deferred: number;
    /** Emails that were refused or given up */
    failed: number;
    /** Emails that bounced */
    bounced: number;
    /** Errors of the mailbox itself, for example a failed login */
    errors: number;
  }>;
};

export type AccountActivityList = {
  /** All accounts, oldest first */
  data: Array<AccountActivity>;
};

export type AccountCreate = {
  /** Address of the mailbox */
  email: string;
  /** Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment */
  provider: "google" | "microsoft" | "smtp" | "sandbox";
  /** Name in the From header of emails */
  display_name?: string | null;
  /** Text or HTML that `{{ signature }}` in a step stands for */
  signature?: string | null;
  /** IANA time zone whose days and hours the limits count */
  timezone?: string;
  /** Emails per day */
  daily_limit?: number;
  /** Emails per hour */
  hourly_limit?: number;
  /** Shortest time between two emails, in seconds */
  min_gap_seconds?: number;
  /** Longest time between two emails, in seconds; null to spread a day's emails over its sending hours */
  max_gap_seconds?: number | null;
  /** Raises the daily limit step by step while the mailbox is new; null to allow it from the first day */
  ramp?: {
    /** Emails on the first day */
    start: number;
    /** Emails to add on each following day */
    increment: number;
    /** First day, in the account's time zone; without one, today */
    from?: string;
  } | null;
  /** Server to send through; google and microsoft need none */
  smtp?: {
    /** Host name or IP address */
    host?: string;
    /** Port; without one, the usual port for `security` */
    port?: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security?: "starttls" | "tls" | "none";
    /** Name to log in with; without one, the account's address. Empty for a relay without a login */
    username?: string;
    /** Password or app password; write-only */
    password?: string | null;
  } | null;
  /** Server to read from; google and microsoft need none */
  imap?: {
    /** Host name or IP address */
    host?: string;
    /** Port; without one, the usual port for `security` */
    port?: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security?: "starttls" | "tls" | "none";
    /** Name to log in with; without one, the account's address. Empty for a relay without a login */
    username?: string;
    /** Store a copy of each sent email in the Sent folder; off for google and microsoft, which do so themselves */
    save_sent?: boolean;
    /** Password or app password; write-only. Without one, the SMTP password */
    password?: string | null;
  } | null;
  /** OAuth 2.0 credentials, used for SMTP and IMAP in place of passwords; write-only */
  oauth?: {
    /** Client id registered with the provider */
    client_id: string;
    /** Secret of the client */
    client_secret: string;
    /** Token of the mailbox's owner; `POST /accounts/{id}/connect` obtains one */
    refresh_token?: string;
  } | null;
};

export type AccountDetail = {
  /** The account's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Address of the mailbox */
  email: string;
  /** Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment */
  provider: "google" | "microsoft" | "smtp" | "sandbox";
  /** Only an active account sends; `error` ends once the connection works again */
  status: "active" | "paused" | "error" | "disabled";
  /** Why the account is not active; null when it is */
  status_reason: "manual" | "health" | "auth" | "smtp_errors" | null;
  /** Whether a connection test has passed; always true in the test environment */
  ready: boolean;
  /** Why the account is not ready; null when it is */
  not_ready_reason: "no_credentials" | "untested" | "failed" | null;
  /** Name in the From header of emails */
  display_name: string | null;
  /** Text or HTML that `{{ signature }}` in a step stands for */
  signature: string | null;
  /** IANA time zone whose days and hours the limits count */
  timezone: string;
  /** Emails per day */
  daily_limit: number;
  /** Emails per hour */
  hourly_limit: number;
  /** Shortest time between two emails, in seconds */
  min_gap_seconds: number;
  /** Longest time between two emails, in seconds; null to spread a day's emails over its sending hours */
  max_gap_seconds: number | null;
  /** Raises the daily limit step by step while the mailbox is new; null to allow it from the first day */
  ramp: {
    /** Emails on the first day */
    start: number;
    /** Emails to add on each following day */
    increment: number;
    /** First day, in the account's time zone; without one, today */
    from: string;
  } | null;
  /** Server to send through; preset for google and microsoft. Null when none is set */
  smtp: {
    /** Host name or IP address */
    host: string;
    /** Port; without one, the usual port for `security` */
    port: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security: "starttls" | "tls" | "none";
    /** Name to log in with; without one, the account's address. Empty for a relay without a login */
    username: string;
  } | null;
  /** Server to read from; preset for google and microsoft. Null when none is set */
  imap: {
    /** Host name or IP address */
    host: string;
    /** Port; without one, the usual port for `security` */
    port: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security: "starttls" | "tls" | "none";
    /** Name to log in with; without one, the account's address. Empty for a relay without a login */
    username: string;
    /** Store a copy of each sent email in the Sent folder; off for google and microsoft, which do so themselves */
    save_sent: boolean;
  } | null;
  /** Whether an SMTP password is stored */
  has_smtp_password: boolean;
  /** Whether an IMAP password is stored */
  has_imap_password: boolean;
  /** Whether the mailbox logs in with OAuth 2.0 */
  has_oauth: boolean;
  /** Whether an OAuth client is stored that still needs its owner's consent */
  has_oauth_client: boolean;
  /** Page on which the mailbox's owner renews an OAuth consent that has ended; null otherwise */
  reconnect_url: string | null;
  /** How the mailbox's emails of the last days were received; 100 is best */
  health_score: number;
  /** SMTP errors since the last email that was sent */
  consecutive_smtp_errors: number;
  /** What went wrong last; null when nothing did */
  last_error: string | null;
  /** When sending resumes after the server asked to slow down; null otherwise */
  backoff_until: string | null;
  /** Since when it is unknown what the mailbox sent, after a restore; null otherwise. It sends again once its Sent folder has been read; set `disabled` for a mailbox that can no longer be read */
  unconfirmed_since: string | null;
  /** Recipient providers that refuse this mailbox as a sender. Their leads stay pending; testing the mailbox tries them again right away */
  refused_by: Array<{
    /** Provider that refuses, or a domain with servers of its own; `*` for all such domains */
    provider: string;
    /** Refusals in a row */
    refusals: number;
    /** When the first of them came */
    since: string;
    /** When one email is tried again; null while a single refusal stops nothing */
    until: string | null;
    /** What the server said */
    said: string;
    /** What to do about it */
    remedy: string;
    /** Page on which the provider explains its refusals */
    page: string | null;
  }>;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop */
  in_flight?: number;
};

export type AccountDkim = {
  /** Domain that signs */
  domain: string;
  /** Name of the key in DNS */
  selector: string;
  /** Whether emails are signed; they are once the record has been found in DNS */
  active: boolean;
  /** Since when emails are signed; null while they are not */
  active_since: string | null;
  /** Record to publish in the domain's DNS */
  record: {
    /** Full name of the record, without a dot at the end */
    name: string;
    /** Type of the record */
    type: "TXT" | "MX";
    /** Value of the record */
    value: string;
  };
  /** When the record was created */
  created_at: string;
};

export type AccountDns = {
  /** The account's domain */
  domain: string;
  /** Whether no check found a fault */
  ok: boolean;
  /** The checks, with what to publish */
  checks: Array<{
    /** What was checked */
    check: "mx" | "spf" | "dkim" | "dmarc" | "sending_host" | "tracking_host";
    /** `fault`: servers refuse emails or file them as spam for it; `unknown`: DNS gave no response */
    verdict: "ok" | "warning" | "fault" | "unknown";
    /** What was found */
    message: string;
    /** How to fix it; null when nothing is wrong */
    remedy: string | null;
    /** Records found in DNS */
    found: Array<string>;
    /** Records to publish */
    publish: Array<{
      /** Full name of the record, without a dot at the end */
      name: string;
      /** Type of the record */
      type: "TXT" | "MX";
      /** Value of the record */
      value: string;
    }>;
    /** Page on which the rules of receiving servers are explained */
    rules: string;
  }>;
  /** DNS lookups that the SPF record needs; receivers allow 10. Null without a record */
  spf_lookups: number | null;
  /** Lookups that find nothing; receivers allow 2. Null without an SPF record */
  spf_void_lookups: number | null;
  /** DKIM selectors with a valid key */
  dkim_selectors: Array<string>;
  /** What the DMARC record asks receivers to do; null without a record */
  dmarc_policy: "none" | "quarantine" | "reject" | null;
};

export type AccountHealth = {
  /** The account's id */
  account_id: string;
  /** Health score; 100 is best */
  score: number;
  /** Score that the thresholds apply to: on trial, that of the emails sent since; otherwise `score` */
  judged_score: number;
  /** Days that the score is calculated from */
  window: {
    /** First day, in the account's time zone */
    from: string;
    /** Last day, in the account's time zone */
    to: string;
    /** Emails sent */
    sends: number;
    /** Emails that bounced for good */
    hard_bounces: number;
    /** Emails that were reported as spam */
    complaints: number;
  };
  /** Factor applied to the points, below 1 until 20 emails were sent */
  weight: number;
  /** What the score is made of */
  parts: Array<{
    /** What was measured */
    name: "hard_bounces" | "complaints" | "smtp_errors" | "placement";
    /** Points deducted from 100, weighted */
    points: number;
    /** Most points that it can deduct */
    most: number;
    /** Measured rate or count; null when nothing was measured */
    value: number | null;
    /** The same in words, for people */
    message: string;
  }>;
  /** The account's status */
  status: "active" | "paused" | "error" | "disabled";
  /** Why the account is not active; null when it is */
  status_reason: "manual" | "health" | "auth" | "smtp_errors" | null;
  /** When a pause for poor health ends; null otherwise */
  paused_until: string | null;
  /** First day after a pause for poor health, since when limits are halved; null otherwise */
  on_trial_since: string | null;
  /** Whether limits are halved for poor health */
  halved: boolean;
  /** Whether the account may write to new leads; follow-ups go on either way */
  starts_new_leads: boolean;
  /** What a low score causes */
  thresholds: Array<{
    /** Score below which it applies */
    below: number;
    /** What happens below it */
    effect: "halves_caps" | "starts_no_new_leads" | "pauses";
    /** Whether it applies now */
    in_force: boolean;
  }>;
  /** Emails allowed per day now, after ramp and health */
  daily_cap: number;
  /** Emails allowed per hour now, after health */
  hourly_cap: number;
  /** Score by day, oldest first */
  days: Array<{
    /** Local day */
    date: string;
    /** Score at the end of the day, or now for today */
    score: number;
    /** Emails sent */
    sends: number;
    /** Emails that bounced for good */
    hard_bounces: number;
    /** Emails that were reported as spam */
    complaints: number;
    /** Points deducted from 100 */
    points: {
      /** Points for bounces */
      hard_bounces: number;
      /** Points for complaints */
      complaints: number;
      /** Points for SMTP errors */
      smtp_errors: number;
      /** Points for placement tests that missed the inbox */
      placement: number;
    };
  }>;
};

export type AccountList = {
  /** The accounts, oldest first */
  data: Array<Account>;
};

export type AccountPatch = {
  /** Address of the mailbox */
  email?: string;
  /** Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment */
  provider?: "google" | "microsoft" | "smtp" | "sandbox";
  /** Name in the From header of emails */
  display_name?: string | null;
  /** Text or HTML that `{{ signature }}` in a step stands for */
  signature?: string | null;
  /** IANA time zone whose days and hours the limits count */
  timezone?: string;
  /** Emails per day */
  daily_limit?: number;
  /** Emails per hour */
  hourly_limit?: number;
  /** Shortest time between two emails, in seconds */
  min_gap_seconds?: number;
  /** Longest time between two emails, in seconds; null to spread a day's emails over its sending hours */
  max_gap_seconds?: number | null;
  /** Raises the daily limit step by step while the mailbox is new; null to allow it from the first day */
  ramp?: {
    /** Emails on the first day */
    start?: number;
    /** Emails to add on each following day */
    increment?: number;
    /** First day, in the account's time zone; without one, today */
    from?: string;
  } | null;
  /** Server to send through; google and microsoft need none */
  smtp?: {
    /** Host name or IP address */
    host?: string;
    /** Port; without one, the usual port for `security` */
    port?: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security?: "starttls" | "tls" | "none";
    /** Name to log in with; without one, the account's address. Empty for a relay without a login */
    username?: string;
    /** Password or app password; write-only */
    password?: string | null;
  } | null;
  /** Server to read from; google and microsoft need none */
  imap?: {
    /** Host name or IP address */
    host?: string;
    /** Port; without one, the usual port for `security` */
    port?: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security?: "starttls" | "tls" | "none";
    /** Name to log in with; without one, the account's address. Empty for a relay without a login */
    username?: string;
    /** Store a copy of each sent email in the Sent folder; off for google and microsoft, which do so themselves */
    save_sent?: boolean;
    /** Password or app password; write-only. Without one, the SMTP password */
    password?: string | null;
  } | null;
  /** OAuth 2.0 credentials, used for SMTP and IMAP in place of passwords; write-only */
  oauth?: {
    /** Client id registered with the provider */
    client_id?: string;
    /** Secret of the client */
    client_secret?: string;
    /** Token of the mailbox's owner; `POST /accounts/{id}/connect` obtains one */
    refresh_token?: string;
  } | null;
  /** `paused` and `disabled` stop sending; `active` resumes it */
  status?: "active" | "paused" | "error" | "disabled";
};

export type AccountUsage = {
  /** The account's id */
  account_id: string;
  /** IANA time zone whose days and hours the limits count */
  timezone: string;
  /** Today */
  day: {
    /** Local day */
    date: string;
    /** When it began */
    from: string;
    /** When it ends */
    to: string;
    /** Limit as set on the account */
    limit: number;
    /** Limit that applies, after ramp and health */
    cap: number;
    /** Emails sent */
    used: number;
    /** Emails remaining */
    left: number;
  };
  /** The current hour */
  hour: {
    /** Local hour in `timezone` */
    hour: string;
    /** When it began */
    from: string;
    /** When it ends */
    to: string;
    /** Limit as set on the account */
    limit: number;
    /** Limit that applies, after ramp and health */
    cap: number;
    /** Emails sent */
    used: number;
    /** Emails remaining */
    left: number;
  };
  /** Hours of today in which emails were sent */
  hours: Array<{
    /** Local hour in `timezone` */
    hour: string;
    /** Emails sent */
    used: number;
  }>;
  /** Raises the daily limit step by step; null without one */
  ramp: {
    /** Emails on the first day */
    start: number;
    /** Emails added on each following day */
    increment: number;
    /** First day */
    from: string;
    /** Emails allowed today */
    today: number;
  } | null;
  /** Whether limits are halved for poor health */
  halved: boolean;
  /** When sending resumes after the server asked to slow down; null otherwise */
  backoff_until: string | null;
  /** When limits next allow an email: now while some remain; null when a limit is 0 */
  free_at: string | null;
};

export type AttachInboxThreadRequest = {
  /** The lead's way through a campaign to which it belongs */
  enrollment_id: string;
};

export type Audit = {
  /** Rises with time */
  seq: number;
  /** `user:<id>`, `key:<id>`, `engine` for what was done by itself, `operator` on the command line */
  actor: string;
  /** What the person or the key is called now; null for the others */
  actor_name: string | null;
  /** `<noun>.<verb>`, for example `campaign.pause` */
  action: string;
  /** `<noun>:<id>` */
  target: string;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** The X-Request-Id of the request that did it */
  request_id: string | null;
  /** Fields as the API names them; of a change only those that differ */
  before: Record<string, unknown> | null;
  /** Fields as the API names them; of a change only those that differ */
  after: Record<string, unknown> | null;
};

export type AuditList = {
  /** The records of this page */
  data: Array<Audit>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor: string | null;
};

export type Backup = {
  id: string;
  /** Its file in the backup directory */
  name: string;
  bytes: number;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** Opens with a passphrase only */
  sealed: boolean;
  reason: "manual" | "schedule" | "before_restore" | "before_migration" | "upload" | null;
  /** The program that wrote it */
  version: string | null;
  schema_version: number | null;
  has_master_key: boolean | null;
  /** ISO 8601, UTC, milliseconds */
  verified_at: string | null;
  /** Sums in it that differ from what they sum up */
  warnings: Array<string>;
};

export type BackupList = {
  /** The records of this page */
  data: Array<Backup>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type BackupSchedule = {
  /** Null: only when somebody asks for one */
  every_seconds: number | null;
  /** Of those made by schedule */
  kept: number;
  directory: string;
  /** They open with a passphrase only, and hold the master key */
  sealed: boolean;
  /** ISO 8601, UTC, milliseconds */
  next_at: string | null;
};

export type BackupTask = {
  /** The last work on backups; one at a time */
  task: {
    work: "backup" | "verify" | "restore";
    status: "running" | "done" | "failed";
    backup_id: string | null;
    /** ISO 8601, UTC, milliseconds */
    started_at: string;
    /** ISO 8601, UTC, milliseconds */
    ended_at: string | null;
    error: string | null;
  } | null;
};

export type BackupsResult = {
  work: "backup" | "verify" | "restore";
  status: "running" | "done" | "failed";
  backup_id: string | null;
  /** ISO 8601, UTC, milliseconds */
  started_at: string;
  /** ISO 8601, UTC, milliseconds */
  ended_at: string | null;
  error: string | null;
};

export type BillingSubscription = {
  /** Whose limits hold now */
  plan: "community" | "starter" | "pro" | "scale";
  /** grace: it has run out, and goes on for 14 days; none: nothing was subscribed to */
  status: "none" | "active" | "grace" | "expired";
  source: "local" | "licence" | "stripe" | null;
  /** ISO 8601, UTC, milliseconds */
  started_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  ends_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  grace_until: string | null;
  /** Whose mails are counted, UTC */
  month: string;
  /** mails and placement_runs are the month's, the others what there is now */
  usage: {
    accounts: {
      used: number;
      /** null: no limit */
      limit: number | null;
    };
    leads: {
      used: number;
      /** null: no limit */
      limit: number | null;
    };
    active_campaigns: {
      used: number;
      /** null: no limit */
      limit: number | null;
    };
    mails: {
      used: number;
      /** null: no limit */
      limit: number | null;
    };
    running_experiments: {
      used: number;
      /** null: no limit */
      limit: number | null;
    };
    placement_runs: {
      used: number;
      /** null: no limit */
      limit: number | null;
    };
    webhooks: {
      used: number;
      /** null: no limit */
      limit: number | null;
    };
    keys: {
      used: number;
      /** null: no limit */
      limit: number | null;
    };
    members: {
      used: number;
      /** null: no limit */
      limit: number | null;
    };
  };
};

export type Campaign = {
  /** The campaign's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** A draft is started once; an active campaign sends; a completed one has nothing left to send */
  status: "draft" | "active" | "paused" | "completed" | "archived";
  /** Why the campaign is paused; null otherwise */
  status_reason: "manual" | "bounce_rate" | "complaint_rate" | "plan_limit" | null;
  /** Name, shown to your team only */
  name: string;
  /** Notes for your team, never part of an email; null for none */
  notes: string | null;
  /** A reply ends the lead's sequence */
  stop_on_reply: boolean;
  /** An auto-reply ends the lead's sequence, too; otherwise it only pauses it */
  stop_on_auto_reply: boolean;
  /** New leads to start per local day of the campaign; follow-ups do not count */
  max_leads_per_day: number;
  /** Emails per local day, follow-ups included; null for no limit */
  daily_limit: number | null;
  /** What goes first when a mailbox cannot send everything that is due */
  priority: "follow_ups" | "new_leads";
  /** Emails per local day to addresses of one domain; null for no limit */
  max_per_domain_per_day: number | null;
  /** A reply ends the sequences of all leads at the same company domain */
  stop_company_on_reply: boolean;
  /** Resume the campaign when leads are added after it has completed */
  evergreen: boolean;
  /** Accounts to send from; empty for all of the team's accounts */
  account_ids: Array<string>;
  /** Hours of the week in which emails may be sent */
  send_window: {
    /** IANA time zone in which the hours are read; a lead's own time zone takes precedence */
    timezone: string;
    /** Weekdays on which emails may be sent */
    days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">;
    /** Local hour at which sending starts */
    start_hour: number;
    /** Local hour before which sending stops; 24 is midnight. Later than `start_hour` */
    end_hour: number;
  };
  /** What to track in sent emails; nothing by default */
  tracking: {
    /** Track opens with an invisible image in the HTML part */
    opens: boolean;
    /** Track clicks by leading links through this installation's `public_url` */
    clicks: boolean;
  };
  /** Leads that need a person before they go on, by reason. A campaign does not complete while it has any */
  on_hold: {
    /** Leads on hold, for any reason */
    total: number;
    /** The next email uses a variable that the lead has no value for */
    missing_variable: number;
    /** An email is unconfirmed: it may or may not have been delivered */
    unknown_send: number;
    /** The next step is a task that is not done */
    task: number;
    /** The account that was writing to the lead was deleted */
    account_gone: number;
    /** The next email could not be planned; resume the lead to try again */
    planning_failed: number;
  };
  /** When the campaign was first started; null for a draft */
  started_at: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type CampaignCreate = {
  /** Name, shown to your team only */
  name: string;
  /** Notes for your team, never part of an email; null for none */
  notes?: string | null;
  /** A reply ends the lead's sequence */
  stop_on_reply?: boolean;
  /** An auto-reply ends the lead's sequence, too; otherwise it only pauses it */
  stop_on_auto_reply?: boolean;
  /** New leads to start per local day of the campaign; follow-ups do not count */
  max_leads_per_day?: number;
  /** Emails per local day, follow-ups included; null for no limit */
  daily_limit?: number | null;
  /** What goes first when a mailbox cannot send everything that is due */
  priority?: "follow_ups" | "new_leads";
  /** Emails per local day to addresses of one domain; null for no limit */
  max_per_domain_per_day?: number | null;
  /** A reply ends the sequences of all leads at the same company domain */
  stop_company_on_reply?: boolean;
  /** Resume the campaign when leads are added after it has completed */
  evergreen?: boolean;
  /** Accounts to send from; empty for all of the team's accounts */
  account_ids?: Array<string>;
  /** Hours of the week in which emails may be sent */
  send_window?: {
    /** IANA time zone in which the hours are read; a lead's own time zone takes precedence */
    timezone?: string;
    /** Weekdays on which emails may be sent */
    days?: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">;
    /** Local hour at which sending starts */
    start_hour?: number;
    /** Local hour before which sending stops; 24 is midnight. Later than `start_hour` */
    end_hour?: number;
  };
  /** What to track in sent emails; nothing by default */
  tracking?: {
    /** Track opens with an invisible image in the HTML part */
    opens?: boolean;
    /** Track clicks by leading links through this installation's `public_url` */
    clicks?: boolean;
  };
};

export type CampaignDetail = {
  /** The campaign's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** A draft is started once; an active campaign sends; a completed one has nothing left to send */
  status: "draft" | "active" | "paused" | "completed" | "archived";
  /** Why the campaign is paused; null otherwise */
  status_reason: "manual" | "bounce_rate" | "complaint_rate" | "plan_limit" | null;
  /** Name, shown to your team only */
  name: string;
  /** Notes for your team, never part of an email; null for none */
  notes: string | null;
  /** A reply ends the lead's sequence */
  stop_on_reply: boolean;
  /** An auto-reply ends the lead's sequence, too; otherwise it only pauses it */
  stop_on_auto_reply: boolean;
  /** New leads to start per local day of the campaign; follow-ups do not count */
  max_leads_per_day: number;
  /** Emails per local day, follow-ups included; null for no limit */
  daily_limit: number | null;
  /** What goes first when a mailbox cannot send everything that is due */
  priority: "follow_ups" | "new_leads";
  /** Emails per local day to addresses of one domain; null for no limit */
  max_per_domain_per_day: number | null;
  /** A reply ends the sequences of all leads at the same company domain */
  stop_company_on_reply: boolean;
  /** Resume the campaign when leads are added after it has completed */
  evergreen: boolean;
  /** Accounts to send from; empty for all of the team's accounts */
  account_ids: Array<string>;
  /** Hours of the week in which emails may be sent */
  send_window: {
    /** IANA time zone in which the hours are read; a lead's own time zone takes precedence */
    timezone: string;
    /** Weekdays on which emails may be sent */
    days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">;
    /** Local hour at which sending starts */
    start_hour: number;
    /** Local hour before which sending stops; 24 is midnight. Later than `start_hour` */
    end_hour: number;
  };
  /** What to track in sent emails; nothing by default */
  tracking: {
    /** Track opens with an invisible image in the HTML part */
    opens: boolean;
    /** Track clicks by leading links through this installation's `public_url` */
    clicks: boolean;
  };
  /** Leads that need a person before they go on, by reason. A campaign does not complete while it has any */
  on_hold: {
    /** Leads on hold, for any reason */
    total: number;
    /** The next email uses a variable that the lead has no value for */
    missing_variable: number;
    /** An email is unconfirmed: it may or may not have been delivered */
    unknown_send: number;
    /** The next step is a task that is not done */
    task: number;
    /** The account that was writing to the lead was deleted */
    account_gone: number;
    /** The next email could not be planned; resume the lead to try again */
    planning_failed: number;
  };
  /** When the campaign was first started; null for a draft */
  started_at: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** Whether the campaign is sending now, or what it is waiting for */
  sending_status: "sending" | "outside_window" | "new_lead_cap" | "campaign_limit" | "domain_cap" | "account_caps" | "account_health" | "sender_refused" | "waiting_for_step_delay" | "no_active_account" | "nothing_due" | "paused" | "draft";
  /** When the next email is due; null when none is planned */
  next_send_at: string | null;
};

export type CampaignForecast = {
  /** The campaign's id */
  campaign_id: string;
  /** Start of the forecast */
  from: string;
  /** End of the forecast */
  to: string;
  /** Emails that will be sent */
  total: number;
  /** When the next email is sent; null when none is */
  next_send_at: string | null;
  /** Emails by day */
  days: Array<{
    /** Local date of the campaign */
    date: string;
    /** First emails */
    new_leads: number;
    /** Emails of later steps */
    follow_ups: number;
  }>;
  /** Emails by account, the busiest first */
  accounts: Array<{
    /** The account's id */
    account_id: string;
    /** Emails on each of the days */
    sends: Array<number>;
  }>;
  /** The emails in order, the first 1000 at most */
  sends: Array<{
    /** When the email is sent */
    at: string;
    /** Lead that gets it */
    lead_id: string;
    /** Id of the campaign lead */
    enrollment_id: string;
    /** Account that sends it */
    account_id: string;
    /** Step that is sent */
    step_id: string;
    /** Position of the step, from 1 */
    step_position: number;
  }>;
};

export type CampaignLaunchCheck = {
  /** Whether the campaign can be started */
  ready: boolean;
  /** What a start would be refused for */
  problems: Array<{
    /** Field at fault */
    field: string;
    /** What is wrong and how to fix it */
    message: string;
  }>;
  /** What does not prevent a start but needs attention */
  warnings: Array<{
    /** What the warning is about */
    code: "no_public_url" | "not_tracked" | "no_postal_address" | "accounts_not_ready" | "sender_refused" | "no_leads" | "variant_on_hold" | "content";
    /** What to look at, for people */
    message: string;
  }>;
  /** Leads, of those scanned, that would be put on hold for a missing variable */
  held_leads: number;
  /** Leads that were checked: the first 10,000 at most */
  scanned: number;
};

export type CampaignLead = {
  /** Id of the campaign lead, also called enrollment: this lead in this campaign */
  id: string;
  /** The campaign's id */
  campaign_id: string;
  /** The lead's id */
  lead_id: string;
  /** The lead's address */
  email: string;
  /** `pending` until the first email is sent. You can set `active`, `paused`, `completed` and `unsubscribed` */
  status: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
  /** Interest, as classified or set by hand; null when unknown */
  interest: "interested" | "not_interested" | "neutral" | "meeting" | null;
  /** When the next step is due; null when nothing is planned. From 1970 to 9999 */
  next_attempt_at: string | null;
  /** Position of the last step that was sent or done; 0 at first */
  current_step: number;
  /** Account that writes to the lead; null before the first email */
  account_id: string | null;
  /** Why the lead is on hold; null when it is not */
  hold_reason: "missing_variable" | "unknown_send" | "task" | "account_gone" | "planning_failed" | null;
  /** More about the hold, for example the missing variables; null without one */
  hold_detail: string | null;
  /** Why the sequence ended; null while it has not */
  stop_reason: string | null;
  /** Attempts to send the current step */
  attempts: number;
  /** When the last email was sent; null before the first */
  last_sent_at: string | null;
  /** When the lead was added to the campaign */
  enrolled_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type CampaignLeadDetail = {
  /** Id of the campaign lead, also called enrollment: this lead in this campaign */
  id: string;
  /** The campaign's id */
  campaign_id: string;
  /** The lead's id */
  lead_id: string;
  /** The lead's address */
  email: string;
  /** `pending` until the first email is sent. You can set `active`, `paused`, `completed` and `unsubscribed` */
  status: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
  /** Interest, as classified or set by hand; null when unknown */
  interest: "interested" | "not_interested" | "neutral" | "meeting" | null;
  /** When the next step is due; null when nothing is planned. From 1970 to 9999 */
  next_attempt_at: string | null;
  /** Position of the last step that was sent or done; 0 at first */
  current_step: number;
  /** Account that writes to the lead; null before the first email */
  account_id: string | null;
  /** Why the lead is on hold; null when it is not */
  hold_reason: "missing_variable" | "unknown_send" | "task" | "account_gone" | "planning_failed" | null;
  /** More about the hold, for example the missing variables; null without one */
  hold_detail: string | null;
  /** Why the sequence ended; null while it has not */
  stop_reason: string | null;
  /** Attempts to send the current step */
  attempts: number;
  /** When the last email was sent; null before the first */
  last_sent_at: string | null;
  /** When the lead was added to the campaign */
  enrolled_at: string;
  /** When the record last changed */
  updated_at: string;
  /** Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop */
  in_flight?: number;
  /** Why these leads get no email: their campaign is completed and not evergreen. Absent otherwise */
  warning?: string;
};

export type CampaignLeadExplain = {
  /** Id of the campaign lead */
  enrollment_id: string;
  /** What the lead is waiting for, or why it gets no more email */
  reason: "sending" | "outside_window" | "new_lead_cap" | "campaign_limit" | "domain_cap" | "account_caps" | "account_health" | "sender_refused" | "waiting_for_step_delay" | "no_active_account" | "nothing_due" | "paused" | "draft" | "ended" | "held" | "paused_lead" | "in_queue" | "sending_now";
  /** The same in words, for people */
  message: string;
  /** When the next email is sent; null when nothing is planned */
  next_send_at: string | null;
  /** Whether `next_send_at` is an estimate, because it is too far ahead to plan exactly */
  estimated: boolean;
  /** New leads of the campaign that come before this one; null for a follow-up. Counted up to 100,000: there may then be more, and next_send_at is the earliest date */
  ahead: number | null;
};

export type CampaignLeadList = {
  /** The records of this page */
  data: Array<CampaignLead>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor: string | null;
};

export type CampaignLeadPatch = {
  /** `pending` until the first email is sent. You can set `active`, `paused`, `completed` and `unsubscribed` */
  status?: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
  /** Interest, as classified or set by hand; null when unknown */
  interest?: "interested" | "not_interested" | "neutral" | "meeting" | null;
  /** When the next step is due; null when nothing is planned. From 1970 to 9999 */
  next_attempt_at?: string | null;
  /** Position of the last step that was sent or done; 0 at first */
  current_step?: number;
};

export type CampaignList = {
  /** The records of this page */
  data: Array<Campaign>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type CampaignPatch = {
  /** Name, shown to your team only */
  name?: string;
  /** Notes for your team, never part of an email; null for none */
  notes?: string | null;
  /** A reply ends the lead's sequence */
  stop_on_reply?: boolean;
  /** An auto-reply ends the lead's sequence, too; otherwise it only pauses it */
  stop_on_auto_reply?: boolean;
  /** New leads to start per local day of the campaign; follow-ups do not count */
  max_leads_per_day?: number;
  /** Emails per local day, follow-ups included; null for no limit */
  daily_limit?: number | null;
  /** What goes first when a mailbox cannot send everything that is due */
  priority?: "follow_ups" | "new_leads";
  /** Emails per local day to addresses of one domain; null for no limit */
  max_per_domain_per_day?: number | null;
  /** A reply ends the sequences of all leads at the same company domain */
  stop_company_on_reply?: boolean;
  /** Resume the campaign when leads are added after it has completed */
  evergreen?: boolean;
  /** Accounts to send from; empty for all of the team's accounts */
  account_ids?: Array<string>;
  /** Hours of the week in which emails may be sent */
  send_window?: {
    /** IANA time zone in which the hours are read; a lead's own time zone takes precedence */
    timezone?: string;
    /** Weekdays on which emails may be sent */
    days?: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">;
    /** Local hour at which sending starts */
    start_hour?: number;
    /** Local hour before which sending stops; 24 is midnight. Later than `start_hour` */
    end_hour?: number;
  };
  /** What to track in sent emails; nothing by default */
  tracking?: {
    /** Track opens with an invisible image in the HTML part */
    opens?: boolean;
    /** Track clicks by leading links through this installation's `public_url` */
    clicks?: boolean;
  };
  /** `active` starts or resumes the campaign, `paused` and `archived` stop it */
  status?: "draft" | "active" | "paused" | "completed" | "archived";
};

export type CampaignStats = {
  /** The campaign's id */
  campaign_id: string;
  /** Leads added */
  enrolled: number;
  /** Leads whose sequence has not ended */
  open: number;
  /** Emails sent */
  sent: number;
  /** Leads that replied */
  replied: number;
  /** Emails that bounced */
  bounced: number;
  /** Leads that opted out */
  unsubscribed: number;
  /** Leads that sent an auto-reply */
  auto_replied: number;
  /** Leads that went through all steps */
  completed: number;
  /** Leads that could not be written to */
  failed: number;
  /** Leads on hold */
  held: number;
  /** Leads that replied, of those written to, 0 to 1; null before the first email */
  reply_rate: number | null;
  /** Emails that bounced, of those sent, 0 to 1; null before the first email */
  bounce_rate: number | null;
  /** The same by step, in order */
  steps: Array<{
    /** The step's id */
    step_id: string;
    /** Position in the sequence, from 1 */
    position: number;
    /** Emails sent */
    sent: number;
    /** Leads that replied */
    replied: number;
    /** Emails that bounced */
    bounced: number;
    /** Leads that opted out */
    unsubscribed: number;
  }>;
};

export type CampaignStep = {
  /** The step's id */
  id: string;
  /** Campaign that the step belongs to */
  campaign_id: string;
  /** An email is sent; a task holds the sequence until a person has done it */
  type: "email" | "task";
  /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
  subject: string | null;
  /** Plain text or HTML, with Liquid and spintax; the other format is made from it */
  body: string | null;
  /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
  wait_days: number;
  /** Position in the sequence, from 1 */
  position: number;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type CampaignStepCreate = {
  /** An email is sent; a task holds the sequence until a person has done it */
  type: "email" | "task";
  /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
  subject?: string | null;
  /** Plain text or HTML, with Liquid and spintax; the other format is made from it */
  body?: string | null;
  /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
  wait_days?: number;
  /** Position in the sequence, from 1. Inserting or moving a step shifts the others; a new step without one goes to the end */
  position?: number;
};

export type CampaignStepList = {
  /** The steps, in the order in which they are sent */
  data: Array<CampaignStep>;
};

export type CampaignStepPatch = {
  /** An email is sent; a task holds the sequence until a person has done it */
  type?: "email" | "task";
  /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
  subject?: string | null;
  /** Plain text or HTML, with Liquid and spintax; the other format is made from it */
  body?: string | null;
  /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
  wait_days?: number;
  /** Position in the sequence, from 1. Inserting or moving a step shifts the others; a new step without one goes to the end */
  position?: number;
};

export type ChangeCampaignLeadsRequest = {
  /** What to do with the leads. `release` resumes leads on hold: those with a missing variable are tried again, and a task is skipped */
  action: "pause" | "resume" | "complete" | "remove" | "release" | "treat_as_sent" | "send_again";
  /** Ids of leads or of campaign leads; either these or `filter` */
  lead_ids?: Array<string>;
  /** Leads to change, as the list filters them; `{}` selects all */
  filter?: {
    /** Only leads with this status */
    status?: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
    /** Only leads on hold for this reason */
    hold_reason?: "missing_variable" | "unknown_send" | "task" | "account_gone" | "planning_failed";
    /** Only leads with this interest */
    interest?: "interested" | "not_interested" | "neutral" | "meeting";
    /** Only leads whose email was refused for good with this text from the mail server */
    response?: string;
  };
  /** Values for leads on hold for a missing variable, where they have none; goes with the action `release` */
  fill?: {
    /** First name */
    first_name?: string | null;
    /** Last name */
    last_name?: string | null;
    /** Company */
    company?: string | null;
    /** Company website */
    website?: string | null;
    /** Phone number, in any format */
    phone?: string | null;
    /** Values for templates, by name; merged into the existing ones, and null removes one */
    variables?: Record<string, string | number | boolean | null>;
  };
  /** `next_cursor` of the previous call, with the same filter */
  after?: string;
};

export type ChangeCampaignLeadsResult = {
  /** Leads that were changed */
  changed: number;
  /** Leads that the action does not apply to: their sequence has ended, they are not in the campaign, or they are on hold for another reason */
  skipped: number;
  /** Pass it as `after` to continue after 500 leads; null when all are done */
  next_cursor: string | null;
  /** Why these leads get no email: their campaign is completed and not evergreen. Absent otherwise */
  warning?: string;
};

export type CheckCampaignStepRequest = {
  /** Lead to render the step for; without one, a sample lead that has a value for every variable */
  lead_id?: string;
  /** Request the links to see whether they work */
  links?: boolean;
};

export type CheckCampaignStepResult = {
  /** The step's id */
  step_id: string;
  /** Position of the step, from 1 */
  position: number;
  /** True without problems, broken links and spam */
  ok: boolean;
  /** Variables that the lead has no value for; nothing is checked while there are any */
  missing: Array<string>;
  /** What a filter might object to in the text */
  findings: Array<{
    /** Rule that the text breaks */
    rule: "subject_missing" | "subject_long" | "subject_capitals" | "subject_punctuation" | "subject_false_reply" | "text_missing" | "text_to_html" | "html_large" | "capitals" | "phrases" | "links_many" | "link_shortener" | "link_plain_http" | "link_address" | "link_disguised" | "image_only" | "tracking_pixel" | "unsubscribe_missing" | "one_click_missing" | "address_missing";
    /** A problem makes the check fail; a warning and a note do not */
    severity: "problem" | "warning" | "note";
    /** What was found and what would be better */
    message: string;
  }>;
  /** Links that were requested, the first 20 at most */
  links: Array<{
    /** Address of the link */
    url: string;
    /** Whether the link works */
    ok: boolean;
    /** HTTP status; null without a response */
    status: number | null;
    /** Where a redirect leads; null otherwise */
    leads_to: string | null;
    /** Why the link does not work; null otherwise */
    error: string | null;
  }>;
  /** SpamAssassin's result; null when none is configured or values are missing */
  spamassassin: {
    /** Whether SpamAssassin could be asked */
    available: boolean;
    /** Why it could not be asked; null otherwise */
    reason: string | null;
    /** Points given to the email */
    score: number | null;
    /** Points from which an email counts as spam */
    required: number | null;
    /** Whether the email counts as spam */
    is_spam: boolean | null;
    /** Rules that matched */
    rules: Array<{
      /** Name of the rule */
      name: string;
      /** Points that it adds */
      points: number;
      /** What it looks for, in SpamAssassin's words */
      about: string;
    }>;
  } | null;
};

export type CompleteExperimentRequest = {
  /** The variant that wins; null or left out: whoever has won by now */
  winner_variant_id?: string | null;
};

export type ConnectAccountResult = {
  /** Page to open in a browser, signed in to the mailbox */
  url: string;
  /** When the link expires */
  expires_at: string;
};

export type CreateCampaignStepResult = {
  /** The step's id */
  id: string;
  /** Campaign that the step belongs to */
  campaign_id: string;
  /** An email is sent; a task holds the sequence until a person has done it */
  type: "email" | "task";
  /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
  subject: string | null;
  /** Plain text or HTML, with Liquid and spintax; the other format is made from it */
  body: string | null;
  /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
  wait_days: number;
  /** Position in the sequence, from 1 */
  position: number;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** What the change affects; after a dry run only */
  effects?: {
    /** Leads whose next step, or the wait before it, changes; counted up to 10000 */
    leads: number;
    /** The affected leads, grouped by what changes for them */
    groups: Array<{
      /** Leads in this group */
      leads: number;
      /** Step that they get next; null when their sequence ends */
      next: {
        /** Position in the sequence, from 1 */
        position: number;
        /** An email is sent; a task holds the sequence until a person has done it */
        type: "email" | "task";
        /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
        subject: string | null;
        /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
        wait_days: number;
      } | null;
      /** Step that they would get without the change; null when nothing would follow */
      instead_of: {
        /** Position in the sequence, from 1 */
        position: number;
        /** An email is sent; a task holds the sequence until a person has done it */
        type: "email" | "task";
        /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
        subject: string | null;
        /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
        wait_days: number;
      } | null;
    }>;
  };
};

export type CreateSuppressionResult = {
  /** The suppression's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** SHA-256 of the address in lower case, in hexadecimal */
  email_hash: string;
  /** The address or `@domain`; null after the lead was erased */
  email: string | null;
  /** Why it is never written to */
  reason: "import" | "manual" | "bounce" | "unsubscribe" | "complaint";
  /** When the record was created */
  created_at: string;
  /** Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop */
  in_flight?: number;
};

export type Event = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "email.sent" | "email.failed" | "email.deferred" | "email.bounced" | "email.opened" | "email.clicked" | "reply.received" | "reply.auto" | "reply.untracked" | "lead.enrolled" | "lead.status_changed" | "lead.interested" | "lead.unsubscribed" | "lead.completed" | "complaint.received" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "account.error" | "account.recovered" | "account.health_changed" | "experiment.variant_paused" | "experiment.completed" | "placement.completed" | "suppression.created" | "task.created" | "billing.limit_warning" | "billing.limit_reached" | "webhook.disabled" | "webhook.test";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  /** As the schema of its kind says, see `GET /event-types` */
  data: Record<string, unknown>;
};

export type EventList = {
  /** The records of this page */
  data: Array<Event>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor: string | null;
};

export type EventType = {
  type: "email.sent" | "email.failed" | "email.deferred" | "email.bounced" | "email.opened" | "email.clicked" | "reply.received" | "reply.auto" | "reply.untracked" | "lead.enrolled" | "lead.status_changed" | "lead.interested" | "lead.unsubscribed" | "lead.completed" | "complaint.received" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "account.error" | "account.recovered" | "account.health_changed" | "experiment.variant_paused" | "experiment.completed" | "placement.completed" | "suppression.created" | "task.created" | "billing.limit_warning" | "billing.limit_reached" | "webhook.disabled" | "webhook.test";
  description: string;
  /** Means all kinds of the family: `email.*` */
  family: string;
  /** JSON Schema of `data` */
  data_schema: Record<string, unknown>;
  example: Event;
};

export type EventTypeList = {
  data: Array<EventType>;
};

export type Experiment = {
  id: string;
  team_id: string;
  campaign_id: string;
  status: "running" | "paused" | "evaluating" | "completed" | "cancelled";
  name: string;
  /** Of bounce_rate less is better */
  primary_metric: "reply_rate" | "interested_rate" | "bounce_rate";
  /** fixed_split keeps the weights, thompson_sampling shifts leads to what is answered, auto_winner is a fixed split whose winner is written into the step */
  optimization_mode: "fixed_split" | "thompson_sampling" | "auto_winner";
  duration_days: number;
  /** Days after its mail in which a lead can become a success; 0: no end */
  attribution_window_days: number;
  /** A fixed split that is decided completes early */
  early_stopping: boolean;
  /** Of three or more, variants clearly behind get no leads */
  auto_drop: boolean;
  /** The step whose content varies; 1 where it is left out, even before it exists */
  step_position: number;
  /** ISO 8601, UTC, milliseconds */
  started_at: string;
  /** ISO 8601, UTC, milliseconds */
  ends_at: string;
  /** ISO 8601, UTC, milliseconds */
  completed_at: string | null;
  winner_variant_id: string | null;
  /** ISO 8601, UTC, milliseconds */
  winner_applied_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  updated_at: string;
};

export type ExperimentCreate = {
  /** What it is called */
  name: string;
  /** Of bounce_rate less is better */
  primary_metric?: "reply_rate" | "interested_rate" | "bounce_rate";
  /** fixed_split keeps the weights, thompson_sampling shifts leads to what is answered, auto_winner is a fixed split whose winner is written into the step */
  optimization_mode?: "fixed_split" | "thompson_sampling" | "auto_winner";
  /** Days that it takes leads */
  duration_days?: number;
  /** Days after its mail in which a lead can become a success; 0: no end */
  attribution_window_days?: number;
  /** A fixed split that is decided completes early */
  early_stopping?: boolean;
  /** Of three or more, variants clearly behind get no leads */
  auto_drop?: boolean;
  /** The step whose content varies; 1 where it is left out, even before it exists */
  step_position?: number;
  /** The campaign whose step varies */
  campaign_id: string;
  /** 2 to 10, with names of their own */
  variants: Array<{
    name: string;
    /** subject and body take the place of the step's; {} is the step as it is */
    config?: {
    };
    /** Shares are in proportion */
    weight?: number;
  }>;
};

export type ExperimentDetail = {
  id: string;
  team_id: string;
  campaign_id: string;
  status: "running" | "paused" | "evaluating" | "completed" | "cancelled";
  name: string;
  /** Of bounce_rate less is better */
  primary_metric: "reply_rate" | "interested_rate" | "bounce_rate";
  /** fixed_split keeps the weights, thompson_sampling shifts leads to what is answered, auto_winner is a fixed split whose winner is written into the step */
  optimization_mode: "fixed_split" | "thompson_sampling" | "auto_winner";
  duration_days: number;
  /** Days after its mail in which a lead can become a success; 0: no end */
  attribution_window_days: number;
  /** A fixed split that is decided completes early */
  early_stopping: boolean;
  /** Of three or more, variants clearly behind get no leads */
  auto_drop: boolean;
  /** The step whose content varies; 1 where it is left out, even before it exists */
  step_position: number;
  /** ISO 8601, UTC, milliseconds */
  started_at: string;
  /** ISO 8601, UTC, milliseconds */
  ends_at: string;
  /** ISO 8601, UTC, milliseconds */
  completed_at: string | null;
  winner_variant_id: string | null;
  /** ISO 8601, UTC, milliseconds */
  winner_applied_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  updated_at: string;
  variants: Array<{
    id: string;
    experiment_id: string;
    name: string;
    /** subject and body take the place of the step's; {} is the step as it is */
    config: {
    };
    /** Shares are in proportion */
    weight: number;
    emails_sent: number;
    replies: number;
    interested: number;
    bounced: number;
    successes: number;
    failures: number;
    /** What its emails said, oldest first, before variables are filled in; more than one where the step was rewritten while leads were assigned. Empty until its first email */
    contents: Array<{
      subject: string | null;
      body: string;
      /** ISO 8601, UTC, milliseconds */
      since: string;
    }>;
    /** Why it gets no leads any more: it bounces too much, or is clearly behind */
    out_reason: "guardrail" | "eliminated" | null;
    /** ISO 8601, UTC, milliseconds */
    created_at: string;
  }>;
  /** By variant id: the probability that it is the best */
  win_probabilities: Record<string, number>;
  /** By variant id: its share of new leads */
  allocation: Record<string, number>;
  /** Share of the doubt about which variant is best that has been resolved */
  convergence: number;
};

export type ExperimentHistory = {
  /** By the day on which a mail went out, what came of it until now; their sums are the counters of the results. Days without mails are left out */
  days: Array<{
    /** UTC */
    date: string;
    /** Every variant, in their order */
    variants: Array<{
      variant_id: string;
      emails_sent: number;
      replies: number;
      interested: number;
      bounced: number;
    }>;
  }>;
  /** Oldest first; each holds until the next */
  allocations: Array<{
    /** ISO 8601, UTC, milliseconds */
    since: string;
    /** By variant id: its share of new leads */
    shares: Record<string, number>;
  }>;
};

export type ExperimentPatch = {
  /** What it is called */
  name?: string;
  /** Of bounce_rate less is better */
  primary_metric?: "reply_rate" | "interested_rate" | "bounce_rate";
  /** fixed_split keeps the weights, thompson_sampling shifts leads to what is answered, auto_winner is a fixed split whose winner is written into the step */
  optimization_mode?: "fixed_split" | "thompson_sampling" | "auto_winner";
  /** Days that it takes leads */
  duration_days?: number;
  /** Days after its mail in which a lead can become a success; 0: no end */
  attribution_window_days?: number;
  /** A fixed split that is decided completes early */
  early_stopping?: boolean;
  /** Of three or more, variants clearly behind get no leads */
  auto_drop?: boolean;
  /** The step whose content varies; 1 where it is left out, even before it exists */
  step_position?: number;
  /** paused, running again, or cancelled */
  status?: "running" | "paused" | "evaluating" | "completed" | "cancelled";
  /** 2 to 10, with names of their own */
  variants?: Array<{
    name: string;
    /** subject and body take the place of the step's; {} is the step as it is */
    config?: {
    };
    /** Shares are in proportion */
    weight?: number;
    id?: string;
  }>;
};

export type ExperimentPlan = {
  /** That may come to the step */
  leads: number;
  leads_per_day: number;
  baseline: number;
  variants: number;
  duration_days: number;
  attribution_window_days: number;
  leads_by_end: number;
  leads_per_variant: number;
  minimum_detectable_ratio: number | null;
  minimum_detectable_rate: number | null;
  /** A doubling at most would be found */
  can_answer: boolean;
  sizes: Array<{
    ratio: number;
    rate: number;
    leads_per_variant: number;
    days: number | null;
    /** There are as many leads */
    fits: boolean;
  }>;
  test_and_roll: {
    /** Test on so many each, and send the leader to the rest, proven or not */
    leads_per_variant: number;
  };
  recommendation: string;
};

export type ExperimentResult = {
  experiment: {
    id: string;
    name: string;
    status: "running" | "paused" | "evaluating" | "completed" | "cancelled";
    primary_metric: "reply_rate" | "interested_rate" | "bounce_rate";
    days_elapsed: number;
    days_remaining: number;
  };
  variants: Array<{
    id: string;
    experiment_id: string;
    name: string;
    /** subject and body take the place of the step's; {} is the step as it is */
    config: {
    };
    /** Shares are in proportion */
    weight: number;
    emails_sent: number;
    replies: number;
    interested: number;
    bounced: number;
    successes: number;
    failures: number;
    /** What its emails said, oldest first, before variables are filled in; more than one where the step was rewritten while leads were assigned. Empty until its first email */
    contents: Array<{
      subject: string | null;
      body: string;
      /** ISO 8601, UTC, milliseconds */
      since: string;
    }>;
    /** Why it gets no leads any more: it bounces too much, or is clearly behind */
    out_reason: "guardrail" | "eliminated" | null;
    /** ISO 8601, UTC, milliseconds */
    created_at: string;
    reply_rate: number;
    interested_rate: number;
    bounce_rate: number;
  }>;
  /** Every two variants */
  significance: Array<{
    /** Name */
    variant_a: string;
    /** Name */
    variant_b: string;
    variant_a_id: string;
    variant_b_id: string;
    /** p_value is at most 0.05 and the split is sound */
    significant: boolean;
    /** Valid however often it is read, and adjusted for all pairs */
    p_value: number;
    /** 1 - p_value */
    confidence: number;
    /** Name of the one that does better so far */
    better: string | null;
    /** epoch_z: within the epochs of a bandit */
    test: "anytime" | "pooled_z" | "fisher_mid_p" | "epoch_z" | "degenerate";
    p_value_anytime: number;
    p_value_fixed: number | null;
    p_value_stratified: number | null;
    lift_ratio: number | null;
    lift_ratio_low: number | null;
    lift_ratio_high: number | null;
    difference: number | null;
    difference_low: number | null;
    difference_high: number | null;
    prob_b_beats_a: number | null;
  }>;
  /** Name */
  winner: string | null;
  /** What to do, in one sentence */
  recommendation: string;
  recommendation_code: "no_data" | "srm_detected" | "guardrail_breach" | "winner_found" | "losers_found" | "warming_up" | "underpowered" | "keep_running" | "bandit_exploring" | "bandit_converging" | "evaluating" | "equivalent" | "lean_leader" | "inconclusive" | "bandit_converged" | "chosen_by_hand" | "cancelled";
  recommendation_params: {
  };
  /** The planned end is over and every lead judged */
  is_final: boolean;
  quality: {
    /** The split is off: no verdict is given */
    srm_detected: boolean;
    srm_p_value: number | null;
    srm_p_value_anytime: number | null;
    /** The one of the two that the alarm goes by */
    srm_p_value_decisive: number | null;
    /** Leads whose window is still open */
    pending: number;
    leader_id: string | null;
    /** By variant id: what sending it to everyone costs a lead */
    expected_loss: Record<string, number> | null;
    value_remaining_95: number | null;
    /** By variant id: 95 % of its success rate */
    credible_intervals: Record<string, {
      low: number;
      high: number;
    }>;
    mde_ratio: number | null;
    estimated_days_to_decision: number | null;
    eliminated: Array<string>;
    guardrails: Array<{
      variant_id: string;
      bounce_rate: number;
      reason: "limit" | "others";
    }>;
  };
  final_estimate: {
    /** No window is open any more: of all leads, those in flight at its end too */
    is_complete: boolean;
    /** By variant id, with its 95 % interval */
    success_rates: Record<string, {
      rate: number;
      low: number;
      high: number;
    }>;
    /** Every two variants */
    lifts: Array<{
      variant_a_id: string;
      variant_b_id: string;
      lift_ratio: number | null;
      lift_ratio_low: number | null;
      lift_ratio_high: number | null;
    }>;
    /** By variant id: what the verdict was based on */
    at_verdict: Record<string, {
      successes: number;
      failures: number;
    }>;
  } | null;
  warnings: Array<{
    code: "winners_curse" | "metrics_disagree" | "strata_disagree" | "bandit_bias" | "step_changed" | "replanned" | "variant_on_hold";
    message: string;
  }>;
};

export type Import = {
  /** The import's id */
  id: string;
  /** Campaign that the leads are added to */
  campaign_id: string;
  /** How far the import is */
  status: "running" | "done" | "interrupted" | "failed" | "cancelled" | "undoing" | "undone";
  /** Format of the file */
  format: "csv" | "ndjson";
  /** Name of the file; null without one */
  file_name: string | null;
  /** Whether lines are only checked and no lead is stored */
  dry_run: boolean;
  /** What to do with leads that the team knows already: `keep` their fields, `merge` in the new ones, or `replace` them */
  existing: "keep" | "merge" | "replace";
  /** Skip leads that are in another campaign */
  skip_if_in_other_campaign: boolean;
  /** Character encoding of the file; null before it is known */
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null;
  /** Character between two values; null for NDJSON */
  delimiter: "," | ";" | "\t" | "|" | null;
  /** What each column is read as; null for NDJSON */
  columns: Array<{
    /** Heading of the column */
    name: string;
    /** Lead field or `variables.<name>` that it is read into; null when it is ignored */
    field: string | null;
    /** Why, for people */
    reason: string;
  }> | null;
  /** Bytes processed; the rest of the file begins here */
  offset: number;
  /** Size of the file in bytes; null when it is not known */
  total_bytes: number | null;
  /** Leads added: `new` and `update` together */
  imported: number;
  /** Lines skipped: `duplicate` and `suppressed` together */
  skipped: number;
  /** Lines that could not be used: `invalid` */
  errors: number;
  /** Lines by what became of them */
  outcomes: {
    /** Leads created and added */
    new: number;
    /** Leads that the team knew, added */
    update: number;
    /** Leads that are in the file twice, or in a campaign already */
    duplicate: number;
    /** Leads that are suppressed */
    suppressed: number;
    /** Lines that could not be used */
    invalid: number;
  };
  /** Lines that were not imported, by reason */
  reasons: {
    /** Lines with the reason already_enrolled */
    already_enrolled?: number;
    /** Lines with the reason duplicate_in_request */
    duplicate_in_request?: number;
    /** Lines with the reason suppressed */
    suppressed?: number;
    /** Lines with the reason suppressed_domain */
    suppressed_domain?: number;
    /** Lines with the reason in_other_campaign */
    in_other_campaign?: number;
    /** Lines with the reason placement_seed */
    placement_seed?: number;
    /** Lines with the reason invalid_email */
    invalid_email?: number;
    /** Lines with the reason variables_invalid */
    variables_invalid?: number;
    /** Lines with the reason timezone_invalid */
    timezone_invalid?: number;
    /** Lines with the reason plan_limit */
    plan_limit?: number;
    /** Lines with the reason invalid_line */
    invalid_line?: number;
    /** Lines with the reason too_many_columns */
    too_many_columns?: number;
    /** Lines with the reason field_too_long */
    field_too_long?: number;
  };
  /** Lines that `/imports/{id}/lines` lists */
  lines_kept: number;
  /** Leads that undoing the import removed from the campaign */
  removed: number;
  /** Leads that undoing left, because they had been written to */
  left: number;
  /** Known leads whose record the import changed */
  overwritten: number;
  /** Of these, records that undoing restored */
  restored: number;
  /** Of these, records that undoing left, because they were changed since */
  not_restored: number;
  /** Why the import stopped; null when it did not */
  error: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** When the import ended; null while it runs */
  finished_at: string | null;
};

export type ImportCampaignFileResult = {
  /** The import's id */
  id: string;
  /** Campaign that the leads are added to */
  campaign_id: string;
  /** How far the import is */
  status: "running" | "done" | "interrupted" | "failed" | "cancelled" | "undoing" | "undone";
  /** Format of the file */
  format: "csv" | "ndjson";
  /** Name of the file; null without one */
  file_name: string | null;
  /** Whether lines are only checked and no lead is stored */
  dry_run: boolean;
  /** What to do with leads that the team knows already: `keep` their fields, `merge` in the new ones, or `replace` them */
  existing: "keep" | "merge" | "replace";
  /** Skip leads that are in another campaign */
  skip_if_in_other_campaign: boolean;
  /** Character encoding of the file; null before it is known */
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null;
  /** Character between two values; null for NDJSON */
  delimiter: "," | ";" | "\t" | "|" | null;
  /** What each column is read as; null for NDJSON */
  columns: Array<{
    /** Heading of the column */
    name: string;
    /** Lead field or `variables.<name>` that it is read into; null when it is ignored */
    field: string | null;
    /** Why, for people */
    reason: string;
  }> | null;
  /** Bytes processed; the rest of the file begins here */
  offset: number;
  /** Size of the file in bytes; null when it is not known */
  total_bytes: number | null;
  /** Leads added: `new` and `update` together */
  imported: number;
  /** Lines skipped: `duplicate` and `suppressed` together */
  skipped: number;
  /** Lines that could not be used: `invalid` */
  errors: number;
  /** Lines by what became of them */
  outcomes: {
    /** Leads created and added */
    new: number;
    /** Leads that the team knew, added */
    update: number;
    /** Leads that are in the file twice, or in a campaign already */
    duplicate: number;
    /** Leads that are suppressed */
    suppressed: number;
    /** Lines that could not be used */
    invalid: number;
  };
  /** Lines that were not imported, by reason */
  reasons: {
    /** Lines with the reason already_enrolled */
    already_enrolled?: number;
    /** Lines with the reason duplicate_in_request */
    duplicate_in_request?: number;
    /** Lines with the reason suppressed */
    suppressed?: number;
    /** Lines with the reason suppressed_domain */
    suppressed_domain?: number;
    /** Lines with the reason in_other_campaign */
    in_other_campaign?: number;
    /** Lines with the reason placement_seed */
    placement_seed?: number;
    /** Lines with the reason invalid_email */
    invalid_email?: number;
    /** Lines with the reason variables_invalid */
    variables_invalid?: number;
    /** Lines with the reason timezone_invalid */
    timezone_invalid?: number;
    /** Lines with the reason plan_limit */
    plan_limit?: number;
    /** Lines with the reason invalid_line */
    invalid_line?: number;
    /** Lines with the reason too_many_columns */
    too_many_columns?: number;
    /** Lines with the reason field_too_long */
    field_too_long?: number;
  };
  /** Lines that `/imports/{id}/lines` lists */
  lines_kept: number;
  /** Leads that undoing the import removed from the campaign */
  removed: number;
  /** Leads that undoing left, because they had been written to */
  left: number;
  /** Known leads whose record the import changed */
  overwritten: number;
  /** Of these, records that undoing restored */
  restored: number;
  /** Of these, records that undoing left, because they were changed since */
  not_restored: number;
  /** Why the import stopped; null when it did not */
  error: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** When the import ended; null while it runs */
  finished_at: string | null;
  /** Why these leads get no email: their campaign is completed and not evergreen. Absent otherwise */
  warning?: string;
};

export type ImportCampaignLeadsRequest = {
  /** Leads to add: the address of each and what else is known */
  leads: Array<{
    /** Email address */
    email: string;
    /** First name */
    first_name?: string | null;
    /** Last name */
    last_name?: string | null;
    /** Company */
    company?: string | null;
    /** Company website */
    website?: string | null;
    /** Phone number, in any format */
    phone?: string | null;
    /** IANA time zone; replaces the campaign's for this lead */
    timezone?: string | null;
    /** Values for templates, by name: strings, numbers and booleans, 200 at most */
    variables?: {
    };
  }>;
  /** What to do with leads that the team knows already: `keep` their fields, `merge` in the new ones, or `replace` them */
  existing?: "keep" | "merge" | "replace";
  /** Skip leads that are in another campaign */
  skip_if_in_other_campaign?: boolean;
  /** Return the result without storing anything */
  dry_run?: boolean;
};

export type ImportCampaignLeadsResult = {
  /** Leads that were added to the campaign */
  imported: number;
  /** Leads that are fine but were not added */
  skipped: number;
  /** Items that could not be used */
  errors: Array<{
    /** The address as given */
    email: string;
    /** What is wrong with the item */
    reason: "invalid_email" | "variables_invalid" | "timezone_invalid" | "plan_limit";
  }>;
  /** The skipped leads, with the reason of each */
  skipped_details: Array<{
    /** The address as given */
    email: string;
    /** Why it was not added */
    reason: "already_enrolled" | "duplicate_in_request" | "suppressed" | "suppressed_domain" | "in_other_campaign" | "placement_seed";
  }>;
  /** The campaign's status after the import; only an active campaign sends */
  campaign_status: "draft" | "active" | "paused" | "completed" | "archived";
  /** Why the imported leads get no email; null when they do */
  warning: string | null;
};

export type ImportList = {
  /** The records of this page */
  data: Array<Import>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor: string | null;
};

export type InboxThread = {
  /** The lead's in its campaign, where it belongs to one */
  id: string;
  team_id: string;
  account_id: string;
  campaign_id: string | null;
  lead_id: string | null;
  /** null: untracked; a person can attach it */
  enrollment_id: string | null;
  from_address: string;
  from_name: string;
  subject: string;
  /** How the mail that gives the kind begins */
  snippet: string;
  read: boolean;
  /** Of the newest mail by a person; where there is none, of the newest */
  kind: "reply" | "auto_reply" | "bounce" | "notice" | "complaint" | "unsubscribe" | "unrelated";
  interest: "interested" | "not_interested" | "neutral" | "meeting" | null;
  /** Mails that came in */
  mails: number;
  unread: number;
  /** ISO 8601, UTC, milliseconds */
  last_mail_at: string;
  /** By hand, the last time */
  answered_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
};

export type InboxThreadDetail = {
  /** The lead's in its campaign, where it belongs to one */
  id: string;
  team_id: string;
  account_id: string;
  campaign_id: string | null;
  lead_id: string | null;
  /** null: untracked; a person can attach it */
  enrollment_id: string | null;
  from_address: string;
  from_name: string;
  subject: string;
  /** How the mail that gives the kind begins */
  snippet: string;
  read: boolean;
  /** Of the newest mail by a person; where there is none, of the newest */
  kind: "reply" | "auto_reply" | "bounce" | "notice" | "complaint" | "unsubscribe" | "unrelated";
  interest: "interested" | "not_interested" | "neutral" | "meeting" | null;
  /** Mails that came in */
  mails: number;
  unread: number;
  /** ISO 8601, UTC, milliseconds */
  last_mail_at: string;
  /** By hand, the last time */
  answered_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  account_email: string | null;
  lead: {
    id: string;
    email: string;
    first_name: string | null;
    last_name: string | null;
    company: string | null;
  } | null;
  enrollment: {
    id: string;
    campaign_name: string;
    status: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
    stop_reason: string | null;
    current_step: number;
    /** ISO 8601, UTC, milliseconds */
    next_attempt_at: string | null;
  } | null;
  /** Both ways, oldest first; the newest 400 */
  messages: Array<InboxThreadReply>;
};

export type InboxThreadList = {
  /** The records of this page */
  data: Array<InboxThread>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor: string | null;
};

export type InboxThreadPatch = {
  /** Whether it was read */
  read?: boolean;
  /** Of the newest mail by a person; where there is none, of the newest */
  kind?: "reply" | "auto_reply" | "bounce" | "notice" | "complaint" | "unsubscribe" | "unrelated";
  /** How they are minded; null: nobody knows */
  interest?: "interested" | "not_interested" | "neutral" | "meeting" | null;
};

export type InboxThreadReply = {
  id: string;
  team_id: string;
  thread_id: string;
  account_id: string;
  campaign_id: string | null;
  lead_id: string | null;
  direction: "in" | "out";
  /** null for a mail that came in */
  status: "queued" | "sending" | "deferred" | "sent" | "failed" | "unknown" | "cancelled" | null;
  /** null for a message of ours */
  read: boolean | null;
  /** Of a mail what it is; another one takes back what the mail did and does what it does now. Of a message of ours `step`, or `manual` for an answer by hand */
  kind: "reply" | "auto_reply" | "bounce" | "notice" | "complaint" | "unsubscribe" | "unrelated" | "step" | "manual" | "placement";
  /** Of a bounce */
  severity: "hard" | "soft" | "block" | null;
  from: string;
  from_name: string;
  to: string;
  subject: string;
  /** The writer's own words: without quotes and signature */
  text: string;
  /** The header, with its angle brackets */
  internet_message_id: string | null;
  /** Received, or sent, or first tried */
  at: string;
  /** The message of ours that it answers */
  answers: string | null;
  step_position: number | null;
  /** The mail server's last words */
  response: string | null;
  /** null for a message that is not tracked */
  tracking: {
    /** By people: machines that fetch ahead or scan are counted apart */
    opens: number;
    /** By people: machines that fetch ahead or scan are counted apart */
    clicks: number;
    machine_opens: number;
    machine_clicks: number;
    /** ISO 8601, UTC, milliseconds */
    first_opened_at: string | null;
    /** ISO 8601, UTC, milliseconds */
    last_opened_at: string | null;
    /** ISO 8601, UTC, milliseconds */
    first_clicked_at: string | null;
    /** ISO 8601, UTC, milliseconds */
    last_clicked_at: string | null;
  } | null;
  /** Size of a mail of which only headers and text were fetched; null: all was */
  partial_of_bytes: number | null;
  /** The rule that gave the kind, and its words */
  evidence: string | null;
  confidence: "high" | "medium" | "low" | null;
  /** What the rules had said */
  found_kind: string | null;
  /** Who said otherwise */
  labelled_by: string | null;
  /** By what it was found to belong here; `sender` and `company` are guesses */
  matched_by: "token" | "message_id" | "provider_id" | "thread" | "recipient" | "sender" | "company" | "person" | null;
  enhanced_status: string | null;
  /** First day back of an absence */
  returns_on: string | null;
  /** Says that nobody reads it any more */
  left_company: boolean | null;
  /** Whom it names instead */
  new_contact: string | null;
  /** What it has changed, and a person can take back */
  effects: Array<{
    type: "enrollment" | "interest" | "suppression" | "message_bounced" | "soft_bounces" | "step_bounced" | "step_unsubscribed" | "harm";
    subject_id: string;
    before: string | null;
    after: string | null;
  }>;
};

/** Answers the message named, or the last one to the lead or of the enrollment; with account_id a stranger writes, and from and text are needed. The kind placement decides where the mail of a placement run to a seed ends, with account_id where the run has several */
export type InjectIntoSandboxRequest = {
  /** What comes in */
  kind: "reply" | "interested" | "auto_reply" | "bounce" | "soft_bounce" | "complaint" | "unsubscribe" | "block_bounce" | "delay" | "left_company" | "newsletter" | "placement";
  /** Id of a message or a captured one, or the Message-ID header */
  message_id?: string;
  /** It answers the last mail of this way through a campaign */
  enrollment_id?: string;
  /** It answers the last mail to this lead */
  lead_id?: string;
  /** The account that it comes to */
  account_id?: string;
  /** What the mail says; something that fits its kind, if left out */
  text?: string;
  /** The day of their return that an auto_reply names */
  returns_on?: string;
  /** Somebody else answers */
  from?: string;
  /** The placement run whose test mail is played */
  run_id?: string;
  /** The seed in which it arrives */
  seed_id?: string;
  /** Where it arrives */
  placement?: "inbox" | "spam" | "promotions" | "not_delivered";
};

export type InjectIntoSandboxResult = {
  kind: "reply" | "interested" | "auto_reply" | "bounce" | "soft_bounce" | "complaint" | "unsubscribe" | "block_bounce" | "delay" | "left_company" | "newsletter" | "placement";
  account_id: string;
  answers: string | null;
  /** ISO 8601, UTC, milliseconds */
  arrives_at: string;
};

export type Key = {
  id: string;
  team_id: string;
  name: string;
  env: "live" | "test";
  /** Last four characters of the key */
  last4: string;
  scopes: Array<string>;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  expires_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  revoked_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  last_used_at: string | null;
};

export type KeyCreate = {
  /** What it is for */
  name: string;
  /** The world in which it acts; that of the key that asks, if left out */
  env?: "live" | "test";
  /** What it may do (admin) */
  scopes?: Array<"read" | "write" | "admin" | "operator" | "campaigns:read" | "campaigns:write" | "leads:read" | "leads:write" | "accounts:read" | "accounts:write" | "suppressions:read" | "suppressions:write" | "team:read" | "team:write" | "experiments:read" | "experiments:write" | "placement:read" | "placement:write" | "inbox:read" | "inbox:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "billing:read" | "billing:write" | "audit:read" | "audit:write" | "sandbox:read" | "sandbox:write">;
  /** When it ends by itself; null: never. From 1970 to 9999 */
  expires_at?: string | null;
};

export type KeyCreated = {
  /** The whole key, shown this once */
  key: string;
  id: string;
  team_id: string;
  name: string;
  env: "live" | "test";
  /** Last four characters of the key */
  last4: string;
  scopes: Array<string>;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  expires_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  revoked_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  last_used_at: string | null;
};

export type KeyList = {
  /** The records of this page */
  data: Array<Key>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type Lead = {
  /** The lead's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Email address, trimmed and in lower case */
  email: string;
  /** First name */
  first_name: string | null;
  /** Last name */
  last_name: string | null;
  /** Company */
  company: string | null;
  /** Company website */
  website: string | null;
  /** Phone number, in any format */
  phone: string | null;
  /** IANA time zone; replaces the campaign's for this lead */
  timezone: string | null;
  /** Values for templates, by name */
  variables: Record<string, string | number | boolean>;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type LeadCampaign = {
  /** Id of the campaign lead, also called enrollment: this lead in this campaign */
  id: string;
  /** The campaign's id */
  campaign_id: string;
  /** The lead's id */
  lead_id: string;
  /** The lead's address */
  email: string;
  /** `pending` until the first email is sent. You can set `active`, `paused`, `completed` and `unsubscribed` */
  status: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
  /** Interest, as classified or set by hand; null when unknown */
  interest: "interested" | "not_interested" | "neutral" | "meeting" | null;
  /** When the next step is due; null when nothing is planned. From 1970 to 9999 */
  next_attempt_at: string | null;
  /** Position of the last step that was sent or done; 0 at first */
  current_step: number;
  /** Account that writes to the lead; null before the first email */
  account_id: string | null;
  /** Why the lead is on hold; null when it is not */
  hold_reason: "missing_variable" | "unknown_send" | "task" | "account_gone" | "planning_failed" | null;
  /** More about the hold, for example the missing variables; null without one */
  hold_detail: string | null;
  /** Why the sequence ended; null while it has not */
  stop_reason: string | null;
  /** Attempts to send the current step */
  attempts: number;
  /** When the last email was sent; null before the first */
  last_sent_at: string | null;
  /** When the lead was added to the campaign */
  enrolled_at: string;
  /** When the record last changed */
  updated_at: string;
  /** Name of the campaign */
  campaign_name: string;
};

export type LeadCampaignList = {
  /** The lead in each of its campaigns, the latest first */
  data: Array<LeadCampaign>;
};

export type LeadList = {
  /** The records of this page */
  data: Array<Lead>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor: string | null;
};

export type LeadPatch = {
  /** First name */
  first_name?: string | null;
  /** Last name */
  last_name?: string | null;
  /** Company */
  company?: string | null;
  /** Company website */
  website?: string | null;
  /** Phone number, in any format */
  phone?: string | null;
  /** IANA time zone; replaces the campaign's for this lead */
  timezone?: string | null;
  /** Accepted when it is the lead's own; it cannot be changed */
  email?: string;
  /** Values for templates, by name; merged into the existing ones, and null removes one */
  variables?: Record<string, string | number | boolean | null>;
};

export type LeadTimeline = {
  /** `written`: an email to the lead, whatever became of it; `received`: an email from it; `changed`: an audit entry */
  kind: "enrolled" | "written" | "bounced" | "opened" | "clicked" | "received" | "task" | "task_done" | "task_skipped" | "suppressed" | "changed";
  /** When it happened */
  at: string;
  /** Campaign that it belongs to; null for none */
  campaign_id: string | null;
  /** Id of the message, task, suppression, campaign lead or changed record */
  subject_id: string;
  /** What the mail server said, the subject of the task, the reason of the suppression, or the action of the audit entry */
  words: string | null;
  /** The email, for `written`, `bounced` and `received`; null otherwise */
  message: {
    id: string;
    team_id: string;
    thread_id: string;
    account_id: string;
    campaign_id: string | null;
    lead_id: string | null;
    direction: "in" | "out";
    /** null for a mail that came in */
    status: "queued" | "sending" | "deferred" | "sent" | "failed" | "unknown" | "cancelled" | null;
    /** null for a message of ours */
    read: boolean | null;
    /** Of a mail what it is; another one takes back what the mail did and does what it does now. Of a message of ours `step`, or `manual` for an answer by hand */
    kind: "reply" | "auto_reply" | "bounce" | "notice" | "complaint" | "unsubscribe" | "unrelated" | "step" | "manual" | "placement";
    /** Of a bounce */
    severity: "hard" | "soft" | "block" | null;
    from: string;
    from_name: string;
    to: string;
    subject: string;
    /** The writer's own words: without quotes and signature */
    text: string;
    /** The header, with its angle brackets */
    internet_message_id: string | null;
    /** Received, or sent, or first tried */
    at: string;
    /** The message of ours that it answers */
    answers: string | null;
    step_position: number | null;
    /** The mail server's last words */
    response: string | null;
    /** null for a message that is not tracked */
    tracking: {
      /** By people: machines that fetch ahead or scan are counted apart */
      opens: number;
      /** By people: machines that fetch ahead or scan are counted apart */
      clicks: number;
      machine_opens: number;
      machine_clicks: number;
      /** ISO 8601, UTC, milliseconds */
      first_opened_at: string | null;
      /** ISO 8601, UTC, milliseconds */
      last_opened_at: string | null;
      /** ISO 8601, UTC, milliseconds */
      first_clicked_at: string | null;
      /** ISO 8601, UTC, milliseconds */
      last_clicked_at: string | null;
    } | null;
    /** Size of a mail of which only headers and text were fetched; null: all was */
    partial_of_bytes: number | null;
    /** The rule that gave the kind, and its words */
    evidence: string | null;
    confidence: "high" | "medium" | "low" | null;
    /** What the rules had said */
    found_kind: string | null;
    /** Who said otherwise */
    labelled_by: string | null;
    /** By what it was found to belong here; `sender` and `company` are guesses */
    matched_by: "token" | "message_id" | "provider_id" | "thread" | "recipient" | "sender" | "company" | "person" | null;
    enhanced_status: string | null;
    /** First day back of an absence */
    returns_on: string | null;
    /** Says that nobody reads it any more */
    left_company: boolean | null;
    /** Whom it names instead */
    new_contact: string | null;
    /** What it has changed, and a person can take back */
    effects: Array<{
      type: "enrollment" | "interest" | "suppression" | "message_bounced" | "soft_bounces" | "step_bounced" | "step_unsubscribed" | "harm";
      subject_id: string;
      before: string | null;
      after: string | null;
    }>;
  } | null;
  /** Who made the change: a key, a user or the engine; null unless `changed` */
  actor: string | null;
  /** The changed fields before; null unless `changed` */
  before: Record<string, unknown> | null;
  /** The changed fields after; null unless `changed` */
  after: Record<string, unknown> | null;
};

export type LeadTimelineList = {
  /** The latest 500 entries, newest first */
  data: Array<LeadTimeline>;
};

export type LicenceBillingRequest = {
  /** As it was issued; it begins with "key/" */
  licence: string;
};

export type MessagePatch = {
  /** null for a message of ours */
  read?: boolean | null;
  /** Of a mail what it is; another one takes back what the mail did and does what it does now. Of a message of ours `step`, or `manual` for an answer by hand */
  kind?: "reply" | "auto_reply" | "bounce" | "notice" | "complaint" | "unsubscribe" | "unrelated" | "step" | "manual" | "placement";
  /** Of a bounce */
  severity?: "hard" | "soft" | "block" | null;
};

/** One of the two */
export type MoveSandboxClockRequest = {
  /** A duration, 1s to 366d; answers when all that was due has been done */
  advance?: string;
  /** Seconds of sandbox time a second; 0 stands still */
  speed?: number;
};

export type PatchCampaignResult = {
  /** The campaign's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** A draft is started once; an active campaign sends; a completed one has nothing left to send */
  status: "draft" | "active" | "paused" | "completed" | "archived";
  /** Why the campaign is paused; null otherwise */
  status_reason: "manual" | "bounce_rate" | "complaint_rate" | "plan_limit" | null;
  /** Name, shown to your team only */
  name: string;
  /** Notes for your team, never part of an email; null for none */
  notes: string | null;
  /** A reply ends the lead's sequence */
  stop_on_reply: boolean;
  /** An auto-reply ends the lead's sequence, too; otherwise it only pauses it */
  stop_on_auto_reply: boolean;
  /** New leads to start per local day of the campaign; follow-ups do not count */
  max_leads_per_day: number;
  /** Emails per local day, follow-ups included; null for no limit */
  daily_limit: number | null;
  /** What goes first when a mailbox cannot send everything that is due */
  priority: "follow_ups" | "new_leads";
  /** Emails per local day to addresses of one domain; null for no limit */
  max_per_domain_per_day: number | null;
  /** A reply ends the sequences of all leads at the same company domain */
  stop_company_on_reply: boolean;
  /** Resume the campaign when leads are added after it has completed */
  evergreen: boolean;
  /** Accounts to send from; empty for all of the team's accounts */
  account_ids: Array<string>;
  /** Hours of the week in which emails may be sent */
  send_window: {
    /** IANA time zone in which the hours are read; a lead's own time zone takes precedence */
    timezone: string;
    /** Weekdays on which emails may be sent */
    days: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">;
    /** Local hour at which sending starts */
    start_hour: number;
    /** Local hour before which sending stops; 24 is midnight. Later than `start_hour` */
    end_hour: number;
  };
  /** What to track in sent emails; nothing by default */
  tracking: {
    /** Track opens with an invisible image in the HTML part */
    opens: boolean;
    /** Track clicks by leading links through this installation's `public_url` */
    clicks: boolean;
  };
  /** Leads that need a person before they go on, by reason. A campaign does not complete while it has any */
  on_hold: {
    /** Leads on hold, for any reason */
    total: number;
    /** The next email uses a variable that the lead has no value for */
    missing_variable: number;
    /** An email is unconfirmed: it may or may not have been delivered */
    unknown_send: number;
    /** The next step is a task that is not done */
    task: number;
    /** The account that was writing to the lead was deleted */
    account_gone: number;
    /** The next email could not be planned; resume the lead to try again */
    planning_failed: number;
  };
  /** When the campaign was first started; null for a draft */
  started_at: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop */
  in_flight?: number;
};

export type PlacementRun = {
  id: string;
  team_id: string;
  trigger_type: "manual" | "scheduled" | "health";
  /** `pending` until the first mail goes out; `failed`: none of its tests could be made */
  status: "pending" | "running" | "completed" | "failed" | "cancelled";
  /** Tests that have a placement or are to get one: the four counts and pending_count add up to it */
  total_tests: number;
  inbox_count: number;
  spam_count: number;
  promotions_count: number;
  not_delivered_count: number;
  pending_count: number;
  /** Tests that say nothing: the mail could not be sent, or the seed not be read */
  failed_count: number;
  /** Inbox of all that have a placement; 0 while none has */
  inbox_rate: number;
  /** By the seeds' providers: tests that have a placement; rate is inbox of total */
  by_provider: Record<string, {
    total: number;
    inbox: number;
    spam: number;
    rate: number;
  }>;
  schedule_id: string | null;
  campaign_id: string | null;
  step_id: string | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  started_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  completed_at: string | null;
  /** Until then a mail that arrives late corrects its result */
  ends_at: string;
};

/** Each account writes to each seed, within its limits. With campaign_id the mails say what a step says, to a made-up person; else a neutral text */
export type PlacementRunCreate = {
  /** How it was begun; by a request it is manual */
  trigger_type?: "manual";
  /** Every account that may send now if left out or empty */
  account_ids?: Array<string>;
  /** Every seed that is not paused if left out or empty */
  seed_ids?: Array<string>;
  /** Test its mail; with a step, that one */
  campaign_id?: string;
  /** The step whose mail is tested */
  step_id?: string;
  /** In place of step_id; the campaign's first email where both are left out */
  position?: number;
};

export type PlacementRunCreated = {
  id: string;
  team_id: string;
  trigger_type: "manual" | "scheduled" | "health";
  /** `pending` until the first mail goes out; `failed`: none of its tests could be made */
  status: "pending" | "running" | "completed" | "failed" | "cancelled";
  /** Tests that have a placement or are to get one: the four counts and pending_count add up to it */
  total_tests: number;
  inbox_count: number;
  spam_count: number;
  promotions_count: number;
  not_delivered_count: number;
  pending_count: number;
  /** Tests that say nothing: the mail could not be sent, or the seed not be read */
  failed_count: number;
  /** Inbox of all that have a placement; 0 while none has */
  inbox_rate: number;
  /** By the seeds' providers: tests that have a placement; rate is inbox of total */
  by_provider: Record<string, {
    total: number;
    inbox: number;
    spam: number;
    rate: number;
  }>;
  schedule_id: string | null;
  campaign_id: string | null;
  step_id: string | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  started_at: string | null;
  /** ISO 8601, UTC, milliseconds */
  completed_at: string | null;
  /** Until then a mail that arrives late corrects its result */
  ends_at: string;
  results: Array<{
    account_id: string;
    account_email: string;
    seed_id: string;
    seed_email: string;
    seed_provider: "google" | "microsoft" | "yahoo" | "icloud" | "zoho" | "custom";
    status: "waiting" | "looking" | "done" | "failed" | "cancelled";
    placement: "inbox" | "spam" | "promotions" | "not_delivered" | null;
    /** From handing over to arrival, to the second */
    latency_ms: number | null;
    /** ISO 8601, UTC, milliseconds */
    tested_at: string | null;
    /** ISO 8601, UTC, milliseconds */
    sent_at: string | null;
    /** Where it was found */
    folder: string | null;
    /** Category of Gmail's inbox */
    tab: "primary" | "promotions" | "social" | "updates" | "forums" | null;
    spf: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | null;
    dkim: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | null;
    dmarc: "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror" | null;
    /** Whether a DKIM signature covers both unsubscription headers; null where it has not both */
    one_click_signed: boolean | null;
    /** Why there is no placement, or why it was not delivered */
    error: string | null;
  }>;
};

export type PlacementRunList = {
  /** The records of this page */
  data: Array<PlacementRun>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type PlacementSchedule = {
  id: string;
  team_id: string;
  /** Empty: every account that may send then */
  account_ids: Array<string>;
  /** Empty: every seed that is not paused then */
  seed_ids: Array<string>;
  campaign_id: string | null;
  step_id: string | null;
  weekday: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
  hour: number;
  /** IANA time zone name */
  timezone: string;
  active: boolean;
  /** ISO 8601, UTC, milliseconds */
  next_run_at: string | null;
  last_run_id: string | null;
  /** Why the last run could not be begun */
  last_error: string | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  updated_at: string;
};

/** Every Monday at 6 UTC, all accounts and seeds, where nothing else is said */
export type PlacementScheduleCreate = {
  /** Empty: every account that may send then */
  account_ids?: Array<string>;
  /** Empty: every seed that is not paused then */
  seed_ids?: Array<string>;
  /** Test its mail; null: a plain one */
  campaign_id?: string | null;
  /** The step whose mail is tested */
  step_id?: string | null;
  /** The day of the week on which it runs */
  weekday?: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
  /** The local hour at which it runs */
  hour?: number;
  /** IANA time zone name */
  timezone?: string;
  /** Whether it is on */
  active?: boolean;
};

export type PlacementScheduleList = {
  /** The records of this page */
  data: Array<PlacementSchedule>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type PlacementSchedulePatch = {
  /** Empty: every account that may send then */
  account_ids?: Array<string>;
  /** Empty: every seed that is not paused then */
  seed_ids?: Array<string>;
  /** Test its mail; null: a plain one */
  campaign_id?: string | null;
  /** The step whose mail is tested */
  step_id?: string | null;
  /** The day of the week on which it runs */
  weekday?: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
  /** The local hour at which it runs */
  hour?: number;
  /** IANA time zone name */
  timezone?: string;
  /** Whether it is on */
  active?: boolean;
};

export type PlacementSeed = {
  id: string;
  team_id: string;
  email: string;
  /** `paused`: left out of runs. `error`: its login is refused, and its tests fail */
  status: "active" | "paused" | "error";
  /** By the mail exchanges of its domain */
  provider: "google" | "microsoft" | "yahoo" | "icloud" | "zoho" | "custom";
  imap: {
    /** Host name or IP address */
    host: string;
    port: number;
    /** `none` only towards this machine. Chosen by the port where it is left out */
    security: "starttls" | "tls" | "none";
    /** The seed's address where it is left out */
    username: string;
  } | null;
  has_imap_password: boolean;
  has_oauth: boolean;
  /** Whether Gmail sorts this inbox into categories; without them promotions cannot be told. Null for other providers, and until a test mail has arrived */
  tabs: boolean | null;
  /** The folder that is its spam; null: none was found yet */
  junk_folder: string | null;
  /** ISO 8601, UTC, milliseconds */
  last_looked_at: string | null;
  last_error: string | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  updated_at: string;
};

/** In the live world a secret is needed, and the IMAP server where the provider is not a known one; in the test world the address is enough */
export type PlacementSeedCreate = {
  /** A mailbox of your own; never a lead */
  email: string;
  /** paused leaves it out of runs */
  status?: "active" | "paused";
  /** The server on which it is read; that of google and microsoft is known */
  imap?: {
    /** Host name or IP address */
    host?: string;
    /** 143 for starttls, 993 for tls */
    port?: number;
    /** `none` only towards this machine. Chosen by the port where it is left out */
    security?: "starttls" | "tls" | "none";
    /** The seed's address where it is left out */
    username?: string;
    /** Write-only */
    password?: string | null;
  } | null;
  /** Write-only; logs in in place of the password */
  oauth?: {
    /** Who vouches for it */
    provider: "google" | "microsoft";
    /** Of the client registered there */
    client_id: string;
    /** Of the client registered there */
    client_secret: string;
    /** What its owner consented to */
    refresh_token: string;
  } | null;
};

export type PlacementSeedList = {
  /** The records of this page */
  data: Array<PlacementSeed>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type PlacementSeedPatch = {
  /** A mailbox of your own; never a lead */
  email?: string;
  /** paused leaves it out of runs */
  status?: "active" | "paused" | "error";
  /** The server on which it is read; that of google and microsoft is known */
  imap?: {
    /** Host name or IP address */
    host?: string;
    /** 143 for starttls, 993 for tls */
    port?: number;
    /** `none` only towards this machine. Chosen by the port where it is left out */
    security?: "starttls" | "tls" | "none";
    /** The seed's address where it is left out */
    username?: string;
    /** Write-only */
    password?: string | null;
  } | null;
  /** Write-only; logs in in place of the password */
  oauth?: {
    /** Who vouches for it */
    provider?: "google" | "microsoft";
    /** Of the client registered there */
    client_id?: string;
    /** Of the client registered there */
    client_secret?: string;
    /** What its owner consented to */
    refresh_token?: string;
  } | null;
};

export type PreviewCampaignRequest = {
  /** Step to render; either this or `position` */
  step_id?: string;
  /** Position of the step to render */
  position?: number;
  /** Lead to render the step for; either this or `lead` */
  lead_id?: string;
  /** Somebody to render the step for who need not be a lead */
  lead?: {
    /** Email address */
    email?: string;
    /** First name */
    first_name?: string | null;
    /** Last name */
    last_name?: string | null;
    /** Company */
    company?: string | null;
    /** Company website */
    website?: string | null;
    /** Phone number, in any format */
    phone?: string | null;
    /** IANA time zone; replaces the campaign's for this lead */
    timezone?: string | null;
    /** Values for templates, by name; merged into the existing ones, and null removes one */
    variables?: Record<string, string | number | boolean | null>;
  };
  /** Subject to render in place of the step's */
  subject?: string | null;
  /** Body to render in place of the step's */
  body?: string;
  /** Which of the spintax variations to render; 0 is the one that the lead gets */
  roll?: number;
};

export type PreviewCampaignResult = {
  /** The step's id */
  step_id: string;
  /** Position of the step, from 1 */
  position: number;
  /** Rendered subject; null while values are missing */
  subject: string | null;
  /** Plain-text part; null while values are missing */
  text: string | null;
  /** HTML part; null while values are missing */
  html: string | null;
  /** Headers of the email, except those that every sending makes anew */
  headers: Array<{
    /** Name of the header */
    name: string;
    /** Its value */
    value: string;
  }>;
  /** Variables without a value and without a default in the template; the lead would be put on hold */
  missing: Array<string>;
};

export type PreviewImportResult = {
  /** Format of the file */
  format: "csv" | "ndjson";
  /** Character encoding of the file; null before it is known */
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | null;
  /** Character between two values; null for NDJSON */
  delimiter: "," | ";" | "\t" | "|" | null;
  /** What each column is read as; null for NDJSON */
  columns: Array<{
    /** Heading of the column */
    name: string;
    /** Lead field or `variables.<name>` that it is read into; null when it is ignored */
    field: string | null;
    /** Why, for people */
    reason: string;
  }> | null;
  /** The first 20 rows, without headings */
  rows: Array<Array<string>>;
};

export type ReplayWebhookRequest = {
  /** Events from this instant on. From 1970 to 9999 */
  since?: string;
  /** Events before this instant. From 1970 to 9999 */
  until?: string;
  /** Events after this `seq`: `last_seq` of a call before */
  after?: number;
  /** Only events of these kinds */
  types?: Array<"email.sent" | "email.failed" | "email.deferred" | "email.bounced" | "email.opened" | "email.clicked" | "reply.received" | "reply.auto" | "reply.untracked" | "lead.enrolled" | "lead.status_changed" | "lead.interested" | "lead.unsubscribed" | "lead.completed" | "complaint.received" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "account.error" | "account.recovered" | "account.health_changed" | "experiment.variant_paused" | "experiment.completed" | "placement.completed" | "suppression.created" | "task.created" | "billing.limit_warning" | "billing.limit_reached" | "webhook.disabled" | "webhook.test">;
  /** Also what was delivered; otherwise what failed, waits or was never queued */
  all?: boolean;
};

export type ReplayWebhookResult = {
  replayed: number;
  /** Of the last event that was looked at */
  last_seq: number;
  /** Call again with `after` for the rest */
  hasMore: boolean;
};

export type ReplyToInboxThreadRequest = {
  /** Plain text or HTML, sent as it is */
  body: string;
  /** The thread's with "Re:" if left out */
  subject?: string;
};

export type Request = {
  /** The X-Request-Id of the answer */
  id: string;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  method: string;
  /** With its query */
  path: string;
  status: number;
  duration_ms: number;
  key_id: string;
  /** null: the key is not there any more */
  key_name: string | null;
};

export type RequestList = {
  /** The records of this page */
  data: Array<Request>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type ResolveCampaignLeadRequest = {
  /** Whether the unconfirmed email counts as sent or is sent again */
  action: "treat_as_sent" | "send_again";
  /** Which email; required when several are unconfirmed */
  message_id?: string;
};

export type ResolveMessageRequest = {
  /** What happened to the mail of which nobody knows: it counts as sent, or goes out again */
  action: "treat_as_sent" | "send_again";
};

export type RestoreBackupRequest = {
  /** Of a sealed one; else the configured one */
  passphrase?: string | null;
  /** Also where its master key is another one, and not in it */
  without_key?: boolean;
};

export type RotateKeyRequest = {
  /** How long the old key works on */
  grace_seconds?: number;
};

export type RotateSecretWebhookRequest = {
  /** How long the old secret signs beside the new one; a day if left out */
  overlap_seconds?: number;
};

export type SandboxClock = {
  /** ISO 8601, UTC, milliseconds */
  now: string;
  /** Seconds of sandbox time a second; 0 stands still */
  speed: number;
  /** It is being moved */
  advancing: boolean;
};

export type SandboxMessage = {
  id: string;
  team_id: string;
  account_id: string;
  /** The header, with its angle brackets */
  message_id: string;
  sender: string;
  recipient: string;
  subject: string;
  /** Where the simulated recipient's server put it */
  verdict: "delivered" | "bounced" | "spam";
  /** Bytes */
  size: number;
  /** ISO 8601, UTC, milliseconds */
  sent_at: string;
};

export type SandboxMessageDetail = {
  id: string;
  team_id: string;
  account_id: string;
  /** The header, with its angle brackets */
  message_id: string;
  sender: string;
  recipient: string;
  subject: string;
  /** Where the simulated recipient's server put it */
  verdict: "delivered" | "bounced" | "spam";
  /** Bytes */
  size: number;
  /** ISO 8601, UTC, milliseconds */
  sent_at: string;
  headers: Array<{
    name: string;
    value: string;
  }>;
  text: string;
  html: string | null;
};

export type SandboxMessageList = {
  /** The records of this page */
  data: Array<SandboxMessage>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor: string | null;
};

export type SandboxSettings = {
  /** The same seed gives the same people */
  seed: number;
  rates: {
    reply: number;
    interested: number;
    auto_reply: number;
    hard_bounce: number;
    soft_bounce: number;
    complaint: number;
    unsubscribe: number;
    spam: number;
  };
  delays: {
    reply: {
      min_seconds: number;
      max_seconds: number;
    };
    interested: {
      min_seconds: number;
      max_seconds: number;
    };
    auto_reply: {
      min_seconds: number;
      max_seconds: number;
    };
    hard_bounce: {
      min_seconds: number;
      max_seconds: number;
    };
    soft_bounce: {
      min_seconds: number;
      max_seconds: number;
    };
    complaint: {
      min_seconds: number;
      max_seconds: number;
    };
    unsubscribe: {
      min_seconds: number;
      max_seconds: number;
    };
  };
  faults: {
    smtp421: number;
    smtp450: number;
    smtp550: number;
    timeout: number;
    cut: number;
    imap: number;
    /** Accounts whose login is refused */
    auth_failures: Array<string>;
  };
  /** People answer by what a message says: the first whose text it contains holds */
  effects: Array<{
    /** Of subject or text, upper and lower case alike */
    contains: string;
    rates: {
      reply?: number;
      interested?: number;
      auto_reply?: number;
      hard_bounce?: number;
      soft_bounce?: number;
      complaint?: number;
      unsubscribe?: number;
      spam?: number;
    };
  }>;
};

export type SandboxSettingsPatch = {
  /** The same seed gives the same people */
  seed?: number;
  /** Shares of mails, 0 to 1, after which people do what it says */
  rates?: {
    /** Somebody answers */
    reply?: number;
    /** Somebody answers, and is interested */
    interested?: number;
    /** An out-of-office note comes */
    auto_reply?: number;
    /** The address is none */
    hard_bounce?: number;
    /** The mail comes back, for now */
    soft_bounce?: number;
    /** Somebody reports it as spam */
    complaint?: number;
    /** Somebody opts out */
    unsubscribe?: number;
    /** It lands in spam, where nobody reads it */
    spam?: number;
  };
  /** How long it takes until they do, each with min_seconds and max_seconds */
  delays?: {
    /** Until an answer */
    reply?: {
      min_seconds?: number;
      max_seconds?: number;
    };
    /** Until an interested answer */
    interested?: {
      min_seconds?: number;
      max_seconds?: number;
    };
    /** Until an out-of-office note */
    auto_reply?: {
      min_seconds?: number;
      max_seconds?: number;
    };
    /** Until a bounce for good */
    hard_bounce?: {
      min_seconds?: number;
      max_seconds?: number;
    };
    /** Until a bounce for now */
    soft_bounce?: {
      min_seconds?: number;
      max_seconds?: number;
    };
    /** Until a complaint */
    complaint?: {
      min_seconds?: number;
      max_seconds?: number;
    };
    /** Until an opt-out */
    unsubscribe?: {
      min_seconds?: number;
      max_seconds?: number;
    };
  };
  /** Shares of attempts, 0 to 1, at which a server fails as it says */
  faults?: {
    /** It answers 421 and hangs up */
    smtp421?: number;
    /** It answers 450: later */
    smtp450?: number;
    /** It answers 550: never */
    smtp550?: number;
    /** It answers nothing */
    timeout?: number;
    /** The connection ends after the mail, whether it was taken or not */
    cut?: number;
    /** The mailbox cannot be read */
    imap?: number;
    /** Accounts whose login is refused */
    auth_failures?: Array<string>;
  };
  /** People answer by what a message says: the first whose text it contains holds */
  effects?: Array<{
    /** Of subject or text, upper and lower case alike */
    contains: string;
    rates: {
      reply?: number;
      interested?: number;
      auto_reply?: number;
      hard_bounce?: number;
      soft_bounce?: number;
      complaint?: number;
      unsubscribe?: number;
      spam?: number;
    };
  }>;
};

export type SendTestCampaignStepRequest = {
  /** Address to send it to, for example your own */
  to: string;
  /** Lead to render the step for; without one, a sample lead that has a value for every variable */
  lead_id?: string;
};

export type SendTestCampaignStepResult = {
  /** The step's id */
  step_id: string;
  /** Position of the step, from 1 */
  position: number;
  /** Address of the mailbox that sent it */
  from: string;
  /** Address that it was sent to */
  to: string;
  /** The email's `Message-ID` header */
  message_id: string;
  /** `unknown`: the connection broke before the server confirmed the email */
  status: "sent" | "failed" | "unknown";
  /** What the mail server said, or why it could not be reached */
  response: string;
};

export type SetAccountDkimRequest = {
  /** Name of the key in DNS */
  selector: string;
};

export type Stats = {
  /** First day of the period */
  from: string;
  /** Last day of the period */
  to: string;
  /** IANA time zone of the days */
  timezone: string;
  /** Sums over all days */
  totals: {
    /** Emails of sequences that were sent */
    sent: number;
    /** Leads that replied, on the day of their first reply */
    replied: number;
    /** Conversations of that day with the interest `interested` or `meeting` */
    positive: number;
    /** Emails that bounced, on the day of the bounce */
    bounced: number;
    /** Leads that opted out of a campaign */
    unsubscribed: number;
    /** Emails opened by a person for the first time, where opens are tracked */
    opened: number;
    /** Emails with a first click by a person, where clicks are tracked */
    clicked: number;
  };
  /** Every day of the period, oldest first */
  days: Array<{
    /** Local date in `timezone` */
    date: string;
    /** Emails of sequences that were sent */
    sent: number;
    /** Leads that replied, on the day of their first reply */
    replied: number;
    /** Conversations of that day with the interest `interested` or `meeting` */
    positive: number;
    /** Emails that bounced, on the day of the bounce */
    bounced: number;
    /** Leads that opted out of a campaign */
    unsubscribed: number;
    /** Emails opened by a person for the first time, where opens are tracked */
    opened: number;
    /** Emails with a first click by a person, where clicks are tracked */
    clicked: number;
  }>;
  /** Replies by weekday, Monday first, and local hour, 0 to 23 */
  reply_hours: Array<Array<number>>;
};

export type SubscribeBillingRequest = {
  /** The plan to subscribe to */
  plan: "starter" | "pro" | "scale";
};

export type SubscribeBillingResult = {
  /** Open it in a browser */
  url: string;
};

export type Suppression = {
  /** The suppression's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** SHA-256 of the address in lower case, in hexadecimal */
  email_hash: string;
  /** The address or `@domain`; null after the lead was erased */
  email: string | null;
  /** Why it is never written to */
  reason: "import" | "manual" | "bounce" | "unsubscribe" | "complaint";
  /** When the record was created */
  created_at: string;
};

export type SuppressionCheck = {
  /** Whether the address is suppressed */
  suppressed: boolean;
  /** Whether the address itself or its domain is; null when neither is */
  match: "address" | "domain" | null;
  /** Reason of the suppression; null without one */
  reason: "import" | "manual" | "bounce" | "unsubscribe" | "complaint" | null;
};

export type SuppressionCreate = {
  /** Address, or `@example.com` for a domain without its subdomains */
  email: string;
  /** Why it must not be written to */
  reason?: "import" | "manual" | "bounce" | "unsubscribe" | "complaint";
};

export type SuppressionList = {
  /** The records of this page */
  data: Array<Suppression>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type System = {
  version: string;
  commit: string;
  bun: string;
  /** ISO 8601, UTC, milliseconds */
  started_at: string;
  uptime_seconds: number;
  schema_version: number;
  data_directory: string;
  disk: {
    free_bytes: number;
    total_bytes: number;
  };
  memory: {
    resident_bytes: number;
    heap_bytes: number;
  };
  cpu_seconds: number;
  live: {
    database_bytes: number;
    wal_bytes: number;
    /** What is due now: mailboxes to send and to read, deliveries, copies of sent mail */
    queues: {
      sends: number;
      polls: number;
      deliveries: number;
      copies: number;
    };
    lanes: Array<{
      name: string;
      runs: number;
      busy_seconds: number;
      /** ISO 8601, UTC, milliseconds */
      last_run_at: string | null;
      faults: number;
      /** ISO 8601, UTC, milliseconds */
      last_fault_at: string | null;
      last_fault: string | null;
    }>;
    /** Mailboxes told of over a kept connection */
    watches: number;
  };
  test: {
    database_bytes: number;
    wal_bytes: number;
    /** What is due now: mailboxes to send and to read, deliveries, copies of sent mail */
    queues: {
      sends: number;
      polls: number;
      deliveries: number;
      copies: number;
    };
    lanes: Array<{
      name: string;
      runs: number;
      busy_seconds: number;
      /** ISO 8601, UTC, milliseconds */
      last_run_at: string | null;
      faults: number;
      /** ISO 8601, UTC, milliseconds */
      last_fault_at: string | null;
      last_fault: string | null;
    }>;
    /** Mailboxes told of over a kept connection */
    watches: number;
  };
  checks: Array<{
    check: string;
    verdict: "ok" | "warning" | "fault";
    /** What was seen, and what to do about it */
    detail: string;
  }>;
};

export type Task = {
  /** The task's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Campaign that the task belongs to */
  campaign_id: string;
  /** Lead that the task is about */
  lead_id: string;
  /** Id of the campaign lead */
  enrollment_id: string;
  /** Step that the task is */
  step_id: string;
  /** The lead's address */
  email: string;
  /** The lead's status in the campaign */
  lead_status: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
  /** What to do, with the lead's values */
  subject: string | null;
  /** Details, with the lead's values */
  body: string | null;
  /** Whether the task is done, which lets the lead go on; cannot be undone */
  done: boolean;
  /** Whether the task was skipped, which lets the lead go on and counts as done; cannot be undone */
  skipped: boolean;
  /** Note for your team */
  note: string | null;
  /** When the record was created */
  created_at: string;
  /** When the task was done or skipped; null before */
  done_at: string | null;
};

export type TaskList = {
  /** The records of this page */
  data: Array<Task>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor: string | null;
};

export type TaskPatch = {
  /** Whether the task is done, which lets the lead go on; cannot be undone */
  done?: boolean;
  /** Whether the task was skipped, which lets the lead go on and counts as done; cannot be undone */
  skipped?: boolean;
  /** Note for your team */
  note?: string | null;
};

export type Team = {
  id: string;
  name: string;
  /** Printed in the footer of every mail */
  postal_address: string | null;
  /** Appends postal address and opt-out where a body has no unsubscribe link */
  footer: boolean;
  /** Name under which tracked links lead here, over https; null: the installation's own. It has to reach this server, which serves links under it to this team alone */
  tracking_host: string | null;
  /** Words and phrases of an answer that mean interest to this team, in any language. They come before the built-in ones; case and accents are ignored, and a negation before a positive one is seen */
  interest_words: {
    /** Such as: ping me, count us in */
    interested: Array<string>;
    /** Such as: hard pass */
    not_interested: Array<string>;
    /** Such as: parked, after the fair */
    neutral: Array<string>;
    /** Such as: see my calendar */
    meeting: Array<string>;
  };
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  updated_at: string;
};

export type TeamInvitation = {
  id: string;
  team_id: string;
  email: string;
  /** `owner` and `admin` may do everything, an admin may not touch owners; `member` works, without keys, billing and people; `viewer` reads */
  role: "owner" | "admin" | "member" | "viewer";
  /** As the audit log names who did something */
  invited_by: string;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  expires_at: string;
};

export type TeamInvitationCreate = {
  /** Whom it is for */
  email: string;
  /** `owner` and `admin` may do everything, an admin may not touch owners; `member` works, without keys, billing and people; `viewer` reads */
  role: "owner" | "admin" | "member" | "viewer";
};

export type TeamInvitationCreated = {
  /** For the one who is invited; works once, and is shown this once */
  url: string;
  id: string;
  team_id: string;
  email: string;
  /** `owner` and `admin` may do everything, an admin may not touch owners; `member` works, without keys, billing and people; `viewer` reads */
  role: "owner" | "admin" | "member" | "viewer";
  /** As the audit log names who did something */
  invited_by: string;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  expires_at: string;
};

export type TeamInvitationList = {
  /** The records of this page */
  data: Array<TeamInvitation>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type TeamMember = {
  id: string;
  team_id: string;
  name: string;
  email: string;
  /** `owner` and `admin` may do everything, an admin may not touch owners; `member` works, without keys, billing and people; `viewer` reads */
  role: "owner" | "admin" | "member" | "viewer";
  /** Also sees to the installation: backups, its state */
  operator: boolean;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  signed_in_at: string | null;
};

export type TeamMemberList = {
  /** The records of this page */
  data: Array<TeamMember>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type TeamMemberPatch = {
  /** `owner` and `admin` may do everything, an admin may not touch owners; `member` works, without keys, billing and people; `viewer` reads */
  role?: "owner" | "admin" | "member" | "viewer";
};

export type TeamPatch = {
  /** What it is called */
  name?: string;
  /** Printed in the footer of every mail */
  postal_address?: string | null;
  /** Appends postal address and opt-out where a body has no unsubscribe link */
  footer?: boolean;
  /** Name under which tracked links lead here, over https; null: the installation's own. It has to reach this server, which serves links under it to this team alone */
  tracking_host?: string | null;
  /** Words and phrases of an answer that mean interest to this team, in any language. They come before the built-in ones; case and accents are ignored, and a negation before a positive one is seen */
  interest_words?: {
    /** Such as: ping me, count us in */
    interested?: Array<string>;
    /** Such as: hard pass */
    not_interested?: Array<string>;
    /** Such as: parked, after the fair */
    neutral?: Array<string>;
    /** Such as: see my calendar */
    meeting?: Array<string>;
  };
};

export type TestAccountRequest = {
  /** Send an email from the mailbox to itself, which counts against its limits */
  send?: boolean;
};

export type TestAccountResult = {
  /** Whether no step failed */
  ok: boolean;
  /** What was tried, in order */
  steps: Array<{
    /** What was tried */
    step: "smtp_dns" | "smtp_connect" | "smtp_tls" | "smtp_login" | "send" | "imap_dns" | "imap_connect" | "imap_tls" | "imap_login" | "read" | "sent_folder";
    /** Whether it worked; null when it was not tried or is not known yet */
    ok: boolean | null;
    /** What happened */
    message: string;
    /** How to fix it; null when nothing is wrong */
    remedy: string | null;
    /** How long it took, in milliseconds */
    ms: number;
  }>;
  /** The server to send through */
  smtp: {
    /** Whether the server works */
    ok: boolean;
    /** What went wrong; null when it works */
    error: string | null;
  };
  /** The server to read from */
  imap: {
    /** Whether the server works */
    ok: boolean;
    /** What went wrong; null when it works */
    error: string | null;
  };
  account: Account;
};

export type TestPlacementSeedResult = {
  ok: boolean;
  /** What happened, in the server's words or ours */
  error: string | null;
  login_refused: boolean;
  seed: PlacementSeed;
};

export type TestWebhookResult = {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: "email.sent" | "email.failed" | "email.deferred" | "email.bounced" | "email.opened" | "email.clicked" | "reply.received" | "reply.auto" | "reply.untracked" | "lead.enrolled" | "lead.status_changed" | "lead.interested" | "lead.unsubscribed" | "lead.completed" | "complaint.received" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "account.error" | "account.recovered" | "account.health_changed" | "experiment.variant_paused" | "experiment.completed" | "placement.completed" | "suppression.created" | "task.created" | "billing.limit_warning" | "billing.limit_reached" | "webhook.disabled" | "webhook.test";
  /** The event's */
  seq: number;
  status: "pending" | "succeeded" | "failed";
  attempt_count: number;
  /** ISO 8601, UTC, milliseconds */
  next_attempt_at: string | null;
  /** Of the last answer, where there was one */
  last_status: number | null;
  last_error: "dns" | "address_not_allowed" | "refused" | "tls" | "timeout" | "closed" | "protocol" | "too_large" | "status" | "internal" | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  ended_at: string | null;
  payload: Event;
  attempts: Array<{
    number: number;
    /** ISO 8601, UTC, milliseconds */
    started_at: string;
    duration_ms: number;
    status: number | null;
    error: "dns" | "address_not_allowed" | "refused" | "tls" | "timeout" | "closed" | "protocol" | "too_large" | "status" | "internal" | null;
    /** Start of the answer's body, without control characters */
    response: string | null;
  }>;
};

export type VerifyBackupRequest = {
  /** Of a sealed one; else the configured one */
  passphrase?: string | null;
};

export type Webhook = {
  id: string;
  team_id: string;
  /** Where events are sent by POST: https, and no private address */
  url: string;
  events: Array<string>;
  /** Whole for keys that may write webhooks, else its last four characters */
  secret: string;
  /** ISO 8601, UTC, milliseconds */
  previous_secret_expires_at: string | null;
  active: boolean;
  /** Why it was turned off, where no person did it */
  disabled_reason: "gone" | "failing" | null;
  /** ISO 8601, UTC, milliseconds */
  disabled_at: string | null;
  consecutive_failures: number;
  /** ISO 8601, UTC, milliseconds */
  failing_since: string | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  updated_at: string;
};

export type WebhookCreate = {
  /** Where events are sent by POST: https, and no private address */
  url: string;
  /** Kinds (`email.sent`), families (`email.*`) or all (`*`) */
  events?: Array<"*" | "email.*" | "reply.*" | "lead.*" | "complaint.*" | "campaign.*" | "account.*" | "experiment.*" | "placement.*" | "suppression.*" | "task.*" | "billing.*" | "webhook.*" | "email.sent" | "email.failed" | "email.deferred" | "email.bounced" | "email.opened" | "email.clicked" | "reply.received" | "reply.auto" | "reply.untracked" | "lead.enrolled" | "lead.status_changed" | "lead.interested" | "lead.unsubscribed" | "lead.completed" | "complaint.received" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "account.error" | "account.recovered" | "account.health_changed" | "experiment.variant_paused" | "experiment.completed" | "placement.completed" | "suppression.created" | "task.created" | "billing.limit_warning" | "billing.limit_reached" | "webhook.disabled" | "webhook.test">;
  /** Signs every delivery: `whsec_` and 24 to 64 bytes in base64 */
  secret?: string;
  /** Whether it is on */
  active?: boolean;
};

export type WebhookDelivery = {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: "email.sent" | "email.failed" | "email.deferred" | "email.bounced" | "email.opened" | "email.clicked" | "reply.received" | "reply.auto" | "reply.untracked" | "lead.enrolled" | "lead.status_changed" | "lead.interested" | "lead.unsubscribed" | "lead.completed" | "complaint.received" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "account.error" | "account.recovered" | "account.health_changed" | "experiment.variant_paused" | "experiment.completed" | "placement.completed" | "suppression.created" | "task.created" | "billing.limit_warning" | "billing.limit_reached" | "webhook.disabled" | "webhook.test";
  /** The event's */
  seq: number;
  status: "pending" | "succeeded" | "failed";
  attempt_count: number;
  /** ISO 8601, UTC, milliseconds */
  next_attempt_at: string | null;
  /** Of the last answer, where there was one */
  last_status: number | null;
  last_error: "dns" | "address_not_allowed" | "refused" | "tls" | "timeout" | "closed" | "protocol" | "too_large" | "status" | "internal" | null;
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  /** ISO 8601, UTC, milliseconds */
  ended_at: string | null;
};

export type WebhookDeliveryList = {
  /** The records of this page */
  data: Array<WebhookDelivery>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor: string | null;
};

export type WebhookList = {
  /** The records of this page */
  data: Array<Webhook>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type WebhookPatch = {
  /** Where events are sent by POST: https, and no private address */
  url?: string;
  /** Kinds (`email.sent`), families (`email.*`) or all (`*`) */
  events?: Array<"*" | "email.*" | "reply.*" | "lead.*" | "complaint.*" | "campaign.*" | "account.*" | "experiment.*" | "placement.*" | "suppression.*" | "task.*" | "billing.*" | "webhook.*" | "email.sent" | "email.failed" | "email.deferred" | "email.bounced" | "email.opened" | "email.clicked" | "reply.received" | "reply.auto" | "reply.untracked" | "lead.enrolled" | "lead.status_changed" | "lead.interested" | "lead.unsubscribed" | "lead.completed" | "complaint.received" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "account.error" | "account.recovered" | "account.health_changed" | "experiment.variant_paused" | "experiment.completed" | "placement.completed" | "suppression.created" | "task.created" | "billing.limit_warning" | "billing.limit_reached" | "webhook.disabled" | "webhook.test">;
  /** Signs every delivery: `whsec_` and 24 to 64 bytes in base64 */
  secret?: string;
  /** `true` forgets past failures, and what waited is sent */
  active?: boolean;
};

/** The recipient's server accepted an email */
export type EmailSentEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "email.sent";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    email_id: string;
    kind: "step" | "manual" | "placement";
    thread_id: string;
    campaign_id: string | null;
    step_id: string | null;
    step_position: number | null;
    lead_id: string | null;
    enrollment_id: string | null;
    account_id: string;
    message_id: string;
    to: string | null;
    subject: string | null;
  };
};

/** An email failed for good, or is unconfirmed: it may have been sent (`in_doubt`) */
export type EmailFailedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "email.failed";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    email_id: string;
    kind: "step" | "manual" | "placement";
    thread_id: string;
    campaign_id: string | null;
    step_id: string | null;
    step_position: number | null;
    lead_id: string | null;
    enrollment_id: string | null;
    account_id: string;
    message_id: string;
    to: string | null;
    subject: string | null;
    attempts: number;
    code: number | null;
    response: string | null;
    in_doubt: boolean;
  };
};

/** The recipient's server asked to try later; the email will be retried */
export type EmailDeferredEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "email.deferred";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    email_id: string;
    kind: "step" | "manual" | "placement";
    thread_id: string;
    campaign_id: string | null;
    step_id: string | null;
    step_position: number | null;
    lead_id: string | null;
    enrollment_id: string | null;
    account_id: string;
    message_id: string;
    to: string | null;
    subject: string | null;
    attempts: number;
    code: number | null;
    response: string | null;
    next_attempt_at: string;
  };
};

/** An email bounced */
export type EmailBouncedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "email.bounced";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    email_id: string;
    kind: "step" | "manual" | "placement";
    thread_id: string;
    campaign_id: string | null;
    step_id: string | null;
    step_position: number | null;
    lead_id: string | null;
    enrollment_id: string | null;
    account_id: string;
    message_id: string;
    to: string | null;
    subject: string | null;
    severity: "hard" | "soft" | "block";
    enhanced_status: string | null;
    response: string | null;
  };
};

/** An email was opened, if open tracking is on */
export type EmailOpenedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "email.opened";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    email_id: string;
    kind: "step" | "manual" | "placement";
    thread_id: string;
    campaign_id: string | null;
    step_id: string | null;
    step_position: number | null;
    lead_id: string | null;
    enrollment_id: string | null;
    account_id: string;
    message_id: string;
    to: string | null;
    subject: string | null;
    by_machine: boolean;
  };
};

/** A link in an email was clicked, if click tracking is on */
export type EmailClickedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "email.clicked";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    email_id: string;
    kind: "step" | "manual" | "placement";
    thread_id: string;
    campaign_id: string | null;
    step_id: string | null;
    step_position: number | null;
    lead_id: string | null;
    enrollment_id: string | null;
    account_id: string;
    message_id: string;
    to: string | null;
    subject: string | null;
    by_machine: boolean;
    url: string | null;
  };
};

/** A person replied */
export type ReplyReceivedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "reply.received";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    email_id: string | null;
    mail_id: string;
    thread_id: string;
    campaign_id: string | null;
    lead_id: string | null;
    enrollment_id: string | null;
    account_id: string;
    from: string | null;
    subject: string | null;
    interest: "interested" | "not_interested" | "neutral" | "meeting" | null;
    matched_by: string | null;
  };
};

/** An auto-reply came in: out of office, or the person has left the company */
export type ReplyAutoEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "reply.auto";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    email_id: string | null;
    mail_id: string;
    thread_id: string;
    campaign_id: string | null;
    lead_id: string | null;
    enrollment_id: string | null;
    account_id: string;
    returns_on: string | null;
    left_company: boolean;
    new_contact: string | null;
  };
};

/** A known contact wrote, but not in reply to a campaign */
export type ReplyUntrackedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "reply.untracked";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    mail_id: string;
    thread_id: string;
    lead_id: string | null;
    account_id: string;
    from: string | null;
    subject: string | null;
  };
};

/** Leads were added to a campaign, up to 1,000 per event */
export type LeadEnrolledEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "lead.enrolled";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    campaign_id: string;
    lead_ids: Array<string>;
  };
};

/** A lead's status in a campaign changed */
export type LeadStatusChangedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "lead.status_changed";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    campaign_id: string;
    lead_id: string;
    enrollment_id: string;
    previous: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
    current: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
    stop_reason: string | null;
  };
};

/** A reply was classified as interested or as a meeting */
export type LeadInterestedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "lead.interested";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    campaign_id: string;
    lead_id: string;
    enrollment_id: string;
    interest: "interested" | "not_interested" | "neutral" | "meeting";
  };
};

/** A lead unsubscribed */
export type LeadUnsubscribedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "lead.unsubscribed";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    campaign_id: string;
    lead_id: string;
    enrollment_id: string;
    previous: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
    current: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
    stop_reason: string | null;
  };
};

/** A lead reached the end of a sequence */
export type LeadCompletedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "lead.completed";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    campaign_id: string;
    lead_id: string;
    enrollment_id: string;
    previous: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
    current: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";
    stop_reason: string | null;
  };
};

/** A recipient reported an email as spam */
export type ComplaintReceivedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "complaint.received";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    email_id: string | null;
    mail_id: string;
    thread_id: string;
    campaign_id: string | null;
    lead_id: string | null;
    enrollment_id: string | null;
    account_id: string;
  };
};

/** A campaign started for the first time */
export type CampaignStartedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "campaign.started";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    campaign_id: string;
    name: string;
    reason: "manual" | "bounce_rate" | "complaint_rate" | "plan_limit" | null;
  };
};

/** A campaign was paused, manually or by a safety limit */
export type CampaignPausedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "campaign.paused";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    campaign_id: string;
    name: string;
    reason: "manual" | "bounce_rate" | "complaint_rate" | "plan_limit" | null;
    sends?: number;
    hard_bounces?: number;
    complaints?: number;
  };
};

/** A campaign was resumed */
export type CampaignResumedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "campaign.resumed";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    campaign_id: string;
    name: string;
    reason: "manual" | "bounce_rate" | "complaint_rate" | "plan_limit" | null;
  };
};

/** A campaign finished: no leads are left to email */
export type CampaignCompletedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "campaign.completed";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    campaign_id: string;
    name: string;
    reason: "manual" | "bounce_rate" | "complaint_rate" | "plan_limit" | null;
  };
};

/** A mailbox can't send and was paused */
export type AccountErrorEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "account.error";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    account_id: string;
    email: string;
    reason: "manual" | "health" | "auth" | "smtp_errors" | null;
    last_error: string | null;
    reconnect_url?: string | null;
  };
};

/** A mailbox is working again */
export type AccountRecoveredEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "account.recovered";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    account_id: string;
    email: string;
  };
};

/** A mailbox's health score changed */
export type AccountHealthChangedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "account.health_changed";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    account_id: string;
    email: string;
    previous: number;
    current: number;
    cause: "hard_bounces" | "complaints" | "smtp_errors" | "placement" | null;
    points: {
      hard_bounces: number;
      complaints: number;
      smtp_errors: number;
      placement: number;
    };
    halved: boolean;
    starts_new_leads: boolean;
    status: "active" | "paused" | "error" | "disabled";
    paused_until: string | null;
  };
};

/** A variant was paused because of too many bounces or complaints */
export type ExperimentVariantPausedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "experiment.variant_paused";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    experiment_id: string;
    campaign_id: string;
    variant_id: string;
    variant: string;
    reason: string;
  };
};

/** An experiment ended */
export type ExperimentCompletedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "experiment.completed";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    experiment_id: string;
    campaign_id: string;
    name: string;
    winner_variant_id: string | null;
    winner: string | null;
    recommendation_code: string;
    recommendation: string;
  };
};

/** A placement run finished, with results or without */
export type PlacementCompletedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "placement.completed";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    run_id: string;
    trigger_type: "manual" | "scheduled" | "health";
    status: "pending" | "running" | "completed" | "failed" | "cancelled";
    account_ids: Array<string>;
    total_tests: number;
    inbox_count: number;
    spam_count: number;
    promotions_count: number;
    not_delivered_count: number;
    failed_count: number;
    inbox_rate: number;
  };
};

/** An address or domain was suppressed */
export type SuppressionCreatedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "suppression.created";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    suppression_id: string;
    email_hash: string;
    reason: "import" | "manual" | "bounce" | "unsubscribe" | "complaint";
  };
};

/** A task is due for a team member */
export type TaskCreatedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "task.created";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    task_id: string;
    step_id: string;
    campaign_id: string;
    lead_id: string;
    enrollment_id: string;
  };
};

/** Usage is close to a plan limit */
export type BillingLimitWarningEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "billing.limit_warning";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    limit: "accounts" | "leads" | "active_campaigns" | "mails" | "running_experiments" | "placement_runs" | "webhooks" | "keys" | "members";
    used: number;
    allowed: number;
    plan: "community" | "starter" | "pro" | "scale";
    period: string;
  };
};

/** Usage reached a plan limit */
export type BillingLimitReachedEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "billing.limit_reached";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    limit: "accounts" | "leads" | "active_campaigns" | "mails" | "running_experiments" | "placement_runs" | "webhooks" | "keys" | "members";
    used: number;
    allowed: number;
    plan: "community" | "starter" | "pro" | "scale";
    period: string;
  };
};

/** A webhook was disabled; sent to the team's other webhooks */
export type WebhookDisabledEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "webhook.disabled";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    webhook_id: string;
    url: string;
    reason: "gone" | "failing";
    failures: number;
    last_status: number | null;
    last_error: string | null;
  };
};

/** A test event, sent only to the webhook under test */
export type WebhookTestEvent = {
  id: string;
  /** Rises with every event; has gaps */
  seq: number;
  type: "webhook.test";
  /** ISO 8601, UTC, milliseconds */
  created_at: string;
  team_id: string;
  env: "live" | "test";
  data: {
    webhook_id: string;
    message: string;
  };
};

/** `text/csv`, or `text/csv; charset=latin1`. */
export type WithCharset<Type extends string> = Type | `${Type}; charset=${string}`;

/** What each operation takes and answers. */
export interface Operations {
  /** List campaigns. `GET /campaigns` */
  listCampaigns: { args: { limit?: number | undefined; offset?: number | undefined; status?: "draft" | "active" | "paused" | "completed" | "archived" | undefined }; answer: CampaignList };
  /** Create a campaign. `POST /campaigns` */
  createCampaign: { args: { body: CampaignCreate }; answer: Campaign };
  /** Get a campaign. `GET /campaigns/{id}` */
  getCampaign: { args: { id: string }; answer: CampaignDetail };
  /** Update a campaign. `PATCH /campaigns/{id}` */
  patchCampaign: { args: { id: string; body: CampaignPatch }; answer: PatchCampaignResult };
  /** Delete a campaign. `DELETE /campaigns/{id}` */
  deleteCampaign: { args: { id: string }; answer: undefined };
  /** Start a campaign. `POST /campaigns/{id}/start` */
  startCampaign: { args: { id: string }; answer: PatchCampaignResult };
  /** Pause a campaign. `POST /campaigns/{id}/pause` */
  pauseCampaign: { args: { id: string }; answer: PatchCampaignResult };
  /** Resume a campaign. `POST /campaigns/{id}/resume` */
  resumeCampaign: { args: { id: string }; answer: PatchCampaignResult };
  /** Archive a campaign. `POST /campaigns/{id}/archive` */
  archiveCampaign: { args: { id: string }; answer: PatchCampaignResult };
  /** List steps. `GET /campaigns/{id}/steps` */
  listCampaignSteps: { args: { id: string }; answer: CampaignStepList };
  /** Create a step. `POST /campaigns/{id}/steps` */
  createCampaignStep: { args: { id: string; dry_run?: boolean | undefined; body: CampaignStepCreate }; answer: CreateCampaignStepResult };
  /** Get a step. `GET /campaigns/{id}/steps/{stepId}` */
  getCampaignStep: { args: { id: string; stepId: string }; answer: CampaignStep };
  /** Update a step. `PATCH /campaigns/{id}/steps/{stepId}` */
  patchCampaignStep: { args: { id: string; stepId: string; dry_run?: boolean | undefined; body: CampaignStepPatch }; answer: CreateCampaignStepResult };
  /** Delete a step. `DELETE /campaigns/{id}/steps/{stepId}` */
  deleteCampaignStep: { args: { id: string; stepId: string; dry_run?: boolean | undefined }; answer: CreateCampaignStepResult | undefined };
  /** Check a step for spam. `POST /campaigns/{id}/steps/{stepId}/check` */
  checkCampaignStep: { args: { id: string; stepId: string; body: CheckCampaignStepRequest }; answer: CheckCampaignStepResult };
  /** Send a test email. `POST /campaigns/{id}/steps/{stepId}/send-test` */
  sendTestCampaignStep: { args: { id: string; stepId: string; body: SendTestCampaignStepRequest }; answer: SendTestCampaignStepResult };
  /** List leads of a campaign. `GET /campaigns/{id}/leads` */
  listCampaignLeads: { args: { id: string; limit?: number | undefined; offset?: number | undefined; after?: string | undefined; status?: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed" | undefined; hold_reason?: "missing_variable" | "unknown_send" | "task" | "account_gone" | "planning_failed" | undefined; interest?: "interested" | "not_interested" | "neutral" | "meeting" | undefined; response?: string | undefined; email?: string | undefined; search?: string | undefined }; answer: CampaignLeadList };
  /** Add leads to a campaign. `POST /campaigns/{id}/leads` */
  importCampaignLeads: { args: { id: string; body: ImportCampaignLeadsRequest }; answer: ImportCampaignLeadsResult };
  /** Change many leads of a campaign. `POST /campaigns/{id}/leads/bulk` */
  changeCampaignLeads: { args: { id: string; body: ChangeCampaignLeadsRequest }; answer: ChangeCampaignLeadsResult };
  /** Get a lead of a campaign. `GET /campaigns/{id}/leads/{leadId}` */
  getCampaignLead: { args: { id: string; leadId: string }; answer: CampaignLead };
  /** Update a lead of a campaign. `PATCH /campaigns/{id}/leads/{leadId}` */
  patchCampaignLead: { args: { id: string; leadId: string; body: CampaignLeadPatch }; answer: CampaignLeadDetail };
  /** Remove a lead from a campaign. `DELETE /campaigns/{id}/leads/{leadId}` */
  deleteCampaignLead: { args: { id: string; leadId: string }; answer: undefined };
  /** Resolve an unconfirmed email. `POST /campaigns/{id}/leads/{leadId}/resolve` */
  resolveCampaignLead: { args: { id: string; leadId: string; body: ResolveCampaignLeadRequest }; answer: CampaignLead };
  /** Preview a step. `POST /campaigns/{id}/preview` */
  previewCampaign: { args: { id: string; body: PreviewCampaignRequest }; answer: PreviewCampaignResult };
  /** Run the launch check. `GET /campaigns/{id}/launch-check` */
  getCampaignLaunchCheck: { args: { id: string }; answer: CampaignLaunchCheck };
  /** Get campaign statistics. `GET /campaigns/{id}/stats` */
  getCampaignStats: { args: { id: string }; answer: CampaignStats };
  /** Forecast a campaign. `GET /campaigns/{id}/forecast` */
  getCampaignForecast: { args: { id: string; days?: number | undefined; as_if_started?: boolean | undefined }; answer: CampaignForecast };
  /** Explain a lead's next email. `GET /campaigns/{id}/leads/{leadId}/explain` */
  explainCampaignLead: { args: { id: string; leadId: string }; answer: CampaignLeadExplain };
  /** Get statistics by day. `GET /stats` */
  getStats: { args: { from?: string | undefined; to?: string | undefined; timezone?: string | undefined; campaign_id?: string | undefined; account_id?: string | undefined }; answer: Stats };
  /** List leads. `GET /leads` */
  listLeads: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; email?: string | undefined; search?: string | undefined; status?: "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed" | undefined; interest?: "interested" | "not_interested" | "neutral" | "meeting" | undefined }; answer: LeadList };
  /** Get a lead. `GET /leads/{id}` */
  getLead: { args: { id: string }; answer: Lead };
  /** Update a lead. `PATCH /leads/{id}` */
  patchLead: { args: { id: string; body: LeadPatch }; answer: Lead };
  /** Erase a lead. `DELETE /leads/{id}` */
  deleteLead: { args: { id: string }; answer: undefined };
  /** List campaigns of a lead. `GET /leads/{id}/campaigns` */
  listLeadCampaigns: { args: { id: string }; answer: LeadCampaignList };
  /** Get a lead's timeline. `GET /leads/{id}/timeline` */
  listLeadTimeline: { args: { id: string }; answer: LeadTimelineList };
  /** Import a file. `POST /campaigns/{id}/leads/import` */
  importCampaignFile: { args: { id: string; import_id?: string | undefined; file_name?: string | undefined; map?: string | undefined; delimiter?: "," | ";" | "\t" | "|" | "tab" | undefined; existing?: "keep" | "merge" | "replace" | undefined; skip_if_in_other_campaign?: boolean | undefined; dry_run?: boolean | undefined; body: Blob | string; contentType: WithCharset<"text/csv" | "application/x-ndjson"> }; answer: ImportCampaignFileResult };
  /** List imports. `GET /imports` */
  listImports: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; campaign_id?: string | undefined; status?: "running" | "done" | "interrupted" | "failed" | "cancelled" | "undoing" | "undone" | undefined }; answer: ImportList };
  /** Preview an import. `POST /imports/preview` */
  previewImport: { args: { map?: string | undefined; delimiter?: "," | ";" | "\t" | "|" | "tab" | undefined; body: Blob | string; contentType: WithCharset<"text/csv" | "application/x-ndjson"> }; answer: PreviewImportResult };
  /** Get an import. `GET /imports/{id}` */
  getImport: { args: { id: string }; answer: Import };
  /** Stream an import's progress. `GET /imports/{id}/stream` */
  streamImport: { args: { id: string }; answer: Response };
  /** Download an import's lines. `GET /imports/{id}/lines` */
  downloadImportLines: { args: { id: string; format?: "csv" | "ndjson" | undefined; outcome?: string | undefined }; answer: Response };
  /** Download what an undo left. `GET /imports/{id}/not-restored` */
  getImportNotRestored: { args: { id: string; format?: "csv" | "ndjson" | undefined }; answer: Response };
  /** Resume an import. `POST /imports/{id}/resume` */
  resumeImport: { args: { id: string; offset: number; body: Blob | string; contentType: WithCharset<"text/csv" | "application/x-ndjson"> }; answer: ImportCampaignFileResult };
  /** Cancel an import. `POST /imports/{id}/cancel` */
  cancelImport: { args: { id: string }; answer: Import };
  /** Undo an import. `POST /imports/{id}/undo` */
  undoImport: { args: { id: string }; answer: Import };
  /** Export leads. `GET /exports/leads` */
  exportLeads: { args: { format?: "csv" | "ndjson" | undefined; campaign_id?: string | undefined }; answer: Response };
  /** Export messages. `GET /exports/messages` */
  exportMessages: { args: { format?: "csv" | "ndjson" | undefined; campaign_id?: string | undefined; from?: string | undefined; until?: string | undefined }; answer: Response };
  /** Export events. `GET /exports/events` */
  exportEvents: { args: { format?: "csv" | "ndjson" | undefined }; answer: Response };
  /** Export step results. `GET /exports/results` */
  exportResults: { args: { format?: "csv" | "ndjson" | undefined; campaign_id?: string | undefined }; answer: Response };
  /** List tasks. `GET /tasks` */
  listTasks: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; done?: boolean | undefined; campaign_id?: string | undefined }; answer: TaskList };
  /** Get a task. `GET /tasks/{id}` */
  getTask: { args: { id: string }; answer: Task };
  /** Update a task. `PATCH /tasks/{id}` */
  patchTask: { args: { id: string; body: TaskPatch }; answer: Task };
  /** List accounts. `GET /accounts` */
  listAccounts: { args: { limit?: number | undefined; offset?: number | undefined }; answer: AccountList };
  /** Create an account. `POST /accounts` */
  createAccount: { args: { body: AccountCreate }; answer: Account };
  /** Get an account. `GET /accounts/{id}` */
  getAccount: { args: { id: string }; answer: Account };
  /** Update an account. `PATCH /accounts/{id}` */
  patchAccount: { args: { id: string; body: AccountPatch }; answer: AccountDetail };
  /** Delete an account. `DELETE /accounts/{id}` */
  deleteAccount: { args: { id: string }; answer: undefined };
  /** Start an OAuth connection. `POST /accounts/{id}/connect` */
  connectAccount: { args: { id: string }; answer: ConnectAccountResult };
  /** Test an account. `POST /accounts/{id}/test` */
  testAccount: { args: { id: string; body: TestAccountRequest }; answer: TestAccountResult };
  /** Check an account's DNS. `GET /accounts/{id}/dns` */
  getAccountDns: { args: { id: string; selector?: string | undefined }; answer: AccountDns };
  /** Get the DKIM key. `GET /accounts/{id}/dkim` */
  getAccountDkim: { args: { id: string }; answer: AccountDkim };
  /** Create a DKIM key. `POST /accounts/{id}/dkim` */
  setAccountDkim: { args: { id: string; body: SetAccountDkimRequest }; answer: AccountDkim };
  /** Delete the DKIM key. `DELETE /accounts/{id}/dkim` */
  deleteAccountDkim: { args: { id: string }; answer: undefined };
  /** List account activity. `GET /accounts/activity` */
  listAccountActivity: { args: { hours?: number | undefined }; answer: AccountActivityList };
  /** Get an account's health. `GET /accounts/{id}/health` */
  getAccountHealth: { args: { id: string; days?: number | undefined }; answer: AccountHealth };
  /** Get an account's usage. `GET /accounts/{id}/usage` */
  getAccountUsage: { args: { id: string }; answer: AccountUsage };
  /** List suppressions. `GET /suppressions` */
  listSuppressions: { args: { limit?: number | undefined; offset?: number | undefined; reason?: "import" | "manual" | "bounce" | "unsubscribe" | "complaint" | undefined; email?: string | undefined }; answer: SuppressionList };
  /** Create a suppression. `POST /suppressions` */
  createSuppression: { args: { body: SuppressionCreate }; answer: CreateSuppressionResult };
  /** Check an address. `GET /suppressions/check` */
  checkSuppression: { args: { email: string }; answer: SuppressionCheck };
  /** Get a suppression. `GET /suppressions/{id}` */
  getSuppression: { args: { id: string }; answer: Suppression };
  /** Delete a suppression. `DELETE /suppressions/{id}` */
  deleteSuppression: { args: { id: string; reason?: string | undefined; resume?: boolean | undefined }; answer: undefined };
  /** List experiments, newest first. `GET /experiments` */
  listExperiments: { args: { campaign_id?: string | undefined; status?: "running" | "paused" | "evaluating" | "completed" | "cancelled" | undefined; limit?: number | undefined; offset?: number | undefined }; answer: Array<Experiment> };
  /** Create an experiment; leads are assigned from then on. `POST /experiments` */
  createExperiment: { args: { body: ExperimentCreate }; answer: Experiment };
  /** What a list of leads can show, before anything is sent. `GET /experiments/plan` */
  getExperimentPlan: { args: { campaign_id?: string | undefined; step_position?: number | undefined; leads?: number | undefined; leads_per_day?: number | undefined; baseline?: number | undefined; variants?: number | undefined; duration_days?: number | undefined; attribution_window_days?: number | undefined }; answer: ExperimentPlan };
  /** An experiment with its variants. `GET /experiments/{id}` */
  getExperiment: { args: { id: string }; answer: ExperimentDetail };
  /** Change an experiment, or move it by its status. `PATCH /experiments/{id}` */
  patchExperiment: { args: { id: string; body: ExperimentPatch }; answer: ExperimentDetail };
  /** What the numbers say; may be read every day. `GET /experiments/{id}/results` */
  getExperimentResults: { args: { id: string }; answer: ExperimentResult };
  /** What the mails of each day brought, and how leads were split. `GET /experiments/{id}/history` */
  getExperimentHistory: { args: { id: string }; answer: ExperimentHistory };
  /** Assign nobody for now; leads get the step as it is. `POST /experiments/{id}/pause` */
  pauseExperiment: { args: { id: string }; answer: Experiment };
  /** Go on after a pause. `POST /experiments/{id}/resume` */
  resumeExperiment: { args: { id: string }; answer: Experiment };
  /** End it without a verdict. `POST /experiments/{id}/cancel` */
  cancelExperiment: { args: { id: string }; answer: Experiment };
  /** End it now, with this winner; without one whoever has won by now. `POST /experiments/{id}/complete` */
  completeExperiment: { args: { id: string; body: CompleteExperimentRequest }; answer: Experiment };
  /** Send the winner to everyone: its content becomes the step's. `POST /experiments/{id}/apply-winner` */
  applyExperimentWinner: { args: { id: string }; answer: Experiment };
  /** List conversations, the one with the newest mail first. `GET /inbox/threads` */
  listInboxThreads: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; unread?: boolean | undefined; kind?: "reply" | "auto_reply" | "bounce" | "notice" | "complaint" | "unsubscribe" | "unrelated" | undefined; interest?: "interested" | "not_interested" | "neutral" | "meeting" | undefined; campaign_id?: string | undefined; account_id?: string | undefined; search?: string | undefined }; answer: InboxThreadList };
  /** A conversation, both sides, with what each mail was taken for and did. `GET /inbox/threads/{id}` */
  getInboxThread: { args: { id: string }; answer: InboxThreadDetail };
  /** Mark a conversation read, say what it is, judge it. `PATCH /inbox/threads/{id}` */
  patchInboxThread: { args: { id: string; body: InboxThreadPatch }; answer: InboxThread };
  /** Answer by hand: in the thread, from the mailbox that was written to, at once. `POST /inbox/threads/{id}/reply` */
  replyToInboxThread: { args: { id: string; body: ReplyToInboxThreadRequest }; answer: InboxThreadReply };
  /** Make an untracked conversation a lead's; its mails take effect. `POST /inbox/threads/{id}/attach` */
  attachInboxThread: { args: { id: string; body: AttachInboxThreadRequest }; answer: InboxThread };
  /** A mail that came in, or a message of ours. `GET /messages/{id}` */
  getMessage: { args: { id: string }; answer: InboxThreadReply };
  /** Mark a mail read, or say what it is. `PATCH /messages/{id}` */
  patchMessage: { args: { id: string; body: MessagePatch }; answer: InboxThreadReply };
  /** Decide about a message of ours that may or may not have been delivered. `POST /messages/{id}/resolve` */
  resolveMessage: { args: { id: string; body: ResolveMessageRequest }; answer: InboxThreadReply };
  /** A message as it came in, or as it is handed over. `GET /messages/{id}/raw` */
  getMessageRaw: { args: { id: string }; answer: Response };
  /** List seed mailboxes, oldest first. `GET /placement/seeds` */
  listPlacementSeeds: { args: { limit?: number | undefined; offset?: number | undefined }; answer: PlacementSeedList };
  /** Add a seed mailbox. `POST /placement/seeds` */
  createPlacementSeed: { args: { body: PlacementSeedCreate }; answer: PlacementSeed };
  /** A seed mailbox. `GET /placement/seeds/{id}` */
  getPlacementSeed: { args: { id: string }; answer: PlacementSeed };
  /** Change a seed mailbox, or pause and reactivate it by its status. `PATCH /placement/seeds/{id}` */
  patchPlacementSeed: { args: { id: string; body: PlacementSeedPatch }; answer: PlacementSeed };
  /** Delete a seed mailbox; what was found in it stays in the runs. `DELETE /placement/seeds/{id}` */
  deletePlacementSeed: { args: { id: string }; answer: undefined };
  /** Log in to a seed mailbox and look around; changes nothing in it. `POST /placement/seeds/{id}/test` */
  testPlacementSeed: { args: { id: string }; answer: TestPlacementSeedResult };
  /** List placement runs, newest first. `GET /placement/runs` */
  listPlacementRuns: { args: { limit?: number | undefined; offset?: number | undefined; status?: "pending" | "running" | "completed" | "failed" | "cancelled" | undefined; trigger_type?: "manual" | "scheduled" | "health" | undefined }; answer: PlacementRunList };
  /** Begin a placement run. `POST /placement/runs` */
  createPlacementRun: { args: { body: PlacementRunCreate }; answer: PlacementRunCreated };
  /** A placement run with the result of each test. `GET /placement/runs/{id}` */
  getPlacementRun: { args: { id: string }; answer: PlacementRunCreated };
  /** Cancel a placement run; what it found stays. `POST /placement/runs/{id}/cancel` */
  cancelPlacementRun: { args: { id: string }; answer: PlacementRun };
  /** List placement schedules, oldest first. `GET /placement/schedules` */
  listPlacementSchedules: { args: { limit?: number | undefined; offset?: number | undefined }; answer: PlacementScheduleList };
  /** Begin a placement run every week. `POST /placement/schedules` */
  createPlacementSchedule: { args: { body: PlacementScheduleCreate }; answer: PlacementSchedule };
  /** A placement schedule. `GET /placement/schedules/{id}` */
  getPlacementSchedule: { args: { id: string }; answer: PlacementSchedule };
  /** Change a placement schedule. `PATCH /placement/schedules/{id}` */
  patchPlacementSchedule: { args: { id: string; body: PlacementSchedulePatch }; answer: PlacementSchedule };
  /** Delete a placement schedule; its runs stay. `DELETE /placement/schedules/{id}` */
  deletePlacementSchedule: { args: { id: string }; answer: undefined };
  /** List webhooks. `GET /webhooks` */
  listWebhooks: { args: { limit?: number | undefined; offset?: number | undefined }; answer: WebhookList };
  /** Create a webhook. `POST /webhooks` */
  createWebhook: { args: { body: WebhookCreate }; answer: Webhook };
  /** A webhook. `GET /webhooks/{id}` */
  getWebhook: { args: { id: string }; answer: Webhook };
  /** Change a webhook, or turn it on or off. `PATCH /webhooks/{id}` */
  patchWebhook: { args: { id: string; body: WebhookPatch }; answer: Webhook };
  /** Delete a webhook and its deliveries. `DELETE /webhooks/{id}` */
  deleteWebhook: { args: { id: string }; answer: undefined };
  /** Replace the secret; both sign for a while. `POST /webhooks/{id}/rotate-secret` */
  rotateSecretWebhook: { args: { id: string; body: RotateSecretWebhookRequest }; answer: Webhook };
  /** Send a test event and see what comes of it. `POST /webhooks/{id}/test` */
  testWebhook: { args: { id: string }; answer: TestWebhookResult };
  /** List deliveries, the newest event first. `GET /webhooks/{id}/deliveries` */
  listWebhookDeliveries: { args: { id: string; limit?: number | undefined; offset?: number | undefined; after?: string | undefined; status?: "pending" | "succeeded" | "failed" | undefined; type?: "email.sent" | "email.failed" | "email.deferred" | "email.bounced" | "email.opened" | "email.clicked" | "reply.received" | "reply.auto" | "reply.untracked" | "lead.enrolled" | "lead.status_changed" | "lead.interested" | "lead.unsubscribed" | "lead.completed" | "complaint.received" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "account.error" | "account.recovered" | "account.health_changed" | "experiment.variant_paused" | "experiment.completed" | "placement.completed" | "suppression.created" | "task.created" | "billing.limit_warning" | "billing.limit_reached" | "webhook.disabled" | "webhook.test" | undefined }; answer: WebhookDeliveryList };
  /** A delivery, what is sent, and every attempt. `GET /webhooks/{id}/deliveries/{deliveryId}` */
  getWebhookDelivery: { args: { id: string; deliveryId: string }; answer: TestWebhookResult };
  /** Send again. `POST /webhooks/{id}/deliveries/{deliveryId}/replay` */
  replayWebhookDelivery: { args: { id: string; deliveryId: string }; answer: TestWebhookResult };
  /** Send a range of events again. `POST /webhooks/{id}/replay` */
  replayWebhook: { args: { id: string; body: ReplayWebhookRequest }; answer: ReplayWebhookResult };
  /** List events, oldest first. `GET /events` */
  listEvents: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; type?: string | undefined }; answer: EventList };
  /** Events as they happen. `GET /events/stream` */
  getEventStream: { args: { after?: string | undefined; type?: string | undefined }; answer: Response };
  /** An event. `GET /events/{id}` */
  getEvent: { args: { id: string }; answer: Event };
  /** List the kinds of event, with a schema and an example of each. `GET /event-types` */
  listEventTypes: { args: Record<never, never>; answer: EventTypeList };
  /** The team of this key. `GET /team` */
  getTeam: { args: Record<never, never>; answer: Team };
  /** Change name, postal address, footer or the words that mean interest. `PATCH /team` */
  patchTeam: { args: { body: TeamPatch }; answer: Team };
  /** List the people of the team. `GET /team/members` */
  listTeamMembers: { args: { limit?: number | undefined; offset?: number | undefined }; answer: TeamMemberList };
  /** One of the team's people. `GET /team/members/{id}` */
  getTeamMember: { args: { id: string }; answer: TeamMember };
  /** Give somebody another role. `PATCH /team/members/{id}` */
  patchTeamMember: { args: { id: string; body: TeamMemberPatch }; answer: TeamMember };
  /** Take somebody out of the team, at once. `DELETE /team/members/{id}` */
  deleteTeamMember: { args: { id: string }; answer: undefined };
  /** List invitations that wait. `GET /team/invitations` */
  listTeamInvitations: { args: { limit?: number | undefined; offset?: number | undefined }; answer: TeamInvitationList };
  /** Invite somebody by a link. `POST /team/invitations` */
  createTeamInvitation: { args: { body: TeamInvitationCreate }; answer: TeamInvitationCreated };
  /** An invitation, without its link. `GET /team/invitations/{id}` */
  getTeamInvitation: { args: { id: string }; answer: TeamInvitation };
  /** Withdraw an invitation. `DELETE /team/invitations/{id}` */
  deleteTeamInvitation: { args: { id: string }; answer: undefined };
  /** List keys. `GET /keys` */
  listKeys: { args: { limit?: number | undefined; offset?: number | undefined; env?: "live" | "test" | undefined }; answer: KeyList };
  /** Create a key; the answer is the only place that shows it. `POST /keys` */
  createKey: { args: { body: KeyCreate }; answer: KeyCreated };
  /** A key, without the key itself. `GET /keys/{id}` */
  getKey: { args: { id: string; env?: "live" | "test" | undefined }; answer: Key };
  /** Revoke a key at once. `DELETE /keys/{id}` */
  deleteKey: { args: { id: string; env?: "live" | "test" | undefined }; answer: undefined };
  /** Replace a key; the old one works on for a while. `POST /keys/{id}/rotate` */
  rotateKey: { args: { id: string; env?: "live" | "test" | undefined; body: RotateKeyRequest }; answer: KeyCreated };
  /** List the audit log, newest first. `GET /audit` */
  listAudit: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; actor?: string | undefined; action?: string | undefined; target?: string | undefined; request_id?: string | undefined; since?: string | undefined; until?: string | undefined }; answer: AuditList };
  /** List the latest requests, newest first. `GET /requests` */
  listRequests: { args: { limit?: number | undefined; offset?: number | undefined; method?: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS" | undefined; outcome?: "ok" | "refused" | "failed" | undefined; path?: string | undefined; key_id?: string | undefined }; answer: RequestList };
  /** The team's plan, and what it has used. `GET /billing/subscription` */
  getBillingSubscription: { args: Record<never, never>; answer: BillingSubscription };
  /** Begin or change a subscription: the address of the page that completes it. `POST /billing/subscribe` */
  subscribeBilling: { args: { body: SubscribeBillingRequest }; answer: SubscribeBillingResult };
  /** Put the team on the plan of a licence. `POST /billing/licence` */
  licenceBilling: { args: { body: LicenceBillingRequest }; answer: BillingSubscription };
  /** The page of the payment provider on which a subscription is managed. `POST /billing/portal` */
  portalBilling: { args: Record<never, never>; answer: SubscribeBillingResult };
  /** The time in the test world. `GET /sandbox/clock` */
  getSandboxClock: { args: Record<never, never>; answer: SandboxClock };
  /** Move the clock, or set how fast it runs. `POST /sandbox/clock` */
  moveSandboxClock: { args: { body: MoveSandboxClockRequest }; answer: SandboxClock };
  /** Captured messages, newest first. `GET /sandbox/messages` */
  listSandboxMessages: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; recipient?: string | undefined; account_id?: string | undefined }; answer: SandboxMessageList };
  /** A captured message, read. `GET /sandbox/messages/{id}` */
  getSandboxMessage: { args: { id: string }; answer: SandboxMessageDetail };
  /** A captured message as it was handed over. `GET /sandbox/messages/{id}/raw` */
  getSandboxMessageRaw: { args: { id: string }; answer: Response };
  /** Play a reply, a bounce or whatever else comes back, now. `POST /sandbox/inject` */
  injectIntoSandbox: { args: { body: InjectIntoSandboxRequest }; answer: InjectIntoSandboxResult };
  /** How simulated people and servers behave. `GET /sandbox/settings` */
  getSandboxSettings: { args: Record<never, never>; answer: SandboxSettings };
  /** Change how simulated people and servers behave. `PATCH /sandbox/settings` */
  patchSandboxSettings: { args: { body: SandboxSettingsPatch }; answer: SandboxSettings };
  /** Start anew. `DELETE /sandbox` */
  resetSandbox: { args: Record<never, never>; answer: undefined };
  /** List the backups that lie here, newest first. `GET /backups` */
  listBackups: { args: { limit?: number | undefined; offset?: number | undefined }; answer: BackupList };
  /** Begin a backup of both worlds, which is unpacked and checked afterwards. `POST /backups` */
  backups: { args: Record<never, never>; answer: BackupsResult };
  /** The last work on backups. `GET /backups/task` */
  getBackupTask: { args: Record<never, never>; answer: BackupTask };
  /** When backups are made by themselves, and where they lie. `GET /backups/schedule` */
  getBackupSchedule: { args: Record<never, never>; answer: BackupSchedule };
  /** Put a backup that was made elsewhere beside the others. `POST /backups/upload` */
  uploadBackup: { args: { body: Blob | string; contentType: WithCharset<"application/octet-stream"> }; answer: Backup };
  /** A backup. `GET /backups/{id}` */
  getBackup: { args: { id: string }; answer: Backup };
  /** Delete a backup. `DELETE /backups/{id}` */
  deleteBackup: { args: { id: string }; answer: undefined };
  /** The archive itself. `GET /backups/{id}/download` */
  getBackupDownload: { args: { id: string }; answer: Response };
  /** Begin to unpack a backup and to check everything in it. `POST /backups/{id}/verify` */
  verifyBackup: { args: { id: string; body: VerifyBackupRequest }; answer: BackupsResult };
  /** Begin to put a backup in the place of everything that is here. `POST /backups/{id}/restore` */
  restoreBackup: { args: { id: string; body: RestoreBackupRequest }; answer: BackupsResult };
  /** How the installation is: sizes, queues, lanes, and what doctor says. `GET /system` */
  getSystem: { args: Record<never, never>; answer: System };
}

/** Where an operation is: its method and path; `file` where what comes is no JSON. */
export const PLACES: { readonly [Id in keyof Operations]: string } = {
  listCampaigns: "GET /campaigns",
  createCampaign: "POST /campaigns",
  getCampaign: "GET /campaigns/{id}",
  patchCampaign: "PATCH /campaigns/{id}",
  deleteCampaign: "DELETE /campaigns/{id}",
  startCampaign: "POST /campaigns/{id}/start",
  pauseCampaign: "POST /campaigns/{id}/pause",
  resumeCampaign: "POST /campaigns/{id}/resume",
  archiveCampaign: "POST /campaigns/{id}/archive",
  listCampaignSteps: "GET /campaigns/{id}/steps",
  createCampaignStep: "POST /campaigns/{id}/steps",
  getCampaignStep: "GET /campaigns/{id}/steps/{stepId}",
  patchCampaignStep: "PATCH /campaigns/{id}/steps/{stepId}",
  deleteCampaignStep: "DELETE /campaigns/{id}/steps/{stepId}",
  checkCampaignStep: "POST /campaigns/{id}/steps/{stepId}/check",
  sendTestCampaignStep: "POST /campaigns/{id}/steps/{stepId}/send-test",
  listCampaignLeads: "GET /campaigns/{id}/leads",
  importCampaignLeads: "POST /campaigns/{id}/leads",
  changeCampaignLeads: "POST /campaigns/{id}/leads/bulk",
  getCampaignLead: "GET /campaigns/{id}/leads/{leadId}",
  patchCampaignLead: "PATCH /campaigns/{id}/leads/{leadId}",
  deleteCampaignLead: "DELETE /campaigns/{id}/leads/{leadId}",
  resolveCampaignLead: "POST /campaigns/{id}/leads/{leadId}/resolve",
  previewCampaign: "POST /campaigns/{id}/preview",
  getCampaignLaunchCheck: "GET /campaigns/{id}/launch-check",
  getCampaignStats: "GET /campaigns/{id}/stats",
  getCampaignForecast: "GET /campaigns/{id}/forecast",
  explainCampaignLead: "GET /campaigns/{id}/leads/{leadId}/explain",
  getStats: "GET /stats",
  listLeads: "GET /leads",
  getLead: "GET /leads/{id}",
  patchLead: "PATCH /leads/{id}",
  deleteLead: "DELETE /leads/{id}",
  listLeadCampaigns: "GET /leads/{id}/campaigns",
  listLeadTimeline: "GET /leads/{id}/timeline",
  importCampaignFile: "POST /campaigns/{id}/leads/import",
  listImports: "GET /imports",
  previewImport: "POST /imports/preview",
  getImport: "GET /imports/{id}",
  streamImport: "GET /imports/{id}/stream file",
  downloadImportLines: "GET /imports/{id}/lines file",
  getImportNotRestored: "GET /imports/{id}/not-restored file",
  resumeImport: "POST /imports/{id}/resume",
  cancelImport: "POST /imports/{id}/cancel",
  undoImport: "POST /imports/{id}/undo",
  exportLeads: "GET /exports/leads file",
  exportMessages: "GET /exports/messages file",
  exportEvents: "GET /exports/events file",
  exportResults: "GET /exports/results file",
  listTasks: "GET /tasks",
  getTask: "GET /tasks/{id}",
  patchTask: "PATCH /tasks/{id}",
  listAccounts: "GET /accounts",
  createAccount: "POST /accounts",
  getAccount: "GET /accounts/{id}",
  patchAccount: "PATCH /accounts/{id}",
  deleteAccount: "DELETE /accounts/{id}",
  connectAccount: "POST /accounts/{id}/connect",
  testAccount: "POST /accounts/{id}/test",
  getAccountDns: "GET /accounts/{id}/dns",
  getAccountDkim: "GET /accounts/{id}/dkim",
  setAccountDkim: "POST /accounts/{id}/dkim",
  deleteAccountDkim: "DELETE /accounts/{id}/dkim",
  listAccountActivity: "GET /accounts/activity",
  getAccountHealth: "GET /accounts/{id}/health",
  getAccountUsage: "GET /accounts/{id}/usage",
  listSuppressions: "GET /suppressions",
  createSuppression: "POST /suppressions",
  checkSuppression: "GET /suppressions/check",
  getSuppression: "GET /suppressions/{id}",
  deleteSuppression: "DELETE /suppressions/{id}",
  listExperiments: "GET /experiments",
  createExperiment: "POST /experiments",
  getExperimentPlan: "GET /experiments/plan",
  getExperiment: "GET /experiments/{id}",
  patchExperiment: "PATCH /experiments/{id}",
  getExperimentResults: "GET /experiments/{id}/results",
  getExperimentHistory: "GET /experiments/{id}/history",
  pauseExperiment: "POST /experiments/{id}/pause",
  resumeExperiment: "POST /experiments/{id}/resume",
  cancelExperiment: "POST /experiments/{id}/cancel",
  completeExperiment: "POST /experiments/{id}/complete",
  applyExperimentWinner: "POST /experiments/{id}/apply-winner",
  listInboxThreads: "GET /inbox/threads",
  getInboxThread: "GET /inbox/threads/{id}",
  patchInboxThread: "PATCH /inbox/threads/{id}",
  replyToInboxThread: "POST /inbox/threads/{id}/reply",
  attachInboxThread: "POST /inbox/threads/{id}/attach",
  getMessage: "GET /messages/{id}",
  patchMessage: "PATCH /messages/{id}",
  resolveMessage: "POST /messages/{id}/resolve",
  getMessageRaw: "GET /messages/{id}/raw file",
  listPlacementSeeds: "GET /placement/seeds",
  createPlacementSeed: "POST /placement/seeds",
  getPlacementSeed: "GET /placement/seeds/{id}",
  patchPlacementSeed: "PATCH /placement/seeds/{id}",
  deletePlacementSeed: "DELETE /placement/seeds/{id}",
  testPlacementSeed: "POST /placement/seeds/{id}/test",
  listPlacementRuns: "GET /placement/runs",
  createPlacementRun: "POST /placement/runs",
  getPlacementRun: "GET /placement/runs/{id}",
  cancelPlacementRun: "POST /placement/runs/{id}/cancel",
  listPlacementSchedules: "GET /placement/schedules",
  createPlacementSchedule: "POST /placement/schedules",
  getPlacementSchedule: "GET /placement/schedules/{id}",
  patchPlacementSchedule: "PATCH /placement/schedules/{id}",
  deletePlacementSchedule: "DELETE /placement/schedules/{id}",
  listWebhooks: "GET /webhooks",
  createWebhook: "POST /webhooks",
  getWebhook: "GET /webhooks/{id}",
  patchWebhook: "PATCH /webhooks/{id}",
  deleteWebhook: "DELETE /webhooks/{id}",
  rotateSecretWebhook: "POST /webhooks/{id}/rotate-secret",
  testWebhook: "POST /webhooks/{id}/test",
  listWebhookDeliveries: "GET /webhooks/{id}/deliveries",
  getWebhookDelivery: "GET /webhooks/{id}/deliveries/{deliveryId}",
  replayWebhookDelivery: "POST /webhooks/{id}/deliveries/{deliveryId}/replay",
  replayWebhook: "POST /webhooks/{id}/replay",
  listEvents: "GET /events",
  getEventStream: "GET /events/stream file",
  getEvent: "GET /events/{id}",
  listEventTypes: "GET /event-types",
  getTeam: "GET /team",
  patchTeam: "PATCH /team",
  listTeamMembers: "GET /team/members",
  getTeamMember: "GET /team/members/{id}",
  patchTeamMember: "PATCH /team/members/{id}",
  deleteTeamMember: "DELETE /team/members/{id}",
  listTeamInvitations: "GET /team/invitations",
  createTeamInvitation: "POST /team/invitations",
  getTeamInvitation: "GET /team/invitations/{id}",
  deleteTeamInvitation: "DELETE /team/invitations/{id}",
  listKeys: "GET /keys",
  createKey: "POST /keys",
  getKey: "GET /keys/{id}",
  deleteKey: "DELETE /keys/{id}",
  rotateKey: "POST /keys/{id}/rotate",
  listAudit: "GET /audit",
  listRequests: "GET /requests",
  getBillingSubscription: "GET /billing/subscription",
  subscribeBilling: "POST /billing/subscribe",
  licenceBilling: "POST /billing/licence",
  portalBilling: "POST /billing/portal",
  getSandboxClock: "GET /sandbox/clock",
  moveSandboxClock: "POST /sandbox/clock",
  listSandboxMessages: "GET /sandbox/messages",
  getSandboxMessage: "GET /sandbox/messages/{id}",
  getSandboxMessageRaw: "GET /sandbox/messages/{id}/raw file",
  injectIntoSandbox: "POST /sandbox/inject",
  getSandboxSettings: "GET /sandbox/settings",
  patchSandboxSettings: "PATCH /sandbox/settings",
  resetSandbox: "DELETE /sandbox",
  listBackups: "GET /backups",
  backups: "POST /backups",
  getBackupTask: "GET /backups/task",
  getBackupSchedule: "GET /backups/schedule",
  uploadBackup: "POST /backups/upload",
  getBackup: "GET /backups/{id}",
  deleteBackup: "DELETE /backups/{id}",
  getBackupDownload: "GET /backups/{id}/download file",
  verifyBackup: "POST /backups/{id}/verify",
  restoreBackup: "POST /backups/{id}/restore",
  getSystem: "GET /system",
};
