/** An exported audit log, read line by line and checked: that its chain is whole, and leads to a head that is known. */

import { type ChainEnd, type ChainFault, faultOf, type HashText } from "./audit-chain.ts";

export interface FileFault {
  kind: ChainFault | "cut_off" | "not_pinned" | "unreadable";
  /** Line of the file, from 1; 0: the file as a whole. */
  line: number;
  /** Number of the entry; null where the line has none. */
  position: number | null;
}

export interface FileVerdict {
  entries: number;
  /** Entries from before there was a chain. */
  unchained: number;
  head: ChainEnd | null;
  /** Entries at which data had been put back: what came between is not in the chain. */
  restores: number[];
  /** The first fault; null where there is none. */
  fault: FileFault | null;
}

export interface AuditFileReader {
  /** The next line; undefined where it is none. */
  read(line: Record<string, unknown> | undefined): void;
  end(): FileVerdict;
}

export interface Known {
  /** An entry that somebody has kept elsewhere. */
  head: ChainEnd | null;
  /** The last entry that was past its time. */
  anchor: ChainEnd | null;
  /** The file ends with a line that says how much it has, as NDJSON does. */
  hasTrailer: boolean;
}

export function auditFileReader(hashText: HashText, known: Known): AuditFileReader {
  const verdict: FileVerdict = { entries: 0, unchained: 0, head: null, restores: [], fault: null };
  let lines = 0;
  let trailer: Trailer | null = null;
  let start: ChainEnd | null = null;
  let isPinnedSeen = false;
  const fail = (kind: FileFault["kind"], position: number | null, line = lines) => {
    verdict.fault ??= { kind, line, position };
  };

  const missPinned = (end: number) => {
    if (known.head !== null) {
      fail(end < known.head.position ? "cut_off" : "not_pinned", known.head.position, 0);
    }
  };

  const readEntry = (entry: Record<string, unknown>) => {
    const { hash, ...line } = entry;
    const position = typeof line["position"] === "number" ? line["position"] : null;
    if (position === null && hash === null && verdict.head === null) {
      verdict.unchained += 1;
      return;
    }
    if (verdict.head === null && position !== null && position > 1) {
      start = { position: position - 1, hash: String(line["previous_hash"]) };
      verdict.head = start;
    }
    const kind = faultOf(line, hash, verdict.head, hashText);
    if (kind !== null) {
      fail(kind, position);
    }
    if (position !== null) {
      verdict.head = { position, hash: String(hash) };
      isPinnedSeen ||= isSame(known.head, verdict.head);
      if (line["action"] === "team.restore") {
        verdict.restores.push(position);
      }
    }
  };

  return {
    read: (line) => {
      lines += 1;
      if (line === undefined || trailer !== null) {
        fail(line === undefined ? "unreadable" : "out_of_order", null);
      } else if ("chain" in line) {
        trailer = readTrailer(line["chain"]);
      } else {
        verdict.entries += 1;
        readEntry(line);
      }
    },
    end: () => {
      const anchor = known.anchor ?? trailer?.anchor ?? null;
      const isBegun = verdict.head !== null;
      verdict.head ??= anchor;
      const { head } = verdict;
      if (isBegun && !isSame(start, anchor)) {
        fail("missing", (start?.position ?? 0) + 1, 0);
      }
      if (known.hasTrailer && !isTold(trailer, verdict)) {
        fail("cut_off", head?.position ?? null, 0);
      }
      if (!isPinnedSeen && !isSame(known.head, anchor)) {
        missPinned(head?.position ?? 0);
      }
      return verdict;
    },
  };
}

interface Trailer {
  entries: unknown;
  unchained: unknown;
  anchor: ChainEnd | null;
  head: ChainEnd | null;
}

function readTrailer(value: unknown): Trailer {
  const { entries, unchained, anchor, head } = Object(value) as Record<string, unknown>;
  return { entries, unchained, anchor: readEnd(anchor), head: readEnd(head) };
}

function readEnd(value: unknown): ChainEnd | null {
  const { position, hash } = Object(value ?? {}) as Record<string, unknown>;
  return typeof position === "number" ? { position, hash: String(hash) } : null;
}

function isTold(trailer: Trailer | null, { entries, unchained, head }: FileVerdict): boolean {
  return (
    trailer !== null &&
    trailer.entries === entries &&
    trailer.unchained === unchained &&
    isSame(trailer.head, head)
  );
}

function isSame(one: ChainEnd | null, other: ChainEnd | null): boolean {
  return one?.position === other?.position && one?.hash === other?.hash;
}
