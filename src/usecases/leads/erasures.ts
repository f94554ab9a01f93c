/** Erasing a person, and erasing again whom a database that was put back knows again. */

import { parseAddress } from "#domain/email-address.ts";
import type { UnixMs } from "#domain/time.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import {
  addressesOfLeads,
  addressesOfSenders,
  eraseHash,
  eraseLead,
  erasuresSeen,
  noteErasuresSeen,
} from "#store/operations/erasure.ts";
import type { Person } from "#store/operations/erasure-traces.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { forgetExposures } from "#usecases/campaigns/exposures.ts";
import { audit } from "#usecases/events/journal.ts";
import { engineCaller, type World } from "#world.ts";
import { closeRow } from "./campaign-leads.ts";

/** Erases a person, remembered beside the database before it is done. Runs inside a commit. */
export function erasePerson(world: World, person: Person): void {
  const at = world.clock.now();
  const { env } = world;
  const erasure = { env, teamId: person.teamId, hash: sha256(person.email), at };
  const seq = world.erasures.add(erasure, erasuresSeen(world.db));
  erase(world, person, at);
  noteErasuresSeen(world.db, seq);
}

/** `at`: when they were erased, of which they may have sent or received nothing that is stored again. */
function erase(world: World, person: Person, at: UnixMs): void {
  const rows = enrollmentsOfLead(world.db, person.id);
  forgetExposures(world, person.id);
  eraseLead(world.db, person, { now: world.clock.now(), at });
  for (const row of rows) {
    closeRow(world, row);
  }
}

/** Addresses that are read and hashed in one turn. */
const SLICE_MAX = 5_000;

/**
 * Erases again whom the list beside the database has and the database does not know of: it was put back to
 * a state of before, or the program was killed on the way. Answers how many people that was; what is
 * interrupted begins anew at the next start.
 */
export async function eraseAgain(world: World): Promise<number> {
  const listed = world.erasures.since(world.env, erasuresSeen(world.db));
  const last = listed.at(-1);
  if (last === undefined) {
    return 0;
  }
  let found = 0;
  for (const [teamId, erasures] of Map.groupBy(listed, (one) => one.teamId)) {
    const wanted = new Map(erasures.map(({ hash, at }) => [hash.toHex(), at]));
    for (const addressesAfter of [addressesOfLeads, addressesOfSenders]) {
      found += await eraseAmong(world, teamId, wanted, addressesAfter);
    }
    await world.commit(() => {
      for (const { hash, at } of erasures) {
        eraseHash(world.db, teamId, hash, at);
      }
    });
  }
  await world.commit(() => noteErasuresSeen(world.db, last.seq));
  return found;
}

/** Takes whom it has erased out of `wanted`. */
async function eraseAmong(
  world: World,
  teamId: Id,
  wanted: Map<string, UnixMs>,
  addressesAfter: typeof addressesOfLeads,
): Promise<number> {
  const { size } = wanted;
  let after: Id | undefined;
  do {
    const slice = addressesAfter(world.db, teamId, after, SLICE_MAX);
    for (const { address } of slice) {
      const email = storedForm(address);
      const hash = sha256(email).toHex();
      const at = wanted.get(hash);
      if (at !== undefined) {
        wanted.delete(hash);
        await world.commit(() => eraseKnown(world, teamId, email, at));
      }
    }
    after = slice.at(-1)?.id;
  } while (after !== undefined);
  return size - wanted.size;
}

function eraseKnown(world: World, teamId: Id, email: string, at: UnixMs): void {
  const id = leadByEmail(world.db, teamId, email)?.id ?? world.ids.next(world.clock.now());
  erase(world, { id, teamId, email }, at);
  const after = { why: "the data was put back to a state of before the erasure" };
  audit(world, engineCaller(teamId), { action: "lead.erase", target: `lead:${id}`, after });
}

/** Lower case is kept as it is, so that only a domain in Unicode costs a look: leads have none. */
function storedForm(address: string): string {
  return /[^ -~]/.test(address) ? (parseAddress(address)?.address ?? address) : address;
}
