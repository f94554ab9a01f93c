/** Links that open the console once, as they are written into a log or printed. */

import type { Environment } from "#environment.ts";
import type { UserRow } from "#store/tables/people.ts";
import { hasUsers } from "#store/team/people.ts";
import { createSignInLink } from "./sessions.ts";
import { mirrorTeam } from "./teams.ts";
import { createFirstUser, readPerson } from "./users.ts";

/**
 * The word stands behind `#`, which a browser keeps to itself: it is in no server's or proxy's log.
 * `base` is without a slash at its end.
 */
export async function signInUrl(
  live: Environment,
  base: string,
  user: UserRow | null,
): Promise<string> {
  const token = await live.commit(() => createSignInLink(live, user));
  return `${base}/${user === null ? "welcome" : "enter"}#${token}`;
}

/** A link that makes the first person; null where there is somebody. */
export async function firstRunUrl(live: Environment, base: string): Promise<string | null> {
  return hasUsers(live.db) ? null : await signInUrl(live, base, null);
}

/** Makes the first person as the configuration says; where there is somebody it changes nothing. */
export async function createAdmin(
  { live, test }: { live: Environment; test: Environment },
  { email, password }: { email: string; password: string },
): Promise<void> {
  if (hasUsers(live.db)) {
    return;
  }
  const person = await readPerson({ email, name: email.split("@")[0] ?? email, password });
  const { team } = await live.commit(() => createFirstUser(live, person));
  await test.commit(() => mirrorTeam(test, team));
}
