import { Type } from "@sinclair/typebox";
import { Count, Nullable, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import type { EnvState, Finding, SystemState } from "#usecases/operations/operations.ts";

const WorkerView = Shape({
  name: Type.String({ description: "Name of the worker", examples: ["send"] }),
  runs: Count("Runs since the start"),
  busy_seconds: Type.Number({ minimum: 0, description: "Seconds spent in them" }),
  last_run_at: Nullable(TimestampOf("When it last ran; null before")),
  faults: Count("Runs that ended with an error"),
  last_fault_at: Nullable(TimestampOf("When one last did; null when none has")),
  last_fault: Nullable(Type.String({ description: "That error; null when there was none" })),
});

const environmentView = (description: string) =>
  Shape(
    {
      database_bytes: Count("Size of the database in bytes"),
      wal_bytes: Count("Size of its write-ahead log in bytes"),
      queues: Shape(
        {
          sends: Count("Mailboxes with emails to send"),
          polls: Count("Mailboxes to read"),
          deliveries: Count("Webhook deliveries"),
          copies: Count("Copies of sent emails to store"),
        },
        { description: "What is due now" },
      ),
      workers: Type.Array(WorkerView, { description: "The workers" }),
      watches: Count("Mailboxes that are watched over an open connection"),
    },
    { description },
  );

const Check = Shape({
  check: Type.String({ description: "What was checked" }),
  verdict: OneOf(["ok", "warning", "fault"], { description: "The result" }),
  detail: Type.String({ description: "What was found, and how to fix it" }),
});

export const System = Shape({
  version: Type.String({ description: "Version of the program", examples: ["1.0.0"] }),
  commit: Type.String({ description: "Commit that it was built from" }),
  bun: Type.String({ description: "Version of Bun inside", examples: ["1.4.5"] }),
  started_at: TimestampOf("When the server started"),
  uptime_seconds: Type.Number({ minimum: 0, description: "Seconds since then" }),
  schema_version: Count("Version of the database schema"),
  data_directory: Type.String({ description: "Directory that all data is stored in" }),
  disk: Shape(
    { free_bytes: Count("Free space in bytes"), total_bytes: Count("Size in bytes") },
    { description: "Disk of the data directory" },
  ),
  memory: Shape(
    { resident_bytes: Count("Resident memory in bytes"), heap_bytes: Count("Heap in bytes") },
    { description: "Memory of the process" },
  ),
  cpu_seconds: Type.Number({ minimum: 0, description: "Processor time used, in seconds" }),
  live: environmentView("The live environment"),
  test: environmentView("The test environment"),
  checks: Type.Array(Check, { description: "Results of the installation's checks" }),
});

export function presentSystem(state: SystemState, checks: readonly Finding[]) {
  return present(System, {
    ...state,
    schemaVersion: state.schema,
    dataDirectory: state.dataDir,
    disk: { freeBytes: state.diskFreeBytes, totalBytes: state.diskTotalBytes },
    memory: { residentBytes: state.memoryBytes, heapBytes: state.heapBytes },
    live: environmentOf(state.environments.live),
    test: environmentOf(state.environments.test),
    checks,
  });
}

function environmentOf(state: EnvState) {
  const workers = state.workers.map((worker) => {
    return { ...worker, busySeconds: Math.round(worker.busyMs) / 1000 };
  });
  return { ...state, workers };
}
