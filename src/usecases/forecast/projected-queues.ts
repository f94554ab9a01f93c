/**
 * The queues of new leads and follow-ups as the projection sees them: read from SQLite in pages, so that
 * a campaign of a million leads costs what is sent, less those taken, plus those expected.
 */

import {
  type Barred,
  type Candidate,
  isBarred,
  type Ledger,
  NOBODY_BARRED,
  type Whose,
} from "#domain/sending/ledger.ts";
import {
  headsOf,
  QUEUE_START,
  type Queue,
  type QueuePlace,
  readQueue,
} from "#store/sending/ledger.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";

const PAGE = 200;

interface Line {
  queue: Queue;
  read: Candidate[];
  place: QueuePlace;
  exhausted: boolean;
  /** Sorted by (dueAt, enrollmentId). */
  added: Candidate[];
}

export function createQueues(db: Db, receiverOf: Ledger["receiverOf"]) {
  const lines = new Map<Id, Map<Whose, Map<string | null, Line>>>();
  const knownZones = new Map<Id, Map<Whose, (string | null)[]>>();
  /** Taken or added once: what the file says of them is out of date. */
  const moved = new Set<Id>();
  /** The line in which one that was added stands. */
  const standing = new Map<Id, Line>();

  const lineOf = (queue: Queue): Line => {
    const owners = ensure(lines, queue.campaignId, () => new Map());
    const queues = ensure(owners, queue.whose, () => new Map());
    return ensure(queues, queue.zone, () => ({
      queue,
      read: [],
      place: QUEUE_START,
      exhausted: false,
      added: [],
    }));
  };
  const zones = (campaignId: Id, whose: Whose): (string | null)[] =>
    ensure(
      ensure(knownZones, campaignId, () => new Map()),
      whose,
      () => headsOf(db, campaignId, whose).map(({ zone }) => zone),
    );

  const head = (queue: Queue, barred: Barred): Candidate | undefined => {
    const line = lineOf(queue);
    const fits = (one: Candidate) => !isBarred(barred, one.domain, receiverOf);
    const isLeft = (one: Candidate) => !moved.has(one.enrollmentId);
    const isStored = (one: Candidate) => isLeft(one) && fits(one);
    while (line.read.length > 0 && moved.has(line.read[0]?.enrollmentId ?? "")) {
      line.read.shift();
    }
    if (barred.within !== undefined) {
      while (!line.exhausted && line.read.filter(isLeft).length < barred.within) {
        readPage(db, line);
      }
      const all = [...line.read.filter(isLeft), ...line.added].sort((a, b) =>
        isBefore(a, b) ? -1 : 1,
      );
      return all.slice(0, barred.within).find(fits);
    }
    let stored = line.read.find(isStored);
    while (stored === undefined && !line.exhausted) {
      stored = readPage(db, line).find(isStored);
    }
    return least(stored, line.added.find(fits));
  };

  const heads = (campaignId: Id, whose: Whose): Candidate[] =>
    zones(campaignId, whose).flatMap(
      (zone) => head({ campaignId, whose, zone }, NOBODY_BARRED) ?? [],
    );

  return {
    heads,
    head,
    hasFollowUps: (campaignId: Id, accountId: Id): boolean =>
      zones(campaignId, accountId).some(
        (zone) => head({ campaignId, whose: accountId, zone }, NOBODY_BARRED) !== undefined,
      ),
    take: ({ enrollmentId }: Candidate): void => {
      moved.add(enrollmentId);
      const line = standing.get(enrollmentId);
      if (line !== undefined) {
        standing.delete(enrollmentId);
        drop(line.added, enrollmentId);
      }
    },
    add: (expected: Candidate, whose: Whose): void => {
      const { campaignId, zone, enrollmentId } = expected;
      const line = lineOf({ campaignId, whose, zone });
      moved.add(enrollmentId);
      standing.set(enrollmentId, line);
      insertSorted(line.added, expected);
      const known = zones(campaignId, whose);
      if (!known.includes(zone)) {
        known.push(zone);
      }
    },
  };
}

/** The value of `key`, made where there is none. */
export function ensure<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function drop(list: Candidate[], enrollmentId: Id): void {
  const index = list.findIndex((one) => one.enrollmentId === enrollmentId);
  if (index >= 0) {
    list.splice(index, 1);
  }
}

function readPage(db: Db, line: Line): Candidate[] {
  const page = readQueue(db, line.queue, line.place, PAGE);
  const last = page.at(-1);
  if (last !== undefined) {
    line.place = { dueAt: last.dueAt, id: last.enrollmentId };
  }
  line.exhausted = page.length < PAGE;
  line.read.push(...page);
  return page;
}

function insertSorted(list: Candidate[], one: Candidate): void {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other !== undefined && isBefore(other, one)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  list.splice(low, 0, one);
}

function least(a: Candidate | undefined, b: Candidate | undefined): Candidate | undefined {
  if (a === undefined || b === undefined) {
    return a ?? b;
  }
  return isBefore(a, b) ? a : b;
}

function isBefore(a: Candidate, b: Candidate): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.enrollmentId < b.enrollmentId);
}
