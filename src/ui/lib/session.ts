/** Who is signed in, what they may do, and how they come in and go. */

import { effect, signal } from "@preact/signals";
import { OutriderError } from "#client.ts";
import { request } from "./api.ts";
import { gaps, setListening } from "./live.ts";
import type { Env } from "./route.ts";
import { goOn, hasEnded, holdCalls } from "./session-fetch.ts";
import { leave } from "./unsaved.ts";

export interface Session {
  user: { id: string; email: string; name: string; role: string; operator: boolean };
  /** The team on show. */
  team: { id: string; name: string };
  /** All teams of this person. */
  teams: { id: string; name: string }[];
  /** Every single scope that the role opens. */
  scopes: string[];
  expires_at: string;
}

interface Door {
  session: Session | null;
  /** The last event of each environment; null while nobody is signed in. */
  last_seq: Readonly<Record<Env, number>> | null;
  /** Nobody has an account yet. */
  is_new: boolean;
  /** The provider that people may sign in with; null: by password only. */
  single_sign_on: { name: string } | null;
}

/** Null: nobody is signed in. Undefined: not known yet. */
export const session = signal<Session | null | undefined>(undefined);

/** What can be done at the door; undefined until it has answered. */
export const door = signal<Door | undefined>(undefined);

/** Whether the one who is signed in may do what needs `scope`: `campaigns:write`, `admin`, `operator`. */
export function can(scope: string): boolean {
  return session.value?.scopes.includes(scope) ?? false;
}

/** Calls a route of `/console`. Throws {@link OutriderError} or {@link OutriderUnreachable}. */
export function consoleRequest<Data>(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
): Promise<Data> {
  // A refusal at the door is an answer, and no reason to wait for somebody to sign in.
  return request(method, `/console/${path}`, body, fetch);
}

/** Finds out who is signed in. */
export async function findSession(): Promise<void> {
  const answer = await consoleRequest<Door>("GET", "door");
  door.value = answer;
  session.value = answer.session;
}

/** Signs somebody in by what `path` takes. Over an open page only the same person goes on with it. */
export async function enter(path: string, body: object): Promise<void> {
  const before = session.peek();
  const now = await consoleRequest<Session>("POST", path, body);
  if (before && (before.user.id !== now.user.id || before.team.id !== now.team.id)) {
    location.assign("/live");
    return;
  }
  session.value = now;
  goOn();
}

/** Goes on with an open page for whom another tab has signed in meanwhile. */
export async function comeBack(): Promise<void> {
  const now = (await consoleRequest<Door>("GET", "door")).session;
  const before = session.peek();
  if (now !== null && now.user.id === before?.user.id && now.team.id === before.team.id) {
    session.value = now;
    goOn();
  }
}

/** Where the provider is that people sign in with; `given` says what for, and the page to come back to. */
export async function providerUrl(given: {
  to: string;
  invitation?: string;
  connect?: string;
}): Promise<string> {
  return (await consoleRequest<{ url: string }>("POST", "sso", given)).url;
}

export function signOut(): void {
  leave(() => void endSession());
}

async function endSession(): Promise<void> {
  setListening(false);
  // Drafts outlive a session that runs out, and not one that somebody ends.
  sessionStorage.clear();
  await consoleRequest<null>("DELETE", "session").catch((error: unknown) => {
    if (!(error instanceof OutriderError)) {
      throw error;
    }
  });
  location.assign("/live");
}

/** Shows another team of the same person. */
export async function showTeam(id: string): Promise<void> {
  await consoleRequest<Session>("PATCH", "session", { team_id: id });
  location.assign("/live");
}

/**
 * Where news stop, the session may have ended, or its person may have another role: the door says so before
 * anything is clicked.
 */
export function watchSession(): void {
  effect(() => {
    if (gaps.value > 0 && session.peek() && !hasEnded.peek()) {
      consoleRequest<Door>("GET", "door").then(
        ({ session: now }) => {
          if (now === null) {
            holdCalls();
          } else if (now.team.id !== session.peek()?.team.id) {
            location.assign("/live");
          } else {
            session.value = now;
          }
        },
        () => undefined,
      );
    }
  });
  // Whoever is signed out hears nothing: nobody asks for it until they are back.
  effect(() => setListening(!hasEnded.value));
}
