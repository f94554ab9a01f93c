/** The document of `/metrics`: where each value is looked up, and how it is written. */

import { ENVS, type Env } from "#domain/team/api-key.ts";
import type { Environment } from "#environment.ts";
import { BOUNDS_SECONDS, responseTimes } from "#platform/http/response-times.ts";
import { longestTurns } from "#platform/turns.ts";
import {
  countEvents,
  countLeadsOnHold,
  countStoppedMailboxes,
  countWebhooksFailing,
  oldestDue,
} from "#store/sending/queues.ts";
import { damageOf } from "#store/sqlite/damage.ts";
import type { EnvState, Operations, SystemState } from "#usecases/operations/operations.ts";
import { type Labels, METRICS, type MetricName } from "./metrics.ts";

/** Rounds of counting events in one answer; each takes 100,000. */
const ROUNDS_MAX = 100;

export interface MetricsInput {
  environments: Readonly<Record<Env, Environment>>;
  operations: Operations;
  /** The last event's number when the program started. */
  since: Readonly<Record<Env, number>>;
}

type Put = <Name extends MetricName>(
  name: Name,
  value: number,
  labels: Labels<Name>,
  part?: "" | "_bucket" | "_sum" | "_count",
) => void;

/** Writes the document, each time anew. */
export function createMetrics({ environments, operations, since }: MetricsInput): () => string {
  const events = createEventCounter(environments, since);
  return () => {
    const lines = new Map<string, string[]>();
    const put: Put = (name, value, labels, part = "") => {
      const known = lines.get(name) ?? [];
      known.push(`${name}${part}${written(labels)} ${value}`);
      lines.set(name, known);
    };
    const state = operations.system();
    putProcess(put, state);
    putOperations(put, operations);
    putTurns(put);
    putResponses(put);
    for (const env of ENVS) {
      putEnvironment(put, environments[env], state.environments[env]);
      for (const [type, count] of events(env)) {
        put("outrider_events_total", count, { env, type });
      }
    }
    const all = Object.entries(METRICS).flatMap(([name, { type, help }]) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...(lines.get(name) ?? []),
    ]);
    return `${all.join("\n")}\n`;
  };
}

/** Source: Prometheus' text format 0.0.4. */
export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

function written(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function putProcess(put: Put, state: SystemState): void {
  const { version, commit, bun } = state;
  put("outrider_build_info", 1, { version, commit, bun });
  put("process_start_time_seconds", state.startedAt / 1000, {});
  put("process_cpu_seconds_total", state.cpuSeconds, {});
  put("process_resident_memory_bytes", state.memoryBytes, {});
  put("outrider_memory_heap_bytes", state.heapBytes, {});
  put("outrider_disk_free_bytes", state.diskFreeBytes, {});
}

function putOperations(put: Put, operations: Operations): void {
  put("outrider_backup_interval_seconds", operations.plan().everyMs / 1000, {});
  const newest = operations.backups()[0]?.createdAt ?? 0;
  put("outrider_backup_last_timestamp_seconds", newest / 1000, {});
  const drill = operations.drill();
  const triedAt = (drill?.at ?? 0) / 1000;
  put("outrider_drill_last_timestamp_seconds", triedAt, {});
  const succeededAt = drill?.succeeded === true ? triedAt : 0;
  put("outrider_drill_last_success_timestamp_seconds", succeededAt, {});
  const ends = operations.certificates().map(({ until }) => until);
  const known = ends.filter((until) => until !== null);
  const first = known.length === 0 ? 0 : Math.min(...known);
  put("outrider_certificate_expiry_timestamp_seconds", first / 1000, {});
  put("outrider_hosts_without_certificate", ends.length - known.length, {});
}

/** Who held the thread that serves everybody: bounded by the operations and workers that there are. */
function putTurns(put: Put): void {
  for (const [by, turn] of longestTurns()) {
    put("outrider_turn_longest_seconds", turn.ms / 1000, { by, time: "wall" });
    put("outrider_turn_longest_seconds", turn.cpuMs / 1000, { by, time: "processor" });
    put("outrider_turns_long_total", turn.long, { by });
  }
}

function putResponses(put: Put): void {
  const name = "outrider_http_request_duration_seconds";
  for (const [status, { buckets, seconds }] of responseTimes()) {
    const code = String(status);
    let count = 0;
    for (const [at, n] of buckets.entries()) {
      count += n;
      const le = String(BOUNDS_SECONDS[at] ?? "+Inf");
      const labels: Labels<typeof name> & { le: string } = { code, le };
      put(name, count, labels, "_bucket");
    }
    put(name, seconds, { code }, "_sum");
    put(name, count, { code }, "_count");
  }
}

function putEnvironment(
  put: Put,
  { name: env, db, clock, wall }: Environment,
  state: EnvState,
): void {
  put("outrider_database_bytes", state.databaseBytes, { env, file: "database" });
  put("outrider_database_bytes", state.walBytes, { env, file: "wal" });
  put("outrider_database_damaged", Number(damageOf(db) !== null), { env });
  put("outrider_mailbox_watches", state.watches, { env });
  for (const [queue, due] of Object.entries(state.queues)) {
    put("outrider_queue_due", due, { env, queue });
  }
  const { underWayMs, ...queues } = oldestDue(db, clock.now(), wall.now());
  for (const [queue, ms] of Object.entries(queues)) {
    put("outrider_queue_oldest_seconds", ms / 1000, { env, queue });
  }
  put("outrider_send_longest_seconds", underWayMs / 1000, { env });
  for (const [status, n] of countStoppedMailboxes(db)) {
    put("outrider_mailboxes_stopped", n, { env, status });
  }
  for (const [reason, n] of countLeadsOnHold(db)) {
    put("outrider_leads_on_hold", n, { env, reason });
  }
  put("outrider_webhooks_failing", countWebhooksFailing(db), { env });
  for (const { name: worker, ...done } of state.workers) {
    const labels = { env, worker };
    put("outrider_worker_runs_total", done.runs, labels);
    put("outrider_worker_faults_total", done.faults, labels);
    put("outrider_worker_busy_seconds_total", done.busyMs / 1000, labels);
    put("outrider_worker_last_run_timestamp_seconds", (done.lastRunAt ?? 0) / 1000, labels);
  }
}

/** By kind, with what has been appended since it was last asked. */
function createEventCounter(
  environments: MetricsInput["environments"],
  since: MetricsInput["since"],
): (env: Env) => ReadonlyMap<string, number> {
  const seen = { ...since };
  const counts = { live: new Map<string, number>(), test: new Map<string, number>() };
  return (env) => {
    const known = counts[env];
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const { last, kinds } = countEvents(environments[env].db, seen[env]);
      for (const [type, n] of kinds) {
        known.set(type, (known.get(type) ?? 0) + n);
      }
      if (last === seen[env]) {
        break;
      }
      seen[env] = last;
    }
    return known;
  };
}
