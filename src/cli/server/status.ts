/** `outrider status` and `outrider wait`: asks a running server how it is. */

import { command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import { CLIENT_DETAILS, CLIENT_OPTIONS, clientOf, readUrl } from "#cli/requests/client.ts";
import { jsonLine, printable, type Style, styled, table } from "#cli/term.ts";

const ANSWER_MS_MAX = 5_000;
const PAUSE_MS = 200;
const WAIT_SECONDS = 30;
const WAIT_SECONDS_MAX = 3_600;

interface Worker {
  name: string;
  last_run_at: string | null;
  faults: number;
  last_fault: string | null;
}

interface EnvironmentView {
  database_bytes: number;
  wal_bytes: number;
  queues: Record<string, number>;
  workers: Worker[];
  watches: number;
}

interface System {
  version: string;
  started_at: string;
  uptime_seconds: number;
  disk: { free_bytes: number };
  memory: { resident_bytes: number };
  live: EnvironmentView;
  test: EnvironmentView;
  checks: { check: string; verdict: string; detail: string }[];
}

const STYLE: Readonly<Record<string, Style>> = { ok: "green", warning: "amber", fault: "red" };

export const statusCommand = command({
  about: "Show a running server's health: queues, workers, sizes, and checks",
  details: `${CLIENT_DETAILS} Needs an operator's key (outrider keys create --operator). Exits 1 if a check fails.`,
  options: CLIENT_OPTIONS,
  run: async (call) => {
    const system = await clientOf(call).call<System>("GET", "/system");
    const { terminal } = call;
    const healthy = system.checks.every(({ verdict }) => verdict !== "fault");
    if (call.json) {
      terminal.out(jsonLine({ ...system, healthy }));
      return healthy ? EXIT.done : EXIT.failed;
    }
    const colours = terminal.outColours;
    terminal.out(`Outrider ${system.version}, running since ${system.started_at}\n`);
    const { disk, memory } = system;
    terminal.out(`${mib(disk.free_bytes)} disk free, ${mib(memory.resident_bytes)} memory used\n`);
    const columns = [
      "Environment",
      "Database",
      "Log",
      "Watched",
      "Sends",
      "Polls",
      "Deliveries",
      "Faults",
    ];
    const rows = (["live", "test"] as const).map((envName) => {
      const env = system[envName];
      const faults = env.workers.reduce((sum, worker) => sum + worker.faults, 0);
      const { sends = 0, polls = 0, deliveries = 0 } = env.queues;
      const sizes = [mib(env.database_bytes), mib(env.wal_bytes)];
      const counts = [env.watches, sends, polls, deliveries, faults].map(String);
      return [envName, ...sizes, ...counts];
    });
    terminal.out(
      table(
        columns.map((title) => ({ title })),
        rows,
        colours,
      ),
    );
    for (const { check, verdict, detail } of system.checks) {
      const mark = styled(verdict.padEnd(7), STYLE[verdict] ?? "dim", colours);
      terminal.out(`${mark}  ${check}: ${printable(detail)}\n`);
    }
    return healthy ? EXIT.done : EXIT.failed;
  },
});

export const waitCommand = command({
  about: "Wait until a server is ready",
  options: {
    timeout: {
      type: "string",
      value: "SECONDS",
      about: `Seconds to wait at most (${WAIT_SECONDS})`,
    },
    ...CLIENT_OPTIONS,
  },
  run: async (call) => {
    const seconds = Number(call.values.timeout ?? WAIT_SECONDS);
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > WAIT_SECONDS_MAX) {
      throw usageError(`--timeout must be 1 to ${WAIT_SECONDS_MAX} seconds`);
    }
    const url = readUrl(call);
    const late = AbortSignal.timeout(seconds * 1_000);
    while (!(await isReady(url))) {
      if (late.aborted) {
        throw new CommandError(EXIT.unavailable, `no server is ready at ${url} after ${seconds} s`);
      }
      await Bun.sleep(PAUSE_MS);
    }
    call.terminal.out(call.json ? jsonLine({ url, ready: true }) : `${url} is ready\n`);
    return EXIT.done;
  },
});

export async function isReady(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    return (await fetch(`${url}/readyz`, { signal, redirect: "error" })).ok;
  } catch {
    return false;
  }
}

function mib(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
