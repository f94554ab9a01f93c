/** Alert rules for Prometheus, by the metrics that there are. Each has a section in docs/alerts.md. */

import type { MetricName } from "./metrics.ts";

export interface Alert {
  name: string;
  severity: "critical" | "warning";
  /** What is true while something is wrong. */
  expr: string;
  /** How long it must be, so that a restart or a busy minute wakes nobody. */
  lasts: string;
  /** What is wrong. */
  summary: string;
  /** What to do first. */
  action: string;
}

/** The guide's page of them. */
export const ALERTS_PATH = "/docs/guide/alerts";
export const JOB = "outrider";

/** The name as it is, checked to be one. */
const m = (name: MetricName, labels = ""): string => (labels === "" ? name : `${name}{${labels}}`);
const LIVE = 'env="live"';
const OURS = `job="${JOB}"`;
const DURATION = "outrider_http_request_duration_seconds";
const requests = (part: "_bucket" | "_count", labels = "") =>
  `${m(DURATION).concat(part)}${labels === "" ? "" : `{${labels}}`}`;
const oldest = (queue: string) => m("outrider_queue_oldest_seconds", `${LIVE},queue="${queue}"`);
/** Seconds since a time that is 0 where it never was: nothing there, not 56 years. */
const since = (name: MetricName, labels = "") => `time() - (${m(name, labels)} > 0)`;

const DAY_S = 24 * 60 * 60;
const GIB = 1024 ** 3;

const SERVER: readonly Alert[] = [
  {
    name: "OutriderDown",
    severity: "critical",
    expr: `up{${OURS}} == 0`,
    lasts: "5m",
    summary: "The server doesn't respond to Prometheus",
    action:
      "Look at its log. If the process runs, check the token and the address that Prometheus uses.",
  },
  {
    name: "OutriderRestarts",
    severity: "warning",
    expr: `changes(${m("process_start_time_seconds", OURS)}[1h]) > 3`,
    lasts: "0m",
    summary: "The server restarted {{ $value }} times within an hour",
    action:
      "Look at the log before each start for a fault, and at the system's log for a lack of memory.",
  },
  {
    name: "OutriderDatabaseDamaged",
    severity: "critical",
    expr: `${m("outrider_database_damaged")} == 1`,
    lasts: "0m",
    summary: "The {{ $labels.env }} database is damaged, and nothing is sent from it",
    action: "Check the disk, then restore a backup.",
  },
  {
    name: "OutriderDiskFull",
    severity: "critical",
    expr: `${m("outrider_disk_free_bytes")} < ${GIB}`,
    lasts: "5m",
    summary: "Only {{ $value | humanize1024 }}B of disk are free",
    action:
      "Free space or enlarge the disk: without space nothing is recorded, and so nothing is sent.",
  },
  {
    name: "OutriderDiskFilling",
    severity: "warning",
    expr:
      `predict_linear(${m("outrider_disk_free_bytes")}[6h], ${DAY_S}) < 0 ` +
      `and ${m("outrider_disk_free_bytes")} < ${20 * GIB}`,
    lasts: "1h",
    summary: "At the rate of the last six hours, the disk is full within a day",
    action: "Find what grows: databases, backups, or another program's files.",
  },
];

const REQUESTS: readonly Alert[] = [
  {
    name: "OutriderRequestsFailing",
    severity: "critical",
    // 502 is another server's failure, such as a mailbox's that somebody is connecting.
    expr:
      `sum by (job, instance) (rate(${requests("_count", 'code=~"5..",code!="502"')}[10m])) ` +
      `/ sum by (job, instance) (rate(${requests("_count")}[10m])) > 0.05`,
    lasts: "10m",
    summary: "{{ $value | humanizePercentage }} of the requests fail",
    action:
      "Look in the log for errors, and at GET /readyz, which shows why the server isn't ready.",
  },
  {
    name: "OutriderRequestsSlow",
    severity: "warning",
    expr:
      "histogram_quantile(0.95, sum by (job, instance, le) " +
      `(rate(${requests("_bucket")}[15m]))) > 1`,
    lasts: "15m",
    summary: "One request of 20 takes longer than {{ $value | humanizeDuration }}",
    action:
      "Compare the load of the processor and the disk, and set slow_query_ms to find the statement.",
  },
  {
    name: "OutriderLongTurns",
    severity: "warning",
    expr: `sum by (job, instance) (increase(${m("outrider_turns_long_total")}[1h])) > 20`,
    lasts: "0m",
    summary: "The main thread was blocked {{ $value | humanize }} times within an hour",
    action: "Look in the log for what blocked it, and whether other programs use the processor.",
  },
];

const SENDING: readonly Alert[] = [
  {
    name: "OutriderSendsLate",
    severity: "critical",
    expr: `${oldest("sends")} > 600`,
    lasts: "5m",
    summary: "An email is overdue by {{ $value | humanizeDuration }}",
    action:
      "See in Settings → System whether the send worker runs, and in the log why it doesn't send.",
  },
  {
    name: "OutriderSendSlow",
    severity: "warning",
    expr: `${m("outrider_send_longest_seconds", LIVE)} > 600`,
    lasts: "5m",
    summary: "An email has been on its way to its server for {{ $value | humanizeDuration }}",
    action:
      "Look in the log for messages about recording its outcome; a full disk is the usual cause.",
  },
  {
    name: "OutriderRepliesLate",
    severity: "critical",
    expr: `${oldest("polls")} > 1800`,
    lasts: "5m",
    summary: "A mailbox hasn't been read for {{ $value | humanizeDuration }} after it was due",
    action:
      "See whether the inbox worker runs: until replies are read, they don't stop their sequences.",
  },
  {
    name: "OutriderMailboxesInError",
    severity: "warning",
    expr: `${m("outrider_mailboxes_stopped", `${LIVE},status="error"`)} > 0`,
    lasts: "1h",
    summary: "Mailboxes in error: {{ $value }}",
    action: "Open Mailboxes: each shows its error, and what its owner has to fix.",
  },
  {
    name: "OutriderLeadsOnHold",
    severity: "warning",
    // A task is somebody's work, not a fault.
    expr: `sum by (job, instance) (${m("outrider_leads_on_hold", `${LIVE},reason!="task"`)}) > 0`,
    lasts: "1d",
    summary: "Leads on hold for a day: {{ $value }}",
    action: "Ask their teams to decide: each campaign lists its leads on hold with the reason.",
  },
  {
    name: "OutriderWebhooksFailing",
    severity: "warning",
    expr: `${m("outrider_webhooks_failing", LIVE)} > 0`,
    lasts: "1h",
    summary: "Webhooks failing: {{ $value }}",
    action: "Ask their teams to check the endpoints: after days of failures a webhook is disabled.",
  },
  {
    name: "OutriderDeliveriesLate",
    severity: "warning",
    expr: `${oldest("deliveries")} > 600`,
    lasts: "5m",
    summary: "A webhook's delivery is overdue by {{ $value | humanizeDuration }}",
    action: "See in Settings → System whether the webhooks worker runs.",
  },
];

const LAST_RUN = "outrider_worker_last_run_timestamp_seconds";
/** It waits for a backup to end, which may take hours. */
const STEPS_QUICKLY = 'worker!="backups"';

const WORKERS: readonly Alert[] = [
  {
    name: "OutriderWorkerFaults",
    severity: "warning",
    expr: `increase(${m("outrider_worker_faults_total")}[15m]) > 0`,
    lasts: "0m",
    summary: "The {{ $labels.env }} worker {{ $labels.worker }} failed by a fault of the program",
    action: "Report it with the stack from the log. The worker tries again by itself.",
  },
  {
    name: "OutriderWorkerStopped",
    severity: "critical",
    expr:
      `${since(LAST_RUN, STEPS_QUICKLY)} > 900 or (${m(LAST_RUN, STEPS_QUICKLY)} == 0) ` +
      `+ on (job, instance) group_left () (time() - ${m("process_start_time_seconds", OURS)}) > 900`,
    lasts: "0m",
    summary:
      "The {{ $labels.env }} worker {{ $labels.worker }} hasn't run for {{ $value | humanizeDuration }}",
    action: "Save the log, restart the server, and report it.",
  },
];

const BACKUP = "outrider_backup_last_timestamp_seconds";
const BACKUP_EVERY = "outrider_backup_interval_seconds";
const DRILL = "outrider_drill_last_success_timestamp_seconds";
const CERTIFICATE = "outrider_certificate_expiry_timestamp_seconds";

const BACKUPS: readonly Alert[] = [
  {
    name: "OutriderNoBackup",
    severity: "warning",
    expr: `${m(BACKUP)} == 0`,
    lasts: "1h",
    summary: "There is no backup yet",
    action:
      "Set backup_every, or run outrider backup. If you replicate with Litestream alone, silence this alert.",
  },
  {
    name: "OutriderBackupOld",
    severity: "critical",
    expr: `${since(BACKUP)} > ${2 * DAY_S} and ${since(BACKUP)} > 2 * ${m(BACKUP_EVERY)}`,
    lasts: "0m",
    summary: "The newest backup is {{ $value | humanizeDuration }} old",
    action: "Look under Settings → Backups and in the log for why the last one failed.",
  },
  {
    name: "OutriderDrillFailed",
    severity: "critical",
    expr: `${m("outrider_drill_last_timestamp_seconds")} > 0 and ${m(DRILL)} == 0`,
    lasts: "0m",
    summary:
      "The last drill failed: that backup can't be restored, or something is missing from it",
    action: "Run outrider drill, which says what is missing, and make a new backup.",
  },
  {
    name: "OutriderDrillOld",
    severity: "warning",
    expr: `${since(DRILL)} > ${10 * DAY_S}`,
    lasts: "0m",
    summary: "The last drill was {{ $value | humanizeDuration }} ago",
    action: "Run outrider drill, and let a timer run it once a week.",
  },
  {
    name: "OutriderNoDrill",
    severity: "warning",
    expr: `${m("outrider_drill_last_timestamp_seconds")} == 0 and ${m(BACKUP_EVERY)} > 0`,
    lasts: "10d",
    summary: "Backups are made, but none has ever been tried",
    action: "Run outrider drill, and let a timer run it once a week.",
  },
];

const CERTIFICATES: readonly Alert[] = [
  {
    name: "OutriderCertificateEnds",
    severity: "critical",
    expr: `(${m(CERTIFICATE)} > 0) - time() < ${14 * DAY_S}`,
    lasts: "1h",
    summary: "A certificate ends in {{ $value | humanizeDuration }}",
    action: "Run outrider doctor, which shows why its renewal fails.",
  },
  {
    name: "OutriderNoCertificate",
    severity: "warning",
    expr: `${m("outrider_hosts_without_certificate")} > 0`,
    lasts: "1h",
    summary: "Hosts without a certificate: {{ $value }}",
    action:
      "Run outrider doctor, which shows why the order fails; most often the DNS points elsewhere.",
  },
];

const GROUPS: Readonly<Record<string, readonly Alert[]>> = {
  server: SERVER,
  requests: REQUESTS,
  sending: SENDING,
  workers: WORKERS,
  backups: BACKUPS,
  certificates: CERTIFICATES,
};

export const ALERTS: readonly Alert[] = Object.values(GROUPS).flat();

/** The rules' file. `origin` is where the server's guide is, such as `https://mail.example.com`. */
export function alertRules(origin: string): string {
  const groups = Object.entries(GROUPS).map(([name, alerts]) =>
    [
      `  - name: ${JOB}-${name}`,
      "    rules:",
      ...alerts.flatMap((alert) => ruleOf(alert, origin)),
    ].join("\n"),
  );
  return `groups:\n${groups.join("\n")}\n`;
}

/** JSON's strings are YAML's; an expression has double quotes, which need no escape within single ones. */
function ruleOf({ name, severity, expr, lasts, ...words }: Alert, origin: string): string[] {
  return [
    `      - alert: ${name}`,
    `        expr: '${expr}'`,
    `        for: ${lasts}`,
    `        labels: { severity: ${severity} }`,
    "        annotations:",
    `          summary: ${JSON.stringify(words.summary)}`,
    `          description: ${JSON.stringify(words.action)}`,
    `          runbook_url: ${origin}${ALERTS_PATH}#${anchorOf(name)}`,
  ];
}

/** Of the section that the page has for an alert. */
export function anchorOf(name: string): string {
  return name.toLowerCase();
}
