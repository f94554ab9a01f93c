/**
 * What a browser keeps for us between two requests: sealed, for some minutes, and taken back once. Nothing
 * lies here meanwhile that strangers could fill.
 */

import { isAhead, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { cookieName, cookieOf } from "./visitor.ts";

export const ERRAND_MS_MAX = 10 * MINUTE_MS;
/** That are remembered as taken. */
const TAKEN_MAX = 10_000;

export interface Errands<Kept> {
  /** The `Set-Cookie` that keeps it. `tls` as the session's cookie. */
  begin(kept: Kept, tls: boolean): string;
  /** What was kept; null where it is none of ours, too old, or was taken before. */
  take(request: Request, tls: boolean): Kept | null;
  /** The `Set-Cookie` that forgets it. */
  end(tls: boolean): string;
}

interface Sealed<Kept> {
  id: string;
  endsAt: UnixMs;
  kept: Kept;
}

/** In memory it is known what was taken: a restart forgets it, and the minutes are few. */
export function createErrands<Kept>(live: Environment, name: string): Errands<Kept> {
  const taken = new Set<string>();
  const nameOf = (tls: boolean) => cookieName(live, tls, `-${name}`);
  // Lax: the way back may begin at another site.
  const cookie = (value: string, seconds: number, tls: boolean) =>
    `${nameOf(tls)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${tls ? "; Secure" : ""}`;
  const open = (text: string): Sealed<Kept> | null => {
    try {
      return JSON.parse(live.vault.open(text, name)) as Sealed<Kept>;
    } catch {
      return null;
    }
  };
  const isOpen = ({ endsAt }: Sealed<Kept>) => isAhead(endsAt, live.wall.now(), ERRAND_MS_MAX);
  return {
    begin: (kept, tls) => {
      const now = live.wall.now();
      const sealed: Sealed<Kept> = {
        id: live.ids.next(now),
        endsAt: plus(now, ERRAND_MS_MAX),
        kept,
      };
      const text = live.vault.seal(JSON.stringify(sealed), name);
      return cookie(text, ERRAND_MS_MAX / SECOND_MS, tls);
    },
    take: (request, tls) => {
      const sealed = open(cookieOf(request, nameOf(tls)));
      if (sealed === null || !isOpen(sealed) || taken.has(sealed.id)) {
        return null;
      }
      taken.add(sealed.id);
      for (const old of taken) {
        if (taken.size <= TAKEN_MAX) {
          break;
        }
        taken.delete(old);
      }
      return sealed.kept;
    },
    end: (tls) => cookie("", 0, tls),
  };
}
