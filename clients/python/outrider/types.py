"""Made by .ci/client.ts from the API's own document. Not to be changed by hand."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union

AccountHealthThresholdEffect: TypeAlias = Literal[
    "halves_caps",
    "starts_no_new_leads",
    "pauses",
]

AccountNotReadyReason: TypeAlias = Literal[
    "no_credentials",
    "untested",
    "failed",
    "workspace",
]

AccountPlacementVerdict: TypeAlias = Literal[
    "drop",
    "unclear",
    "steady",
    "too_few",
]

AccountProvider: TypeAlias = Literal[
    "google",
    "microsoft",
    "smtp",
    "sandbox",
]

AccountStatus: TypeAlias = Literal[
    "active",
    "paused",
    "error",
    "disabled",
]

AccountStatusReason: TypeAlias = Literal[
    "manual",
    "health",
    "auth",
    "smtp_errors",
]

AccountTestStep: TypeAlias = Literal[
    "smtp_dns",
    "smtp_connect",
    "smtp_tls",
    "smtp_login",
    "send",
    "imap_dns",
    "imap_connect",
    "imap_tls",
    "imap_login",
    "read",
    "sent_folder",
]

AddressReason: TypeAlias = Literal[
    "no_such_domain",
    "no_mx",
    "null_mx",
    "no_such_mailbox",
    "soft_bounced",
    "disposable",
    "role_address",
    "likely_typo",
    "catch_all",
]

AddressVerdict: TypeAlias = Literal[
    "valid",
    "risky",
    "invalid",
    "unknown",
]

AttentionSubscriptionPlan: TypeAlias = Literal[
    "community",
    "starter",
    "pro",
    "scale",
]

AttentionSubscriptionSource: TypeAlias = Literal[
    "local",
    "licence",
    "stripe",
]

AttentionSubscriptionStatus: TypeAlias = Literal[
    "none",
    "active",
    "grace",
    "expired",
]

AuditChainFaultKind: TypeAlias = Literal[
    "changed",
    "missing",
    "out_of_order",
    "wrong_link",
]

AuthenticationResult: TypeAlias = Literal[
    "pass",
    "fail",
    "softfail",
    "neutral",
    "none",
    "policy",
    "temperror",
    "permerror",
]

BackupReason: TypeAlias = Literal[
    "manual",
    "schedule",
    "before_restore",
    "before_migration",
    "upload",
]

BackupTaskStatus: TypeAlias = Literal[
    "running",
    "done",
    "failed",
]

BackupWork: TypeAlias = Literal[
    "backup",
    "verify",
    "restore",
]

BatchOperationMethod: TypeAlias = Literal[
    "GET",
    "POST",
    "PATCH",
    "DELETE",
]

BounceSeverity: TypeAlias = Literal[
    "hard",
    "soft",
    "block",
]

CampaignLaunchCheckWarningCode: TypeAlias = Literal[
    "no_public_url",
    "not_tracked",
    "no_postal_address",
    "accounts_not_ready",
    "sender_refused",
    "alias_domain",
    "provider_matching",
    "no_leads",
    "variant_on_hold",
    "first_email_attached",
    "rule_target",
    "content",
    "addresses",
]

CampaignLeadBulkAction: TypeAlias = Literal[
    "pause",
    "resume",
    "complete",
    "remove",
    "release",
    "treat_as_sent",
    "send_again",
]

CampaignLeadExplainReason: TypeAlias = Literal[
    "sending",
    "outside_window",
    "new_lead_cap",
    "campaign_limit",
    "domain_cap",
    "risky_share",
    "account_caps",
    "account_health",
    "sender_refused",
    "provider_cap",
    "provider_match",
    "waiting_for_experiment",
    "waiting_for_step_delay",
    "no_active_account",
    "nothing_due",
    "paused",
    "draft",
    "ended",
    "held",
    "paused_lead",
    "in_queue",
    "sending_now",
]

CampaignLeadHoldReason: TypeAlias = Literal[
    "missing_variable",
    "unknown_send",
    "task",
    "account_gone",
    "planning_failed",
    "invalid_address",
    "risky_address",
]

CampaignLeadStatus: TypeAlias = Literal[
    "pending",
    "active",
    "paused",
    "completed",
    "replied",
    "bounced",
    "unsubscribed",
    "failed",
    "suppressed",
]

CampaignPriority: TypeAlias = Literal[
    "follow_ups",
    "new_leads",
]

CampaignProviderMatching: TypeAlias = Literal[
    "off",
    "prefer",
    "only",
]

CampaignSendingStatus: TypeAlias = Literal[
    "sending",
    "outside_window",
    "new_lead_cap",
    "campaign_limit",
    "domain_cap",
    "risky_share",
    "account_caps",
    "account_health",
    "sender_refused",
    "provider_cap",
    "provider_match",
    "waiting_for_experiment",
    "waiting_for_step_delay",
    "no_active_account",
    "nothing_due",
    "paused",
    "draft",
]

CampaignStatus: TypeAlias = Literal[
    "draft",
    "active",
    "paused",
    "completed",
    "archived",
]

CampaignStatusReason: TypeAlias = Literal[
    "manual",
    "bounce_rate",
    "complaint_rate",
    "plan_limit",
]

CampaignStepFormat: TypeAlias = Literal[
    "plain",
    "html",
]

CampaignStepType: TypeAlias = Literal[
    "email",
    "task",
]

CheckVerdict: TypeAlias = Literal[
    "ok",
    "warning",
    "fault",
]

Confidence: TypeAlias = Literal[
    "high",
    "medium",
    "low",
]

DeletedRecordKind: TypeAlias = Literal[
    "campaign",
    "account",
    "webhook",
]

DeliveryError: TypeAlias = Literal[
    "dns",
    "address_not_allowed",
    "refused",
    "tls",
    "timeout",
    "closed",
    "protocol",
    "too_large",
    "status",
    "internal",
]

DmarcPolicy: TypeAlias = Literal[
    "none",
    "quarantine",
    "reject",
]

DnsRecordType: TypeAlias = Literal[
    "TXT",
    "MX",
]

DnsVerdict: TypeAlias = Literal[
    "ok",
    "advice",
    "warning",
    "fault",
    "unknown",
]

DomainCheck: TypeAlias = Literal[
    "mx",
    "spf",
    "dkim",
    "dmarc",
    "sending_host",
    "block_lists",
    "tracking_host",
    "mta_sts",
    "tls_rpt",
    "bimi",
]

DomainState: TypeAlias = Literal[
    "unchecked",
    "ok",
    "warning",
    "fault",
    "unknown",
]

EffectType: TypeAlias = Literal[
    "enrollment",
    "interest",
    "moved",
    "suppression",
    "message_bounced",
    "soft_bounces",
    "step_bounced",
    "step_unsubscribed",
    "harm",
]

EmailKind: TypeAlias = Literal[
    "step",
    "manual",
    "placement",
]

Environment: TypeAlias = Literal[
    "live",
    "test",
]

ErasureWebhookStatus: TypeAlias = Literal[
    "pending",
    "succeeded",
    "failed",
]

ErrorType: TypeAlias = Literal[
    "invalid_request",
    "authentication_error",
    "plan_limit",
    "permission_error",
    "not_found",
    "method_not_allowed",
    "conflict",
    "precondition_failed",
    "payload_too_large",
    "unsupported_media_type",
    "validation_error",
    "rate_limit_exceeded",
    "internal_error",
    "upstream_error",
    "unavailable",
]

EventOrder: TypeAlias = Literal[
    "asc",
    "desc",
]

EventPattern: TypeAlias = Literal[
    "*",
    "email.*",
    "reply.*",
    "lead.*",
    "complaint.*",
    "campaign.*",
    "account.*",
    "workspace.*",
    "domain.*",
    "experiment.*",
    "placement.*",
    "suppression.*",
    "task.*",
    "billing.*",
    "webhook.*",
    "email.sent",
    "email.failed",
    "email.deferred",
    "email.bounced",
    "email.opened",
    "email.clicked",
    "reply.received",
    "reply.auto",
    "reply.untracked",
    "lead.enrolled",
    "lead.status_changed",
    "lead.interested",
    "lead.unsubscribed",
    "lead.completed",
    "lead.merged",
    "lead.erased",
    "complaint.received",
    "campaign.started",
    "campaign.paused",
    "campaign.resumed",
    "campaign.completed",
    "account.error",
    "account.recovered",
    "account.health_changed",
    "workspace.refused",
    "workspace.connected",
    "domain.error",
    "domain.recovered",
    "experiment.variant_paused",
    "experiment.completed",
    "placement.completed",
    "suppression.created",
    "task.created",
    "billing.limit_warning",
    "billing.limit_reached",
    "webhook.disabled",
    "webhook.test",
]

EventType: TypeAlias = Literal[
    "email.sent",
    "email.failed",
    "email.deferred",
    "email.bounced",
    "email.opened",
    "email.clicked",
    "reply.received",
    "reply.auto",
    "reply.untracked",
    "lead.enrolled",
    "lead.status_changed",
    "lead.interested",
    "lead.unsubscribed",
    "lead.completed",
    "lead.merged",
    "lead.erased",
    "complaint.received",
    "campaign.started",
    "campaign.paused",
    "campaign.resumed",
    "campaign.completed",
    "account.error",
    "account.recovered",
    "account.health_changed",
    "workspace.refused",
    "workspace.connected",
    "domain.error",
    "domain.recovered",
    "experiment.variant_paused",
    "experiment.completed",
    "placement.completed",
    "suppression.created",
    "task.created",
    "billing.limit_warning",
    "billing.limit_reached",
    "webhook.disabled",
    "webhook.test",
]

ExperimentGuardrailMetric: TypeAlias = Literal[
    "bounces",
    "opt_outs",
    "negative_replies",
]

ExperimentOptimizationMode: TypeAlias = Literal[
    "fixed_split",
    "thompson_sampling",
    "auto_winner",
    "test_and_roll",
]

ExperimentPrimaryMetric: TypeAlias = Literal[
    "reply_rate",
    "interested_rate",
    "bounce_rate",
]

ExperimentStatus: TypeAlias = Literal[
    "running",
    "paused",
    "evaluating",
    "completed",
    "cancelled",
]

ExperimentVariantOutReason: TypeAlias = Literal[
    "guardrail",
    "eliminated",
    "switched_off",
]

ExperimentWarningCode: TypeAlias = Literal[
    "winners_curse",
    "metrics_disagree",
    "strata_disagree",
    "bandit_bias",
    "step_changed",
    "replanned",
    "variant_on_hold",
    "winner_not_applied",
]

FileFormat: TypeAlias = Literal[
    "csv",
    "ndjson",
    "json",
]

GmailTab: TypeAlias = Literal[
    "primary",
    "promotions",
    "social",
    "updates",
    "forums",
]

GuardrailReason: TypeAlias = Literal[
    "limit",
    "others",
]

HealthCause: TypeAlias = Literal[
    "hard_bounces",
    "complaints",
    "smtp_errors",
    "placement",
]

ImportDelimiter: TypeAlias = Literal[
    ",",
    ";",
    "tab",
    "|",
]

ImportEncoding: TypeAlias = Literal[
    "utf-8",
    "utf-16le",
    "utf-16be",
    "windows-1252",
]

ImportErrorReason: TypeAlias = Literal[
    "invalid_email",
    "variables_invalid",
    "timezone_invalid",
    "tags_invalid",
    "plan_limit",
    "invalid_item",
]

ImportExisting: TypeAlias = Literal[
    "keep",
    "merge",
    "replace",
]

ImportKind: TypeAlias = Literal[
    "leads",
    "suppressions",
]

ImportLineFormat: TypeAlias = Literal[
    "csv",
    "ndjson",
]

ImportReason: TypeAlias = Literal[
    "import",
    "manual",
    "bounce",
    "unsubscribe",
    "complaint",
]

ImportSkipReason: TypeAlias = Literal[
    "already_enrolled",
    "duplicate_in_request",
    "suppressed",
    "suppressed_domain",
    "in_other_campaign",
    "placement_seed",
]

ImportStatus: TypeAlias = Literal[
    "running",
    "done",
    "interrupted",
    "failed",
    "cancelled",
    "undoing",
    "undone",
]

InboxThreadFolder: TypeAlias = Literal[
    "interested",
    "meeting",
    "questions",
    "not_interested",
    "out_of_office",
    "bounces",
    "other",
    "snoozed",
    "done",
]

Interest: TypeAlias = Literal[
    "interested",
    "not_interested",
    "neutral",
    "meeting",
]

KeyScope: TypeAlias = Literal[
    "read",
    "write",
    "admin",
    "operator",
    "campaigns:read",
    "campaigns:write",
    "leads:read",
    "leads:write",
    "accounts:read",
    "accounts:write",
    "suppressions:read",
    "suppressions:write",
    "files:read",
    "files:write",
    "team:read",
    "team:write",
    "experiments:read",
    "experiments:write",
    "placement:read",
    "placement:write",
    "inbox:read",
    "inbox:write",
    "webhooks:read",
    "webhooks:write",
    "keys:read",
    "keys:write",
    "billing:read",
    "billing:write",
    "audit:read",
    "audit:write",
    "sandbox:read",
    "sandbox:write",
]

Language: TypeAlias = Literal[
    "en",
    "de",
    "fr",
    "es",
    "it",
    "pt",
    "nl",
    "pl",
    "cs",
    "sv",
    "da",
    "nb",
    "fi",
    "ja",
]

LeadDuplicateReason: TypeAlias = Literal[
    "same_mailbox",
    "same_profile",
    "same_phone",
    "same_name",
]

LeadTimelineKind: TypeAlias = Literal[
    "enrolled",
    "written",
    "bounced",
    "opened",
    "clicked",
    "received",
    "task",
    "task_done",
    "task_skipped",
    "suppressed",
    "changed",
]

LeadViewSort: TypeAlias = Literal[
    "-created",
    "created",
    "email",
    "-email",
]

LoggedRequestMethod: TypeAlias = Literal[
    "GET",
    "HEAD",
    "POST",
    "PATCH",
    "PUT",
    "DELETE",
    "OPTIONS",
]

LoggedRequestOutcome: TypeAlias = Literal[
    "ok",
    "refused",
    "failed",
]

MatchedBy: TypeAlias = Literal[
    "token",
    "message_id",
    "provider_id",
    "thread",
    "recipient",
    "sender",
    "quote",
    "company",
    "person",
]

MessageDirection: TypeAlias = Literal[
    "in",
    "out",
]

MessageKind: TypeAlias = Literal[
    "reply",
    "auto_reply",
    "bounce",
    "notice",
    "complaint",
    "unsubscribe",
    "unrelated",
    "step",
    "manual",
    "placement",
]

MessageStatus: TypeAlias = Literal[
    "queued",
    "sending",
    "deferred",
    "sent",
    "failed",
    "unknown",
    "cancelled",
]

PaidPlan: TypeAlias = Literal[
    "starter",
    "pro",
    "scale",
]

Placement: TypeAlias = Literal[
    "inbox",
    "spam",
    "promotions",
    "not_delivered",
]

PlacementRunStatus: TypeAlias = Literal[
    "pending",
    "running",
    "completed",
    "failed",
    "cancelled",
]

PlacementRunTriggerType: TypeAlias = Literal[
    "manual",
    "scheduled",
    "health",
]

PlacementSeedCreateStatus: TypeAlias = Literal[
    "active",
    "paused",
]

PlacementSeedStatus: TypeAlias = Literal[
    "active",
    "paused",
    "error",
]

PlacementTestStatus: TypeAlias = Literal[
    "waiting",
    "looking",
    "done",
    "failed",
    "cancelled",
]

PlanLimitName: TypeAlias = Literal[
    "accounts",
    "leads",
    "active_campaigns",
    "mails",
    "running_experiments",
    "placement_runs",
    "webhooks",
    "keys",
    "members",
]

ReceivedKind: TypeAlias = Literal[
    "reply",
    "auto_reply",
    "bounce",
    "notice",
    "complaint",
    "unsubscribe",
    "unrelated",
]

RecommendationCode: TypeAlias = Literal[
    "no_data",
    "srm_detected",
    "guardrail_breach",
    "winner_found",
    "losers_found",
    "warming_up",
    "underpowered",
    "keep_running",
    "bandit_exploring",
    "bandit_converging",
    "evaluating",
    "equivalent",
    "lean_leader",
    "inconclusive",
    "bandit_converged",
    "chosen_by_hand",
    "one_left",
    "testing",
    "leader_picked",
    "cancelled",
]

RiskyAddresses: TypeAlias = Literal[
    "send",
    "spread",
    "hold",
]

Role: TypeAlias = Literal[
    "owner",
    "admin",
    "member",
    "viewer",
]

RuleEvent: TypeAlias = Literal[
    "interested",
    "meeting",
    "neutral",
    "replied",
    "completed",
]

SandboxBlockKind: TypeAlias = Literal[
    "refuse",
    "throttle",
]

SandboxInjectKind: TypeAlias = Literal[
    "reply",
    "interested",
    "auto_reply",
    "bounce",
    "soft_bounce",
    "complaint",
    "unsubscribe",
    "block_bounce",
    "delay",
    "left_company",
    "newsletter",
    "placement",
]

SandboxMessageVerdict: TypeAlias = Literal[
    "delivered",
    "bounced",
    "spam",
]

SeedProvider: TypeAlias = Literal[
    "google",
    "microsoft",
    "yahoo",
    "icloud",
    "zoho",
    "custom",
]

ServerSecurity: TypeAlias = Literal[
    "starttls",
    "tls",
    "none",
]

SignificanceTest: TypeAlias = Literal[
    "anytime",
    "group_sequential",
    "pooled_z",
    "fisher_mid_p",
    "epoch_z",
    "degenerate",
]

SpamCheckRule: TypeAlias = Literal[
    "subject_missing",
    "subject_long",
    "subject_capitals",
    "subject_punctuation",
    "subject_false_reply",
    "text_missing",
    "text_to_html",
    "html_large",
    "capitals",
    "phrases",
    "links_many",
    "link_shortener",
    "link_plain_http",
    "link_address",
    "link_disguised",
    "image_only",
    "tracking_pixel",
    "unsubscribe_missing",
    "one_click_missing",
    "address_missing",
]

SpamCheckSeverity: TypeAlias = Literal[
    "problem",
    "warning",
    "note",
]

StoredFileUseType: TypeAlias = Literal[
    "step",
    "variant",
    "signature",
]

SuppressionCheckMatch: TypeAlias = Literal[
    "address",
    "domain",
]

TestEmailStatus: TypeAlias = Literal[
    "sent",
    "failed",
    "unknown",
]

UnconfirmedAction: TypeAlias = Literal[
    "treat_as_sent",
    "send_again",
]

WebhookCheckVerdictCheck: TypeAlias = Literal[
    "accepts_events",
    "accepts_repeats",
    "accepts_two_signatures",
    "ignores_unknown_fields",
    "refuses_bad_signatures",
    "refuses_old_timestamps",
    "takes_late_events",
    "deduplicates",
    "orders_by_seq",
]

WebhookCheckVerdictVerdict: TypeAlias = Literal[
    "yes",
    "no",
    "unknown",
]

WebhookDisabledReason: TypeAlias = Literal[
    "gone",
    "failing",
]

WebhookInclude: TypeAlias = Literal[
    "lead",
    "campaign",
    "reply.text",
    "message",
]

Weekday: TypeAlias = Literal[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
]

WorkspaceProvider: TypeAlias = Literal[
    "google",
    "microsoft",
]

WorkspaceStatus: TypeAlias = Literal[
    "waiting",
    "connected",
    "refused",
]


class Account(TypedDict):
    """A mailbox that sends and receives"""
    id: str
    """The account's id"""
    team_id: str
    """Team that owns the record"""
    email: str
    """Address of the mailbox"""
    provider: AccountProvider
    """Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment"""
    status: AccountStatus
    """Only an active account sends; `error` ends once the connection works again"""
    status_reason: AccountStatusReason | None
    """Why the account is not active; null when it is"""
    ready: bool
    """Whether a connection test has passed; always true in the test environment"""
    not_ready_reason: AccountNotReadyReason | None
    """Why the account is not ready; null when it is. `workspace`: its workspace's consent is refused, and it goes on by itself once that is repaired"""
    display_name: str | None
    """Name in the From header of emails"""
    signature: str | None
    """Text or HTML that `{{ signature }}` in a step stands for"""
    timezone: str
    """IANA time zone whose days and hours the limits count"""
    daily_limit: int
    """Emails per day"""
    hourly_limit: int
    """Emails per hour"""
    provider_limits: AccountProviderLimits
    """Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all"""
    verify_addresses: bool
    """Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address"""
    min_gap_seconds: int
    """Shortest time between two emails, in seconds"""
    max_gap_seconds: int | None
    """Longest time between two emails, in seconds; null to spread a day's emails over its sending hours"""
    aliases: list[AccountAliase]
    """Further addresses of the mailbox: email to them arrives in it, and it may send as them"""
    send_as: str | None
    """The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from"""
    ramp: AccountRamp | None
    """Raises the daily limit step by step while the mailbox is new; null to allow it from the first day"""
    smtp: AccountSmtp | None
    """Server to send through; preset for google and microsoft. Null when none is set"""
    imap: AccountImap | None
    """Server to read from; preset for google and microsoft. Null when none is set"""
    has_smtp_password: bool
    """Whether an SMTP password is stored"""
    has_imap_password: bool
    """Whether an IMAP password is stored"""
    has_oauth: bool
    """Whether the mailbox logs in with OAuth 2.0"""
    has_oauth_client: bool
    """Whether an OAuth client is stored that still needs its owner's consent"""
    workspace_id: str | None
    """Workspace with whose consent the mailbox logs in; null with credentials of its own"""
    reconnect_url: str | None
    """Page on which the mailbox's owner renews an OAuth consent that has ended; null otherwise"""
    health_score: float
    """How the mailbox's emails of the last days were received; 100 is best"""
    consecutive_smtp_errors: int
    """SMTP errors since the last email that was sent"""
    last_error: str | None
    """What went wrong last; null when nothing did"""
    backoff_until: str | None
    """When sending resumes after the server asked to slow down; null otherwise"""
    unconfirmed_since: str | None
    """Since when it is unknown what the mailbox sent, after a restore; null otherwise. It sends again once its Sent folder has been read; set `disabled` for a mailbox that can no longer be read"""
    verify_addresses_problem: str | None
    """Why `verify_addresses` has stopped, or some servers aren't asked; null where nothing is wrong"""
    refused_by: list[AccountRefusedBy]
    """Recipient providers that refuse this mailbox as a sender. Their leads stay pending; testing the mailbox tries them again right away"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class AccountProviderLimits(TypedDict):
    """Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all"""
    google: NotRequired[int]
    """Emails per day to recipients at google"""
    microsoft: NotRequired[int]
    """Emails per day to recipients at microsoft"""
    yahoo: NotRequired[int]
    """Emails per day to recipients at yahoo"""
    icloud: NotRequired[int]
    """Emails per day to recipients at icloud"""
    zoho: NotRequired[int]
    """Emails per day to recipients at zoho"""


class AccountAliase(TypedDict):
    email: str
    """Address of the mailbox"""
    name: str | None
    """Name in the From header; null or absent: the account's `display_name`"""


AccountRamp = TypedDict(
    "AccountRamp",
    {
        # Emails on the first day
        "start": "int",
        # Emails to add on each following day
        "increment": "int",
        # First day, in the account's time zone; without one, today
        "from": "str",
    },
)


class AccountSmtp(TypedDict):
    host: str
    """Host name or IP address"""
    port: int
    """Port; without one, the usual port for `security`"""
    security: ServerSecurity
    """How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only"""
    username: str
    """Name to log in with; without one, the account's address. Empty for a relay without a login"""


class AccountImap(TypedDict):
    host: str
    """Host name or IP address"""
    port: int
    """Port; without one, the usual port for `security`"""
    security: ServerSecurity
    """How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only"""
    username: str
    """Name to log in with; without one, the account's address. Empty for a relay without a login"""
    save_sent: bool
    """Store a copy of each sent email in the Sent folder; off for google and microsoft, which do so themselves"""


class AccountRefusedBy(TypedDict):
    provider: str
    """Provider that refuses, or a domain with servers of its own; `*` for all such domains"""
    refusals: int
    """Refusals in a row"""
    since: str
    """When the first of them came"""
    until: str | None
    """When one email is tried again; null while a single refusal stops nothing"""
    said: str
    """What the server said"""
    remedy: str
    """What to do about it"""
    page: str | None
    """Page on which the provider explains its refusals"""


class AccountActivity(TypedDict):
    account_id: str
    """The account's id"""
    hours: list[AccountActivityHour]
    """The hours, oldest first; the last one is not over yet"""


AccountActivityHour = TypedDict(
    "AccountActivityHour",
    {
        # When the hour began
        "from": "str",
        # Emails sent
        "sent": "int",
        # Emails that a server deferred; they are tried again
        "deferred": "int",
        # Emails that were refused or given up
        "failed": "int",
        # Emails that bounced
        "bounced": "int",
        # Errors of the mailbox itself, for example a failed login
        "errors": "int",
    },
)


class AccountActivityList(TypedDict):
    data: list[AccountActivity]
    """All accounts, oldest first"""


class AccountCreate(TypedDict):
    email: str
    """Address of the mailbox"""
    provider: AccountProvider
    """Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment"""
    display_name: NotRequired[str | None]
    """Name in the From header of emails"""
    signature: NotRequired[str | None]
    """Text or HTML that `{{ signature }}` in a step stands for"""
    timezone: NotRequired[str]
    """IANA time zone whose days and hours the limits count"""
    daily_limit: NotRequired[int]
    """Emails per day"""
    hourly_limit: NotRequired[int]
    """Emails per hour"""
    provider_limits: NotRequired[AccountProviderLimits]
    """Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all"""
    verify_addresses: NotRequired[bool]
    """Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address"""
    min_gap_seconds: NotRequired[int]
    """Shortest time between two emails, in seconds"""
    max_gap_seconds: NotRequired[int | None]
    """Longest time between two emails, in seconds; null to spread a day's emails over its sending hours"""
    ramp: NotRequired[AccountCreateRamp | None]
    """Raises the daily limit step by step while the mailbox is new; null to allow it from the first day"""
    smtp: NotRequired[AccountCreateSmtp | None]
    """Server to send through; google and microsoft need none"""
    imap: NotRequired[AccountCreateImap | None]
    """Server to read from; google and microsoft need none"""
    oauth: NotRequired[AccountCreateOauth | None]
    """OAuth 2.0 credentials, used for SMTP and IMAP in place of passwords; write-only"""
    workspace_id: NotRequired[str | None]
    """Workspace with whose consent the mailbox logs in; null with credentials of its own"""
    aliases: NotRequired[list[AccountCreateAliase]]
    """Further addresses of the mailbox: email to them arrives in it, and it may send as them"""
    send_as: NotRequired[str | None]
    """The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from"""


AccountCreateRamp = TypedDict(
    "AccountCreateRamp",
    {
        # Emails on the first day
        "start": "int",
        # Emails to add on each following day
        "increment": "int",
        # First day, in the account's time zone; without one, today
        "from": "NotRequired[str]",
    },
)


class AccountCreateSmtp(TypedDict):
    host: NotRequired[str]
    """Host name or IP address"""
    port: NotRequired[int]
    """Port; without one, the usual port for `security`"""
    security: NotRequired[ServerSecurity]
    """How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only"""
    username: NotRequired[str]
    """Name to log in with; without one, the account's address. Empty for a relay without a login"""
    password: NotRequired[str | None]
    """Password or app password; write-only"""


class AccountCreateImap(TypedDict):
    host: NotRequired[str]
    """Host name or IP address"""
    port: NotRequired[int]
    """Port; without one, the usual port for `security`"""
    security: NotRequired[ServerSecurity]
    """How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only"""
    username: NotRequired[str]
    """Name to log in with; without one, the account's address. Empty for a relay without a login"""
    save_sent: NotRequired[bool]
    """Store a copy of each sent email in the Sent folder; off for google and microsoft, which do so themselves"""
    password: NotRequired[str | None]
    """Password or app password; write-only. Without one, the SMTP password"""


class AccountCreateOauth(TypedDict):
    client_id: str
    """Client id registered with the provider"""
    client_secret: str
    """Secret of the client"""
    refresh_token: NotRequired[str]
    """Token of the mailbox's owner; `POST /accounts/{id}/connect` obtains one"""


class AccountCreateAliase(TypedDict):
    email: str
    """Address of the mailbox"""
    name: NotRequired[str | None]
    """Name in the From header; null or absent: the account's `display_name`"""


class AccountCreated(TypedDict):
    id: str
    """The account's id"""
    team_id: str
    """Team that owns the record"""
    email: str
    """Address of the mailbox"""
    provider: AccountProvider
    """Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment"""
    status: AccountStatus
    """Only an active account sends; `error` ends once the connection works again"""
    status_reason: AccountStatusReason | None
    """Why the account is not active; null when it is"""
    ready: bool
    """Whether a connection test has passed; always true in the test environment"""
    not_ready_reason: AccountNotReadyReason | None
    """Why the account is not ready; null when it is. `workspace`: its workspace's consent is refused, and it goes on by itself once that is repaired"""
    display_name: str | None
    """Name in the From header of emails"""
    signature: str | None
    """Text or HTML that `{{ signature }}` in a step stands for"""
    timezone: str
    """IANA time zone whose days and hours the limits count"""
    daily_limit: int
    """Emails per day"""
    hourly_limit: int
    """Emails per hour"""
    provider_limits: AccountProviderLimits
    """Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all"""
    verify_addresses: bool
    """Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address"""
    min_gap_seconds: int
    """Shortest time between two emails, in seconds"""
    max_gap_seconds: int | None
    """Longest time between two emails, in seconds; null to spread a day's emails over its sending hours"""
    aliases: list[AccountAliase]
    """Further addresses of the mailbox: email to them arrives in it, and it may send as them"""
    send_as: str | None
    """The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from"""
    ramp: AccountRamp | None
    """Raises the daily limit step by step while the mailbox is new; null to allow it from the first day"""
    smtp: AccountSmtp | None
    """Server to send through; preset for google and microsoft. Null when none is set"""
    imap: AccountImap | None
    """Server to read from; preset for google and microsoft. Null when none is set"""
    has_smtp_password: bool
    """Whether an SMTP password is stored"""
    has_imap_password: bool
    """Whether an IMAP password is stored"""
    has_oauth: bool
    """Whether the mailbox logs in with OAuth 2.0"""
    has_oauth_client: bool
    """Whether an OAuth client is stored that still needs its owner's consent"""
    workspace_id: str | None
    """Workspace with whose consent the mailbox logs in; null with credentials of its own"""
    reconnect_url: str | None
    """Page on which the mailbox's owner renews an OAuth consent that has ended; null otherwise"""
    health_score: float
    """How the mailbox's emails of the last days were received; 100 is best"""
    consecutive_smtp_errors: int
    """SMTP errors since the last email that was sent"""
    last_error: str | None
    """What went wrong last; null when nothing did"""
    backoff_until: str | None
    """When sending resumes after the server asked to slow down; null otherwise"""
    unconfirmed_since: str | None
    """Since when it is unknown what the mailbox sent, after a restore; null otherwise. It sends again once its Sent folder has been read; set `disabled` for a mailbox that can no longer be read"""
    verify_addresses_problem: str | None
    """Why `verify_addresses` has stopped, or some servers aren't asked; null where nothing is wrong"""
    refused_by: list[AccountRefusedBy]
    """Recipient providers that refuse this mailbox as a sender. Their leads stay pending; testing the mailbox tries them again right away"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""
    in_flight: NotRequired[int]
    """Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop"""
    forecast: NotRequired[AccountCreatedForecast]
    """What the change would do to the emails of the next 7 days. Only in a dry run"""
    warning: NotRequired[str]
    """What is odd about the limits in the request, though they were stored. Absent otherwise"""


class AccountCreatedForecast(TypedDict):
    """What the change would do to the emails of the next 7 days. Only in a dry run"""
    moved: int
    """Emails that would be sent at another minute, or from another account"""
    added: int
    """Emails that would be sent and aren't planned now"""
    removed: int
    """Emails that are planned now and wouldn't be sent"""
    first_at: str | None
    """When the first of them is planned; null if there is none"""
    until: str
    """How far the forecast looks ahead"""
    summary: str
    """The same in words"""


class AccountDetail(TypedDict):
    id: str
    """The account's id"""
    team_id: str
    """Team that owns the record"""
    email: str
    """Address of the mailbox"""
    provider: AccountProvider
    """Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment"""
    status: AccountStatus
    """Only an active account sends; `error` ends once the connection works again"""
    status_reason: AccountStatusReason | None
    """Why the account is not active; null when it is"""
    ready: bool
    """Whether a connection test has passed; always true in the test environment"""
    not_ready_reason: AccountNotReadyReason | None
    """Why the account is not ready; null when it is. `workspace`: its workspace's consent is refused, and it goes on by itself once that is repaired"""
    display_name: str | None
    """Name in the From header of emails"""
    signature: str | None
    """Text or HTML that `{{ signature }}` in a step stands for"""
    timezone: str
    """IANA time zone whose days and hours the limits count"""
    daily_limit: int
    """Emails per day"""
    hourly_limit: int
    """Emails per hour"""
    provider_limits: AccountProviderLimits
    """Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all"""
    verify_addresses: bool
    """Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address"""
    min_gap_seconds: int
    """Shortest time between two emails, in seconds"""
    max_gap_seconds: int | None
    """Longest time between two emails, in seconds; null to spread a day's emails over its sending hours"""
    aliases: list[AccountAliase]
    """Further addresses of the mailbox: email to them arrives in it, and it may send as them"""
    send_as: str | None
    """The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from"""
    ramp: AccountRamp | None
    """Raises the daily limit step by step while the mailbox is new; null to allow it from the first day"""
    smtp: AccountSmtp | None
    """Server to send through; preset for google and microsoft. Null when none is set"""
    imap: AccountImap | None
    """Server to read from; preset for google and microsoft. Null when none is set"""
    has_smtp_password: bool
    """Whether an SMTP password is stored"""
    has_imap_password: bool
    """Whether an IMAP password is stored"""
    has_oauth: bool
    """Whether the mailbox logs in with OAuth 2.0"""
    has_oauth_client: bool
    """Whether an OAuth client is stored that still needs its owner's consent"""
    workspace_id: str | None
    """Workspace with whose consent the mailbox logs in; null with credentials of its own"""
    reconnect_url: str | None
    """Page on which the mailbox's owner renews an OAuth consent that has ended; null otherwise"""
    health_score: float
    """How the mailbox's emails of the last days were received; 100 is best"""
    consecutive_smtp_errors: int
    """SMTP errors since the last email that was sent"""
    last_error: str | None
    """What went wrong last; null when nothing did"""
    backoff_until: str | None
    """When sending resumes after the server asked to slow down; null otherwise"""
    unconfirmed_since: str | None
    """Since when it is unknown what the mailbox sent, after a restore; null otherwise. It sends again once its Sent folder has been read; set `disabled` for a mailbox that can no longer be read"""
    verify_addresses_problem: str | None
    """Why `verify_addresses` has stopped, or some servers aren't asked; null where nothing is wrong"""
    refused_by: list[AccountRefusedBy]
    """Recipient providers that refuse this mailbox as a sender. Their leads stay pending; testing the mailbox tries them again right away"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class AccountDkim(TypedDict):
    domain: str
    """Domain that signs"""
    selector: str
    """Name of the key in DNS"""
    active: bool
    """Whether emails are signed; they are once the record has been found in DNS"""
    active_since: str | None
    """Since when emails are signed; null while they are not"""
    record: AccountDkimRecord
    """Record to publish in the domain's DNS"""
    created_at: str
    """When the record was created"""


class AccountDkimRecord(TypedDict):
    """Record to publish in the domain's DNS"""
    name: str
    """Full name of the record, without a dot at the end"""
    type: DnsRecordType
    """Type of the record"""
    value: str
    """Value of the record"""


class AccountDns(TypedDict):
    domain: str
    """The account's domain"""
    ok: bool
    """Whether no check found a fault"""
    checks: list[AccountDnsCheck]
    """The checks, with what to publish"""
    spf_lookups: int | None
    """DNS lookups that the SPF record needs; receivers allow 10. Null without a record"""
    spf_void_lookups: int | None
    """Lookups that find nothing; receivers allow 2. Null without an SPF record"""
    dkim_selectors: list[str]
    """DKIM selectors with a valid key"""
    dmarc_policy: DmarcPolicy | None
    """What the DMARC record asks receivers to do; null without a record"""


class AccountDnsCheck(TypedDict):
    check: DomainCheck
    """What was checked"""
    verdict: DnsVerdict
    """`fault`: servers refuse emails or file them as spam for it; `advice`: optional; `unknown`: DNS gave no response"""
    message: str
    """What was found"""
    found: list[str]
    """Records found in DNS"""
    remedy: str | None
    """How to fix it; null when nothing is wrong"""
    publish: list[AccountDkimRecord]
    """Records to publish"""
    rules: str
    """Page on which the rules of receiving servers are explained"""


class AccountHealth(TypedDict):
    account_id: str
    """The account's id"""
    score: int
    """Health score; 100 is best"""
    judged_score: int
    """Score that the thresholds apply to: on trial, that of the emails sent since; otherwise `score`"""
    window: AccountHealthWindow
    """Days that the score is calculated from"""
    weight: float
    """Factor applied to the points, below 1 until 20 emails were sent"""
    parts: list[AccountHealthPart]
    """What the score is made of"""
    status: AccountStatus
    """The account's status"""
    status_reason: AccountStatusReason | None
    """Why the account is not active; null when it is"""
    paused_until: str | None
    """When a pause for poor health ends; null otherwise"""
    on_trial_since: str | None
    """First day after a pause for poor health, since when limits are halved; null otherwise"""
    halved: bool
    """Whether limits are halved for poor health"""
    starts_new_leads: bool
    """Whether the account may email new leads; follow-ups continue either way"""
    thresholds: list[AccountHealthThreshold]
    """What a low score causes"""
    daily_cap: int
    """Emails allowed per day now, after ramp and health"""
    hourly_cap: int
    """Emails allowed per hour now, after health"""
    days: list[AccountHealthDay]
    """Score by day, oldest first"""


AccountHealthWindow = TypedDict(
    "AccountHealthWindow",
    {
        # First day, in the account's time zone
        "from": "str",
        # Last day, in the account's time zone
        "to": "str",
        # Emails sent
        "sends": "int",
        # Hard bounces
        "hard_bounces": "int",
        # Emails that were reported as spam
        "complaints": "int",
    },
)
"""Days that the score is calculated from"""


class AccountHealthPart(TypedDict):
    name: HealthCause
    """What was measured"""
    points: float
    """Points deducted from 100, weighted"""
    most: float
    """Most points that it can deduct"""
    value: float | None
    """Measured rate or count; null when nothing was measured"""
    message: str
    """The same in plain words"""


class AccountHealthThreshold(TypedDict):
    below: int
    """Score below which it applies"""
    effect: AccountHealthThresholdEffect
    """What happens below it"""
    in_force: bool
    """Whether it applies now"""


class AccountHealthDay(TypedDict):
    date: str
    """Local day"""
    score: int
    """Score at the end of the day, or now for today"""
    sends: int
    """Emails sent"""
    hard_bounces: int
    """Hard bounces"""
    complaints: int
    """Emails that were reported as spam"""
    points: AccountHealthDayPoints
    """Points deducted from 100"""


class AccountHealthDayPoints(TypedDict):
    """Points deducted from 100"""
    hard_bounces: float
    """Points for bounces"""
    complaints: float
    """Points for complaints"""
    smtp_errors: float
    """Points for SMTP errors"""
    placement: float
    """Points for placement tests that missed the inbox"""


class AccountList(TypedDict):
    data: list[Account]
    """The accounts, oldest first"""
    next_cursor: NotRequired[str | None]
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: NotRequired[bool]
    """Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`"""


class AccountPatch(TypedDict):
    email: NotRequired[str]
    """Address of the mailbox"""
    provider: NotRequired[AccountProvider]
    """Who runs the mailbox; `smtp` for any other server, `sandbox` for a simulated one in the test environment"""
    display_name: NotRequired[str | None]
    """Name in the From header of emails"""
    signature: NotRequired[str | None]
    """Text or HTML that `{{ signature }}` in a step stands for"""
    timezone: NotRequired[str]
    """IANA time zone whose days and hours the limits count"""
    daily_limit: NotRequired[int]
    """Emails per day"""
    hourly_limit: NotRequired[int]
    """Emails per hour"""
    provider_limits: NotRequired[AccountProviderLimits]
    """Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all"""
    verify_addresses: NotRequired[bool]
    """Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address"""
    min_gap_seconds: NotRequired[int]
    """Shortest time between two emails, in seconds"""
    max_gap_seconds: NotRequired[int | None]
    """Longest time between two emails, in seconds; null to spread a day's emails over its sending hours"""
    ramp: NotRequired[AccountPatchRamp | None]
    """Raises the daily limit step by step while the mailbox is new; null to allow it from the first day"""
    smtp: NotRequired[AccountCreateSmtp | None]
    """Server to send through; google and microsoft need none"""
    imap: NotRequired[AccountCreateImap | None]
    """Server to read from; google and microsoft need none"""
    oauth: NotRequired[AccountPatchOauth | None]
    """OAuth 2.0 credentials, used for SMTP and IMAP in place of passwords; write-only"""
    workspace_id: NotRequired[str | None]
    """Workspace with whose consent the mailbox logs in; null with credentials of its own"""
    aliases: NotRequired[list[AccountCreateAliase]]
    """Further addresses of the mailbox: email to them arrives in it, and it may send as them"""
    send_as: NotRequired[str | None]
    """The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from"""
    status: NotRequired[AccountStatus]
    """`paused` and `disabled` stop sending; `active` resumes it"""


AccountPatchRamp = TypedDict(
    "AccountPatchRamp",
    {
        # Emails on the first day
        "start": "NotRequired[int]",
        # Emails to add on each following day
        "increment": "NotRequired[int]",
        # First day, in the account's time zone; without one, today
        "from": "NotRequired[str]",
    },
)


class AccountPatchOauth(TypedDict):
    client_id: NotRequired[str]
    """Client id registered with the provider"""
    client_secret: NotRequired[str]
    """Secret of the client"""
    refresh_token: NotRequired[str]
    """Token of the mailbox's owner; `POST /accounts/{id}/connect` obtains one"""


class AccountPlacement(TypedDict):
    account_id: str
    """The account's id"""
    inbox: int
    """Of these, emails in the inbox"""
    total: int
    """Tests that have a placement"""
    rate: float
    """`inbox` divided by `total`; 0 without a test"""
    rate_low: float
    """Lower end of its 95% interval (Wilson)"""
    rate_high: float
    """Upper end of its 95% interval"""
    weeks: list[AccountPlacementWeek]
    """Weeks with a test, the last 26 at most, oldest first"""
    verdict: AccountPlacementVerdict
    """`drop`: fewer emails reach the inbox than before, and chance rarely explains it; `unclear`: it could be chance; `steady`: no sign of a drop; `too_few`: fewer than two runs"""
    e_value: float
    """Evidence that the share in the inbox fell, as an e-value: whenever you look, chance alone reaches `x` in at most 1 of `x` series. A drop is reported from 20"""
    message: str
    """The same in plain words"""
    providers: list[AccountPlacementProvider]
    """The same by the provider of the seeds"""


AccountPlacementWeek = TypedDict(
    "AccountPlacementWeek",
    {
        # Monday, in the account's time zone
        "from": "str",
        # Of these, emails in the inbox
        "inbox": "int",
        # Tests that have a placement
        "total": "int",
        # `inbox` divided by `total`; 0 without a test
        "rate": "float",
        # Lower end of its 95% interval (Wilson)
        "rate_low": "float",
        # Upper end of its 95% interval
        "rate_high": "float",
    },
)


class AccountPlacementProvider(TypedDict):
    provider: SeedProvider
    """Provider of the seeds"""
    runs: int
    """Completed runs"""
    inbox: int
    """Of these, emails in the inbox"""
    total: int
    """Tests that have a placement"""
    rate: float
    """`inbox` divided by `total`; 0 without a test"""
    rate_low: float
    """Lower end of its 95% interval (Wilson)"""
    rate_high: float
    """Upper end of its 95% interval"""
    weeks: list[AccountPlacementWeek]
    """Weeks with a test, the last 26 at most, oldest first"""
    verdict: AccountPlacementVerdict
    """`drop`: fewer emails reach the inbox than before, and chance rarely explains it; `unclear`: it could be chance; `steady`: no sign of a drop; `too_few`: fewer than two runs"""
    e_value: float
    """Evidence that the share in the inbox fell, as an e-value: whenever you look, chance alone reaches `x` in at most 1 of `x` series. A drop is reported from 20"""
    message: str
    """The same in plain words"""
    since: str | None
    """Run from which the share is lower; null where nothing points at a drop"""
    before: AccountPlacementProviderBefore | None
    """Runs before it; null without `since`"""
    after: AccountPlacementProviderBefore | None
    """Runs since; null without `since`"""


class AccountPlacementProviderBefore(TypedDict):
    inbox: int
    """Of these, emails in the inbox"""
    total: int
    """Tests that have a placement"""


class AccountUsage(TypedDict):
    account_id: str
    """The account's id"""
    timezone: str
    """IANA time zone whose days and hours the limits count"""
    day: AccountUsageDay
    """Today"""
    hour: AccountUsageHour
    """The current hour"""
    hours: list[AccountUsageHourItem]
    """Hours of today in which emails were sent"""
    ramp: AccountUsageRamp | None
    """Raises the daily limit step by step; null without one"""
    halved: bool
    """Whether limits are halved for poor health"""
    backoff_until: str | None
    """When sending resumes after the server asked to slow down; null otherwise"""
    free_at: str | None
    """When limits next allow an email: now while some remain; null when a limit is 0"""


AccountUsageDay = TypedDict(
    "AccountUsageDay",
    {
        # Local day
        "date": "str",
        # When it began
        "from": "str",
        # When it ends
        "to": "str",
        # Limit as set on the account
        "limit": "int",
        # Limit that applies, after ramp and health
        "cap": "int",
        # Emails sent
        "used": "int",
        # Emails remaining
        "left": "int",
    },
)
"""Today"""


AccountUsageHour = TypedDict(
    "AccountUsageHour",
    {
        # Local hour in `timezone`
        "hour": "str",
        # When it began
        "from": "str",
        # When it ends
        "to": "str",
        # Limit as set on the account
        "limit": "int",
        # Limit that applies, after ramp and health
        "cap": "int",
        # Emails sent
        "used": "int",
        # Emails remaining
        "left": "int",
    },
)
"""The current hour"""


class AccountUsageHourItem(TypedDict):
    hour: str
    """Local hour in `timezone`"""
    used: int
    """Emails sent"""


AccountUsageRamp = TypedDict(
    "AccountUsageRamp",
    {
        # Emails on the first day
        "start": "int",
        # Emails added on each following day
        "increment": "int",
        # First day
        "from": "str",
        # Emails allowed today
        "today": "int",
    },
)


class AttachInboxThreadRequest(TypedDict):
    enrollment_id: str
    """Id of the campaign lead that the conversation belongs to"""


class Attention(TypedDict):
    accounts: list[Account]
    """Accounts that don't send although nobody paused them, and those that a provider refuses"""
    workspaces: list[Workspace]
    """Workspaces whose consent is refused; their accounts wait, and aren't listed"""
    campaigns: list[Campaign]
    """Campaigns that were paused automatically, and those with leads on hold"""
    domains: list[Domain]
    """Sending domains with a check that passed once and fails now"""
    webhooks: list[Webhook]
    """Webhooks whose last attempts failed, and those turned off for it"""
    experiments: list[Experiment]
    """Experiments with a new winner that isn't applied to its step"""
    subscription: BillingSubscription | None
    """The plan and its usage; null where the key may not read it"""
    interested_threads: int
    """Unread conversations whose interest is `interested`"""
    open_tasks: int
    """Tasks that are not done"""
    setup: AttentionSetup | None
    """What is there before a first campaign starts; null once one has"""


class AttentionSetup(TypedDict):
    mailbox: bool
    """Whether there is an account"""
    leads: bool
    """Whether there is a lead"""
    sequence: bool
    """Whether the latest campaign has a step"""
    campaign_id: str | None
    """The latest campaign; null without one"""


class Audit(TypedDict):
    seq: int
    """Sequence number that rises with every entry"""
    actor: str
    """Who made the change: `user:<id>`, `key:<id>`, `engine` for automatic changes, `operator` for the command line"""
    actor_name: str | None
    """Current name of the user or the key; null for the others"""
    action: str
    """What was done"""
    target: str
    """Record that was changed"""
    created_at: str
    """When it was changed"""
    request_id: str | None
    """`X-Request-Id` of the request that made the change; null without one"""
    before: dict[str, Any] | None
    """Fields of the record before the change, only those that differ; null for none"""
    after: dict[str, Any] | None
    """Fields of the record after the change, only those that differ; null for none"""
    position: int | None
    """Number of the entry in the team's chain, without gaps; null for entries from before there was one"""
    hash: str | None
    """SHA-256 of the entry and of the previous entry's hash, in hex"""


class AuditChain(TypedDict):
    intact: bool
    """True if each entry checked is as it was written and follows the one before"""
    checked: int
    """Entries checked, the newest"""
    unchained: int
    """Entries among them from before there was a chain, which nothing protects"""
    head: AuditChainHead | None
    """Newest entry; keep a copy elsewhere to notice if entries are cut off; null for none"""
    anchor: AuditChainHead | None
    """Last entry that was older than `audit_days` and is gone, which the oldest one follows; null for none"""
    fault: AuditChainFault | None
    """First entry that doesn't fit; null if all do"""


class AuditChainHead(TypedDict):
    position: int
    """Number of the entry in the chain"""
    hash: str
    """Its hash"""
    created_at: str
    """When the change was made"""


class AuditChainFault(TypedDict):
    kind: AuditChainFaultKind
    """`changed`: its content isn't what was hashed. `missing`: entries before it are gone. `out_of_order`: it was moved or added. `wrong_link`: it follows another entry"""
    seq: int
    """Sequence number of the entry"""
    position: int | None
    """Number of the entry in the chain; null if it has none"""


class AuditList(TypedDict):
    data: list[Audit]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: str | None
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: NotRequired[bool]
    """Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`"""


class Backup(TypedDict):
    id: str
    """The backup's id"""
    name: str
    """Name of its file in the backup directory"""
    bytes: int
    """Size in bytes"""
    created_at: str
    """When the record was created"""
    sealed: bool
    """Whether it is encrypted with a passphrase"""
    reason: BackupReason | None
    """Why it was made; null when unknown"""
    version: str | None
    """Version that wrote it; null when unknown"""
    schema_version: int | None
    """Version of the database schema; null when unknown"""
    has_master_key: bool | None
    """Whether it contains the master key; null when unknown"""
    verified_at: str | None
    """When it was last verified; null when never"""
    warnings: list[str]
    """Counters in it that differ from what they count"""


class BackupList(TypedDict):
    data: list[Backup]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class BackupSchedule(TypedDict):
    every_seconds: int | None
    """Seconds between two backups; null when none are made automatically"""
    kept: int
    """How many automatic backups are kept"""
    directory: str
    """Directory that they are stored in"""
    sealed: bool
    """Whether they are encrypted with a passphrase, and contain the master key"""
    next_at: str | None
    """When the next backup is made; null when none is planned"""


class BackupTask(TypedDict):
    task: CreateBackupResult | None
    """The current or last operation on backups; null before the first"""


class BillingSubscription(TypedDict):
    plan: AttentionSubscriptionPlan
    """Plan whose limits apply now"""
    status: AttentionSubscriptionStatus
    """State of the subscription; `grace` for 14 days after it has run out, `none` without one"""
    source: AttentionSubscriptionSource | None
    """What the plan was bought with; null without one"""
    started_at: str | None
    """When the subscription started; null without one"""
    ends_at: str | None
    """When it ends; null when no end is set"""
    grace_until: str | None
    """When the grace period after its end is over; null when no end is set"""
    month: str
    """Month that usage is counted in, UTC"""
    usage: BillingSubscriptionUsage
    """Usage by limit: emails and placement runs of the month, the others as of now"""


class BillingSubscriptionUsage(TypedDict):
    """Usage by limit: emails and placement runs of the month, the others as of now"""
    accounts: BillingSubscriptionUsageAccounts
    """Usage and limit of accounts"""
    leads: BillingSubscriptionUsageAccounts
    """Usage and limit of leads"""
    active_campaigns: BillingSubscriptionUsageAccounts
    """Usage and limit of active_campaigns"""
    mails: BillingSubscriptionUsageAccounts
    """Usage and limit of mails"""
    running_experiments: BillingSubscriptionUsageAccounts
    """Usage and limit of running_experiments"""
    placement_runs: BillingSubscriptionUsageAccounts
    """Usage and limit of placement_runs"""
    webhooks: BillingSubscriptionUsageAccounts
    """Usage and limit of webhooks"""
    keys: BillingSubscriptionUsageAccounts
    """Usage and limit of keys"""
    members: BillingSubscriptionUsageAccounts
    """Usage and limit of members"""


class BillingSubscriptionUsageAccounts(TypedDict):
    """Usage and limit of accounts"""
    used: int
    """How much is used"""
    limit: int | None
    """Limit of the plan; null for none"""


class Campaign(TypedDict):
    id: str
    """The campaign's id"""
    team_id: str
    """Team that owns the record"""
    status: CampaignStatus
    """A draft is started once; an active campaign sends; a completed one has nothing left to send"""
    status_reason: CampaignStatusReason | None
    """Why the campaign is paused; null otherwise"""
    name: str
    """Name, shown to your team only"""
    notes: str | None
    """Notes for your team, never part of an email; null for none"""
    stop_on_reply: bool
    """A reply ends the lead's sequence"""
    stop_on_auto_reply: bool
    """An auto-reply ends the lead's sequence, too; otherwise it only pauses it"""
    max_leads_per_day: int
    """New leads to start per local day of the campaign; follow-ups do not count"""
    daily_limit: int | None
    """Emails per local day, follow-ups included; null for no limit"""
    priority: CampaignPriority
    """What goes first when a mailbox cannot send everything that is due"""
    max_per_domain_per_day: int | None
    """Emails per local day to addresses of one domain; null for no limit"""
    stop_company_on_reply: bool
    """A reply ends the sequences of all leads at the same company domain"""
    evergreen: bool
    """Resume the campaign when leads are added after it has completed"""
    rules: list[CampaignRule]
    """Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one"""
    risky_addresses: RiskyAddresses
    """What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an invalid address are always put on hold"""
    provider_matching: CampaignProviderMatching
    """Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can start leads. Leads at a provider that none of these mailboxes is at go from any"""
    account_ids: list[str]
    """Accounts to send from; empty for all of the team's accounts"""
    send_window: CampaignSendWindow
    """Hours of the week in which emails may be sent"""
    tracking: CampaignTracking
    """What to track in sent emails; nothing by default"""
    on_hold: CampaignOnHold
    """Leads that wait for a person, by reason. A campaign does not complete while it has any"""
    started_at: str | None
    """When the campaign was last started or resumed; with `delay_seconds`, when that ends; null for a draft"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class CampaignRule(TypedDict):
    on: RuleEvent
    """What happens to the lead: a reply, or a person, gives it this interest; it has `replied`, and no other rule is about the interest; or it has `completed` the steps without a reply"""
    campaign_id: str
    """Campaign that the lead moves to"""
    wait_days: NotRequired[int]
    """Calendar days until its first email there is due; 1 if you don't say"""
    wait_minutes: NotRequired[int]
    """Minutes to wait after these days; 0 if you don't say"""


class CampaignSendWindow(TypedDict):
    """Hours of the week in which emails may be sent"""
    timezone: str
    """IANA time zone in which the hours are read; a lead's own time zone takes precedence"""
    days: list[Weekday]
    """Weekdays on which emails may be sent"""
    start_hour: int
    """Local hour at which sending starts"""
    end_hour: int
    """Local hour before which sending stops; 24 is midnight. Later than `start_hour`"""
    skip_holidays: list[str]
    """Countries on whose public holidays nothing is sent. A lead whose time zone is in one of them skips only that country's holidays, all other leads skip all of them. Holidays of regions aren't included"""


class CampaignTracking(TypedDict):
    """What to track in sent emails; nothing by default"""
    opens: bool
    """Track opens with an invisible image in the HTML part"""
    clicks: bool
    """Track clicks by leading links through this installation's `public_url`"""


class CampaignOnHold(TypedDict):
    """Leads that wait for a person, by reason. A campaign does not complete while it has any"""
    total: int
    """Leads on hold, for any reason"""
    missing_variable: int
    """The next email uses a variable that the lead has no value for, or has files that can't be sent"""
    unknown_send: int
    """An email is unconfirmed: it may or may not have been delivered"""
    task: int
    """The next step is a task that is not done"""
    account_gone: int
    """The account that emailed the lead was deleted"""
    planning_failed: int
    """The next email could not be planned; resume the lead to try again"""
    invalid_address: int
    """The address's domain takes no email, or its server doesn't know it"""
    risky_address: int
    """The address is risky, and the campaign's `risky_addresses` is `hold`"""


class CampaignCreate(TypedDict):
    name: str
    """Name, shown to your team only"""
    notes: NotRequired[str | None]
    """Notes for your team, never part of an email; null for none"""
    stop_on_reply: NotRequired[bool]
    """A reply ends the lead's sequence"""
    stop_on_auto_reply: NotRequired[bool]
    """An auto-reply ends the lead's sequence, too; otherwise it only pauses it"""
    max_leads_per_day: NotRequired[int]
    """New leads to start per local day of the campaign; follow-ups do not count"""
    daily_limit: NotRequired[int | None]
    """Emails per local day, follow-ups included; null for no limit"""
    priority: NotRequired[CampaignPriority]
    """What goes first when a mailbox cannot send everything that is due"""
    max_per_domain_per_day: NotRequired[int | None]
    """Emails per local day to addresses of one domain; null for no limit"""
    stop_company_on_reply: NotRequired[bool]
    """A reply ends the sequences of all leads at the same company domain"""
    evergreen: NotRequired[bool]
    """Resume the campaign when leads are added after it has completed"""
    rules: NotRequired[list[CampaignRule]]
    """Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one"""
    risky_addresses: NotRequired[RiskyAddresses]
    """What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an invalid address are always put on hold"""
    provider_matching: NotRequired[CampaignProviderMatching]
    """Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can start leads. Leads at a provider that none of these mailboxes is at go from any"""
    account_ids: NotRequired[list[str]]
    """Accounts to send from; empty for all of the team's accounts"""
    send_window: NotRequired[CampaignCreateSendWindow]
    """Hours of the week in which emails may be sent"""
    tracking: NotRequired[CampaignCreateTracking]
    """What to track in sent emails; nothing by default"""


class CampaignCreateSendWindow(TypedDict):
    """Hours of the week in which emails may be sent"""
    timezone: NotRequired[str]
    """IANA time zone in which the hours are read; a lead's own time zone takes precedence"""
    days: NotRequired[list[Weekday]]
    """Weekdays on which emails may be sent"""
    start_hour: NotRequired[int]
    """Local hour at which sending starts"""
    end_hour: NotRequired[int]
    """Local hour before which sending stops; 24 is midnight. Later than `start_hour`"""
    skip_holidays: NotRequired[list[str]]
    """Countries on whose public holidays nothing is sent. A lead whose time zone is in one of them skips only that country's holidays, all other leads skip all of them. Holidays of regions aren't included"""


class CampaignCreateTracking(TypedDict):
    """What to track in sent emails; nothing by default"""
    opens: NotRequired[bool]
    """Track opens with an invisible image in the HTML part"""
    clicks: NotRequired[bool]
    """Track clicks by leading links through this installation's `public_url`"""


class CampaignDetail(TypedDict):
    id: str
    """The campaign's id"""
    team_id: str
    """Team that owns the record"""
    status: CampaignStatus
    """A draft is started once; an active campaign sends; a completed one has nothing left to send"""
    status_reason: CampaignStatusReason | None
    """Why the campaign is paused; null otherwise"""
    name: str
    """Name, shown to your team only"""
    notes: str | None
    """Notes for your team, never part of an email; null for none"""
    stop_on_reply: bool
    """A reply ends the lead's sequence"""
    stop_on_auto_reply: bool
    """An auto-reply ends the lead's sequence, too; otherwise it only pauses it"""
    max_leads_per_day: int
    """New leads to start per local day of the campaign; follow-ups do not count"""
    daily_limit: int | None
    """Emails per local day, follow-ups included; null for no limit"""
    priority: CampaignPriority
    """What goes first when a mailbox cannot send everything that is due"""
    max_per_domain_per_day: int | None
    """Emails per local day to addresses of one domain; null for no limit"""
    stop_company_on_reply: bool
    """A reply ends the sequences of all leads at the same company domain"""
    evergreen: bool
    """Resume the campaign when leads are added after it has completed"""
    rules: list[CampaignRule]
    """Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one"""
    risky_addresses: RiskyAddresses
    """What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an invalid address are always put on hold"""
    provider_matching: CampaignProviderMatching
    """Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can start leads. Leads at a provider that none of these mailboxes is at go from any"""
    account_ids: list[str]
    """Accounts to send from; empty for all of the team's accounts"""
    send_window: CampaignSendWindow
    """Hours of the week in which emails may be sent"""
    tracking: CampaignTracking
    """What to track in sent emails; nothing by default"""
    on_hold: CampaignOnHold
    """Leads that wait for a person, by reason. A campaign does not complete while it has any"""
    started_at: str | None
    """When the campaign was last started or resumed; with `delay_seconds`, when that ends; null for a draft"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""
    sending_status: CampaignSendingStatus
    """Whether the campaign is sending now, or what it is waiting for"""
    next_send_at: str | None
    """When the next email is due; null when none is planned"""


CampaignForecast = TypedDict(
    "CampaignForecast",
    {
        # The campaign's id
        "campaign_id": "str",
        # Start of the forecast
        "from": "str",
        # End of the forecast
        "to": "str",
        # Emails that will be sent
        "total": "int",
        # When the next email is sent; null when none is
        "next_send_at": "str | None",
        # Emails by day
        "days": "list[CampaignForecastDay]",
        # Emails by account, the busiest first
        "accounts": "list[CampaignForecastAccount]",
        # The emails in order, the first 1000 at most
        "sends": "list[CampaignForecastSend]",
    },
)


class CampaignForecastDay(TypedDict):
    date: str
    """Local date of the campaign"""
    new_leads: int
    """First emails"""
    follow_ups: int
    """Emails of later steps"""


class CampaignForecastAccount(TypedDict):
    account_id: str
    """The account's id"""
    sends: list[int]
    """Emails on each of the days"""


class CampaignForecastSend(TypedDict):
    at: str
    """When the email is sent"""
    lead_id: str
    """Lead that gets it"""
    enrollment_id: str | None
    """Id of the campaign lead; null while a rule has yet to move the lead into the campaign"""
    account_id: str
    """Account that sends it"""
    step_id: str
    """Step that is sent"""
    step_position: int
    """Position of the step, from 1"""


class CampaignLaunchCheck(TypedDict):
    ready: bool
    """Whether the campaign can be started"""
    problems: list[CampaignLaunchCheckProblem]
    """What a start would be refused for"""
    warnings: list[CampaignLaunchCheckWarning]
    """What does not prevent a start but needs attention"""
    held_leads: int
    """Leads, of those scanned, that would be put on hold for a missing variable"""
    scanned: int
    """Leads that were checked: the first 10,000 at most"""


class CampaignLaunchCheckProblem(TypedDict):
    field: str
    """Field at fault"""
    message: str
    """What is wrong and how to fix it"""


class CampaignLaunchCheckWarning(TypedDict):
    code: CampaignLaunchCheckWarningCode
    """What the warning is about"""
    message: str
    """What to look at, in plain words"""


class CampaignLead(TypedDict):
    id: str
    """Id of the campaign lead, also called enrollment: this lead in this campaign"""
    campaign_id: str
    """The campaign's id"""
    lead_id: str
    """The lead's id"""
    email: str
    """The lead's address"""
    status: CampaignLeadStatus
    """`pending` until the first email is sent. You can set `active`, `paused`, `completed` and `unsubscribed`"""
    interest: Interest | None
    """Interest, as classified or set by hand; null when unknown"""
    next_attempt_at: str | None
    """When the next step is due; null when nothing is planned. From 1970 to 9999"""
    current_step: int
    """Position of the last step that was sent or done; 0 at first"""
    account_id: str | None
    """Account that emails the lead; null before the first email"""
    hold_reason: CampaignLeadHoldReason | None
    """Why the lead is on hold; null when it is not"""
    hold_detail: str | None
    """More about the hold, for example the missing variables; null without one"""
    stop_reason: str | None
    """Why the sequence ended; null while it has not"""
    attempts: int
    """Attempts to send the current step"""
    last_sent_at: str | None
    """When the last email was sent; null before the first"""
    assignments: list[CampaignLeadAssignment]
    """Variants that the lead was sent, one for each experiment; empty without one"""
    enrolled_at: str
    """When the lead was added to the campaign"""
    updated_at: str
    """When the record last changed"""


class CampaignLeadAssignment(TypedDict):
    experiment_id: str
    """The experiment's id"""
    variant_id: str
    """The variant's id"""


class CampaignLeadDetail(TypedDict):
    id: str
    """Id of the campaign lead, also called enrollment: this lead in this campaign"""
    campaign_id: str
    """The campaign's id"""
    lead_id: str
    """The lead's id"""
    email: str
    """The lead's address"""
    status: CampaignLeadStatus
    """`pending` until the first email is sent. You can set `active`, `paused`, `completed` and `unsubscribed`"""
    interest: Interest | None
    """Interest, as classified or set by hand; null when unknown"""
    next_attempt_at: str | None
    """When the next step is due; null when nothing is planned. From 1970 to 9999"""
    current_step: int
    """Position of the last step that was sent or done; 0 at first"""
    account_id: str | None
    """Account that emails the lead; null before the first email"""
    hold_reason: CampaignLeadHoldReason | None
    """Why the lead is on hold; null when it is not"""
    hold_detail: str | None
    """More about the hold, for example the missing variables; null without one"""
    stop_reason: str | None
    """Why the sequence ended; null while it has not"""
    attempts: int
    """Attempts to send the current step"""
    last_sent_at: str | None
    """When the last email was sent; null before the first"""
    assignments: list[CampaignLeadAssignment]
    """Variants that the lead was sent, one for each experiment; empty without one"""
    enrolled_at: str
    """When the lead was added to the campaign"""
    updated_at: str
    """When the record last changed"""
    in_flight: NotRequired[int]
    """Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop"""
    warning: NotRequired[str]
    """Why these leads get no email: their campaign is completed and not evergreen. Absent otherwise"""


class CampaignLeadExplain(TypedDict):
    enrollment_id: str
    """Id of the campaign lead"""
    reason: CampaignLeadExplainReason
    """What the lead is waiting for, or why it gets no more email"""
    message: str
    """The same in plain words"""
    next_send_at: str | None
    """When the next email is sent; null when nothing is planned"""
    estimated: bool
    """Whether `next_send_at` is an estimate, because it is too far ahead to plan exactly"""
    ahead: int | None
    """New leads of the campaign that come before this one, of those with a risky address where it has one and the campaign spreads them; null for a follow-up. Counted up to 100,000: there may then be more, and next_send_at is the earliest date"""


class CampaignLeadList(TypedDict):
    data: list[CampaignLead]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: str | None
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: bool
    """Whether more records may match than `total` says: a search or filter, and a list of events, counts up to 10,000"""


class CampaignLeadPatch(TypedDict):
    status: NotRequired[CampaignLeadStatus]
    """`pending` until the first email is sent. You can set `active`, `paused`, `completed` and `unsubscribed`"""
    interest: NotRequired[Interest | None]
    """Interest, as classified or set by hand; null when unknown"""
    next_attempt_at: NotRequired[str | None]
    """When the next step is due; null when nothing is planned. From 1970 to 9999"""
    current_step: NotRequired[int]
    """Position of the last step that was sent or done; 0 at first"""


class CampaignList(TypedDict):
    data: list[Campaign]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: NotRequired[str | None]
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: NotRequired[bool]
    """Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`"""


class CampaignPatch(TypedDict):
    name: NotRequired[str]
    """Name, shown to your team only"""
    notes: NotRequired[str | None]
    """Notes for your team, never part of an email; null for none"""
    stop_on_reply: NotRequired[bool]
    """A reply ends the lead's sequence"""
    stop_on_auto_reply: NotRequired[bool]
    """An auto-reply ends the lead's sequence, too; otherwise it only pauses it"""
    max_leads_per_day: NotRequired[int]
    """New leads to start per local day of the campaign; follow-ups do not count"""
    daily_limit: NotRequired[int | None]
    """Emails per local day, follow-ups included; null for no limit"""
    priority: NotRequired[CampaignPriority]
    """What goes first when a mailbox cannot send everything that is due"""
    max_per_domain_per_day: NotRequired[int | None]
    """Emails per local day to addresses of one domain; null for no limit"""
    stop_company_on_reply: NotRequired[bool]
    """A reply ends the sequences of all leads at the same company domain"""
    evergreen: NotRequired[bool]
    """Resume the campaign when leads are added after it has completed"""
    rules: NotRequired[list[CampaignRule]]
    """Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one"""
    risky_addresses: NotRequired[RiskyAddresses]
    """What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an invalid address are always put on hold"""
    provider_matching: NotRequired[CampaignProviderMatching]
    """Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can start leads. Leads at a provider that none of these mailboxes is at go from any"""
    account_ids: NotRequired[list[str]]
    """Accounts to send from; empty for all of the team's accounts"""
    send_window: NotRequired[CampaignPatchSendWindow]
    """Hours of the week in which emails may be sent"""
    tracking: NotRequired[CampaignPatchTracking]
    """What to track in sent emails; nothing by default"""
    status: NotRequired[CampaignStatus]
    """`active` starts or resumes the campaign, `paused` and `archived` stop it"""


class CampaignPatchSendWindow(TypedDict):
    """Hours of the week in which emails may be sent"""
    timezone: NotRequired[str]
    """IANA time zone in which the hours are read; a lead's own time zone takes precedence"""
    days: NotRequired[list[Weekday]]
    """Weekdays on which emails may be sent"""
    start_hour: NotRequired[int]
    """Local hour at which sending starts"""
    end_hour: NotRequired[int]
    """Local hour before which sending stops; 24 is midnight. Later than `start_hour`"""
    skip_holidays: NotRequired[list[str]]
    """Countries on whose public holidays nothing is sent. A lead whose time zone is in one of them skips only that country's holidays, all other leads skip all of them. Holidays of regions aren't included"""


class CampaignPatchTracking(TypedDict):
    """What to track in sent emails; nothing by default"""
    opens: NotRequired[bool]
    """Track opens with an invisible image in the HTML part"""
    clicks: NotRequired[bool]
    """Track clicks by leading links through this installation's `public_url`"""


CampaignRehearsal = TypedDict(
    "CampaignRehearsal",
    {
        # The campaign's id
        "campaign_id": "str",
        # Start of the rehearsal: now
        "from": "str",
        # End of the rehearsal
        "until": "str",
        # Time zone of the days: the campaign's
        "timezone": "str",
        # The seed that was played
        "seed": "int",
        # Status of the campaign at the end
        "status": "CampaignStatus",
        # Why it was paused by then; null when it was not
        "status_reason": "CampaignStatusReason | None",
        # Leads of the draft whose sequence has not ended
        "leads": "int",
        # Leads that were played, the first 1000
        "played": "int",
        # Where the leads stood at the end
        "lead_statuses": "list[CampaignRehearsalLeadStatuse]",
        # Sums over all days
        "totals": "CampaignRehearsalTotals",
        # Every day that was played, oldest first
        "days": "list[CampaignRehearsalDay]",
        # When the first email was sent; null when none was
        "first_sent_at": "str | None",
        # When the last email was sent; null when none was
        "last_sent_at": "str | None",
        # Accounts that sent something
        "mailboxes": "list[CampaignRehearsalMailboxe]",
        # What limits and guards did, and the end of the campaign; the first 100
        "events": "list[CampaignRehearsalEvent]",
        # Promises of sending that were counted in what was sent, such as no email twice
        "checked": "int",
        # Those of them that did not hold; none, unless Outrider has a bug
        "broken": "list[str]",
    },
)


class CampaignRehearsalLeadStatuse(TypedDict):
    status: CampaignLeadStatus
    """Status at the end"""
    leads: int
    """Leads with this status"""


class CampaignRehearsalTotals(TypedDict):
    """Sums over all days"""
    sent: int
    """Emails that were sent"""
    replied: int
    """Leads that replied, on the day of their first reply"""
    positive: int
    """Conversations with the interest `interested` or `meeting`"""
    bounced: int
    """Emails that bounced"""
    unsubscribed: int
    """Leads that opted out"""


class CampaignRehearsalDay(TypedDict):
    date: str
    """Local date of the campaign"""
    sent: int
    """Emails that were sent"""
    replied: int
    """Leads that replied, on the day of their first reply"""
    positive: int
    """Conversations with the interest `interested` or `meeting`"""
    bounced: int
    """Emails that bounced"""
    unsubscribed: int
    """Leads that opted out"""


class CampaignRehearsalMailboxe(TypedDict):
    account_id: str
    """The account's id"""
    email: str
    """Its address"""
    sent: int
    """Emails of the campaign that it sent"""
    bounced: int
    """Those of them that bounced"""
    health: int
    """Health score at the end"""
    status: AccountStatus
    """Status at the end"""


class CampaignRehearsalEvent(TypedDict):
    type: EventType
    """Kind of the event"""
    created_at: str
    """When it happened in the rehearsal"""
    data: dict[str, Any]
    """What happened"""


class CampaignStats(TypedDict):
    campaign_id: str
    """The campaign's id"""
    enrolled: int
    """Leads added"""
    open: int
    """Leads whose sequence has not ended"""
    sent: int
    """Emails sent"""
    replied: int
    """Leads that replied"""
    bounced: int
    """Emails that bounced"""
    unsubscribed: int
    """Leads that opted out"""
    contacted: int
    """Leads that were emailed"""
    auto_replied: int
    """Leads that sent an auto-reply"""
    completed: int
    """Leads that went through all steps"""
    failed: int
    """Leads that could not be emailed"""
    moved: int
    """Leads that its rules have moved to other campaigns"""
    held: int
    """Leads on hold"""
    reply_rate: float | None
    """`replied` divided by `contacted`, 0 to 1; null before the first email"""
    bounce_rate: float | None
    """Emails that bounced, of those sent, 0 to 1; null before the first email"""
    steps: list[CampaignStatsStep]
    """The same by step, in order"""


class CampaignStatsStep(TypedDict):
    step_id: str
    """The step's id"""
    position: int
    """Position in the sequence, from 1"""
    sent: int
    """Emails sent"""
    replied: int
    """Leads that replied"""
    bounced: int
    """Emails that bounced"""
    unsubscribed: int
    """Leads that opted out"""


class CampaignStep(TypedDict):
    id: str
    """The step's id"""
    campaign_id: str
    """Campaign that the step belongs to"""
    type: CampaignStepType
    """An email is sent; a task holds the sequence until a person has done it"""
    subject: str | None
    """Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do"""
    body: str | None
    """Plain text or HTML, as `format` says, with Liquid and spintax; the other is made from it. HTML shows an image of the team as `<img src=\"cid:FILE_ID\">`"""
    format: CampaignStepFormat | None
    """What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text"""
    attachment_ids: list[str]
    """Files that the email carries, of `/files`; 10 MB at most in all, with the images in its text"""
    wait_days: int
    """Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3"""
    wait_minutes: int
    """Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens"""
    position: int
    """Position in the sequence, from 1"""
    revision: int
    """Revision of the text and the attachments: 1 until the campaign is first started, then one more with each change"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class CampaignStepCreate(TypedDict):
    type: CampaignStepType
    """An email is sent; a task holds the sequence until a person has done it"""
    subject: NotRequired[str | None]
    """Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do"""
    body: NotRequired[str | None]
    """Plain text or HTML, as `format` says, with Liquid and spintax; the other is made from it. HTML shows an image of the team as `<img src=\"cid:FILE_ID\">`"""
    format: NotRequired[CampaignStepFormat | None]
    """What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text"""
    attachment_ids: NotRequired[list[str]]
    """Files that the email carries, of `/files`; 10 MB at most in all, with the images in its text"""
    wait_days: NotRequired[int]
    """Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3"""
    wait_minutes: NotRequired[int]
    """Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens"""
    position: NotRequired[int]
    """Position in the sequence, from 1. Inserting or moving a step shifts the others; a new step without one goes to the end"""


class CampaignStepList(TypedDict):
    data: list[CampaignStep]
    """The steps, in the order in which they are sent"""


class CampaignStepPatch(TypedDict):
    type: NotRequired[CampaignStepType]
    """An email is sent; a task holds the sequence until a person has done it"""
    subject: NotRequired[str | None]
    """Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do"""
    body: NotRequired[str | None]
    """Plain text or HTML, as `format` says, with Liquid and spintax; the other is made from it. HTML shows an image of the team as `<img src=\"cid:FILE_ID\">`"""
    format: NotRequired[CampaignStepFormat | None]
    """What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text"""
    attachment_ids: NotRequired[list[str]]
    """Files that the email carries, of `/files`; 10 MB at most in all, with the images in its text"""
    wait_days: NotRequired[int]
    """Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3"""
    wait_minutes: NotRequired[int]
    """Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens"""
    position: NotRequired[int]
    """Position in the sequence, from 1. Inserting or moving a step shifts the others; a new step without one goes to the end"""


class CampaignTag(TypedDict):
    id: str
    """The record's id"""
    tags: list[str]
    """Tags, in lower case and in the order of the alphabet; at most 20"""


class CampaignTagList(TypedDict):
    names: list[str]
    """Every tag in use, in the order of the alphabet"""
    data: list[CampaignTag]
    """The tags of the records asked for, in their order"""


class CannedReply(TypedDict):
    id: str
    """The canned reply's id"""
    team_id: str
    """Team that owns the record"""
    name: str
    """Name in the list of canned replies"""
    body: str
    """Plain text, with Liquid and spintax"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""
    text: str | None
    """What it says in the conversation that `thread_id` names; null without one, and where the lead lacks a value"""
    missing: list[str]
    """Variables that the lead has no value for and that have no fallback"""


class CannedReplyCreate(TypedDict):
    name: str
    """Name in the list of canned replies"""
    body: str
    """Plain text, with Liquid and spintax"""


class CannedReplyCreated(TypedDict):
    id: str
    """The canned reply's id"""
    team_id: str
    """Team that owns the record"""
    name: str
    """Name in the list of canned replies"""
    body: str
    """Plain text, with Liquid and spintax"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class CannedReplyList(TypedDict):
    data: list[CannedReply]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class CannedReplyPatch(TypedDict):
    name: NotRequired[str]
    """Name in the list of canned replies"""
    body: NotRequired[str]
    """Plain text, with Liquid and spintax"""


class ChangeAccountsRequest(TypedDict):
    ids: NotRequired[list[str]]
    """Accounts to change"""
    filter: NotRequired[ChangeAccountsRequestFilter]
    """Instead of `ids`: all accounts that match; all of them when it is empty"""
    change: NotRequired[ChangeAccountsRequestChange]
    """Fields to change, as in an update of one account"""
    add_tags: NotRequired[list[str]]
    """Tags to add"""
    remove_tags: NotRequired[list[str]]
    """Tags to remove"""


class ChangeAccountsRequestFilter(TypedDict):
    """Instead of `ids`: all accounts that match; all of them when it is empty"""
    tag: NotRequired[str]
    """Only records with this tag"""
    status: NotRequired[AccountStatus]
    """Only accounts with this status"""


class ChangeAccountsRequestChange(TypedDict):
    """Fields to change, as in an update of one account"""
    display_name: NotRequired[str | None]
    """Name in the From header of emails"""
    signature: NotRequired[str | None]
    """Text or HTML that `{{ signature }}` in a step stands for"""
    timezone: NotRequired[str]
    """IANA time zone whose days and hours the limits count"""
    daily_limit: NotRequired[int]
    """Emails per day"""
    hourly_limit: NotRequired[int]
    """Emails per hour"""
    provider_limits: NotRequired[AccountProviderLimits]
    """Emails of sequences per day to recipients at each provider, within the daily limit; a provider left out has no limit of its own. Replaced as a whole: {} removes all"""
    verify_addresses: NotRequired[bool]
    """Whether recipients' own mail servers are asked, as this mailbox, if they would take email for the leads it's about to write to. This server then connects to theirs on port 25 and sends nothing; some operators dislike that and may block its address"""
    min_gap_seconds: NotRequired[int]
    """Shortest time between two emails, in seconds"""
    max_gap_seconds: NotRequired[int | None]
    """Longest time between two emails, in seconds; null to spread a day's emails over its sending hours"""
    ramp: NotRequired[AccountPatchRamp | None]
    """Raises the daily limit step by step while the mailbox is new; null to allow it from the first day"""
    aliases: NotRequired[list[AccountCreateAliase]]
    """Further addresses of the mailbox: email to them arrives in it, and it may send as them"""
    send_as: NotRequired[str | None]
    """The address that new conversations are begun from: one of the aliases, or null for the account's own. A conversation keeps the address it was begun from"""
    status: NotRequired[AccountStatus]
    """`paused` and `disabled` stop sending; `active` resumes it"""


class ChangeAccountsResult(TypedDict):
    changed: int
    """Accounts that are as you asked"""
    failed: int
    """Accounts that were left as they were"""
    data: list[ChangeAccountsResultData]
    """What became of each account"""


class ChangeAccountsResultData(TypedDict):
    id: str
    """The account's id"""
    error: ChangeAccountsResultDataError | None
    """Why it was refused; null when it was done"""


class ChangeAccountsResultDataError(TypedDict):
    type: str
    """Type of the error"""
    message: str
    """What was wrong and what would be right"""
    field: str | None
    """Field at fault"""


class ChangeCampaignLeadsRequest(TypedDict):
    action: CampaignLeadBulkAction
    """What to do with the leads. `release` resumes leads on hold: those with a missing variable are tried again, and a task is skipped"""
    lead_ids: NotRequired[list[str]]
    """Ids of leads or of campaign leads; either these or `filter`"""
    filter: NotRequired[ChangeCampaignLeadsRequestFilter]
    """Leads to change, as the list filters them; `{}` selects all"""
    fill: NotRequired[ChangeCampaignLeadsRequestFill]
    """Values for leads on hold for a missing variable, where they have none; goes with the action `release`"""
    after: NotRequired[str]
    """`next_cursor` of the previous call, with the same filter"""


class ChangeCampaignLeadsRequestFilter(TypedDict):
    """Leads to change, as the list filters them; `{}` selects all"""
    status: NotRequired[CampaignLeadStatus]
    """Only leads with this status"""
    hold_reason: NotRequired[CampaignLeadHoldReason]
    """Only leads on hold for this reason"""
    interest: NotRequired[Interest]
    """Only leads with this interest"""
    response: NotRequired[str]
    """Only leads whose email was permanently rejected with this text from the mail server"""


class ChangeCampaignLeadsRequestFill(TypedDict):
    """Values for leads on hold for a missing variable, where they have none; goes with the action `release`"""
    first_name: NotRequired[str | None]
    """First name"""
    last_name: NotRequired[str | None]
    """Last name"""
    company: NotRequired[str | None]
    """Company"""
    website: NotRequired[str | None]
    """Company website"""
    phone: NotRequired[str | None]
    """Phone number, in any format"""
    variables: NotRequired[dict[str, str | float | bool | None]]
    """Values for templates, by name; merged into the existing ones, and null removes one"""


class ChangeCampaignLeadsResult(TypedDict):
    changed: int
    """Leads that were changed"""
    skipped: int
    """Leads that the action does not apply to: their sequence has ended, they are not in the campaign, or they are on hold for another reason"""
    next_cursor: str | None
    """Pass it as `after` to continue after 500 leads; null when all are done"""
    warning: NotRequired[str]
    """Why these leads get no email: their campaign is completed and not evergreen. Absent otherwise"""


class ChangeInboxThreadsRequest(TypedDict):
    ids: list[str]
    """Conversations to change"""
    change: NotRequired[ChangeInboxThreadsRequestChange]
    """Fields to change, as in an update of one conversation"""
    add_tags: NotRequired[list[str]]
    """Tags to add"""
    remove_tags: NotRequired[list[str]]
    """Tags to remove"""


class ChangeInboxThreadsRequestChange(TypedDict):
    """Fields to change, as in an update of one conversation"""
    read: NotRequired[bool]
    """Whether all its emails have been read"""
    interest: NotRequired[Interest | None]
    """Interest, as classified or set by hand; null when unknown"""
    done: NotRequired[bool]
    """Whether someone is done with it; false again when another email is received"""
    snoozed_until: NotRequired[str | None]
    """When it comes back to the inbox, unread; null when it isn't snoozed, and again when another email is received. Snoozing it makes it not done. From 1970 to 9999"""
    assignee_id: NotRequired[str | None]
    """Member who takes care of it; null when no one does"""


class ChangeInboxThreadsResult(TypedDict):
    data: list[InboxThread]
    """The conversations as they are now, in your order"""


class CheckCampaignStepRequest(TypedDict):
    lead_id: NotRequired[str]
    """Lead to render the step for; without one, a sample lead that has a value for every variable"""
    subject: NotRequired[str | None]
    """Subject to use in place of the step's"""
    body: NotRequired[str]
    """Body to use in place of the step's"""
    format: NotRequired[CampaignStepFormat | None]
    """What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text"""
    links: NotRequired[bool]
    """Request the links to see whether they work"""


class CheckCampaignStepResult(TypedDict):
    step_id: str
    """The step's id"""
    position: int
    """Position of the step, from 1"""
    ok: bool
    """True without problems, broken links and spam"""
    missing: list[str]
    """Variables that the lead has no value for; nothing is checked while there are any"""
    findings: list[CheckCampaignStepResultFinding]
    """What a filter might object to in the text"""
    links: list[CheckCampaignStepResultLink]
    """Links that were requested, the first 20 at most"""
    spamassassin: CheckCampaignStepResultSpamassassin | None
    """SpamAssassin's result; null when none is configured or values are missing"""


class CheckCampaignStepResultFinding(TypedDict):
    rule: SpamCheckRule
    """Rule that the text breaks"""
    severity: SpamCheckSeverity
    """A problem makes the check fail; a warning and a note do not"""
    message: str
    """What was found and what would be better"""


class CheckCampaignStepResultLink(TypedDict):
    url: str
    """Address of the link"""
    ok: bool
    """Whether the link works"""
    status: int | None
    """HTTP status; null without a response"""
    leads_to: str | None
    """Where a redirect leads; null otherwise"""
    error: str | None
    """Why the link does not work; null otherwise"""


class CheckCampaignStepResultSpamassassin(TypedDict):
    available: bool
    """Whether SpamAssassin could be asked"""
    reason: str | None
    """Why it could not be asked; null otherwise"""
    score: float | None
    """Points given to the email"""
    required: float | None
    """Points from which an email counts as spam"""
    is_spam: bool | None
    """Whether the email counts as spam"""
    rules: list[CheckCampaignStepResultSpamassassinRule]
    """Rules that matched"""


class CheckCampaignStepResultSpamassassinRule(TypedDict):
    name: str
    """Name of the rule"""
    points: float
    """Points that it adds"""
    about: str
    """What it looks for, in SpamAssassin's words"""


class CheckWebhookResult(TypedDict):
    passed: bool
    """Whether no verdict is `no`"""
    requests: int
    """Requests that were sent"""
    verdicts: list[CheckWebhookResultVerdict]
    """A verdict for each check"""


class CheckWebhookResultVerdict(TypedDict):
    check: WebhookCheckVerdictCheck
    """What was checked"""
    verdict: WebhookCheckVerdictVerdict
    """Whether the receiver does it; `unknown` where its responses don't show it"""
    message: str
    """The verdict in a sentence"""


class CompleteExperimentRequest(TypedDict):
    winner_variant_id: NotRequired[str | None]
    """Variant to declare the winner; without it, the one that has won by now"""


class ConnectAccountResult(TypedDict):
    url: str
    """Page to open in a browser, signed in to the mailbox"""
    expires_at: str
    """When the link expires"""


class ConnectWorkspaceAccountsRequest(TypedDict):
    emails: list[str]
    """Addresses of the mailboxes, in the workspace's domains"""


class ConnectWorkspaceAccountsResult(TypedDict):
    connected: int
    """Mailboxes that work"""
    failed: int
    """Mailboxes that don't work yet, or couldn't be added"""
    data: list[ConnectWorkspaceAccountsResultData]
    """What became of each address"""


class ConnectWorkspaceAccountsResultData(TypedDict):
    email: str
    """The address as given"""
    id: str | None
    """The account's id; null when none was created"""
    connected: bool
    """Whether both servers let it in"""
    error: ChangeAccountsResultDataError | None
    """Why it was refused; null when it was done"""


class CreateBackupResult(TypedDict):
    work: BackupWork
    """Operation"""
    status: BackupTaskStatus
    """Status of the operation"""
    backup_id: str | None
    """Backup that it makes, verifies or restores; null before there is one"""
    started_at: str
    """When it started"""
    ended_at: str | None
    """When it ended; null while it runs"""
    error: str | None
    """Why it failed; null when it did not"""


class CreateCampaignStepResult(TypedDict):
    id: str
    """The step's id"""
    campaign_id: str
    """Campaign that the step belongs to"""
    type: CampaignStepType
    """An email is sent; a task holds the sequence until a person has done it"""
    subject: str | None
    """Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do"""
    body: str | None
    """Plain text or HTML, as `format` says, with Liquid and spintax; the other is made from it. HTML shows an image of the team as `<img src=\"cid:FILE_ID\">`"""
    format: CampaignStepFormat | None
    """What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text"""
    attachment_ids: list[str]
    """Files that the email carries, of `/files`; 10 MB at most in all, with the images in its text"""
    wait_days: int
    """Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3"""
    wait_minutes: int
    """Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens"""
    position: int
    """Position in the sequence, from 1"""
    revision: int
    """Revision of the text and the attachments: 1 until the campaign is first started, then one more with each change"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""
    effects: NotRequired[CreateCampaignStepResultEffects]
    """What the change affects; after a dry run only"""
    warning: NotRequired[str]
    """Which of subject and body isn't valid Liquid, and why: the step was stored, but no lead can get it. Absent otherwise"""


class CreateCampaignStepResultEffects(TypedDict):
    """What the change affects; after a dry run only"""
    leads: int
    """Leads whose next step, or the wait before it, changes; counted up to 10000"""
    groups: list[CreateCampaignStepResultEffectsGroup]
    """The affected leads, grouped by what changes for them"""


class CreateCampaignStepResultEffectsGroup(TypedDict):
    leads: int
    """Leads in this group"""
    next: CreateCampaignStepResultEffectsGroupNext | None
    """Step that they get next; null when their sequence ends"""
    instead_of: CreateCampaignStepResultEffectsGroupNext | None
    """Step that they would get without the change; null when nothing would follow"""


class CreateCampaignStepResultEffectsGroupNext(TypedDict):
    position: int
    """Position in the sequence, from 1"""
    type: CampaignStepType
    """An email is sent; a task holds the sequence until a person has done it"""
    subject: str | None
    """Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do"""
    wait_days: int
    """Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3"""
    wait_minutes: int
    """Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends outside the send window is sent when it next opens"""


class CreateSuppressionResult(TypedDict):
    id: str
    """The suppression's id"""
    team_id: str
    """Team that owns the record"""
    email_hash: str
    """SHA-256 of the address in lower case, in hexadecimal"""
    email: str | None
    """The address or `@domain`; null after the lead was erased, or where a restore knows only the hash"""
    reason: ImportReason
    """Why it is suppressed"""
    created_at: str
    """When the record was created"""
    in_flight: NotRequired[int]
    """Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop"""


class DeletedRecord(TypedDict):
    id: str
    """Id of the campaign, account, or webhook, which it has again once it is restored"""
    kind: DeletedRecordKind
    """What was deleted, and so which `restore` brings it back"""
    name: str
    """Name of the campaign, address of the account, name or URL of the webhook"""
    deleted_at: str
    """When it was deleted"""
    purge_at: str
    """When it is purged and can't be restored any more"""


class DeletedRecordList(TypedDict):
    data: list[DeletedRecord]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class Domain(TypedDict):
    domain: str
    """The sending domain"""
    state: DomainState
    """The worst verdict of the checks that count; `unchecked` before the first look, `unknown` when DNS gave no response"""
    broken: list[DomainBroken]
    """Checks that passed once and fail now"""
    mailboxes: int
    """Accounts of the domain"""
    checked_at: str | None
    """When it was last looked at; null before the first time"""
    next_check_at: str
    """When it is looked at next"""


class DomainBroken(TypedDict):
    check: DomainCheck
    """What was checked"""
    since: str
    """When it was first seen to fail"""
    message: str
    """What was found"""


class DomainDetail(TypedDict):
    domain: str
    """The sending domain"""
    state: DomainState
    """The worst verdict of the checks that count; `unchecked` before the first look, `unknown` when DNS gave no response"""
    broken: list[DomainBroken]
    """Checks that passed once and fail now"""
    mailboxes: int
    """Accounts of the domain"""
    checked_at: str | None
    """When it was last looked at; null before the first time"""
    next_check_at: str
    """When it is looked at next"""
    checks: list[AccountDnsCheck]
    """The checks, with what to publish"""
    changes: list[DomainDetailChange]
    """What changed, newest first; the last 100"""
    listings: list[DomainDetailListing]
    """Block lists that list an address of the domain's email"""
    accounts: list[DomainDetailAccount]
    """The domain's mailboxes"""


DomainDetailChange = TypedDict(
    "DomainDetailChange",
    {
        # When it was seen
        "at": "str",
        # What was checked
        "check": "DomainCheck",
        # What was found before
        "was": "DomainDetailChangeWas",
        # What was found then
        "is": "DomainDetailChangeWas",
    },
)


class DomainDetailChangeWas(TypedDict):
    """What was found before"""
    verdict: DnsVerdict
    """`fault`: servers refuse emails or file them as spam for it; `advice`: optional; `unknown`: DNS gave no response"""
    message: str
    """What was found"""
    found: list[str]
    """Records found in DNS"""


class DomainDetailListing(TypedDict):
    ip: str
    """Address that sends"""
    list: str
    """The block list"""
    since: str
    """When it was first seen there"""


class DomainDetailAccount(TypedDict):
    id: str
    """The account's id"""
    email: str
    """Address of the mailbox"""


class DomainList(TypedDict):
    data: list[Domain]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class DomainSenders(TypedDict):
    domain: str
    """The sending domain"""
    days: int
    """Days that are summed up, until now"""
    verified: bool
    """Whether the mailbox's server confirmed who wrote the reports; others are used only while there are no such reports"""
    reports: int
    """Reports used"""
    reporters: list[str]
    """Receivers that reported"""
    senders: list[DomainSendersSender]
    """Who sends as the domain, those with the most emails first"""
    tls: DomainSendersTls
    """What TLS reports say of encryption"""


class DomainSendersSender(TypedDict):
    name: str
    """The service, the domain of the servers, or the address of one without a name"""
    addresses: list[str]
    """Addresses of its servers, at most 20"""
    host: str | None
    """Name of the first server; null when none leads back to it"""
    ours: bool
    """Whether SPF lists it, or placement tests were seen to come from it"""
    messages: int
    """Emails that receivers saw"""
    passed: int
    """Of these, emails that passed DMARC"""
    failed: int
    """Of these, emails that failed DMARC"""
    spf: int
    """Emails with aligned SPF"""
    dkim: int
    """Emails with aligned DKIM"""
    quarantined: int
    """Emails filed as spam because of the DMARC policy"""
    rejected: int
    """Emails rejected because of the DMARC policy"""
    advice: str | None
    """What to do; null when nothing"""


class DomainSendersTls(TypedDict):
    """What TLS reports say of encryption"""
    passed: int
    """Encrypted connections to the domain's mail servers"""
    failed: int
    """Connections that failed"""
    failures: list[DomainSendersTlsFailure]
    """Failures by kind and server"""


class DomainSendersTlsFailure(TypedDict):
    type: str
    """Kind of failure (RFC 8460 §4.3)"""
    host: str
    """The mail server; empty when the report doesn't name it"""
    sessions: int
    """Connections that failed in this way"""


class DuplicateCampaignRequest(TypedDict):
    name: NotRequired[str]
    """Name of the copy; without it, the campaign's name with (copy) behind it"""
    experiments: NotRequired[bool]
    """Also create the experiments that are running or paused, from the start"""
    leads: NotRequired[bool]
    """Also add the campaign's leads, who start from the first step"""


class EnrollCampaignLeadsRequest(TypedDict):
    view_id: NotRequired[str]
    """Saved view whose leads are added; either this or `filter`"""
    filter: NotRequired[str]
    """Filter, as the list of leads takes it; an empty one finds all leads"""
    after: NotRequired[str]
    """`next_cursor` of the previous call, with the same view or filter"""
    skip_if_in_other_campaign: NotRequired[bool]
    """Skip leads that are in another campaign"""
    dry_run: NotRequired[bool]
    """Return the result without storing anything"""


class EnrollCampaignLeadsResult(TypedDict):
    imported: int
    """Leads that were added to the campaign"""
    skipped: int
    """Leads that are fine but were not added"""
    errors: list[EnrollCampaignLeadsResultError]
    """Items that could not be used"""
    skipped_details: list[EnrollCampaignLeadsResultSkippedDetail]
    """The skipped leads, with the reason of each"""
    addresses: EnrollCampaignLeadsResultAddresses
    """Addresses of the imported leads, as far as they could be checked at once"""
    campaign_status: CampaignStatus
    """The campaign's status after the import; only an active campaign sends"""
    warning: str | None
    """Why the imported leads get no email; null when they do"""
    next_cursor: str | None
    """Pass it as `after` to continue after 1000 leads; null when all are done"""


class EnrollCampaignLeadsResultError(TypedDict):
    email: str
    """The address as given"""
    reason: ImportErrorReason
    """What is wrong with the item"""
    field: NotRequired[str]
    """Field at fault; only for the first hundred with reason `invalid_item`"""
    message: NotRequired[str]
    """What was wrong and what would be right; where `field` is"""


class EnrollCampaignLeadsResultSkippedDetail(TypedDict):
    email: str
    """The address as given"""
    reason: ImportSkipReason
    """Why it was not added"""


class EnrollCampaignLeadsResultAddresses(TypedDict):
    """Addresses of the imported leads, as far as they could be checked at once"""
    risky: int
    """Leads whose address is risky"""
    invalid: int
    """Leads whose address takes no email"""
    reasons: EnrollCampaignLeadsResultAddressesReasons
    """These leads by reason; one may have several"""


class EnrollCampaignLeadsResultAddressesReasons(TypedDict):
    """These leads by reason; one may have several"""
    no_such_domain: NotRequired[int]
    """Addresses with the reason no_such_domain"""
    no_mx: NotRequired[int]
    """Addresses with the reason no_mx"""
    null_mx: NotRequired[int]
    """Addresses with the reason null_mx"""
    no_such_mailbox: NotRequired[int]
    """Addresses with the reason no_such_mailbox"""
    soft_bounced: NotRequired[int]
    """Addresses with the reason soft_bounced"""
    disposable: NotRequired[int]
    """Addresses with the reason disposable"""
    role_address: NotRequired[int]
    """Addresses with the reason role_address"""
    likely_typo: NotRequired[int]
    """Addresses with the reason likely_typo"""
    catch_all: NotRequired[int]
    """Addresses with the reason catch_all"""


class Erasure(TypedDict):
    id: str
    """Receipt of the erasure"""
    lead_id: str
    """Lead that was erased; nothing has this id anymore"""
    actor: str
    """Who asked for it: `user:<id>` or `key:<id>`"""
    request_id: str | None
    """`X-Request-Id` of the request"""
    asked_at: str
    """When it was asked for"""
    erased_at: str
    """When the person was erased"""
    completed_at: str | None
    """When the search index and the database's files contained nothing of it anymore; null until then"""
    removed: ErasureRemoved
    """What was removed or emptied"""
    suppressed: bool
    """True if the address stays suppressed, as a SHA-256 and nothing else"""
    webhooks: list[ErasureWebhook]
    """Other systems that were notified; kept for 30 days, as events are"""
    copies: list[ErasureCopy]
    """Backups from before the erasure that are still there. Not listed: replicas, snapshots, and files copied elsewhere"""
    copies_gone_at: str | None
    """When the last of `copies` is gone; null for none, or if one has no such time"""
    erased_again: list[ErasureErasedAgain]
    """Times at which restored data had the person again, and it was removed"""


class ErasureRemoved(TypedDict):
    """What was removed or emptied"""
    leads: int
    """Leads deleted; 0 for somebody known only from emails"""
    campaign_leads: int
    """Places in campaigns deleted"""
    tasks: int
    """Tasks deleted"""
    sent_emails: int
    """Emails to the person emptied; their rows stay for the totals"""
    received_emails: int
    """Emails from the person deleted"""
    conversations: int
    """Conversations deleted"""
    reports: int
    """Bounces and complaints about the person deleted or emptied"""
    copies: int
    """Copies of replies and forwarded emails to the person deleted"""
    tracked_actions: int
    """Opens and clicks deleted"""
    import_lines: int
    """Lines of imports emptied"""
    events: int
    """Events reduced to ids"""
    sandbox_emails: int
    """Emails captured by the sandbox deleted"""


class ErasureWebhook(TypedDict):
    webhook_id: str
    """Webhook that `lead.erased` was sent to"""
    status: ErasureWebhookStatus
    """How its delivery stands"""
    ended_at: str | None
    """When it was delivered or given up; null until then"""


class ErasureCopy(TypedDict):
    name: str
    """File in the directory of backups"""
    created_at: str
    """When the backup was made"""
    kept_until: str | None
    """When the schedule removes it, as it's set now; null if it stays until it's deleted"""


class ErasureErasedAgain(TypedDict):
    erased_at: str
    """When the person was erased again"""
    removed: ErasureRemoved
    """What was removed or emptied"""


class ErasureList(TypedDict):
    data: list[Erasure]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class EventList(TypedDict):
    data: list[Event]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: str | None
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: bool
    """Whether more records may match than `total` says: a search or filter, and a list of events, counts up to 10,000"""


class EventTypeDescription(TypedDict):
    type: EventType
    """The kind"""
    description: str
    """When such an event is recorded"""
    family: str
    """Stands for all kinds of its family"""
    data_schema: dict[str, Any]
    """JSON Schema of `data`"""
    example: Event


class EventTypeDescriptionList(TypedDict):
    data: list[EventTypeDescription]
    """The kinds"""


class Experiment(TypedDict):
    id: str
    """The experiment's id"""
    team_id: str
    """Team that owns the record"""
    campaign_id: str
    """Campaign whose step varies"""
    status: ExperimentStatus
    """`evaluating` when no more leads are assigned and the last ones are being measured"""
    name: str
    """Name, shown to your team only"""
    primary_metric: ExperimentPrimaryMetric
    """What variants are compared by; for `bounce_rate`, lower is better"""
    optimization_mode: ExperimentOptimizationMode
    """`fixed_split` keeps the weights, `thompson_sampling` shifts leads to the variants that do better, `auto_winner` is a fixed split whose winner replaces the step's content, and `test_and_roll` does so with the better variant after a test on a few leads, significant or not, while the others wait"""
    duration_days: int
    """Days during which leads are assigned, from the first email on"""
    attribution_window_days: int
    """Days after its email in which a lead can become a success; 0 for no limit"""
    early_stopping: bool
    """Complete a fixed split as soon as it is decided"""
    auto_drop: bool
    """Stop assigning leads to variants that are clearly behind, where there are three or more"""
    step_position: int
    """Position of the step whose content varies. The first step need not exist yet when none is given"""
    guardrails: list[ExperimentGuardrail]
    """Your own limits, each with either `max_rate` or `max_ratio`. A variant beyond one gets no more leads and can't win"""
    test_leads: int | None
    """Leads that `test_and_roll` tests on, set by its first email; null before and otherwise"""
    started_at: str
    """When the first email was sent; before that, when it was created"""
    ends_at: str
    """When it stops assigning leads"""
    completed_at: str | None
    """When it was completed or cancelled; null before"""
    winner_variant_id: str | None
    """The winning variant; null without one"""
    winner_applied_at: str | None
    """When the winner's content replaced the step's; null before"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class ExperimentGuardrail(TypedDict):
    metric: ExperimentGuardrailMetric
    """What is limited: bounces, leads that opt out or complain, or leads that reply that they aren't interested"""
    max_rate: NotRequired[float]
    """Largest share of a variant's leads; for bounces, below 0.05, which always holds"""
    max_ratio: NotRequired[float]
    """Largest rate of a variant, divided by the rate of the others; replaces the built-in comparison with the others"""


class ExperimentCreate(TypedDict):
    name: str
    """Name, shown to your team only"""
    primary_metric: NotRequired[ExperimentPrimaryMetric]
    """What variants are compared by; for `bounce_rate`, lower is better"""
    optimization_mode: NotRequired[ExperimentOptimizationMode]
    """`fixed_split` keeps the weights, `thompson_sampling` shifts leads to the variants that do better, `auto_winner` is a fixed split whose winner replaces the step's content, and `test_and_roll` does so with the better variant after a test on a few leads, significant or not, while the others wait"""
    duration_days: NotRequired[int]
    """Days during which leads are assigned, from the first email on"""
    attribution_window_days: NotRequired[int]
    """Days after its email in which a lead can become a success; 0 for no limit"""
    early_stopping: NotRequired[bool]
    """Complete a fixed split as soon as it is decided"""
    auto_drop: NotRequired[bool]
    """Stop assigning leads to variants that are clearly behind, where there are three or more"""
    step_position: NotRequired[int]
    """Position of the step whose content varies. The first step need not exist yet when none is given"""
    guardrails: NotRequired[list[ExperimentGuardrail]]
    """Your own limits, each with either `max_rate` or `max_ratio`. A variant beyond one gets no more leads and can't win"""
    campaign_id: str
    """Campaign whose step varies"""
    variants: list[ExperimentCreateVariant]
    """The variants to compare, 2 to 10"""


class ExperimentCreateVariant(TypedDict):
    name: str
    """Name, unique in the experiment"""
    config: NotRequired[dict[str, Any]]
    """`subject` and `body` replace those of the step; {} keeps the step as it is"""
    weight: NotRequired[float]
    """Leads are assigned in proportion to the weights"""


class ExperimentDetail(TypedDict):
    id: str
    """The experiment's id"""
    team_id: str
    """Team that owns the record"""
    campaign_id: str
    """Campaign whose step varies"""
    status: ExperimentStatus
    """`evaluating` when no more leads are assigned and the last ones are being measured"""
    name: str
    """Name, shown to your team only"""
    primary_metric: ExperimentPrimaryMetric
    """What variants are compared by; for `bounce_rate`, lower is better"""
    optimization_mode: ExperimentOptimizationMode
    """`fixed_split` keeps the weights, `thompson_sampling` shifts leads to the variants that do better, `auto_winner` is a fixed split whose winner replaces the step's content, and `test_and_roll` does so with the better variant after a test on a few leads, significant or not, while the others wait"""
    duration_days: int
    """Days during which leads are assigned, from the first email on"""
    attribution_window_days: int
    """Days after its email in which a lead can become a success; 0 for no limit"""
    early_stopping: bool
    """Complete a fixed split as soon as it is decided"""
    auto_drop: bool
    """Stop assigning leads to variants that are clearly behind, where there are three or more"""
    step_position: int
    """Position of the step whose content varies. The first step need not exist yet when none is given"""
    guardrails: list[ExperimentGuardrail]
    """Your own limits, each with either `max_rate` or `max_ratio`. A variant beyond one gets no more leads and can't win"""
    test_leads: int | None
    """Leads that `test_and_roll` tests on, set by its first email; null before and otherwise"""
    started_at: str
    """When the first email was sent; before that, when it was created"""
    ends_at: str
    """When it stops assigning leads"""
    completed_at: str | None
    """When it was completed or cancelled; null before"""
    winner_variant_id: str | None
    """The winning variant; null without one"""
    winner_applied_at: str | None
    """When the winner's content replaced the step's; null before"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""
    variants: list[ExperimentDetailVariant]
    """The variants, in order"""
    win_probabilities: dict[str, float]
    """By variant id: the probability that it is the best"""
    allocation: dict[str, float]
    """By variant id: its share of new leads"""
    convergence: float
    """Certainty about which variant is best, 0 to 1"""
    share: ShareExperimentResult | None
    """The link to the experiment's report; null without one"""


class ExperimentDetailVariant(TypedDict):
    id: str
    """The variant's id"""
    experiment_id: str
    """The experiment's id"""
    name: str
    """Name, unique in the experiment"""
    config: dict[str, Any]
    """`subject` and `body` replace those of the step; {} keeps the step as it is"""
    weight: float
    """Leads are assigned in proportion to the weights"""
    emails_sent: int
    """Emails sent"""
    replies: int
    """Leads that replied"""
    interested: int
    """Leads whose reply shows interest"""
    negative_replies: int
    """Leads whose reply says that they aren't interested"""
    bounced: int
    """Emails that bounced"""
    opted_out: int
    """Leads that opted out or complained"""
    successes: int
    """Measured leads that count as a success"""
    failures: int
    """Measured leads that count as a failure"""
    contents: list[ExperimentDetailVariantContent]
    """Content of its emails, before variables are filled in, oldest first; several when the step was edited while leads were assigned. Empty until its first email"""
    out_reason: ExperimentVariantOutReason | None
    """Why it gets no more leads: it is beyond a guardrail, is clearly behind, or was switched off. Null while it gets some"""
    is_active: bool
    """Whether it gets leads. When false, its leads are still measured, the others share the rest, and it can't win"""
    created_at: str
    """When the record was created"""


class ExperimentDetailVariantContent(TypedDict):
    subject: str | None
    """Subject; null where it continues the thread"""
    body: str
    """Body"""
    since: str
    """When it was first sent"""


class ExperimentHistory(TypedDict):
    days: list[ExperimentHistoryDay]
    """Emails by the day on which they were sent, and what has come of them by now. Days without emails are left out"""
    allocations: list[ExperimentHistoryAllocation]
    """How new leads were split, oldest first; each applies until the next one"""


class ExperimentHistoryDay(TypedDict):
    date: str
    """Day, in UTC"""
    variants: list[ExperimentHistoryDayVariant]
    """Every variant, in order"""


class ExperimentHistoryDayVariant(TypedDict):
    variant_id: str
    """The variant's id"""
    emails_sent: int
    """Emails sent that day"""
    replies: int
    """Of these, emails that got a reply"""
    interested: int
    """Of these, emails whose reply shows interest"""
    bounced: int
    """Of these, emails that bounced"""


class ExperimentHistoryAllocation(TypedDict):
    since: str
    """When the split took effect"""
    shares: dict[str, float]
    """By variant id: its share of new leads, 0 to 1"""


class ExperimentPatch(TypedDict):
    name: NotRequired[str]
    """Name, shown to your team only"""
    primary_metric: NotRequired[ExperimentPrimaryMetric]
    """What variants are compared by; for `bounce_rate`, lower is better"""
    optimization_mode: NotRequired[ExperimentOptimizationMode]
    """`fixed_split` keeps the weights, `thompson_sampling` shifts leads to the variants that do better, `auto_winner` is a fixed split whose winner replaces the step's content, and `test_and_roll` does so with the better variant after a test on a few leads, significant or not, while the others wait"""
    duration_days: NotRequired[int]
    """Days during which leads are assigned, from the first email on"""
    attribution_window_days: NotRequired[int]
    """Days after its email in which a lead can become a success; 0 for no limit"""
    early_stopping: NotRequired[bool]
    """Complete a fixed split as soon as it is decided"""
    auto_drop: NotRequired[bool]
    """Stop assigning leads to variants that are clearly behind, where there are three or more"""
    step_position: NotRequired[int]
    """Position of the step whose content varies. The first step need not exist yet when none is given"""
    guardrails: NotRequired[list[ExperimentGuardrail]]
    """Your own limits, each with either `max_rate` or `max_ratio`. A variant beyond one gets no more leads and can't win"""
    status: NotRequired[ExperimentStatus]
    """`paused` stops assigning leads, `running` resumes, `cancelled` ends it"""
    variants: NotRequired[list[ExperimentPatchVariant]]
    """The variants to compare, 2 to 10"""


class ExperimentPatchVariant(TypedDict):
    name: str
    """Name, unique in the experiment"""
    config: NotRequired[dict[str, Any]]
    """`subject` and `body` replace those of the step; {} keeps the step as it is"""
    weight: NotRequired[float]
    """Leads are assigned in proportion to the weights"""
    id: NotRequired[str]
    """The variant's id; without one, a variant is added"""
    is_active: NotRequired[bool]
    """Whether it gets leads. When false, its leads are still measured, the others share the rest, and it can't win"""


class ExperimentPlan(TypedDict):
    leads: int
    """Leads that may reach the step"""
    leads_per_day: int
    """Leads that reach the step per day"""
    baseline: float
    """Current rate"""
    variants: int
    """Variants to compare"""
    duration_days: int
    """Days during which leads are assigned"""
    attribution_window_days: int
    """Days after its email in which a lead can become a success"""
    leads_by_end: int
    """Leads assigned by the end"""
    leads_per_variant: int
    """Leads assigned to each variant by the end"""
    minimum_detectable_ratio: float | None
    """Smallest ratio of two rates that these leads can show; null when none can be"""
    minimum_detectable_rate: float | None
    """Rate that a variant would need for it; null when none can be"""
    can_answer: bool
    """Whether a doubled rate would be found"""
    sizes: list[ExperimentPlanSize]
    """Leads needed to show differences of several sizes"""
    test_and_roll: ExperimentPlanTestAndRoll
    """For a short list: test on a few leads, then send the leader to the rest, significant or not. What an experiment with `optimization_mode` `test_and_roll` does"""
    recommendation: str
    """What to do, in one sentence"""
    basis: str
    """What that assumes, in plain words"""


class ExperimentPlanSize(TypedDict):
    ratio: float
    """Ratio of two rates"""
    rate: float
    """Rate of the better variant"""
    leads_per_variant: int
    """Leads that each variant needs to show it"""
    days: int | None
    """Days that it takes; null when the leads do not suffice"""
    fits: bool
    """Whether there are enough leads"""


class ExperimentPlanTestAndRoll(TypedDict):
    """For a short list: test on a few leads, then send the leader to the rest, significant or not. What an experiment with `optimization_mode` `test_and_roll` does"""
    leads_per_variant: int
    """Leads to test each variant on"""


class ExperimentResult(TypedDict):
    experiment: ExperimentResultExperiment
    """The experiment"""
    variants: list[ExperimentResultVariant]
    """The variants, in order"""
    significance: list[ExperimentResultSignificance]
    """Every pair of variants"""
    present_variant_id: str
    """Variant that sends the step as it is, else the first"""
    against_present: list[ExperimentResultAgainstPresent]
    """Every other variant against the present text. Empty in older results"""
    winner: str | None
    """Name of the winner; null without one"""
    recommendation: str
    """What to do, in one sentence"""
    recommendation_code: RecommendationCode
    """The recommendation, for programs"""
    recommendation_params: dict[str, Any]
    """Values that the recommendation mentions"""
    key_figure: ExperimentResultKeyFigure | None
    """The figure to read first: the lift of the variant that's ahead over the present text, for people; null while there's none, or if the recommendation isn't about it"""
    notes: list[str]
    """How the verdict comes about and how far it can be trusted, for people"""
    is_final: bool
    """Whether the planned end has passed and every lead is measured"""
    quality: ExperimentResultQuality
    """How far the result can be trusted"""
    final_estimate: ExperimentResultFinalEstimate | None
    """Rates of all leads measured by now, beside the verdict of a closed experiment; null before it has ended"""
    segments: ExperimentResultSegments | None
    """Results by segment of the leads, beside the verdict; null without `segment_by`, and for Thompson sampling"""
    warnings: list[ExperimentResultWarning]
    """What limits the result"""


class ExperimentResultExperiment(TypedDict):
    """The experiment"""
    id: str
    """The experiment's id"""
    name: str
    """Name, shown to your team only"""
    status: ExperimentStatus
    """`evaluating` when no more leads are assigned and the last ones are being measured"""
    primary_metric: ExperimentPrimaryMetric
    """What variants are compared by; for `bounce_rate`, lower is better"""
    days_elapsed: int
    """Days since the first email"""
    days_remaining: int
    """Days until it stops assigning leads"""


class ExperimentResultVariant(TypedDict):
    id: str
    """The variant's id"""
    experiment_id: str
    """The experiment's id"""
    name: str
    """Name, unique in the experiment"""
    config: dict[str, Any]
    """`subject` and `body` replace those of the step; {} keeps the step as it is"""
    weight: float
    """Leads are assigned in proportion to the weights"""
    emails_sent: int
    """Emails sent"""
    replies: int
    """Leads that replied"""
    interested: int
    """Leads whose reply shows interest"""
    negative_replies: int
    """Leads whose reply says that they aren't interested"""
    bounced: int
    """Emails that bounced"""
    opted_out: int
    """Leads that opted out or complained"""
    successes: int
    """Measured leads that count as a success"""
    failures: int
    """Measured leads that count as a failure"""
    contents: list[ExperimentDetailVariantContent]
    """Content of its emails, before variables are filled in, oldest first; several when the step was edited while leads were assigned. Empty until its first email"""
    out_reason: ExperimentVariantOutReason | None
    """Why it gets no more leads: it is beyond a guardrail, is clearly behind, or was switched off. Null while it gets some"""
    is_active: bool
    """Whether it gets leads. When false, its leads are still measured, the others share the rest, and it can't win"""
    created_at: str
    """When the record was created"""
    reply_rate: float
    """Leads that replied, of those sent this variant"""
    interested_rate: float
    """Leads that are interested, of those sent this variant"""
    negative_reply_rate: float
    """Leads that replied that they aren't interested, of those sent this variant"""
    bounce_rate: float
    """Leads that bounced, of those sent this variant"""
    opt_out_rate: float
    """Leads that opted out or complained, of those sent this variant"""
    per_reply: ExperimentResultVariantPerReply
    """What a reply costs so far; it falls while replies arrive"""
    per_interested: ExperimentResultVariantPerInterested
    """What an interested reply costs so far; it falls while replies arrive"""


class ExperimentResultVariantPerReply(TypedDict):
    """What a reply costs so far; it falls while replies arrive"""
    emails: float | None
    """Leads emailed for a reply; null before the first one"""
    emails_low: float | None
    """Lower end of its 95% interval"""
    emails_high: float | None
    """Upper end of its 95% interval; null before the first one"""
    cost: float | None
    """The same in money; null without `cost_per_lead`"""
    cost_low: float | None
    """Lower end of its 95% interval"""
    cost_high: float | None
    """Upper end of its 95% interval"""


class ExperimentResultVariantPerInterested(TypedDict):
    """What an interested reply costs so far; it falls while replies arrive"""
    emails: float | None
    """Leads emailed for an interested reply; null before the first one"""
    emails_low: float | None
    """Lower end of its 95% interval"""
    emails_high: float | None
    """Upper end of its 95% interval; null before the first one"""
    cost: float | None
    """The same in money; null without `cost_per_lead`"""
    cost_low: float | None
    """Lower end of its 95% interval"""
    cost_high: float | None
    """Upper end of its 95% interval"""


class ExperimentResultSignificance(TypedDict):
    variant_a: str
    """Name of the first variant"""
    variant_b: str
    """Name of the second variant"""
    variant_a_id: str
    """The first variant's id"""
    variant_b_id: str
    """The second variant's id"""
    lift_ratio: float | None
    """Rate of b divided by the rate of a; null while a has no success"""
    lift_ratio_low: float | None
    """Lower end of its interval"""
    lift_ratio_high: float | None
    """Upper end of its interval"""
    lift_expected: float | None
    """What to expect of `lift_ratio` from here on: nearer to 1, as far as this experiment and your past ones suggest; null unless a or b is the winner"""
    rate_a: float | None
    """Rate of a that `lift_ratio` compares, each lead weighted by the inverse of the share it was assigned with, so above 1 for a handful of leads at times; null before the first email"""
    rate_b: float | None
    """Rate of b that `lift_ratio` compares, each lead weighted by the inverse of the share it was assigned with, so above 1 for a handful of leads at times; null before the first email"""
    significant: bool
    """Whether `p_value` is at most 0.05 and leads were split as planned"""
    p_value: float
    """p-value, valid however often it is read, adjusted for all comparisons: with the present text by Dunnett, of others by Holm; for a winner's pairs, how often a variant that isn't the best would win like this"""
    confidence: float
    """1 − `p_value`"""
    better: str | None
    """Name of the variant that does better so far; null for neither"""
    test: SignificanceTest
    """Test that the p-value comes from; `epoch_z` compares within the epochs of a bandit, and `group_sequential` looks daily at a fixed split"""
    p_value_anytime: float
    """p-value of the test that may be read at any time, whatever end is planned"""
    p_value_sequential: float | None
    """p-value of the daily looks up to the planned end; null for a bandit or a moved end"""
    p_value_fixed: float | None
    """p-value of the test at the planned end; null before it"""
    p_value_stratified: float | None
    """The same within mailboxes and providers; null before the planned end"""
    difference: float | None
    """Success rate of b minus that of a; null before the planned end"""
    difference_low: float | None
    """Lower end of its 95% interval"""
    difference_high: float | None
    """Upper end of its 95% interval"""
    prob_b_beats_a: float | None
    """Probability that b is better than a; null while too few leads are measured"""


class ExperimentResultAgainstPresent(TypedDict):
    variant_id: str
    """The variant's id"""
    variant: str
    """Name of the variant"""
    lift_ratio: float | None
    """Its rate divided by that of the present text; null while that has no success"""
    lift_ratio_low: float | None
    """Lower end of its 95% interval; the intervals of all variants hold together"""
    lift_ratio_high: float | None
    """Upper end of its 95% interval; the intervals of all variants hold together"""
    p_value: float
    """p-value with all variants in mind that are compared with the present text; that of their pair"""
    significant: bool
    """Whether `p_value` is at most 0.05 and leads were split as planned"""
    better: str | None
    """Name of the variant that does better so far; null for neither"""
    test: SignificanceTest
    """Test that the p-value and the interval come from"""


class ExperimentResultKeyFigure(TypedDict):
    value: str
    """The lift"""
    range: str
    """Its 95% interval"""
    sentence: str
    """What it's of, and whether it may be chance"""


class ExperimentResultQuality(TypedDict):
    """How far the result can be trusted"""
    srm_detected: bool
    """Whether leads were split differently than planned; no verdict is given then"""
    srm_p_value: float | None
    """Chi-square p-value of the split at the end; null while nothing can be said"""
    srm_p_value_anytime: float | None
    """p-value of the split that may be read at any time; null while nothing can be said"""
    srm_p_value_decisive: float | None
    """Which of the two `srm_detected` is based on"""
    pending: int
    """Leads whose attribution window is still open"""
    leader_id: str | None
    """Variant most likely to be the best; null while nothing can be said"""
    expected_loss: dict[str, float] | None
    """By variant id: success rate lost by sending it to everyone if another is better"""
    value_remaining_95: float | None
    """How much better than the leader another variant may still be, as a fraction of its rate, with 95% certainty"""
    credible_intervals: dict[str, ExperimentResultQualityCredibleIntervals]
    """By variant id: its success rate, and the 95% credible interval of it"""
    mde_ratio: float | None
    """Smallest ratio of two rates that the leads up to the end can show; null when none can be"""
    estimated_days_to_decision: int | None
    """Days until a decision at the current pace and difference; null when unknown"""
    eliminated: list[str]
    """Variants that are clearly behind"""
    guardrails: list[ExperimentResultQualityGuardrail]
    """Variants with too many bounces, opt-outs, or negative replies. They get no more leads, or can't win"""


class ExperimentResultQualityCredibleIntervals(TypedDict):
    rate: NotRequired[float]
    """The rate, for a bandit within its epochs. Absent in older results"""
    low: float
    """Lower end"""
    high: float
    """Upper end"""


class ExperimentResultQualityGuardrail(TypedDict):
    variant_id: str
    """The variant's id"""
    metric: ExperimentGuardrailMetric
    """What there is too much of: bounces, leads that opt out or complain, or negative replies"""
    rate: float
    """Its rate of these"""
    bounce_rate: float
    """Its bounce rate"""
    reason: GuardrailReason
    """Whether it is above a limit (5% for bounces, or your `max_rate`), or above the other variants"""
    max_rate: float | None
    """Your limit that it's above; null when it's another"""
    max_ratio: float | None
    """Your limit that its rate, divided by the rate of the others, is above; null when it's another"""


class ExperimentResultFinalEstimate(TypedDict):
    is_complete: bool
    """Whether all leads are measured, also those in flight when the experiment ended"""
    success_rates: dict[str, ExperimentResultFinalEstimateSuccessRates]
    """By variant id: its success rate"""
    lifts: list[ExperimentResultFinalEstimateLift]
    """Every pair of variants"""
    against_present: list[ExperimentResultFinalEstimateAgainstPresent]
    """Every other variant against the present text"""
    at_verdict: dict[str, ExperimentResultFinalEstimateAtVerdict]
    """By variant id: the counts that the verdict was based on"""


class ExperimentResultFinalEstimateSuccessRates(TypedDict):
    rate: float
    """Success rate"""
    low: float
    """Lower end of its 95% interval"""
    high: float
    """Upper end of its 95% interval"""


class ExperimentResultFinalEstimateLift(TypedDict):
    variant_a_id: str
    """The first variant's id"""
    variant_b_id: str
    """The second variant's id"""
    lift_ratio: float | None
    """Rate of b divided by the rate of a; null while a has no success"""
    lift_ratio_low: float | None
    """Lower end of its interval"""
    lift_ratio_high: float | None
    """Upper end of its interval"""


class ExperimentResultFinalEstimateAgainstPresent(TypedDict):
    variant_id: str
    """The variant's id"""
    variant: str
    """Name of the variant"""
    lift_ratio: float | None
    """Its rate divided by that of the present text; null while that has no success"""
    lift_ratio_low: float | None
    """Lower end of its 95% interval; the intervals of all variants hold together"""
    lift_ratio_high: float | None
    """Upper end of its 95% interval; the intervals of all variants hold together"""


class ExperimentResultFinalEstimateAtVerdict(TypedDict):
    successes: int
    """Leads that counted as a success"""
    failures: int
    """Leads that counted as a failure"""


class ExperimentResultSegments(TypedDict):
    by: str
    """Also show `segments`: by `provider` of the recipients' emails, `mailbox`, `country`, or a custom value, `custom:NAME`"""
    segments: list[ExperimentResultSegmentsSegment]
    """The segments, largest first"""
    interactions: list[ExperimentResultSegmentsInteraction]
    """For every variant but the first: whether its lift differs between segments"""
    sentence: str | None
    """What differs between segments; null while leads are assigned, and if nothing does"""


class ExperimentResultSegmentsSegment(TypedDict):
    segment: str
    """Provider, the mailbox's id, ISO 3166 code of the country, or the value; `other` for all beyond the 19 largest (10 values), `none` for leads without one"""
    leads: int
    """Leads emailed"""
    lifts: list[ExperimentResultSegmentsSegmentLift]
    """Every variant but the first, against it. Intervals hold for all together"""


class ExperimentResultSegmentsSegmentLift(TypedDict):
    variant_a_id: str
    """The first variant's id"""
    variant_b_id: str
    """The second variant's id"""
    lift_ratio: float | None
    """Rate of b divided by the rate of a; null while a has no success"""
    lift_ratio_low: float | None
    """Lower end of its interval"""
    lift_ratio_high: float | None
    """Upper end of its interval"""
    rate_a: float | None
    """Rate of a in the segment; null without leads"""
    rate_b: float | None
    """Rate of b in the segment; null without leads"""
    p_value: float
    """p-value, to be read once, adjusted for all segments and variants"""


class ExperimentResultSegmentsInteraction(TypedDict):
    variant_a_id: str
    """The first variant's id"""
    variant_b_id: str
    """The other variant's id"""
    p_value: float
    """How often a lift that's the same in all segments would differ between them this much; adjusted for the number of variants"""
    significant: bool
    """Whether `p_value` is at most 0.05"""


class ExperimentResultWarning(TypedDict):
    code: ExperimentWarningCode
    """What the warning is about"""
    message: str
    """What to look at, in plain words"""


class ForwardInboxThreadRequest(TypedDict):
    to: str
    """Address to forward it to"""
    cc: NotRequired[list[str]]
    """Addresses that get a copy, named in the email"""
    bcc: NotRequired[list[str]]
    """Addresses that get a copy without being named"""
    attachment_ids: NotRequired[list[str]]
    """Files that it carries, of `/files`; 10 MB at most in all"""
    body: NotRequired[str]
    """Plain text or HTML before the email, sent as it is"""
    message_id: NotRequired[str]
    """Message to forward; without one, the latest email that a person wrote"""


class Import(TypedDict):
    id: str
    """The import's id"""
    kind: ImportKind
    """What the rows of the file are"""
    campaign_id: str | None
    """Campaign that the leads are added to; null when the rows are suppressions"""
    reason: ImportReason | None
    """Reason of suppressions whose row gives none; null when the rows are leads"""
    status: ImportStatus
    """Status of the import"""
    format: FileFormat
    """Format of the file"""
    file_name: str | None
    """Name of the file; null without one"""
    dry_run: bool
    """Whether lines are only checked and nothing is stored"""
    existing: ImportExisting
    """What to do with leads that the team knows already: `keep` their fields, `merge` in the new ones, or `replace` them"""
    skip_if_in_other_campaign: bool
    """Skip leads that are in another campaign"""
    encoding: ImportEncoding | None
    """Character encoding of the file; null before it is known"""
    delimiter: str | None
    """Character between two values; null for NDJSON and JSON"""
    columns: list[ImportColumn] | None
    """What each column is read as; null for NDJSON and JSON"""
    offset: int
    """Bytes processed; the rest of the file begins here"""
    total_bytes: int | None
    """Size of the file in bytes; null when it is not known"""
    imported: int
    """Leads added, or addresses suppressed: `new` and `update` together"""
    skipped: int
    """Lines skipped: `duplicate` and `suppressed` together"""
    errors: int
    """Lines that could not be used: `invalid`"""
    outcomes: ImportOutcomes
    """Lines by what became of them"""
    reasons: ImportReasons
    """Lines that were not imported, by reason"""
    addresses: EnrollCampaignLeadsResultAddresses
    """Addresses of the imported leads, as far as they could be checked at once"""
    lines_kept: int
    """Lines that `/imports/{id}/lines` lists"""
    removed: int
    """Leads that undoing the import removed from the campaign; suppressions it lifted"""
    left: int
    """Leads that undoing left, because they had been emailed; suppressions confirmed since"""
    overwritten: int
    """Known leads, or suppressions, whose record the import changed"""
    restored: int
    """Of these, records that undoing restored"""
    not_restored: int
    """Of these, records that undoing left, because they were changed since"""
    error: str | None
    """Why the import stopped; null when it did not"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""
    finished_at: str | None
    """When the import ended; null while it runs"""


class ImportColumn(TypedDict):
    name: str
    """Heading of the column"""
    field: str | None
    """Lead field or `variables.<name>` that it is read into; null when it is ignored"""
    reason: str
    """Why, in plain words"""


class ImportOutcomes(TypedDict):
    """Lines by what became of them"""
    new: int
    """Leads created and added; addresses newly suppressed"""
    update: int
    """Leads that the team knew, added; suppressions given a stronger reason"""
    duplicate: int
    """Leads that are in the file twice, or in a campaign already; addresses suppressed already"""
    suppressed: int
    """Leads that are suppressed"""
    invalid: int
    """Lines that could not be used"""


class ImportReasons(TypedDict):
    """Lines that were not imported, by reason"""
    already_enrolled: NotRequired[int]
    """Lines with the reason already_enrolled"""
    duplicate_in_request: NotRequired[int]
    """Lines with the reason duplicate_in_request"""
    suppressed: NotRequired[int]
    """Lines with the reason suppressed"""
    suppressed_domain: NotRequired[int]
    """Lines with the reason suppressed_domain"""
    in_other_campaign: NotRequired[int]
    """Lines with the reason in_other_campaign"""
    placement_seed: NotRequired[int]
    """Lines with the reason placement_seed"""
    invalid_email: NotRequired[int]
    """Lines with the reason invalid_email"""
    variables_invalid: NotRequired[int]
    """Lines with the reason variables_invalid"""
    timezone_invalid: NotRequired[int]
    """Lines with the reason timezone_invalid"""
    tags_invalid: NotRequired[int]
    """Lines with the reason tags_invalid"""
    plan_limit: NotRequired[int]
    """Lines with the reason plan_limit"""
    already_suppressed: NotRequired[int]
    """Lines with the reason already_suppressed"""
    reason_invalid: NotRequired[int]
    """Lines with the reason reason_invalid"""
    invalid_line: NotRequired[int]
    """Lines with the reason invalid_line"""
    too_many_columns: NotRequired[int]
    """Lines with the reason too_many_columns"""
    field_too_long: NotRequired[int]
    """Lines with the reason field_too_long"""


class ImportAccountsResult(TypedDict):
    created: int
    """Accounts that were created"""
    failed: int
    """Rows that could not be used"""
    data: list[ImportAccountsResultData]
    """What became of each row"""


class ImportAccountsResultData(TypedDict):
    line: int
    """Line of the file, from 1"""
    email: str
    """The address as given"""
    id: str | None
    """The account's id; null when the row was refused"""
    error: ChangeAccountsResultDataError | None
    """Why it was refused; null when it was done"""


class ImportCampaignFileResult(TypedDict):
    id: str
    """The import's id"""
    kind: ImportKind
    """What the rows of the file are"""
    campaign_id: str | None
    """Campaign that the leads are added to; null when the rows are suppressions"""
    reason: ImportReason | None
    """Reason of suppressions whose row gives none; null when the rows are leads"""
    status: ImportStatus
    """Status of the import"""
    format: FileFormat
    """Format of the file"""
    file_name: str | None
    """Name of the file; null without one"""
    dry_run: bool
    """Whether lines are only checked and nothing is stored"""
    existing: ImportExisting
    """What to do with leads that the team knows already: `keep` their fields, `merge` in the new ones, or `replace` them"""
    skip_if_in_other_campaign: bool
    """Skip leads that are in another campaign"""
    encoding: ImportEncoding | None
    """Character encoding of the file; null before it is known"""
    delimiter: str | None
    """Character between two values; null for NDJSON and JSON"""
    columns: list[ImportColumn] | None
    """What each column is read as; null for NDJSON and JSON"""
    offset: int
    """Bytes processed; the rest of the file begins here"""
    total_bytes: int | None
    """Size of the file in bytes; null when it is not known"""
    imported: int
    """Leads added, or addresses suppressed: `new` and `update` together"""
    skipped: int
    """Lines skipped: `duplicate` and `suppressed` together"""
    errors: int
    """Lines that could not be used: `invalid`"""
    outcomes: ImportOutcomes
    """Lines by what became of them"""
    reasons: ImportReasons
    """Lines that were not imported, by reason"""
    addresses: EnrollCampaignLeadsResultAddresses
    """Addresses of the imported leads, as far as they could be checked at once"""
    lines_kept: int
    """Lines that `/imports/{id}/lines` lists"""
    removed: int
    """Leads that undoing the import removed from the campaign; suppressions it lifted"""
    left: int
    """Leads that undoing left, because they had been emailed; suppressions confirmed since"""
    overwritten: int
    """Known leads, or suppressions, whose record the import changed"""
    restored: int
    """Of these, records that undoing restored"""
    not_restored: int
    """Of these, records that undoing left, because they were changed since"""
    error: str | None
    """Why the import stopped; null when it did not"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""
    finished_at: str | None
    """When the import ended; null while it runs"""
    warning: NotRequired[str]
    """Why these leads get no email: their campaign is completed and not evergreen. Absent otherwise"""


class ImportCampaignLeadsRequest(TypedDict):
    leads: list[ImportCampaignLeadsRequestLead]
    """Leads to add: the address of each and what else is known"""
    existing: NotRequired[ImportExisting]
    """What to do with leads that the team knows already: `keep` their fields, `merge` in the new ones, or `replace` them"""
    skip_if_in_other_campaign: NotRequired[bool]
    """Skip leads that are in another campaign"""
    strict: NotRequired[bool]
    """Whether a malformed item, for example one with an unknown field, refuses the whole request; otherwise it is an error of its own"""
    dry_run: NotRequired[bool]
    """Return the result without storing anything"""


class ImportCampaignLeadsRequestLead(TypedDict):
    email: str
    """Email address"""
    first_name: NotRequired[str | None]
    """First name"""
    last_name: NotRequired[str | None]
    """Last name"""
    company: NotRequired[str | None]
    """Company"""
    website: NotRequired[str | None]
    """Company website"""
    phone: NotRequired[str | None]
    """Phone number, in any format"""
    timezone: NotRequired[str | None]
    """IANA time zone; replaces the campaign's for this lead"""
    tags: NotRequired[list[str]]
    """Tags to add; what cannot be one is an error of this item"""
    variables: NotRequired[dict[str, Any]]
    """Values for templates, by name: strings, numbers and booleans, 200 at most"""


class ImportCampaignLeadsResult(TypedDict):
    imported: int
    """Leads that were added to the campaign"""
    skipped: int
    """Leads that are fine but were not added"""
    errors: list[EnrollCampaignLeadsResultError]
    """Items that could not be used"""
    skipped_details: list[EnrollCampaignLeadsResultSkippedDetail]
    """The skipped leads, with the reason of each"""
    addresses: EnrollCampaignLeadsResultAddresses
    """Addresses of the imported leads, as far as they could be checked at once"""
    campaign_status: CampaignStatus
    """The campaign's status after the import; only an active campaign sends"""
    warning: str | None
    """Why the imported leads get no email; null when they do"""


class ImportList(TypedDict):
    data: list[Import]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: str | None
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: NotRequired[bool]
    """Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`"""


class InboxFolder(TypedDict):
    folder: InboxThreadFolder
    """Where it is in the inbox: by its interest, else by its kind; `snoozed` until a time that someone set, `done` when someone is done with it"""
    conversations: int
    """Conversations in it, counted up to 1000"""


class InboxFolderList(TypedDict):
    data: list[InboxFolder]
    """All folders"""
    unread: int
    """Conversations with unread emails, counted up to 1000"""
    mentioned: int
    """Open conversations with a note that mentions the person who asks, counted up to 1000"""
    assigned: int
    """Open conversations assigned to the person who asks, counted up to 1000; 0 for an API key"""


class InboxThread(TypedDict):
    id: str
    """The conversation's id; where it belongs to a lead, the id of the campaign lead"""
    team_id: str
    """Team that owns the record"""
    account_id: str
    """Account that received it"""
    campaign_id: str | None
    """Campaign that it belongs to; null when untracked"""
    lead_id: str | None
    """Lead that it belongs to; null when untracked"""
    enrollment_id: str | None
    """Id of the campaign lead that it belongs to; null when untracked, until you attach it"""
    from_address: str
    """Address of the sender"""
    from_name: str
    """Name of the sender; empty without one"""
    subject: str
    """Subject"""
    snippet: str
    """Beginning of the email that `kind` is about"""
    read: bool
    """Whether all its emails have been read"""
    kind: ReceivedKind
    """What the latest email by a person is, or else the latest email"""
    interest: Interest | None
    """Interest, as classified or set by hand; null when unknown"""
    done: bool
    """Whether someone is done with it; false again when another email is received"""
    snoozed_until: str | None
    """When it comes back to the inbox, unread; null when it isn't snoozed, and again when another email is received. Snoozing it makes it not done. From 1970 to 9999"""
    assignee_id: str | None
    """Member who takes care of it; null when no one does"""
    folder: InboxThreadFolder
    """Where it is in the inbox: by its interest, else by its kind; `snoozed` until a time that someone set, `done` when someone is done with it"""
    tags: list[str]
    """Tags, in lower case and in the order of the alphabet; at most 20"""
    mails: int
    """Emails received"""
    unread: int
    """Emails received that are unread"""
    last_mail_at: str
    """When the latest email was received"""
    answered_at: str | None
    """When someone on your team last replied; null when no one has"""
    created_at: str
    """When the record was created"""


class InboxThreadDetail(TypedDict):
    id: str
    """The conversation's id; where it belongs to a lead, the id of the campaign lead"""
    team_id: str
    """Team that owns the record"""
    account_id: str
    """Account that received it"""
    campaign_id: str | None
    """Campaign that it belongs to; null when untracked"""
    lead_id: str | None
    """Lead that it belongs to; null when untracked"""
    enrollment_id: str | None
    """Id of the campaign lead that it belongs to; null when untracked, until you attach it"""
    from_address: str
    """Address of the sender"""
    from_name: str
    """Name of the sender; empty without one"""
    subject: str
    """Subject"""
    snippet: str
    """Beginning of the email that `kind` is about"""
    read: bool
    """Whether all its emails have been read"""
    kind: ReceivedKind
    """What the latest email by a person is, or else the latest email"""
    interest: Interest | None
    """Interest, as classified or set by hand; null when unknown"""
    done: bool
    """Whether someone is done with it; false again when another email is received"""
    snoozed_until: str | None
    """When it comes back to the inbox, unread; null when it isn't snoozed, and again when another email is received. Snoozing it makes it not done. From 1970 to 9999"""
    assignee_id: str | None
    """Member who takes care of it; null when no one does"""
    folder: InboxThreadFolder
    """Where it is in the inbox: by its interest, else by its kind; `snoozed` until a time that someone set, `done` when someone is done with it"""
    tags: list[str]
    """Tags, in lower case and in the order of the alphabet; at most 20"""
    mails: int
    """Emails received"""
    unread: int
    """Emails received that are unread"""
    last_mail_at: str
    """When the latest email was received"""
    answered_at: str | None
    """When someone on your team last replied; null when no one has"""
    created_at: str
    """When the record was created"""
    account_email: str | None
    """Address of the account; null when it was deleted"""
    lead: InboxThreadDetailLead | None
    """Lead that the conversation belongs to; null when untracked"""
    enrollment: InboxThreadDetailEnrollment | None
    """Where the lead stands in the campaign; null when untracked"""
    messages: list[InboxThreadReply]
    """Emails sent and received, oldest first; the latest 400"""


class InboxThreadDetailLead(TypedDict):
    id: str
    """The lead's id"""
    email: str
    """The lead's address"""
    first_name: str | None
    """First name"""
    last_name: str | None
    """Last name"""
    company: str | None
    """Company"""


class InboxThreadDetailEnrollment(TypedDict):
    id: str
    """Id of the campaign lead"""
    campaign_name: str
    """Name of the campaign"""
    status: CampaignLeadStatus
    """The lead's status in the campaign"""
    stop_reason: str | None
    """Why the sequence ended; null while it has not"""
    current_step: int
    """Position of the last step that was sent or done"""
    next_attempt_at: str | None
    """When the next step is due; null when nothing is planned"""


class InboxThreadList(TypedDict):
    data: list[InboxThread]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: str | None
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: NotRequired[bool]
    """Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`"""


class InboxThreadNote(TypedDict):
    id: str
    """The note's id"""
    thread_id: str
    """Conversation that it is about"""
    author: str
    """Who wrote it: `user:<id>`, `key:<id>`, `operator`"""
    author_name: str | None
    """Current name of the user or the key; null for the others"""
    body: str
    """Plain text"""
    mentions: list[str]
    """Ids of the members it mentions, who find the conversation by `mentions`"""
    created_at: str
    """When the record was created"""


class InboxThreadNoteCreate(TypedDict):
    body: str
    """Plain text"""
    mentions: NotRequired[list[str]]
    """Ids of the members it mentions, who find the conversation by `mentions`"""


class InboxThreadNoteList(TypedDict):
    data: list[InboxThreadNote]
    """All notes, oldest first; at most 200"""


class InboxThreadPatch(TypedDict):
    read: NotRequired[bool]
    """Whether all its emails have been read"""
    kind: NotRequired[ReceivedKind]
    """What the latest email by a person is, or else the latest email"""
    interest: NotRequired[Interest | None]
    """Interest, as classified or set by hand; null when unknown"""
    done: NotRequired[bool]
    """Whether someone is done with it; false again when another email is received"""
    snoozed_until: NotRequired[str | None]
    """When it comes back to the inbox, unread; null when it isn't snoozed, and again when another email is received. Snoozing it makes it not done. From 1970 to 9999"""
    assignee_id: NotRequired[str | None]
    """Member who takes care of it; null when no one does"""


InboxThreadReply = TypedDict(
    "InboxThreadReply",
    {
        # The message's id
        "id": "str",
        # Team that owns the record
        "team_id": "str",
        # Conversation that it belongs to
        "thread_id": "str",
        # Account that sent or received it
        "account_id": "str",
        # Campaign that it belongs to; null for none
        "campaign_id": "str | None",
        # Lead that it belongs to; null for none
        "lead_id": "str | None",
        # `in` for received, `out` for sent
        "direction": "MessageDirection",
        # Status of sending; null for a received email
        "status": "MessageStatus | None",
        # Whether it was read; null for an email that you sent
        "read": "bool | None",
        # What a received email is; changing it takes back what the email caused and causes what the new kind does. For a sent email `step`, or `manual` for a reply written by hand
        "kind": "MessageKind",
        # Whether a bounce is permanent or temporary; null otherwise
        "severity": "BounceSeverity | None",
        # Address of the sender
        "from": "str",
        # Name of the sender; empty without one
        "from_name": "str",
        # Address of the recipient
        "to": "str",
        # Others it was sent to
        "cc": "list[str]",
        # Those who got a copy without being named; none for a received email
        "bcc": "list[str]",
        # Subject
        "subject": "str",
        # Text without quotes and signature
        "text": "str",
        # What a sent email carried; empty for a received one
        "attachments": "list[InboxThreadReplyAttachment]",
        # `Message-ID` header with its angle brackets; null without one
        "internet_message_id": "str | None",
        # When it was received or sent, or sending was first attempted
        "at": "str",
        # Sent message that it is a reply to; null for none
        "answers": "str | None",
        # Step that was sent; null for none
        "step_id": "str | None",
        # Position of the step that was sent; null otherwise
        "step_position": "int | None",
        # Revision of the step that it was made from; null if unknown
        "step_revision": "int | None",
        # Experiment that the email was part of; null for none and for a received email
        "experiment_id": "str | None",
        # Variant that it was made from; null without an experiment
        "variant_id": "str | None",
        # What the mail server last said; null without a response
        "response": "str | None",
        # Opens and clicks; null for a message that is not tracked
        "tracking": "InboxThreadReplyTracking | None",
        # Size of an email whose headers and text alone were fetched; null when all was
        "partial_of_bytes": "int | None",
        # Rule that gave the kind, and what it found; null for a sent email
        "evidence": "str | None",
        # How certain the kind is; null for a sent email
        "confidence": "Confidence | None",
        # Kind that the rules found; null for a sent email
        "found_kind": "str | None",
        # Who changed the kind; null when no one has
        "labelled_by": "str | None",
        # What it was matched to the lead by; `sender`, `quote`, and `company` are guesses. `quote`: the email that it quotes was written to the lead. Null when untracked
        "matched_by": "MatchedBy | None",
        # Enhanced status code of a bounce; null without one
        "enhanced_status": "str | None",
        # First day back that an out-of-office reply names; null without one
        "returns_on": "str | None",
        # Whether it says that the person has left the company
        "left_company": "bool | None",
        # Address that it names to write to instead; null without one
        "new_contact": "str | None",
        # What it has changed; changing `kind` takes it back
        "effects": "list[InboxThreadReplyEffect]",
    },
)


class InboxThreadReplyAttachment(TypedDict):
    file_id: str
    """The file's id"""
    name: str
    """Name that the recipient sees, without its path and without invisible characters"""
    media_type: str
    """Media type, by the ending of its name"""
    bytes: int
    """Size in bytes"""
    sha256: str
    """SHA-256 of its content in lower-case hexadecimal"""
    inline: bool
    """Whether it is an image that the text shows"""


class InboxThreadReplyTracking(TypedDict):
    opens: int
    """Opens by people"""
    clicks: int
    """Clicks by people"""
    machine_opens: int
    """Opens by machines, such as scanners and image proxies"""
    machine_clicks: int
    """Clicks by machines, such as link scanners"""
    first_opened_at: str | None
    """First open by a person; null before"""
    last_opened_at: str | None
    """Last open by a person; null before"""
    first_clicked_at: str | None
    """First click by a person; null before"""
    last_clicked_at: str | None
    """Last click by a person; null before"""


class InboxThreadReplyEffect(TypedDict):
    type: EffectType
    """What was changed"""
    subject_id: str
    """Id of the changed record"""
    before: str | None
    """Value before; null for none"""
    after: str | None
    """Value after; null for none"""


InjectIntoSandboxRequest = TypedDict(
    "InjectIntoSandboxRequest",
    {
        # What comes back
        "kind": "SandboxInjectKind",
        # Email that it comes back for: its id, the id of the captured message, or its `Message-ID`
        "message_id": "NotRequired[str]",
        # Campaign lead whose last email it comes back for
        "enrollment_id": "NotRequired[str]",
        # Lead whose last email it comes back for
        "lead_id": "NotRequired[str]",
        # Account that a stranger writes to, with `from` and `text`; with `placement`, the sender
        "account_id": "NotRequired[str]",
        # Text of the email; without one, a text that fits its kind
        "text": "NotRequired[str]",
        # First day back that an auto-reply names
        "returns_on": "NotRequired[str]",
        # Address that it comes from; without one, the lead's
        "from": "NotRequired[str]",
        # Placement run whose result is set; with the kind `placement`
        "run_id": "NotRequired[str]",
        # Seed whose result is set; with the kind `placement`
        "seed_id": "NotRequired[str]",
        # Where the email is filed; with the kind `placement`
        "placement": "NotRequired[Placement]",
    },
)
"""Name the email that it comes back for, a lead or a campaign lead for the last one to it, or an account that a stranger writes to. The kind `placement` sets the result of a placement test"""


class InjectIntoSandboxResult(TypedDict):
    kind: SandboxInjectKind
    """What comes back"""
    account_id: str
    """Account that receives it"""
    answers: str | None
    """Email that it comes back for; null for a stranger's"""
    arrives_at: str
    """When it arrives, by the sandbox clock"""


class Key(TypedDict):
    id: str
    """The key's id"""
    team_id: str
    """Team that owns the record"""
    name: str
    """What the key is for"""
    env: Environment
    """Environment that the key opens"""
    last4: str
    """Last four characters of the key"""
    scopes: list[str]
    """What the key may do"""
    created_at: str
    """When the record was created"""
    expires_at: str | None
    """When the key expires; null for never"""
    revoked_at: str | None
    """When the key was revoked; null when it was not"""
    last_used_at: str | None
    """When the key was last used; null before"""


class KeyCreate(TypedDict):
    name: str
    """What the key is for"""
    env: NotRequired[Environment]
    """Environment that the key opens; without it, that of the key that creates it"""
    scopes: NotRequired[list[KeyScope]]
    """What the key may do; without it, the same as the key that creates it"""
    expires_at: NotRequired[str | None]
    """When the key expires; null for never. From 1970 to 9999"""


class KeyCreated(TypedDict):
    key: str
    """The key itself, shown only now"""
    id: str
    """The key's id"""
    team_id: str
    """Team that owns the record"""
    name: str
    """What the key is for"""
    env: Environment
    """Environment that the key opens"""
    last4: str
    """Last four characters of the key"""
    scopes: list[str]
    """What the key may do"""
    created_at: str
    """When the record was created"""
    expires_at: str | None
    """When the key expires; null for never"""
    revoked_at: str | None
    """When the key was revoked; null when it was not"""
    last_used_at: str | None
    """When the key was last used; null before"""


class KeyList(TypedDict):
    data: list[Key]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class Lead(TypedDict):
    id: str
    """The lead's id"""
    team_id: str
    """Team that owns the record"""
    email: str
    """Email address, trimmed and in lower case"""
    first_name: str | None
    """First name"""
    last_name: str | None
    """Last name"""
    company: str | None
    """Company"""
    website: str | None
    """Company website"""
    phone: str | None
    """Phone number, in any format"""
    timezone: str | None
    """IANA time zone; replaces the campaign's for this lead"""
    variables: dict[str, str | float | bool]
    """Values for templates, by name"""
    tags: list[str]
    """Tags, in lower case and in the order of the alphabet; at most 20"""
    address: LeadAddress
    """What is known of the address before anybody writes to it"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""
    campaign: LeadCampaignItem | None
    """The campaign that wrote to the lead last, or else the latest one; null when it is in none, and unless `include` asks for it"""


class LeadAddress(TypedDict):
    """What is known of the address before anybody writes to it"""
    verdict: AddressVerdict
    """`valid`: the domain takes email and nothing speaks against the address, which may still bounce. `unknown`: no name server has responded yet"""
    reasons: list[AddressReason]
    """What speaks against the address"""
    suggestion: str | None
    """The address that was probably meant; null unless `likely_typo`"""
    checked_at: str | None
    """When its domain was looked up; null for one that wasn't, as those of big providers"""


class LeadCampaignItem(TypedDict):
    id: str
    """The campaign's id"""
    name: str
    """Name of the campaign"""
    status: CampaignLeadStatus
    """The lead's status in it"""
    interest: Interest | None
    """The lead's interest in it; null when unknown"""
    last_sent_at: str | None
    """When it was last sent an email of it; null when it wasn't"""
    campaigns: int
    """Campaigns that the lead is in"""


class LeadCampaign(TypedDict):
    id: str
    """Id of the campaign lead, also called enrollment: this lead in this campaign"""
    campaign_id: str
    """The campaign's id"""
    lead_id: str
    """The lead's id"""
    email: str
    """The lead's address"""
    status: CampaignLeadStatus
    """`pending` until the first email is sent. You can set `active`, `paused`, `completed` and `unsubscribed`"""
    interest: Interest | None
    """Interest, as classified or set by hand; null when unknown"""
    next_attempt_at: str | None
    """When the next step is due; null when nothing is planned. From 1970 to 9999"""
    current_step: int
    """Position of the last step that was sent or done; 0 at first"""
    account_id: str | None
    """Account that emails the lead; null before the first email"""
    hold_reason: CampaignLeadHoldReason | None
    """Why the lead is on hold; null when it is not"""
    hold_detail: str | None
    """More about the hold, for example the missing variables; null without one"""
    stop_reason: str | None
    """Why the sequence ended; null while it has not"""
    attempts: int
    """Attempts to send the current step"""
    last_sent_at: str | None
    """When the last email was sent; null before the first"""
    assignments: list[CampaignLeadAssignment]
    """Variants that the lead was sent, one for each experiment; empty without one"""
    enrolled_at: str
    """When the lead was added to the campaign"""
    updated_at: str
    """When the record last changed"""
    campaign_name: str
    """Name of the campaign"""


class LeadCampaignList(TypedDict):
    data: list[LeadCampaign]
    """The lead in each of its campaigns, the latest first"""


class LeadDetail(TypedDict):
    id: str
    """The lead's id"""
    team_id: str
    """Team that owns the record"""
    email: str
    """Email address, trimmed and in lower case"""
    first_name: str | None
    """First name"""
    last_name: str | None
    """Last name"""
    company: str | None
    """Company"""
    website: str | None
    """Company website"""
    phone: str | None
    """Phone number, in any format"""
    timezone: str | None
    """IANA time zone; replaces the campaign's for this lead"""
    variables: dict[str, str | float | bool]
    """Values for templates, by name"""
    tags: list[str]
    """Tags, in lower case and in the order of the alphabet; at most 20"""
    address: LeadAddress
    """What is known of the address before anybody writes to it"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class LeadDuplicate(TypedDict):
    reasons: list[LeadDuplicateReason]
    """Why they are probably one person, the surest reason first"""
    leads: list[LeadDetail]
    """The leads, oldest first; at most 10"""


class LeadDuplicateList(TypedDict):
    data: list[LeadDuplicate]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    scanned: int
    """Leads that were compared: the newest, 200000 at most"""


class LeadList(TypedDict):
    data: list[Lead]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: str | None
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: bool
    """Whether more records may match than `total` says: a search or filter, and a list of events, counts up to 10,000"""


class LeadPatch(TypedDict):
    first_name: NotRequired[str | None]
    """First name"""
    last_name: NotRequired[str | None]
    """Last name"""
    company: NotRequired[str | None]
    """Company"""
    website: NotRequired[str | None]
    """Company website"""
    phone: NotRequired[str | None]
    """Phone number, in any format"""
    timezone: NotRequired[str | None]
    """IANA time zone; replaces the campaign's for this lead"""
    email: NotRequired[str]
    """Accepted when it is the lead's own; it cannot be changed"""
    variables: NotRequired[dict[str, str | float | bool | None]]
    """Values for templates, by name; merged into the existing ones, and null removes one"""
    tags: NotRequired[list[str]]
    """Tags, which replace those that the lead has"""


class LeadTimeline(TypedDict):
    kind: LeadTimelineKind
    """`written`: an email to the lead, whatever became of it; `received`: an email from it; `changed`: an audit entry"""
    at: str
    """When it happened"""
    campaign_id: str | None
    """Campaign that it belongs to; null for none"""
    subject_id: str
    """Id of the message, task, suppression, campaign lead or changed record"""
    words: str | None
    """What the mail server said, the subject of the task, the reason of the suppression, or the action of the audit entry"""
    message: InboxThreadReply | None
    """The email, for `written`, `bounced` and `received`; null otherwise"""
    actor: str | None
    """Who made the change: a key, a user or the engine; null unless `changed`"""
    before: dict[str, Any] | None
    """The changed fields before; null unless `changed`"""
    after: dict[str, Any] | None
    """The changed fields after; null unless `changed`"""


class LeadTimelineList(TypedDict):
    data: list[LeadTimeline]
    """The latest 500 entries, newest first"""


class LeadView(TypedDict):
    id: str
    """The view's id"""
    team_id: str
    """Team that owns the record"""
    name: str
    """Name in the list of views"""
    filter: str
    """Filter, as the list of leads takes it; empty for all leads"""
    sort: LeadViewSort
    """Order of the leads"""
    columns: list[str]
    """Columns that the console shows beside the address: name, company, website, phone, timezone, tags, status, campaign, interest, last_sent, created, and `variables.<name>`"""
    shared: bool
    """True: the whole team sees it. False: only who made it"""
    author: str
    """Who made it: `user:<id>`, `key:<id>`, `operator`"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class LeadViewCreate(TypedDict):
    name: str
    """Name in the list of views"""
    filter: NotRequired[str]
    """Filter, as the list of leads takes it; empty for all leads"""
    sort: NotRequired[LeadViewSort]
    """Order of the leads"""
    columns: NotRequired[list[str]]
    """Columns that the console shows beside the address: name, company, website, phone, timezone, tags, status, campaign, interest, last_sent, created, and `variables.<name>`"""
    shared: NotRequired[bool]
    """True: the whole team sees it. False: only who made it"""


class LeadViewList(TypedDict):
    data: list[LeadView]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class LeadViewPatch(TypedDict):
    name: NotRequired[str]
    """Name in the list of views"""
    filter: NotRequired[str]
    """Filter, as the list of leads takes it; empty for all leads"""
    sort: NotRequired[LeadViewSort]
    """Order of the leads"""
    columns: NotRequired[list[str]]
    """Columns that the console shows beside the address: name, company, website, phone, timezone, tags, status, campaign, interest, last_sent, created, and `variables.<name>`"""
    shared: NotRequired[bool]
    """True: the whole team sees it. False: only who made it"""


class LoggedRequest(TypedDict):
    id: str
    """`X-Request-Id` of the response"""
    created_at: str
    """When the request was received"""
    method: str
    """HTTP method"""
    path: str
    """Path with the query"""
    status: int
    """HTTP status of the response"""
    duration_ms: int
    """How long it took, in milliseconds"""
    key_id: str
    """Key that made the request"""
    key_name: str | None
    """Name of the key; null when the key no longer exists"""
    request_body: str | None
    """What was sent, as JSON: its first 4,000 characters, without secrets. Null unless the operator has set `request_body_hours`, for keys without `admin`, for files, and for what may contain secrets, such as accounts, keys, and webhooks"""
    response_body: str | None
    """What was returned, as JSON: its first 4,000 characters, without secrets. Null unless the operator has set `request_body_hours`, for keys without `admin`, for files, and for what may contain secrets, such as accounts, keys, and webhooks"""


class LoggedRequestList(TypedDict):
    data: list[LoggedRequest]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class MergeLeadRequest(TypedDict):
    lead_ids: list[str]
    """Leads to merge into this one; they are gone afterwards"""


class MergeLeadResult(TypedDict):
    lead: MergeLeadResultLead
    """The lead that stays, as it is now"""
    merged: int
    """Leads that were merged into it"""
    conflicts: list[MergeLeadResultConflict]
    """Fields of which the leads have different values"""
    stopped: int
    """Sequences that end, because another one to the same person goes on or has ended"""
    suppressed: ImportReason | None
    """Why the address that stays is suppressed, when another of the addresses was; null otherwise"""


class MergeLeadResultLead(TypedDict):
    """The lead that stays, as it is now"""
    id: str
    """The lead's id"""
    team_id: str
    """Team that owns the record"""
    email: str
    """Email address, trimmed and in lower case"""
    first_name: str | None
    """First name"""
    last_name: str | None
    """Last name"""
    company: str | None
    """Company"""
    website: str | None
    """Company website"""
    phone: str | None
    """Phone number, in any format"""
    timezone: str | None
    """IANA time zone; replaces the campaign's for this lead"""
    variables: dict[str, str | float | bool]
    """Values for templates, by name"""
    tags: list[str]
    """Tags, in lower case and in the order of the alphabet; at most 20"""
    address: LeadAddress
    """What is known of the address before anybody writes to it"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class MergeLeadResultConflict(TypedDict):
    field: str
    """Field or variable"""
    kept: str | float | bool
    """Its value in the lead that stays"""
    others: list[str | float | bool]
    """Values that are dropped"""


class MessagePatch(TypedDict):
    read: NotRequired[bool | None]
    """Whether it was read; null for an email that you sent"""
    kind: NotRequired[MessageKind]
    """What a received email is; changing it takes back what the email caused and causes what the new kind does. For a sent email `step`, or `manual` for a reply written by hand"""
    severity: NotRequired[BounceSeverity | None]
    """Whether a bounce is permanent or temporary; null otherwise"""


class MoveSandboxClockRequest(TypedDict):
    """Either `advance` or `speed`"""
    advance: NotRequired[str]
    """How far to move the clock, 1s to 366d"""
    speed: NotRequired[float]
    """Seconds of sandbox time per second; 0 pauses the clock"""


class PatchCampaignResult(TypedDict):
    id: str
    """The campaign's id"""
    team_id: str
    """Team that owns the record"""
    status: CampaignStatus
    """A draft is started once; an active campaign sends; a completed one has nothing left to send"""
    status_reason: CampaignStatusReason | None
    """Why the campaign is paused; null otherwise"""
    name: str
    """Name, shown to your team only"""
    notes: str | None
    """Notes for your team, never part of an email; null for none"""
    stop_on_reply: bool
    """A reply ends the lead's sequence"""
    stop_on_auto_reply: bool
    """An auto-reply ends the lead's sequence, too; otherwise it only pauses it"""
    max_leads_per_day: int
    """New leads to start per local day of the campaign; follow-ups do not count"""
    daily_limit: int | None
    """Emails per local day, follow-ups included; null for no limit"""
    priority: CampaignPriority
    """What goes first when a mailbox cannot send everything that is due"""
    max_per_domain_per_day: int | None
    """Emails per local day to addresses of one domain; null for no limit"""
    stop_company_on_reply: bool
    """A reply ends the sequences of all leads at the same company domain"""
    evergreen: bool
    """Resume the campaign when leads are added after it has completed"""
    rules: list[CampaignRule]
    """Rules that move a lead on to another campaign, one for each event. The lead gets nothing more from this campaign. It stays if it is suppressed, has refused, is or was in that campaign, or is in a third one"""
    risky_addresses: RiskyAddresses
    """What to do with new leads whose address is risky: `send` as to others, `spread` them, so that a mailbox's first emails go to one of them a day, and to at most one in 20, or `hold` them for a person. Leads with an invalid address are always put on hold"""
    provider_matching: CampaignProviderMatching
    """Whether new leads go from mailboxes at their own provider, such as Microsoft's from Microsoft's: `off`, `prefer`, so that a mailbox that has none of its own left takes the others, or `only`, so that they wait for one that can start leads. Leads at a provider that none of these mailboxes is at go from any"""
    account_ids: list[str]
    """Accounts to send from; empty for all of the team's accounts"""
    send_window: CampaignSendWindow
    """Hours of the week in which emails may be sent"""
    tracking: CampaignTracking
    """What to track in sent emails; nothing by default"""
    on_hold: CampaignOnHold
    """Leads that wait for a person, by reason. A campaign does not complete while it has any"""
    started_at: str | None
    """When the campaign was last started or resumed; with `delay_seconds`, when that ends; null for a draft"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""
    in_flight: NotRequired[int]
    """Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop"""
    forecast: NotRequired[AccountCreatedForecast]
    """What the change would do to the emails of the next 7 days. Only in a dry run"""


class PlacementRun(TypedDict):
    id: str
    """The placement run's id"""
    team_id: str
    """Team that owns the record"""
    trigger_type: PlacementRunTriggerType
    """Whether it was started by a request, by a schedule or for poor health"""
    status: PlacementRunStatus
    """`pending` until the first email is sent; `failed` when none of its tests could be made"""
    total_tests: int
    """Tests that have a placement or will get one: the sum of the following five counts"""
    inbox_count: int
    """Emails in the inbox"""
    spam_count: int
    """Emails in spam"""
    promotions_count: int
    """Emails in Gmail's promotions tab"""
    not_delivered_count: int
    """Emails that were not delivered"""
    pending_count: int
    """Tests without a placement yet"""
    failed_count: int
    """Tests without a result, because the email could not be sent or the seed not be read"""
    inbox_rate: float
    """`inbox_count` divided by all tests that have a placement; 0 while none has"""
    inbox_rate_low: float
    """Lower end of its 95% interval (Wilson); 0 while no test has a placement"""
    inbox_rate_high: float
    """Upper end of its 95% interval; 1 while no test has a placement"""
    spam_rate: float
    """`spam_count` divided by all tests that have a placement; 0 while none has"""
    spam_rate_low: float
    """Lower end of its 95% interval (Wilson)"""
    spam_rate_high: float
    """Upper end of its 95% interval"""
    by_provider: dict[str, PlacementRunByProvider]
    """Results by the provider of the seeds"""
    schedule_id: str | None
    """Schedule that started it; null without one"""
    campaign_id: str | None
    """Campaign whose email is tested; null for a neutral text"""
    step_id: str | None
    """Step whose email is tested; null for a neutral text"""
    created_at: str
    """When the record was created"""
    started_at: str | None
    """When the first email was sent; null before"""
    completed_at: str | None
    """When the last test had a result; null before"""
    ends_at: str
    """Until when an email that arrives late corrects its result"""


class PlacementRunByProvider(TypedDict):
    total: int
    """Tests that have a placement"""
    inbox: int
    """Of these, emails in the inbox"""
    spam: int
    """Of these, emails in spam"""
    rate: float
    """`inbox` divided by `total`"""
    rate_low: float
    """Lower end of its 95% interval (Wilson)"""
    rate_high: float
    """Upper end of its 95% interval"""
    spam_rate: float
    """`spam` divided by `total`"""
    spam_rate_low: float
    """Lower end of its 95% interval (Wilson)"""
    spam_rate_high: float
    """Upper end of its 95% interval"""


class PlacementRunCreate(TypedDict):
    """Each account sends one email to each seed, within its limits: that of a step, written to a made-up person, or a neutral text"""
    trigger_type: NotRequired[Literal["manual"]]
    """Runs that you start are manual"""
    account_ids: NotRequired[list[str]]
    """Accounts to test; empty for all that may send now"""
    seed_ids: NotRequired[list[str]]
    """Seeds to send to; empty for all that are not paused"""
    campaign_id: NotRequired[str]
    """Campaign whose email is tested; without one, a neutral text is sent"""
    step_id: NotRequired[str]
    """Step whose email is tested; without one, the first email of the campaign"""
    position: NotRequired[int]
    """Position of the step, in place of `step_id`"""


class PlacementRunCreated(TypedDict):
    id: str
    """The placement run's id"""
    team_id: str
    """Team that owns the record"""
    trigger_type: PlacementRunTriggerType
    """Whether it was started by a request, by a schedule or for poor health"""
    status: PlacementRunStatus
    """`pending` until the first email is sent; `failed` when none of its tests could be made"""
    total_tests: int
    """Tests that have a placement or will get one: the sum of the following five counts"""
    inbox_count: int
    """Emails in the inbox"""
    spam_count: int
    """Emails in spam"""
    promotions_count: int
    """Emails in Gmail's promotions tab"""
    not_delivered_count: int
    """Emails that were not delivered"""
    pending_count: int
    """Tests without a placement yet"""
    failed_count: int
    """Tests without a result, because the email could not be sent or the seed not be read"""
    inbox_rate: float
    """`inbox_count` divided by all tests that have a placement; 0 while none has"""
    inbox_rate_low: float
    """Lower end of its 95% interval (Wilson); 0 while no test has a placement"""
    inbox_rate_high: float
    """Upper end of its 95% interval; 1 while no test has a placement"""
    spam_rate: float
    """`spam_count` divided by all tests that have a placement; 0 while none has"""
    spam_rate_low: float
    """Lower end of its 95% interval (Wilson)"""
    spam_rate_high: float
    """Upper end of its 95% interval"""
    by_provider: dict[str, PlacementRunByProvider]
    """Results by the provider of the seeds"""
    schedule_id: str | None
    """Schedule that started it; null without one"""
    campaign_id: str | None
    """Campaign whose email is tested; null for a neutral text"""
    step_id: str | None
    """Step whose email is tested; null for a neutral text"""
    created_at: str
    """When the record was created"""
    started_at: str | None
    """When the first email was sent; null before"""
    completed_at: str | None
    """When the last test had a result; null before"""
    ends_at: str
    """Until when an email that arrives late corrects its result"""
    results: list[PlacementRunCreatedResult]
    """The result of each test"""


class PlacementRunCreatedResult(TypedDict):
    account_id: str
    """Account that sends"""
    account_email: str
    """Its address"""
    seed_id: str
    """Seed that receives"""
    seed_email: str
    """Its address"""
    seed_provider: SeedProvider
    """Provider of the seed"""
    status: PlacementTestStatus
    """`waiting` until the email is sent, `looking` until it is found"""
    placement: Placement | None
    """Where the email was found; null while unknown"""
    latency_ms: int | None
    """Time from sending to arrival in milliseconds, to the second; null while unknown"""
    tested_at: str | None
    """When the result was known; null before"""
    sent_at: str | None
    """When the email was sent; null before"""
    folder: str | None
    """Folder it was found in; null while unknown"""
    tab: GmailTab | None
    """Tab of Gmail's inbox; null elsewhere"""
    spf: AuthenticationResult | None
    """SPF result that the receiving server noted; null without one"""
    dkim: AuthenticationResult | None
    """DKIM result that the receiving server noted; null without one"""
    dmarc: AuthenticationResult | None
    """DMARC result that the receiving server noted; null without one"""
    one_click_signed: bool | None
    """Whether a DKIM signature covers both one-click unsubscribe headers; null when the email lacks one"""
    error: str | None
    """Why there is no placement, or why the email was not delivered; null otherwise"""


class PlacementRunList(TypedDict):
    data: list[PlacementRun]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: NotRequired[str | None]
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: NotRequired[bool]
    """Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`"""


class PlacementSchedule(TypedDict):
    id: str
    """The schedule's id"""
    team_id: str
    """Team that owns the record"""
    account_ids: list[str]
    """Accounts to test; empty for all that may send then"""
    seed_ids: list[str]
    """Seeds to send to; empty for all that are not paused then"""
    campaign_id: str | None
    """Campaign whose email is tested; null for a neutral text"""
    step_id: str | None
    """Step whose email is tested; null for the first email of the campaign"""
    weekday: Weekday
    """Weekday on which it runs"""
    hour: int
    """Local hour at which it runs"""
    timezone: str
    """IANA time zone of the hour"""
    active: bool
    """Whether it runs"""
    next_run_at: str | None
    """When it runs next; null while it is not active"""
    last_run_id: str | None
    """The last run that it started; null before the first"""
    last_error: str | None
    """Why the last run could not be started; null when it was"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class PlacementScheduleCreate(TypedDict):
    account_ids: NotRequired[list[str]]
    """Accounts to test; empty for all that may send then"""
    seed_ids: NotRequired[list[str]]
    """Seeds to send to; empty for all that are not paused then"""
    campaign_id: NotRequired[str | None]
    """Campaign whose email is tested; null for a neutral text"""
    step_id: NotRequired[str | None]
    """Step whose email is tested; null for the first email of the campaign"""
    weekday: NotRequired[Weekday]
    """Weekday on which it runs"""
    hour: NotRequired[int]
    """Local hour at which it runs"""
    timezone: NotRequired[str]
    """IANA time zone of the hour"""
    active: NotRequired[bool]
    """Whether it runs"""


class PlacementScheduleList(TypedDict):
    data: list[PlacementSchedule]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class PlacementSchedulePatch(TypedDict):
    account_ids: NotRequired[list[str]]
    """Accounts to test; empty for all that may send then"""
    seed_ids: NotRequired[list[str]]
    """Seeds to send to; empty for all that are not paused then"""
    campaign_id: NotRequired[str | None]
    """Campaign whose email is tested; null for a neutral text"""
    step_id: NotRequired[str | None]
    """Step whose email is tested; null for the first email of the campaign"""
    weekday: NotRequired[Weekday]
    """Weekday on which it runs"""
    hour: NotRequired[int]
    """Local hour at which it runs"""
    timezone: NotRequired[str]
    """IANA time zone of the hour"""
    active: NotRequired[bool]
    """Whether it runs"""


class PlacementSeed(TypedDict):
    """A mailbox of your own that placement runs send to and look into"""
    id: str
    """The seed's id"""
    team_id: str
    """Team that owns the record"""
    email: str
    """Address of the mailbox"""
    status: PlacementSeedStatus
    """`paused` leaves it out of runs; `error` means that its login is refused"""
    provider: SeedProvider
    """Provider, by the MX records of its domain"""
    imap: PlacementSeedImap | None
    """Server to read from; preset for known providers. Null when none is set"""
    has_imap_password: bool
    """Whether a password is stored"""
    has_oauth: bool
    """Whether OAuth 2.0 credentials are stored"""
    tabs: bool | None
    """Whether Gmail sorts this inbox into tabs; without them promotions cannot be recognized. Null for other providers, and until an email of a run has arrived"""
    junk_folder: str | None
    """Its spam folder; null until it is found"""
    last_looked_at: str | None
    """When the mailbox was last read; null before"""
    last_error: str | None
    """What went wrong last; null when nothing did"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class PlacementSeedImap(TypedDict):
    host: str
    """Host name or IP address"""
    port: int
    """Port; without one, the usual port for `security`"""
    security: ServerSecurity
    """How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only"""
    username: str
    """Name to log in with; without one, the seed's address"""


class PlacementSeedCreate(TypedDict):
    """In live, credentials are required, and the IMAP server unless the provider is known; in the test environment the address is enough"""
    email: str
    """Address of a mailbox of your own; it can never be a lead"""
    status: NotRequired[PlacementSeedCreateStatus]
    """`paused` leaves it out of runs"""
    imap: NotRequired[PlacementSeedCreateImap | None]
    """Server to read from; known providers need a password only"""
    oauth: NotRequired[PlacementSeedCreateOauth | None]
    """OAuth 2.0 credentials, used in place of a password; write-only"""


class PlacementSeedCreateImap(TypedDict):
    host: NotRequired[str]
    """Host name or IP address"""
    port: NotRequired[int]
    """Port; without one, the usual port for `security`"""
    security: NotRequired[ServerSecurity]
    """How the connection is encrypted; without it, what is usual on the port. `none` is for servers on this machine only"""
    username: NotRequired[str]
    """Name to log in with; without one, the seed's address"""
    password: NotRequired[str | None]
    """Password or app password; write-only"""


class PlacementSeedCreateOauth(TypedDict):
    provider: WorkspaceProvider
    """Provider that issued them"""
    client_id: str
    """Client id registered with the provider"""
    client_secret: str
    """Secret of the client"""
    refresh_token: str
    """Token of the mailbox's owner"""


class PlacementSeedCreated(TypedDict):
    id: str
    """The seed's id"""
    team_id: str
    """Team that owns the record"""
    email: str
    """Address of the mailbox"""
    status: PlacementSeedStatus
    """`paused` leaves it out of runs; `error` means that its login is refused"""
    provider: SeedProvider
    """Provider, by the MX records of its domain"""
    imap: PlacementSeedImap | None
    """Server to read from; preset for known providers. Null when none is set"""
    has_imap_password: bool
    """Whether a password is stored"""
    has_oauth: bool
    """Whether OAuth 2.0 credentials are stored"""
    tabs: bool | None
    """Whether Gmail sorts this inbox into tabs; without them promotions cannot be recognized. Null for other providers, and until an email of a run has arrived"""
    junk_folder: str | None
    """Its spam folder; null until it is found"""
    last_looked_at: str | None
    """When the mailbox was last read; null before"""
    last_error: str | None
    """What went wrong last; null when nothing did"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class PlacementSeedList(TypedDict):
    data: list[PlacementSeed]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class PlacementSeedPatch(TypedDict):
    email: NotRequired[str]
    """Address of a mailbox of your own; it can never be a lead"""
    status: NotRequired[PlacementSeedStatus]
    """`paused` leaves it out of runs; `active` resumes it"""
    imap: NotRequired[PlacementSeedCreateImap | None]
    """Server to read from; known providers need a password only"""
    oauth: NotRequired[PlacementSeedPatchOauth | None]
    """OAuth 2.0 credentials, used in place of a password; write-only"""


class PlacementSeedPatchOauth(TypedDict):
    provider: NotRequired[WorkspaceProvider]
    """Provider that issued them"""
    client_id: NotRequired[str]
    """Client id registered with the provider"""
    client_secret: NotRequired[str]
    """Secret of the client"""
    refresh_token: NotRequired[str]
    """Token of the mailbox's owner"""


class PreviewCampaignRequest(TypedDict):
    step_id: NotRequired[str]
    """Step to render; either this or `position`"""
    position: NotRequired[int]
    """Position of the step to render"""
    lead_id: NotRequired[str]
    """Lead to render the step for; either this or `lead`"""
    lead: NotRequired[PreviewCampaignRequestLead]
    """Person to render the step for, who need not be a lead"""
    subject: NotRequired[str | None]
    """Subject to use in place of the step's"""
    body: NotRequired[str]
    """Body to use in place of the step's"""
    format: NotRequired[CampaignStepFormat | None]
    """What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text"""
    roll: NotRequired[int]
    """Which of the spintax variations to render; 0 is the one that the lead gets"""


class PreviewCampaignRequestLead(TypedDict):
    """Person to render the step for, who need not be a lead"""
    email: NotRequired[str]
    """Email address"""
    first_name: NotRequired[str | None]
    """First name"""
    last_name: NotRequired[str | None]
    """Last name"""
    company: NotRequired[str | None]
    """Company"""
    website: NotRequired[str | None]
    """Company website"""
    phone: NotRequired[str | None]
    """Phone number, in any format"""
    timezone: NotRequired[str | None]
    """IANA time zone; replaces the campaign's for this lead"""
    variables: NotRequired[dict[str, str | float | bool | None]]
    """Values for templates, by name; merged into the existing ones, and null removes one"""


class PreviewCampaignResult(TypedDict):
    step_id: str
    """The step's id"""
    position: int
    """Position of the step, from 1"""
    subject: str | None
    """Rendered subject; null while values are missing"""
    text: str | None
    """Plain-text part; null while values are missing"""
    html: str | None
    """HTML part; null while values are missing"""
    headers: list[PreviewCampaignResultHeader]
    """Headers of the email, except those that every sending makes anew"""
    attachments: list[InboxThreadReplyAttachment]
    """What the email carries; images in its text first"""
    missing: list[str]
    """Variables without a value and without a default in the template; the lead would be put on hold"""


class PreviewCampaignResultHeader(TypedDict):
    name: str
    """Name of the header"""
    value: str
    """Its value"""


class PreviewImportResult(TypedDict):
    format: FileFormat
    """Format of the file"""
    encoding: ImportEncoding | None
    """Character encoding of the file; null before it is known"""
    delimiter: str | None
    """Character between two values; null for NDJSON and JSON"""
    columns: list[ImportColumn] | None
    """What each column is read as; null for NDJSON and JSON"""
    rows: list[list[str]]
    """The first 20 rows, without headings"""


class ProviderFigures(TypedDict):
    account_id: str
    """The account"""
    provider: SeedProvider
    """Who runs the recipients' servers; `custom`: anybody else, or not known"""
    attempts: int
    """Attempts: accepted, deferred, and refused"""
    accepted: int
    """Emails that were accepted"""
    deferred: int
    """Attempts that were deferred; they are made again"""
    refused: int
    """Attempts that were refused"""
    bounced: int
    """Of these days' emails, those that bounced"""
    replied: int
    """Of these days' emails, those that got a reply"""
    placed: ProviderFiguresPlaced
    """Placement tests at the provider in these days"""
    refused_by: list[AccountRefusedBy]
    """What is stopped now, until when, and why; `POST /accounts/{id}/test` tries again right away"""


class ProviderFiguresPlaced(TypedDict):
    """Placement tests at the provider in these days"""
    total: int
    """Test emails whose folder is known"""
    inbox: int
    """Those of them in the inbox"""


ProviderFiguresList = TypedDict(
    "ProviderFiguresList",
    {
        # First day
        "from": "str",
        # Last day
        "to": "str",
        # One line for each account and provider, accounts oldest first
        "data": "list[ProviderFigures]",
    },
)


class ReplayWebhookRequest(TypedDict):
    since: NotRequired[str]
    """Only events created at or after this time. From 1970 to 9999"""
    until: NotRequired[str]
    """Only events created before this time. From 1970 to 9999"""
    after: NotRequired[int]
    """Only events after this `seq`; pass the `last_seq` of the previous call"""
    types: NotRequired[list[EventType]]
    """Only events of these kinds"""
    all: NotRequired[bool]
    """Send what was delivered already, too; otherwise only what failed, is waiting or was never queued"""


class ReplayWebhookResult(TypedDict):
    replayed: int
    """Events that are sent again"""
    last_seq: int
    """`seq` of the last event that was considered"""
    hasMore: bool
    """Whether there are more; call again with `after`"""


class ReplyToInboxThreadRequest(TypedDict):
    body: str
    """Plain text or HTML, sent as it is"""
    subject: NotRequired[str]
    """Subject; without one, the conversation's with \"Re:\""""
    cc: NotRequired[list[str]]
    """Addresses that get a copy, named in the email"""
    bcc: NotRequired[list[str]]
    """Addresses that get a copy without being named"""
    attachment_ids: NotRequired[list[str]]
    """Files that it carries, of `/files`; 10 MB at most in all"""


class ResolveCampaignLeadRequest(TypedDict):
    action: UnconfirmedAction
    """Whether the unconfirmed email counts as sent or is sent again"""
    message_id: NotRequired[str]
    """Which email; required when several are unconfirmed"""


class ResolveMessageRequest(TypedDict):
    action: UnconfirmedAction
    """Whether the unconfirmed email counts as sent or is sent again"""


class RestoreBackupRequest(TypedDict):
    passphrase: NotRequired[str | None]
    """Passphrase of an encrypted backup; without one, the configured one"""
    without_key: NotRequired[bool]
    """Restore a backup that needs another master key and does not contain it"""


class RotateKeyRequest(TypedDict):
    grace_seconds: NotRequired[int]
    """Seconds for which the old key keeps working"""


class RotateWebhookSecretRequest(TypedDict):
    overlap_seconds: NotRequired[int]
    """Seconds during which the previous secret signs, too"""


class RunBatchRequest(TypedDict):
    operations: list[RunBatchRequestOperation]
    """The requests, carried out in this order"""
    atomic: NotRequired[bool]
    """Whether the first operation that fails undoes all of them; false undoes it alone, and the others stay. True if left out"""


class RunBatchRequestOperation(TypedDict):
    """One request of the batch"""
    method: BatchOperationMethod
    """HTTP method"""
    path: str
    """Path below `/api/v1`, with its query; it may contain references"""
    body: NotRequired[Any]
    """Body of the request; a string that is a reference as a whole becomes the id"""
    if_match: NotRequired[str]
    """The request's `If-Match` header, in ASCII"""
    ref: NotRequired[str]
    """Name for this operation, by which later ones refer to ids in its response, such as `{campaign.id}`"""


class RunBatchResult(TypedDict):
    failed: int
    """Operations that were refused; 0 unless `atomic` is false"""
    results: list[RunBatchResultResult]
    """One for each operation, in the same order"""


class RunBatchResultResult(TypedDict):
    """What one operation returned"""
    ref: str | None
    """Name of the operation; null without one"""
    status: int
    """HTTP status of the response"""
    headers: dict[str, str]
    """Headers of the response, such as `ETag` and `Location`"""
    body: Any
    """Body of the response, or the error; null where there is none"""


class SandboxClock(TypedDict):
    now: str
    """Current time of the test environment"""
    speed: float
    """Seconds of sandbox time per second; 0 pauses the clock"""
    advancing: bool
    """Whether the clock is being moved"""


class SandboxMessage(TypedDict):
    id: str
    """Id of the captured message"""
    team_id: str
    """Team that owns the record"""
    account_id: str
    """Account that sent it"""
    message_id: str
    """`Message-ID` header with its angle brackets"""
    sender: str
    """Address of the sender"""
    recipient: str
    """Address of the recipient"""
    subject: str
    """Subject"""
    verdict: SandboxMessageVerdict
    """Where the simulated server put it"""
    size: int
    """Size in bytes"""
    sent_at: str
    """When it was sent, by the sandbox clock"""


class SandboxMessageDetail(TypedDict):
    id: str
    """Id of the captured message"""
    team_id: str
    """Team that owns the record"""
    account_id: str
    """Account that sent it"""
    message_id: str
    """`Message-ID` header with its angle brackets"""
    sender: str
    """Address of the sender"""
    recipient: str
    """Address of the recipient"""
    subject: str
    """Subject"""
    verdict: SandboxMessageVerdict
    """Where the simulated server put it"""
    size: int
    """Size in bytes"""
    sent_at: str
    """When it was sent, by the sandbox clock"""
    headers: list[SandboxMessageDetailHeader]
    """All headers, in order"""
    text: str
    """Plain-text part"""
    html: str | None
    """HTML part; null without one"""


class SandboxMessageDetailHeader(TypedDict):
    name: str
    """Name of the header"""
    value: str
    """Its value"""


class SandboxMessageList(TypedDict):
    data: list[SandboxMessage]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: str | None
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: NotRequired[bool]
    """Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`"""


class SandboxSettings(TypedDict):
    seed: int
    """Seed of the simulation; the same seed gives the same people"""
    rates: SandboxSettingsRates
    """Shares of emails, 0 to 1, that people react to in each way"""
    delays: SandboxSettingsDelays
    """How long people take to react"""
    faults: SandboxSettingsFaults
    """Shares of attempts, 0 to 1, at which a server fails"""
    effects: list[SandboxSettingsEffect]
    """Other rates for emails that contain a text; the first one that matches applies"""
    blocks: list[SandboxSettingsBlock]
    """Providers that refuse email from the team's mailboxes for a while"""


class SandboxSettingsRates(TypedDict):
    """Shares of emails, 0 to 1, that people react to in each way"""
    reply: float
    """Share that gets a reply"""
    interested: float
    """Share that gets an interested reply"""
    auto_reply: float
    """Share that gets an out-of-office reply"""
    hard_bounce: float
    """Share that bounces because the address does not exist"""
    soft_bounce: float
    """Share that bounces temporarily"""
    complaint: float
    """Share that is reported as spam"""
    unsubscribe: float
    """Share whose reader unsubscribes"""
    spam: float
    """Share that is filed as spam, where no one reads it"""


class SandboxSettingsDelays(TypedDict):
    """How long people take to react"""
    reply: SandboxSettingsDelaysReply
    """Time until a reply"""
    interested: SandboxSettingsDelaysReply
    """Time until an interested reply"""
    auto_reply: SandboxSettingsDelaysReply
    """Time until an out-of-office reply"""
    hard_bounce: SandboxSettingsDelaysReply
    """Time until a permanent bounce"""
    soft_bounce: SandboxSettingsDelaysReply
    """Time until a temporary bounce"""
    complaint: SandboxSettingsDelaysReply
    """Time until a complaint"""
    unsubscribe: SandboxSettingsDelaysReply
    """Time until an opt-out"""


class SandboxSettingsDelaysReply(TypedDict):
    """Time until a reply"""
    min_seconds: int
    """Shortest time, in seconds"""
    max_seconds: int
    """Longest time, in seconds"""


class SandboxSettingsFaults(TypedDict):
    """Shares of attempts, 0 to 1, at which a server fails"""
    smtp421: float
    """Share at which the server responds with 421 and hangs up"""
    smtp450: float
    """Share at which it responds with 450, to try later"""
    smtp550: float
    """Share at which it responds with 550, for good"""
    timeout: float
    """Share at which it does not respond"""
    cut: float
    """Share at which the connection breaks after the email, whether or not it was accepted"""
    imap: float
    """Share at which the mailbox cannot be read"""
    auth_failures: list[str]
    """Accounts whose login is refused"""


class SandboxSettingsEffect(TypedDict):
    contains: str
    """Text in the subject or the body, in upper or lower case"""
    rates: SandboxSettingsEffectRates
    """Shares of emails, 0 to 1, that people react to in each way"""


class SandboxSettingsEffectRates(TypedDict):
    """Shares of emails, 0 to 1, that people react to in each way"""
    reply: NotRequired[float]
    """Share that gets a reply"""
    interested: NotRequired[float]
    """Share that gets an interested reply"""
    auto_reply: NotRequired[float]
    """Share that gets an out-of-office reply"""
    hard_bounce: NotRequired[float]
    """Share that bounces because the address does not exist"""
    soft_bounce: NotRequired[float]
    """Share that bounces temporarily"""
    complaint: NotRequired[float]
    """Share that is reported as spam"""
    unsubscribe: NotRequired[float]
    """Share whose reader unsubscribes"""
    spam: NotRequired[float]
    """Share that is filed as spam, where no one reads it"""


SandboxSettingsBlock = TypedDict(
    "SandboxSettingsBlock",
    {
        # Who runs the recipients' servers; `custom`: anybody else
        "provider": "SeedProvider",
        # `refuse`: the provider has the sender on its block list. `throttle`: it asks to try later
        "kind": "SandboxBlockKind",
        # When it begins, by the sandbox clock
        "from": "str",
        # When it ends
        "until": "str",
    },
)


class SandboxSettingsPatch(TypedDict):
    seed: NotRequired[int]
    """Seed of the simulation; the same seed gives the same people"""
    rates: NotRequired[SandboxSettingsEffectRates]
    """Shares of emails, 0 to 1, that people react to in each way"""
    delays: NotRequired[SandboxSettingsPatchDelays]
    """How long people take to react"""
    faults: NotRequired[SandboxSettingsPatchFaults]
    """Shares of attempts, 0 to 1, at which a server fails"""
    effects: NotRequired[list[SandboxSettingsPatchEffect]]
    """Other rates for emails that contain a text; the first one that matches applies"""
    blocks: NotRequired[list[SandboxSettingsBlock]]
    """Providers that refuse email from the team's mailboxes for a while"""


class SandboxSettingsPatchDelays(TypedDict):
    """How long people take to react"""
    reply: NotRequired[SandboxSettingsPatchDelaysReply]
    """Time until a reply"""
    interested: NotRequired[SandboxSettingsPatchDelaysReply]
    """Time until an interested reply"""
    auto_reply: NotRequired[SandboxSettingsPatchDelaysReply]
    """Time until an out-of-office reply"""
    hard_bounce: NotRequired[SandboxSettingsPatchDelaysReply]
    """Time until a permanent bounce"""
    soft_bounce: NotRequired[SandboxSettingsPatchDelaysReply]
    """Time until a temporary bounce"""
    complaint: NotRequired[SandboxSettingsPatchDelaysReply]
    """Time until a complaint"""
    unsubscribe: NotRequired[SandboxSettingsPatchDelaysReply]
    """Time until an opt-out"""


class SandboxSettingsPatchDelaysReply(TypedDict):
    """Time until a reply"""
    min_seconds: NotRequired[int]
    """Shortest time, in seconds"""
    max_seconds: NotRequired[int]
    """Longest time, in seconds"""


class SandboxSettingsPatchFaults(TypedDict):
    """Shares of attempts, 0 to 1, at which a server fails"""
    smtp421: NotRequired[float]
    """Share at which the server responds with 421 and hangs up"""
    smtp450: NotRequired[float]
    """Share at which it responds with 450, to try later"""
    smtp550: NotRequired[float]
    """Share at which it responds with 550, for good"""
    timeout: NotRequired[float]
    """Share at which it does not respond"""
    cut: NotRequired[float]
    """Share at which the connection breaks after the email, whether or not it was accepted"""
    imap: NotRequired[float]
    """Share at which the mailbox cannot be read"""
    auth_failures: NotRequired[list[str]]
    """Accounts whose login is refused"""


class SandboxSettingsPatchEffect(TypedDict):
    contains: str
    """Text in the subject or the body, in upper or lower case"""
    rates: SandboxSettingsEffectRates
    """Shares of emails, 0 to 1, that people react to in each way"""


class SendTestCampaignStepRequest(TypedDict):
    to: str
    """Address to send it to, for example your own"""
    lead_id: NotRequired[str]
    """Lead to render the step for; without one, a sample lead that has a value for every variable"""


SendTestCampaignStepResult = TypedDict(
    "SendTestCampaignStepResult",
    {
        # The step's id
        "step_id": "str",
        # Position of the step, from 1
        "position": "int",
        # Address of the mailbox that sent it
        "from": "str",
        # Address that it was sent to
        "to": "str",
        # The email's `Message-ID` header
        "message_id": "str",
        # `unknown`: the connection broke before the server confirmed the email
        "status": "TestEmailStatus",
        # What the mail server said, or why it could not be reached
        "response": "str",
    },
)


class SetAccountDkimRequest(TypedDict):
    selector: str
    """Name of the key in DNS"""


class SetBillingLicenseRequest(TypedDict):
    licence: str
    """License key as issued; it begins with \"key/\""""


class ShareExperimentRequest(TypedDict):
    expires_in_days: NotRequired[int]
    """Days until the link stops working"""
    includes_texts: NotRequired[bool]
    """Whether the report shows the subjects and bodies of the variants"""


class ShareExperimentResult(TypedDict):
    url: str
    """Address of the report, which needs no sign-in; its JSON is at `/report.json` below it. Without `public_url`, the path on this server"""
    includes_texts: bool
    """Whether the report shows the subjects and bodies of the variants"""
    expires_at: str
    """When the link stops working"""
    created_at: str
    """When the link was made"""


class StartCampaignRequest(TypedDict):
    delay_seconds: NotRequired[int]
    """Seconds before the first email, in which pausing the campaign takes the start back"""


class StartSandboxDemoRequest(TypedDict):
    leads: NotRequired[int]
    """Leads in all of its campaigns"""


class StartSandboxDemoResult(TypedDict):
    accounts: int
    """Accounts created"""
    campaigns: int
    """Campaigns started"""
    leads: int
    """Leads imported"""


Stats = TypedDict(
    "Stats",
    {
        # First day of the period
        "from": "str",
        # Last day of the period
        "to": "str",
        # IANA time zone of the days
        "timezone": "str",
        # Sums over all days
        "totals": "StatsTotals",
        # Every day of the period, oldest first
        "days": "list[StatsDay]",
        # Replies by weekday, Monday first, and local hour, 0 to 23
        "reply_hours": "list[list[int]]",
    },
)


class StatsTotals(TypedDict):
    """Sums over all days"""
    sent: int
    """Emails of sequences that were sent"""
    contacted: int
    """Leads that were emailed for the first time in their campaign"""
    contacted_replied: int
    """Of these leads, those that have replied since; divided by `contacted`, their reply rate"""
    replied: int
    """Leads that replied, on the day of their first reply"""
    positive: int
    """Conversations of that day with the interest `interested` or `meeting`"""
    bounced: int
    """Emails that bounced, on the day of the bounce"""
    unsubscribed: int
    """Leads that opted out of a campaign"""
    opened: int
    """Emails opened by a person for the first time, where opens are tracked"""
    clicked: int
    """Emails with a first click by a person, where clicks are tracked"""


class StatsDay(TypedDict):
    date: str
    """Local date in `timezone`"""
    sent: int
    """Emails of sequences that were sent"""
    contacted: int
    """Leads that were emailed for the first time in their campaign"""
    contacted_replied: int
    """Of these leads, those that have replied since; divided by `contacted`, their reply rate"""
    replied: int
    """Leads that replied, on the day of their first reply"""
    positive: int
    """Conversations of that day with the interest `interested` or `meeting`"""
    bounced: int
    """Emails that bounced, on the day of the bounce"""
    unsubscribed: int
    """Leads that opted out of a campaign"""
    opened: int
    """Emails opened by a person for the first time, where opens are tracked"""
    clicked: int
    """Emails with a first click by a person, where clicks are tracked"""


class StoredFile(TypedDict):
    id: str
    """The file's id"""
    team_id: str
    """Team that owns the record"""
    name: str
    """Name that the recipient sees, without its path and without invisible characters"""
    media_type: str
    """Media type, by the ending of its name"""
    bytes: int
    """Size in bytes"""
    sha256: str
    """SHA-256 of its content in lower-case hexadecimal"""
    created_at: str
    """When the record was created"""
    uses: NotRequired[list[StoredFileUse]]
    """What needs the file, which can't be deleted meanwhile, the first ten; only in a list that asks for it by `include`"""


class StoredFileUse(TypedDict):
    type: StoredFileUseType
    """A step that attaches or shows the file, a variant under test, or a mailbox whose signature shows it"""
    id: str
    """Campaign of the step or the variant, or the mailbox"""
    name: str
    """The campaign's name, or the mailbox's address"""
    step_position: int | None
    """Position of the step; null for a signature"""


class StoredFileList(TypedDict):
    data: list[StoredFile]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    bytes: int
    """Size of all the team's files in bytes, 512 MB at most"""


class SubscribeToPlanRequest(TypedDict):
    plan: PaidPlan
    """Plan to subscribe to"""


class SubscribeToPlanResult(TypedDict):
    url: str
    """Page to open in a browser"""


class Suppression(TypedDict):
    id: str
    """The suppression's id"""
    team_id: str
    """Team that owns the record"""
    email_hash: str
    """SHA-256 of the address in lower case, in hexadecimal"""
    email: str | None
    """The address or `@domain`; null after the lead was erased, or where a restore knows only the hash"""
    reason: ImportReason
    """Why it is suppressed"""
    created_at: str
    """When the record was created"""


class SuppressionCheck(TypedDict):
    suppressed: bool
    """Whether the address is suppressed"""
    match: SuppressionCheckMatch | None
    """Whether the address itself or its domain is; null when neither is"""
    reason: ImportReason | None
    """Reason of the suppression; null without one"""


class SuppressionCreate(TypedDict):
    email: str
    """Address, or `@example.com` for a domain without its subdomains"""
    reason: NotRequired[ImportReason]
    """Why it is suppressed"""


class SuppressionList(TypedDict):
    data: list[Suppression]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: NotRequired[str | None]
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: NotRequired[bool]
    """Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`"""


class SystemStatus(TypedDict):
    version: str
    """Version of the program"""
    commit: str
    """Commit that it was built from"""
    bun: str
    """Version of Bun inside"""
    started_at: str
    """When the server started"""
    uptime_seconds: float
    """Seconds since then"""
    schema_version: int
    """Version of the database schema"""
    data_directory: str
    """Directory that all data is stored in"""
    disk: SystemStatusDisk
    """Disk of the data directory"""
    memory: SystemStatusMemory
    """Memory of the process"""
    cpu_seconds: float
    """Processor time used, in seconds"""
    live: SystemStatusLive
    """The live environment"""
    test: SystemStatusLive
    """The test environment"""
    checks: list[SystemStatusCheck]
    """Results of the installation's checks"""


class SystemStatusDisk(TypedDict):
    """Disk of the data directory"""
    free_bytes: int
    """Free space in bytes"""
    total_bytes: int
    """Size in bytes"""


class SystemStatusMemory(TypedDict):
    """Memory of the process"""
    resident_bytes: int
    """Resident memory in bytes"""
    heap_bytes: int
    """Heap in bytes"""


class SystemStatusLive(TypedDict):
    """The live environment"""
    database_bytes: int
    """Size of the database in bytes"""
    wal_bytes: int
    """Size of its write-ahead log in bytes"""
    queues: SystemStatusLiveQueues
    """What is due now"""
    workers: list[SystemStatusLiveWorker]
    """The workers"""
    watches: int
    """Mailboxes that are watched over an open connection"""


class SystemStatusLiveQueues(TypedDict):
    """What is due now"""
    sends: int
    """Mailboxes with emails to send"""
    polls: int
    """Mailboxes to read"""
    deliveries: int
    """Webhook deliveries"""
    copies: int
    """Copies of sent emails to store"""


class SystemStatusLiveWorker(TypedDict):
    name: str
    """Name of the worker"""
    runs: int
    """Runs since the start"""
    busy_seconds: float
    """Seconds spent in them"""
    last_run_at: str | None
    """When it last ran; null before"""
    faults: int
    """Runs that ended with an error"""
    last_fault_at: str | None
    """When one last did; null when none has"""
    last_fault: str | None
    """That error; null when there was none"""


class SystemStatusCheck(TypedDict):
    check: str
    """What was checked"""
    verdict: CheckVerdict
    """The result"""
    detail: str
    """What was found, and how to fix it"""


class TagCampaignsRequest(TypedDict):
    ids: list[str]
    """Records to change"""
    add: NotRequired[list[str]]
    """Tags to add"""
    remove: NotRequired[list[str]]
    """Tags to remove"""


class TagCampaignsResult(TypedDict):
    data: list[CampaignTag]
    """The records, with the tags that they have now"""


class Task(TypedDict):
    id: str
    """The task's id"""
    team_id: str
    """Team that owns the record"""
    campaign_id: str
    """Campaign that the task belongs to"""
    lead_id: str
    """Lead that the task is about"""
    enrollment_id: str
    """Id of the campaign lead"""
    step_id: str
    """Step that the task is"""
    email: str
    """The lead's address"""
    lead_status: CampaignLeadStatus
    """The lead's status in the campaign"""
    subject: str | None
    """What to do, with the lead's values"""
    body: str | None
    """Details, with the lead's values"""
    done: bool
    """Whether the task is done, after which the lead continues; cannot be undone"""
    skipped: bool
    """Whether the task was skipped, after which the lead continues, and which counts as done; cannot be undone"""
    note: str | None
    """Note for your team"""
    created_at: str
    """When the record was created"""
    done_at: str | None
    """When the task was done or skipped; null before"""


class TaskList(TypedDict):
    data: list[Task]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: str | None
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: NotRequired[bool]
    """Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`"""


class TaskPatch(TypedDict):
    done: NotRequired[bool]
    """Whether the task is done, after which the lead continues; cannot be undone"""
    skipped: NotRequired[bool]
    """Whether the task was skipped, after which the lead continues, and which counts as done; cannot be undone"""
    note: NotRequired[str | None]
    """Note for your team"""


class Team(TypedDict):
    id: str
    """The team's id"""
    name: str
    """Name of the team"""
    postal_address: str | None
    """Postal address, shown in the footer of every email"""
    footer: bool
    """Append postal address and unsubscribe link to emails whose body has no unsubscribe link"""
    unsubscribe_text: str | None
    """Plain text of the unsubscribe link in that footer, the same for everyone. Null for our word in the recipient's language: that of the lead's variable `language` (a BCP 47 tag such as `pt-BR`), else of the country that the address's domain belongs to, else the team's"""
    language: Language
    """Language of our own words to recipients whose language isn't known, and of the test emails that a mailbox sends to itself"""
    tracking_host: str | None
    """Host name of tracked links; null for the installation's own. It has to reach this server over https, and serves this team alone"""
    interest_words: TeamInterestWords
    """Phrases of replies that show interest, in any language, by what they mean. They take precedence over the built-in ones; case and accents are ignored, and a negation before a positive one counts"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class TeamInterestWords(TypedDict):
    """Phrases of replies that show interest, in any language, by what they mean. They take precedence over the built-in ones; case and accents are ignored, and a negation before a positive one counts"""
    interested: list[str]
    """Phrases that mean interest"""
    not_interested: list[str]
    """Phrases that mean no interest"""
    neutral: list[str]
    """Phrases that mean neither"""
    meeting: list[str]
    """Phrases that mean a meeting"""


class TeamInvitation(TypedDict):
    id: str
    """The invitation's id"""
    team_id: str
    """Team that owns the record"""
    email: str
    """Address that is invited"""
    role: Role
    """`owner` and `admin` may do everything, except that admins cannot change owners; `member` may do everything but keys, billing and people; `viewer` may only read"""
    invited_by: str
    """Who sent the invitation, as in the audit log"""
    created_at: str
    """When the record was created"""
    expires_at: str
    """When the link expires"""


class TeamInvitationCreate(TypedDict):
    email: str
    """Address to invite"""
    role: Role
    """`owner` and `admin` may do everything, except that admins cannot change owners; `member` may do everything but keys, billing and people; `viewer` may only read"""


class TeamInvitationCreated(TypedDict):
    url: str
    """Link for the invited person; it works once and is shown only now. Without `public_url`, the path on this server"""
    id: str
    """The invitation's id"""
    team_id: str
    """Team that owns the record"""
    email: str
    """Address that is invited"""
    role: Role
    """`owner` and `admin` may do everything, except that admins cannot change owners; `member` may do everything but keys, billing and people; `viewer` may only read"""
    invited_by: str
    """Who sent the invitation, as in the audit log"""
    created_at: str
    """When the record was created"""
    expires_at: str
    """When the link expires"""


class TeamInvitationList(TypedDict):
    data: list[TeamInvitation]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class TeamMember(TypedDict):
    id: str
    """The member's id"""
    team_id: str
    """Team that owns the record"""
    name: str
    """Name"""
    email: str
    """Address to sign in with"""
    role: Role
    """`owner` and `admin` may do everything, except that admins cannot change owners; `member` may do everything but keys, billing and people; `viewer` may only read"""
    operator: bool
    """Whether the member also runs the installation: its backups and its state"""
    created_at: str
    """When the member joined"""
    signed_in_at: str | None
    """When the member last signed in; null before"""


class TeamMemberList(TypedDict):
    data: list[TeamMember]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class TeamMemberPatch(TypedDict):
    role: NotRequired[Role]
    """`owner` and `admin` may do everything, except that admins cannot change owners; `member` may do everything but keys, billing and people; `viewer` may only read"""


class TeamPatch(TypedDict):
    name: NotRequired[str]
    """Name of the team"""
    postal_address: NotRequired[str | None]
    """Postal address, shown in the footer of every email"""
    footer: NotRequired[bool]
    """Append postal address and unsubscribe link to emails whose body has no unsubscribe link"""
    unsubscribe_text: NotRequired[str | None]
    """Plain text of the unsubscribe link in that footer, the same for everyone. Null for our word in the recipient's language: that of the lead's variable `language` (a BCP 47 tag such as `pt-BR`), else of the country that the address's domain belongs to, else the team's"""
    language: NotRequired[Language]
    """Language of our own words to recipients whose language isn't known, and of the test emails that a mailbox sends to itself"""
    tracking_host: NotRequired[str | None]
    """Host name of tracked links; null for the installation's own. It has to reach this server over https, and serves this team alone"""
    interest_words: NotRequired[TeamPatchInterestWords]
    """Phrases of replies that show interest, in any language, by what they mean. They take precedence over the built-in ones; case and accents are ignored, and a negation before a positive one counts"""


class TeamPatchInterestWords(TypedDict):
    """Phrases of replies that show interest, in any language, by what they mean. They take precedence over the built-in ones; case and accents are ignored, and a negation before a positive one counts"""
    interested: NotRequired[list[str]]
    """Phrases that mean interest"""
    not_interested: NotRequired[list[str]]
    """Phrases that mean no interest"""
    neutral: NotRequired[list[str]]
    """Phrases that mean neither"""
    meeting: NotRequired[list[str]]
    """Phrases that mean a meeting"""


class TestAccountRequest(TypedDict):
    send: NotRequired[bool]
    """Send an email from the mailbox to itself, which counts against its limits"""


class TestAccountResult(TypedDict):
    ok: bool
    """Whether no step failed"""
    steps: list[TestAccountResultStep]
    """What was tried, in order"""
    smtp: TestAccountResultSmtp
    """The server to send through"""
    imap: TestAccountResultSmtp
    """The server to read from"""
    account: Account


class TestAccountResultStep(TypedDict):
    step: AccountTestStep
    """What was tried"""
    ok: bool | None
    """Whether it worked; null when it was not tried or is not known yet"""
    message: str
    """What happened"""
    remedy: str | None
    """How to fix it; null when nothing is wrong"""
    ms: int
    """How long it took, in milliseconds"""


class TestAccountResultSmtp(TypedDict):
    """The server to send through"""
    ok: bool
    """Whether the server works"""
    error: str | None
    """What went wrong; null when it works"""


class TestPlacementSeedResult(TypedDict):
    ok: bool
    """Whether the mailbox can be read"""
    error: str | None
    """What went wrong; null when it works"""
    login_refused: bool
    """Whether the login was refused"""
    seed: PlacementSeed


class TestWebhookResult(TypedDict):
    id: str
    """The delivery's id"""
    webhook_id: str
    """The webhook's id"""
    event_id: str
    """The event's id"""
    event_type: EventType
    """Kind of the event"""
    seq: int
    """`seq` of the event"""
    status: ErasureWebhookStatus
    """Status of the delivery"""
    attempt_count: int
    """Attempts so far"""
    next_attempt_at: str | None
    """When it is tried next; null when it has ended"""
    last_status: int | None
    """HTTP status of the last response; null without one"""
    last_error: DeliveryError | None
    """Why the last attempt failed; null when it did not"""
    created_at: str
    """When the record was created"""
    ended_at: str | None
    """When it was delivered or given up; null before"""
    payload: Event
    attempts: list[TestWebhookResultAttempt]
    """Every attempt, oldest first"""


class TestWebhookResultAttempt(TypedDict):
    number: int
    """Number of the attempt, from 1"""
    started_at: str
    """When it began"""
    duration_ms: int
    """How long it took, in milliseconds"""
    status: int | None
    """HTTP status of the response; null without one"""
    error: DeliveryError | None
    """Why it failed; null when it did not"""
    response: str | None
    """Beginning of the response's body, without control characters; null without one"""


class UpsertLeadsRequest(TypedDict):
    leads: list[UpsertLeadsRequestLead]
    """Leads, by their addresses. Fields that you leave out don't change"""


class UpsertLeadsRequestLead(TypedDict):
    email: str
    """Email address"""
    first_name: NotRequired[str | None]
    """First name"""
    last_name: NotRequired[str | None]
    """Last name"""
    company: NotRequired[str | None]
    """Company"""
    website: NotRequired[str | None]
    """Company website"""
    phone: NotRequired[str | None]
    """Phone number, in any format"""
    timezone: NotRequired[str | None]
    """IANA time zone; replaces the campaign's for this lead"""
    variables: NotRequired[dict[str, str | float | bool | None]]
    """Values for templates, by name; merged into the existing ones, and null removes one"""
    tags: NotRequired[list[str]]
    """Tags to add"""


class UpsertLeadsResult(TypedDict):
    created: int
    """Leads that are new"""
    data: list[LeadDetail]
    """The leads as they are now, in the order of the request"""


class VerifyBackupRequest(TypedDict):
    passphrase: NotRequired[str | None]
    """Passphrase of an encrypted backup; without one, the configured one"""


class Webhook(TypedDict):
    id: str
    """The webhook's id"""
    team_id: str
    """Team that owns the record"""
    url: str
    """Address that events are sent to by POST: https, and no private address"""
    name: str | None
    """Name of your choice; null without one"""
    events: list[str]
    """Events that are sent: kinds, families or all (`*`)"""
    campaign_ids: list[str] | None
    """Only events of these campaigns; events that belong to no campaign aren't sent. Null for all events"""
    include: list[WebhookInclude]
    """Records that every delivery carries under `included`; each needs the scope to read it"""
    headers: dict[str, str]
    """Headers of your own that every delivery carries, such as a token of your gateway: up to 10. Values are never shown again: responses have `…` in their place, and sending `…` back keeps them"""
    secret: str
    """Secret that signs every delivery; masked but for its last four characters, unless the key may write webhooks"""
    previous_secret_expires_at: str | None
    """Until when the previous secret signs, too; null when it no longer does"""
    active: bool
    """Whether events are sent"""
    disabled_reason: WebhookDisabledReason | None
    """Why it was disabled automatically; null otherwise"""
    disabled_at: str | None
    """When it was disabled automatically; null otherwise"""
    consecutive_failures: int
    """Failed attempts since the last success"""
    failing_since: str | None
    """When the first of them failed; null without any"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class WebhookCreate(TypedDict):
    url: str
    """Address that events are sent to by POST: https, and no private address"""
    name: NotRequired[str | None]
    """Name of your choice; null without one"""
    events: NotRequired[list[EventPattern]]
    """Events to send: kinds (`email.sent`), families (`email.*`) or all (`*`)"""
    campaign_ids: NotRequired[list[str] | None]
    """Only events of these campaigns; events that belong to no campaign aren't sent. Null for all events"""
    include: NotRequired[list[WebhookInclude]]
    """Records that every delivery carries under `included`; each needs the scope to read it"""
    headers: NotRequired[dict[str, str]]
    """Headers of your own that every delivery carries, such as a token of your gateway: up to 10. Values are never shown again: responses have `…` in their place, and sending `…` back keeps them"""
    secret: NotRequired[str]
    """Secret that signs every delivery: `whsec_` and 24 to 64 bytes in base64. Without one, it is generated"""
    active: NotRequired[bool]
    """Whether to send events"""


class WebhookDelivery(TypedDict):
    id: str
    """The delivery's id"""
    webhook_id: str
    """The webhook's id"""
    event_id: str
    """The event's id"""
    event_type: EventType
    """Kind of the event"""
    seq: int
    """`seq` of the event"""
    status: ErasureWebhookStatus
    """Status of the delivery"""
    attempt_count: int
    """Attempts so far"""
    next_attempt_at: str | None
    """When it is tried next; null when it has ended"""
    last_status: int | None
    """HTTP status of the last response; null without one"""
    last_error: DeliveryError | None
    """Why the last attempt failed; null when it did not"""
    created_at: str
    """When the record was created"""
    ended_at: str | None
    """When it was delivered or given up; null before"""


class WebhookDeliveryList(TypedDict):
    data: list[WebhookDelivery]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""
    next_cursor: str | None
    """Pass it as `after` to get the next page; null on the last one"""
    total_is_capped: NotRequired[bool]
    """Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`"""


class WebhookList(TypedDict):
    data: list[Webhook]
    """The records of this page"""
    total: int
    """Records that match, on all pages"""
    limit: int
    """Page size that was applied"""
    offset: int
    """Records that were skipped"""
    hasMore: bool
    """Whether another page follows"""


class WebhookPatch(TypedDict):
    url: NotRequired[str]
    """Address that events are sent to by POST: https, and no private address"""
    name: NotRequired[str | None]
    """Name of your choice; null without one"""
    events: NotRequired[list[EventPattern]]
    """Events to send: kinds (`email.sent`), families (`email.*`) or all (`*`)"""
    campaign_ids: NotRequired[list[str] | None]
    """Only events of these campaigns; events that belong to no campaign aren't sent. Null for all events"""
    include: NotRequired[list[WebhookInclude]]
    """Records that every delivery carries under `included`; each needs the scope to read it"""
    headers: NotRequired[dict[str, str | None]]
    """Headers of your own that every delivery carries, such as a token of your gateway: up to 10. Values are never shown again: responses have `…` in their place, and sending `…` back keeps them. Merged into the existing ones; null removes one"""
    secret: NotRequired[str]
    """Secret that signs every delivery: `whsec_` and 24 to 64 bytes in base64. Without one, it is generated"""
    active: NotRequired[bool]
    """Whether to send events; `true` also resets failures and sends what has been waiting"""


class Workspace(TypedDict):
    """A company whose administrator lets every mailbox in by one consent"""
    id: str
    """The workspace's id"""
    team_id: str
    """Team that owns the record"""
    provider: WorkspaceProvider
    """Google Workspace, or Microsoft 365"""
    domains: list[str]
    """Domains that its mailboxes have addresses in"""
    tenant: str | None
    """Microsoft: the tenant's id or one of its domains; without one, the first domain"""
    client_id: str
    """Google: the service account's address. Microsoft: the application's id"""
    status: WorkspaceStatus
    """`waiting` until a first token is granted; `refused` once none is any more: its accounts wait, and go on by themselves when it is repaired"""
    last_error: str | None
    """What the provider says; null while tokens are granted"""
    remedy: str | None
    """What to do about it"""
    consent_url: str | None
    """Page on which an administrator gives the consent. Google's wants the scope; Microsoft's leads back to `redirect_uri`, and needs the installation's `public_url`"""
    scope: str
    """What the consent is for"""
    redirect_uri: str | None
    """Microsoft: to be registered with the application"""
    accounts: int
    """Accounts that log in with its consent"""
    checked_at: str | None
    """When a token was last requested"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class WorkspaceCreate(TypedDict):
    provider: WorkspaceProvider
    """Google Workspace, or Microsoft 365"""
    domains: list[str]
    """Domains that its mailboxes have addresses in"""
    tenant: NotRequired[str]
    """Microsoft: the tenant's id or one of its domains; without one, the first domain"""
    client_id: NotRequired[str]
    """Microsoft: the application's (client) id"""
    service_account_key: NotRequired[str]
    """Google: the service account's key, as the JSON file has it; write-only"""
    client_secret: NotRequired[str]
    """Microsoft: the application's secret; write-only"""


class WorkspaceCreated(TypedDict):
    id: str
    """The workspace's id"""
    team_id: str
    """Team that owns the record"""
    provider: WorkspaceProvider
    """Google Workspace, or Microsoft 365"""
    domains: list[str]
    """Domains that its mailboxes have addresses in"""
    tenant: str | None
    """Microsoft: the tenant's id or one of its domains; without one, the first domain"""
    client_id: str
    """Google: the service account's address. Microsoft: the application's id"""
    status: WorkspaceStatus
    """`waiting` until a first token is granted; `refused` once none is any more: its accounts wait, and go on by themselves when it is repaired"""
    last_error: str | None
    """What the provider says; null while tokens are granted"""
    remedy: str | None
    """What to do about it"""
    consent_url: str | None
    """Page on which an administrator gives the consent. Google's wants the scope; Microsoft's leads back to `redirect_uri`, and needs the installation's `public_url`"""
    scope: str
    """What the consent is for"""
    redirect_uri: str | None
    """Microsoft: to be registered with the application"""
    accounts: int
    """Accounts that log in with its consent"""
    checked_at: str | None
    """When a token was last requested"""
    created_at: str
    """When the record was created"""
    updated_at: str
    """When the record last changed"""


class WorkspaceList(TypedDict):
    data: list[Workspace]
    """The workspaces, oldest first"""


class WorkspacePatch(TypedDict):
    domains: NotRequired[list[str]]
    """Domains that its mailboxes have addresses in"""
    tenant: NotRequired[str]
    """Microsoft: the tenant's id or one of its domains; without one, the first domain"""
    client_id: NotRequired[str]
    """Microsoft: the application's (client) id"""
    service_account_key: NotRequired[str]
    """Google: the service account's key, as the JSON file has it; write-only"""
    client_secret: NotRequired[str]
    """Microsoft: the application's secret; write-only"""


class ErrorBody(TypedDict):
    """The body of every error response"""
    type: ErrorType
    """What kind of error it is; stable, unlike the message"""
    message: str
    """What was wrong and what would be right, in plain words"""
    field: str | None
    """Dotted path of the field in the body or the query; null when no single field is at fault"""
    status: int
    """The response's HTTP status"""
    errors: list[ErrorBodyError]
    """Everything that is wrong, each field once; the first entry is that of `field` and `message`"""
    docs_url: str | None
    """Where this server explains the type of error, absolute where `public_url` is set; null if its documentation is off"""


class ErrorBodyError(TypedDict):
    """One thing that is wrong with a request"""
    message: str
    """What was wrong and what would be right, in plain words"""
    field: str | None
    """Dotted path of the field in the body or the query; null when no single field is at fault"""
    did_you_mean: str | None
    """The known name nearest to an unknown one; null otherwise"""


class IncludedRecords(TypedDict):
    """Records that the webhook's `include` asks for, as they are when the delivery is attempted; absent without any"""
    lead: NotRequired[IncludedRecordsLead | None]
    """Lead that the event is about (`lead_id`); null when the event is about none, or the person was erased"""
    campaign: NotRequired[IncludedRecordsCampaign | None]
    """Campaign that the event is about (`campaign_id`); null when it is about none"""
    reply: NotRequired[IncludedRecordsReply | None]
    """Reply that the event is about (`mail_id`); null when the event is about none, or the person was erased"""
    message: NotRequired[IncludedRecordsMessage | None]
    """Email of yours that the event is about (`email_id`); null when the event is about none, or the person was erased"""


class IncludedRecordsLead(TypedDict):
    id: str
    """The lead's id"""
    email: str
    """Email address"""
    first_name: str | None
    """First name; null without one"""
    last_name: str | None
    """Last name; null without one"""
    company: str | None
    """Company; null without one"""
    website: str | None
    """Company website; null without one"""
    phone: str | None
    """Phone number; null without one"""
    timezone: str | None
    """IANA time zone; null without one"""
    variables: dict[str, str | float | bool]
    """Values for templates, by name"""


class IncludedRecordsCampaign(TypedDict):
    id: str
    """The campaign's id"""
    name: str
    """Name of the campaign"""
    status: CampaignStatus
    """Status of the campaign"""


class IncludedRecordsReply(TypedDict):
    text: str
    """What the person wrote, without quotes and signature"""


class IncludedRecordsMessage(TypedDict):
    id: str
    """The message's id"""
    to: str
    """Address of the recipient"""
    subject: str
    """Subject"""
    text: str
    """Plain text of the email"""
    sent_at: str | None
    """When it was sent; null before"""


class EmailSentEvent(TypedDict):
    """The recipient's server accepted an email"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["email.sent"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: EmailSentEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class EmailSentEventData(TypedDict):
    """What happened"""
    email_id: str
    """Id of the sent email"""
    kind: EmailKind
    """What the email was sent for"""
    thread_id: str
    """Conversation that it belongs to"""
    campaign_id: str | None
    """Campaign that it belongs to; null for none"""
    step_id: str | None
    """Step that was sent; null for none"""
    step_position: int | None
    """Position of the step; null for none"""
    lead_id: str | None
    """Lead that it was sent to; null for none"""
    enrollment_id: str | None
    """Id of the campaign lead; null for none"""
    experiment_id: NotRequired[str | None]
    """Experiment that it was part of; null for none. Absent in older events"""
    variant_id: NotRequired[str | None]
    """Variant that it was made from; null for none. Absent in older events"""
    account_id: str
    """The account's id"""
    message_id: str
    """`Message-ID` header"""
    to: str | None
    """Address of the recipient; null once the lead was erased"""
    subject: str | None
    """Subject; null once the lead was erased"""


class EmailFailedEvent(TypedDict):
    """An email failed for good, or is unconfirmed: it may have been sent (`in_doubt`)"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["email.failed"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: EmailFailedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class EmailFailedEventData(TypedDict):
    """What happened"""
    email_id: str
    """Id of the sent email"""
    kind: EmailKind
    """What the email was sent for"""
    thread_id: str
    """Conversation that it belongs to"""
    campaign_id: str | None
    """Campaign that it belongs to; null for none"""
    step_id: str | None
    """Step that was sent; null for none"""
    step_position: int | None
    """Position of the step; null for none"""
    lead_id: str | None
    """Lead that it was sent to; null for none"""
    enrollment_id: str | None
    """Id of the campaign lead; null for none"""
    experiment_id: NotRequired[str | None]
    """Experiment that it was part of; null for none. Absent in older events"""
    variant_id: NotRequired[str | None]
    """Variant that it was made from; null for none. Absent in older events"""
    account_id: str
    """The account's id"""
    message_id: str
    """`Message-ID` header"""
    to: str | None
    """Address of the recipient; null once the lead was erased"""
    subject: str | None
    """Subject; null once the lead was erased"""
    attempts: int
    """Attempts to send it"""
    code: int | None
    """SMTP code; null without a response"""
    response: str | None
    """What the mail server said; null without a response"""
    in_doubt: bool
    """Whether the email may have been sent after all"""


class EmailDeferredEvent(TypedDict):
    """The recipient's server asked to try later; the email will be retried"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["email.deferred"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: EmailDeferredEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class EmailDeferredEventData(TypedDict):
    """What happened"""
    email_id: str
    """Id of the sent email"""
    kind: EmailKind
    """What the email was sent for"""
    thread_id: str
    """Conversation that it belongs to"""
    campaign_id: str | None
    """Campaign that it belongs to; null for none"""
    step_id: str | None
    """Step that was sent; null for none"""
    step_position: int | None
    """Position of the step; null for none"""
    lead_id: str | None
    """Lead that it was sent to; null for none"""
    enrollment_id: str | None
    """Id of the campaign lead; null for none"""
    experiment_id: NotRequired[str | None]
    """Experiment that it was part of; null for none. Absent in older events"""
    variant_id: NotRequired[str | None]
    """Variant that it was made from; null for none. Absent in older events"""
    account_id: str
    """The account's id"""
    message_id: str
    """`Message-ID` header"""
    to: str | None
    """Address of the recipient; null once the lead was erased"""
    subject: str | None
    """Subject; null once the lead was erased"""
    attempts: int
    """Attempts to send it"""
    code: int | None
    """SMTP code; null without a response"""
    response: str | None
    """What the mail server said; null without a response"""
    next_attempt_at: str
    """When it is tried next"""


class EmailBouncedEvent(TypedDict):
    """An email bounced"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["email.bounced"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: EmailBouncedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class EmailBouncedEventData(TypedDict):
    """What happened"""
    email_id: str
    """Id of the sent email"""
    kind: EmailKind
    """What the email was sent for"""
    thread_id: str
    """Conversation that it belongs to"""
    campaign_id: str | None
    """Campaign that it belongs to; null for none"""
    step_id: str | None
    """Step that was sent; null for none"""
    step_position: int | None
    """Position of the step; null for none"""
    lead_id: str | None
    """Lead that it was sent to; null for none"""
    enrollment_id: str | None
    """Id of the campaign lead; null for none"""
    experiment_id: NotRequired[str | None]
    """Experiment that it was part of; null for none. Absent in older events"""
    variant_id: NotRequired[str | None]
    """Variant that it was made from; null for none. Absent in older events"""
    account_id: str
    """The account's id"""
    message_id: str
    """`Message-ID` header"""
    to: str | None
    """Address of the recipient; null once the lead was erased"""
    subject: str | None
    """Subject; null once the lead was erased"""
    severity: BounceSeverity
    """Permanent, temporary, or refused as spam"""
    enhanced_status: str | None
    """Enhanced status code; null without one"""
    response: str | None
    """What the mail server said; null without a response"""


class EmailOpenedEvent(TypedDict):
    """An email was opened, if open tracking is on"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["email.opened"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: EmailOpenedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class EmailOpenedEventData(TypedDict):
    """What happened"""
    email_id: str
    """Id of the sent email"""
    kind: EmailKind
    """What the email was sent for"""
    thread_id: str
    """Conversation that it belongs to"""
    campaign_id: str | None
    """Campaign that it belongs to; null for none"""
    step_id: str | None
    """Step that was sent; null for none"""
    step_position: int | None
    """Position of the step; null for none"""
    lead_id: str | None
    """Lead that it was sent to; null for none"""
    enrollment_id: str | None
    """Id of the campaign lead; null for none"""
    experiment_id: NotRequired[str | None]
    """Experiment that it was part of; null for none. Absent in older events"""
    variant_id: NotRequired[str | None]
    """Variant that it was made from; null for none. Absent in older events"""
    account_id: str
    """The account's id"""
    message_id: str
    """`Message-ID` header"""
    to: str | None
    """Address of the recipient; null once the lead was erased"""
    subject: str | None
    """Subject; null once the lead was erased"""
    by_machine: bool
    """Whether a machine did it, such as a scanner or an image proxy"""


class EmailClickedEvent(TypedDict):
    """A link in an email was clicked, if click tracking is on"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["email.clicked"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: EmailClickedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class EmailClickedEventData(TypedDict):
    """What happened"""
    email_id: str
    """Id of the sent email"""
    kind: EmailKind
    """What the email was sent for"""
    thread_id: str
    """Conversation that it belongs to"""
    campaign_id: str | None
    """Campaign that it belongs to; null for none"""
    step_id: str | None
    """Step that was sent; null for none"""
    step_position: int | None
    """Position of the step; null for none"""
    lead_id: str | None
    """Lead that it was sent to; null for none"""
    enrollment_id: str | None
    """Id of the campaign lead; null for none"""
    experiment_id: NotRequired[str | None]
    """Experiment that it was part of; null for none. Absent in older events"""
    variant_id: NotRequired[str | None]
    """Variant that it was made from; null for none. Absent in older events"""
    account_id: str
    """The account's id"""
    message_id: str
    """`Message-ID` header"""
    to: str | None
    """Address of the recipient; null once the lead was erased"""
    subject: str | None
    """Subject; null once the lead was erased"""
    by_machine: bool
    """Whether a machine did it, such as a scanner or an image proxy"""
    url: str | None
    """Link that was clicked; null if unknown"""


class ReplyReceivedEvent(TypedDict):
    """A person replied"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["reply.received"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: ReplyReceivedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


ReplyReceivedEventData = TypedDict(
    "ReplyReceivedEventData",
    {
        # Sent email that it is about; null for none
        "email_id": "str | None",
        # Id of the received email
        "mail_id": "str",
        # Conversation that it belongs to
        "thread_id": "str",
        # Campaign that it belongs to; null for none
        "campaign_id": "str | None",
        # Lead that it belongs to; null for none
        "lead_id": "str | None",
        # Id of the campaign lead; null for none
        "enrollment_id": "str | None",
        # Address of the lead; null for none or an erased one. Absent in older events
        "email": "NotRequired[str | None]",
        # Variants that the lead was sent, one for each experiment. Absent in older events
        "assignments": "NotRequired[list[ReplyReceivedEventDataAssignment]]",
        # The account's id
        "account_id": "str",
        # Address of the sender; null once the lead was erased
        "from": "str | None",
        # Subject; null once the lead was erased
        "subject": "str | None",
        # Beginning of what the person wrote, up to 200 characters without quotes and signature; null when there is no text, or once the lead was erased. Absent in older events
        "snippet": "NotRequired[str | None]",
        # Interest, as classified; null when unknown
        "interest": "Interest | None",
        # What it was matched to the lead by
        "matched_by": "str | None",
    },
)
"""What happened"""


class ReplyReceivedEventDataAssignment(TypedDict):
    experiment_id: str
    """The experiment's id"""
    variant_id: str
    """The variant's id"""


class ReplyAutoEvent(TypedDict):
    """An auto-reply came in: out of office, or the person has left the company"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["reply.auto"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: ReplyAutoEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class ReplyAutoEventData(TypedDict):
    """What happened"""
    email_id: str | None
    """Sent email that it is about; null for none"""
    mail_id: str
    """Id of the received email"""
    thread_id: str
    """Conversation that it belongs to"""
    campaign_id: str | None
    """Campaign that it belongs to; null for none"""
    lead_id: str | None
    """Lead that it belongs to; null for none"""
    enrollment_id: str | None
    """Id of the campaign lead; null for none"""
    email: NotRequired[str | None]
    """Address of the lead; null for none or an erased one. Absent in older events"""
    assignments: NotRequired[list[ReplyReceivedEventDataAssignment]]
    """Variants that the lead was sent, one for each experiment. Absent in older events"""
    account_id: str
    """The account's id"""
    returns_on: str | None
    """First day back; null when it names none"""
    left_company: bool
    """Whether it says that the person has left the company"""
    new_contact: str | None
    """Address that it names to write to instead; null without one"""


class ReplyUntrackedEvent(TypedDict):
    """A known contact wrote, but not in reply to a campaign"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["reply.untracked"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: ReplyUntrackedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


ReplyUntrackedEventData = TypedDict(
    "ReplyUntrackedEventData",
    {
        # Id of the received email
        "mail_id": "str",
        # Conversation that it belongs to
        "thread_id": "str",
        # Lead that it is from; null for none
        "lead_id": "str | None",
        # The account's id
        "account_id": "str",
        # Address of the sender; null once the lead was erased
        "from": "str | None",
        # Subject; null once the lead was erased
        "subject": "str | None",
    },
)
"""What happened"""


class LeadEnrolledEvent(TypedDict):
    """Leads were added to a campaign, up to 1,000 per event"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["lead.enrolled"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: LeadEnrolledEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class LeadEnrolledEventData(TypedDict):
    """What happened"""
    campaign_id: str
    """The campaign's id"""
    lead_ids: list[str]
    """Leads that were added"""


class LeadStatusChangedEvent(TypedDict):
    """A lead's status in a campaign changed"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["lead.status_changed"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: LeadStatusChangedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class LeadStatusChangedEventData(TypedDict):
    """What happened"""
    campaign_id: str
    """The campaign's id"""
    lead_id: str
    """The lead's id"""
    enrollment_id: str
    """Id of the campaign lead"""
    email: NotRequired[str | None]
    """Address of the lead; null for none or an erased one. Absent in older events"""
    assignments: NotRequired[list[ReplyReceivedEventDataAssignment]]
    """Variants that the lead was sent, one for each experiment. Absent in older events"""
    previous: CampaignLeadStatus
    """Status before"""
    current: CampaignLeadStatus
    """Status now"""
    stop_reason: str | None
    """Why the sequence ended; null while it has not"""


class LeadInterestedEvent(TypedDict):
    """A reply was classified as interested or as a meeting"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["lead.interested"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: LeadInterestedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class LeadInterestedEventData(TypedDict):
    """What happened"""
    campaign_id: str
    """The campaign's id"""
    lead_id: str
    """The lead's id"""
    enrollment_id: str
    """Id of the campaign lead"""
    email: NotRequired[str | None]
    """Address of the lead; null for none or an erased one. Absent in older events"""
    assignments: NotRequired[list[ReplyReceivedEventDataAssignment]]
    """Variants that the lead was sent, one for each experiment. Absent in older events"""
    interest: Interest
    """Interest, as classified"""


class LeadUnsubscribedEvent(TypedDict):
    """A lead unsubscribed"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["lead.unsubscribed"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: LeadStatusChangedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class LeadCompletedEvent(TypedDict):
    """A lead reached the end of a sequence"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["lead.completed"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: LeadStatusChangedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class LeadMergedEvent(TypedDict):
    """Leads were merged into one, as the same person"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["lead.merged"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: LeadMergedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class LeadMergedEventData(TypedDict):
    """What happened"""
    lead_id: str
    """Lead that stays"""
    merged_lead_ids: list[str]
    """Leads that were merged into it, and are gone"""


class LeadErasedEvent(TypedDict):
    """A person was erased; erase them in your systems, too"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["lead.erased"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: LeadErasedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class LeadErasedEventData(TypedDict):
    """What happened"""
    lead_id: str
    """The lead's former id"""
    receipt_id: str
    """Receipt of the erasure"""


class ComplaintReceivedEvent(TypedDict):
    """A recipient reported an email as spam"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["complaint.received"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: ComplaintReceivedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class ComplaintReceivedEventData(TypedDict):
    """What happened"""
    email_id: str | None
    """Sent email that it is about; null for none"""
    mail_id: str
    """Id of the received email"""
    thread_id: str
    """Conversation that it belongs to"""
    campaign_id: str | None
    """Campaign that it belongs to; null for none"""
    lead_id: str | None
    """Lead that it belongs to; null for none"""
    enrollment_id: str | None
    """Id of the campaign lead; null for none"""
    email: NotRequired[str | None]
    """Address of the lead; null for none or an erased one. Absent in older events"""
    assignments: NotRequired[list[ReplyReceivedEventDataAssignment]]
    """Variants that the lead was sent, one for each experiment. Absent in older events"""
    account_id: str
    """The account's id"""


class CampaignStartedEvent(TypedDict):
    """A campaign started for the first time"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["campaign.started"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: CampaignStartedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class CampaignStartedEventData(TypedDict):
    """What happened"""
    campaign_id: str
    """The campaign's id"""
    name: str
    """Name of the campaign"""
    reason: CampaignStatusReason | None
    """Why it was paused; null otherwise"""


class CampaignPausedEvent(TypedDict):
    """A campaign was paused, manually or by a safety limit"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["campaign.paused"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: CampaignPausedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class CampaignPausedEventData(TypedDict):
    """What happened"""
    campaign_id: str
    """The campaign's id"""
    name: str
    """Name of the campaign"""
    reason: CampaignStatusReason | None
    """Why it was paused; null otherwise"""
    sends: NotRequired[int]
    """Emails sent since its last start, when a safety limit paused it"""
    hard_bounces: NotRequired[int]
    """Of these, emails that bounced for good"""
    complaints: NotRequired[int]
    """Of these, emails that were reported as spam"""


class CampaignResumedEvent(TypedDict):
    """A campaign was resumed"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["campaign.resumed"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: CampaignStartedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class CampaignCompletedEvent(TypedDict):
    """A campaign finished: no leads are left to email"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["campaign.completed"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: CampaignStartedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class AccountErrorEvent(TypedDict):
    """A mailbox can't send and was paused"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["account.error"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: AccountErrorEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class AccountErrorEventData(TypedDict):
    """What happened"""
    account_id: str
    """The account's id"""
    email: str
    """Address of the mailbox"""
    reason: AccountStatusReason | None
    """Why it was paused"""
    last_error: str | None
    """What went wrong; null when unknown"""
    reconnect_url: NotRequired[str | None]
    """Page on which its owner renews an OAuth consent; null otherwise"""


class AccountRecoveredEvent(TypedDict):
    """A mailbox is working again"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["account.recovered"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: AccountRecoveredEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class AccountRecoveredEventData(TypedDict):
    """What happened"""
    account_id: str
    """The account's id"""
    email: str
    """Address of the mailbox"""


class AccountHealthChangedEvent(TypedDict):
    """A mailbox's health score changed"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["account.health_changed"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: AccountHealthChangedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class AccountHealthChangedEventData(TypedDict):
    """What happened"""
    account_id: str
    """The account's id"""
    email: str
    """Address of the mailbox"""
    previous: int
    """Score before"""
    current: int
    """Score now"""
    cause: HealthCause | None
    """What changed most; null when nothing stands out"""
    points: AccountHealthDayPoints
    """Points deducted from 100"""
    halved: bool
    """Whether limits are halved"""
    starts_new_leads: bool
    """Whether the account may write to new leads"""
    status: AccountStatus
    """The account's status"""
    paused_until: str | None
    """When a pause for poor health ends; null without one"""


class WorkspaceRefusedEvent(TypedDict):
    """A workspace's consent was withdrawn, and its mailboxes wait"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["workspace.refused"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: WorkspaceRefusedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class WorkspaceRefusedEventData(TypedDict):
    """What happened"""
    workspace_id: str
    """The workspace's id"""
    provider: WorkspaceProvider
    """Who runs the workspace"""
    domains: list[str]
    """Domains of its mailboxes"""
    last_error: str
    """What the provider said"""
    accounts: int
    """Mailboxes that wait for it"""


class WorkspaceConnectedEvent(TypedDict):
    """A workspace's mailboxes are let in by its administrator's consent"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["workspace.connected"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: WorkspaceConnectedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class WorkspaceConnectedEventData(TypedDict):
    """What happened"""
    workspace_id: str
    """The workspace's id"""
    provider: WorkspaceProvider
    """Who runs the workspace"""
    domains: list[str]
    """Domains of its mailboxes"""


class DomainErrorEvent(TypedDict):
    """A check of a sending domain that passed fails now"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["domain.error"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: DomainErrorEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class DomainErrorEventData(TypedDict):
    """What happened"""
    domain: str
    """The sending domain"""
    check: DomainCheck
    """What was checked"""
    message: str
    """What was found"""
    was: str
    """What was found when it last passed"""


class DomainRecoveredEvent(TypedDict):
    """A check of a sending domain passes again"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["domain.recovered"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: DomainRecoveredEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class DomainRecoveredEventData(TypedDict):
    """What happened"""
    domain: str
    """The sending domain"""
    check: DomainCheck
    """What was checked"""
    message: str
    """What was found"""


class ExperimentVariantPausedEvent(TypedDict):
    """A variant was paused because of too many bounces or complaints"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["experiment.variant_paused"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: ExperimentVariantPausedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class ExperimentVariantPausedEventData(TypedDict):
    """What happened"""
    experiment_id: str
    """The experiment's id"""
    campaign_id: str
    """The campaign's id"""
    variant_id: str
    """The variant's id"""
    variant: str
    """Name of the variant"""
    reason: str
    """Why it gets no more leads"""


class ExperimentCompletedEvent(TypedDict):
    """An experiment ended"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["experiment.completed"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: ExperimentCompletedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class ExperimentCompletedEventData(TypedDict):
    """What happened"""
    experiment_id: str
    """The experiment's id"""
    campaign_id: str
    """The campaign's id"""
    name: str
    """Name of the experiment"""
    winner_variant_id: str | None
    """The winning variant; null without one"""
    winner: str | None
    """Name of the winning variant; null without one"""
    recommendation_code: str
    """The recommendation, for programs"""
    recommendation: str
    """What to do, in one sentence"""


class PlacementCompletedEvent(TypedDict):
    """A placement run finished, with results or without"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["placement.completed"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: PlacementCompletedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class PlacementCompletedEventData(TypedDict):
    """What happened"""
    run_id: str
    """The placement run's id"""
    trigger_type: PlacementRunTriggerType
    """How it was started"""
    status: PlacementRunStatus
    """How it ended"""
    account_ids: list[str]
    """Accounts that were tested"""
    total_tests: int
    """Tests that have a placement"""
    inbox_count: int
    """Emails in the inbox"""
    spam_count: int
    """Emails in spam"""
    promotions_count: int
    """Emails in Gmail's promotions tab"""
    not_delivered_count: int
    """Emails that were not delivered"""
    failed_count: int
    """Tests without a result"""
    inbox_rate: float
    """`inbox_count` divided by `total_tests`"""


class SuppressionCreatedEvent(TypedDict):
    """An address or domain was suppressed"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["suppression.created"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: SuppressionCreatedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class SuppressionCreatedEventData(TypedDict):
    """What happened"""
    suppression_id: str
    """The suppression's id"""
    email_hash: str
    """SHA-256 of the address in lower case, in hexadecimal"""
    reason: ImportReason
    """Why it is never written to"""


class TaskCreatedEvent(TypedDict):
    """A task is due for a team member"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["task.created"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: TaskCreatedEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class TaskCreatedEventData(TypedDict):
    """What happened"""
    task_id: str
    """The task's id"""
    step_id: str
    """Step that the task is"""
    campaign_id: str
    """The campaign's id"""
    lead_id: str
    """The lead's id"""
    enrollment_id: str
    """Id of the campaign lead"""
    email: NotRequired[str | None]
    """Address of the lead; null for none or an erased one. Absent in older events"""
    assignments: NotRequired[list[ReplyReceivedEventDataAssignment]]
    """Variants that the lead was sent, one for each experiment. Absent in older events"""


class BillingLimitWarningEvent(TypedDict):
    """Usage is close to a plan limit"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["billing.limit_warning"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: BillingLimitWarningEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class BillingLimitWarningEventData(TypedDict):
    """What happened"""
    limit: PlanLimitName
    """The limit"""
    used: int
    """How much is used"""
    allowed: int
    """How much the plan allows"""
    plan: AttentionSubscriptionPlan
    """The team's plan"""
    period: str
    """Month that is counted, or the plan where a limit is not monthly"""


class BillingLimitReachedEvent(TypedDict):
    """Usage reached a plan limit"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["billing.limit_reached"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: BillingLimitWarningEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class WebhookDisabledEvent(TypedDict):
    """A webhook was disabled; sent to the team's other webhooks"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["webhook.disabled"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: WebhookDisabledEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class WebhookDisabledEventData(TypedDict):
    """What happened"""
    webhook_id: str
    """The webhook's id"""
    url: str
    """Address that events were sent to"""
    reason: WebhookDisabledReason
    """Why it was disabled"""
    failures: int
    """Failed attempts since the last success"""
    last_status: int | None
    """Last HTTP status; null without one"""
    last_error: str | None
    """Why the last attempt failed; null when unknown"""


class WebhookTestEvent(TypedDict):
    """A test event, sent only to the webhook under test"""
    id: str
    """The event's id"""
    seq: int
    """Sequence number that rises with every event, with gaps"""
    type: Literal["webhook.test"]
    """Kind of the event"""
    created_at: str
    """When it happened"""
    team_id: str
    """Team that owns the record"""
    env: Environment
    """Environment that it happened in"""
    data: WebhookTestEventData
    """What happened"""
    included: NotRequired[IncludedRecords]


class WebhookTestEventData(TypedDict):
    """What happened"""
    webhook_id: str
    """The webhook's id"""
    message: str
    """A greeting"""

Event: TypeAlias = Union[
    "EmailSentEvent",
    "EmailFailedEvent",
    "EmailDeferredEvent",
    "EmailBouncedEvent",
    "EmailOpenedEvent",
    "EmailClickedEvent",
    "ReplyReceivedEvent",
    "ReplyAutoEvent",
    "ReplyUntrackedEvent",
    "LeadEnrolledEvent",
    "LeadStatusChangedEvent",
    "LeadInterestedEvent",
    "LeadUnsubscribedEvent",
    "LeadCompletedEvent",
    "LeadMergedEvent",
    "LeadErasedEvent",
    "ComplaintReceivedEvent",
    "CampaignStartedEvent",
    "CampaignPausedEvent",
    "CampaignResumedEvent",
    "CampaignCompletedEvent",
    "AccountErrorEvent",
    "AccountRecoveredEvent",
    "AccountHealthChangedEvent",
    "WorkspaceRefusedEvent",
    "WorkspaceConnectedEvent",
    "DomainErrorEvent",
    "DomainRecoveredEvent",
    "ExperimentVariantPausedEvent",
    "ExperimentCompletedEvent",
    "PlacementCompletedEvent",
    "SuppressionCreatedEvent",
    "TaskCreatedEvent",
    "BillingLimitWarningEvent",
    "BillingLimitReachedEvent",
    "WebhookDisabledEvent",
    "WebhookTestEvent",
]
"""Something that happened"""
