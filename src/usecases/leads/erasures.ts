/** Erasing a person, and erasing again whom a database that was put back knows again. */

import { parseAddress } from "#domain/email-address.ts";
import { type ErasureFacts, type Removed, removedTogether } from "#domain/leads/erasure.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { ownTurn } from "#platform/turns.ts";
import { enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { aliasesOf, leadByEmail } from "#store/leads/leads.ts";
import {
  addressesOfLeads,
  addressesOfSenders,
  eraseHash,
  eraseLead,
  erasuresSeen,
  recordErasuresSeen,
  writeCleaning,
} from "#store/operations/erasure.ts";
import type { Erasure } from "#store/operations/erasure-list.ts";
import {
  erasureReceiptById,
  insertErasureReceipt,
  updateErasureReceipt,
} from "#store/operations/erasure-receipts.ts";
import {
  type Looked,
  lookThrough,
  NOT_LOOKED,
  type Person,
} from "#store/operations/erasure-traces.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ErasureReceiptRow, LeadRow } from "#store/tables/leads.ts";
import { forgetExposures } from "#usecases/campaigns/exposures.ts";
import { audit, emit } from "#usecases/events/record.ts";
import { closeRow } from "./campaign-leads.ts";

/** A lead as it was under each address that it had before a merge, and last as it is. */
export function personsOf({ db }: Environment, lead: LeadRow): Person[] {
  const { id, teamId, email } = lead;
  const former = aliasesOf(db, id).map((alias) => ({
    teamId,
    id: alias.formerId,
    email: alias.email,
  }));
  return [...former, { teamId, id, email }];
}

/** Looks through the team's events for {@link erasePersons}, in slices, so that others get their turn. */
export async function lookForPerson(env: Environment, person: Person): Promise<Looked> {
  let looked = NOT_LOOKED;
  for (let more: Looked | undefined = looked; more !== undefined; ) {
    looked = more;
    await ownTurn();
    more = lookThrough(env.db, person, looked);
  }
  return looked;
}

/** Who asked for an erasure, and when by the wall's clock. */
export interface Asked {
  caller: Caller;
  leadId: Id;
  at: UnixMs;
}

/**
 * Erases a person under each address, remembered beside the database before that is committed; the last line of
 * there has the receipt. Runs inside a commit, which looks through the events since those that were `looked`
 * through, by address.
 */
export function erasePersons(
  env: Environment,
  persons: readonly Person[],
  looked: ReadonlyMap<string, Looked>,
  { caller, leadId, at: askedAt }: Asked,
): ErasureReceiptRow {
  const at = env.clock.now();
  const { teamId } = caller;
  let removed: Removed = {};
  for (const person of persons) {
    removed = removedTogether(removed, erase(env, person, at, looked.get(person.email)));
  }
  const [id, erasedAt] = [env.ids.next(at), env.wall.now()];
  const requestId = caller.requestId ?? null;
  const receipt = { id, leadId, actor: caller.actor, requestId, askedAt, erasedAt, removed };
  for (const [place, { email }] of persons.entries()) {
    const last = place === persons.length - 1 ? { receipt } : {};
    const erasure = { env: env.name, teamId, hash: sha256(email), at, ...last };
    recordErasuresSeen(env.db, env.erasures.add([erasure], erasuresSeen(env.db)));
  }
  const eventId = emit(env, teamId, "lead.erased", { lead_id: leadId, receipt_id: id });
  const hash = sha256(persons.at(-1)?.email ?? "");
  const row: ErasureReceiptRow = { ...newReceipt(teamId, hash, receipt), eventId };
  insertErasureReceipt(env.db, row);
  return row;
}

function newReceipt(teamId: Id, hash: Uint8Array, facts: ErasureFacts): ErasureReceiptRow {
  const { askedAt, erasedAt, ...rest } = facts;
  return {
    ...{ ...rest, teamId, hash, completedAt: null, repeats: [], eventId: null },
    ...{ askedAt: unixMs(askedAt), erasedAt: unixMs(erasedAt) },
  };
}

/** A receipt that went with the data is written again; `removed` tells of a person whom the data knew again. */
function keepReceipt(
  env: Environment,
  { teamId, hash, receipt }: Erasure,
  removed?: Removed,
): void {
  if (receipt === undefined) {
    return;
  }
  const known = erasureReceiptById(env.db, receipt.id);
  const row = known ?? newReceipt(teamId, hash, receipt);
  const again = removed === undefined ? [] : [{ at: env.wall.now(), removed }];
  if (known !== undefined && again.length === 0) {
    return;
  }
  const write = known === undefined ? insertErasureReceipt : updateErasureReceipt;
  write(env.db, { ...row, repeats: [...row.repeats, ...again], completedAt: null });
  writeCleaning(env.db);
}

/** `at`: when they were erased, of which they may have sent or received nothing that is stored again. */
function erase(env: Environment, person: Person, at: UnixMs, looked = NOT_LOOKED): Removed {
  const rows = enrollmentsOfLead(env.db, person.id);
  forgetExposures(env, person.id);
  const removed = eraseLead(env.db, person, { now: env.clock.now(), at }, looked);
  for (const row of rows) {
    closeRow(env, row);
  }
  return removed;
}

/** Addresses that are read and hashed in one turn. */
const SLICE_MAX = 5_000;

/**
 * Erases again whom the list beside the database has and the database does not know of: it was put back to
 * a state of before, or the program was killed on the way. Returns how many people that was; what is
 * interrupted begins anew at the next start.
 */
export async function eraseAgain(env: Environment): Promise<number> {
  const listed = env.erasures.since(env.name, erasuresSeen(env.db));
  const last = listed.at(-1);
  if (last === undefined) {
    return 0;
  }
  let found = 0;
  const again = new Map<string, Removed>();
  for (const [teamId, erasures] of Map.groupBy(listed, (one) => one.teamId)) {
    const wanted = new Map(erasures.map(({ hash, at }) => [hash.toHex(), at]));
    for (const addressesAfter of [addressesOfLeads, addressesOfSenders]) {
      found += await eraseAmong(env, teamId, wanted, addressesAfter, again);
    }
    await env.commit(() => {
      for (const erasure of erasures) {
        const { hash, at } = erasure;
        eraseHash(env.db, teamId, hash, at);
        keepReceipt(env, erasure, again.get(hash.toHex()));
      }
    });
  }
  await env.commit(() => recordErasuresSeen(env.db, last.seq));
  return found;
}

/** Takes whom it has erased out of `wanted`, and notes what was removed by the hash of each address. */
async function eraseAmong(
  env: Environment,
  teamId: Id,
  wanted: Map<string, UnixMs>,
  addressesAfter: typeof addressesOfLeads,
  again: Map<string, Removed>,
): Promise<number> {
  let found = 0;
  let after: Id | undefined;
  do {
    const slice = addressesAfter(env.db, teamId, after, SLICE_MAX);
    for (const { address } of slice) {
      const email = storedForm(address);
      const hash = sha256(email).toHex();
      const at = wanted.get(hash);
      if (at !== undefined) {
        const { persons, removed } = await env.commit(() => eraseKnown(env, teamId, email, at));
        for (const person of persons) {
          const theirs = sha256(person.email).toHex();
          wanted.delete(theirs);
          again.set(theirs, removed);
        }
        found += 1;
      }
    }
    after = slice.at(-1)?.id;
  } while (after !== undefined);
  return found;
}

/** Under each address that the person had. */
function eraseKnown(
  env: Environment,
  teamId: Id,
  email: string,
  at: UnixMs,
): { persons: Person[]; removed: Removed } {
  const lead = leadByEmail(env.db, teamId, email);
  const sender = { id: lead?.id ?? env.ids.next(env.clock.now()), teamId, email };
  const persons = lead === undefined ? [sender] : personsOf(env, lead);
  const removed = persons.map((person) => erase(env, person, at)).reduce(removedTogether, {});
  const after = { why: "the data was restored to a state before the erasure" };
  audit(env, engineCaller(teamId), { action: "lead.erase", target: `lead:${sender.id}`, after });
  return { persons, removed };
}

/** Lower case is kept as it is, so that only a domain in Unicode costs a look: leads have none. */
function storedForm(address: string): string {
  return /[^ -~]/.test(address) ? (parseAddress(address)?.address ?? address) : address;
}
