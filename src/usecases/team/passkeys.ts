/** Passkeys of people: kept, used and removed. Live environment only. */

import { conflict, invalid, notFound, Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import type { PasskeyFacts } from "#platform/secrets/passkeys.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { PasskeyRow, UserRow } from "#store/tables/people.ts";
import {
  findPasskey,
  findUser,
  identitiesOf,
  insertPasskey,
  passkeysOf,
  removePasskeyRow,
  updatePasskey,
} from "#store/team/people.ts";
import { audit } from "#usecases/events/record.ts";
import { readName } from "./users.ts";

/** Of one person. */
export const PASSKEYS_MAX = 20;

/** Keeps a passkey that was made for `user`. Throws `validation_error` on `name`, or `conflict`. */
export function addPasskey(
  live: Environment,
  caller: Caller,
  user: UserRow,
  { name, facts }: { name: string; facts: PasskeyFacts },
): PasskeyRow {
  if (passkeysOf(live.db, user.id).length >= PASSKEYS_MAX) {
    throw conflict(`at most ${PASSKEYS_MAX} passkeys; remove one first`);
  }
  if (findPasskey(live.db, facts.credentialId) !== undefined) {
    throw conflict("this passkey is already registered");
  }
  const now = live.wall.now();
  const row: PasskeyRow = {
    ...facts,
    id: live.ids.next(now),
    userId: user.id,
    name: readName(name),
    createdAt: now,
    usedAt: null,
  };
  insertPasskey(live.db, row);
  audit(live, caller, { action: "passkey.create", target: `user:${user.id}` });
  return row;
}

/** Records that a passkey was used, and returns its owner. Throws `authentication_error`. */
export function usePasskey(live: Environment, credentialId: string, counter: number): UserRow {
  const row = findPasskey(live.db, credentialId);
  const user = row === undefined ? undefined : findUser(live.db, row.userId);
  if (row === undefined || user === undefined) {
    throw unknownPasskey();
  }
  updatePasskey(live.db, { ...row, counter, usedAt: live.wall.now() });
  return user;
}

export function unknownPasskey(): Problem {
  return new Problem(
    "authentication_error",
    "this passkey isn't registered here; sign in another way",
  );
}

/** Throws where the browser's answer was not one to our question. */
export function checkAnswered<Answer>(answer: Answer | null): Answer {
  if (answer === null) {
    throw invalid("credential", "isn't a passkey for this site; try again");
  }
  return answer;
}

/** Throws `not_found`, or `conflict` for the only way in. */
export function removePasskey(live: Environment, caller: Caller, user: UserRow, id: Id): void {
  const all = passkeysOf(live.db, user.id);
  if (!all.some((row) => row.id === id)) {
    throw notFound("passkey");
  }
  const hasOther = user.passwordHash !== null || identitiesOf(live.db, user.id).length > 0;
  if (all.length === 1 && !hasOther) {
    throw conflict("set a password first, or you couldn't sign in anymore");
  }
  removePasskeyRow(live.db, id);
  audit(live, caller, { action: "passkey.delete", target: `user:${user.id}` });
}
