/** What `/metrics` says: its names, and where each value is looked up. */

import { Counter, Gauge, Registry } from "prom-client";
import { ENVS, type Env } from "#domain/team/api-key.ts";
import type { Environment } from "#environment.ts";
import { LONG_TURN_MS, longestTurns } from "#platform/turns.ts";
import { countEvents } from "#store/sending/queues.ts";
import type { EnvState, Operations, SystemState } from "#usecases/operations/operations.ts";

/** Rounds of counting events in one answer; each takes 100,000. */
const ROUNDS_MAX = 100;

export interface MetricsInput {
  environments: Readonly<Record<Env, Environment>>;
  operations: Operations;
  /** The last event's number when the program started. */
  since: Readonly<Record<Env, number>>;
}

export interface Metrics {
  contentType: string;
  /** The document, computed anew. */
  write(): Promise<string>;
}

export function createMetrics({ environments, operations, since }: MetricsInput): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `outrider_${name}`, help, labelNames, registers });
  const sizes = gauge("database_bytes", "Size of a database and of its write-ahead log", [
    "env",
    "file",
  ]);
  const queues = gauge("queue_due", "Work that is due now", ["env", "queue"]);
  const watches = gauge("mailbox_watches", "Mailboxes watched over a kept connection", ["env"]);
  const info = gauge("build_info", "The program, always 1", ["version", "commit", "bun"]);
  const disk = gauge("disk_free_bytes", "Free bytes where the data lies");
  const backup = gauge(
    "backup_last_timestamp_seconds",
    "When the newest backup was made; 0: never",
  );
  const drill = gauge(
    "drill_last_success_timestamp_seconds",
    "When the last successful drill tried a backup; 0: never, or the last one failed",
  );
  const certificates = gauge(
    "certificate_expiry_timestamp_seconds",
    "When the first certificate ends; 0: a host has none, or we get none",
  );
  const memory = gauge("memory_heap_bytes", "Heap in use");
  const workers = workerCounters(registers);
  const events = createEventCounter(environments, since, registers);
  const program = processMetrics(registers);
  const turns = turnMetrics(registers);

  const write = async () => {
    const state = operations.system();
    info.set({ version: state.version, commit: state.commit, bun: state.bun }, 1);
    disk.set(state.diskFreeBytes);
    memory.set(state.heapBytes);
    backup.set((operations.backups()[0]?.createdAt ?? 0) / 1000);
    const last = operations.drill();
    drill.set(last?.succeeded === true ? last.at / 1000 : 0);
    const ends = operations.certificates().map(({ until }) => (until ?? 0) / 1000);
    certificates.set(ends.length === 0 ? 0 : Math.min(...ends));
    program(state);
    turns();
    for (const envName of ENVS) {
      const env = state.environments[envName];
      sizes.set({ env: envName, file: "database" }, env.databaseBytes);
      sizes.set({ env: envName, file: "wal" }, env.walBytes);
      watches.set({ env: envName }, env.watches);
      for (const [queue, due] of Object.entries(env.queues)) {
        queues.set({ env: envName, queue }, due);
      }
      workers(envName, env);
      events(envName);
    }
    return await registry.metrics();
  };
  return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, write };
}

function processMetrics(registers: Registry[]): (state: SystemState) => void {
  const resident = new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory",
    registers,
  });
  const started = new Gauge({
    name: "process_start_time_seconds",
    help: "When the program started, in Unix time",
    registers,
  });
  const cpu = new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time used",
    registers,
  });
  return (state) => {
    resident.set(state.memoryBytes);
    started.set(state.startedAt / 1000);
    cpu.reset();
    cpu.inc(state.cpuSeconds);
  };
}

/** Who held the thread that answers everybody: bounded by the operations and workers that there are. */
function turnMetrics(registers: Registry[]): () => void {
  const longest = new Gauge({
    name: "outrider_turn_longest_seconds",
    help: "Longest time that an operation or a worker blocked the main thread at once",
    labelNames: ["by", "time"],
    registers,
  });
  const long = new Counter({
    name: "outrider_turns_long_total",
    help: `Times that the main thread was blocked for ${LONG_TURN_MS} ms or longer`,
    labelNames: ["by"],
    registers,
  });
  return () => {
    long.reset();
    for (const [by, turn] of longestTurns()) {
      longest.set({ by, time: "wall" }, turn.ms / 1000);
      longest.set({ by, time: "processor" }, turn.cpuMs / 1000);
      long.inc({ by }, turn.long);
    }
  };
}

function workerCounters(registers: Registry[]): (envName: Env, state: EnvState) => void {
  const labelNames = ["env", "worker"];
  const counter = (name: string, help: string) =>
    new Counter({ name: `outrider_worker_${name}_total`, help, labelNames, registers });
  const runs = counter("runs", "Steps of a worker of the engine");
  const faults = counter("faults", "Steps that failed by a fault of the program");
  const busy = counter("busy_seconds", "Time that steps have taken");
  const last = new Gauge({
    name: "outrider_worker_last_run_timestamp_seconds",
    help: "When a worker was last stepped",
    labelNames,
    registers,
  });
  return (envName, state) => {
    for (const worker of state.workers) {
      const labels = { env: envName, worker: worker.name };
      for (const [metric, value] of [
        [runs, worker.runs],
        [faults, worker.faults],
        [busy, worker.busyMs / 1000],
      ] as const) {
        metric.remove(labels);
        metric.inc(labels, value);
      }
      last.set(labels, (worker.lastRunAt ?? 0) / 1000);
    }
  };
}

/** Counts what has been appended since it was last asked. */
function createEventCounter(
  environments: MetricsInput["environments"],
  since: MetricsInput["since"],
  registers: Registry[],
): (envName: Env) => void {
  const counter = new Counter({
    name: "outrider_events_total",
    help: "Events since the program started: email.sent, reply.received and all other kinds",
    labelNames: ["env", "type"],
    registers,
  });
  const seen = { ...since };
  return (envName) => {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const { last, kinds } = countEvents(environments[envName].db, seen[envName]);
      for (const [type, n] of kinds) {
        counter.inc({ env: envName, type }, n);
      }
      if (last === seen[envName]) {
        return;
      }
      seen[envName] = last;
    }
  };
}
