// Made by .ci/client.ts from the API's own document. Not to be changed by hand.

/** A mailbox that sends and receives */
export type Account = {
  /** The account's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Address of the mailbox */
  email: string;
  /** Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment */
  provider: AccountProvider;
  /** Only an active account sends; `error` ends once the connection works again */
  status: AccountStatus;
  /** Why the account is not active; null when it is */
  status_reason: AccountStatusReason | null;
  /** Whether a connection test has passed; always true in the test environment */
  ready: boolean;
  /** Why the account is not ready; null when it is. `workspace`: its workspace's consent is refused, and it goes on by itself once that is repaired */
  not_ready_reason: AccountNotReadyReason | null;
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
  /** Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all */
  provider_limits: {
    /** Emails per day to recipients at google */
    google?: number;
    /** Emails per day to recipients at microsoft */
    microsoft?: number;
    /** Emails per day to recipients at yahoo */
    yahoo?: number;
    /** Emails per day to recipients at icloud */
    icloud?: number;
    /** Emails per day to recipients at zoho */
    zoho?: number;
  };
  /** Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address */
  verify_addresses: boolean;
  /** Shortest time between two emails, in seconds */
  min_gap_seconds: number;
  /** Longest time between two emails, in seconds; null to spread a day's emails over its sending hours */
  max_gap_seconds: number | null;
  /** Further addresses of the mailbox: email to them arrives in it, and it may send as them */
  aliases: Array<{
    /** Address of the mailbox */
    email: string;
    /** Name in the From header; null or absent: the account's `display_name` */
    name: string | null;
  }>;
  /** The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from */
  send_as: string | null;
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
    security: ServerSecurity;
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
    security: ServerSecurity;
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
  /** Workspace with whose consent the mailbox logs in; null with credentials of its own */
  workspace_id: string | null;
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
  /** Why `verify_addresses` has stopped, or some servers aren't asked; null where nothing is wrong */
  verify_addresses_problem: string | null;
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
  /** The hours, oldest first; the last one is not over yet */
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
  provider: AccountProvider;
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
  /** Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all */
  provider_limits?: {
    /** Emails per day to recipients at google */
    google?: number;
    /** Emails per day to recipients at microsoft */
    microsoft?: number;
    /** Emails per day to recipients at yahoo */
    yahoo?: number;
    /** Emails per day to recipients at icloud */
    icloud?: number;
    /** Emails per day to recipients at zoho */
    zoho?: number;
  };
  /** Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address */
  verify_addresses?: boolean;
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
    security?: ServerSecurity;
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
    security?: ServerSecurity;
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
  /** Workspace with whose consent the mailbox logs in; null with credentials of its own */
  workspace_id?: string | null;
  /** Further addresses of the mailbox: email to them arrives in it, and it may send as them */
  aliases?: Array<{
    /** Address of the mailbox */
    email: string;
    /** Name in the From header; null or absent: the account's `display_name` */
    name?: string | null;
  }>;
  /** The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from */
  send_as?: string | null;
};

export type AccountCreated = {
  /** The account's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Address of the mailbox */
  email: string;
  /** Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment */
  provider: AccountProvider;
  /** Only an active account sends; `error` ends once the connection works again */
  status: AccountStatus;
  /** Why the account is not active; null when it is */
  status_reason: AccountStatusReason | null;
  /** Whether a connection test has passed; always true in the test environment */
  ready: boolean;
  /** Why the account is not ready; null when it is. `workspace`: its workspace's consent is refused, and it goes on by itself once that is repaired */
  not_ready_reason: AccountNotReadyReason | null;
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
  /** Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all */
  provider_limits: {
    /** Emails per day to recipients at google */
    google?: number;
    /** Emails per day to recipients at microsoft */
    microsoft?: number;
    /** Emails per day to recipients at yahoo */
    yahoo?: number;
    /** Emails per day to recipients at icloud */
    icloud?: number;
    /** Emails per day to recipients at zoho */
    zoho?: number;
  };
  /** Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address */
  verify_addresses: boolean;
  /** Shortest time between two emails, in seconds */
  min_gap_seconds: number;
  /** Longest time between two emails, in seconds; null to spread a day's emails over its sending hours */
  max_gap_seconds: number | null;
  /** Further addresses of the mailbox: email to them arrives in it, and it may send as them */
  aliases: Array<{
    /** Address of the mailbox */
    email: string;
    /** Name in the From header; null or absent: the account's `display_name` */
    name: string | null;
  }>;
  /** The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from */
  send_as: string | null;
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
    security: ServerSecurity;
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
    security: ServerSecurity;
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
  /** Workspace with whose consent the mailbox logs in; null with credentials of its own */
  workspace_id: string | null;
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
  /** Why `verify_addresses` has stopped, or some servers aren't asked; null where nothing is wrong */
  verify_addresses_problem: string | null;
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
  /** What the change would do to the emails of the next 7 days. Only in a dry run */
  forecast?: {
    /** Emails that would be sent at another minute, or from another account */
    moved: number;
    /** Emails that would be sent and aren't planned now */
    added: number;
    /** Emails that are planned now and wouldn't be sent */
    removed: number;
    /** When the first of them is planned; null if there is none */
    first_at: string | null;
    /** How far the forecast looks ahead */
    until: string;
    /** The same in words */
    summary: string;
  };
  /** What is odd about the limits in the request, though they were stored. Absent otherwise */
  warning?: string;
};

export type AccountDetail = {
  /** The account's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Address of the mailbox */
  email: string;
  /** Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment */
  provider: AccountProvider;
  /** Only an active account sends; `error` ends once the connection works again */
  status: AccountStatus;
  /** Why the account is not active; null when it is */
  status_reason: AccountStatusReason | null;
  /** Whether a connection test has passed; always true in the test environment */
  ready: boolean;
  /** Why the account is not ready; null when it is. `workspace`: its workspace's consent is refused, and it goes on by itself once that is repaired */
  not_ready_reason: AccountNotReadyReason | null;
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
  /** Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all */
  provider_limits: {
    /** Emails per day to recipients at google */
    google?: number;
    /** Emails per day to recipients at microsoft */
    microsoft?: number;
    /** Emails per day to recipients at yahoo */
    yahoo?: number;
    /** Emails per day to recipients at icloud */
    icloud?: number;
    /** Emails per day to recipients at zoho */
    zoho?: number;
  };
  /** Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address */
  verify_addresses: boolean;
  /** Shortest time between two emails, in seconds */
  min_gap_seconds: number;
  /** Longest time between two emails, in seconds; null to spread a day's emails over its sending hours */
  max_gap_seconds: number | null;
  /** Further addresses of the mailbox: email to them arrives in it, and it may send as them */
  aliases: Array<{
    /** Address of the mailbox */
    email: string;
    /** Name in the From header; null or absent: the account's `display_name` */
    name: string | null;
  }>;
  /** The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from */
  send_as: string | null;
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
    security: ServerSecurity;
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
    security: ServerSecurity;
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
  /** Workspace with whose consent the mailbox logs in; null with credentials of its own */
  workspace_id: string | null;
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
  /** Why `verify_addresses` has stopped, or some servers aren't asked; null where nothing is wrong */
  verify_addresses_problem: string | null;
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
    type: DnsRecordType;
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
    check: DomainCheck;
    /** `fault`: servers refuse emails or file them as spam for it; `advice`: optional; `unknown`: DNS gave no response */
    verdict: DnsVerdict;
    /** What was found */
    message: string;
    /** Records found in DNS */
    found: Array<string>;
    /** How to fix it; null when nothing is wrong */
    remedy: string | null;
    /** Records to publish */
    publish: Array<{
      /** Full name of the record, without a dot at the end */
      name: string;
      /** Type of the record */
      type: DnsRecordType;
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
  dmarc_policy: DmarcPolicy | null;
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
    /** Hard bounces */
    hard_bounces: number;
    /** Emails that were reported as spam */
    complaints: number;
  };
  /** Factor applied to the points, below 1 until 20 emails were sent */
  weight: number;
  /** What the score is made of */
  parts: Array<{
    /** What was measured */
    name: HealthCause;
    /** Points deducted from 100, weighted */
    points: number;
    /** Most points that it can deduct */
    most: number;
    /** Measured rate or count; null when nothing was measured */
    value: number | null;
    /** The same in plain words */
    message: string;
  }>;
  /** The account's status */
  status: AccountStatus;
  /** Why the account is not active; null when it is */
  status_reason: AccountStatusReason | null;
  /** When a pause for poor health ends; null otherwise */
  paused_until: string | null;
  /** First day after a pause for poor health, since when limits are halved; null otherwise */
  on_trial_since: string | null;
  /** Whether limits are halved for poor health */
  halved: boolean;
  /** Whether the account may email new leads; follow-ups continue either way */
  starts_new_leads: boolean;
  /** What a low score causes */
  thresholds: Array<{
    /** Score below which it applies */
    below: number;
    /** What happens below it */
    effect: AccountHealthThresholdEffect;
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
    /** Hard bounces */
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

export type AccountHealthThresholdEffect = "halves_caps" | "starts_no_new_leads" | "pauses";

export type AccountList = {
  /** The accounts, oldest first */
  data: Array<Account>;
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor?: string | null;
  /** Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort` */
  total_is_capped?: boolean;
};

export type AccountNotReadyReason = "no_credentials" | "untested" | "failed" | "workspace";

export type AccountPatch = {
  /** Address of the mailbox */
  email?: string;
  /** Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment */
  provider?: AccountProvider;
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
  /** Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all */
  provider_limits?: {
    /** Emails per day to recipients at google */
    google?: number;
    /** Emails per day to recipients at microsoft */
    microsoft?: number;
    /** Emails per day to recipients at yahoo */
    yahoo?: number;
    /** Emails per day to recipients at icloud */
    icloud?: number;
    /** Emails per day to recipients at zoho */
    zoho?: number;
  };
  /** Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address */
  verify_addresses?: boolean;
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
    security?: ServerSecurity;
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
    security?: ServerSecurity;
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
  /** Workspace with whose consent the mailbox logs in; null with credentials of its own */
  workspace_id?: string | null;
  /** Further addresses of the mailbox: email to them arrives in it, and it may send as them */
  aliases?: Array<{
    /** Address of the mailbox */
    email: string;
    /** Name in the From header; null or absent: the account's `display_name` */
    name?: string | null;
  }>;
  /** The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from */
  send_as?: string | null;
  /** `paused` and `disabled` stop sending; `active` resumes it */
  status?: AccountStatus;
};

export type AccountPlacement = {
  /** The account's id */
  account_id: string;
  /** Of these, emails in the inbox */
  inbox: number;
  /** Tests that have a placement */
  total: number;
  /** `inbox` divided by `total`; 0 without a test */
  rate: number;
  /** Lower end of its 95% interval (Wilson) */
  rate_low: number;
  /** Upper end of its 95% interval */
  rate_high: number;
  /** Weeks with a test, the last 26 at most, oldest first */
  weeks: Array<{
    /** Monday, in the account's time zone */
    from: string;
    /** Of these, emails in the inbox */
    inbox: number;
    /** Tests that have a placement */
    total: number;
    /** `inbox` divided by `total`; 0 without a test */
    rate: number;
    /** Lower end of its 95% interval (Wilson) */
    rate_low: number;
    /** Upper end of its 95% interval */
    rate_high: number;
  }>;
  /** `drop`: fewer emails reach the inbox than before, and chance rarely explains it; `unclear`: it could be chance; `steady`: no sign of a drop; `too_few`: fewer than two runs */
  verdict: AccountPlacementVerdict;
  /** Evidence that the share in the inbox fell, as an e-value: whenever you look, chance alone reaches `x` in at most 1 of `x` series. A drop is reported from 20 */
  e_value: number;
  /** The same in plain words */
  message: string;
  /** The same by the provider of the seeds */
  providers: Array<{
    /** Provider of the seeds */
    provider: SeedProvider;
    /** Completed runs */
    runs: number;
    /** Of these, emails in the inbox */
    inbox: number;
    /** Tests that have a placement */
    total: number;
    /** `inbox` divided by `total`; 0 without a test */
    rate: number;
    /** Lower end of its 95% interval (Wilson) */
    rate_low: number;
    /** Upper end of its 95% interval */
    rate_high: number;
    /** Weeks with a test, the last 26 at most, oldest first */
    weeks: Array<{
      /** Monday, in the account's time zone */
      from: string;
      /** Of these, emails in the inbox */
      inbox: number;
      /** Tests that have a placement */
      total: number;
      /** `inbox` divided by `total`; 0 without a test */
      rate: number;
      /** Lower end of its 95% interval (Wilson) */
      rate_low: number;
      /** Upper end of its 95% interval */
      rate_high: number;
    }>;
    /** `drop`: fewer emails reach the inbox than before, and chance rarely explains it; `unclear`: it could be chance; `steady`: no sign of a drop; `too_few`: fewer than two runs */
    verdict: AccountPlacementVerdict;
    /** Evidence that the share in the inbox fell, as an e-value: whenever you look, chance alone reaches `x` in at most 1 of `x` series. A drop is reported from 20 */
    e_value: number;
    /** The same in plain words */
    message: string;
    /** Run from which the share is lower; null where nothing points at a drop */
    since: string | null;
    /** Runs before it; null without `since` */
    before: {
      /** Of these, emails in the inbox */
      inbox: number;
      /** Tests that have a placement */
      total: number;
    } | null;
    /** Runs since; null without `since` */
    after: {
      /** Of these, emails in the inbox */
      inbox: number;
      /** Tests that have a placement */
      total: number;
    } | null;
  }>;
};

export type AccountPlacementVerdict = "drop" | "unclear" | "steady" | "too_few";

export type AccountProvider = "google" | "microsoft" | "smtp" | "sandbox";

export type AccountStatus = "active" | "paused" | "error" | "disabled";

export type AccountStatusReason = "manual" | "health" | "auth" | "smtp_errors";

export type AccountTestStep = "smtp_dns" | "smtp_connect" | "smtp_tls" | "smtp_login" | "send" | "imap_dns" | "imap_connect" | "imap_tls" | "imap_login" | "read" | "sent_folder";

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

export type AddressReason = "no_such_domain" | "no_mx" | "null_mx" | "no_such_mailbox" | "soft_bounced" | "disposable" | "role_address" | "likely_typo" | "catch_all";

export type AddressVerdict = "valid" | "risky" | "invalid" | "unknown";

export type AttachInboxThreadRequest = {
  /** Id of the campaign lead that the conversation belongs to */
  enrollment_id: string;
};

export type Attention = {
  /** Accounts that don't send although nobody paused them, and those that a provider refuses */
  accounts: Array<Account>;
  /** Workspaces whose consent is refused; their accounts wait, and aren't listed */
  workspaces: Array<Workspace>;
  /** Campaigns that were paused automatically, and those with leads on hold */
  campaigns: Array<Campaign>;
  /** Sending domains with a check that passed once and fails now */
  domains: Array<Domain>;
  /** Webhooks whose last attempts failed, and those turned off for it */
  webhooks: Array<Webhook>;
  /** Experiments with a new winner that isn't applied to its step */
  experiments: Array<Experiment>;
  /** The plan and its usage; null where the key may not read it */
  subscription: BillingSubscription | null;
  /** Unread conversations whose interest is `interested` */
  interested_threads: number;
  /** Tasks that are not done */
  open_tasks: number;
  /** What is there before a first campaign starts; null once one has */
  setup: {
    /** Whether there is an account */
    mailbox: boolean;
    /** Whether there is a lead */
    leads: boolean;
    /** Whether the latest campaign has a step */
    sequence: boolean;
    /** The latest campaign; null without one */
    campaign_id: string | null;
  } | null;
};

export type AttentionSubscriptionPlan = "community" | "starter" | "pro" | "scale";

export type AttentionSubscriptionSource = "local" | "licence" | "stripe";

export type AttentionSubscriptionStatus = "none" | "active" | "grace" | "expired";

export type Audit = {
  /** Sequence number that rises with every entry */
  seq: number;
  /** Who made the change: `user:<id>`, `key:<id>`, `engine` for automatic changes, `operator` for the command line */
  actor: string;
  /** Current name of the user or the key; null for the others */
  actor_name: string | null;
  /** What was done */
  action: string;
  /** Record that was changed */
  target: string;
  /** When it was changed */
  created_at: string;
  /** `X-Request-Id` of the request that made the change; null without one */
  request_id: string | null;
  /** Fields of the record before the change, only those that differ; null for none */
  before: Record<string, unknown> | null;
  /** Fields of the record after the change, only those that differ; null for none */
  after: Record<string, unknown> | null;
  /** Number of the entry in the team's chain, without gaps; null for entries from before there was one */
  position: number | null;
  /** SHA-256 of the entry and of the previous entry's hash, in hex */
  hash: string | null;
};

export type AuditChain = {
  /** True if each entry checked is as it was written and follows the one before */
  intact: boolean;
  /** Entries checked, the newest */
  checked: number;
  /** Entries among them from before there was a chain, which nothing protects */
  unchained: number;
  /** Newest entry; keep a copy elsewhere to notice if entries are cut off; null for none */
  head: {
    /** Number of the entry in the chain */
    position: number;
    /** Its hash */
    hash: string;
    /** When the change was made */
    created_at: string;
  } | null;
  /** Last entry that was older than `audit_days` and is gone, which the oldest one follows; null for none */
  anchor: {
    /** Number of the entry in the chain */
    position: number;
    /** Its hash */
    hash: string;
    /** When the change was made */
    created_at: string;
  } | null;
  /** First entry that doesn't fit; null if all do */
  fault: {
    /** `changed`: its content isn't what was hashed. `missing`: entries before it are gone. `out_of_order`: it was moved or added. `wrong_link`: it follows another entry */
    kind: AuditChainFaultKind;
    /** Sequence number of the entry */
    seq: number;
    /** Number of the entry in the chain; null if it has none */
    position: number | null;
  } | null;
};

export type AuditChainFaultKind = "changed" | "missing" | "out_of_order" | "wrong_link";

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
  /** Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort` */
  total_is_capped?: boolean;
};

export type AuthenticationResult = "pass" | "fail" | "softfail" | "neutral" | "none" | "policy" | "temperror" | "permerror";

export type Backup = {
  /** The backup's id */
  id: string;
  /** Name of its file in the backup directory */
  name: string;
  /** Size in bytes */
  bytes: number;
  /** When the record was created */
  created_at: string;
  /** Whether it is encrypted with a passphrase */
  sealed: boolean;
  /** Why it was made; null when unknown */
  reason: BackupReason | null;
  /** Version that wrote it; null when unknown */
  version: string | null;
  /** Version of the database schema; null when unknown */
  schema_version: number | null;
  /** Whether it contains the master key; null when unknown */
  has_master_key: boolean | null;
  /** When it was last verified; null when never */
  verified_at: string | null;
  /** Counters in it that differ from what they count */
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

export type BackupReason = "manual" | "schedule" | "before_restore" | "before_migration" | "upload";

export type BackupSchedule = {
  /** Seconds between two backups; null when none are made automatically */
  every_seconds: number | null;
  /** How many automatic backups are kept */
  kept: number;
  /** Directory that they are stored in */
  directory: string;
  /** Whether they are encrypted with a passphrase, and contain the master key */
  sealed: boolean;
  /** When the next backup is made; null when none is planned */
  next_at: string | null;
};

export type BackupTask = {
  /** The current or last operation on backups; null before the first */
  task: CreateBackupResult | null;
};

export type BackupTaskStatus = "running" | "done" | "failed";

export type BackupWork = "backup" | "verify" | "restore";

export type BatchOperationMethod = "GET" | "POST" | "PATCH" | "DELETE";

export type BillingSubscription = {
  /** Plan whose limits apply now */
  plan: AttentionSubscriptionPlan;
  /** State of the subscription; `grace` for 14 days after it has run out, `none` without one */
  status: AttentionSubscriptionStatus;
  /** What the plan was bought with; null without one */
  source: AttentionSubscriptionSource | null;
  /** When the subscription started; null without one */
  started_at: string | null;
  /** When it ends; null when no end is set */
  ends_at: string | null;
  /** When the grace period after its end is over; null when no end is set */
  grace_until: string | null;
  /** Month that usage is counted in, UTC */
  month: string;
  /** Usage by limit: emails and placement runs of the month, the others as of now */
  usage: {
    /** Usage and limit of accounts */
    accounts: {
      /** How much is used */
      used: number;
      /** Limit of the plan; null for none */
      limit: number | null;
    };
    /** Usage and limit of leads */
    leads: {
      /** How much is used */
      used: number;
      /** Limit of the plan; null for none */
      limit: number | null;
    };
    /** Usage and limit of active_campaigns */
    active_campaigns: {
      /** How much is used */
      used: number;
      /** Limit of the plan; null for none */
      limit: number | null;
    };
    /** Usage and limit of mails */
    mails: {
      /** How much is used */
      used: number;
      /** Limit of the plan; null for none */
      limit: number | null;
    };
    /** Usage and limit of running_experiments */
    running_experiments: {
      /** How much is used */
      used: number;
      /** Limit of the plan; null for none */
      limit: number | null;
    };
    /** Usage and limit of placement_runs */
    placement_runs: {
      /** How much is used */
      used: number;
      /** Limit of the plan; null for none */
      limit: number | null;
    };
    /** Usage and limit of webhooks */
    webhooks: {
      /** How much is used */
      used: number;
      /** Limit of the plan; null for none */
      limit: number | null;
    };
    /** Usage and limit of keys */
    keys: {
      /** How much is used */
      used: number;
      /** Limit of the plan; null for none */
      limit: number | null;
    };
    /** Usage and limit of members */
    members: {
      /** How much is used */
      used: number;
      /** Limit of the plan; null for none */
      limit: number | null;
    };
  };
};

export type BounceSeverity = "hard" | "soft" | "block";

export type Campaign = {
  /** The campaign's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** A draft is started once; an active campaign sends; a completed one has nothing left to send */
  status: CampaignStatus;
  /** Why the campaign is paused; null otherwise */
  status_reason: CampaignStatusReason | null;
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
  priority: CampaignPriority;
  /** Emails per local day to addresses of one domain; null for no limit */
  max_per_domain_per_day: number | null;
  /** A reply ends the sequences of all leads at the same company domain */
  stop_company_on_reply: boolean;
  /** Resume the campaign when leads are added after it has completed */
  evergreen: boolean;
  /** Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one */
  rules: Array<{
    /** What happens to the lead: a reply, or a person, gives it this interest; it has `replied`, and no other rule is about the interest; or it has `completed` the steps without a reply */
    on: RuleEvent;
    /** Campaign that the lead moves to */
    campaign_id: string;
    /** Calendar days until its first email there is due; 1 if you don't say */
    wait_days?: number;
    /** Minutes to wait after these days; 0 if you don't say */
    wait_minutes?: number;
  }>;
  /** What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an invalid address are always put on hold */
  risky_addresses: RiskyAddresses;
  /** Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can start leads. Leads at a provider that none of these mailboxes is at go from any */
  provider_matching: CampaignProviderMatching;
  /** Accounts to send from; empty for all of the team's accounts */
  account_ids: Array<string>;
  /** Hours of the week in which emails may be sent */
  send_window: {
    /** IANA time zone in which the hours are read; a lead's own time zone takes precedence */
    timezone: string;
    /** Weekdays on which emails may be sent */
    days: Array<Weekday>;
    /** Local hour at which sending starts */
    start_hour: number;
    /** Local hour before which sending stops; 24 is midnight. Later than `start_hour` */
    end_hour: number;
    /** Countries on whose public holidays nothing is sent. A lead whose time zone is in one of them skips only that country's holidays, all other leads skip all of them. Holidays of regions aren't included */
    skip_holidays: Array<string>;
  };
  /** What to track in sent emails; nothing by default */
  tracking: {
    /** Track opens with an invisible image in the HTML part */
    opens: boolean;
    /** Track clicks by leading links through this installation's `public_url` */
    clicks: boolean;
  };
  /** Leads that wait for a person, by reason. A campaign does not complete while it has any */
  on_hold: {
    /** Leads on hold, for any reason */
    total: number;
    /** The next email uses a variable that the lead has no value for, or has files that can't be sent */
    missing_variable: number;
    /** An email is unconfirmed: it may or may not have been delivered */
    unknown_send: number;
    /** The next step is a task that is not done */
    task: number;
    /** The account that emailed the lead was deleted */
    account_gone: number;
    /** The next email could not be planned; resume the lead to try again */
    planning_failed: number;
    /** The address's domain takes no email, or its server doesn't know it */
    invalid_address: number;
    /** The address is risky, and the campaign's `risky_addresses` is `hold` */
    risky_address: number;
  };
  /** When the campaign was last started or resumed; with `delay_seconds`, when that ends; null for a draft */
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
  priority?: CampaignPriority;
  /** Emails per local day to addresses of one domain; null for no limit */
  max_per_domain_per_day?: number | null;
  /** A reply ends the sequences of all leads at the same company domain */
  stop_company_on_reply?: boolean;
  /** Resume the campaign when leads are added after it has completed */
  evergreen?: boolean;
  /** Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one */
  rules?: Array<{
    /** What happens to the lead: a reply, or a person, gives it this interest; it has `replied`, and no other rule is about the interest; or it has `completed` the steps without a reply */
    on: RuleEvent;
    /** Campaign that the lead moves to */
    campaign_id: string;
    /** Calendar days until its first email there is due; 1 if you don't say */
    wait_days?: number;
    /** Minutes to wait after these days; 0 if you don't say */
    wait_minutes?: number;
  }>;
  /** What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an invalid address are always put on hold */
  risky_addresses?: RiskyAddresses;
  /** Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can start leads. Leads at a provider that none of these mailboxes is at go from any */
  provider_matching?: CampaignProviderMatching;
  /** Accounts to send from; empty for all of the team's accounts */
  account_ids?: Array<string>;
  /** Hours of the week in which emails may be sent */
  send_window?: {
    /** IANA time zone in which the hours are read; a lead's own time zone takes precedence */
    timezone?: string;
    /** Weekdays on which emails may be sent */
    days?: Array<Weekday>;
    /** Local hour at which sending starts */
    start_hour?: number;
    /** Local hour before which sending stops; 24 is midnight. Later than `start_hour` */
    end_hour?: number;
    /** Countries on whose public holidays nothing is sent. A lead whose time zone is in one of them skips only that country's holidays, all other leads skip all of them. Holidays of regions aren't included */
    skip_holidays?: Array<string>;
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
  status: CampaignStatus;
  /** Why the campaign is paused; null otherwise */
  status_reason: CampaignStatusReason | null;
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
  priority: CampaignPriority;
  /** Emails per local day to addresses of one domain; null for no limit */
  max_per_domain_per_day: number | null;
  /** A reply ends the sequences of all leads at the same company domain */
  stop_company_on_reply: boolean;
  /** Resume the campaign when leads are added after it has completed */
  evergreen: boolean;
  /** Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one */
  rules: Array<{
    /** What happens to the lead: a reply, or a person, gives it this interest; it has `replied`, and no other rule is about the interest; or it has `completed` the steps without a reply */
    on: RuleEvent;
    /** Campaign that the lead moves to */
    campaign_id: string;
    /** Calendar days until its first email there is due; 1 if you don't say */
    wait_days?: number;
    /** Minutes to wait after these days; 0 if you don't say */
    wait_minutes?: number;
  }>;
  /** What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an invalid address are always put on hold */
  risky_addresses: RiskyAddresses;
  /** Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can start leads. Leads at a provider that none of these mailboxes is at go from any */
  provider_matching: CampaignProviderMatching;
  /** Accounts to send from; empty for all of the team's accounts */
  account_ids: Array<string>;
  /** Hours of the week in which emails may be sent */
  send_window: {
    /** IANA time zone in which the hours are read; a lead's own time zone takes precedence */
    timezone: string;
    /** Weekdays on which emails may be sent */
    days: Array<Weekday>;
    /** Local hour at which sending starts */
    start_hour: number;
    /** Local hour before which sending stops; 24 is midnight. Later than `start_hour` */
    end_hour: number;
    /** Countries on whose public holidays nothing is sent. A lead whose time zone is in one of them skips only that country's holidays, all other leads skip all of them. Holidays of regions aren't included */
    skip_holidays: Array<string>;
  };
  /** What to track in sent emails; nothing by default */
  tracking: {
    /** Track opens with an invisible image in the HTML part */
    opens: boolean;
    /** Track clicks by leading links through this installation's `public_url` */
    clicks: boolean;
  };
  /** Leads that wait for a person, by reason. A campaign does not complete while it has any */
  on_hold: {
    /** Leads on hold, for any reason */
    total: number;
    /** The next email uses a variable that the lead has no value for, or has files that can't be sent */
    missing_variable: number;
    /** An email is unconfirmed: it may or may not have been delivered */
    unknown_send: number;
    /** The next step is a task that is not done */
    task: number;
    /** The account that emailed the lead was deleted */
    account_gone: number;
    /** The next email could not be planned; resume the lead to try again */
    planning_failed: number;
    /** The address's domain takes no email, or its server doesn't know it */
    invalid_address: number;
    /** The address is risky, and the campaign's `risky_addresses` is `hold` */
    risky_address: number;
  };
  /** When the campaign was last started or resumed; with `delay_seconds`, when that ends; null for a draft */
  started_at: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** Whether the campaign is sending now, or what it is waiting for */
  sending_status: CampaignSendingStatus;
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
    /** Id of the campaign lead; null while a rule has yet to move the lead into the campaign */
    enrollment_id: string | null;
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
    code: CampaignLaunchCheckWarningCode;
    /** What to look at, in plain words */
    message: string;
  }>;
  /** Leads, of those scanned, that would be put on hold for a missing variable */
  held_leads: number;
  /** Leads that were checked: the first 10,000 at most */
  scanned: number;
};

export type CampaignLaunchCheckWarningCode = "no_public_url" | "not_tracked" | "no_postal_address" | "accounts_not_ready" | "sender_refused" | "alias_domain" | "provider_matching" | "no_leads" | "variant_on_hold" | "first_email_attached" | "rule_target" | "content" | "addresses";

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
  status: CampaignLeadStatus;
  /** Interest, as classified or set by hand; null when unknown */
  interest: Interest | null;
  /** When the next step is due; null when nothing is planned. From 1970 to 9999 */
  next_attempt_at: string | null;
  /** Position of the last step that was sent or done; 0 at first */
  current_step: number;
  /** Account that emails the lead; null before the first email */
  account_id: string | null;
  /** Why the lead is on hold; null when it is not */
  hold_reason: CampaignLeadHoldReason | null;
  /** More about the hold, for example the missing variables; null without one */
  hold_detail: string | null;
  /** Why the sequence ended; null while it has not */
  stop_reason: string | null;
  /** Attempts to send the current step */
  attempts: number;
  /** When the last email was sent; null before the first */
  last_sent_at: string | null;
  /** Variants that the lead was sent, one for each experiment; empty without one */
  assignments: Array<{
    /** The experiment's id */
    experiment_id: string;
    /** The variant's id */
    variant_id: string;
  }>;
  /** When the lead was added to the campaign */
  enrolled_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type CampaignLeadBulkAction = "pause" | "resume" | "complete" | "remove" | "release" | "treat_as_sent" | "send_again";

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
  status: CampaignLeadStatus;
  /** Interest, as classified or set by hand; null when unknown */
  interest: Interest | null;
  /** When the next step is due; null when nothing is planned. From 1970 to 9999 */
  next_attempt_at: string | null;
  /** Position of the last step that was sent or done; 0 at first */
  current_step: number;
  /** Account that emails the lead; null before the first email */
  account_id: string | null;
  /** Why the lead is on hold; null when it is not */
  hold_reason: CampaignLeadHoldReason | null;
  /** More about the hold, for example the missing variables; null without one */
  hold_detail: string | null;
  /** Why the sequence ended; null while it has not */
  stop_reason: string | null;
  /** Attempts to send the current step */
  attempts: number;
  /** When the last email was sent; null before the first */
  last_sent_at: string | null;
  /** Variants that the lead was sent, one for each experiment; empty without one */
  assignments: Array<{
    /** The experiment's id */
    experiment_id: string;
    /** The variant's id */
    variant_id: string;
  }>;
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
  reason: CampaignLeadExplainReason;
  /** The same in plain words */
  message: string;
  /** When the next email is sent; null when nothing is planned */
  next_send_at: string | null;
  /** Whether `next_send_at` is an estimate, because it is too far ahead to plan exactly */
  estimated: boolean;
  /** New leads of the campaign that come before this one, of those with a risky address where it has one and the campaign spreads them; null for a follow-up. Counted up to 100,000: there may then be more, and next_send_at is the earliest date */
  ahead: number | null;
};

export type CampaignLeadExplainReason = "sending" | "outside_window" | "new_lead_cap" | "campaign_limit" | "domain_cap" | "risky_share" | "account_caps" | "account_health" | "sender_refused" | "provider_cap" | "provider_match" | "waiting_for_experiment" | "waiting_for_step_delay" | "no_active_account" | "nothing_due" | "paused" | "draft" | "ended" | "held" | "paused_lead" | "in_queue" | "sending_now";

export type CampaignLeadHoldReason = "missing_variable" | "unknown_send" | "task" | "account_gone" | "planning_failed" | "invalid_address" | "risky_address";

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
  /** Whether more records may match than `total` says: a search or filter, and a list of events, counts up to 10,000 */
  total_is_capped: boolean;
};

export type CampaignLeadPatch = {
  /** `pending` until the first email is sent. You can set `active`, `paused`, `completed` and `unsubscribed` */
  status?: CampaignLeadStatus;
  /** Interest, as classified or set by hand; null when unknown */
  interest?: Interest | null;
  /** When the next step is due; null when nothing is planned. From 1970 to 9999 */
  next_attempt_at?: string | null;
  /** Position of the last step that was sent or done; 0 at first */
  current_step?: number;
};

export type CampaignLeadStatus = "pending" | "active" | "paused" | "completed" | "replied" | "bounced" | "unsubscribed" | "failed" | "suppressed";

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
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor?: string | null;
  /** Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort` */
  total_is_capped?: boolean;
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
  priority?: CampaignPriority;
  /** Emails per local day to addresses of one domain; null for no limit */
  max_per_domain_per_day?: number | null;
  /** A reply ends the sequences of all leads at the same company domain */
  stop_company_on_reply?: boolean;
  /** Resume the campaign when leads are added after it has completed */
  evergreen?: boolean;
  /** Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one */
  rules?: Array<{
    /** What happens to the lead: a reply, or a person, gives it this interest; it has `replied`, and no other rule is about the interest; or it has `completed` the steps without a reply */
    on: RuleEvent;
    /** Campaign that the lead moves to */
    campaign_id: string;
    /** Calendar days until its first email there is due; 1 if you don't say */
    wait_days?: number;
    /** Minutes to wait after these days; 0 if you don't say */
    wait_minutes?: number;
  }>;
  /** What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an invalid address are always put on hold */
  risky_addresses?: RiskyAddresses;
  /** Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can start leads. Leads at a provider that none of these mailboxes is at go from any */
  provider_matching?: CampaignProviderMatching;
  /** Accounts to send from; empty for all of the team's accounts */
  account_ids?: Array<string>;
  /** Hours of the week in which emails may be sent */
  send_window?: {
    /** IANA time zone in which the hours are read; a lead's own time zone takes precedence */
    timezone?: string;
    /** Weekdays on which emails may be sent */
    days?: Array<Weekday>;
    /** Local hour at which sending starts */
    start_hour?: number;
    /** Local hour before which sending stops; 24 is midnight. Later than `start_hour` */
    end_hour?: number;
    /** Countries on whose public holidays nothing is sent. A lead whose time zone is in one of them skips only that country's holidays, all other leads skip all of them. Holidays of regions aren't included */
    skip_holidays?: Array<string>;
  };
  /** What to track in sent emails; nothing by default */
  tracking?: {
    /** Track opens with an invisible image in the HTML part */
    opens?: boolean;
    /** Track clicks by leading links through this installation's `public_url` */
    clicks?: boolean;
  };
  /** `active` starts or resumes the campaign, `paused` and `archived` stop it */
  status?: CampaignStatus;
};

export type CampaignPriority = "follow_ups" | "new_leads";

export type CampaignProviderMatching = "off" | "prefer" | "only";

export type CampaignRehearsal = {
  /** The campaign's id */
  campaign_id: string;
  /** Start of the rehearsal: now */
  from: string;
  /** End of the rehearsal */
  until: string;
  /** Time zone of the days: the campaign's */
  timezone: string;
  /** The seed that was played */
  seed: number;
  /** Status of the campaign at the end */
  status: CampaignStatus;
  /** Why it was paused by then; null when it was not */
  status_reason: CampaignStatusReason | null;
  /** Leads of the draft whose sequence has not ended */
  leads: number;
  /** Leads that were played, the first 1000 */
  played: number;
  /** Where the leads stood at the end */
  lead_statuses: Array<{
    /** Status at the end */
    status: CampaignLeadStatus;
    /** Leads with this status */
    leads: number;
  }>;
  /** Sums over all days */
  totals: {
    /** Emails that were sent */
    sent: number;
    /** Leads that replied, on the day of their first reply */
    replied: number;
    /** Conversations with the interest `interested` or `meeting` */
    positive: number;
    /** Emails that bounced */
    bounced: number;
    /** Leads that opted out */
    unsubscribed: number;
  };
  /** Every day that was played, oldest first */
  days: Array<{
    /** Local date of the campaign */
    date: string;
    /** Emails that were sent */
    sent: number;
    /** Leads that replied, on the day of their first reply */
    replied: number;
    /** Conversations with the interest `interested` or `meeting` */
    positive: number;
    /** Emails that bounced */
    bounced: number;
    /** Leads that opted out */
    unsubscribed: number;
  }>;
  /** When the first email was sent; null when none was */
  first_sent_at: string | null;
  /** When the last email was sent; null when none was */
  last_sent_at: string | null;
  /** Accounts that sent something */
  mailboxes: Array<{
    /** The account's id */
    account_id: string;
    /** Its address */
    email: string;
    /** Emails of the campaign that it sent */
    sent: number;
    /** Those of them that bounced */
    bounced: number;
    /** Health score at the end */
    health: number;
    /** Status at the end */
    status: AccountStatus;
  }>;
  /** What limits and guards did, and the end of the campaign; the first 100 */
  events: Array<{
    /** Kind of the event */
    type: EventType;
    /** When it happened in the rehearsal */
    created_at: string;
    /** What happened */
    data: Record<string, unknown>;
  }>;
  /** Promises of sending that were counted in what was sent, such as no email twice */
  checked: number;
  /** Those of them that did not hold; none, unless Outrider has a bug */
  broken: Array<string>;
};

export type CampaignSendingStatus = "sending" | "outside_window" | "new_lead_cap" | "campaign_limit" | "domain_cap" | "risky_share" | "account_caps" | "account_health" | "sender_refused" | "provider_cap" | "provider_match" | "waiting_for_experiment" | "waiting_for_step_delay" | "no_active_account" | "nothing_due" | "paused" | "draft";

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
  /** Leads that were emailed */
  contacted: number;
  /** Leads that sent an auto-reply */
  auto_replied: number;
  /** Leads that went through all steps */
  completed: number;
  /** Leads that could not be emailed */
  failed: number;
  /** Leads that its rules have moved to other campaigns */
  moved: number;
  /** Leads on hold */
  held: number;
  /** `replied` divided by `contacted`, 0 to 1; null before the first email */
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

export type CampaignStatus = "draft" | "active" | "paused" | "completed" | "archived";

export type CampaignStatusReason = "manual" | "bounce_rate" | "complaint_rate" | "plan_limit";

export type CampaignStep = {
  /** The step's id */
  id: string;
  /** Campaign that the step belongs to */
  campaign_id: string;
  /** An email is sent; a task holds the sequence until a person has done it */
  type: CampaignStepType;
  /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
  subject: string | null;
  /** Plain text or HTML, as `format` says, with Liquid and spintax; the other is made from it. HTML shows an image of the team as `<img src="cid:FILE_ID">` */
  body: string | null;
  /** What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text */
  format: CampaignStepFormat | null;
  /** Files that the email carries, of `/files`; 10 MB at most in all, with the images in its text */
  attachment_ids: Array<string>;
  /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
  wait_days: number;
  /** Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens */
  wait_minutes: number;
  /** Position in the sequence, from 1 */
  position: number;
  /** Revision of the text and the attachments: 1 until the campaign is first started, then one more with each change */
  revision: number;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type CampaignStepCreate = {
  /** An email is sent; a task holds the sequence until a person has done it */
  type: CampaignStepType;
  /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
  subject?: string | null;
  /** Plain text or HTML, as `format` says, with Liquid and spintax; the other is made from it. HTML shows an image of the team as `<img src="cid:FILE_ID">` */
  body?: string | null;
  /** What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text */
  format?: CampaignStepFormat | null;
  /** Files that the email carries, of `/files`; 10 MB at most in all, with the images in its text */
  attachment_ids?: Array<string>;
  /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
  wait_days?: number;
  /** Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens */
  wait_minutes?: number;
  /** Position in the sequence, from 1. Inserting or moving a step shifts the others; a new step without one goes to the end */
  position?: number;
};

export type CampaignStepFormat = "plain" | "html";

export type CampaignStepList = {
  /** The steps, in the order in which they are sent */
  data: Array<CampaignStep>;
};

export type CampaignStepPatch = {
  /** An email is sent; a task holds the sequence until a person has done it */
  type?: CampaignStepType;
  /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
  subject?: string | null;
  /** Plain text or HTML, as `format` says, with Liquid and spintax; the other is made from it. HTML shows an image of the team as `<img src="cid:FILE_ID">` */
  body?: string | null;
  /** What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text */
  format?: CampaignStepFormat | null;
  /** Files that the email carries, of `/files`; 10 MB at most in all, with the images in its text */
  attachment_ids?: Array<string>;
  /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
  wait_days?: number;
  /** Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens */
  wait_minutes?: number;
  /** Position in the sequence, from 1. Inserting or moving a step shifts the others; a new step without one goes to the end */
  position?: number;
};

export type CampaignStepType = "email" | "task";

export type CampaignTag = {
  /** The record's id */
  id: string;
  /** Tags, in lower case and in the order of the alphabet; at most 20 */
  tags: Array<string>;
};

export type CampaignTagList = {
  /** Every tag in use, in the order of the alphabet */
  names: Array<string>;
  /** The tags of the records asked for, in their order */
  data: Array<CampaignTag>;
};

export type CannedReply = {
  /** The canned reply's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Name in the list of canned replies */
  name: string;
  /** Plain text, with Liquid and spintax */
  body: string;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** What it says in the conversation that `thread_id` names; null without one, and where the lead lacks a value */
  text: string | null;
  /** Variables that the lead has no value for and that have no fallback */
  missing: Array<string>;
};

export type CannedReplyCreate = {
  /** Name in the list of canned replies */
  name: string;
  /** Plain text, with Liquid and spintax */
  body: string;
};

export type CannedReplyCreated = {
  /** The canned reply's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Name in the list of canned replies */
  name: string;
  /** Plain text, with Liquid and spintax */
  body: string;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type CannedReplyList = {
  /** The records of this page */
  data: Array<CannedReply>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type CannedReplyPatch = {
  /** Name in the list of canned replies */
  name?: string;
  /** Plain text, with Liquid and spintax */
  body?: string;
};

export type ChangeAccountsRequest = {
  /** Accounts to change */
  ids?: Array<string>;
  /** Instead of `ids`: all accounts that match; all of them when it is empty */
  filter?: {
    /** Only records with this tag */
    tag?: string;
    /** Only accounts with this status */
    status?: AccountStatus;
  };
  /** Fields to change, as in an update of one account */
  change?: {
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
    /** Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all */
    provider_limits?: {
      /** Emails per day to recipients at google */
      google?: number;
      /** Emails per day to recipients at microsoft */
      microsoft?: number;
      /** Emails per day to recipients at yahoo */
      yahoo?: number;
      /** Emails per day to recipients at icloud */
      icloud?: number;
      /** Emails per day to recipients at zoho */
      zoho?: number;
    };
    /** Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address */
    verify_addresses?: boolean;
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
    /** Further addresses of the mailbox: email to them arrives in it, and it may send as them */
    aliases?: Array<{
      /** Address of the mailbox */
      email: string;
      /** Name in the From header; null or absent: the account's `display_name` */
      name?: string | null;
    }>;
    /** The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from */
    send_as?: string | null;
    /** `paused` and `disabled` stop sending; `active` resumes it */
    status?: AccountStatus;
  };
  /** Tags to add */
  add_tags?: Array<string>;
  /** Tags to remove */
  remove_tags?: Array<string>;
};

export type ChangeAccountsResult = {
  /** Accounts that are as you asked */
  changed: number;
  /** Accounts that were left as they were */
  failed: number;
  /** What became of each account */
  data: Array<{
    /** The account's id */
    id: string;
    /** Why it was refused; null when it was done */
    error: {
      /** Type of the error */
      type: string;
      /** What was wrong and what would be right */
      message: string;
      /** Field at fault */
      field: string | null;
    } | null;
  }>;
};

export type ChangeCampaignLeadsRequest = {
  /** What to do with the leads. `release` resumes leads on hold: those with a missing variable are tried again, and a task is skipped */
  action: CampaignLeadBulkAction;
  /** Ids of leads or of campaign leads; either these or `filter` */
  lead_ids?: Array<string>;
  /** Leads to change, as the list filters them; `{}` selects all */
  filter?: {
    /** Only leads with this status */
    status?: CampaignLeadStatus;
    /** Only leads on hold for this reason */
    hold_reason?: CampaignLeadHoldReason;
    /** Only leads with this interest */
    interest?: Interest;
    /** Only leads whose email was permanently rejected with this text from the mail server */
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

export type ChangeInboxThreadsRequest = {
  /** Conversations to change */
  ids: Array<string>;
  /** Fields to change, as in an update of one conversation */
  change?: {
    /** Whether all its emails have been read */
    read?: boolean;
    /** Interest, as classified or set by hand; null when unknown */
    interest?: Interest | null;
    /** Whether someone is done with it; false again when another email is received */
    done?: boolean;
    /** When it comes back to the inbox, unread; null when it isn't snoozed, and again when another email is received. Snoozing it makes it not done. From 1970 to 9999 */
    snoozed_until?: string | null;
    /** Member who takes care of it; null when no one does */
    assignee_id?: string | null;
  };
  /** Tags to add */
  add_tags?: Array<string>;
  /** Tags to remove */
  remove_tags?: Array<string>;
};

export type ChangeInboxThreadsResult = {
  /** The conversations as they are now, in your order */
  data: Array<InboxThread>;
};

export type CheckCampaignStepRequest = {
  /** Lead to render the step for; without one, a sample lead that has a value for every variable */
  lead_id?: string;
  /** Subject to use in place of the step's */
  subject?: string | null;
  /** Body to use in place of the step's */
  body?: string;
  /** What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text */
  format?: CampaignStepFormat | null;
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
    rule: SpamCheckRule;
    /** A problem makes the check fail; a warning and a note do not */
    severity: SpamCheckSeverity;
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

export type CheckVerdict = "ok" | "warning" | "fault";

export type CheckWebhookResult = {
  /** Whether no verdict is `no` */
  passed: boolean;
  /** Requests that were sent */
  requests: number;
  /** A verdict for each check */
  verdicts: Array<{
    /** What was checked */
    check: WebhookCheckVerdictCheck;
    /** Whether the receiver does it; `unknown` where its responses don't show it */
    verdict: WebhookCheckVerdictVerdict;
    /** The verdict in a sentence */
    message: string;
  }>;
};

export type CompleteExperimentRequest = {
  /** Variant to declare the winner; without it, the one that has won by now */
  winner_variant_id?: string | null;
};

export type Confidence = "high" | "medium" | "low";

export type ConnectAccountResult = {
  /** Page to open in a browser, signed in to the mailbox */
  url: string;
  /** When the link expires */
  expires_at: string;
};

export type ConnectWorkspaceAccountsRequest = {
  /** Addresses of the mailboxes, in the workspace's domains */
  emails: Array<string>;
};

export type ConnectWorkspaceAccountsResult = {
  /** Mailboxes that work */
  connected: number;
  /** Mailboxes that don't work yet, or couldn't be added */
  failed: number;
  /** What became of each address */
  data: Array<{
    /** The address as given */
    email: string;
    /** The account's id; null when none was created */
    id: string | null;
    /** Whether both servers let it in */
    connected: boolean;
    /** Why it was refused; null when it was done */
    error: {
      /** Type of the error */
      type: string;
      /** What was wrong and what would be right */
      message: string;
      /** Field at fault */
      field: string | null;
    } | null;
  }>;
};

export type CreateBackupResult = {
  /** Operation */
  work: BackupWork;
  /** Status of the operation */
  status: BackupTaskStatus;
  /** Backup that it makes, verifies or restores; null before there is one */
  backup_id: string | null;
  /** When it started */
  started_at: string;
  /** When it ended; null while it runs */
  ended_at: string | null;
  /** Why it failed; null when it did not */
  error: string | null;
};

export type CreateCampaignStepResult = {
  /** The step's id */
  id: string;
  /** Campaign that the step belongs to */
  campaign_id: string;
  /** An email is sent; a task holds the sequence until a person has done it */
  type: CampaignStepType;
  /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
  subject: string | null;
  /** Plain text or HTML, as `format` says, with Liquid and spintax; the other is made from it. HTML shows an image of the team as `<img src="cid:FILE_ID">` */
  body: string | null;
  /** What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text */
  format: CampaignStepFormat | null;
  /** Files that the email carries, of `/files`; 10 MB at most in all, with the images in its text */
  attachment_ids: Array<string>;
  /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
  wait_days: number;
  /** Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens */
  wait_minutes: number;
  /** Position in the sequence, from 1 */
  position: number;
  /** Revision of the text and the attachments: 1 until the campaign is first started, then one more with each change */
  revision: number;
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
        type: CampaignStepType;
        /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
        subject: string | null;
        /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
        wait_days: number;
        /** Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens */
        wait_minutes: number;
      } | null;
      /** Step that they would get without the change; null when nothing would follow */
      instead_of: {
        /** Position in the sequence, from 1 */
        position: number;
        /** An email is sent; a task holds the sequence until a person has done it */
        type: CampaignStepType;
        /** Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do */
        subject: string | null;
        /** Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3 */
        wait_days: number;
        /** Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens */
        wait_minutes: number;
      } | null;
    }>;
  };
  /** Which of subject and body isn't valid Liquid, and why: the step was stored, but no lead can get it. Absent otherwise */
  warning?: string;
};

export type CreateSuppressionResult = {
  /** The suppression's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** SHA-256 of the address in lower case, in hexadecimal */
  email_hash: string;
  /** The address or `@domain`; null after the lead was erased, or where a restore knows only the hash */
  email: string | null;
  /** Why it is suppressed */
  reason: ImportReason;
  /** When the record was created */
  created_at: string;
  /** Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop */
  in_flight?: number;
};

export type DeletedRecord = {
  /** Id of the campaign, account, or webhook, which it has again once it is restored */
  id: string;
  /** What was deleted, and so which `restore` brings it back */
  kind: DeletedRecordKind;
  /** Name of the campaign, address of the account, name or URL of the webhook */
  name: string;
  /** When it was deleted */
  deleted_at: string;
  /** When it is purged and can't be restored any more */
  purge_at: string;
};

export type DeletedRecordKind = "campaign" | "account" | "webhook";

export type DeletedRecordList = {
  /** The records of this page */
  data: Array<DeletedRecord>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type DeliveryError = "dns" | "address_not_allowed" | "refused" | "tls" | "timeout" | "closed" | "protocol" | "too_large" | "status" | "internal";

export type DmarcPolicy = "none" | "quarantine" | "reject";

export type DnsRecordType = "TXT" | "MX";

export type DnsVerdict = "ok" | "advice" | "warning" | "fault" | "unknown";

export type Domain = {
  /** The sending domain */
  domain: string;
  /** The worst verdict of the checks that count; `unchecked` before the first look, `unknown` when DNS gave no response */
  state: DomainState;
  /** Checks that passed once and fail now */
  broken: Array<{
    /** What was checked */
    check: DomainCheck;
    /** When it was first seen to fail */
    since: string;
    /** What was found */
    message: string;
  }>;
  /** Accounts of the domain */
  mailboxes: number;
  /** When it was last looked at; null before the first time */
  checked_at: string | null;
  /** When it is looked at next */
  next_check_at: string;
};

export type DomainCheck = "mx" | "spf" | "dkim" | "dmarc" | "sending_host" | "block_lists" | "tracking_host" | "mta_sts" | "tls_rpt" | "bimi";

export type DomainDetail = {
  /** The sending domain */
  domain: string;
  /** The worst verdict of the checks that count; `unchecked` before the first look, `unknown` when DNS gave no response */
  state: DomainState;
  /** Checks that passed once and fail now */
  broken: Array<{
    /** What was checked */
    check: DomainCheck;
    /** When it was first seen to fail */
    since: string;
    /** What was found */
    message: string;
  }>;
  /** Accounts of the domain */
  mailboxes: number;
  /** When it was last looked at; null before the first time */
  checked_at: string | null;
  /** When it is looked at next */
  next_check_at: string;
  /** The checks, with what to publish */
  checks: Array<{
    /** What was checked */
    check: DomainCheck;
    /** `fault`: servers refuse emails or file them as spam for it; `advice`: optional; `unknown`: DNS gave no response */
    verdict: DnsVerdict;
    /** What was found */
    message: string;
    /** Records found in DNS */
    found: Array<string>;
    /** How to fix it; null when nothing is wrong */
    remedy: string | null;
    /** Records to publish */
    publish: Array<{
      /** Full name of the record, without a dot at the end */
      name: string;
      /** Type of the record */
      type: DnsRecordType;
      /** Value of the record */
      value: string;
    }>;
    /** Page on which the rules of receiving servers are explained */
    rules: string;
  }>;
  /** What changed, newest first; the last 100 */
  changes: Array<{
    /** When it was seen */
    at: string;
    /** What was checked */
    check: DomainCheck;
    /** What was found before */
    was: {
      /** `fault`: servers refuse emails or file them as spam for it; `advice`: optional; `unknown`: DNS gave no response */
      verdict: DnsVerdict;
      /** What was found */
      message: string;
      /** Records found in DNS */
      found: Array<string>;
    };
    /** What was found then */
    is: {
      /** `fault`: servers refuse emails or file them as spam for it; `advice`: optional; `unknown`: DNS gave no response */
      verdict: DnsVerdict;
      /** What was found */
      message: string;
      /** Records found in DNS */
      found: Array<string>;
    };
  }>;
  /** Block lists that list an address of the domain's email */
  listings: Array<{
    /** Address that sends */
    ip: string;
    /** The block list */
    list: string;
    /** When it was first seen there */
    since: string;
  }>;
  /** The domain's mailboxes */
  accounts: Array<{
    /** The account's id */
    id: string;
    /** Address of the mailbox */
    email: string;
  }>;
};

export type DomainList = {
  /** The records of this page */
  data: Array<Domain>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type DomainSenders = {
  /** The sending domain */
  domain: string;
  /** Days that are summed up, until now */
  days: number;
  /** Whether the mailbox's server confirmed who wrote the reports; others are used only while there are no such reports */
  verified: boolean;
  /** Reports used */
  reports: number;
  /** Receivers that reported */
  reporters: Array<string>;
  /** Who sends as the domain, those with the most emails first */
  senders: Array<{
    /** The service, the domain of the servers, or the address of one without a name */
    name: string;
    /** Addresses of its servers, at most 20 */
    addresses: Array<string>;
    /** Name of the first server; null when none leads back to it */
    host: string | null;
    /** Whether SPF lists it, or placement tests were seen to come from it */
    ours: boolean;
    /** Emails that receivers saw */
    messages: number;
    /** Of these, emails that passed DMARC */
    passed: number;
    /** Of these, emails that failed DMARC */
    failed: number;
    /** Emails with aligned SPF */
    spf: number;
    /** Emails with aligned DKIM */
    dkim: number;
    /** Emails filed as spam because of the DMARC policy */
    quarantined: number;
    /** Emails rejected because of the DMARC policy */
    rejected: number;
    /** What to do; null when nothing */
    advice: string | null;
  }>;
  /** What TLS reports say of encryption */
  tls: {
    /** Encrypted connections to the domain's mail servers */
    passed: number;
    /** Connections that failed */
    failed: number;
    /** Failures by kind and server */
    failures: Array<{
      /** Kind of failure (RFC 8460 §4.3) */
      type: string;
      /** The mail server; empty when the report doesn't name it */
      host: string;
      /** Connections that failed in this way */
      sessions: number;
    }>;
  };
};

export type DomainState = "unchecked" | "ok" | "warning" | "fault" | "unknown";

export type DuplicateCampaignRequest = {
  /** Name of the copy; without it, the campaign's name with (copy) behind it */
  name?: string;
  /** Also create the experiments that are running or paused, from the start */
  experiments?: boolean;
  /** Also add the campaign's leads, who start from the first step */
  leads?: boolean;
};

export type EffectType = "enrollment" | "interest" | "moved" | "suppression" | "message_bounced" | "soft_bounces" | "step_bounced" | "step_unsubscribed" | "harm";

export type EmailKind = "step" | "manual" | "placement";

export type EnrollCampaignLeadsRequest = {
  /** Saved view whose leads are added; either this or `filter` */
  view_id?: string;
  /** Filter, as the list of leads takes it; an empty one finds all leads */
  filter?: string;
  /** `next_cursor` of the previous call, with the same view or filter */
  after?: string;
  /** Skip leads that are in another campaign */
  skip_if_in_other_campaign?: boolean;
  /** Return the result without storing anything */
  dry_run?: boolean;
};

export type EnrollCampaignLeadsResult = {
  /** Leads that were added to the campaign */
  imported: number;
  /** Leads that are fine but were not added */
  skipped: number;
  /** Items that could not be used */
  errors: Array<{
    /** The address as given */
    email: string;
    /** What is wrong with the item */
    reason: ImportErrorReason;
    /** Field at fault; only for the first hundred with reason `invalid_item` */
    field?: string;
    /** What was wrong and what would be right; where `field` is */
    message?: string;
  }>;
  /** The skipped leads, with the reason of each */
  skipped_details: Array<{
    /** The address as given */
    email: string;
    /** Why it was not added */
    reason: ImportSkipReason;
  }>;
  /** Addresses of the imported leads, as far as they could be checked at once */
  addresses: {
    /** Leads whose address is risky */
    risky: number;
    /** Leads whose address takes no email */
    invalid: number;
    /** These leads by reason; one may have several */
    reasons: {
      /** Addresses with the reason no_such_domain */
      no_such_domain?: number;
      /** Addresses with the reason no_mx */
      no_mx?: number;
      /** Addresses with the reason null_mx */
      null_mx?: number;
      /** Addresses with the reason no_such_mailbox */
      no_such_mailbox?: number;
      /** Addresses with the reason soft_bounced */
      soft_bounced?: number;
      /** Addresses with the reason disposable */
      disposable?: number;
      /** Addresses with the reason role_address */
      role_address?: number;
      /** Addresses with the reason likely_typo */
      likely_typo?: number;
      /** Addresses with the reason catch_all */
      catch_all?: number;
    };
  };
  /** The campaign's status after the import; only an active campaign sends */
  campaign_status: CampaignStatus;
  /** Why the imported leads get no email; null when they do */
  warning: string | null;
  /** Pass it as `after` to continue after 1000 leads; null when all are done */
  next_cursor: string | null;
};

export type Environment = "live" | "test";

export type Erasure = {
  /** Receipt of the erasure */
  id: string;
  /** Lead that was erased; nothing has this id anymore */
  lead_id: string;
  /** Who asked for it: `user:<id>` or `key:<id>` */
  actor: string;
  /** `X-Request-Id` of the request */
  request_id: string | null;
  /** When it was asked for */
  asked_at: string;
  /** When the person was erased */
  erased_at: string;
  /** When the search index and the database's files contained nothing of it anymore; null until then */
  completed_at: string | null;
  /** What was removed or emptied */
  removed: {
    /** Leads deleted; 0 for somebody known only from emails */
    leads: number;
    /** Places in campaigns deleted */
    campaign_leads: number;
    /** Tasks deleted */
    tasks: number;
    /** Emails to the person emptied; their rows stay for the totals */
    sent_emails: number;
    /** Emails from the person deleted */
    received_emails: number;
    /** Conversations deleted */
    conversations: number;
    /** Bounces and complaints about the person deleted or emptied */
    reports: number;
    /** Copies of replies and forwarded emails to the person deleted */
    copies: number;
    /** Opens and clicks deleted */
    tracked_actions: number;
    /** Lines of imports emptied */
    import_lines: number;
    /** Events reduced to ids */
    events: number;
    /** Emails captured by the sandbox deleted */
    sandbox_emails: number;
  };
  /** True if the address stays suppressed, as a SHA-256 and nothing else */
  suppressed: boolean;
  /** Other systems that were notified; kept for 30 days, as events are */
  webhooks: Array<{
    /** Webhook that `lead.erased` was sent to */
    webhook_id: string;
    /** How its delivery stands */
    status: ErasureWebhookStatus;
    /** When it was delivered or given up; null until then */
    ended_at: string | null;
  }>;
  /** Backups from before the erasure that are still there. Not listed: replicas, snapshots, and files copied elsewhere */
  copies: Array<{
    /** File in the directory of backups */
    name: string;
    /** When the backup was made */
    created_at: string;
    /** When the schedule removes it, as it's set now; null if it stays until it's deleted */
    kept_until: string | null;
  }>;
  /** When the last of `copies` is gone; null for none, or if one has no such time */
  copies_gone_at: string | null;
  /** Times at which restored data had the person again, and it was removed */
  erased_again: Array<{
    /** When the person was erased again */
    erased_at: string;
    /** What was removed or emptied */
    removed: {
      /** Leads deleted; 0 for somebody known only from emails */
      leads: number;
      /** Places in campaigns deleted */
      campaign_leads: number;
      /** Tasks deleted */
      tasks: number;
      /** Emails to the person emptied; their rows stay for the totals */
      sent_emails: number;
      /** Emails from the person deleted */
      received_emails: number;
      /** Conversations deleted */
      conversations: number;
      /** Bounces and complaints about the person deleted or emptied */
      reports: number;
      /** Copies of replies and forwarded emails to the person deleted */
      copies: number;
      /** Opens and clicks deleted */
      tracked_actions: number;
      /** Lines of imports emptied */
      import_lines: number;
      /** Events reduced to ids */
      events: number;
      /** Emails captured by the sandbox deleted */
      sandbox_emails: number;
    };
  }>;
};

export type ErasureList = {
  /** The records of this page */
  data: Array<Erasure>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type ErasureWebhookStatus = "pending" | "succeeded" | "failed";

export type ErrorType = "invalid_request" | "authentication_error" | "plan_limit" | "permission_error" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_error" | "rate_limit_exceeded" | "internal_error" | "upstream_error" | "unavailable";

/** Something that happened */
export type Event = EmailSentEvent | EmailFailedEvent | EmailDeferredEvent | EmailBouncedEvent | EmailOpenedEvent | EmailClickedEvent | ReplyReceivedEvent | ReplyAutoEvent | ReplyUntrackedEvent | LeadEnrolledEvent | LeadStatusChangedEvent | LeadInterestedEvent | LeadUnsubscribedEvent | LeadCompletedEvent | LeadMergedEvent | LeadErasedEvent | ComplaintReceivedEvent | CampaignStartedEvent | CampaignPausedEvent | CampaignResumedEvent | CampaignCompletedEvent | AccountErrorEvent | AccountRecoveredEvent | AccountHealthChangedEvent | WorkspaceRefusedEvent | WorkspaceConnectedEvent | DomainErrorEvent | DomainRecoveredEvent | ExperimentVariantPausedEvent | ExperimentCompletedEvent | PlacementCompletedEvent | SuppressionCreatedEvent | TaskCreatedEvent | BillingLimitWarningEvent | BillingLimitReachedEvent | WebhookDisabledEvent | WebhookTestEvent;

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
  /** Whether more records may match than `total` says: a search or filter, and a list of events, counts up to 10,000 */
  total_is_capped: boolean;
};

export type EventOrder = "asc" | "desc";

export type EventPattern = "*" | "email.*" | "reply.*" | "lead.*" | "complaint.*" | "campaign.*" | "account.*" | "workspace.*" | "domain.*" | "experiment.*" | "placement.*" | "suppression.*" | "task.*" | "billing.*" | "webhook.*" | "email.sent" | "email.failed" | "email.deferred" | "email.bounced" | "email.opened" | "email.clicked" | "reply.received" | "reply.auto" | "reply.untracked" | "lead.enrolled" | "lead.status_changed" | "lead.interested" | "lead.unsubscribed" | "lead.completed" | "lead.merged" | "lead.erased" | "complaint.received" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "account.error" | "account.recovered" | "account.health_changed" | "workspace.refused" | "workspace.connected" | "domain.error" | "domain.recovered" | "experiment.variant_paused" | "experiment.completed" | "placement.completed" | "suppression.created" | "task.created" | "billing.limit_warning" | "billing.limit_reached" | "webhook.disabled" | "webhook.test";

export type EventType = "email.sent" | "email.failed" | "email.deferred" | "email.bounced" | "email.opened" | "email.clicked" | "reply.received" | "reply.auto" | "reply.untracked" | "lead.enrolled" | "lead.status_changed" | "lead.interested" | "lead.unsubscribed" | "lead.completed" | "lead.merged" | "lead.erased" | "complaint.received" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "account.error" | "account.recovered" | "account.health_changed" | "workspace.refused" | "workspace.connected" | "domain.error" | "domain.recovered" | "experiment.variant_paused" | "experiment.completed" | "placement.completed" | "suppression.created" | "task.created" | "billing.limit_warning" | "billing.limit_reached" | "webhook.disabled" | "webhook.test";

export type EventTypeDescription = {
  /** The kind */
  type: EventType;
  /** When such an event is recorded */
  description: string;
  /** Stands for all kinds of its family */
  family: string;
  /** JSON Schema of `data` */
  data_schema: Record<string, unknown>;
  example: Event;
};

export type EventTypeDescriptionList = {
  /** The kinds */
  data: Array<EventTypeDescription>;
};

export type Experiment = {
  /** The experiment's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Campaign whose step varies */
  campaign_id: string;
  /** `evaluating` when no more leads are assigned and the last ones are being measured */
  status: ExperimentStatus;
  /** Name, shown to your team only */
  name: string;
  /** What variants are compared by; for `bounce_rate`, lower is better */
  primary_metric: ExperimentPrimaryMetric;
  /** `fixed_split` keeps the weights, `thompson_sampling` shifts leads to the variants that do better, `auto_winner` is a fixed split whose winner replaces the step's content, and `test_and_roll` does so with the better variant after a test on a few leads, significant or not, while the others wait */
  optimization_mode: ExperimentOptimizationMode;
  /** Days during which leads are assigned, from the first email on */
  duration_days: number;
  /** Days after its email in which a lead can become a success; 0 for no limit */
  attribution_window_days: number;
  /** Complete a fixed split as soon as it is decided */
  early_stopping: boolean;
  /** Stop assigning leads to variants that are clearly behind, where there are three or more */
  auto_drop: boolean;
  /** Position of the step whose content varies. The first step need not exist yet when none is given */
  step_position: number;
  /** Your own limits, each with either `max_rate` or `max_ratio`. A variant beyond one gets no more leads and can't win */
  guardrails: Array<{
    /** What is limited: bounces, leads that opt out or complain, or leads that reply that they aren't interested */
    metric: ExperimentGuardrailMetric;
    /** Largest share of a variant's leads; for bounces, below 0.05, which always holds */
    max_rate?: number;
    /** Largest rate of a variant, divided by the rate of the others; replaces the built-in comparison with the others */
    max_ratio?: number;
  }>;
  /** Leads that `test_and_roll` tests on, set by its first email; null before and otherwise */
  test_leads: number | null;
  /** When the first email was sent; before that, when it was created */
  started_at: string;
  /** When it stops assigning leads */
  ends_at: string;
  /** When it was completed or cancelled; null before */
  completed_at: string | null;
  /** The winning variant; null without one */
  winner_variant_id: string | null;
  /** When the winner's content replaced the step's; null before */
  winner_applied_at: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type ExperimentCreate = {
  /** Name, shown to your team only */
  name: string;
  /** What variants are compared by; for `bounce_rate`, lower is better */
  primary_metric?: ExperimentPrimaryMetric;
  /** `fixed_split` keeps the weights, `thompson_sampling` shifts leads to the variants that do better, `auto_winner` is a fixed split whose winner replaces the step's content, and `test_and_roll` does so with the better variant after a test on a few leads, significant or not, while the others wait */
  optimization_mode?: ExperimentOptimizationMode;
  /** Days during which leads are assigned, from the first email on */
  duration_days?: number;
  /** Days after its email in which a lead can become a success; 0 for no limit */
  attribution_window_days?: number;
  /** Complete a fixed split as soon as it is decided */
  early_stopping?: boolean;
  /** Stop assigning leads to variants that are clearly behind, where there are three or more */
  auto_drop?: boolean;
  /** Position of the step whose content varies. The first step need not exist yet when none is given */
  step_position?: number;
  /** Your own limits, each with either `max_rate` or `max_ratio`. A variant beyond one gets no more leads and can't win */
  guardrails?: Array<{
    /** What is limited: bounces, leads that opt out or complain, or leads that reply that they aren't interested */
    metric: ExperimentGuardrailMetric;
    /** Largest share of a variant's leads; for bounces, below 0.05, which always holds */
    max_rate?: number;
    /** Largest rate of a variant, divided by the rate of the others; replaces the built-in comparison with the others */
    max_ratio?: number;
  }>;
  /** Campaign whose step varies */
  campaign_id: string;
  /** The variants to compare, 2 to 10 */
  variants: Array<{
    /** Name, unique in the experiment */
    name: string;
    /** `subject` and `body` replace those of the step; {} keeps the step as it is */
    config?: {
    };
    /** Leads are assigned in proportion to the weights */
    weight?: number;
  }>;
};

export type ExperimentDetail = {
  /** The experiment's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Campaign whose step varies */
  campaign_id: string;
  /** `evaluating` when no more leads are assigned and the last ones are being measured */
  status: ExperimentStatus;
  /** Name, shown to your team only */
  name: string;
  /** What variants are compared by; for `bounce_rate`, lower is better */
  primary_metric: ExperimentPrimaryMetric;
  /** `fixed_split` keeps the weights, `thompson_sampling` shifts leads to the variants that do better, `auto_winner` is a fixed split whose winner replaces the step's content, and `test_and_roll` does so with the better variant after a test on a few leads, significant or not, while the others wait */
  optimization_mode: ExperimentOptimizationMode;
  /** Days during which leads are assigned, from the first email on */
  duration_days: number;
  /** Days after its email in which a lead can become a success; 0 for no limit */
  attribution_window_days: number;
  /** Complete a fixed split as soon as it is decided */
  early_stopping: boolean;
  /** Stop assigning leads to variants that are clearly behind, where there are three or more */
  auto_drop: boolean;
  /** Position of the step whose content varies. The first step need not exist yet when none is given */
  step_position: number;
  /** Your own limits, each with either `max_rate` or `max_ratio`. A variant beyond one gets no more leads and can't win */
  guardrails: Array<{
    /** What is limited: bounces, leads that opt out or complain, or leads that reply that they aren't interested */
    metric: ExperimentGuardrailMetric;
    /** Largest share of a variant's leads; for bounces, below 0.05, which always holds */
    max_rate?: number;
    /** Largest rate of a variant, divided by the rate of the others; replaces the built-in comparison with the others */
    max_ratio?: number;
  }>;
  /** Leads that `test_and_roll` tests on, set by its first email; null before and otherwise */
  test_leads: number | null;
  /** When the first email was sent; before that, when it was created */
  started_at: string;
  /** When it stops assigning leads */
  ends_at: string;
  /** When it was completed or cancelled; null before */
  completed_at: string | null;
  /** The winning variant; null without one */
  winner_variant_id: string | null;
  /** When the winner's content replaced the step's; null before */
  winner_applied_at: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** The variants, in order */
  variants: Array<{
    /** The variant's id */
    id: string;
    /** The experiment's id */
    experiment_id: string;
    /** Name, unique in the experiment */
    name: string;
    /** `subject` and `body` replace those of the step; {} keeps the step as it is */
    config: {
    };
    /** Leads are assigned in proportion to the weights */
    weight: number;
    /** Emails sent */
    emails_sent: number;
    /** Leads that replied */
    replies: number;
    /** Leads whose reply shows interest */
    interested: number;
    /** Leads whose reply says that they aren't interested */
    negative_replies: number;
    /** Emails that bounced */
    bounced: number;
    /** Leads that opted out or complained */
    opted_out: number;
    /** Measured leads that count as a success */
    successes: number;
    /** Measured leads that count as a failure */
    failures: number;
    /** Content of its emails, before variables are filled in, oldest first; several when the step was edited while leads were assigned. Empty until its first email */
    contents: Array<{
      /** Subject; null where it continues the thread */
      subject: string | null;
      /** Body */
      body: string;
      /** When it was first sent */
      since: string;
    }>;
    /** Why it gets no more leads: it is beyond a guardrail, is clearly behind, or was switched off. Null while it gets some */
    out_reason: ExperimentVariantOutReason | null;
    /** Whether it gets leads. When false, its leads are still measured, the others share the rest, and it can't win */
    is_active: boolean;
    /** When the record was created */
    created_at: string;
  }>;
  /** By variant id: the probability that it is the best */
  win_probabilities: Record<string, number>;
  /** By variant id: its share of new leads */
  allocation: Record<string, number>;
  /** Certainty about which variant is best, 0 to 1 */
  convergence: number;
  /** The link to the experiment's report; null without one */
  share: ShareExperimentResult | null;
};

export type ExperimentGuardrailMetric = "bounces" | "opt_outs" | "negative_replies";

export type ExperimentHistory = {
  /** Emails by the day on which they were sent, and what has come of them by now. Days without emails are left out */
  days: Array<{
    /** Day, in UTC */
    date: string;
    /** Every variant, in order */
    variants: Array<{
      /** The variant's id */
      variant_id: string;
      /** Emails sent that day */
      emails_sent: number;
      /** Of these, emails that got a reply */
      replies: number;
      /** Of these, emails whose reply shows interest */
      interested: number;
      /** Of these, emails that bounced */
      bounced: number;
    }>;
  }>;
  /** How new leads were split, oldest first; each applies until the next one */
  allocations: Array<{
    /** When the split took effect */
    since: string;
    /** By variant id: its share of new leads, 0 to 1 */
    shares: Record<string, number>;
  }>;
};

export type ExperimentOptimizationMode = "fixed_split" | "thompson_sampling" | "auto_winner" | "test_and_roll";

export type ExperimentPatch = {
  /** Name, shown to your team only */
  name?: string;
  /** What variants are compared by; for `bounce_rate`, lower is better */
  primary_metric?: ExperimentPrimaryMetric;
  /** `fixed_split` keeps the weights, `thompson_sampling` shifts leads to the variants that do better, `auto_winner` is a fixed split whose winner replaces the step's content, and `test_and_roll` does so with the better variant after a test on a few leads, significant or not, while the others wait */
  optimization_mode?: ExperimentOptimizationMode;
  /** Days during which leads are assigned, from the first email on */
  duration_days?: number;
  /** Days after its email in which a lead can become a success; 0 for no limit */
  attribution_window_days?: number;
  /** Complete a fixed split as soon as it is decided */
  early_stopping?: boolean;
  /** Stop assigning leads to variants that are clearly behind, where there are three or more */
  auto_drop?: boolean;
  /** Position of the step whose content varies. The first step need not exist yet when none is given */
  step_position?: number;
  /** Your own limits, each with either `max_rate` or `max_ratio`. A variant beyond one gets no more leads and can't win */
  guardrails?: Array<{
    /** What is limited: bounces, leads that opt out or complain, or leads that reply that they aren't interested */
    metric: ExperimentGuardrailMetric;
    /** Largest share of a variant's leads; for bounces, below 0.05, which always holds */
    max_rate?: number;
    /** Largest rate of a variant, divided by the rate of the others; replaces the built-in comparison with the others */
    max_ratio?: number;
  }>;
  /** `paused` stops assigning leads, `running` resumes, `cancelled` ends it */
  status?: ExperimentStatus;
  /** The variants to compare, 2 to 10 */
  variants?: Array<{
    /** Name, unique in the experiment */
    name: string;
    /** `subject` and `body` replace those of the step; {} keeps the step as it is */
    config?: {
    };
    /** Leads are assigned in proportion to the weights */
    weight?: number;
    /** The variant's id; without one, a variant is added */
    id?: string;
    /** Whether it gets leads. When false, its leads are still measured, the others share the rest, and it can't win */
    is_active?: boolean;
  }>;
};

export type ExperimentPlan = {
  /** Leads that may reach the step */
  leads: number;
  /** Leads that reach the step per day */
  leads_per_day: number;
  /** Current rate */
  baseline: number;
  /** Variants to compare */
  variants: number;
  /** Days during which leads are assigned */
  duration_days: number;
  /** Days after its email in which a lead can become a success */
  attribution_window_days: number;
  /** Leads assigned by the end */
  leads_by_end: number;
  /** Leads assigned to each variant by the end */
  leads_per_variant: number;
  /** Smallest ratio of two rates that these leads can show; null when none can be */
  minimum_detectable_ratio: number | null;
  /** Rate that a variant would need for it; null when none can be */
  minimum_detectable_rate: number | null;
  /** Whether a doubled rate would be found */
  can_answer: boolean;
  /** Leads needed to show differences of several sizes */
  sizes: Array<{
    /** Ratio of two rates */
    ratio: number;
    /** Rate of the better variant */
    rate: number;
    /** Leads that each variant needs to show it */
    leads_per_variant: number;
    /** Days that it takes; null when the leads do not suffice */
    days: number | null;
    /** Whether there are enough leads */
    fits: boolean;
  }>;
  /** For a short list: test on a few leads, then send the leader to the rest, significant or not. What an experiment with `optimization_mode` `test_and_roll` does */
  test_and_roll: {
    /** Leads to test each variant on */
    leads_per_variant: number;
  };
  /** What to do, in one sentence */
  recommendation: string;
  /** What that assumes, in plain words */
  basis: string;
};

export type ExperimentPrimaryMetric = "reply_rate" | "interested_rate" | "bounce_rate";

export type ExperimentResult = {
  /** The experiment */
  experiment: {
    /** The experiment's id */
    id: string;
    /** Name, shown to your team only */
    name: string;
    /** `evaluating` when no more leads are assigned and the last ones are being measured */
    status: ExperimentStatus;
    /** What variants are compared by; for `bounce_rate`, lower is better */
    primary_metric: ExperimentPrimaryMetric;
    /** Days since the first email */
    days_elapsed: number;
    /** Days until it stops assigning leads */
    days_remaining: number;
  };
  /** The variants, in order */
  variants: Array<{
    /** The variant's id */
    id: string;
    /** The experiment's id */
    experiment_id: string;
    /** Name, unique in the experiment */
    name: string;
    /** `subject` and `body` replace those of the step; {} keeps the step as it is */
    config: {
    };
    /** Leads are assigned in proportion to the weights */
    weight: number;
    /** Emails sent */
    emails_sent: number;
    /** Leads that replied */
    replies: number;
    /** Leads whose reply shows interest */
    interested: number;
    /** Leads whose reply says that they aren't interested */
    negative_replies: number;
    /** Emails that bounced */
    bounced: number;
    /** Leads that opted out or complained */
    opted_out: number;
    /** Measured leads that count as a success */
    successes: number;
    /** Measured leads that count as a failure */
    failures: number;
    /** Content of its emails, before variables are filled in, oldest first; several when the step was edited while leads were assigned. Empty until its first email */
    contents: Array<{
      /** Subject; null where it continues the thread */
      subject: string | null;
      /** Body */
      body: string;
      /** When it was first sent */
      since: string;
    }>;
    /** Why it gets no more leads: it is beyond a guardrail, is clearly behind, or was switched off. Null while it gets some */
    out_reason: ExperimentVariantOutReason | null;
    /** Whether it gets leads. When false, its leads are still measured, the others share the rest, and it can't win */
    is_active: boolean;
    /** When the record was created */
    created_at: string;
    /** Leads that replied, of those sent this variant */
    reply_rate: number;
    /** Leads that are interested, of those sent this variant */
    interested_rate: number;
    /** Leads that replied that they aren't interested, of those sent this variant */
    negative_reply_rate: number;
    /** Leads that bounced, of those sent this variant */
    bounce_rate: number;
    /** Leads that opted out or complained, of those sent this variant */
    opt_out_rate: number;
    /** What a reply costs so far; it falls while replies arrive */
    per_reply: {
      /** Leads emailed for a reply; null before the first one */
      emails: number | null;
      /** Lower end of its 95% interval */
      emails_low: number | null;
      /** Upper end of its 95% interval; null before the first one */
      emails_high: number | null;
      /** The same in money; null without `cost_per_lead` */
      cost: number | null;
      /** Lower end of its 95% interval */
      cost_low: number | null;
      /** Upper end of its 95% interval */
      cost_high: number | null;
    };
    /** What an interested reply costs so far; it falls while replies arrive */
    per_interested: {
      /** Leads emailed for an interested reply; null before the first one */
      emails: number | null;
      /** Lower end of its 95% interval */
      emails_low: number | null;
      /** Upper end of its 95% interval; null before the first one */
      emails_high: number | null;
      /** The same in money; null without `cost_per_lead` */
      cost: number | null;
      /** Lower end of its 95% interval */
      cost_low: number | null;
      /** Upper end of its 95% interval */
      cost_high: number | null;
    };
  }>;
  /** Every pair of variants */
  significance: Array<{
    /** Name of the first variant */
    variant_a: string;
    /** Name of the second variant */
    variant_b: string;
    /** The first variant's id */
    variant_a_id: string;
    /** The second variant's id */
    variant_b_id: string;
    /** Rate of b divided by the rate of a; null while a has no success */
    lift_ratio: number | null;
    /** Lower end of its interval */
    lift_ratio_low: number | null;
    /** Upper end of its interval */
    lift_ratio_high: number | null;
    /** What to expect of `lift_ratio` from here on: nearer to 1, as far as this experiment and your past ones suggest; null unless a or b is the winner */
    lift_expected: number | null;
    /** Rate of a that `lift_ratio` compares, each lead weighted by the inverse of the share it was assigned with, so above 1 for a handful of leads at times; null before the first email */
    rate_a: number | null;
    /** Rate of b that `lift_ratio` compares, each lead weighted by the inverse of the share it was assigned with, so above 1 for a handful of leads at times; null before the first email */
    rate_b: number | null;
    /** Whether `p_value` is at most 0.05 and leads were split as planned */
    significant: boolean;
    /** p-value, valid however often it is read, adjusted for all comparisons: with the present text by Dunnett, of others by Holm; for a winner's pairs, how often a variant that isn't the best would win like this */
    p_value: number;
    /** 1 − `p_value` */
    confidence: number;
    /** Name of the variant that does better so far; null for neither */
    better: string | null;
    /** Test that the p-value comes from; `epoch_z` compares within the epochs of a bandit, and `group_sequential` looks daily at a fixed split */
    test: SignificanceTest;
    /** p-value of the test that may be read at any time, whatever end is planned */
    p_value_anytime: number;
    /** p-value of the daily looks up to the planned end; null for a bandit or a moved end */
    p_value_sequential: number | null;
    /** p-value of the test at the planned end; null before it */
    p_value_fixed: number | null;
    /** The same within mailboxes and providers; null before the planned end */
    p_value_stratified: number | null;
    /** Success rate of b minus that of a; null before the planned end */
    difference: number | null;
    /** Lower end of its 95% interval */
    difference_low: number | null;
    /** Upper end of its 95% interval */
    difference_high: number | null;
    /** Probability that b is better than a; null while too few leads are measured */
    prob_b_beats_a: number | null;
  }>;
  /** Variant that sends the step as it is, else the first */
  present_variant_id: string;
  /** Every other variant against the present text. Empty in older results */
  against_present: Array<{
    /** The variant's id */
    variant_id: string;
    /** Name of the variant */
    variant: string;
    /** Its rate divided by that of the present text; null while that has no success */
    lift_ratio: number | null;
    /** Lower end of its 95% interval; the intervals of all variants hold together */
    lift_ratio_low: number | null;
    /** Upper end of its 95% interval; the intervals of all variants hold together */
    lift_ratio_high: number | null;
    /** p-value with all variants in mind that are compared with the present text; that of their pair */
    p_value: number;
    /** Whether `p_value` is at most 0.05 and leads were split as planned */
    significant: boolean;
    /** Name of the variant that does better so far; null for neither */
    better: string | null;
    /** Test that the p-value and the interval come from */
    test: SignificanceTest;
  }>;
  /** Name of the winner; null without one */
  winner: string | null;
  /** What to do, in one sentence */
  recommendation: string;
  /** The recommendation, for programs */
  recommendation_code: RecommendationCode;
  /** Values that the recommendation mentions */
  recommendation_params: {
  };
  /** The figure to read first: the lift of the variant that's ahead over the present text, for people; null while there's none, or if the recommendation isn't about it */
  key_figure: {
    /** The lift */
    value: string;
    /** Its 95% interval */
    range: string;
    /** What it's of, and whether it may be chance */
    sentence: string;
  } | null;
  /** How the verdict comes about and how far it can be trusted, for people */
  notes: Array<string>;
  /** Whether the planned end has passed and every lead is measured */
  is_final: boolean;
  /** How far the result can be trusted */
  quality: {
    /** Whether leads were split differently than planned; no verdict is given then */
    srm_detected: boolean;
    /** Chi-square p-value of the split at the end; null while nothing can be said */
    srm_p_value: number | null;
    /** p-value of the split that may be read at any time; null while nothing can be said */
    srm_p_value_anytime: number | null;
    /** Which of the two `srm_detected` is based on */
    srm_p_value_decisive: number | null;
    /** Leads whose attribution window is still open */
    pending: number;
    /** Variant most likely to be the best; null while nothing can be said */
    leader_id: string | null;
    /** By variant id: success rate lost by sending it to everyone if another is better */
    expected_loss: Record<string, number> | null;
    /** How much better than the leader another variant may still be, as a fraction of its rate, with 95% certainty */
    value_remaining_95: number | null;
    /** By variant id: its success rate, and the 95% credible interval of it */
    credible_intervals: Record<string, {
      /** The rate, for a bandit within its epochs. Absent in older results */
      rate?: number;
      /** Lower end */
      low: number;
      /** Upper end */
      high: number;
    }>;
    /** Smallest ratio of two rates that the leads up to the end can show; null when none can be */
    mde_ratio: number | null;
    /** Days until a decision at the current pace and difference; null when unknown */
    estimated_days_to_decision: number | null;
    /** Variants that are clearly behind */
    eliminated: Array<string>;
    /** Variants with too many bounces, opt-outs, or negative replies. They get no more leads, or can't win */
    guardrails: Array<{
      /** The variant's id */
      variant_id: string;
      /** What there is too much of: bounces, leads that opt out or complain, or negative replies */
      metric: ExperimentGuardrailMetric;
      /** Its rate of these */
      rate: number;
      /** Its bounce rate */
      bounce_rate: number;
      /** Whether it is above a limit (5% for bounces, or your `max_rate`), or above the other variants */
      reason: GuardrailReason;
      /** Your limit that it's above; null when it's another */
      max_rate: number | null;
      /** Your limit that its rate, divided by the rate of the others, is above; null when it's another */
      max_ratio: number | null;
    }>;
  };
  /** Rates of all leads measured by now, beside the verdict of a closed experiment; null before it has ended */
  final_estimate: {
    /** Whether all leads are measured, also those in flight when the experiment ended */
    is_complete: boolean;
    /** By variant id: its success rate */
    success_rates: Record<string, {
      /** Success rate */
      rate: number;
      /** Lower end of its 95% interval */
      low: number;
      /** Upper end of its 95% interval */
      high: number;
    }>;
    /** Every pair of variants */
    lifts: Array<{
      /** The first variant's id */
      variant_a_id: string;
      /** The second variant's id */
      variant_b_id: string;
      /** Rate of b divided by the rate of a; null while a has no success */
      lift_ratio: number | null;
      /** Lower end of its interval */
      lift_ratio_low: number | null;
      /** Upper end of its interval */
      lift_ratio_high: number | null;
    }>;
    /** Every other variant against the present text */
    against_present: Array<{
      /** The variant's id */
      variant_id: string;
      /** Name of the variant */
      variant: string;
      /** Its rate divided by that of the present text; null while that has no success */
      lift_ratio: number | null;
      /** Lower end of its 95% interval; the intervals of all variants hold together */
      lift_ratio_low: number | null;
      /** Upper end of its 95% interval; the intervals of all variants hold together */
      lift_ratio_high: number | null;
    }>;
    /** By variant id: the counts that the verdict was based on */
    at_verdict: Record<string, {
      /** Leads that counted as a success */
      successes: number;
      /** Leads that counted as a failure */
      failures: number;
    }>;
  } | null;
  /** Results by segment of the leads, beside the verdict; null without `segment_by`, and for Thompson sampling */
  segments: {
    /** Also show `segments`: by `provider` of the recipients' emails, `mailbox`, `country`, or a custom value, `custom:NAME` */
    by: string;
    /** The segments, largest first */
    segments: Array<{
      /** Provider, the mailbox's id, ISO 3166 code of the country, or the value; `other` for all beyond the 19 largest (10 values), `none` for leads without one */
      segment: string;
      /** Leads emailed */
      leads: number;
      /** Every variant but the first, against it. Intervals hold for all together */
      lifts: Array<{
        /** The first variant's id */
        variant_a_id: string;
        /** The second variant's id */
        variant_b_id: string;
        /** Rate of b divided by the rate of a; null while a has no success */
        lift_ratio: number | null;
        /** Lower end of its interval */
        lift_ratio_low: number | null;
        /** Upper end of its interval */
        lift_ratio_high: number | null;
        /** Rate of a in the segment; null without leads */
        rate_a: number | null;
        /** Rate of b in the segment; null without leads */
        rate_b: number | null;
        /** p-value, to be read once, adjusted for all segments and variants */
        p_value: number;
      }>;
    }>;
    /** For every variant but the first: whether its lift differs between segments */
    interactions: Array<{
      /** The first variant's id */
      variant_a_id: string;
      /** The other variant's id */
      variant_b_id: string;
      /** How often a lift that's the same in all segments would differ between them this much; adjusted for the number of variants */
      p_value: number;
      /** Whether `p_value` is at most 0.05 */
      significant: boolean;
    }>;
    /** What differs between segments; null while leads are assigned, and if nothing does */
    sentence: string | null;
  } | null;
  /** What limits the result */
  warnings: Array<{
    /** What the warning is about */
    code: ExperimentWarningCode;
    /** What to look at, in plain words */
    message: string;
  }>;
};

export type ExperimentStatus = "running" | "paused" | "evaluating" | "completed" | "cancelled";

export type ExperimentVariantOutReason = "guardrail" | "eliminated" | "switched_off";

export type ExperimentWarningCode = "winners_curse" | "metrics_disagree" | "strata_disagree" | "bandit_bias" | "step_changed" | "replanned" | "variant_on_hold" | "winner_not_applied";

export type FileFormat = "csv" | "ndjson" | "json";

export type ForwardInboxThreadRequest = {
  /** Address to forward it to */
  to: string;
  /** Addresses that get a copy, named in the email */
  cc?: Array<string>;
  /** Addresses that get a copy without being named */
  bcc?: Array<string>;
  /** Files that it carries, of `/files`; 10 MB at most in all */
  attachment_ids?: Array<string>;
  /** Plain text or HTML before the email, sent as it is */
  body?: string;
  /** Message to forward; without one, the latest email that a person wrote */
  message_id?: string;
};

export type GmailTab = "primary" | "promotions" | "social" | "updates" | "forums";

export type GuardrailReason = "limit" | "others";

export type HealthCause = "hard_bounces" | "complaints" | "smtp_errors" | "placement";

export type Import = {
  /** The import's id */
  id: string;
  /** What the rows of the file are */
  kind: ImportKind;
  /** Campaign that the leads are added to; null when the rows are suppressions */
  campaign_id: string | null;
  /** Reason of suppressions whose row gives none; null when the rows are leads */
  reason: ImportReason | null;
  /** Status of the import */
  status: ImportStatus;
  /** Format of the file */
  format: FileFormat;
  /** Name of the file; null without one */
  file_name: string | null;
  /** Whether lines are only checked and nothing is stored */
  dry_run: boolean;
  /** What to do with leads that the team knows already: `keep` their fields, `merge` in the new ones, or `replace` them */
  existing: ImportExisting;
  /** Skip leads that are in another campaign */
  skip_if_in_other_campaign: boolean;
  /** Character encoding of the file; null before it is known */
  encoding: ImportEncoding | null;
  /** Character between two values; null for NDJSON and JSON */
  delimiter: string | null;
  /** What each column is read as; null for NDJSON and JSON */
  columns: Array<{
    /** Heading of the column */
    name: string;
    /** Lead field or `variables.<name>` that it is read into; null when it is ignored */
    field: string | null;
    /** Why, in plain words */
    reason: string;
  }> | null;
  /** Bytes processed; the rest of the file begins here */
  offset: number;
  /** Size of the file in bytes; null when it is not known */
  total_bytes: number | null;
  /** Leads added, or addresses suppressed: `new` and `update` together */
  imported: number;
  /** Lines skipped: `duplicate` and `suppressed` together */
  skipped: number;
  /** Lines that could not be used: `invalid` */
  errors: number;
  /** Lines by what became of them */
  outcomes: {
    /** Leads created and added; addresses newly suppressed */
    new: number;
    /** Leads that the team knew, added; suppressions given a stronger reason */
    update: number;
    /** Leads that are in the file twice, or in a campaign already; addresses suppressed already */
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
    /** Lines with the reason tags_invalid */
    tags_invalid?: number;
    /** Lines with the reason plan_limit */
    plan_limit?: number;
    /** Lines with the reason already_suppressed */
    already_suppressed?: number;
    /** Lines with the reason reason_invalid */
    reason_invalid?: number;
    /** Lines with the reason invalid_line */
    invalid_line?: number;
    /** Lines with the reason too_many_columns */
    too_many_columns?: number;
    /** Lines with the reason field_too_long */
    field_too_long?: number;
  };
  /** Addresses of the imported leads, as far as they could be checked at once */
  addresses: {
    /** Leads whose address is risky */
    risky: number;
    /** Leads whose address takes no email */
    invalid: number;
    /** These leads by reason; one may have several */
    reasons: {
      /** Addresses with the reason no_such_domain */
      no_such_domain?: number;
      /** Addresses with the reason no_mx */
      no_mx?: number;
      /** Addresses with the reason null_mx */
      null_mx?: number;
      /** Addresses with the reason no_such_mailbox */
      no_such_mailbox?: number;
      /** Addresses with the reason soft_bounced */
      soft_bounced?: number;
      /** Addresses with the reason disposable */
      disposable?: number;
      /** Addresses with the reason role_address */
      role_address?: number;
      /** Addresses with the reason likely_typo */
      likely_typo?: number;
      /** Addresses with the reason catch_all */
      catch_all?: number;
    };
  };
  /** Lines that `/imports/{id}/lines` lists */
  lines_kept: number;
  /** Leads that undoing the import removed from the campaign; suppressions it lifted */
  removed: number;
  /** Leads that undoing left, because they had been emailed; suppressions confirmed since */
  left: number;
  /** Known leads, or suppressions, whose record the import changed */
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

export type ImportAccountsResult = {
  /** Accounts that were created */
  created: number;
  /** Rows that could not be used */
  failed: number;
  /** What became of each row */
  data: Array<{
    /** Line of the file, from 1 */
    line: number;
    /** The address as given */
    email: string;
    /** The account's id; null when the row was refused */
    id: string | null;
    /** Why it was refused; null when it was done */
    error: {
      /** Type of the error */
      type: string;
      /** What was wrong and what would be right */
      message: string;
      /** Field at fault */
      field: string | null;
    } | null;
  }>;
};

export type ImportCampaignFileResult = {
  /** The import's id */
  id: string;
  /** What the rows of the file are */
  kind: ImportKind;
  /** Campaign that the leads are added to; null when the rows are suppressions */
  campaign_id: string | null;
  /** Reason of suppressions whose row gives none; null when the rows are leads */
  reason: ImportReason | null;
  /** Status of the import */
  status: ImportStatus;
  /** Format of the file */
  format: FileFormat;
  /** Name of the file; null without one */
  file_name: string | null;
  /** Whether lines are only checked and nothing is stored */
  dry_run: boolean;
  /** What to do with leads that the team knows already: `keep` their fields, `merge` in the new ones, or `replace` them */
  existing: ImportExisting;
  /** Skip leads that are in another campaign */
  skip_if_in_other_campaign: boolean;
  /** Character encoding of the file; null before it is known */
  encoding: ImportEncoding | null;
  /** Character between two values; null for NDJSON and JSON */
  delimiter: string | null;
  /** What each column is read as; null for NDJSON and JSON */
  columns: Array<{
    /** Heading of the column */
    name: string;
    /** Lead field or `variables.<name>` that it is read into; null when it is ignored */
    field: string | null;
    /** Why, in plain words */
    reason: string;
  }> | null;
  /** Bytes processed; the rest of the file begins here */
  offset: number;
  /** Size of the file in bytes; null when it is not known */
  total_bytes: number | null;
  /** Leads added, or addresses suppressed: `new` and `update` together */
  imported: number;
  /** Lines skipped: `duplicate` and `suppressed` together */
  skipped: number;
  /** Lines that could not be used: `invalid` */
  errors: number;
  /** Lines by what became of them */
  outcomes: {
    /** Leads created and added; addresses newly suppressed */
    new: number;
    /** Leads that the team knew, added; suppressions given a stronger reason */
    update: number;
    /** Leads that are in the file twice, or in a campaign already; addresses suppressed already */
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
    /** Lines with the reason tags_invalid */
    tags_invalid?: number;
    /** Lines with the reason plan_limit */
    plan_limit?: number;
    /** Lines with the reason already_suppressed */
    already_suppressed?: number;
    /** Lines with the reason reason_invalid */
    reason_invalid?: number;
    /** Lines with the reason invalid_line */
    invalid_line?: number;
    /** Lines with the reason too_many_columns */
    too_many_columns?: number;
    /** Lines with the reason field_too_long */
    field_too_long?: number;
  };
  /** Addresses of the imported leads, as far as they could be checked at once */
  addresses: {
    /** Leads whose address is risky */
    risky: number;
    /** Leads whose address takes no email */
    invalid: number;
    /** These leads by reason; one may have several */
    reasons: {
      /** Addresses with the reason no_such_domain */
      no_such_domain?: number;
      /** Addresses with the reason no_mx */
      no_mx?: number;
      /** Addresses with the reason null_mx */
      null_mx?: number;
      /** Addresses with the reason no_such_mailbox */
      no_such_mailbox?: number;
      /** Addresses with the reason soft_bounced */
      soft_bounced?: number;
      /** Addresses with the reason disposable */
      disposable?: number;
      /** Addresses with the reason role_address */
      role_address?: number;
      /** Addresses with the reason likely_typo */
      likely_typo?: number;
      /** Addresses with the reason catch_all */
      catch_all?: number;
    };
  };
  /** Lines that `/imports/{id}/lines` lists */
  lines_kept: number;
  /** Leads that undoing the import removed from the campaign; suppressions it lifted */
  removed: number;
  /** Leads that undoing left, because they had been emailed; suppressions confirmed since */
  left: number;
  /** Known leads, or suppressions, whose record the import changed */
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
    /** Tags to add; what cannot be one is an error of this item */
    tags?: Array<string>;
    /** Values for templates, by name: strings, numbers and booleans, 200 at most */
    variables?: {
    };
  }>;
  /** What to do with leads that the team knows already: `keep` their fields, `merge` in the new ones, or `replace` them */
  existing?: ImportExisting;
  /** Skip leads that are in another campaign */
  skip_if_in_other_campaign?: boolean;
  /** Whether a malformed item, for example one with an unknown field, refuses the whole request; otherwise it is an error of its own */
  strict?: boolean;
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
    reason: ImportErrorReason;
    /** Field at fault; only for the first hundred with reason `invalid_item` */
    field?: string;
    /** What was wrong and what would be right; where `field` is */
    message?: string;
  }>;
  /** The skipped leads, with the reason of each */
  skipped_details: Array<{
    /** The address as given */
    email: string;
    /** Why it was not added */
    reason: ImportSkipReason;
  }>;
  /** Addresses of the imported leads, as far as they could be checked at once */
  addresses: {
    /** Leads whose address is risky */
    risky: number;
    /** Leads whose address takes no email */
    invalid: number;
    /** These leads by reason; one may have several */
    reasons: {
      /** Addresses with the reason no_such_domain */
      no_such_domain?: number;
      /** Addresses with the reason no_mx */
      no_mx?: number;
      /** Addresses with the reason null_mx */
      null_mx?: number;
      /** Addresses with the reason no_such_mailbox */
      no_such_mailbox?: number;
      /** Addresses with the reason soft_bounced */
      soft_bounced?: number;
      /** Addresses with the reason disposable */
      disposable?: number;
      /** Addresses with the reason role_address */
      role_address?: number;
      /** Addresses with the reason likely_typo */
      likely_typo?: number;
      /** Addresses with the reason catch_all */
      catch_all?: number;
    };
  };
  /** The campaign's status after the import; only an active campaign sends */
  campaign_status: CampaignStatus;
  /** Why the imported leads get no email; null when they do */
  warning: string | null;
};

export type ImportDelimiter = "," | ";" | "tab" | "|";

export type ImportEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

export type ImportErrorReason = "invalid_email" | "variables_invalid" | "timezone_invalid" | "tags_invalid" | "plan_limit" | "invalid_item";

export type ImportExisting = "keep" | "merge" | "replace";

export type ImportKind = "leads" | "suppressions";

export type ImportLineFormat = "csv" | "ndjson";

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
  /** Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort` */
  total_is_capped?: boolean;
};

export type ImportReason = "import" | "manual" | "bounce" | "unsubscribe" | "complaint";

export type ImportSkipReason = "already_enrolled" | "duplicate_in_request" | "suppressed" | "suppressed_domain" | "in_other_campaign" | "placement_seed";

export type ImportStatus = "running" | "done" | "interrupted" | "failed" | "cancelled" | "undoing" | "undone";

export type InboxFolder = {
  /** Where it is in the inbox: by its interest, else by its kind; `snoozed` until a time that someone set, `done` when someone is done with it */
  folder: InboxThreadFolder;
  /** Conversations in it, counted up to 1000 */
  conversations: number;
};

export type InboxFolderList = {
  /** All folders */
  data: Array<InboxFolder>;
  /** Conversations with unread emails, counted up to 1000 */
  unread: number;
  /** Open conversations with a note that mentions the person who asks, counted up to 1000 */
  mentioned: number;
  /** Open conversations assigned to the person who asks, counted up to 1000; 0 for an API key */
  assigned: number;
};

export type InboxThread = {
  /** The conversation's id; where it belongs to a lead, the id of the campaign lead */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Account that received it */
  account_id: string;
  /** Campaign that it belongs to; null when untracked */
  campaign_id: string | null;
  /** Lead that it belongs to; null when untracked */
  lead_id: string | null;
  /** Id of the campaign lead that it belongs to; null when untracked, until you attach it */
  enrollment_id: string | null;
  /** Address of the sender */
  from_address: string;
  /** Name of the sender; empty without one */
  from_name: string;
  /** Subject */
  subject: string;
  /** Beginning of the email that `kind` is about */
  snippet: string;
  /** Whether all its emails have been read */
  read: boolean;
  /** What the latest email by a person is, or else the latest email */
  kind: ReceivedKind;
  /** Interest, as classified or set by hand; null when unknown */
  interest: Interest | null;
  /** Whether someone is done with it; false again when another email is received */
  done: boolean;
  /** When it comes back to the inbox, unread; null when it isn't snoozed, and again when another email is received. Snoozing it makes it not done. From 1970 to 9999 */
  snoozed_until: string | null;
  /** Member who takes care of it; null when no one does */
  assignee_id: string | null;
  /** Where it is in the inbox: by its interest, else by its kind; `snoozed` until a time that someone set, `done` when someone is done with it */
  folder: InboxThreadFolder;
  /** Tags, in lower case and in the order of the alphabet; at most 20 */
  tags: Array<string>;
  /** Emails received */
  mails: number;
  /** Emails received that are unread */
  unread: number;
  /** When the latest email was received */
  last_mail_at: string;
  /** When someone on your team last replied; null when no one has */
  answered_at: string | null;
  /** When the record was created */
  created_at: string;
};

export type InboxThreadDetail = {
  /** The conversation's id; where it belongs to a lead, the id of the campaign lead */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Account that received it */
  account_id: string;
  /** Campaign that it belongs to; null when untracked */
  campaign_id: string | null;
  /** Lead that it belongs to; null when untracked */
  lead_id: string | null;
  /** Id of the campaign lead that it belongs to; null when untracked, until you attach it */
  enrollment_id: string | null;
  /** Address of the sender */
  from_address: string;
  /** Name of the sender; empty without one */
  from_name: string;
  /** Subject */
  subject: string;
  /** Beginning of the email that `kind` is about */
  snippet: string;
  /** Whether all its emails have been read */
  read: boolean;
  /** What the latest email by a person is, or else the latest email */
  kind: ReceivedKind;
  /** Interest, as classified or set by hand; null when unknown */
  interest: Interest | null;
  /** Whether someone is done with it; false again when another email is received */
  done: boolean;
  /** When it comes back to the inbox, unread; null when it isn't snoozed, and again when another email is received. Snoozing it makes it not done. From 1970 to 9999 */
  snoozed_until: string | null;
  /** Member who takes care of it; null when no one does */
  assignee_id: string | null;
  /** Where it is in the inbox: by its interest, else by its kind; `snoozed` until a time that someone set, `done` when someone is done with it */
  folder: InboxThreadFolder;
  /** Tags, in lower case and in the order of the alphabet; at most 20 */
  tags: Array<string>;
  /** Emails received */
  mails: number;
  /** Emails received that are unread */
  unread: number;
  /** When the latest email was received */
  last_mail_at: string;
  /** When someone on your team last replied; null when no one has */
  answered_at: string | null;
  /** When the record was created */
  created_at: string;
  /** Address of the account; null when it was deleted */
  account_email: string | null;
  /** Lead that the conversation belongs to; null when untracked */
  lead: {
    /** The lead's id */
    id: string;
    /** The lead's address */
    email: string;
    /** First name */
    first_name: string | null;
    /** Last name */
    last_name: string | null;
    /** Company */
    company: string | null;
  } | null;
  /** Where the lead stands in the campaign; null when untracked */
  enrollment: {
    /** Id of the campaign lead */
    id: string;
    /** Name of the campaign */
    campaign_name: string;
    /** The lead's status in the campaign */
    status: CampaignLeadStatus;
    /** Why the sequence ended; null while it has not */
    stop_reason: string | null;
    /** Position of the last step that was sent or done */
    current_step: number;
    /** When the next step is due; null when nothing is planned */
    next_attempt_at: string | null;
  } | null;
  /** Emails sent and received, oldest first; the latest 400 */
  messages: Array<InboxThreadReply>;
};

export type InboxThreadFolder = "interested" | "meeting" | "questions" | "not_interested" | "out_of_office" | "bounces" | "other" | "snoozed" | "done";

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
  /** Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort` */
  total_is_capped?: boolean;
};

export type InboxThreadNote = {
  /** The note's id */
  id: string;
  /** Conversation that it is about */
  thread_id: string;
  /** Who wrote it: `user:<id>`, `key:<id>`, `operator` */
  author: string;
  /** Current name of the user or the key; null for the others */
  author_name: string | null;
  /** Plain text */
  body: string;
  /** Ids of the members it mentions, who find the conversation by `mentions` */
  mentions: Array<string>;
  /** When the record was created */
  created_at: string;
};

export type InboxThreadNoteCreate = {
  /** Plain text */
  body: string;
  /** Ids of the members it mentions, who find the conversation by `mentions` */
  mentions?: Array<string>;
};

export type InboxThreadNoteList = {
  /** All notes, oldest first; at most 200 */
  data: Array<InboxThreadNote>;
};

export type InboxThreadPatch = {
  /** Whether all its emails have been read */
  read?: boolean;
  /** What the latest email by a person is, or else the latest email */
  kind?: ReceivedKind;
  /** Interest, as classified or set by hand; null when unknown */
  interest?: Interest | null;
  /** Whether someone is done with it; false again when another email is received */
  done?: boolean;
  /** When it comes back to the inbox, unread; null when it isn't snoozed, and again when another email is received. Snoozing it makes it not done. From 1970 to 9999 */
  snoozed_until?: string | null;
  /** Member who takes care of it; null when no one does */
  assignee_id?: string | null;
};

export type InboxThreadReply = {
  /** The message's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Conversation that it belongs to */
  thread_id: string;
  /** Account that sent or received it */
  account_id: string;
  /** Campaign that it belongs to; null for none */
  campaign_id: string | null;
  /** Lead that it belongs to; null for none */
  lead_id: string | null;
  /** `in` for received, `out` for sent */
  direction: MessageDirection;
  /** Status of sending; null for a received email */
  status: MessageStatus | null;
  /** Whether it was read; null for an email that you sent */
  read: boolean | null;
  /** What a received email is; changing it takes back what the email caused and causes what the new kind does. For a sent email `step`, or `manual` for a reply written by hand */
  kind: MessageKind;
  /** Whether a bounce is permanent or temporary; null otherwise */
  severity: BounceSeverity | null;
  /** Address of the sender */
  from: string;
  /** Name of the sender; empty without one */
  from_name: string;
  /** Address of the recipient */
  to: string;
  /** Others it was sent to */
  cc: Array<string>;
  /** Those who got a copy without being named; none for a received email */
  bcc: Array<string>;
  /** Subject */
  subject: string;
  /** Text without quotes and signature */
  text: string;
  /** What a sent email carried; empty for a received one */
  attachments: Array<{
    /** The file's id */
    file_id: string;
    /** Name that the recipient sees, without its path and without invisible characters */
    name: string;
    /** Media type, by the ending of its name */
    media_type: string;
    /** Size in bytes */
    bytes: number;
    /** SHA-256 of its content in lower-case hexadecimal */
    sha256: string;
    /** Whether it is an image that the text shows */
    inline: boolean;
  }>;
  /** `Message-ID` header with its angle brackets; null without one */
  internet_message_id: string | null;
  /** When it was received or sent, or sending was first attempted */
  at: string;
  /** Sent message that it is a reply to; null for none */
  answers: string | null;
  /** Step that was sent; null for none */
  step_id: string | null;
  /** Position of the step that was sent; null otherwise */
  step_position: number | null;
  /** Revision of the step that it was made from; null if unknown */
  step_revision: number | null;
  /** Experiment that the email was part of; null for none and for a received email */
  experiment_id: string | null;
  /** Variant that it was made from; null without an experiment */
  variant_id: string | null;
  /** What the mail server last said; null without a response */
  response: string | null;
  /** Opens and clicks; null for a message that is not tracked */
  tracking: {
    /** Opens by people */
    opens: number;
    /** Clicks by people */
    clicks: number;
    /** Opens by machines, such as scanners and image proxies */
    machine_opens: number;
    /** Clicks by machines, such as link scanners */
    machine_clicks: number;
    /** First open by a person; null before */
    first_opened_at: string | null;
    /** Last open by a person; null before */
    last_opened_at: string | null;
    /** First click by a person; null before */
    first_clicked_at: string | null;
    /** Last click by a person; null before */
    last_clicked_at: string | null;
  } | null;
  /** Size of an email whose headers and text alone were fetched; null when all was */
  partial_of_bytes: number | null;
  /** Rule that gave the kind, and what it found; null for a sent email */
  evidence: string | null;
  /** How certain the kind is; null for a sent email */
  confidence: Confidence | null;
  /** Kind that the rules found; null for a sent email */
  found_kind: string | null;
  /** Who changed the kind; null when no one has */
  labelled_by: string | null;
  /** What it was matched to the lead by; `sender`, `quote`, and `company` are guesses. `quote`: the email that it quotes was written to the lead. Null when untracked */
  matched_by: MatchedBy | null;
  /** Enhanced status code of a bounce; null without one */
  enhanced_status: string | null;
  /** First day back that an out-of-office reply names; null without one */
  returns_on: string | null;
  /** Whether it says that the person has left the company */
  left_company: boolean | null;
  /** Address that it names to write to instead; null without one */
  new_contact: string | null;
  /** What it has changed; changing `kind` takes it back */
  effects: Array<{
    /** What was changed */
    type: EffectType;
    /** Id of the changed record */
    subject_id: string;
    /** Value before; null for none */
    before: string | null;
    /** Value after; null for none */
    after: string | null;
  }>;
};

/** Name the email that it comes back for, a lead or a campaign lead for the last one to it, or an account that a stranger writes to. The kind `placement` sets the result of a placement test */
export type InjectIntoSandboxRequest = {
  /** What comes back */
  kind: SandboxInjectKind;
  /** Email that it comes back for: its id, the id of the captured message, or its `Message-ID` */
  message_id?: string;
  /** Campaign lead whose last email it comes back for */
  enrollment_id?: string;
  /** Lead whose last email it comes back for */
  lead_id?: string;
  /** Account that a stranger writes to, with `from` and `text`; with `placement`, the sender */
  account_id?: string;
  /** Text of the email; without one, a text that fits its kind */
  text?: string;
  /** First day back that an auto-reply names */
  returns_on?: string;
  /** Address that it comes from; without one, the lead's */
  from?: string;
  /** Placement run whose result is set; with the kind `placement` */
  run_id?: string;
  /** Seed whose result is set; with the kind `placement` */
  seed_id?: string;
  /** Where the email is filed; with the kind `placement` */
  placement?: Placement;
};

export type InjectIntoSandboxResult = {
  /** What comes back */
  kind: SandboxInjectKind;
  /** Account that receives it */
  account_id: string;
  /** Email that it comes back for; null for a stranger's */
  answers: string | null;
  /** When it arrives, by the sandbox clock */
  arrives_at: string;
};

export type Interest = "interested" | "not_interested" | "neutral" | "meeting";

export type Key = {
  /** The key's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** What the key is for */
  name: string;
  /** Environment that the key opens */
  env: Environment;
  /** Last four characters of the key */
  last4: string;
  /** What the key may do */
  scopes: Array<string>;
  /** When the record was created */
  created_at: string;
  /** When the key expires; null for never */
  expires_at: string | null;
  /** When the key was revoked; null when it was not */
  revoked_at: string | null;
  /** When the key was last used; null before */
  last_used_at: string | null;
};

export type KeyCreate = {
  /** What the key is for */
  name: string;
  /** Environment that the key opens; without it, that of the key that creates it */
  env?: Environment;
  /** What the key may do; without it, the same as the key that creates it */
  scopes?: Array<KeyScope>;
  /** When the key expires; null for never. From 1970 to 9999 */
  expires_at?: string | null;
};

export type KeyCreated = {
  /** The key itself, shown only now */
  key: string;
  /** The key's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** What the key is for */
  name: string;
  /** Environment that the key opens */
  env: Environment;
  /** Last four characters of the key */
  last4: string;
  /** What the key may do */
  scopes: Array<string>;
  /** When the record was created */
  created_at: string;
  /** When the key expires; null for never */
  expires_at: string | null;
  /** When the key was revoked; null when it was not */
  revoked_at: string | null;
  /** When the key was last used; null before */
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

export type KeyScope = "read" | "write" | "admin" | "operator" | "campaigns:read" | "campaigns:write" | "leads:read" | "leads:write" | "accounts:read" | "accounts:write" | "suppressions:read" | "suppressions:write" | "files:read" | "files:write" | "team:read" | "team:write" | "experiments:read" | "experiments:write" | "placement:read" | "placement:write" | "inbox:read" | "inbox:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "billing:read" | "billing:write" | "audit:read" | "audit:write" | "sandbox:read" | "sandbox:write";

export type Language = "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "cs" | "sv" | "da" | "nb" | "fi" | "ja";

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
  /** Tags, in lower case and in the order of the alphabet; at most 20 */
  tags: Array<string>;
  /** What is known of the address before anybody writes to it */
  address: {
    /** `valid`: the domain takes email and nothing speaks against the address, which may still bounce. `unknown`: no name server has responded yet */
    verdict: AddressVerdict;
    /** What speaks against the address */
    reasons: Array<AddressReason>;
    /** The address that was probably meant; null unless `likely_typo` */
    suggestion: string | null;
    /** When its domain was looked up; null for one that wasn't, as those of big providers */
    checked_at: string | null;
  };
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** The campaign that wrote to the lead last, or else the latest one; null when it is in none, and unless `include` asks for it */
  campaign: {
    /** The campaign's id */
    id: string;
    /** Name of the campaign */
    name: string;
    /** The lead's status in it */
    status: CampaignLeadStatus;
    /** The lead's interest in it; null when unknown */
    interest: Interest | null;
    /** When it was last sent an email of it; null when it wasn't */
    last_sent_at: string | null;
    /** Campaigns that the lead is in */
    campaigns: number;
  } | null;
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
  status: CampaignLeadStatus;
  /** Interest, as classified or set by hand; null when unknown */
  interest: Interest | null;
  /** When the next step is due; null when nothing is planned. From 1970 to 9999 */
  next_attempt_at: string | null;
  /** Position of the last step that was sent or done; 0 at first */
  current_step: number;
  /** Account that emails the lead; null before the first email */
  account_id: string | null;
  /** Why the lead is on hold; null when it is not */
  hold_reason: CampaignLeadHoldReason | null;
  /** More about the hold, for example the missing variables; null without one */
  hold_detail: string | null;
  /** Why the sequence ended; null while it has not */
  stop_reason: string | null;
  /** Attempts to send the current step */
  attempts: number;
  /** When the last email was sent; null before the first */
  last_sent_at: string | null;
  /** Variants that the lead was sent, one for each experiment; empty without one */
  assignments: Array<{
    /** The experiment's id */
    experiment_id: string;
    /** The variant's id */
    variant_id: string;
  }>;
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

export type LeadDetail = {
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
  /** Tags, in lower case and in the order of the alphabet; at most 20 */
  tags: Array<string>;
  /** What is known of the address before anybody writes to it */
  address: {
    /** `valid`: the domain takes email and nothing speaks against the address, which may still bounce. `unknown`: no name server has responded yet */
    verdict: AddressVerdict;
    /** What speaks against the address */
    reasons: Array<AddressReason>;
    /** The address that was probably meant; null unless `likely_typo` */
    suggestion: string | null;
    /** When its domain was looked up; null for one that wasn't, as those of big providers */
    checked_at: string | null;
  };
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type LeadDuplicate = {
  /** Why they are probably one person, the surest reason first */
  reasons: Array<LeadDuplicateReason>;
  /** The leads, oldest first; at most 10 */
  leads: Array<LeadDetail>;
};

export type LeadDuplicateList = {
  /** The records of this page */
  data: Array<LeadDuplicate>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Leads that were compared: the newest, 200000 at most */
  scanned: number;
};

export type LeadDuplicateReason = "same_mailbox" | "same_profile" | "same_phone" | "same_name";

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
  /** Whether more records may match than `total` says: a search or filter, and a list of events, counts up to 10,000 */
  total_is_capped: boolean;
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
  /** Tags, which replace those that the lead has */
  tags?: Array<string>;
};

export type LeadTimeline = {
  /** `written`: an email to the lead, whatever became of it; `received`: an email from it; `changed`: an audit entry */
  kind: LeadTimelineKind;
  /** When it happened */
  at: string;
  /** Campaign that it belongs to; null for none */
  campaign_id: string | null;
  /** Id of the message, task, suppression, campaign lead or changed record */
  subject_id: string;
  /** What the mail server said, the subject of the task, the reason of the suppression, or the action of the audit entry */
  words: string | null;
  /** The email, for `written`, `bounced` and `received`; null otherwise */
  message: InboxThreadReply | null;
  /** Who made the change: a key, a user or the engine; null unless `changed` */
  actor: string | null;
  /** The changed fields before; null unless `changed` */
  before: Record<string, unknown> | null;
  /** The changed fields after; null unless `changed` */
  after: Record<string, unknown> | null;
};

export type LeadTimelineKind = "enrolled" | "written" | "bounced" | "opened" | "clicked" | "received" | "task" | "task_done" | "task_skipped" | "suppressed" | "changed";

export type LeadTimelineList = {
  /** The latest 500 entries, newest first */
  data: Array<LeadTimeline>;
};

export type LeadView = {
  /** The view's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Name in the list of views */
  name: string;
  /** Filter, as the list of leads takes it; empty for all leads */
  filter: string;
  /** Order of the leads */
  sort: LeadViewSort;
  /** Columns that the console shows beside the address: name, company, website, phone, timezone, tags, status, campaign, interest, last_sent, created, and `variables.<name>` */
  columns: Array<string>;
  /** True: the whole team sees it. False: only who made it */
  shared: boolean;
  /** Who made it: `user:<id>`, `key:<id>`, `operator` */
  author: string;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type LeadViewCreate = {
  /** Name in the list of views */
  name: string;
  /** Filter, as the list of leads takes it; empty for all leads */
  filter?: string;
  /** Order of the leads */
  sort?: LeadViewSort;
  /** Columns that the console shows beside the address: name, company, website, phone, timezone, tags, status, campaign, interest, last_sent, created, and `variables.<name>` */
  columns?: Array<string>;
  /** True: the whole team sees it. False: only who made it */
  shared?: boolean;
};

export type LeadViewList = {
  /** The records of this page */
  data: Array<LeadView>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type LeadViewPatch = {
  /** Name in the list of views */
  name?: string;
  /** Filter, as the list of leads takes it; empty for all leads */
  filter?: string;
  /** Order of the leads */
  sort?: LeadViewSort;
  /** Columns that the console shows beside the address: name, company, website, phone, timezone, tags, status, campaign, interest, last_sent, created, and `variables.<name>` */
  columns?: Array<string>;
  /** True: the whole team sees it. False: only who made it */
  shared?: boolean;
};

export type LeadViewSort = "-created" | "created" | "email" | "-email";

export type LoggedRequest = {
  /** `X-Request-Id` of the response */
  id: string;
  /** When the request was received */
  created_at: string;
  /** HTTP method */
  method: string;
  /** Path with the query */
  path: string;
  /** HTTP status of the response */
  status: number;
  /** How long it took, in milliseconds */
  duration_ms: number;
  /** Key that made the request */
  key_id: string;
  /** Name of the key; null when the key no longer exists */
  key_name: string | null;
  /** What was sent, as JSON: its first 4,000 characters, without secrets. Null unless the operator has set `request_body_hours`, for keys without `admin`, for files, and for what may contain secrets, such as accounts, keys, and webhooks */
  request_body: string | null;
  /** What was returned, as JSON: its first 4,000 characters, without secrets. Null unless the operator has set `request_body_hours`, for keys without `admin`, for files, and for what may contain secrets, such as accounts, keys, and webhooks */
  response_body: string | null;
};

export type LoggedRequestList = {
  /** The records of this page */
  data: Array<LoggedRequest>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
};

export type LoggedRequestMethod = "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS";

export type LoggedRequestOutcome = "ok" | "refused" | "failed";

export type MatchedBy = "token" | "message_id" | "provider_id" | "thread" | "recipient" | "sender" | "quote" | "company" | "person";

export type MergeLeadRequest = {
  /** Leads to merge into this one; they are gone afterwards */
  lead_ids: Array<string>;
};

export type MergeLeadResult = {
  /** The lead that stays, as it is now */
  lead: {
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
    /** Tags, in lower case and in the order of the alphabet; at most 20 */
    tags: Array<string>;
    /** What is known of the address before anybody writes to it */
    address: {
      /** `valid`: the domain takes email and nothing speaks against the address, which may still bounce. `unknown`: no name server has responded yet */
      verdict: AddressVerdict;
      /** What speaks against the address */
      reasons: Array<AddressReason>;
      /** The address that was probably meant; null unless `likely_typo` */
      suggestion: string | null;
      /** When its domain was looked up; null for one that wasn't, as those of big providers */
      checked_at: string | null;
    };
    /** When the record was created */
    created_at: string;
    /** When the record last changed */
    updated_at: string;
  };
  /** Leads that were merged into it */
  merged: number;
  /** Fields of which the leads have different values */
  conflicts: Array<{
    /** Field or variable */
    field: string;
    /** Its value in the lead that stays */
    kept: string | number | boolean;
    /** Values that are dropped */
    others: Array<string | number | boolean>;
  }>;
  /** Sequences that end, because another one to the same person goes on or has ended */
  stopped: number;
  /** Why the address that stays is suppressed, when another of the addresses was; null otherwise */
  suppressed: ImportReason | null;
};

export type MessageDirection = "in" | "out";

export type MessageKind = "reply" | "auto_reply" | "bounce" | "notice" | "complaint" | "unsubscribe" | "unrelated" | "step" | "manual" | "placement";

export type MessagePatch = {
  /** Whether it was read; null for an email that you sent */
  read?: boolean | null;
  /** What a received email is; changing it takes back what the email caused and causes what the new kind does. For a sent email `step`, or `manual` for a reply written by hand */
  kind?: MessageKind;
  /** Whether a bounce is permanent or temporary; null otherwise */
  severity?: BounceSeverity | null;
};

export type MessageStatus = "queued" | "sending" | "deferred" | "sent" | "failed" | "unknown" | "cancelled";

/** Either `advance` or `speed` */
export type MoveSandboxClockRequest = {
  /** How far to move the clock, 1s to 366d */
  advance?: string;
  /** Seconds of sandbox time per second; 0 pauses the clock */
  speed?: number;
};

export type PaidPlan = "starter" | "pro" | "scale";

export type PatchCampaignResult = {
  /** The campaign's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** A draft is started once; an active campaign sends; a completed one has nothing left to send */
  status: CampaignStatus;
  /** Why the campaign is paused; null otherwise */
  status_reason: CampaignStatusReason | null;
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
  priority: CampaignPriority;
  /** Emails per local day to addresses of one domain; null for no limit */
  max_per_domain_per_day: number | null;
  /** A reply ends the sequences of all leads at the same company domain */
  stop_company_on_reply: boolean;
  /** Resume the campaign when leads are added after it has completed */
  evergreen: boolean;
  /** Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one */
  rules: Array<{
    /** What happens to the lead: a reply, or a person, gives it this interest; it has `replied`, and no other rule is about the interest; or it has `completed` the steps without a reply */
    on: RuleEvent;
    /** Campaign that the lead moves to */
    campaign_id: string;
    /** Calendar days until its first email there is due; 1 if you don't say */
    wait_days?: number;
    /** Minutes to wait after these days; 0 if you don't say */
    wait_minutes?: number;
  }>;
  /** What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an invalid address are always put on hold */
  risky_addresses: RiskyAddresses;
  /** Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can start leads. Leads at a provider that none of these mailboxes is at go from any */
  provider_matching: CampaignProviderMatching;
  /** Accounts to send from; empty for all of the team's accounts */
  account_ids: Array<string>;
  /** Hours of the week in which emails may be sent */
  send_window: {
    /** IANA time zone in which the hours are read; a lead's own time zone takes precedence */
    timezone: string;
    /** Weekdays on which emails may be sent */
    days: Array<Weekday>;
    /** Local hour at which sending starts */
    start_hour: number;
    /** Local hour before which sending stops; 24 is midnight. Later than `start_hour` */
    end_hour: number;
    /** Countries on whose public holidays nothing is sent. A lead whose time zone is in one of them skips only that country's holidays, all other leads skip all of them. Holidays of regions aren't included */
    skip_holidays: Array<string>;
  };
  /** What to track in sent emails; nothing by default */
  tracking: {
    /** Track opens with an invisible image in the HTML part */
    opens: boolean;
    /** Track clicks by leading links through this installation's `public_url` */
    clicks: boolean;
  };
  /** Leads that wait for a person, by reason. A campaign does not complete while it has any */
  on_hold: {
    /** Leads on hold, for any reason */
    total: number;
    /** The next email uses a variable that the lead has no value for, or has files that can't be sent */
    missing_variable: number;
    /** An email is unconfirmed: it may or may not have been delivered */
    unknown_send: number;
    /** The next step is a task that is not done */
    task: number;
    /** The account that emailed the lead was deleted */
    account_gone: number;
    /** The next email could not be planned; resume the lead to try again */
    planning_failed: number;
    /** The address's domain takes no email, or its server doesn't know it */
    invalid_address: number;
    /** The address is risky, and the campaign's `risky_addresses` is `hold` */
    risky_address: number;
  };
  /** When the campaign was last started or resumed; with `delay_seconds`, when that ends; null for a draft */
  started_at: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
  /** Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop */
  in_flight?: number;
  /** What the change would do to the emails of the next 7 days. Only in a dry run */
  forecast?: {
    /** Emails that would be sent at another minute, or from another account */
    moved: number;
    /** Emails that would be sent and aren't planned now */
    added: number;
    /** Emails that are planned now and wouldn't be sent */
    removed: number;
    /** When the first of them is planned; null if there is none */
    first_at: string | null;
    /** How far the forecast looks ahead */
    until: string;
    /** The same in words */
    summary: string;
  };
};

export type Placement = "inbox" | "spam" | "promotions" | "not_delivered";

export type PlacementRun = {
  /** The placement run's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Whether it was started by a request, by a schedule or for poor health */
  trigger_type: PlacementRunTriggerType;
  /** `pending` until the first email is sent; `failed` when none of its tests could be made */
  status: PlacementRunStatus;
  /** Tests that have a placement or will get one: the sum of the following five counts */
  total_tests: number;
  /** Emails in the inbox */
  inbox_count: number;
  /** Emails in spam */
  spam_count: number;
  /** Emails in Gmail's promotions tab */
  promotions_count: number;
  /** Emails that were not delivered */
  not_delivered_count: number;
  /** Tests without a placement yet */
  pending_count: number;
  /** Tests without a result, because the email could not be sent or the seed not be read */
  failed_count: number;
  /** `inbox_count` divided by all tests that have a placement; 0 while none has */
  inbox_rate: number;
  /** Lower end of its 95% interval (Wilson); 0 while no test has a placement */
  inbox_rate_low: number;
  /** Upper end of its 95% interval; 1 while no test has a placement */
  inbox_rate_high: number;
  /** `spam_count` divided by all tests that have a placement; 0 while none has */
  spam_rate: number;
  /** Lower end of its 95% interval (Wilson) */
  spam_rate_low: number;
  /** Upper end of its 95% interval */
  spam_rate_high: number;
  /** Results by the provider of the seeds */
  by_provider: Record<string, {
    /** Tests that have a placement */
    total: number;
    /** Of these, emails in the inbox */
    inbox: number;
    /** Of these, emails in spam */
    spam: number;
    /** `inbox` divided by `total` */
    rate: number;
    /** Lower end of its 95% interval (Wilson) */
    rate_low: number;
    /** Upper end of its 95% interval */
    rate_high: number;
    /** `spam` divided by `total` */
    spam_rate: number;
    /** Lower end of its 95% interval (Wilson) */
    spam_rate_low: number;
    /** Upper end of its 95% interval */
    spam_rate_high: number;
  }>;
  /** Schedule that started it; null without one */
  schedule_id: string | null;
  /** Campaign whose email is tested; null for a neutral text */
  campaign_id: string | null;
  /** Step whose email is tested; null for a neutral text */
  step_id: string | null;
  /** When the record was created */
  created_at: string;
  /** When the first email was sent; null before */
  started_at: string | null;
  /** When the last test had a result; null before */
  completed_at: string | null;
  /** Until when an email that arrives late corrects its result */
  ends_at: string;
};

/** Each account sends one email to each seed, within its limits: that of a step, written to a made-up person, or a neutral text */
export type PlacementRunCreate = {
  /** Runs that you start are manual */
  trigger_type?: "manual";
  /** Accounts to test; empty for all that may send now */
  account_ids?: Array<string>;
  /** Seeds to send to; empty for all that are not paused */
  seed_ids?: Array<string>;
  /** Campaign whose email is tested; without one, a neutral text is sent */
  campaign_id?: string;
  /** Step whose email is tested; without one, the first email of the campaign */
  step_id?: string;
  /** Position of the step, in place of `step_id` */
  position?: number;
};

export type PlacementRunCreated = {
  /** The placement run's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Whether it was started by a request, by a schedule or for poor health */
  trigger_type: PlacementRunTriggerType;
  /** `pending` until the first email is sent; `failed` when none of its tests could be made */
  status: PlacementRunStatus;
  /** Tests that have a placement or will get one: the sum of the following five counts */
  total_tests: number;
  /** Emails in the inbox */
  inbox_count: number;
  /** Emails in spam */
  spam_count: number;
  /** Emails in Gmail's promotions tab */
  promotions_count: number;
  /** Emails that were not delivered */
  not_delivered_count: number;
  /** Tests without a placement yet */
  pending_count: number;
  /** Tests without a result, because the email could not be sent or the seed not be read */
  failed_count: number;
  /** `inbox_count` divided by all tests that have a placement; 0 while none has */
  inbox_rate: number;
  /** Lower end of its 95% interval (Wilson); 0 while no test has a placement */
  inbox_rate_low: number;
  /** Upper end of its 95% interval; 1 while no test has a placement */
  inbox_rate_high: number;
  /** `spam_count` divided by all tests that have a placement; 0 while none has */
  spam_rate: number;
  /** Lower end of its 95% interval (Wilson) */
  spam_rate_low: number;
  /** Upper end of its 95% interval */
  spam_rate_high: number;
  /** Results by the provider of the seeds */
  by_provider: Record<string, {
    /** Tests that have a placement */
    total: number;
    /** Of these, emails in the inbox */
    inbox: number;
    /** Of these, emails in spam */
    spam: number;
    /** `inbox` divided by `total` */
    rate: number;
    /** Lower end of its 95% interval (Wilson) */
    rate_low: number;
    /** Upper end of its 95% interval */
    rate_high: number;
    /** `spam` divided by `total` */
    spam_rate: number;
    /** Lower end of its 95% interval (Wilson) */
    spam_rate_low: number;
    /** Upper end of its 95% interval */
    spam_rate_high: number;
  }>;
  /** Schedule that started it; null without one */
  schedule_id: string | null;
  /** Campaign whose email is tested; null for a neutral text */
  campaign_id: string | null;
  /** Step whose email is tested; null for a neutral text */
  step_id: string | null;
  /** When the record was created */
  created_at: string;
  /** When the first email was sent; null before */
  started_at: string | null;
  /** When the last test had a result; null before */
  completed_at: string | null;
  /** Until when an email that arrives late corrects its result */
  ends_at: string;
  /** The result of each test */
  results: Array<{
    /** Account that sends */
    account_id: string;
    /** Its address */
    account_email: string;
    /** Seed that receives */
    seed_id: string;
    /** Its address */
    seed_email: string;
    /** Provider of the seed */
    seed_provider: SeedProvider;
    /** `waiting` until the email is sent, `looking` until it is found */
    status: PlacementTestStatus;
    /** Where the email was found; null while unknown */
    placement: Placement | null;
    /** Time from sending to arrival in milliseconds, to the second; null while unknown */
    latency_ms: number | null;
    /** When the result was known; null before */
    tested_at: string | null;
    /** When the email was sent; null before */
    sent_at: string | null;
    /** Folder it was found in; null while unknown */
    folder: string | null;
    /** Tab of Gmail's inbox; null elsewhere */
    tab: GmailTab | null;
    /** SPF result that the receiving server noted; null without one */
    spf: AuthenticationResult | null;
    /** DKIM result that the receiving server noted; null without one */
    dkim: AuthenticationResult | null;
    /** DMARC result that the receiving server noted; null without one */
    dmarc: AuthenticationResult | null;
    /** Whether a DKIM signature covers both one-click unsubscribe headers; null when the email lacks one */
    one_click_signed: boolean | null;
    /** Why there is no placement, or why the email was not delivered; null otherwise */
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
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor?: string | null;
  /** Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort` */
  total_is_capped?: boolean;
};

export type PlacementRunStatus = "pending" | "running" | "completed" | "failed" | "cancelled";

export type PlacementRunTriggerType = "manual" | "scheduled" | "health";

export type PlacementSchedule = {
  /** The schedule's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Accounts to test; empty for all that may send then */
  account_ids: Array<string>;
  /** Seeds to send to; empty for all that are not paused then */
  seed_ids: Array<string>;
  /** Campaign whose email is tested; null for a neutral text */
  campaign_id: string | null;
  /** Step whose email is tested; null for the first email of the campaign */
  step_id: string | null;
  /** Weekday on which it runs */
  weekday: Weekday;
  /** Local hour at which it runs */
  hour: number;
  /** IANA time zone of the hour */
  timezone: string;
  /** Whether it runs */
  active: boolean;
  /** When it runs next; null while it is not active */
  next_run_at: string | null;
  /** The last run that it started; null before the first */
  last_run_id: string | null;
  /** Why the last run could not be started; null when it was */
  last_error: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type PlacementScheduleCreate = {
  /** Accounts to test; empty for all that may send then */
  account_ids?: Array<string>;
  /** Seeds to send to; empty for all that are not paused then */
  seed_ids?: Array<string>;
  /** Campaign whose email is tested; null for a neutral text */
  campaign_id?: string | null;
  /** Step whose email is tested; null for the first email of the campaign */
  step_id?: string | null;
  /** Weekday on which it runs */
  weekday?: Weekday;
  /** Local hour at which it runs */
  hour?: number;
  /** IANA time zone of the hour */
  timezone?: string;
  /** Whether it runs */
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
  /** Accounts to test; empty for all that may send then */
  account_ids?: Array<string>;
  /** Seeds to send to; empty for all that are not paused then */
  seed_ids?: Array<string>;
  /** Campaign whose email is tested; null for a neutral text */
  campaign_id?: string | null;
  /** Step whose email is tested; null for the first email of the campaign */
  step_id?: string | null;
  /** Weekday on which it runs */
  weekday?: Weekday;
  /** Local hour at which it runs */
  hour?: number;
  /** IANA time zone of the hour */
  timezone?: string;
  /** Whether it runs */
  active?: boolean;
};

/** A mailbox of your own that placement runs send to and look into */
export type PlacementSeed = {
  /** The seed's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Address of the mailbox */
  email: string;
  /** `paused` leaves it out of runs; `error` means that its login is refused */
  status: PlacementSeedStatus;
  /** Provider, by the MX records of its domain */
  provider: SeedProvider;
  /** Server to read from; preset for known providers. Null when none is set */
  imap: {
    /** Host name or IP address */
    host: string;
    /** Port; without one, the usual port for `security` */
    port: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security: ServerSecurity;
    /** Name to log in with; without one, the seed's address */
    username: string;
  } | null;
  /** Whether a password is stored */
  has_imap_password: boolean;
  /** Whether OAuth 2.0 credentials are stored */
  has_oauth: boolean;
  /** Whether Gmail sorts this inbox into tabs; without them promotions cannot be recognized. Null for other providers, and until an email of a run has arrived */
  tabs: boolean | null;
  /** Its spam folder; null until it is found */
  junk_folder: string | null;
  /** When the mailbox was last read; null before */
  last_looked_at: string | null;
  /** What went wrong last; null when nothing did */
  last_error: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

/** In live, credentials are required, and the IMAP server unless the provider is known; in the test environment the address is enough */
export type PlacementSeedCreate = {
  /** Address of a mailbox of your own; it can never be a lead */
  email: string;
  /** `paused` leaves it out of runs */
  status?: PlacementSeedCreateStatus;
  /** Server to read from; known providers need a password only */
  imap?: {
    /** Host name or IP address */
    host?: string;
    /** Port; without one, the usual port for `security` */
    port?: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security?: ServerSecurity;
    /** Name to log in with; without one, the seed's address */
    username?: string;
    /** Password or app password; write-only */
    password?: string | null;
  } | null;
  /** OAuth 2.0 credentials, used in place of a password; write-only */
  oauth?: {
    /** Provider that issued them */
    provider: WorkspaceProvider;
    /** Client id registered with the provider */
    client_id: string;
    /** Secret of the client */
    client_secret: string;
    /** Token of the mailbox's owner */
    refresh_token: string;
  } | null;
};

export type PlacementSeedCreateStatus = "active" | "paused";

export type PlacementSeedCreated = {
  /** The seed's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Address of the mailbox */
  email: string;
  /** `paused` leaves it out of runs; `error` means that its login is refused */
  status: PlacementSeedStatus;
  /** Provider, by the MX records of its domain */
  provider: SeedProvider;
  /** Server to read from; preset for known providers. Null when none is set */
  imap: {
    /** Host name or IP address */
    host: string;
    /** Port; without one, the usual port for `security` */
    port: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security: ServerSecurity;
    /** Name to log in with; without one, the seed's address */
    username: string;
  } | null;
  /** Whether a password is stored */
  has_imap_password: boolean;
  /** Whether OAuth 2.0 credentials are stored */
  has_oauth: boolean;
  /** Whether Gmail sorts this inbox into tabs; without them promotions cannot be recognized. Null for other providers, and until an email of a run has arrived */
  tabs: boolean | null;
  /** Its spam folder; null until it is found */
  junk_folder: string | null;
  /** When the mailbox was last read; null before */
  last_looked_at: string | null;
  /** What went wrong last; null when nothing did */
  last_error: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
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
  /** Address of a mailbox of your own; it can never be a lead */
  email?: string;
  /** `paused` leaves it out of runs; `active` resumes it */
  status?: PlacementSeedStatus;
  /** Server to read from; known providers need a password only */
  imap?: {
    /** Host name or IP address */
    host?: string;
    /** Port; without one, the usual port for `security` */
    port?: number;
    /** How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only */
    security?: ServerSecurity;
    /** Name to log in with; without one, the seed's address */
    username?: string;
    /** Password or app password; write-only */
    password?: string | null;
  } | null;
  /** OAuth 2.0 credentials, used in place of a password; write-only */
  oauth?: {
    /** Provider that issued them */
    provider?: WorkspaceProvider;
    /** Client id registered with the provider */
    client_id?: string;
    /** Secret of the client */
    client_secret?: string;
    /** Token of the mailbox's owner */
    refresh_token?: string;
  } | null;
};

export type PlacementSeedStatus = "active" | "paused" | "error";

export type PlacementTestStatus = "waiting" | "looking" | "done" | "failed" | "cancelled";

export type PlanLimitName = "accounts" | "leads" | "active_campaigns" | "mails" | "running_experiments" | "placement_runs" | "webhooks" | "keys" | "members";

export type PreviewCampaignRequest = {
  /** Step to render; either this or `position` */
  step_id?: string;
  /** Position of the step to render */
  position?: number;
  /** Lead to render the step for; either this or `lead` */
  lead_id?: string;
  /** Person to render the step for, who need not be a lead */
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
  /** Subject to use in place of the step's */
  subject?: string | null;
  /** Body to use in place of the step's */
  body?: string;
  /** What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text */
  format?: CampaignStepFormat | null;
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
  /** What the email carries; images in its text first */
  attachments: Array<{
    /** The file's id */
    file_id: string;
    /** Name that the recipient sees, without its path and without invisible characters */
    name: string;
    /** Media type, by the ending of its name */
    media_type: string;
    /** Size in bytes */
    bytes: number;
    /** SHA-256 of its content in lower-case hexadecimal */
    sha256: string;
    /** Whether it is an image that the text shows */
    inline: boolean;
  }>;
  /** Variables without a value and without a default in the template; the lead would be put on hold */
  missing: Array<string>;
};

export type PreviewImportResult = {
  /** Format of the file */
  format: FileFormat;
  /** Character encoding of the file; null before it is known */
  encoding: ImportEncoding | null;
  /** Character between two values; null for NDJSON and JSON */
  delimiter: string | null;
  /** What each column is read as; null for NDJSON and JSON */
  columns: Array<{
    /** Heading of the column */
    name: string;
    /** Lead field or `variables.<name>` that it is read into; null when it is ignored */
    field: string | null;
    /** Why, in plain words */
    reason: string;
  }> | null;
  /** The first 20 rows, without headings */
  rows: Array<Array<string>>;
};

export type ProviderFigures = {
  /** The account */
  account_id: string;
  /** Who runs the recipients' servers; `custom`: anybody else, or not known */
  provider: SeedProvider;
  /** Attempts: accepted, deferred, and refused */
  attempts: number;
  /** Emails that were accepted */
  accepted: number;
  /** Attempts that were deferred; they are made again */
  deferred: number;
  /** Attempts that were refused */
  refused: number;
  /** Of these days' emails, those that bounced */
  bounced: number;
  /** Of these days' emails, those that got a reply */
  replied: number;
  /** Placement tests at the provider in these days */
  placed: {
    /** Test emails whose folder is known */
    total: number;
    /** Those of them in the inbox */
    inbox: number;
  };
  /** What is stopped now, until when, and why; `POST /accounts/{id}/test` tries again right away */
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
};

export type ProviderFiguresList = {
  /** First day */
  from: string;
  /** Last day */
  to: string;
  /** One line for each account and provider, accounts oldest first */
  data: Array<ProviderFigures>;
};

export type ReceivedKind = "reply" | "auto_reply" | "bounce" | "notice" | "complaint" | "unsubscribe" | "unrelated";

export type RecommendationCode = "no_data" | "srm_detected" | "guardrail_breach" | "winner_found" | "losers_found" | "warming_up" | "underpowered" | "keep_running" | "bandit_exploring" | "bandit_converging" | "evaluating" | "equivalent" | "lean_leader" | "inconclusive" | "bandit_converged" | "chosen_by_hand" | "one_left" | "testing" | "leader_picked" | "cancelled";

export type ReplayWebhookRequest = {
  /** Only events created at or after this time. From 1970 to 9999 */
  since?: string;
  /** Only events created before this time. From 1970 to 9999 */
  until?: string;
  /** Only events after this `seq`; pass the `last_seq` of the previous call */
  after?: number;
  /** Only events of these kinds */
  types?: Array<EventType>;
  /** Send what was delivered already, too; otherwise only what failed, is waiting or was never queued */
  all?: boolean;
};

export type ReplayWebhookResult = {
  /** Events that are sent again */
  replayed: number;
  /** `seq` of the last event that was considered */
  last_seq: number;
  /** Whether there are more; call again with `after` */
  hasMore: boolean;
};

export type ReplyToInboxThreadRequest = {
  /** Plain text or HTML, sent as it is */
  body: string;
  /** Subject; without one, the conversation's with "Re:" */
  subject?: string;
  /** Addresses that get a copy, named in the email */
  cc?: Array<string>;
  /** Addresses that get a copy without being named */
  bcc?: Array<string>;
  /** Files that it carries, of `/files`; 10 MB at most in all */
  attachment_ids?: Array<string>;
};

export type ResolveCampaignLeadRequest = {
  /** Whether the unconfirmed email counts as sent or is sent again */
  action: UnconfirmedAction;
  /** Which email; required when several are unconfirmed */
  message_id?: string;
};

export type ResolveMessageRequest = {
  /** Whether the unconfirmed email counts as sent or is sent again */
  action: UnconfirmedAction;
};

export type RestoreBackupRequest = {
  /** Passphrase of an encrypted backup; without one, the configured one */
  passphrase?: string | null;
  /** Restore a backup that needs another master key and does not contain it */
  without_key?: boolean;
};

export type RiskyAddresses = "send" | "spread" | "hold";

export type Role = "owner" | "admin" | "member" | "viewer";

export type RotateKeyRequest = {
  /** Seconds for which the old key keeps working */
  grace_seconds?: number;
};

export type RotateWebhookSecretRequest = {
  /** Seconds during which the previous secret signs, too */
  overlap_seconds?: number;
};

export type RuleEvent = "interested" | "meeting" | "neutral" | "replied" | "completed";

export type RunBatchRequest = {
  /** The requests, carried out in this order */
  operations: Array<{
    /** HTTP method */
    method: BatchOperationMethod;
    /** Path below `/api/v1`, with its query; it may contain references */
    path: string;
    /** Body of the request; a string that is a reference as a whole becomes the id */
    body?: unknown;
    /** The request's `If-Match` header, in ASCII */
    if_match?: string;
    /** Name for this operation, by which later ones refer to ids in its response, such as `{campaign.id}` */
    ref?: string;
  }>;
  /** Whether the first operation that fails undoes all of them; false undoes it alone, and the others stay. True if left out */
  atomic?: boolean;
};

export type RunBatchResult = {
  /** Operations that were refused; 0 unless `atomic` is false */
  failed: number;
  /** One for each operation, in the same order */
  results: Array<{
    /** Name of the operation; null without one */
    ref: string | null;
    /** HTTP status of the response */
    status: number;
    /** Headers of the response, such as `ETag` and `Location` */
    headers: Record<string, string>;
    /** Body of the response, or the error; null where there is none */
    body: unknown;
  }>;
};

export type SandboxBlockKind = "refuse" | "throttle";

export type SandboxClock = {
  /** Current time of the test environment */
  now: string;
  /** Seconds of sandbox time per second; 0 pauses the clock */
  speed: number;
  /** Whether the clock is being moved */
  advancing: boolean;
};

export type SandboxInjectKind = "reply" | "interested" | "auto_reply" | "bounce" | "soft_bounce" | "complaint" | "unsubscribe" | "block_bounce" | "delay" | "left_company" | "newsletter" | "placement";

export type SandboxMessage = {
  /** Id of the captured message */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Account that sent it */
  account_id: string;
  /** `Message-ID` header with its angle brackets */
  message_id: string;
  /** Address of the sender */
  sender: string;
  /** Address of the recipient */
  recipient: string;
  /** Subject */
  subject: string;
  /** Where the simulated server put it */
  verdict: SandboxMessageVerdict;
  /** Size in bytes */
  size: number;
  /** When it was sent, by the sandbox clock */
  sent_at: string;
};

export type SandboxMessageDetail = {
  /** Id of the captured message */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Account that sent it */
  account_id: string;
  /** `Message-ID` header with its angle brackets */
  message_id: string;
  /** Address of the sender */
  sender: string;
  /** Address of the recipient */
  recipient: string;
  /** Subject */
  subject: string;
  /** Where the simulated server put it */
  verdict: SandboxMessageVerdict;
  /** Size in bytes */
  size: number;
  /** When it was sent, by the sandbox clock */
  sent_at: string;
  /** All headers, in order */
  headers: Array<{
    /** Name of the header */
    name: string;
    /** Its value */
    value: string;
  }>;
  /** Plain-text part */
  text: string;
  /** HTML part; null without one */
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
  /** Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort` */
  total_is_capped?: boolean;
};

export type SandboxMessageVerdict = "delivered" | "bounced" | "spam";

export type SandboxSettings = {
  /** Seed of the simulation; the same seed gives the same people */
  seed: number;
  /** Shares of emails, 0 to 1, that people react to in each way */
  rates: {
    /** Share that gets a reply */
    reply: number;
    /** Share that gets an interested reply */
    interested: number;
    /** Share that gets an out-of-office reply */
    auto_reply: number;
    /** Share that bounces because the address does not exist */
    hard_bounce: number;
    /** Share that bounces temporarily */
    soft_bounce: number;
    /** Share that is reported as spam */
    complaint: number;
    /** Share whose reader unsubscribes */
    unsubscribe: number;
    /** Share that is filed as spam, where no one reads it */
    spam: number;
  };
  /** How long people take to react */
  delays: {
    /** Time until a reply */
    reply: {
      /** Shortest time, in seconds */
      min_seconds: number;
      /** Longest time, in seconds */
      max_seconds: number;
    };
    /** Time until an interested reply */
    interested: {
      /** Shortest time, in seconds */
      min_seconds: number;
      /** Longest time, in seconds */
      max_seconds: number;
    };
    /** Time until an out-of-office reply */
    auto_reply: {
      /** Shortest time, in seconds */
      min_seconds: number;
      /** Longest time, in seconds */
      max_seconds: number;
    };
    /** Time until a permanent bounce */
    hard_bounce: {
      /** Shortest time, in seconds */
      min_seconds: number;
      /** Longest time, in seconds */
      max_seconds: number;
    };
    /** Time until a temporary bounce */
    soft_bounce: {
      /** Shortest time, in seconds */
      min_seconds: number;
      /** Longest time, in seconds */
      max_seconds: number;
    };
    /** Time until a complaint */
    complaint: {
      /** Shortest time, in seconds */
      min_seconds: number;
      /** Longest time, in seconds */
      max_seconds: number;
    };
    /** Time until an opt-out */
    unsubscribe: {
      /** Shortest time, in seconds */
      min_seconds: number;
      /** Longest time, in seconds */
      max_seconds: number;
    };
  };
  /** Shares of attempts, 0 to 1, at which a server fails */
  faults: {
    /** Share at which the server responds with 421 and hangs up */
    smtp421: number;
    /** Share at which it responds with 450, to try later */
    smtp450: number;
    /** Share at which it responds with 550, for good */
    smtp550: number;
    /** Share at which it does not respond */
    timeout: number;
    /** Share at which the connection breaks after the email, whether or not it was accepted */
    cut: number;
    /** Share at which the mailbox cannot be read */
    imap: number;
    /** Accounts whose login is refused */
    auth_failures: Array<string>;
  };
  /** Other rates for emails that contain a text; the first one that matches applies */
  effects: Array<{
    /** Text in the subject or the body, in upper or lower case */
    contains: string;
    /** Shares of emails, 0 to 1, that people react to in each way */
    rates: {
      /** Share that gets a reply */
      reply?: number;
      /** Share that gets an interested reply */
      interested?: number;
      /** Share that gets an out-of-office reply */
      auto_reply?: number;
      /** Share that bounces because the address does not exist */
      hard_bounce?: number;
      /** Share that bounces temporarily */
      soft_bounce?: number;
      /** Share that is reported as spam */
      complaint?: number;
      /** Share whose reader unsubscribes */
      unsubscribe?: number;
      /** Share that is filed as spam, where no one reads it */
      spam?: number;
    };
  }>;
  /** Providers that refuse email from the team's mailboxes for a while */
  blocks: Array<{
    /** Who runs the recipients' servers; `custom`: anybody else */
    provider: SeedProvider;
    /** `refuse`: the provider has the sender on its block list. `throttle`: it asks to try later */
    kind: SandboxBlockKind;
    /** When it begins, by the sandbox clock */
    from: string;
    /** When it ends */
    until: string;
  }>;
};

export type SandboxSettingsPatch = {
  /** Seed of the simulation; the same seed gives the same people */
  seed?: number;
  /** Shares of emails, 0 to 1, that people react to in each way */
  rates?: {
    /** Share that gets a reply */
    reply?: number;
    /** Share that gets an interested reply */
    interested?: number;
    /** Share that gets an out-of-office reply */
    auto_reply?: number;
    /** Share that bounces because the address does not exist */
    hard_bounce?: number;
    /** Share that bounces temporarily */
    soft_bounce?: number;
    /** Share that is reported as spam */
    complaint?: number;
    /** Share whose reader unsubscribes */
    unsubscribe?: number;
    /** Share that is filed as spam, where no one reads it */
    spam?: number;
  };
  /** How long people take to react */
  delays?: {
    /** Time until a reply */
    reply?: {
      /** Shortest time, in seconds */
      min_seconds?: number;
      /** Longest time, in seconds */
      max_seconds?: number;
    };
    /** Time until an interested reply */
    interested?: {
      /** Shortest time, in seconds */
      min_seconds?: number;
      /** Longest time, in seconds */
      max_seconds?: number;
    };
    /** Time until an out-of-office reply */
    auto_reply?: {
      /** Shortest time, in seconds */
      min_seconds?: number;
      /** Longest time, in seconds */
      max_seconds?: number;
    };
    /** Time until a permanent bounce */
    hard_bounce?: {
      /** Shortest time, in seconds */
      min_seconds?: number;
      /** Longest time, in seconds */
      max_seconds?: number;
    };
    /** Time until a temporary bounce */
    soft_bounce?: {
      /** Shortest time, in seconds */
      min_seconds?: number;
      /** Longest time, in seconds */
      max_seconds?: number;
    };
    /** Time until a complaint */
    complaint?: {
      /** Shortest time, in seconds */
      min_seconds?: number;
      /** Longest time, in seconds */
      max_seconds?: number;
    };
    /** Time until an opt-out */
    unsubscribe?: {
      /** Shortest time, in seconds */
      min_seconds?: number;
      /** Longest time, in seconds */
      max_seconds?: number;
    };
  };
  /** Shares of attempts, 0 to 1, at which a server fails */
  faults?: {
    /** Share at which the server responds with 421 and hangs up */
    smtp421?: number;
    /** Share at which it responds with 450, to try later */
    smtp450?: number;
    /** Share at which it responds with 550, for good */
    smtp550?: number;
    /** Share at which it does not respond */
    timeout?: number;
    /** Share at which the connection breaks after the email, whether or not it was accepted */
    cut?: number;
    /** Share at which the mailbox cannot be read */
    imap?: number;
    /** Accounts whose login is refused */
    auth_failures?: Array<string>;
  };
  /** Other rates for emails that contain a text; the first one that matches applies */
  effects?: Array<{
    /** Text in the subject or the body, in upper or lower case */
    contains: string;
    /** Shares of emails, 0 to 1, that people react to in each way */
    rates: {
      /** Share that gets a reply */
      reply?: number;
      /** Share that gets an interested reply */
      interested?: number;
      /** Share that gets an out-of-office reply */
      auto_reply?: number;
      /** Share that bounces because the address does not exist */
      hard_bounce?: number;
      /** Share that bounces temporarily */
      soft_bounce?: number;
      /** Share that is reported as spam */
      complaint?: number;
      /** Share whose reader unsubscribes */
      unsubscribe?: number;
      /** Share that is filed as spam, where no one reads it */
      spam?: number;
    };
  }>;
  /** Providers that refuse email from the team's mailboxes for a while */
  blocks?: Array<{
    /** Who runs the recipients' servers; `custom`: anybody else */
    provider: SeedProvider;
    /** `refuse`: the provider has the sender on its block list. `throttle`: it asks to try later */
    kind: SandboxBlockKind;
    /** When it begins, by the sandbox clock */
    from: string;
    /** When it ends */
    until: string;
  }>;
};

export type SeedProvider = "google" | "microsoft" | "yahoo" | "icloud" | "zoho" | "custom";

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
  status: TestEmailStatus;
  /** What the mail server said, or why it could not be reached */
  response: string;
};

export type ServerSecurity = "starttls" | "tls" | "none";

export type SetAccountDkimRequest = {
  /** Name of the key in DNS */
  selector: string;
};

export type SetBillingLicenseRequest = {
  /** License key as issued; it begins with "key/" */
  licence: string;
};

export type ShareExperimentRequest = {
  /** Days until the link stops working */
  expires_in_days?: number;
  /** Whether the report shows the subjects and bodies of the variants */
  includes_texts?: boolean;
};

export type ShareExperimentResult = {
  /** Address of the report, which needs no sign-in; its JSON is at `/report.json` below it. Without `public_url`, the path on this server */
  url: string;
  /** Whether the report shows the subjects and bodies of the variants */
  includes_texts: boolean;
  /** When the link stops working */
  expires_at: string;
  /** When the link was made */
  created_at: string;
};

export type SignificanceTest = "anytime" | "group_sequential" | "pooled_z" | "fisher_mid_p" | "epoch_z" | "degenerate";

export type SpamCheckRule = "subject_missing" | "subject_long" | "subject_capitals" | "subject_punctuation" | "subject_false_reply" | "text_missing" | "text_to_html" | "html_large" | "capitals" | "phrases" | "links_many" | "link_shortener" | "link_plain_http" | "link_address" | "link_disguised" | "image_only" | "tracking_pixel" | "unsubscribe_missing" | "one_click_missing" | "address_missing";

export type SpamCheckSeverity = "problem" | "warning" | "note";

export type StartCampaignRequest = {
  /** Seconds before the first email, in which pausing the campaign takes the start back */
  delay_seconds?: number;
};

export type StartSandboxDemoRequest = {
  /** Leads in all of its campaigns */
  leads?: number;
};

export type StartSandboxDemoResult = {
  /** Accounts created */
  accounts: number;
  /** Campaigns started */
  campaigns: number;
  /** Leads imported */
  leads: number;
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
    /** Leads that were emailed for the first time in their campaign */
    contacted: number;
    /** Of these leads, those that have replied since; divided by `contacted`, their reply rate */
    contacted_replied: number;
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
    /** Leads that were emailed for the first time in their campaign */
    contacted: number;
    /** Of these leads, those that have replied since; divided by `contacted`, their reply rate */
    contacted_replied: number;
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

export type StoredFile = {
  /** The file's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Name that the recipient sees, without its path and without invisible characters */
  name: string;
  /** Media type, by the ending of its name */
  media_type: string;
  /** Size in bytes */
  bytes: number;
  /** SHA-256 of its content in lower-case hexadecimal */
  sha256: string;
  /** When the record was created */
  created_at: string;
  /** What needs the file, which can't be deleted meanwhile, the first ten; only in a list that asks for it by `include` */
  uses?: Array<{
    /** A step that attaches or shows the file, a variant under test, or a mailbox whose signature shows it */
    type: StoredFileUseType;
    /** Campaign of the step or the variant, or the mailbox */
    id: string;
    /** The campaign's name, or the mailbox's address */
    name: string;
    /** Position of the step; null for a signature */
    step_position: number | null;
  }>;
};

export type StoredFileList = {
  /** The records of this page */
  data: Array<StoredFile>;
  /** Records that match, on all pages */
  total: number;
  /** Page size that was applied */
  limit: number;
  /** Records that were skipped */
  offset: number;
  /** Whether another page follows */
  hasMore: boolean;
  /** Size of all the team's files in bytes, 512 MB at most */
  bytes: number;
};

export type StoredFileUseType = "step" | "variant" | "signature";

export type SubscribeToPlanRequest = {
  /** Plan to subscribe to */
  plan: PaidPlan;
};

export type SubscribeToPlanResult = {
  /** Page to open in a browser */
  url: string;
};

export type Suppression = {
  /** The suppression's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** SHA-256 of the address in lower case, in hexadecimal */
  email_hash: string;
  /** The address or `@domain`; null after the lead was erased, or where a restore knows only the hash */
  email: string | null;
  /** Why it is suppressed */
  reason: ImportReason;
  /** When the record was created */
  created_at: string;
};

export type SuppressionCheck = {
  /** Whether the address is suppressed */
  suppressed: boolean;
  /** Whether the address itself or its domain is; null when neither is */
  match: SuppressionCheckMatch | null;
  /** Reason of the suppression; null without one */
  reason: ImportReason | null;
};

export type SuppressionCheckMatch = "address" | "domain";

export type SuppressionCreate = {
  /** Address, or `@example.com` for a domain without its subdomains */
  email: string;
  /** Why it is suppressed */
  reason?: ImportReason;
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
  /** Pass it as `after` to get the next page; null on the last one */
  next_cursor?: string | null;
  /** Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort` */
  total_is_capped?: boolean;
};

export type SystemStatus = {
  /** Version of the program */
  version: string;
  /** Commit that it was built from */
  commit: string;
  /** Version of Bun inside */
  bun: string;
  /** When the server started */
  started_at: string;
  /** Seconds since then */
  uptime_seconds: number;
  /** Version of the database schema */
  schema_version: number;
  /** Directory that all data is stored in */
  data_directory: string;
  /** Disk of the data directory */
  disk: {
    /** Free space in bytes */
    free_bytes: number;
    /** Size in bytes */
    total_bytes: number;
  };
  /** Memory of the process */
  memory: {
    /** Resident memory in bytes */
    resident_bytes: number;
    /** Heap in bytes */
    heap_bytes: number;
  };
  /** Processor time used, in seconds */
  cpu_seconds: number;
  /** The live environment */
  live: {
    /** Size of the database in bytes */
    database_bytes: number;
    /** Size of its write-ahead log in bytes */
    wal_bytes: number;
    /** What is due now */
    queues: {
      /** Mailboxes with emails to send */
      sends: number;
      /** Mailboxes to read */
      polls: number;
      /** Webhook deliveries */
      deliveries: number;
      /** Copies of sent emails to store */
      copies: number;
    };
    /** The workers */
    workers: Array<{
      /** Name of the worker */
      name: string;
      /** Runs since the start */
      runs: number;
      /** Seconds spent in them */
      busy_seconds: number;
      /** When it last ran; null before */
      last_run_at: string | null;
      /** Runs that ended with an error */
      faults: number;
      /** When one last did; null when none has */
      last_fault_at: string | null;
      /** That error; null when there was none */
      last_fault: string | null;
    }>;
    /** Mailboxes that are watched over an open connection */
    watches: number;
  };
  /** The test environment */
  test: {
    /** Size of the database in bytes */
    database_bytes: number;
    /** Size of its write-ahead log in bytes */
    wal_bytes: number;
    /** What is due now */
    queues: {
      /** Mailboxes with emails to send */
      sends: number;
      /** Mailboxes to read */
      polls: number;
      /** Webhook deliveries */
      deliveries: number;
      /** Copies of sent emails to store */
      copies: number;
    };
    /** The workers */
    workers: Array<{
      /** Name of the worker */
      name: string;
      /** Runs since the start */
      runs: number;
      /** Seconds spent in them */
      busy_seconds: number;
      /** When it last ran; null before */
      last_run_at: string | null;
      /** Runs that ended with an error */
      faults: number;
      /** When one last did; null when none has */
      last_fault_at: string | null;
      /** That error; null when there was none */
      last_fault: string | null;
    }>;
    /** Mailboxes that are watched over an open connection */
    watches: number;
  };
  /** Results of the installation's checks */
  checks: Array<{
    /** What was checked */
    check: string;
    /** The result */
    verdict: CheckVerdict;
    /** What was found, and how to fix it */
    detail: string;
  }>;
};

export type TagCampaignsRequest = {
  /** Records to change */
  ids: Array<string>;
  /** Tags to add */
  add?: Array<string>;
  /** Tags to remove */
  remove?: Array<string>;
};

export type TagCampaignsResult = {
  /** The records, with the tags that they have now */
  data: Array<CampaignTag>;
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
  lead_status: CampaignLeadStatus;
  /** What to do, with the lead's values */
  subject: string | null;
  /** Details, with the lead's values */
  body: string | null;
  /** Whether the task is done, after which the lead continues; cannot be undone */
  done: boolean;
  /** Whether the task was skipped, after which the lead continues, and which counts as done; cannot be undone */
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
  /** Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort` */
  total_is_capped?: boolean;
};

export type TaskPatch = {
  /** Whether the task is done, after which the lead continues; cannot be undone */
  done?: boolean;
  /** Whether the task was skipped, after which the lead continues, and which counts as done; cannot be undone */
  skipped?: boolean;
  /** Note for your team */
  note?: string | null;
};

export type Team = {
  /** The team's id */
  id: string;
  /** Name of the team */
  name: string;
  /** Postal address, shown in the footer of every email */
  postal_address: string | null;
  /** Append postal address and unsubscribe link to emails whose body has no unsubscribe link */
  footer: boolean;
  /** Plain text of the unsubscribe link in that footer, the same for everyone. Null for our word in the recipient's language: that of the lead's variable `language` (a BCP 47 tag such as `pt-BR`), else of the country that the address's domain belongs to, else the team's */
  unsubscribe_text: string | null;
  /** Language of our own words to recipients whose language isn't known, and of the test emails that a mailbox sends to itself */
  language: Language;
  /** Host name of tracked links; null for the installation's own. It has to reach this server over https, and serves this team alone */
  tracking_host: string | null;
  /** Phrases of replies that show interest, in any language, by what they mean. They take precedence over the built-in ones; case and accents are ignored, and a negation before a positive one counts */
  interest_words: {
    /** Phrases that mean interest */
    interested: Array<string>;
    /** Phrases that mean no interest */
    not_interested: Array<string>;
    /** Phrases that mean neither */
    neutral: Array<string>;
    /** Phrases that mean a meeting */
    meeting: Array<string>;
  };
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type TeamInvitation = {
  /** The invitation's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Address that is invited */
  email: string;
  /** `owner` and `admin` may do everything, except that admins cannot change owners; `member` may do everything but keys, billing and people; `viewer` may only read */
  role: Role;
  /** Who sent the invitation, as in the audit log */
  invited_by: string;
  /** When the record was created */
  created_at: string;
  /** When the link expires */
  expires_at: string;
};

export type TeamInvitationCreate = {
  /** Address to invite */
  email: string;
  /** `owner` and `admin` may do everything, except that admins cannot change owners; `member` may do everything but keys, billing and people; `viewer` may only read */
  role: Role;
};

export type TeamInvitationCreated = {
  /** Link for the invited person; it works once and is shown only now. Without `public_url`, the path on this server */
  url: string;
  /** The invitation's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Address that is invited */
  email: string;
  /** `owner` and `admin` may do everything, except that admins cannot change owners; `member` may do everything but keys, billing and people; `viewer` may only read */
  role: Role;
  /** Who sent the invitation, as in the audit log */
  invited_by: string;
  /** When the record was created */
  created_at: string;
  /** When the link expires */
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
  /** The member's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Name */
  name: string;
  /** Address to sign in with */
  email: string;
  /** `owner` and `admin` may do everything, except that admins cannot change owners; `member` may do everything but keys, billing and people; `viewer` may only read */
  role: Role;
  /** Whether the member also runs the installation: its backups and its state */
  operator: boolean;
  /** When the member joined */
  created_at: string;
  /** When the member last signed in; null before */
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
  /** `owner` and `admin` may do everything, except that admins cannot change owners; `member` may do everything but keys, billing and people; `viewer` may only read */
  role?: Role;
};

export type TeamPatch = {
  /** Name of the team */
  name?: string;
  /** Postal address, shown in the footer of every email */
  postal_address?: string | null;
  /** Append postal address and unsubscribe link to emails whose body has no unsubscribe link */
  footer?: boolean;
  /** Plain text of the unsubscribe link in that footer, the same for everyone. Null for our word in the recipient's language: that of the lead's variable `language` (a BCP 47 tag such as `pt-BR`), else of the country that the address's domain belongs to, else the team's */
  unsubscribe_text?: string | null;
  /** Language of our own words to recipients whose language isn't known, and of the test emails that a mailbox sends to itself */
  language?: Language;
  /** Host name of tracked links; null for the installation's own. It has to reach this server over https, and serves this team alone */
  tracking_host?: string | null;
  /** Phrases of replies that show interest, in any language, by what they mean. They take precedence over the built-in ones; case and accents are ignored, and a negation before a positive one counts */
  interest_words?: {
    /** Phrases that mean interest */
    interested?: Array<string>;
    /** Phrases that mean no interest */
    not_interested?: Array<string>;
    /** Phrases that mean neither */
    neutral?: Array<string>;
    /** Phrases that mean a meeting */
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
    step: AccountTestStep;
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

export type TestEmailStatus = "sent" | "failed" | "unknown";

export type TestPlacementSeedResult = {
  /** Whether the mailbox can be read */
  ok: boolean;
  /** What went wrong; null when it works */
  error: string | null;
  /** Whether the login was refused */
  login_refused: boolean;
  seed: PlacementSeed;
};

export type TestWebhookResult = {
  /** The delivery's id */
  id: string;
  /** The webhook's id */
  webhook_id: string;
  /** The event's id */
  event_id: string;
  /** Kind of the event */
  event_type: EventType;
  /** `seq` of the event */
  seq: number;
  /** Status of the delivery */
  status: ErasureWebhookStatus;
  /** Attempts so far */
  attempt_count: number;
  /** When it is tried next; null when it has ended */
  next_attempt_at: string | null;
  /** HTTP status of the last response; null without one */
  last_status: number | null;
  /** Why the last attempt failed; null when it did not */
  last_error: DeliveryError | null;
  /** When the record was created */
  created_at: string;
  /** When it was delivered or given up; null before */
  ended_at: string | null;
  payload: Event;
  /** Every attempt, oldest first */
  attempts: Array<{
    /** Number of the attempt, from 1 */
    number: number;
    /** When it began */
    started_at: string;
    /** How long it took, in milliseconds */
    duration_ms: number;
    /** HTTP status of the response; null without one */
    status: number | null;
    /** Why it failed; null when it did not */
    error: DeliveryError | null;
    /** Beginning of the response's body, without control characters; null without one */
    response: string | null;
  }>;
};

export type UnconfirmedAction = "treat_as_sent" | "send_again";

export type UpsertLeadsRequest = {
  /** Leads, by their addresses. Fields that you leave out don't change */
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
    /** Values for templates, by name; merged into the existing ones, and null removes one */
    variables?: Record<string, string | number | boolean | null>;
    /** Tags to add */
    tags?: Array<string>;
  }>;
};

export type UpsertLeadsResult = {
  /** Leads that are new */
  created: number;
  /** The leads as they are now, in the order of the request */
  data: Array<LeadDetail>;
};

export type VerifyBackupRequest = {
  /** Passphrase of an encrypted backup; without one, the configured one */
  passphrase?: string | null;
};

export type Webhook = {
  /** The webhook's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Address that events are sent to by POST: https, and no private address */
  url: string;
  /** Name of your choice; null without one */
  name: string | null;
  /** Events that are sent: kinds, families or all (`*`) */
  events: Array<string>;
  /** Only events of these campaigns; events that belong to no campaign aren't sent. Null for all events */
  campaign_ids: Array<string> | null;
  /** Records that every delivery carries under `included`; each needs the scope to read it */
  include: Array<WebhookInclude>;
  /** Headers of your own that every delivery carries, such as a token of your gateway: up to 10. Values are never shown again: responses have `…` in their place, and sending `…` back keeps them */
  headers: Record<string, string>;
  /** Secret that signs every delivery; masked but for its last four characters, unless the key may write webhooks */
  secret: string;
  /** Until when the previous secret signs, too; null when it no longer does */
  previous_secret_expires_at: string | null;
  /** Whether events are sent */
  active: boolean;
  /** Why it was disabled automatically; null otherwise */
  disabled_reason: WebhookDisabledReason | null;
  /** When it was disabled automatically; null otherwise */
  disabled_at: string | null;
  /** Failed attempts since the last success */
  consecutive_failures: number;
  /** When the first of them failed; null without any */
  failing_since: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type WebhookCheckVerdictCheck = "accepts_events" | "accepts_repeats" | "accepts_two_signatures" | "ignores_unknown_fields" | "refuses_bad_signatures" | "refuses_old_timestamps" | "takes_late_events" | "deduplicates" | "orders_by_seq";

export type WebhookCheckVerdictVerdict = "yes" | "no" | "unknown";

export type WebhookCreate = {
  /** Address that events are sent to by POST: https, and no private address */
  url: string;
  /** Name of your choice; null without one */
  name?: string | null;
  /** Events to send: kinds (`email.sent`), families (`email.*`) or all (`*`) */
  events?: Array<EventPattern>;
  /** Only events of these campaigns; events that belong to no campaign aren't sent. Null for all events */
  campaign_ids?: Array<string> | null;
  /** Records that every delivery carries under `included`; each needs the scope to read it */
  include?: Array<WebhookInclude>;
  /** Headers of your own that every delivery carries, such as a token of your gateway: up to 10. Values are never shown again: responses have `…` in their place, and sending `…` back keeps them */
  headers?: Record<string, string>;
  /** Secret that signs every delivery: `whsec_` and 24 to 64 bytes in base64. Without one, it is generated */
  secret?: string;
  /** Whether to send events */
  active?: boolean;
};

export type WebhookDelivery = {
  /** The delivery's id */
  id: string;
  /** The webhook's id */
  webhook_id: string;
  /** The event's id */
  event_id: string;
  /** Kind of the event */
  event_type: EventType;
  /** `seq` of the event */
  seq: number;
  /** Status of the delivery */
  status: ErasureWebhookStatus;
  /** Attempts so far */
  attempt_count: number;
  /** When it is tried next; null when it has ended */
  next_attempt_at: string | null;
  /** HTTP status of the last response; null without one */
  last_status: number | null;
  /** Why the last attempt failed; null when it did not */
  last_error: DeliveryError | null;
  /** When the record was created */
  created_at: string;
  /** When it was delivered or given up; null before */
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
  /** Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort` */
  total_is_capped?: boolean;
};

export type WebhookDisabledReason = "gone" | "failing";

export type WebhookInclude = "lead" | "campaign" | "reply.text" | "message";

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
  /** Address that events are sent to by POST: https, and no private address */
  url?: string;
  /** Name of your choice; null without one */
  name?: string | null;
  /** Events to send: kinds (`email.sent`), families (`email.*`) or all (`*`) */
  events?: Array<EventPattern>;
  /** Only events of these campaigns; events that belong to no campaign aren't sent. Null for all events */
  campaign_ids?: Array<string> | null;
  /** Records that every delivery carries under `included`; each needs the scope to read it */
  include?: Array<WebhookInclude>;
  /** Headers of your own that every delivery carries, such as a token of your gateway: up to 10. Values are never shown again: responses have `…` in their place, and sending `…` back keeps them. Merged into the existing ones; null removes one */
  headers?: Record<string, string | null>;
  /** Secret that signs every delivery: `whsec_` and 24 to 64 bytes in base64. Without one, it is generated */
  secret?: string;
  /** Whether to send events; `true` also resets failures and sends what has been waiting */
  active?: boolean;
};

export type Weekday = "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";

/** A company whose administrator lets every mailbox in by one consent */
export type Workspace = {
  /** The workspace's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Google Workspace, or Microsoft 365 */
  provider: WorkspaceProvider;
  /** Domains that its mailboxes have addresses in */
  domains: Array<string>;
  /** Microsoft: the tenant's id or one of its domains; without one, the first domain */
  tenant: string | null;
  /** Google: the service account's address. Microsoft: the application's id */
  client_id: string;
  /** `waiting` until a first token is granted; `refused` once none is any more: its accounts wait, and go on by themselves when it is repaired */
  status: WorkspaceStatus;
  /** What the provider says; null while tokens are granted */
  last_error: string | null;
  /** What to do about it */
  remedy: string | null;
  /** Page on which an administrator gives the consent. Google's wants the scope; Microsoft's leads back to `redirect_uri`, and needs the installation's `public_url` */
  consent_url: string | null;
  /** What the consent is for */
  scope: string;
  /** Microsoft: to be registered with the application */
  redirect_uri: string | null;
  /** Accounts that log in with its consent */
  accounts: number;
  /** When a token was last requested */
  checked_at: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type WorkspaceCreate = {
  /** Google Workspace, or Microsoft 365 */
  provider: WorkspaceProvider;
  /** Domains that its mailboxes have addresses in */
  domains: Array<string>;
  /** Microsoft: the tenant's id or one of its domains; without one, the first domain */
  tenant?: string;
  /** Microsoft: the application's (client) id */
  client_id?: string;
  /** Google: the service account's key, as the JSON file has it; write-only */
  service_account_key?: string;
  /** Microsoft: the application's secret; write-only */
  client_secret?: string;
};

export type WorkspaceCreated = {
  /** The workspace's id */
  id: string;
  /** Team that owns the record */
  team_id: string;
  /** Google Workspace, or Microsoft 365 */
  provider: WorkspaceProvider;
  /** Domains that its mailboxes have addresses in */
  domains: Array<string>;
  /** Microsoft: the tenant's id or one of its domains; without one, the first domain */
  tenant: string | null;
  /** Google: the service account's address. Microsoft: the application's id */
  client_id: string;
  /** `waiting` until a first token is granted; `refused` once none is any more: its accounts wait, and go on by themselves when it is repaired */
  status: WorkspaceStatus;
  /** What the provider says; null while tokens are granted */
  last_error: string | null;
  /** What to do about it */
  remedy: string | null;
  /** Page on which an administrator gives the consent. Google's wants the scope; Microsoft's leads back to `redirect_uri`, and needs the installation's `public_url` */
  consent_url: string | null;
  /** What the consent is for */
  scope: string;
  /** Microsoft: to be registered with the application */
  redirect_uri: string | null;
  /** Accounts that log in with its consent */
  accounts: number;
  /** When a token was last requested */
  checked_at: string | null;
  /** When the record was created */
  created_at: string;
  /** When the record last changed */
  updated_at: string;
};

export type WorkspaceList = {
  /** The workspaces, oldest first */
  data: Array<Workspace>;
};

export type WorkspacePatch = {
  /** Domains that its mailboxes have addresses in */
  domains?: Array<string>;
  /** Microsoft: the tenant's id or one of its domains; without one, the first domain */
  tenant?: string;
  /** Microsoft: the application's (client) id */
  client_id?: string;
  /** Google: the service account's key, as the JSON file has it; write-only */
  service_account_key?: string;
  /** Microsoft: the application's secret; write-only */
  client_secret?: string;
};

export type WorkspaceProvider = "google" | "microsoft";

export type WorkspaceStatus = "waiting" | "connected" | "refused";

/** The body of every error response */
export type ErrorBody = {
  /** What kind of error it is; stable, unlike the message */
  type: ErrorType;
  /** What was wrong and what would be right, in plain words */
  message: string;
  /** Dotted path of the field in the body or the query; null when no single field is at fault */
  field: string | null;
  /** The response's HTTP status */
  status: number;
  /** Everything that is wrong, each field once; the first entry is that of `field` and `message` */
  errors: Array<{
    /** What was wrong and what would be right, in plain words */
    message: string;
    /** Dotted path of the field in the body or the query; null when no single field is at fault */
    field: string | null;
    /** The known name nearest to an unknown one; null otherwise */
    did_you_mean: string | null;
  }>;
  /** Where this server explains the type of error, absolute where `public_url` is set; null if its documentation is off */
  docs_url: string | null;
};

/** Records that the webhook's `include` asks for, as they are when the delivery is attempted; absent without any */
export type IncludedRecords = {
  /** Lead that the event is about (`lead_id`); null when the event is about none, or the person was erased */
  lead?: {
    /** The lead's id */
    id: string;
    /** Email address */
    email: string;
    /** First name; null without one */
    first_name: string | null;
    /** Last name; null without one */
    last_name: string | null;
    /** Company; null without one */
    company: string | null;
    /** Company website; null without one */
    website: string | null;
    /** Phone number; null without one */
    phone: string | null;
    /** IANA time zone; null without one */
    timezone: string | null;
    /** Values for templates, by name */
    variables: Record<string, string | number | boolean>;
  } | null;
  /** Campaign that the event is about (`campaign_id`); null when it is about none */
  campaign?: {
    /** The campaign's id */
    id: string;
    /** Name of the campaign */
    name: string;
    /** Status of the campaign */
    status: CampaignStatus;
  } | null;
  /** Reply that the event is about (`mail_id`); null when the event is about none, or the person was erased */
  reply?: {
    /** What the person wrote, without quotes and signature */
    text: string;
  } | null;
  /** Email of yours that the event is about (`email_id`); null when the event is about none, or the person was erased */
  message?: {
    /** The message's id */
    id: string;
    /** Address of the recipient */
    to: string;
    /** Subject */
    subject: string;
    /** Plain text of the email */
    text: string;
    /** When it was sent; null before */
    sent_at: string | null;
  } | null;
};

/** The recipient's server accepted an email */
export type EmailSentEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "email.sent";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Id of the sent email */
    email_id: string;
    /** What the email was sent for */
    kind: EmailKind;
    /** Conversation that it belongs to */
    thread_id: string;
    /** Campaign that it belongs to; null for none */
    campaign_id: string | null;
    /** Step that was sent; null for none */
    step_id: string | null;
    /** Position of the step; null for none */
    step_position: number | null;
    /** Lead that it was sent to; null for none */
    lead_id: string | null;
    /** Id of the campaign lead; null for none */
    enrollment_id: string | null;
    /** Experiment that it was part of; null for none. Absent in older events */
    experiment_id?: string | null;
    /** Variant that it was made from; null for none. Absent in older events */
    variant_id?: string | null;
    /** The account's id */
    account_id: string;
    /** `Message-ID` header */
    message_id: string;
    /** Address of the recipient; null once the lead was erased */
    to: string | null;
    /** Subject; null once the lead was erased */
    subject: string | null;
  };
  included?: IncludedRecords;
};

/** An email failed for good, or is unconfirmed: it may have been sent (`in_doubt`) */
export type EmailFailedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "email.failed";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Id of the sent email */
    email_id: string;
    /** What the email was sent for */
    kind: EmailKind;
    /** Conversation that it belongs to */
    thread_id: string;
    /** Campaign that it belongs to; null for none */
    campaign_id: string | null;
    /** Step that was sent; null for none */
    step_id: string | null;
    /** Position of the step; null for none */
    step_position: number | null;
    /** Lead that it was sent to; null for none */
    lead_id: string | null;
    /** Id of the campaign lead; null for none */
    enrollment_id: string | null;
    /** Experiment that it was part of; null for none. Absent in older events */
    experiment_id?: string | null;
    /** Variant that it was made from; null for none. Absent in older events */
    variant_id?: string | null;
    /** The account's id */
    account_id: string;
    /** `Message-ID` header */
    message_id: string;
    /** Address of the recipient; null once the lead was erased */
    to: string | null;
    /** Subject; null once the lead was erased */
    subject: string | null;
    /** Attempts to send it */
    attempts: number;
    /** SMTP code; null without a response */
    code: number | null;
    /** What the mail server said; null without a response */
    response: string | null;
    /** Whether the email may have been sent after all */
    in_doubt: boolean;
  };
  included?: IncludedRecords;
};

/** The recipient's server asked to try later; the email will be retried */
export type EmailDeferredEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "email.deferred";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Id of the sent email */
    email_id: string;
    /** What the email was sent for */
    kind: EmailKind;
    /** Conversation that it belongs to */
    thread_id: string;
    /** Campaign that it belongs to; null for none */
    campaign_id: string | null;
    /** Step that was sent; null for none */
    step_id: string | null;
    /** Position of the step; null for none */
    step_position: number | null;
    /** Lead that it was sent to; null for none */
    lead_id: string | null;
    /** Id of the campaign lead; null for none */
    enrollment_id: string | null;
    /** Experiment that it was part of; null for none. Absent in older events */
    experiment_id?: string | null;
    /** Variant that it was made from; null for none. Absent in older events */
    variant_id?: string | null;
    /** The account's id */
    account_id: string;
    /** `Message-ID` header */
    message_id: string;
    /** Address of the recipient; null once the lead was erased */
    to: string | null;
    /** Subject; null once the lead was erased */
    subject: string | null;
    /** Attempts to send it */
    attempts: number;
    /** SMTP code; null without a response */
    code: number | null;
    /** What the mail server said; null without a response */
    response: string | null;
    /** When it is tried next */
    next_attempt_at: string;
  };
  included?: IncludedRecords;
};

/** An email bounced */
export type EmailBouncedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "email.bounced";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Id of the sent email */
    email_id: string;
    /** What the email was sent for */
    kind: EmailKind;
    /** Conversation that it belongs to */
    thread_id: string;
    /** Campaign that it belongs to; null for none */
    campaign_id: string | null;
    /** Step that was sent; null for none */
    step_id: string | null;
    /** Position of the step; null for none */
    step_position: number | null;
    /** Lead that it was sent to; null for none */
    lead_id: string | null;
    /** Id of the campaign lead; null for none */
    enrollment_id: string | null;
    /** Experiment that it was part of; null for none. Absent in older events */
    experiment_id?: string | null;
    /** Variant that it was made from; null for none. Absent in older events */
    variant_id?: string | null;
    /** The account's id */
    account_id: string;
    /** `Message-ID` header */
    message_id: string;
    /** Address of the recipient; null once the lead was erased */
    to: string | null;
    /** Subject; null once the lead was erased */
    subject: string | null;
    /** Permanent, temporary, or refused as spam */
    severity: BounceSeverity;
    /** Enhanced status code; null without one */
    enhanced_status: string | null;
    /** What the mail server said; null without a response */
    response: string | null;
  };
  included?: IncludedRecords;
};

/** An email was opened, if open tracking is on */
export type EmailOpenedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "email.opened";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Id of the sent email */
    email_id: string;
    /** What the email was sent for */
    kind: EmailKind;
    /** Conversation that it belongs to */
    thread_id: string;
    /** Campaign that it belongs to; null for none */
    campaign_id: string | null;
    /** Step that was sent; null for none */
    step_id: string | null;
    /** Position of the step; null for none */
    step_position: number | null;
    /** Lead that it was sent to; null for none */
    lead_id: string | null;
    /** Id of the campaign lead; null for none */
    enrollment_id: string | null;
    /** Experiment that it was part of; null for none. Absent in older events */
    experiment_id?: string | null;
    /** Variant that it was made from; null for none. Absent in older events */
    variant_id?: string | null;
    /** The account's id */
    account_id: string;
    /** `Message-ID` header */
    message_id: string;
    /** Address of the recipient; null once the lead was erased */
    to: string | null;
    /** Subject; null once the lead was erased */
    subject: string | null;
    /** Whether a machine did it, such as a scanner or an image proxy */
    by_machine: boolean;
  };
  included?: IncludedRecords;
};

/** A link in an email was clicked, if click tracking is on */
export type EmailClickedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "email.clicked";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Id of the sent email */
    email_id: string;
    /** What the email was sent for */
    kind: EmailKind;
    /** Conversation that it belongs to */
    thread_id: string;
    /** Campaign that it belongs to; null for none */
    campaign_id: string | null;
    /** Step that was sent; null for none */
    step_id: string | null;
    /** Position of the step; null for none */
    step_position: number | null;
    /** Lead that it was sent to; null for none */
    lead_id: string | null;
    /** Id of the campaign lead; null for none */
    enrollment_id: string | null;
    /** Experiment that it was part of; null for none. Absent in older events */
    experiment_id?: string | null;
    /** Variant that it was made from; null for none. Absent in older events */
    variant_id?: string | null;
    /** The account's id */
    account_id: string;
    /** `Message-ID` header */
    message_id: string;
    /** Address of the recipient; null once the lead was erased */
    to: string | null;
    /** Subject; null once the lead was erased */
    subject: string | null;
    /** Whether a machine did it, such as a scanner or an image proxy */
    by_machine: boolean;
    /** Link that was clicked; null if unknown */
    url: string | null;
  };
  included?: IncludedRecords;
};

/** A person replied */
export type ReplyReceivedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "reply.received";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Sent email that it is about; null for none */
    email_id: string | null;
    /** Id of the received email */
    mail_id: string;
    /** Conversation that it belongs to */
    thread_id: string;
    /** Campaign that it belongs to; null for none */
    campaign_id: string | null;
    /** Lead that it belongs to; null for none */
    lead_id: string | null;
    /** Id of the campaign lead; null for none */
    enrollment_id: string | null;
    /** Address of the lead; null for none or an erased one. Absent in older events */
    email?: string | null;
    /** Variants that the lead was sent, one for each experiment. Absent in older events */
    assignments?: Array<{
      /** The experiment's id */
      experiment_id: string;
      /** The variant's id */
      variant_id: string;
    }>;
    /** The account's id */
    account_id: string;
    /** Address of the sender; null once the lead was erased */
    from: string | null;
    /** Subject; null once the lead was erased */
    subject: string | null;
    /** Beginning of what the person wrote, up to 200 characters without quotes and signature; null when there is no text, or once the lead was erased. Absent in older events */
    snippet?: string | null;
    /** Interest, as classified; null when unknown */
    interest: Interest | null;
    /** What it was matched to the lead by */
    matched_by: string | null;
  };
  included?: IncludedRecords;
};

/** An auto-reply came in: out of office, or the person has left the company */
export type ReplyAutoEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "reply.auto";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Sent email that it is about; null for none */
    email_id: string | null;
    /** Id of the received email */
    mail_id: string;
    /** Conversation that it belongs to */
    thread_id: string;
    /** Campaign that it belongs to; null for none */
    campaign_id: string | null;
    /** Lead that it belongs to; null for none */
    lead_id: string | null;
    /** Id of the campaign lead; null for none */
    enrollment_id: string | null;
    /** Address of the lead; null for none or an erased one. Absent in older events */
    email?: string | null;
    /** Variants that the lead was sent, one for each experiment. Absent in older events */
    assignments?: Array<{
      /** The experiment's id */
      experiment_id: string;
      /** The variant's id */
      variant_id: string;
    }>;
    /** The account's id */
    account_id: string;
    /** First day back; null when it names none */
    returns_on: string | null;
    /** Whether it says that the person has left the company */
    left_company: boolean;
    /** Address that it names to write to instead; null without one */
    new_contact: string | null;
  };
  included?: IncludedRecords;
};

/** A known contact wrote, but not in reply to a campaign */
export type ReplyUntrackedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "reply.untracked";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Id of the received email */
    mail_id: string;
    /** Conversation that it belongs to */
    thread_id: string;
    /** Lead that it is from; null for none */
    lead_id: string | null;
    /** The account's id */
    account_id: string;
    /** Address of the sender; null once the lead was erased */
    from: string | null;
    /** Subject; null once the lead was erased */
    subject: string | null;
  };
  included?: IncludedRecords;
};

/** Leads were added to a campaign, up to 1,000 per event */
export type LeadEnrolledEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "lead.enrolled";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The campaign's id */
    campaign_id: string;
    /** Leads that were added */
    lead_ids: Array<string>;
  };
  included?: IncludedRecords;
};

/** A lead's status in a campaign changed */
export type LeadStatusChangedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "lead.status_changed";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The campaign's id */
    campaign_id: string;
    /** The lead's id */
    lead_id: string;
    /** Id of the campaign lead */
    enrollment_id: string;
    /** Address of the lead; null for none or an erased one. Absent in older events */
    email?: string | null;
    /** Variants that the lead was sent, one for each experiment. Absent in older events */
    assignments?: Array<{
      /** The experiment's id */
      experiment_id: string;
      /** The variant's id */
      variant_id: string;
    }>;
    /** Status before */
    previous: CampaignLeadStatus;
    /** Status now */
    current: CampaignLeadStatus;
    /** Why the sequence ended; null while it has not */
    stop_reason: string | null;
  };
  included?: IncludedRecords;
};

/** A reply was classified as interested or as a meeting */
export type LeadInterestedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "lead.interested";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The campaign's id */
    campaign_id: string;
    /** The lead's id */
    lead_id: string;
    /** Id of the campaign lead */
    enrollment_id: string;
    /** Address of the lead; null for none or an erased one. Absent in older events */
    email?: string | null;
    /** Variants that the lead was sent, one for each experiment. Absent in older events */
    assignments?: Array<{
      /** The experiment's id */
      experiment_id: string;
      /** The variant's id */
      variant_id: string;
    }>;
    /** Interest, as classified */
    interest: Interest;
  };
  included?: IncludedRecords;
};

/** A lead unsubscribed */
export type LeadUnsubscribedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "lead.unsubscribed";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The campaign's id */
    campaign_id: string;
    /** The lead's id */
    lead_id: string;
    /** Id of the campaign lead */
    enrollment_id: string;
    /** Address of the lead; null for none or an erased one. Absent in older events */
    email?: string | null;
    /** Variants that the lead was sent, one for each experiment. Absent in older events */
    assignments?: Array<{
      /** The experiment's id */
      experiment_id: string;
      /** The variant's id */
      variant_id: string;
    }>;
    /** Status before */
    previous: CampaignLeadStatus;
    /** Status now */
    current: CampaignLeadStatus;
    /** Why the sequence ended; null while it has not */
    stop_reason: string | null;
  };
  included?: IncludedRecords;
};

/** A lead reached the end of a sequence */
export type LeadCompletedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "lead.completed";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The campaign's id */
    campaign_id: string;
    /** The lead's id */
    lead_id: string;
    /** Id of the campaign lead */
    enrollment_id: string;
    /** Address of the lead; null for none or an erased one. Absent in older events */
    email?: string | null;
    /** Variants that the lead was sent, one for each experiment. Absent in older events */
    assignments?: Array<{
      /** The experiment's id */
      experiment_id: string;
      /** The variant's id */
      variant_id: string;
    }>;
    /** Status before */
    previous: CampaignLeadStatus;
    /** Status now */
    current: CampaignLeadStatus;
    /** Why the sequence ended; null while it has not */
    stop_reason: string | null;
  };
  included?: IncludedRecords;
};

/** Leads were merged into one, as the same person */
export type LeadMergedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "lead.merged";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Lead that stays */
    lead_id: string;
    /** Leads that were merged into it, and are gone */
    merged_lead_ids: Array<string>;
  };
  included?: IncludedRecords;
};

/** A person was erased; erase them in your systems, too */
export type LeadErasedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "lead.erased";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The lead's former id */
    lead_id: string;
    /** Receipt of the erasure */
    receipt_id: string;
  };
  included?: IncludedRecords;
};

/** A recipient reported an email as spam */
export type ComplaintReceivedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "complaint.received";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** Sent email that it is about; null for none */
    email_id: string | null;
    /** Id of the received email */
    mail_id: string;
    /** Conversation that it belongs to */
    thread_id: string;
    /** Campaign that it belongs to; null for none */
    campaign_id: string | null;
    /** Lead that it belongs to; null for none */
    lead_id: string | null;
    /** Id of the campaign lead; null for none */
    enrollment_id: string | null;
    /** Address of the lead; null for none or an erased one. Absent in older events */
    email?: string | null;
    /** Variants that the lead was sent, one for each experiment. Absent in older events */
    assignments?: Array<{
      /** The experiment's id */
      experiment_id: string;
      /** The variant's id */
      variant_id: string;
    }>;
    /** The account's id */
    account_id: string;
  };
  included?: IncludedRecords;
};

/** A campaign started for the first time */
export type CampaignStartedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "campaign.started";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The campaign's id */
    campaign_id: string;
    /** Name of the campaign */
    name: string;
    /** Why it was paused; null otherwise */
    reason: CampaignStatusReason | null;
  };
  included?: IncludedRecords;
};

/** A campaign was paused, manually or by a safety limit */
export type CampaignPausedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "campaign.paused";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The campaign's id */
    campaign_id: string;
    /** Name of the campaign */
    name: string;
    /** Why it was paused; null otherwise */
    reason: CampaignStatusReason | null;
    /** Emails sent since its last start, when a safety limit paused it */
    sends?: number;
    /** Of these, emails that bounced for good */
    hard_bounces?: number;
    /** Of these, emails that were reported as spam */
    complaints?: number;
  };
  included?: IncludedRecords;
};

/** A campaign was resumed */
export type CampaignResumedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "campaign.resumed";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The campaign's id */
    campaign_id: string;
    /** Name of the campaign */
    name: string;
    /** Why it was paused; null otherwise */
    reason: CampaignStatusReason | null;
  };
  included?: IncludedRecords;
};

/** A campaign finished: no leads are left to email */
export type CampaignCompletedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "campaign.completed";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The campaign's id */
    campaign_id: string;
    /** Name of the campaign */
    name: string;
    /** Why it was paused; null otherwise */
    reason: CampaignStatusReason | null;
  };
  included?: IncludedRecords;
};

/** A mailbox can't send and was paused */
export type AccountErrorEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "account.error";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The account's id */
    account_id: string;
    /** Address of the mailbox */
    email: string;
    /** Why it was paused */
    reason: AccountStatusReason | null;
    /** What went wrong; null when unknown */
    last_error: string | null;
    /** Page on which its owner renews an OAuth consent; null otherwise */
    reconnect_url?: string | null;
  };
  included?: IncludedRecords;
};

/** A mailbox is working again */
export type AccountRecoveredEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "account.recovered";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The account's id */
    account_id: string;
    /** Address of the mailbox */
    email: string;
  };
  included?: IncludedRecords;
};

/** A mailbox's health score changed */
export type AccountHealthChangedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "account.health_changed";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The account's id */
    account_id: string;
    /** Address of the mailbox */
    email: string;
    /** Score before */
    previous: number;
    /** Score now */
    current: number;
    /** What changed most; null when nothing stands out */
    cause: HealthCause | null;
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
    /** Whether limits are halved */
    halved: boolean;
    /** Whether the account may write to new leads */
    starts_new_leads: boolean;
    /** The account's status */
    status: AccountStatus;
    /** When a pause for poor health ends; null without one */
    paused_until: string | null;
  };
  included?: IncludedRecords;
};

/** A workspace's consent was withdrawn, and its mailboxes wait */
export type WorkspaceRefusedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "workspace.refused";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The workspace's id */
    workspace_id: string;
    /** Who runs the workspace */
    provider: WorkspaceProvider;
    /** Domains of its mailboxes */
    domains: Array<string>;
    /** What the provider said */
    last_error: string;
    /** Mailboxes that wait for it */
    accounts: number;
  };
  included?: IncludedRecords;
};

/** A workspace's mailboxes are let in by its administrator's consent */
export type WorkspaceConnectedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "workspace.connected";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The workspace's id */
    workspace_id: string;
    /** Who runs the workspace */
    provider: WorkspaceProvider;
    /** Domains of its mailboxes */
    domains: Array<string>;
  };
  included?: IncludedRecords;
};

/** A check of a sending domain that passed fails now */
export type DomainErrorEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "domain.error";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The sending domain */
    domain: string;
    /** What was checked */
    check: DomainCheck;
    /** What was found */
    message: string;
    /** What was found when it last passed */
    was: string;
  };
  included?: IncludedRecords;
};

/** A check of a sending domain passes again */
export type DomainRecoveredEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "domain.recovered";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The sending domain */
    domain: string;
    /** What was checked */
    check: DomainCheck;
    /** What was found */
    message: string;
  };
  included?: IncludedRecords;
};

/** A variant was paused because of too many bounces or complaints */
export type ExperimentVariantPausedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "experiment.variant_paused";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The experiment's id */
    experiment_id: string;
    /** The campaign's id */
    campaign_id: string;
    /** The variant's id */
    variant_id: string;
    /** Name of the variant */
    variant: string;
    /** Why it gets no more leads */
    reason: string;
  };
  included?: IncludedRecords;
};

/** An experiment ended */
export type ExperimentCompletedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "experiment.completed";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The experiment's id */
    experiment_id: string;
    /** The campaign's id */
    campaign_id: string;
    /** Name of the experiment */
    name: string;
    /** The winning variant; null without one */
    winner_variant_id: string | null;
    /** Name of the winning variant; null without one */
    winner: string | null;
    /** The recommendation, for programs */
    recommendation_code: string;
    /** What to do, in one sentence */
    recommendation: string;
  };
  included?: IncludedRecords;
};

/** A placement run finished, with results or without */
export type PlacementCompletedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "placement.completed";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The placement run's id */
    run_id: string;
    /** How it was started */
    trigger_type: PlacementRunTriggerType;
    /** How it ended */
    status: PlacementRunStatus;
    /** Accounts that were tested */
    account_ids: Array<string>;
    /** Tests that have a placement */
    total_tests: number;
    /** Emails in the inbox */
    inbox_count: number;
    /** Emails in spam */
    spam_count: number;
    /** Emails in Gmail's promotions tab */
    promotions_count: number;
    /** Emails that were not delivered */
    not_delivered_count: number;
    /** Tests without a result */
    failed_count: number;
    /** `inbox_count` divided by `total_tests` */
    inbox_rate: number;
  };
  included?: IncludedRecords;
};

/** An address or domain was suppressed */
export type SuppressionCreatedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "suppression.created";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The suppression's id */
    suppression_id: string;
    /** SHA-256 of the address in lower case, in hexadecimal */
    email_hash: string;
    /** Why it is never written to */
    reason: ImportReason;
  };
  included?: IncludedRecords;
};

/** A task is due for a team member */
export type TaskCreatedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "task.created";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The task's id */
    task_id: string;
    /** Step that the task is */
    step_id: string;
    /** The campaign's id */
    campaign_id: string;
    /** The lead's id */
    lead_id: string;
    /** Id of the campaign lead */
    enrollment_id: string;
    /** Address of the lead; null for none or an erased one. Absent in older events */
    email?: string | null;
    /** Variants that the lead was sent, one for each experiment. Absent in older events */
    assignments?: Array<{
      /** The experiment's id */
      experiment_id: string;
      /** The variant's id */
      variant_id: string;
    }>;
  };
  included?: IncludedRecords;
};

/** Usage is close to a plan limit */
export type BillingLimitWarningEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "billing.limit_warning";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The limit */
    limit: PlanLimitName;
    /** How much is used */
    used: number;
    /** How much the plan allows */
    allowed: number;
    /** The team's plan */
    plan: AttentionSubscriptionPlan;
    /** Month that is counted, or the plan where a limit is not monthly */
    period: string;
  };
  included?: IncludedRecords;
};

/** Usage reached a plan limit */
export type BillingLimitReachedEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "billing.limit_reached";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The limit */
    limit: PlanLimitName;
    /** How much is used */
    used: number;
    /** How much the plan allows */
    allowed: number;
    /** The team's plan */
    plan: AttentionSubscriptionPlan;
    /** Month that is counted, or the plan where a limit is not monthly */
    period: string;
  };
  included?: IncludedRecords;
};

/** A webhook was disabled; sent to the team's other webhooks */
export type WebhookDisabledEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "webhook.disabled";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The webhook's id */
    webhook_id: string;
    /** Address that events were sent to */
    url: string;
    /** Why it was disabled */
    reason: WebhookDisabledReason;
    /** Failed attempts since the last success */
    failures: number;
    /** Last HTTP status; null without one */
    last_status: number | null;
    /** Why the last attempt failed; null when unknown */
    last_error: string | null;
  };
  included?: IncludedRecords;
};

/** A test event, sent only to the webhook under test */
export type WebhookTestEvent = {
  /** The event's id */
  id: string;
  /** Sequence number that rises with every event, with gaps */
  seq: number;
  /** Kind of the event */
  type: "webhook.test";
  /** When it happened */
  created_at: string;
  /** Team that owns the record */
  team_id: string;
  /** Environment that it happened in */
  env: Environment;
  /** What happened */
  data: {
    /** The webhook's id */
    webhook_id: string;
    /** A greeting */
    message: string;
  };
  included?: IncludedRecords;
};

/** `text/csv`, or `text/csv; charset=latin1`. */
export type WithCharset<Type extends string> = Type | `${Type}; charset=${string}`;

/** What each operation takes and answers. */
export interface Operations {
  /** List campaigns. `GET /campaigns` */
  listCampaigns: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; filter?: string | undefined; sort?: string | undefined; tag?: string | undefined; status?: CampaignStatus | undefined }; answer: CampaignList };
  /** Create a campaign. `POST /campaigns` */
  createCampaign: { args: { dry_run?: boolean | undefined; body: CampaignCreate }; answer: Campaign };
  /** Get a campaign. `GET /campaigns/{id}` */
  getCampaign: { args: { id: string }; answer: CampaignDetail };
  /** Update a campaign. `PATCH /campaigns/{id}` */
  patchCampaign: { args: { id: string; dry_run?: boolean | undefined; body: CampaignPatch }; answer: PatchCampaignResult };
  /** Delete a campaign. `DELETE /campaigns/{id}` */
  deleteCampaign: { args: { id: string; dry_run?: boolean | undefined }; answer: undefined };
  /** Restore a campaign. `POST /campaigns/{id}/restore` */
  restoreCampaign: { args: { id: string }; answer: Campaign };
  /** Start a campaign. `POST /campaigns/{id}/start` */
  startCampaign: { args: { id: string; dry_run?: boolean | undefined; body?: StartCampaignRequest }; answer: PatchCampaignResult };
  /** Pause a campaign. `POST /campaigns/{id}/pause` */
  pauseCampaign: { args: { id: string; dry_run?: boolean | undefined }; answer: PatchCampaignResult };
  /** Resume a campaign. `POST /campaigns/{id}/resume` */
  resumeCampaign: { args: { id: string; dry_run?: boolean | undefined }; answer: PatchCampaignResult };
  /** Archive a campaign. `POST /campaigns/{id}/archive` */
  archiveCampaign: { args: { id: string; dry_run?: boolean | undefined }; answer: PatchCampaignResult };
  /** Duplicate a campaign. `POST /campaigns/{id}/duplicate` */
  duplicateCampaign: { args: { id: string; body?: DuplicateCampaignRequest }; answer: Campaign };
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
  checkCampaignStep: { args: { id: string; stepId: string; body?: CheckCampaignStepRequest }; answer: CheckCampaignStepResult };
  /** Send a test email. `POST /campaigns/{id}/steps/{stepId}/send-test` */
  sendTestCampaignStep: { args: { id: string; stepId: string; body: SendTestCampaignStepRequest }; answer: SendTestCampaignStepResult };
  /** List leads of a campaign. `GET /campaigns/{id}/leads` */
  listCampaignLeads: { args: { id: string; limit?: number | undefined; offset?: number | undefined; after?: string | undefined; status?: CampaignLeadStatus | undefined; hold_reason?: CampaignLeadHoldReason | undefined; interest?: Interest | undefined; response?: string | undefined; email?: string | undefined; search?: string | undefined; filter?: string | undefined; sort?: string | undefined }; answer: CampaignLeadList };
  /** Add leads to a campaign. `POST /campaigns/{id}/leads` */
  importCampaignLeads: { args: { id: string; body: ImportCampaignLeadsRequest }; answer: ImportCampaignLeadsResult };
  /** Change many leads of a campaign. `POST /campaigns/{id}/leads/bulk` */
  changeCampaignLeads: { args: { id: string; body: ChangeCampaignLeadsRequest }; answer: ChangeCampaignLeadsResult };
  /** Get a lead of a campaign. `GET /campaigns/{id}/leads/{leadId}` */
  getCampaignLead: { args: { id: string; leadId: string }; answer: CampaignLead };
  /** Update a lead of a campaign. `PATCH /campaigns/{id}/leads/{leadId}` */
  patchCampaignLead: { args: { id: string; leadId: string; dry_run?: boolean | undefined; body: CampaignLeadPatch }; answer: CampaignLeadDetail };
  /** Remove a lead from a campaign. `DELETE /campaigns/{id}/leads/{leadId}` */
  deleteCampaignLead: { args: { id: string; leadId: string; dry_run?: boolean | undefined }; answer: undefined };
  /** Resolve an unconfirmed email. `POST /campaigns/{id}/leads/{leadId}/resolve` */
  resolveCampaignLead: { args: { id: string; leadId: string; dry_run?: boolean | undefined; body: ResolveCampaignLeadRequest }; answer: CampaignLead };
  /** Add leads that a view or filter finds. `POST /campaigns/{id}/leads/enroll` */
  enrollCampaignLeads: { args: { id: string; body: EnrollCampaignLeadsRequest }; answer: EnrollCampaignLeadsResult };
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
  /** Rehearse a campaign. `GET /campaigns/{id}/rehearsal` */
  getCampaignRehearsal: { args: { id: string; days?: number | undefined; seed?: number | undefined }; answer: CampaignRehearsal };
  /** Get statistics by day. `GET /stats` */
  getStats: { args: { from?: string | undefined; to?: string | undefined; days?: number | undefined; timezone?: string | undefined; campaign_id?: string | undefined; account_id?: string | undefined }; answer: Stats };
  /** Get what needs attention. `GET /attention` */
  getAttention: { args: Record<never, never>; answer: Attention };
  /** List deleted records. `GET /deleted` */
  listDeleted: { args: { limit?: number | undefined; offset?: number | undefined }; answer: DeletedRecordList };
  /** Purge a deleted record. `DELETE /deleted/{id}` */
  purgeDeleted: { args: { id: string }; answer: undefined };
  /** List duplicate leads. `GET /leads/duplicates` */
  listDuplicateLeads: { args: { limit?: number | undefined; offset?: number | undefined }; answer: LeadDuplicateList };
  /** Merge leads. `POST /leads/{id}/merge` */
  mergeLead: { args: { id: string; dry_run?: boolean | undefined; body: MergeLeadRequest }; answer: MergeLeadResult };
  /** List leads. `GET /leads` */
  listLeads: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; filter?: string | undefined; sort?: string | undefined; tag?: string | undefined; email?: string | undefined; include?: "campaign" | undefined; search?: string | undefined; status?: CampaignLeadStatus | undefined; interest?: Interest | undefined }; answer: LeadList };
  /** Create or update leads. `POST /leads` */
  upsertLeads: { args: { body: UpsertLeadsRequest }; answer: UpsertLeadsResult };
  /** Get a lead. `GET /leads/{id}` */
  getLead: { args: { id: string }; answer: LeadDetail };
  /** Update a lead. `PATCH /leads/{id}` */
  patchLead: { args: { id: string; dry_run?: boolean | undefined; body: LeadPatch }; answer: LeadDetail };
  /** Erase a lead. `DELETE /leads/{id}` */
  deleteLead: { args: { id: string }; answer: undefined };
  /** List campaigns of a lead. `GET /leads/{id}/campaigns` */
  listLeadCampaigns: { args: { id: string }; answer: LeadCampaignList };
  /** List lead views. `GET /lead-views` */
  listLeadViews: { args: { limit?: number | undefined; offset?: number | undefined }; answer: LeadViewList };
  /** Create a lead view. `POST /lead-views` */
  createLeadView: { args: { dry_run?: boolean | undefined; body: LeadViewCreate }; answer: LeadView };
  /** Get a lead view. `GET /lead-views/{id}` */
  getLeadView: { args: { id: string }; answer: LeadView };
  /** Update a lead view. `PATCH /lead-views/{id}` */
  patchLeadView: { args: { id: string; dry_run?: boolean | undefined; body: LeadViewPatch }; answer: LeadView };
  /** Delete a lead view. `DELETE /lead-views/{id}` */
  deleteLeadView: { args: { id: string; dry_run?: boolean | undefined }; answer: undefined };
  /** Get a lead's timeline. `GET /leads/{id}/timeline` */
  listLeadTimeline: { args: { id: string }; answer: LeadTimelineList };
  /** List erasures. `GET /erasures` */
  listErasures: { args: { limit?: number | undefined; offset?: number | undefined; email?: string | undefined; lead_id?: string | undefined }; answer: ErasureList };
  /** Get an erasure. `GET /erasures/{id}` */
  getErasure: { args: { id: string }; answer: Erasure };
  /** Import a file. `POST /campaigns/{id}/leads/import` */
  importCampaignFile: { args: { id: string; import_id?: string | undefined; file_name?: string | undefined; map?: string | undefined; delimiter?: ImportDelimiter | undefined; dry_run?: boolean | undefined; existing?: ImportExisting | undefined; skip_if_in_other_campaign?: boolean | undefined; body: Blob | string; contentType: WithCharset<"text/csv" | "application/x-ndjson" | "application/octet-stream"> }; answer: ImportCampaignFileResult };
  /** List imports. `GET /imports` */
  listImports: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; campaign_id?: string | undefined; kind?: ImportKind | undefined; status?: ImportStatus | undefined; filter?: string | undefined; sort?: string | undefined }; answer: ImportList };
  /** Preview an import. `POST /imports/preview` */
  previewImport: { args: { map?: string | undefined; delimiter?: ImportDelimiter | undefined; kind?: ImportKind | undefined; body: Blob | string; contentType: WithCharset<"text/csv" | "application/x-ndjson" | "application/octet-stream"> }; answer: PreviewImportResult };
  /** Get an import. `GET /imports/{id}` */
  getImport: { args: { id: string }; answer: Import };
  /** Stream an import's progress. `GET /imports/{id}/stream` */
  streamImport: { args: { id: string }; answer: Response };
  /** Download an import's lines. `GET /imports/{id}/lines` */
  downloadImportLines: { args: { id: string; format?: ImportLineFormat | undefined; outcome?: string | undefined }; answer: Response };
  /** Download what an undo left. `GET /imports/{id}/not-restored` */
  getImportNotRestored: { args: { id: string; format?: ImportLineFormat | undefined }; answer: Response };
  /** Resume an import. `POST /imports/{id}/resume` */
  resumeImport: { args: { id: string; offset: number; body: Blob | string; contentType: WithCharset<"text/csv" | "application/x-ndjson" | "application/octet-stream"> }; answer: ImportCampaignFileResult };
  /** Cancel an import. `POST /imports/{id}/cancel` */
  cancelImport: { args: { id: string }; answer: Import };
  /** Undo an import. `POST /imports/{id}/undo` */
  undoImport: { args: { id: string }; answer: Import };
  /** Export leads. `GET /exports/leads` */
  exportLeads: { args: { format?: ImportLineFormat | undefined; campaign_id?: string | undefined }; answer: Response };
  /** Export messages. `GET /exports/messages` */
  exportMessages: { args: { format?: ImportLineFormat | undefined; campaign_id?: string | undefined; from?: string | undefined; until?: string | undefined }; answer: Response };
  /** Export events. `GET /exports/events` */
  exportEvents: { args: { format?: ImportLineFormat | undefined }; answer: Response };
  /** Export step results. `GET /exports/results` */
  exportResults: { args: { format?: ImportLineFormat | undefined; campaign_id?: string | undefined }; answer: Response };
  /** List tasks. `GET /tasks` */
  listTasks: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; done?: boolean | undefined; campaign_id?: string | undefined; filter?: string | undefined; sort?: string | undefined }; answer: TaskList };
  /** Get a task. `GET /tasks/{id}` */
  getTask: { args: { id: string }; answer: Task };
  /** Update a task. `PATCH /tasks/{id}` */
  patchTask: { args: { id: string; dry_run?: boolean | undefined; body: TaskPatch }; answer: Task };
  /** List accounts. `GET /accounts` */
  listAccounts: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; filter?: string | undefined; sort?: string | undefined; tag?: string | undefined }; answer: AccountList };
  /** Create an account. `POST /accounts` */
  createAccount: { args: { dry_run?: boolean | undefined; body: AccountCreate }; answer: AccountCreated };
  /** Get an account. `GET /accounts/{id}` */
  getAccount: { args: { id: string }; answer: AccountDetail };
  /** Update an account. `PATCH /accounts/{id}` */
  patchAccount: { args: { id: string; dry_run?: boolean | undefined; body: AccountPatch }; answer: AccountCreated };
  /** Delete an account. `DELETE /accounts/{id}` */
  deleteAccount: { args: { id: string }; answer: undefined };
  /** Restore an account. `POST /accounts/{id}/restore` */
  restoreAccount: { args: { id: string }; answer: AccountDetail };
  /** Start an OAuth connection. `POST /accounts/{id}/connect` */
  connectAccount: { args: { id: string; dry_run?: boolean | undefined }; answer: ConnectAccountResult };
  /** Test an account. `POST /accounts/{id}/test` */
  testAccount: { args: { id: string; body?: TestAccountRequest }; answer: TestAccountResult };
  /** Check an account's DNS. `GET /accounts/{id}/dns` */
  getAccountDns: { args: { id: string; selector?: string | undefined }; answer: AccountDns };
  /** Get the DKIM key. `GET /accounts/{id}/dkim` */
  getAccountDkim: { args: { id: string }; answer: AccountDkim };
  /** Create a DKIM key. `POST /accounts/{id}/dkim` */
  setAccountDkim: { args: { id: string; body: SetAccountDkimRequest }; answer: AccountDkim };
  /** Delete the DKIM key. `DELETE /accounts/{id}/dkim` */
  deleteAccountDkim: { args: { id: string }; answer: undefined };
  /** List domains. `GET /domains` */
  listDomains: { args: { limit?: number | undefined; offset?: number | undefined }; answer: DomainList };
  /** Get a domain. `GET /domains/{domain}` */
  getDomain: { args: { domain: string }; answer: DomainDetail };
  /** Get who sends as a domain. `GET /domains/{domain}/senders` */
  getDomainSenders: { args: { domain: string }; answer: DomainSenders };
  /** Check a domain now. `POST /domains/{domain}/check` */
  checkDomain: { args: { domain: string; dry_run?: boolean | undefined }; answer: DomainDetail };
  /** List account activity. `GET /accounts/activity` */
  listAccountActivity: { args: { hours?: number | undefined }; answer: AccountActivityList };
  /** List recipient providers. `GET /accounts/providers` */
  listAccountProviders: { args: { account_id?: string | undefined; provider?: SeedProvider | undefined; from?: string | undefined; to?: string | undefined }; answer: ProviderFiguresList };
  /** Get an account's health. `GET /accounts/{id}/health` */
  getAccountHealth: { args: { id: string; days?: number | undefined }; answer: AccountHealth };
  /** Get an account's usage. `GET /accounts/{id}/usage` */
  getAccountUsage: { args: { id: string }; answer: AccountUsage };
  /** Change many accounts. `POST /accounts/bulk` */
  changeAccounts: { args: { body: ChangeAccountsRequest }; answer: ChangeAccountsResult };
  /** Import accounts. `POST /accounts/import` */
  importAccounts: { args: { body: Blob | string; contentType: WithCharset<"text/csv"> }; answer: ImportAccountsResult };
  /** List workspaces. `GET /workspaces` */
  listWorkspaces: { args: Record<never, never>; answer: WorkspaceList };
  /** Create a workspace. `POST /workspaces` */
  createWorkspace: { args: { dry_run?: boolean | undefined; body: WorkspaceCreate }; answer: WorkspaceCreated };
  /** Get a workspace. `GET /workspaces/{id}` */
  getWorkspace: { args: { id: string }; answer: WorkspaceCreated };
  /** Update a workspace. `PATCH /workspaces/{id}` */
  patchWorkspace: { args: { id: string; dry_run?: boolean | undefined; body: WorkspacePatch }; answer: WorkspaceCreated };
  /** Delete a workspace. `DELETE /workspaces/{id}` */
  deleteWorkspace: { args: { id: string; dry_run?: boolean | undefined }; answer: undefined };
  /** Check a workspace. `POST /workspaces/{id}/check` */
  checkWorkspace: { args: { id: string }; answer: WorkspaceCreated };
  /** Connect mailboxes of a workspace. `POST /workspaces/{id}/accounts` */
  connectWorkspaceAccounts: { args: { id: string; body: ConnectWorkspaceAccountsRequest }; answer: ConnectWorkspaceAccountsResult };
  /** List suppressions. `GET /suppressions` */
  listSuppressions: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; reason?: ImportReason | undefined; email?: string | undefined; filter?: string | undefined; sort?: string | undefined }; answer: SuppressionList };
  /** Create a suppression. `POST /suppressions` */
  createSuppression: { args: { dry_run?: boolean | undefined; body: SuppressionCreate }; answer: CreateSuppressionResult };
  /** Check an address. `GET /suppressions/check` */
  checkSuppression: { args: { email: string }; answer: SuppressionCheck };
  /** Get a suppression. `GET /suppressions/{id}` */
  getSuppression: { args: { id: string }; answer: Suppression };
  /** Delete a suppression. `DELETE /suppressions/{id}` */
  deleteSuppression: { args: { id: string; reason?: string | undefined; resume?: boolean | undefined }; answer: undefined };
  /** Import suppressions. `POST /suppressions/import` */
  importSuppressions: { args: { import_id?: string | undefined; file_name?: string | undefined; map?: string | undefined; delimiter?: ImportDelimiter | undefined; dry_run?: boolean | undefined; reason?: ImportReason | undefined; body: Blob | string; contentType: WithCharset<"text/csv" | "application/x-ndjson" | "application/octet-stream" | "application/json"> }; answer: Import };
  /** List tags of campaigns. `GET /campaigns/tags` */
  listCampaignTags: { args: { ids?: string | undefined }; answer: CampaignTagList };
  /** Tag campaigns. `POST /campaigns/tags` */
  tagCampaigns: { args: { body: TagCampaignsRequest }; answer: TagCampaignsResult };
  /** List tags of leads. `GET /leads/tags` */
  listLeadTags: { args: { ids?: string | undefined }; answer: CampaignTagList };
  /** Tag leads. `POST /leads/tags` */
  tagLeads: { args: { body: TagCampaignsRequest }; answer: TagCampaignsResult };
  /** List tags of accounts. `GET /accounts/tags` */
  listAccountTags: { args: { ids?: string | undefined }; answer: CampaignTagList };
  /** Tag accounts. `POST /accounts/tags` */
  tagAccounts: { args: { body: TagCampaignsRequest }; answer: TagCampaignsResult };
  /** List tags of conversations. `GET /inbox/threads/tags` */
  listInboxThreadTags: { args: { ids?: string | undefined }; answer: CampaignTagList };
  /** Tag conversations. `POST /inbox/threads/tags` */
  tagInboxThreads: { args: { body: TagCampaignsRequest }; answer: TagCampaignsResult };
  /** List experiments. `GET /experiments` */
  listExperiments: { args: { campaign_id?: string | undefined; status?: ExperimentStatus | undefined; limit?: number | undefined; offset?: number | undefined }; answer: Array<Experiment> };
  /** Create an experiment. `POST /experiments` */
  createExperiment: { args: { dry_run?: boolean | undefined; body: ExperimentCreate }; answer: Experiment };
  /** Plan an experiment. `GET /experiments/plan` */
  getExperimentPlan: { args: { campaign_id?: string | undefined; step_position?: number | undefined; leads?: number | undefined; leads_per_day?: number | undefined; baseline?: number | undefined; variants?: number | undefined; duration_days?: number | undefined; attribution_window_days?: number | undefined }; answer: ExperimentPlan };
  /** Get an experiment. `GET /experiments/{id}` */
  getExperiment: { args: { id: string }; answer: ExperimentDetail };
  /** Update an experiment. `PATCH /experiments/{id}` */
  patchExperiment: { args: { id: string; dry_run?: boolean | undefined; body: ExperimentPatch }; answer: ExperimentDetail };
  /** Get an experiment's results. `GET /experiments/{id}/results` */
  getExperimentResults: { args: { id: string; segment_by?: string | undefined; cost_per_lead?: number | undefined }; answer: ExperimentResult };
  /** Get an experiment's history. `GET /experiments/{id}/history` */
  getExperimentHistory: { args: { id: string }; answer: ExperimentHistory };
  /** Pause an experiment. `POST /experiments/{id}/pause` */
  pauseExperiment: { args: { id: string; dry_run?: boolean | undefined }; answer: Experiment };
  /** Resume an experiment. `POST /experiments/{id}/resume` */
  resumeExperiment: { args: { id: string; dry_run?: boolean | undefined }; answer: Experiment };
  /** Cancel an experiment. `POST /experiments/{id}/cancel` */
  cancelExperiment: { args: { id: string; dry_run?: boolean | undefined }; answer: Experiment };
  /** Complete an experiment. `POST /experiments/{id}/complete` */
  completeExperiment: { args: { id: string; dry_run?: boolean | undefined; body?: CompleteExperimentRequest }; answer: Experiment };
  /** Apply the winner. `POST /experiments/{id}/apply-winner` */
  applyExperimentWinner: { args: { id: string; dry_run?: boolean | undefined }; answer: Experiment };
  /** Share an experiment's report. `POST /experiments/{id}/share` */
  shareExperiment: { args: { id: string; dry_run?: boolean | undefined; body?: ShareExperimentRequest }; answer: ShareExperimentResult };
  /** Revoke the link to an experiment's report. `DELETE /experiments/{id}/share` */
  unshareExperiment: { args: { id: string; dry_run?: boolean | undefined }; answer: undefined };
  /** List conversations. `GET /inbox/threads` */
  listInboxThreads: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; unread?: boolean | undefined; kind?: ReceivedKind | undefined; interest?: Interest | undefined; folder?: InboxThreadFolder | undefined; done?: boolean | undefined; assignee_id?: string | undefined; mentions?: string | undefined; tag?: string | undefined; campaign_id?: string | undefined; account_id?: string | undefined; search?: string | undefined; filter?: string | undefined; sort?: string | undefined }; answer: InboxThreadList };
  /** Get a conversation. `GET /inbox/threads/{id}` */
  getInboxThread: { args: { id: string }; answer: InboxThreadDetail };
  /** Update a conversation. `PATCH /inbox/threads/{id}` */
  patchInboxThread: { args: { id: string; dry_run?: boolean | undefined; body: InboxThreadPatch }; answer: InboxThread };
  /** Reply to a conversation. `POST /inbox/threads/{id}/reply` */
  replyToInboxThread: { args: { id: string; dry_run?: boolean | undefined; body: ReplyToInboxThreadRequest }; answer: InboxThreadReply };
  /** Forward a message. `POST /inbox/threads/{id}/forward` */
  forwardInboxThread: { args: { id: string; dry_run?: boolean | undefined; body: ForwardInboxThreadRequest }; answer: InboxThreadReply };
  /** Attach a conversation to a lead. `POST /inbox/threads/{id}/attach` */
  attachInboxThread: { args: { id: string; dry_run?: boolean | undefined; body: AttachInboxThreadRequest }; answer: InboxThread };
  /** List folders. `GET /inbox/folders` */
  listInboxFolders: { args: Record<never, never>; answer: InboxFolderList };
  /** Get a message. `GET /messages/{id}` */
  getMessage: { args: { id: string }; answer: InboxThreadReply };
  /** Update a message. `PATCH /messages/{id}` */
  patchMessage: { args: { id: string; dry_run?: boolean | undefined; body: MessagePatch }; answer: InboxThreadReply };
  /** Resolve an unconfirmed message. `POST /messages/{id}/resolve` */
  resolveMessage: { args: { id: string; dry_run?: boolean | undefined; body: ResolveMessageRequest }; answer: InboxThreadReply };
  /** Download a message. `GET /messages/{id}/raw` */
  getMessageRaw: { args: { id: string }; answer: Response };
  /** List canned replies. `GET /canned-replies` */
  listCannedReplies: { args: { limit?: number | undefined; offset?: number | undefined; thread_id?: string | undefined }; answer: CannedReplyList };
  /** Create a canned reply. `POST /canned-replies` */
  createCannedReply: { args: { dry_run?: boolean | undefined; body: CannedReplyCreate }; answer: CannedReplyCreated };
  /** Get a canned reply. `GET /canned-replies/{id}` */
  getCannedReply: { args: { id: string }; answer: CannedReplyCreated };
  /** Update a canned reply. `PATCH /canned-replies/{id}` */
  patchCannedReply: { args: { id: string; dry_run?: boolean | undefined; body: CannedReplyPatch }; answer: CannedReplyCreated };
  /** Delete a canned reply. `DELETE /canned-replies/{id}` */
  deleteCannedReply: { args: { id: string; dry_run?: boolean | undefined }; answer: undefined };
  /** List files. `GET /files` */
  listFiles: { args: { limit?: number | undefined; offset?: number | undefined; include?: "uses" | undefined }; answer: StoredFileList };
  /** Upload a file. `POST /files` */
  uploadFile: { args: { name: string; body: Blob | string; contentType: WithCharset<"application/octet-stream"> }; answer: StoredFile };
  /** Get a file. `GET /files/{id}` */
  getFile: { args: { id: string }; answer: StoredFile };
  /** Delete a file. `DELETE /files/{id}` */
  deleteFile: { args: { id: string; dry_run?: boolean | undefined }; answer: undefined };
  /** Download a file. `GET /files/{id}/download` */
  downloadFile: { args: { id: string }; answer: Response };
  /** Change many conversations. `POST /inbox/threads/bulk` */
  changeInboxThreads: { args: { dry_run?: boolean | undefined; body: ChangeInboxThreadsRequest }; answer: ChangeInboxThreadsResult };
  /** List notes. `GET /inbox/threads/{id}/notes` */
  listInboxThreadNotes: { args: { id: string }; answer: InboxThreadNoteList };
  /** Add a note. `POST /inbox/threads/{id}/notes` */
  createInboxThreadNote: { args: { id: string; dry_run?: boolean | undefined; body: InboxThreadNoteCreate }; answer: InboxThreadNote };
  /** Delete a note. `DELETE /inbox/threads/{id}/notes/{noteId}` */
  deleteInboxThreadNote: { args: { id: string; noteId: string; dry_run?: boolean | undefined }; answer: undefined };
  /** List seeds. `GET /placement/seeds` */
  listPlacementSeeds: { args: { limit?: number | undefined; offset?: number | undefined }; answer: PlacementSeedList };
  /** Create a seed. `POST /placement/seeds` */
  createPlacementSeed: { args: { dry_run?: boolean | undefined; body: PlacementSeedCreate }; answer: PlacementSeedCreated };
  /** Get a seed. `GET /placement/seeds/{id}` */
  getPlacementSeed: { args: { id: string }; answer: PlacementSeedCreated };
  /** Update a seed. `PATCH /placement/seeds/{id}` */
  patchPlacementSeed: { args: { id: string; dry_run?: boolean | undefined; body: PlacementSeedPatch }; answer: PlacementSeedCreated };
  /** Delete a seed. `DELETE /placement/seeds/{id}` */
  deletePlacementSeed: { args: { id: string; dry_run?: boolean | undefined }; answer: undefined };
  /** Test a seed. `POST /placement/seeds/{id}/test` */
  testPlacementSeed: { args: { id: string }; answer: TestPlacementSeedResult };
  /** List placement runs. `GET /placement/runs` */
  listPlacementRuns: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; status?: PlacementRunStatus | undefined; trigger_type?: PlacementRunTriggerType | undefined; filter?: string | undefined; sort?: string | undefined }; answer: PlacementRunList };
  /** Start a placement run. `POST /placement/runs` */
  createPlacementRun: { args: { body: PlacementRunCreate }; answer: PlacementRunCreated };
  /** Get a placement run. `GET /placement/runs/{id}` */
  getPlacementRun: { args: { id: string }; answer: PlacementRunCreated };
  /** Cancel a placement run. `POST /placement/runs/{id}/cancel` */
  cancelPlacementRun: { args: { id: string }; answer: PlacementRun };
  /** List placement schedules. `GET /placement/schedules` */
  listPlacementSchedules: { args: { limit?: number | undefined; offset?: number | undefined }; answer: PlacementScheduleList };
  /** Create a placement schedule. `POST /placement/schedules` */
  createPlacementSchedule: { args: { dry_run?: boolean | undefined; body: PlacementScheduleCreate }; answer: PlacementSchedule };
  /** Get a placement schedule. `GET /placement/schedules/{id}` */
  getPlacementSchedule: { args: { id: string }; answer: PlacementSchedule };
  /** Update a placement schedule. `PATCH /placement/schedules/{id}` */
  patchPlacementSchedule: { args: { id: string; dry_run?: boolean | undefined; body: PlacementSchedulePatch }; answer: PlacementSchedule };
  /** Delete a placement schedule. `DELETE /placement/schedules/{id}` */
  deletePlacementSchedule: { args: { id: string; dry_run?: boolean | undefined }; answer: undefined };
  /** Get an account's placement. `GET /accounts/{id}/placement` */
  getAccountPlacement: { args: { id: string }; answer: AccountPlacement };
  /** List webhooks. `GET /webhooks` */
  listWebhooks: { args: { limit?: number | undefined; offset?: number | undefined }; answer: WebhookList };
  /** Create a webhook. `POST /webhooks` */
  createWebhook: { args: { dry_run?: boolean | undefined; body: WebhookCreate }; answer: Webhook };
  /** Get a webhook. `GET /webhooks/{id}` */
  getWebhook: { args: { id: string }; answer: Webhook };
  /** Update a webhook. `PATCH /webhooks/{id}` */
  patchWebhook: { args: { id: string; dry_run?: boolean | undefined; body: WebhookPatch }; answer: Webhook };
  /** Delete a webhook. `DELETE /webhooks/{id}` */
  deleteWebhook: { args: { id: string; dry_run?: boolean | undefined }; answer: undefined };
  /** Restore a webhook. `POST /webhooks/{id}/restore` */
  restoreWebhook: { args: { id: string; dry_run?: boolean | undefined }; answer: Webhook };
  /** Rotate a webhook's secret. `POST /webhooks/{id}/rotate-secret` */
  rotateWebhookSecret: { args: { id: string; dry_run?: boolean | undefined; body?: RotateWebhookSecretRequest }; answer: Webhook };
  /** Test a webhook. `POST /webhooks/{id}/test` */
  testWebhook: { args: { id: string }; answer: TestWebhookResult };
  /** Check a webhook's receiver. `POST /webhooks/{id}/check` */
  checkWebhook: { args: { id: string }; answer: CheckWebhookResult };
  /** List deliveries. `GET /webhooks/{id}/deliveries` */
  listWebhookDeliveries: { args: { id: string; limit?: number | undefined; offset?: number | undefined; after?: string | undefined; status?: ErasureWebhookStatus | undefined; type?: EventType | undefined; filter?: string | undefined; sort?: string | undefined }; answer: WebhookDeliveryList };
  /** Get a delivery. `GET /webhooks/{id}/deliveries/{deliveryId}` */
  getWebhookDelivery: { args: { id: string; deliveryId: string }; answer: TestWebhookResult };
  /** Replay a delivery. `POST /webhooks/{id}/deliveries/{deliveryId}/replay` */
  replayWebhookDelivery: { args: { id: string; deliveryId: string; dry_run?: boolean | undefined }; answer: TestWebhookResult };
  /** Replay events. `POST /webhooks/{id}/replay` */
  replayWebhook: { args: { id: string; body?: ReplayWebhookRequest }; answer: ReplayWebhookResult };
  /** List events. `GET /events` */
  listEvents: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; type?: string | undefined; order?: EventOrder | undefined; filter?: string | undefined; sort?: string | undefined }; answer: EventList };
  /** Stream events. `GET /events/stream` */
  streamEvents: { args: { after?: string | undefined; type?: string | undefined }; answer: Response };
  /** Get an event. `GET /events/{id}` */
  getEvent: { args: { id: string }; answer: Event };
  /** List event types. `GET /event-types` */
  listEventTypes: { args: Record<never, never>; answer: EventTypeDescriptionList };
  /** Get the team. `GET /team` */
  getTeam: { args: Record<never, never>; answer: Team };
  /** Update the team. `PATCH /team` */
  patchTeam: { args: { dry_run?: boolean | undefined; body: TeamPatch }; answer: Team };
  /** List members. `GET /team/members` */
  listTeamMembers: { args: { limit?: number | undefined; offset?: number | undefined }; answer: TeamMemberList };
  /** Get a member. `GET /team/members/{id}` */
  getTeamMember: { args: { id: string }; answer: TeamMember };
  /** Change a member's role. `PATCH /team/members/{id}` */
  patchTeamMember: { args: { id: string; body: TeamMemberPatch }; answer: TeamMember };
  /** Remove a member. `DELETE /team/members/{id}` */
  deleteTeamMember: { args: { id: string }; answer: undefined };
  /** List invitations. `GET /team/invitations` */
  listTeamInvitations: { args: { limit?: number | undefined; offset?: number | undefined }; answer: TeamInvitationList };
  /** Create an invitation. `POST /team/invitations` */
  createTeamInvitation: { args: { body: TeamInvitationCreate }; answer: TeamInvitationCreated };
  /** Get an invitation. `GET /team/invitations/{id}` */
  getTeamInvitation: { args: { id: string }; answer: TeamInvitation };
  /** Delete an invitation. `DELETE /team/invitations/{id}` */
  deleteTeamInvitation: { args: { id: string }; answer: undefined };
  /** List keys. `GET /keys` */
  listKeys: { args: { limit?: number | undefined; offset?: number | undefined; env?: Environment | undefined }; answer: KeyList };
  /** Create a key. `POST /keys` */
  createKey: { args: { body: KeyCreate }; answer: KeyCreated };
  /** Get a key. `GET /keys/{id}` */
  getKey: { args: { id: string; env?: Environment | undefined }; answer: Key };
  /** Revoke a key. `DELETE /keys/{id}` */
  deleteKey: { args: { id: string; env?: Environment | undefined }; answer: undefined };
  /** Rotate a key. `POST /keys/{id}/rotate` */
  rotateKey: { args: { id: string; env?: Environment | undefined; body?: RotateKeyRequest }; answer: KeyCreated };
  /** List audit entries. `GET /audit` */
  listAudit: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; actor?: string | undefined; action?: string | undefined; target?: string | undefined; request_id?: string | undefined; since?: string | undefined; until?: string | undefined; filter?: string | undefined; sort?: string | undefined }; answer: AuditList };
  /** Check the audit log. `GET /audit/chain` */
  getAuditChain: { args: { entries?: number | undefined }; answer: AuditChain };
  /** Export the audit log. `GET /exports/audit` */
  exportAudit: { args: { format?: ImportLineFormat | undefined }; answer: Response };
  /** List recent requests. `GET /requests` */
  listRequests: { args: { limit?: number | undefined; offset?: number | undefined; method?: LoggedRequestMethod | undefined; outcome?: LoggedRequestOutcome | undefined; path?: string | undefined; key_id?: string | undefined }; answer: LoggedRequestList };
  /** Run a batch. `POST /batch` */
  runBatch: { args: { dry_run?: boolean | undefined; body: RunBatchRequest }; answer: RunBatchResult };
  /** Get the subscription. `GET /billing/subscription` */
  getBillingSubscription: { args: Record<never, never>; answer: BillingSubscription };
  /** Start or change a subscription. `POST /billing/subscribe` */
  subscribeToPlan: { args: { body: SubscribeToPlanRequest }; answer: SubscribeToPlanResult };
  /** Activate a license. `POST /billing/licence` */
  setBillingLicense: { args: { body: SetBillingLicenseRequest }; answer: BillingSubscription };
  /** Open the billing portal. `POST /billing/portal` */
  openBillingPortal: { args: Record<never, never>; answer: SubscribeToPlanResult };
  /** Get the sandbox clock. `GET /sandbox/clock` */
  getSandboxClock: { args: Record<never, never>; answer: SandboxClock };
  /** Move the sandbox clock. `POST /sandbox/clock` */
  moveSandboxClock: { args: { body: MoveSandboxClockRequest }; answer: SandboxClock };
  /** List captured messages. `GET /sandbox/messages` */
  listSandboxMessages: { args: { limit?: number | undefined; offset?: number | undefined; after?: string | undefined; recipient?: string | undefined; account_id?: string | undefined; filter?: string | undefined; sort?: string | undefined }; answer: SandboxMessageList };
  /** Get a captured message. `GET /sandbox/messages/{id}` */
  getSandboxMessage: { args: { id: string }; answer: SandboxMessageDetail };
  /** Download a captured message. `GET /sandbox/messages/{id}/raw` */
  getSandboxMessageRaw: { args: { id: string }; answer: Response };
  /** Inject a response. `POST /sandbox/inject` */
  injectIntoSandbox: { args: { body: InjectIntoSandboxRequest }; answer: InjectIntoSandboxResult };
  /** Start the demo. `POST /sandbox/demo` */
  startSandboxDemo: { args: { body: StartSandboxDemoRequest }; answer: StartSandboxDemoResult };
  /** Get the sandbox settings. `GET /sandbox/settings` */
  getSandboxSettings: { args: Record<never, never>; answer: SandboxSettings };
  /** Update the sandbox settings. `PATCH /sandbox/settings` */
  patchSandboxSettings: { args: { body: SandboxSettingsPatch }; answer: SandboxSettings };
  /** Reset the sandbox. `DELETE /sandbox` */
  resetSandbox: { args: Record<never, never>; answer: undefined };
  /** List backups. `GET /backups` */
  listBackups: { args: { limit?: number | undefined; offset?: number | undefined }; answer: BackupList };
  /** Create a backup. `POST /backups` */
  createBackup: { args: Record<never, never>; answer: CreateBackupResult };
  /** Get the current backup task. `GET /backups/task` */
  getBackupTask: { args: Record<never, never>; answer: BackupTask };
  /** Get the backup schedule. `GET /backups/schedule` */
  getBackupSchedule: { args: Record<never, never>; answer: BackupSchedule };
  /** Upload a backup. `POST /backups/upload` */
  uploadBackup: { args: { body: Blob | string; contentType: WithCharset<"application/octet-stream"> }; answer: Backup };
  /** Get a backup. `GET /backups/{id}` */
  getBackup: { args: { id: string }; answer: Backup };
  /** Delete a backup. `DELETE /backups/{id}` */
  deleteBackup: { args: { id: string }; answer: undefined };
  /** Download a backup. `GET /backups/{id}/download` */
  downloadBackup: { args: { id: string }; answer: Response };
  /** Verify a backup. `POST /backups/{id}/verify` */
  verifyBackup: { args: { id: string; body?: VerifyBackupRequest }; answer: CreateBackupResult };
  /** Restore a backup. `POST /backups/{id}/restore` */
  restoreBackup: { args: { id: string; body?: RestoreBackupRequest }; answer: CreateBackupResult };
  /** Get the system state. `GET /system` */
  getSystem: { args: Record<never, never>; answer: SystemStatus };
}

/** Where an operation is: its method and path; `file` where what comes is no JSON. */
export const PLACES: { readonly [Id in keyof Operations]: string } = {
  listCampaigns: "GET /campaigns",
  createCampaign: "POST /campaigns",
  getCampaign: "GET /campaigns/{id}",
  patchCampaign: "PATCH /campaigns/{id}",
  deleteCampaign: "DELETE /campaigns/{id}",
  restoreCampaign: "POST /campaigns/{id}/restore",
  startCampaign: "POST /campaigns/{id}/start",
  pauseCampaign: "POST /campaigns/{id}/pause",
  resumeCampaign: "POST /campaigns/{id}/resume",
  archiveCampaign: "POST /campaigns/{id}/archive",
  duplicateCampaign: "POST /campaigns/{id}/duplicate",
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
  enrollCampaignLeads: "POST /campaigns/{id}/leads/enroll",
  previewCampaign: "POST /campaigns/{id}/preview",
  getCampaignLaunchCheck: "GET /campaigns/{id}/launch-check",
  getCampaignStats: "GET /campaigns/{id}/stats",
  getCampaignForecast: "GET /campaigns/{id}/forecast",
  explainCampaignLead: "GET /campaigns/{id}/leads/{leadId}/explain",
  getCampaignRehearsal: "GET /campaigns/{id}/rehearsal",
  getStats: "GET /stats",
  getAttention: "GET /attention",
  listDeleted: "GET /deleted",
  purgeDeleted: "DELETE /deleted/{id}",
  listDuplicateLeads: "GET /leads/duplicates",
  mergeLead: "POST /leads/{id}/merge",
  listLeads: "GET /leads",
  upsertLeads: "POST /leads",
  getLead: "GET /leads/{id}",
  patchLead: "PATCH /leads/{id}",
  deleteLead: "DELETE /leads/{id}",
  listLeadCampaigns: "GET /leads/{id}/campaigns",
  listLeadViews: "GET /lead-views",
  createLeadView: "POST /lead-views",
  getLeadView: "GET /lead-views/{id}",
  patchLeadView: "PATCH /lead-views/{id}",
  deleteLeadView: "DELETE /lead-views/{id}",
  listLeadTimeline: "GET /leads/{id}/timeline",
  listErasures: "GET /erasures",
  getErasure: "GET /erasures/{id}",
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
  restoreAccount: "POST /accounts/{id}/restore",
  connectAccount: "POST /accounts/{id}/connect",
  testAccount: "POST /accounts/{id}/test",
  getAccountDns: "GET /accounts/{id}/dns",
  getAccountDkim: "GET /accounts/{id}/dkim",
  setAccountDkim: "POST /accounts/{id}/dkim",
  deleteAccountDkim: "DELETE /accounts/{id}/dkim",
  listDomains: "GET /domains",
  getDomain: "GET /domains/{domain}",
  getDomainSenders: "GET /domains/{domain}/senders",
  checkDomain: "POST /domains/{domain}/check",
  listAccountActivity: "GET /accounts/activity",
  listAccountProviders: "GET /accounts/providers",
  getAccountHealth: "GET /accounts/{id}/health",
  getAccountUsage: "GET /accounts/{id}/usage",
  changeAccounts: "POST /accounts/bulk",
  importAccounts: "POST /accounts/import",
  listWorkspaces: "GET /workspaces",
  createWorkspace: "POST /workspaces",
  getWorkspace: "GET /workspaces/{id}",
  patchWorkspace: "PATCH /workspaces/{id}",
  deleteWorkspace: "DELETE /workspaces/{id}",
  checkWorkspace: "POST /workspaces/{id}/check",
  connectWorkspaceAccounts: "POST /workspaces/{id}/accounts",
  listSuppressions: "GET /suppressions",
  createSuppression: "POST /suppressions",
  checkSuppression: "GET /suppressions/check",
  getSuppression: "GET /suppressions/{id}",
  deleteSuppression: "DELETE /suppressions/{id}",
  importSuppressions: "POST /suppressions/import",
  listCampaignTags: "GET /campaigns/tags",
  tagCampaigns: "POST /campaigns/tags",
  listLeadTags: "GET /leads/tags",
  tagLeads: "POST /leads/tags",
  listAccountTags: "GET /accounts/tags",
  tagAccounts: "POST /accounts/tags",
  listInboxThreadTags: "GET /inbox/threads/tags",
  tagInboxThreads: "POST /inbox/threads/tags",
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
  shareExperiment: "POST /experiments/{id}/share",
  unshareExperiment: "DELETE /experiments/{id}/share",
  listInboxThreads: "GET /inbox/threads",
  getInboxThread: "GET /inbox/threads/{id}",
  patchInboxThread: "PATCH /inbox/threads/{id}",
  replyToInboxThread: "POST /inbox/threads/{id}/reply",
  forwardInboxThread: "POST /inbox/threads/{id}/forward",
  attachInboxThread: "POST /inbox/threads/{id}/attach",
  listInboxFolders: "GET /inbox/folders",
  getMessage: "GET /messages/{id}",
  patchMessage: "PATCH /messages/{id}",
  resolveMessage: "POST /messages/{id}/resolve",
  getMessageRaw: "GET /messages/{id}/raw file",
  listCannedReplies: "GET /canned-replies",
  createCannedReply: "POST /canned-replies",
  getCannedReply: "GET /canned-replies/{id}",
  patchCannedReply: "PATCH /canned-replies/{id}",
  deleteCannedReply: "DELETE /canned-replies/{id}",
  listFiles: "GET /files",
  uploadFile: "POST /files",
  getFile: "GET /files/{id}",
  deleteFile: "DELETE /files/{id}",
  downloadFile: "GET /files/{id}/download file",
  changeInboxThreads: "POST /inbox/threads/bulk",
  listInboxThreadNotes: "GET /inbox/threads/{id}/notes",
  createInboxThreadNote: "POST /inbox/threads/{id}/notes",
  deleteInboxThreadNote: "DELETE /inbox/threads/{id}/notes/{noteId}",
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
  getAccountPlacement: "GET /accounts/{id}/placement",
  listWebhooks: "GET /webhooks",
  createWebhook: "POST /webhooks",
  getWebhook: "GET /webhooks/{id}",
  patchWebhook: "PATCH /webhooks/{id}",
  deleteWebhook: "DELETE /webhooks/{id}",
  restoreWebhook: "POST /webhooks/{id}/restore",
  rotateWebhookSecret: "POST /webhooks/{id}/rotate-secret",
  testWebhook: "POST /webhooks/{id}/test",
  checkWebhook: "POST /webhooks/{id}/check",
  listWebhookDeliveries: "GET /webhooks/{id}/deliveries",
  getWebhookDelivery: "GET /webhooks/{id}/deliveries/{deliveryId}",
  replayWebhookDelivery: "POST /webhooks/{id}/deliveries/{deliveryId}/replay",
  replayWebhook: "POST /webhooks/{id}/replay",
  listEvents: "GET /events",
  streamEvents: "GET /events/stream file",
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
  getAuditChain: "GET /audit/chain",
  exportAudit: "GET /exports/audit file",
  listRequests: "GET /requests",
  runBatch: "POST /batch",
  getBillingSubscription: "GET /billing/subscription",
  subscribeToPlan: "POST /billing/subscribe",
  setBillingLicense: "POST /billing/licence",
  openBillingPortal: "POST /billing/portal",
  getSandboxClock: "GET /sandbox/clock",
  moveSandboxClock: "POST /sandbox/clock",
  listSandboxMessages: "GET /sandbox/messages",
  getSandboxMessage: "GET /sandbox/messages/{id}",
  getSandboxMessageRaw: "GET /sandbox/messages/{id}/raw file",
  injectIntoSandbox: "POST /sandbox/inject",
  startSandboxDemo: "POST /sandbox/demo",
  getSandboxSettings: "GET /sandbox/settings",
  patchSandboxSettings: "PATCH /sandbox/settings",
  resetSandbox: "DELETE /sandbox",
  listBackups: "GET /backups",
  createBackup: "POST /backups",
  getBackupTask: "GET /backups/task",
  getBackupSchedule: "GET /backups/schedule",
  uploadBackup: "POST /backups/upload",
  getBackup: "GET /backups/{id}",
  deleteBackup: "DELETE /backups/{id}",
  downloadBackup: "GET /backups/{id}/download file",
  verifyBackup: "POST /backups/{id}/verify",
  restoreBackup: "POST /backups/{id}/restore",
  getSystem: "GET /system",
};
