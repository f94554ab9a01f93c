/** The figures as a table for people and as a record for programs. */

import { execFileSync } from "node:child_process";
import { cpus, loadavg, release, totalmem } from "node:os";
import { type Against, type Figure, isReached } from "./measure.ts";

export interface Machine {
  processor: string;
  cores: number;
  memory_gib: number;
  system: string;
  bun: string;
}

export interface Run {
  machine: Machine;
  /** UTC. */
  date: string;
  commit: string;
  short: boolean;
  /** Of one minute, before and after: on a machine that others use, absolute figures are low. */
  load: [number, number];
  figures: Figure[];
}

export function machine(): Machine {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 1024 ** 3),
    system: `${process.platform} ${release()} ${process.arch}`,
    bun: Bun.version,
  };
}

export function oneMinuteLoad(): number {
  return loadavg()[0] ?? Number.NaN;
}

export function commit(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: import.meta.dir, encoding: "utf8" }).trim();
  try {
    const isClean = git("status", "--porcelain", "--", "../src", "../bench") === "";
    return `${git("rev-parse", "--short=12", "HEAD")}${isClean ? "" : " and changes"}`;
  } catch {
    return "unknown";
  }
}

const HEAD = [
  "figure",
  "outrider",
  "limit",
  "ratio",
  "before",
  "aim",
  "of rounds",
  "CPU ratio",
  "what the limit is",
];

/**
 * One row a limit; the first column is empty where the figure is that of the row above. `before` is the ratio
 * in the record of an earlier commit.
 */
function rows(figures: readonly Figure[], recorded: readonly Figure[]): string[][] {
  return figures.flatMap((figure) =>
    figure.against.map((against, index) => [
      index === 0 ? figure.about : "",
      index === 0 ? own(figure) : "",
      withUnit(against.value, figure.unit, against.cpuUs),
      against.ratio.toFixed(2),
      ratioIn(recorded, figure, against)?.toFixed(2) ?? "",
      against.least === null ? "" : `${against.least} ${mark(against.ratio >= against.least)}`,
      spread(against),
      against.cpuRatio?.toFixed(2) ?? "",
      against.limit,
    ]),
  );
}

function ratioIn(recorded: readonly Figure[], { id }: Figure, { limit }: Against) {
  const before = recorded.find((one) => one.id === id);
  return before?.against.find((one) => one.limit === limit)?.ratio;
}

/** The value, and beside it the one that is aimed at. */
function own(figure: Figure): string {
  const { aim, unit, value, cpuUs } = figure;
  const reached = isReached(figure);
  const of = unit === "1/s" ? "≥" : "≤";
  const aimed = reached === null ? "" : `; ${of} ${grouped(String(aim))} ${mark(reached)}`;
  return `${withUnit(value, unit, cpuUs)}${aimed}`;
}

function mark(isMet: boolean): string {
  return isMet ? "met" : "missed";
}

function spread({ spread: [least, most] }: Against): string {
  return `${least.toFixed(2)}–${most.toFixed(2)}`;
}

function withUnit(value: number, unit: string, cpuUs: number | null): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const cpu = cpuUs === null ? "" : ` (${cpuUs.toFixed(cpuUs >= 100 ? 0 : 1)} µs)`;
  const per = unit === "1/s" ? "/s" : ` ${unit}`;
  return `${grouped(value.toFixed(digits))}${per}${cpu}`;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

export function table(figures: readonly Figure[], recorded: readonly Figure[]): string {
  const all = [HEAD, ...rows(figures, recorded)];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** `recorded`: what was committed before. */
export function markdown(run: Run, recorded: Run): string {
  const { processor, cores, memory_gib, system, bun } = run.machine;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    "# Benchmarks",
    "",
    "Written by `bun bench --markdown`; `bench/README.md` says what is measured and what each limit is.",
    "Compare the ratios: both sides of one ran in turn, and the medians of their rounds stand here. In",
    `brackets is processor time an operation; "before" is the ratio of ${recorded.date}, commit ${recorded.commit}.`,
    "",
    `- ${run.date}, commit ${run.commit}${run.short ? ", short run" : ""}`,
    `- ${processor}, ${cores} cores, ${memory_gib} GiB, ${system}, Bun ${bun}`,
    `- load of the machine before and after: ${run.load.map((load) => load.toFixed(1)).join(", ")}`,
    "",
    line(HEAD),
    line(HEAD.map(() => "---")),
    ...rows(run.figures, recorded.figures).map(line),
    "",
  ].join("\n");
}
