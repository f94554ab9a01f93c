/** Writes down what clients ask and are told, by one clock. */

import type { Entry, Request } from "./history.ts";

export interface Recorder {
  entries: Entry[];
  /** The time of day at instant 0. */
  startedAt: number;
  now(): number;
  /** The process that requests without a response were sent to has ended: what they asked for is done or never will be. */
  ended(): void;
  add(entry: Entry): void;
}

export function createRecorder(): Recorder {
  const entries: Entry[] = [];
  let open: Request[] = [];
  const zero = performance.now();
  const now = () => performance.now() - zero;
  return {
    ...{ entries, startedAt: Date.now(), now },
    ended: () => {
      for (const request of open) {
        request.to = now();
      }
      open = [];
    },
    add: (entry) => {
      entries.push(entry);
      if (entry.kind === "request" && entry.outcome === "unknown") {
        open.push(entry);
      }
    },
  };
}
