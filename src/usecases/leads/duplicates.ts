/** Groups of leads that are probably one person, found in slices: others get their turn between two. */

import {
  areAlike,
  DUPLICATE_REASONS,
  type DuplicateReason,
  type Identity,
  MERGED_LEADS_MAX,
  type PlainNames,
  traitsOf,
} from "#domain/leads/duplicates.ts";
import type { Caller, Environment } from "#environment.ts";
import { ownTurn } from "#platform/turns.ts";
import { identitiesBefore, leadsWithIds } from "#store/leads/identities.ts";
import { type Id, LAST_ID } from "#store/sqlite/columns.ts";
import type { LeadRow } from "#store/tables/leads.ts";

/** Leads of a team that are looked at, the newest first. */
export const DUPLICATES_SCANNED_MAX = 200_000;
/** About two milliseconds. */
const SLICE_LEADS = 200;
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
  env: Environment,
  { teamId }: Caller,
  { offset, limit }: { offset: number; limit: number },
): Promise<Duplicates> {
  const { groups, scanned } = await shared(env, teamId);
  const page = groups.slice(offset, offset + limit).map(({ reasons, members }) => ({
    reasons: DUPLICATE_REASONS.filter((reason) => reasons.has(reason)),
    leads: leadsWithIds(env.db, teamId, members.slice(0, KEY_LEADS_MAX)),
  }));
  return { groups: page, total: groups.length, scanned };
}

interface Compared {
  groups: Group[];
  scanned: number;
}

/** Of teams whose leads are being compared. */
const running = new WeakMap<Environment, Map<Id, Promise<Compared>>>();

/** One comparison of a team's leads at a time: whoever asks meanwhile gets what it finds. */
function shared(env: Environment, teamId: Id): Promise<Compared> {
  const own = running.get(env) ?? new Map<Id, Promise<Compared>>();
  running.set(env, own);
  const known = own.get(teamId);
  if (known !== undefined) {
    return known;
  }
  const compared = compare(env, teamId).finally(() => own.delete(teamId));
  own.set(teamId, compared);
  return compared;
}

async function compare({ db }: Environment, teamId: Id): Promise<Compared> {
  const scan = newScan();
  let before: Id = LAST_ID;
  while (scan.ids.length < DUPLICATES_SCANNED_MAX) {
    await ownTurn();
    const slice = identitiesBefore(db, { teamId, before, limit: SLICE_LEADS });
    for (const lead of slice) {
      look(scan, lead);
    }
    before = slice.at(-1)?.id ?? before;
    if (slice.length < SLICE_LEADS) {
      break;
    }
  }
  return { groups: await groupsOf(scan), scanned: scan.ids.length };
}

/** By the number of a lead in the order of the scan. */
interface Scan {
  ids: Id[];
  /** Holders of a key, by a hash of it; one alone is a number. */
  keys: Map<number, number | number[]>;
  reasons: Map<number, DuplicateReason>;
  namesakes: Map<number, Named[]>;
}

interface Named {
  names: PlainNames;
  at: number;
  reason: DuplicateReason;
}

function newScan(): Scan {
  return { ids: [], keys: new Map(), reasons: new Map(), namesakes: new Map() };
}

/** 52 bits of it: a number, and of a million keys hardly two are the same. */
function hashOf(text: string): number {
  return Number(BigInt.asUintN(52, Bun.hash.wyhash(text)));
}

function look({ ids, keys, reasons, namesakes }: Scan, lead: Identity & { id: Id }): void {
  const at = ids.push(lead.id) - 1;
  const traits = traitsOf(lead);
  for (const [reason, key] of traits.keys) {
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
  for (const [reason, key] of traits.namesakes) {
    const hash = hashOf(`${reason} ${key}`);
    const one = { names: traits.names, at, reason };
    const others = namesakes.get(hash);
    if (others === undefined) {
      namesakes.set(hash, [one]);
    } else {
      others.push(one);
    }
  }
}

interface Group {
  reasons: Set<DuplicateReason>;
  /** The newest first. */
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
  return await gathered(scan.ids, parents, links);
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
        yield areAlike(a.names, b.names) ? { at: a.at, other: b.at, reason: a.reason } : 1;
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

/** The surest first, and of the same the newest. */
async function gathered(
  ids: readonly Id[],
  parents: Int32Array,
  links: readonly Link[],
): Promise<Group[]> {
  const groups = new Map<number, Group>();
  for (const [done, { at, reason }] of links.entries()) {
    const root = rootOf(parents, at);
    const group = groups.get(root) ?? { reasons: new Set(), members: [] };
    group.reasons.add(reason);
    groups.set(root, group);
    if (done % SLICE_KEYS === SLICE_KEYS - 1) {
      await ownTurn();
    }
  }
  const byReason = new Map(DUPLICATE_REASONS.map((reason) => [reason, [] as Group[]]));
  for (const [at, id] of ids.entries()) {
    const root = rootOf(parents, at);
    const group = groups.get(root);
    group?.members.push(id);
    if (group !== undefined && at === root) {
      byReason.get(surest(group))?.push(group);
    }
    if (at % SLICE_KEYS === SLICE_KEYS - 1) {
      await ownTurn();
    }
  }
  return [...byReason.values()].flat();
}

function surest({ reasons }: Group): DuplicateReason {
  return DUPLICATE_REASONS.find((reason) => reasons.has(reason)) ?? "same_name";
}
