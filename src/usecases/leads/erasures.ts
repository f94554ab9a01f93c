/** Erasing a person, and erasing again whom a database that was put back knows again. */

import { parseAddress } from "#domain/email-address.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Environment, engineCaller } from "#environment.ts";
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
} from "#store/operations/erasure.ts";
import {
  type Looked,
  lookThrough,
  NOT_LOOKED,
  type Person,
} from "#store/operations/erasure-traces.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { LeadRow } from "#store/tables/leads.ts";
import { forgetExposures } from "#usecases/campaigns/exposures.ts";
import { audit } from "#usecases/events/record.ts";
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

/** Looks through the team's events for {@link erasePerson}, in slices, so that others get their turn. */
export async function lookForPerson(env: Environment, person: Person): Promise<Looked> {
  let looked = NOT_LOOKED;
  for (let more: Looked | undefined = looked; more !== undefined; ) {
    looked = more;
    await ownTurn();
    more = lookThrough(env.db, person, looked);
  }
  return looked;
}

/**
 * Erases a person, remembered beside the database before it is done. Runs inside a commit, which looks through
 * the events since those that were `looked` through.
 */
export function erasePerson(env: Environment, person: Person, looked = NOT_LOOKED): void {
  const at = env.clock.now();
  const erasure = { env: env.name, teamId: person.teamId, hash: sha256(person.email), at };
  const seq = env.erasures.add(erasure, erasuresSeen(env.db));
  erase(env, person, at, looked);
  recordErasuresSeen(env.db, seq);
}

/** `at`: when they were erased, of which they may have sent or received nothing that is stored again. */
function erase(env: Environment, person: Person, at: UnixMs, looked = NOT_LOOKED): void {
  const rows = enrollmentsOfLead(env.db, person.id);
  forgetExposures(env, person.id);
  eraseLead(env.db, person, { now: env.clock.now(), at }, looked);
  for (const row of rows) {
    closeRow(env, row);
  }
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
  for (const [teamId, erasures] of Map.groupBy(listed, (one) => one.teamId)) {
    const wanted = new Map(erasures.map(({ hash, at }) => [hash.toHex(), at]));
    for (const addressesAfter of [addressesOfLeads, addressesOfSenders]) {
      found += await eraseAmong(env, teamId, wanted, addressesAfter);
    }
    await env.commit(() => {
      for (const { hash, at } of erasures) {
        eraseHash(env.db, teamId, hash, at);
      }
    });
  }
  await env.commit(() => recordErasuresSeen(env.db, last.seq));
  return found;
}

/** Takes whom it has erased out of `wanted`. */
async function eraseAmong(
  env: Environment,
  teamId: Id,
  wanted: Map<string, UnixMs>,
  addressesAfter: typeof addressesOfLeads,
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
        const persons = await env.commit(() => eraseKnown(env, teamId, email, at));
        for (const person of persons) {
          wanted.delete(sha256(person.email).toHex());
        }
        found += 1;
      }
    }
    after = slice.at(-1)?.id;
  } while (after !== undefined);
  return found;
}

/** Under each address that the person had; returns who was erased. */
function eraseKnown(env: Environment, teamId: Id, email: string, at: UnixMs): Person[] {
  const lead = leadByEmail(env.db, teamId, email);
  const sender = { id: lead?.id ?? env.ids.next(env.clock.now()), teamId, email };
  const persons = lead === undefined ? [sender] : personsOf(env, lead);
  for (const person of persons) {
    erase(env, person, at);
  }
  const after = { why: "the data was restored to a state before the erasure" };
  audit(env, engineCaller(teamId), { action: "lead.erase", target: `lead:${sender.id}`, after });
  return persons;
}

/** Lower case is kept as it is, so that only a domain in Unicode costs a look: leads have none. */
function storedForm(address: string): string {
  return /[^ -~]/.test(address) ? (parseAddress(address)?.address ?? address) : address;
}
