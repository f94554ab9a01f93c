import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { toIso, toIsoOrNull } from "#domain/time.ts";
import type { EnvState, Finding, LaneState, SystemState } from "#usecases/operations/operations.ts";

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

export function presentSystem(
  state: SystemState,
  checks: readonly Finding[],
): Static<typeof System> {
  return {
    version: state.version,
    commit: state.commit,
    bun: state.bun,
    started_at: toIso(state.startedAt),
    uptime_seconds: state.uptimeSeconds,
    schema_version: state.schema,
    data_directory: state.dataDir,
    disk: { free_bytes: state.diskFreeBytes, total_bytes: state.diskTotalBytes },
    memory: { resident_bytes: state.memoryBytes, heap_bytes: state.heapBytes },
    cpu_seconds: state.cpuSeconds,
    live: presentWorld(state.worlds.live),
    test: presentWorld(state.worlds.test),
    checks: checks.map(({ check, verdict, detail }) => ({ check, verdict, detail })),
  };
}

function presentWorld(state: EnvState): Static<typeof WorldView> {
  return {
    database_bytes: state.databaseBytes,
    wal_bytes: state.walBytes,
    queues: { ...state.queues },
    lanes: state.lanes.map(presentLane),
    watches: state.watches,
  };
}

function presentLane(lane: LaneState): Static<typeof LaneView> {
  return {
    name: lane.name,
    runs: lane.runs,
    busy_seconds: Math.round(lane.busyMs) / 1000,
    last_run_at: toIsoOrNull(lane.lastRunAt),
    faults: lane.faults,
    last_fault_at: toIsoOrNull(lane.lastFaultAt),
    last_fault: lane.lastFault,
  };
}
