/** Groups of leads that are probably one person, found in slices: others get their turn between two. */

import {
  areAlike,
  DUPLICATE_REASONS,
  type DuplicateReason,
  type Identity,
  keysOf,
  MERGED_LEADS_MAX,
  namesakeKeys,
} from "#domain/leads/duplicates.ts";
import type { Caller, Environment } from "#environment.ts";
import { ownTurn } from "#platform/turns.ts";
import { identitiesBefore, leadsWithIds } from "#store/leads/identities.ts";
import { type Id, LAST_ID } from "#store/sqlite/columns.ts";
import type { LeadRow } from "#store/tables/leads.ts";

/** Leads of a team that are looked at, the newest first. */
export const DUPLICATES_SCANNED_MAX = 200_000;
/** About two milliseconds. */
const SLICE_LEADS = 500;
const SLICE_KEYS = 5000;
/** More leads than one merge takes have the number of a switchboard, or a word that stands for none. */
const KEY_LEADS_MAX = MERGED_LEADS_MAX + 1;
/** People of a first or of a last name at one company who are compared with each other. */
const NAMESAKES_MAX = 50;

export interface DuplicateGroup {
  reasons: DuplicateReason[];
  leads: LeadRow[];
}

export interface Duplicates {
  groups: DuplicateGroup[];
  total: number;
  /** Leads that were looked at. */
  scanned: number;
}

/** A page of the groups, the surest and newest first. */
export async function findDuplicates(
  { db }: Environment,
  { teamId }: Caller,
  { offset, limit }: { offset: number; limit: number },
): Promise<Duplicates> {
  const scan = newScan();
  let before: Id = LAST_ID;
  while (scan.ids.length < DUPLICATES_SCANNED_MAX) {
    const slice = identitiesBefore(db, { teamId, before, limit: SLICE_LEADS });
    for (const lead of slice) {
      look(scan, lead);
    }
    before = slice.at(-1)?.id ?? before;
    if (slice.length < SLICE_LEADS) {
      break;
    }
    await ownTurn();
  }
  const found = await groupsOf(scan);
  const groups = found.slice(offset, offset + limit).map(({ reasons, members }) => ({
    reasons,
    leads: leadsWithIds(db, teamId, members.slice(0, KEY_LEADS_MAX)),
  }));
  return { groups, total: found.length, scanned: scan.ids.length };
}

/** By the number of a lead in the order of the scan. */
interface Scan {
  ids: Id[];
  /** Holders of a key, by a hash of it; one alone is a number. */
  keys: Map<number, number | number[]>;
  reasons: Map<number, DuplicateReason>;
  namesakes: Map<number, Named[]>;
}

type Named = Pick<Identity, "firstName" | "lastName"> & { at: number; reason: DuplicateReason };

function newScan(): Scan {
  return { ids: [], keys: new Map(), reasons: new Map(), namesakes: new Map() };
}

/** 52 bits of it: a number, and of a million keys hardly two are the same. */
function hashOf(text: string): number {
  return Number(BigInt.asUintN(52, Bun.hash.wyhash(text)));
}

function look({ ids, keys, reasons, namesakes }: Scan, lead: Identity & { id: Id }): void {
  const at = ids.push(lead.id) - 1;
  for (const [reason, key] of keysOf(lead)) {
    const hash = hashOf(`${reason} ${key}`);
    const holders = keys.get(hash);
    if (holders === undefined) {
      keys.set(hash, at);
    } else if (typeof holders === "number") {
      keys.set(hash, [holders, at]);
      reasons.set(hash, reason);
    } else {
      holders.push(at);
    }
  }
  const { firstName, lastName } = lead;
  for (const [reason, key] of namesakeKeys(lead)) {
    const hash = hashOf(`${reason} ${key}`);
    const others = namesakes.get(hash);
    if (others === undefined) {
      namesakes.set(hash, [{ firstName, lastName, at, reason }]);
    } else {
      others.push({ firstName, lastName, at, reason });
    }
  }
}

interface Group {
  reasons: DuplicateReason[];
  members: Id[];
}

async function groupsOf(scan: Scan): Promise<Group[]> {
  const parents = Int32Array.from(scan.ids, (_, at) => at);
  const links: Link[] = [];
  let looked = 0;
  for (const link of linksOf(scan)) {
    if (typeof link !== "number") {
      const [a, b] = [rootOf(parents, link.at), rootOf(parents, link.other)];
      parents[Math.max(a, b)] = Math.min(a, b);
      links.push(link);
    }
    looked += typeof link === "number" ? link : 1;
    if (looked > SLICE_KEYS) {
      looked = 0;
      await ownTurn();
    }
  }
  return gathered(scan.ids, parents, links);
}

interface Link {
  at: number;
  other: number;
  reason: DuplicateReason;
}

/** Which leads belong together, and in between how many keys were looked at without finding any. */
function* linksOf({ keys, reasons, namesakes }: Scan): Generator<Link | number> {
  for (const [hash, reason] of reasons) {
    const holders = keys.get(hash);
    yield 1;
    if (Array.isArray(holders) && holders.length <= KEY_LEADS_MAX) {
      const [at = 0, ...others] = holders;
      yield* others.map((other) => ({ at, other, reason }));
    }
  }
  for (const some of namesakes.values()) {
    yield 1;
    if (some.length > 1 && some.length <= NAMESAKES_MAX) {
      for (const [a, b] of pairsOf(some)) {
        yield areAlike(a, b) ? { at: a.at, other: b.at, reason: a.reason } : 1;
      }
    }
  }
}

function rootOf(parents: Int32Array, at: number): number {
  let root = at;
  for (let parent = parents[root] ?? root; parent !== root; parent = parents[root] ?? root) {
    root = parent;
  }
  parents[at] = root;
  return root;
}

function* pairsOf<Item>(items: readonly Item[]): Generator<[Item, Item]> {
  for (const [at, a] of items.entries()) {
    for (const b of items.slice(at + 1)) {
      yield [a, b];
    }
  }
}

function gathered(ids: readonly Id[], parents: Int32Array, links: readonly Link[]): Group[] {
  const why = new Map<number, Set<DuplicateReason>>();
  for (const { at, reason } of links) {
    const root = rootOf(parents, at);
    const known = why.get(root);
    if (known === undefined) {
      why.set(root, new Set([reason]));
    } else {
      known.add(reason);
    }
  }
  const members = new Map([...why.keys()].map((root) => [root, [] as Id[]]));
  for (const [at, id] of ids.entries()) {
    members.get(rootOf(parents, at))?.push(id);
  }
  const rank = (reasons: Set<DuplicateReason>) =>
    DUPLICATE_REASONS.findIndex((reason) => reasons.has(reason));
  return [...why]
    .toSorted(([a, some], [b, others]) => rank(some) - rank(others) || a - b)
    .map(([root, reasons]) => ({
      reasons: DUPLICATE_REASONS.filter((reason) => reasons.has(reason)),
      members: members.get(root) ?? [],
    }));
}
