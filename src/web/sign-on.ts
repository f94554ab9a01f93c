/**
 * `/console/sso`: away to the OpenID provider and back. What the way back is checked against lies in the
 * browser, sealed, for one sign-on of a few minutes; there is nothing here that a stranger could fill.
 */

import { Elysia } from "elysia";
import { Problem } from "#domain/problem.ts";
import { MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { SignOn, SignOnSecrets } from "#runtime/ports/sign-on.ts";
import { findUser } from "#store/people.ts";
import { listSessions } from "#store/sessions.ts";
import { openSession } from "#usecases/sessions.ts";
import { connectIdentity, disconnectIdentities, signOn } from "#usecases/sign-on.ts";
import type { World } from "#world.ts";
import { html, pageResponse } from "./page.ts";
import { type Asked, leave, signedIn, userAgentOf } from "./sessions.ts";
import { checkOwnPage, cookieOf, type Door, isTls, readFields, sessionCookie } from "./visitor.ts";

/** From leaving for the provider to coming back. */
export const SIGN_ON_MS_MAX = 10 * MINUTE_MS;
/** Answers that are remembered as used. */
const USED_MAX = 10_000;
const CONTEXT = "sso";
const CALLBACK_PATH = "/console/sso/callback";

/** What the browser keeps, sealed. */
interface Journey extends SignOnSecrets {
  /** Page to go on with. */
  to: string;
  endsAt: UnixMs;
  /** Word of the invitation that somebody came by. */
  invitation: string | null;
  /** Who is signed in, and connects the account; null: who signs in. */
  connects: { userId: string; sessionId: string } | null;
}

export function signOnRoutes(live: World, door: Door, provider: SignOn) {
  const used = createUsed();
  const redirectUri = `${live.publicUrl}${CALLBACK_PATH}`;
  return new Elysia({ name: "sign-on", normalize: false })
    .post("/console/sso", async (asked) => {
      const { request, server } = asked;
      checkOwnPage(door, request);
      const given = await readFields(request, ["to"], ["invitation", "connect"]);
      const person = given.connect === undefined ? null : signedIn(live, door, asked);
      const start = await provider.start(redirectUri);
      if (start.kind === "unreachable") {
        live.log.warn("the OpenID provider cannot be reached", { reason: start.reason });
        throw new Problem("unavailable", `${provider.name} does not answer; try again later`);
      }
      const journey: Journey = {
        ...start.secrets,
        to: ownPage(given.to),
        endsAt: plus(live.wall.now(), SIGN_ON_MS_MAX),
        invitation: given.invitation ?? null,
        connects: person && { userId: person.user.id, sessionId: person.session.id },
      };
      const sealed = live.vault.seal(JSON.stringify(journey), CONTEXT);
      const tls = isTls(door, request, server);
      return Response.json(
        { url: start.url },
        { headers: { "Set-Cookie": journeyCookie(sealed, tls) } },
      );
    })
    .get(CALLBACK_PATH, async (asked) => {
      const { request, server } = asked;
      const tls = isTls(door, request, server);
      const journey = opened(live, cookieOf(request, cookieName(tls)));
      const answer = new URL(redirectUri + new URL(request.url).search);
      const isNew = journey !== null && used.isNew(journey.state);
      const response = !isNew
        ? failurePage("This sign-on is over", "It was used, or took too long. Start it again.")
        : await finish({ live, door, provider }, asked, journey, answer).catch(tellProblem);
      response.headers.append("Set-Cookie", journeyCookie("", tls));
      return response;
    })
    .delete("/console/sso", async (asked) => {
      const { user } = signedIn(live, door, asked);
      await live.commit(() => disconnectIdentities(live, user));
      return new Response(null, { status: 204 });
    });
}

async function finish(
  { live, door, provider }: { live: World; door: Door; provider: SignOn },
  asked: Asked,
  journey: Journey,
  answer: URL,
): Promise<Response> {
  const end = await provider.finish(answer, journey);
  if (end.kind !== "known") {
    live.log.warn("a sign-on came to nothing", { kind: end.kind, reason: end.reason });
    return end.kind === "refused"
      ? failurePage("You were not signed in", `About ${provider.name}: ${end.reason}.`)
      : failurePage(`${provider.name} does not answer`, "Try again in a moment.");
  }
  const { claims } = end;
  const { to, connects, invitation } = journey;
  const headers = new Headers({ Location: to, "Cache-Control": "no-store" });
  if (connects !== null) {
    await live.commit(() => {
      const user = findUser(live.db, connects.userId);
      const sessions = listSessions(live.db, connects.userId);
      if (user === undefined || !sessions.some(({ id }) => id === connects.sessionId)) {
        throw new Problem("authentication_error", "your session has ended meanwhile");
      }
      connectIdentity(live, user, claims);
    });
    return new Response(null, { status: 302, headers });
  }
  const { token } = await live.commit(() => {
    const { user, teamId } = signOn(live, claims, invitation);
    leave(live, door, asked);
    return openSession(live, user, userAgentOf(asked.request), teamId);
  });
  headers.append("Set-Cookie", sessionCookie(token, isTls(door, asked.request, asked.server)));
  return new Response(null, { status: 302, headers });
}

function tellProblem(error: unknown): Response {
  if (!(error instanceof Problem)) {
    throw error;
  }
  return failurePage("You were not signed in", sentence(error.message));
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function failurePage(title: string, text: string): Response {
  return pageResponse(
    403,
    title,
    html`<p role="status">${text}</p>
<p><a href="/live/">Back to signing in</a></p>`,
  );
}

/** A page of the console, whatever was asked for. */
function ownPage(to: string): string {
  return /^\/(live|test)\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : "/live/";
}

/** What the browser kept; null where it is none of ours, or too old. */
function opened(live: World, sealed: string): Journey | null {
  try {
    const journey = JSON.parse(live.vault.open(sealed, CONTEXT)) as Journey;
    return journey.endsAt > live.wall.now() ? journey : null;
  } catch {
    return null;
  }
}

/** Lax: the way back begins at another site. Bound to the host where there is TLS. */
function journeyCookie(sealed: string, tls: boolean): string {
  const seconds = sealed === "" ? 0 : SIGN_ON_MS_MAX / SECOND_MS;
  const secure = tls ? "; Secure" : "";
  return `${cookieName(tls)}=${sealed}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

function cookieName(tls: boolean): string {
  return tls ? "__Host-outrider-sso" : "outrider-sso";
}

/** Each sign-on counts once. In memory: a code that comes again after a restart is refused by the provider. */
function createUsed(): { isNew(state: string): boolean } {
  const used = new Set<string>();
  return {
    isNew: (state) => {
      if (used.has(state)) {
        return false;
      }
      used.add(state);
      for (const old of used) {
        if (used.size <= USED_MAX) {
          break;
        }
        used.delete(old);
      }
      return true;
    },
  };
}
