/** What a demo reports while it plays and when it is done, and how that looks on a terminal. */

import { type Column, styled, type Terminal, table } from "#cli/term.ts";
import { toIso, type UnixMs } from "#domain/time.ts";
import { type DemoIncident, incidentsText, presentIncidents } from "./demo-health.ts";
import { type DemoPlacement, placementText, presentPlacement } from "./demo-placement.ts";

export interface DemoCounts {
  sent: number;
  replied: number;
  bounced: number;
  outOfOffice: number;
  unsubscribed: number;
}

export interface DemoProgress {
  /** 0 to 1. */
  done: number;
  /** The sandbox's time. */
  now: UnixMs;
  counts: DemoCounts;
}

/** What became of the experiment, beside the truth. */
export interface DemoVerdict {
  name: string;
  status: string;
  variants: readonly { name: string; sent: number; replied: number }[];
  /** The variant that people were made to like better. */
  better: string;
  winner: string | null;
  recommendation: string;
  /** The verdict is held back by a check, which the recommendation tells of. */
  isWithheld: boolean;
}

export interface DemoReport {
  seed: number;
  leads: number;
  /** Simulated time from the first instant to the last. */
  days: number;
  /** Real time it took. */
  seconds: number;
  campaigns: readonly {
    name: string;
    counts: DemoCounts;
    /** By position, 1 first; each counts what the step's own messages brought. */
    steps: readonly DemoCounts[];
  }[];
  experiment: DemoVerdict;
  placement: DemoPlacement;
  health: readonly DemoIncident[];
  /** Each invariant of the engine, checked over all that happened. */
  invariants: readonly { name: string; holds: boolean; detail: string }[];
}

export function allHold(report: DemoReport): boolean {
  return report.invariants.every(({ holds }) => holds);
}

/** The document of `demo --json`. */
export function presentReport(report: DemoReport) {
  return {
    seed: report.seed,
    leads: report.leads,
    days: report.days,
    seconds: report.seconds,
    totals: presentCounts(total(report.campaigns.map(({ counts }) => counts))),
    campaigns: report.campaigns.map(({ name, counts, steps }) => ({
      name,
      ...presentCounts(counts),
      steps: steps.map((step, index) => ({ position: index + 1, ...presentCounts(step) })),
    })),
    experiment: presentVerdict(report.experiment),
    placement: presentPlacement(report.placement),
    health: presentIncidents(report.health),
    invariants: Object.fromEntries(report.invariants.map(({ name, holds }) => [name, holds])),
    invariants_hold: allHold(report),
  };
}

/** The summary for people: a row a campaign and step, then the invariants. */
export function reportText(report: DemoReport, colours: boolean): string {
  const columns: Column[] = [
    { title: "Campaign" },
    { title: "Sent", right: true },
    { title: "Replied", right: true },
    { title: "Bounced", right: true },
    { title: "Out of office", right: true },
    { title: "Unsubscribed", right: true },
  ];
  const rows = report.campaigns.flatMap(({ name, counts, steps }) => [
    [name, ...figures(counts)],
    ...steps.map((step, index) => [`  step ${index + 1}`, ...figures(step)]),
  ]);
  const all = total(report.campaigns.map(({ counts }) => counts));
  const invariants = report.invariants.map(({ name, holds, detail }) => {
    const mark = holds ? styled("holds ", "green", colours) : styled("BROKEN", "red", colours);
    return `  ${mark}  ${name}${detail === "" ? "" : `: ${detail}`}\n`;
  });
  const took = `${report.days} days in ${report.seconds.toFixed(0)} s, seed ${report.seed}`;
  return [
    table(columns, [...rows, ["All", ...figures(all)]], colours),
    `\n${took}\n\n${verdictText(report.experiment, colours)}\n`,
    `${placementText(report.placement, colours)}\n${incidentsText(report.health, colours)}\n`,
    "Invariants\n",
    ...invariants,
  ].join("");
}

function presentVerdict({ variants, ...verdict }: DemoVerdict) {
  const { name, status, better, winner, recommendation } = verdict;
  return { name, status, variants, better, winner, right: winner === better, recommendation };
}

function verdictText(verdict: DemoVerdict, colours: boolean): string {
  const { name, status, variants, better, recommendation } = verdict;
  const columns: Column[] = [
    { title: `Experiment: ${name}` },
    { title: "Sent", right: true },
    { title: "Replied", right: true },
    { title: "Rate", right: true },
  ];
  const rows = variants.map(({ name: variant, sent, replied }) => {
    const rate = sent === 0 ? "" : `${((replied / sent) * 100).toFixed(1)} %`;
    return [`  ${variant}`, String(sent), String(replied), rate];
  });
  const truth = `  ${status}: ${recommendation}\n  The simulated recipients were set to prefer ${better}.\n`;
  return `${table(columns, rows, colours)}${truth}`;
}

const BAR_CELLS = 24;
/** Time between two lines where the last cannot be written over. */
const LINE_MS_MIN = 1_000;

/** Shows progress on stderr: one line written over on a terminal, else a line a second. */
export function progressView(terminal: Terminal, now: () => UnixMs): (at: DemoProgress) => void {
  let lastLineAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const line = progressLine(progress);
    if (terminal.errOverwrites) {
      terminal.err(`\r${line}\u001b[K${progress.done >= 1 ? "\n" : ""}`);
    } else if (progress.done >= 1 || now() - lastLineAt >= LINE_MS_MIN) {
      lastLineAt = now();
      terminal.err(`${line}\n`);
    }
  };
}

function progressLine({ done, now, counts }: DemoProgress): string {
  const share = Math.min(1, Math.max(0, done));
  const full = Math.round(share * BAR_CELLS);
  const bar = "█".repeat(full) + "░".repeat(BAR_CELLS - full);
  const percent = String(Math.floor(share * 100)).padStart(3);
  const day = toIso(now).slice(0, 10);
  return `${bar} ${percent} %  ${day}  ${counts.sent} sent, ${counts.replied} replied, ${counts.bounced} bounced`;
}

function figures(counts: DemoCounts): string[] {
  const { sent, replied, bounced, outOfOffice, unsubscribed } = counts;
  return [sent, replied, bounced, outOfOffice, unsubscribed].map(String);
}

function presentCounts(counts: DemoCounts) {
  const { sent, replied, bounced, outOfOffice, unsubscribed } = counts;
  return { sent, replied, bounced, out_of_office: outOfOffice, unsubscribed };
}

/** Sums, figure by figure. */
export function total(all: readonly DemoCounts[]): DemoCounts {
  const sum = (of: (counts: DemoCounts) => number) =>
    all.reduce((so, counts) => so + of(counts), 0);
  return {
    sent: sum(({ sent }) => sent),
    replied: sum(({ replied }) => replied),
    bounced: sum(({ bounced }) => bounced),
    outOfOffice: sum(({ outOfOffice }) => outOfOffice),
    unsubscribed: sum(({ unsubscribed }) => unsubscribed),
  };
}
