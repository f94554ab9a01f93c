/**
 * Every metric of `/metrics`: its type, what it is, and its labels. The document, the alert rules, and the
 * dashboard go by this table. Labels are names of ours alone, so that their number is bounded.
 *
 * Source: the names follow Prometheus' conventions: base units, `_total` for counters, a Unix time in
 * `_timestamp_seconds`, which is 0 where it never happened.
 */

interface Definition<Labels extends readonly string[]> {
  type: "counter" | "gauge" | "histogram";
  help: string;
  labels: Labels;
}

type Define = <const Labels extends readonly string[]>(
  help: string,
  ...labels: Labels
) => Definition<Labels>;

const gauge: Define = (help, ...labels) => ({ type: "gauge", help, labels });
const counter: Define = (help, ...labels) => ({ type: "counter", help, labels });
const histogram: Define = (help, ...labels) => ({ type: "histogram", help, labels });

export const METRICS = {
  outrider_build_info: gauge("The program, always 1", "version", "commit", "bun"),
  process_start_time_seconds: gauge("When the program started, in Unix time"),
  process_cpu_seconds_total: counter("Processor time used"),
  process_resident_memory_bytes: gauge("Resident memory"),
  outrider_memory_heap_bytes: gauge("Heap in use"),
  outrider_disk_free_bytes: gauge("Free bytes where the data lies"),
  outrider_database_bytes: gauge("Size of a database and of its write-ahead log", "env", "file"),
  outrider_database_damaged: gauge(
    "1: damage was found in the database, and nothing is sent from it",
    "env",
  ),

  outrider_http_request_duration_seconds: histogram(
    "Time until a response begins, by its status",
    "code",
  ),
  outrider_turn_longest_seconds: gauge(
    "Longest time that an operation or a worker blocked the main thread at once",
    "by",
    "time",
  ),
  outrider_turns_long_total: counter(
    "Times that the main thread was blocked for 150 ms or longer",
    "by",
  ),

  outrider_events_total: counter(
    "Events since the program started: email.sent, reply.received and all other kinds",
    "env",
    "type",
  ),
  outrider_queue_due: gauge("Work that is due now", "env", "queue"),
  outrider_queue_oldest_seconds: gauge(
    "How long the oldest work that is due has waited; 0: none is due",
    "env",
    "queue",
  ),
  outrider_send_longest_seconds: gauge(
    "How long the oldest email that is being sent has been under way; 0: none is",
    "env",
  ),
  outrider_mailboxes_stopped: gauge("Mailboxes that aren't active", "env", "status"),
  outrider_mailbox_watches: gauge("Mailboxes watched over a kept connection", "env"),
  outrider_leads_on_hold: gauge("Leads that wait for a person", "env", "reason"),
  outrider_webhooks_failing: gauge(
    "Active webhooks whose last delivery failed; those that were disabled don't count",
    "env",
  ),

  outrider_worker_runs_total: counter("Steps of a worker of the engine", "env", "worker"),
  outrider_worker_faults_total: counter(
    "Steps that failed by a fault of the program",
    "env",
    "worker",
  ),
  outrider_worker_busy_seconds_total: counter("Time that steps have taken", "env", "worker"),
  outrider_worker_last_run_timestamp_seconds: gauge(
    "When a worker was last stepped; 0: not since the program started",
    "env",
    "worker",
  ),

  outrider_backup_interval_seconds: gauge("How often backups are made by themselves; 0: never"),
  outrider_backup_last_timestamp_seconds: gauge("When the newest backup was made; 0: never"),
  outrider_drill_last_timestamp_seconds: gauge("When a drill last tried a backup; 0: never"),
  outrider_drill_last_success_timestamp_seconds: gauge(
    "When the last successful drill tried a backup; 0: never, or the last one failed",
  ),
  outrider_certificate_expiry_timestamp_seconds: gauge(
    "When the first certificate ends; 0: there is none of ours",
  ),
  outrider_hosts_without_certificate: gauge("Hosts that wait for a certificate of ours"),
} as const;

export type MetricName = keyof typeof METRICS;

/** One value by its metric's labels. */
export type Labels<Name extends MetricName> = Readonly<
  Record<(typeof METRICS)[Name]["labels"][number], string>
>;
