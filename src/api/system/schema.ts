import { Type } from "@sinclair/typebox";
import { Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import type { EnvState, Finding, SystemState } from "#usecases/operations/operations.ts";

const Count = Type.Integer({ minimum: 0 });

const LaneView = Shape({
  name: Type.String(),
  runs: Count,
  busy_seconds: Type.Number({ minimum: 0 }),
  last_run_at: Nullable(Timestamp),
  faults: Count,
  last_fault_at: Nullable(Timestamp),
  last_fault: Nullable(Type.String()),
});

const WorldView = Shape({
  database_bytes: Count,
  wal_bytes: Count,
  queues: Shape(
    { sends: Count, polls: Count, deliveries: Count, copies: Count },
    {
      description:
        "What is due now: mailboxes to send and to read, deliveries, copies of sent mail",
    },
  ),
  lanes: Type.Array(LaneView),
  watches: Type.Integer({ minimum: 0, description: "Mailboxes told of over a kept connection" }),
});

const Check = Shape({
  check: Type.String(),
  verdict: OneOf(["ok", "warning", "fault"]),
  detail: Type.String({ description: "What was seen, and what to do about it" }),
});

export const System = Shape({
  version: Type.String(),
  commit: Type.String(),
  bun: Type.String(),
  started_at: Timestamp,
  uptime_seconds: Type.Number({ minimum: 0 }),
  schema_version: Count,
  data_directory: Type.String(),
  disk: Shape({ free_bytes: Count, total_bytes: Count }),
  memory: Shape({ resident_bytes: Count, heap_bytes: Count }),
  cpu_seconds: Type.Number({ minimum: 0 }),
  live: WorldView,
  test: WorldView,
  checks: Type.Array(Check),
});

export function presentSystem(state: SystemState, checks: readonly Finding[]) {
  return present(System, {
    ...state,
    schemaVersion: state.schema,
    dataDirectory: state.dataDir,
    disk: { freeBytes: state.diskFreeBytes, totalBytes: state.diskTotalBytes },
    memory: { residentBytes: state.memoryBytes, heapBytes: state.heapBytes },
    live: worldOf(state.worlds.live),
    test: worldOf(state.worlds.test),
    checks,
  });
}

function worldOf(state: EnvState) {
  const lanes = state.lanes.map((lane) => {
    return { ...lane, busySeconds: Math.round(lane.busyMs) / 1000 };
  });
  return { ...state, lanes };
}
