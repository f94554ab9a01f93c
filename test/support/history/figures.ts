/** How much a history holds. */

import type { Entry } from "./history.ts";

export interface Figures {
  requests: number;
  acknowledged: number;
  refused: number;
  unknown: number;
  records: number;
  emails: number;
  deliveries: number;
  kills: number;
  stops: number;
  partitions: number;
  clocks: number;
  backups: number;
  restores: number;
}

export function figuresOf(entries: readonly Entry[]): Figures {
  const count = (is: (entry: Entry) => boolean) => entries.filter(is).length;
  const outcome = (wanted: string) => (entry: Entry) =>
    entry.kind === "request" && entry.outcome === wanted;
  const fault = (wanted: RegExp) => (entry: Entry) =>
    entry.kind === "fault" && wanted.test(entry.fault);
  const records = new Set(
    entries.flatMap((entry) => (entry.kind === "request" ? entry.acts.map(({ on }) => on) : [])),
  );
  return {
    requests: count(({ kind }) => kind === "request"),
    acknowledged: count(outcome("ok")),
    refused: count(outcome("refused")),
    unknown: count(outcome("unknown")),
    records: records.size,
    emails: count(({ kind }) => kind === "mail"),
    deliveries: count(({ kind }) => kind === "delivery"),
    kills: count(fault(/^kill$/)) + count(({ kind }) => kind === "restore"),
    stops: count(fault(/^restart$/)),
    partitions: count(fault(/ (cut|stall|half)$/)),
    clocks: count(fault(/^clock$/)),
    backups: count(({ kind }) => kind === "save"),
    restores: count(({ kind }) => kind === "restore"),
  };
}
