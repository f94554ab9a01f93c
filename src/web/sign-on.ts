/**
 * `/console/sso`: away to the OpenID provider and back. What the way back is checked against lies in the
 * browser, sealed, for one sign-on of a few minutes; there is nothing here that a stranger could fill.
 */

import { Elysia } from "elysia";
import { Problem } from "#domain/problem.ts";
import type { Environment } from "#environment.ts";
import type { SignOn, SignOnSecrets } from "#platform/ports/sign-on.ts";
import { findUser } from "#store/team/people.ts";
import { listSessions } from "#store/team/sessions.ts";
import { openSession } from "#usecases/team/sessions.ts";
import { connectIdentity, disconnectIdentities, signOn } from "#usecases/team/sign-on.ts";
import { createErrands } from "./errand.ts";
import { html, pageResponse } from "./page.ts";
import { type Asked, leave, signedIn, userAgentOf } from "./sessions.ts";
import { checkOwnPage, type Door, isTls, readFields, sessionCookie } from "./visitor.ts";

const CALLBACK_PATH = "/console/sso/callback";

/** What the browser keeps, sealed. */
interface Journey extends SignOnSecrets {
  /** Page to go on with. */
  to: string;
  /** Word of the invitation that somebody came by. */
  invitation: string | null;
  /** Who is signed in, and connects the account; null: who signs in. */
  connects: { userId: string; sessionId: string } | null;
}

export function signOnRoutes(live: Environment, door: Door, provider: SignOn) {
  const journeys = createErrands<Journey>(live, "sso");
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
        throw new Problem("unavailable", `${provider.name} is not responding; try again later`);
      }
      const journey: Journey = {
        ...start.secrets,
        to: ownPage(given.to),
        invitation: given.invitation ?? null,
        connects: person && { userId: person.user.id, sessionId: person.session.id },
      };
      const kept = journeys.begin(journey, isTls(door, request, server));
      return Response.json({ url: start.url }, { headers: { "Set-Cookie": kept } });
    })
    .get(CALLBACK_PATH, async (asked) => {
      const { request, server } = asked;
      const tls = isTls(door, request, server);
      const journey = journeys.take(request, tls);
      const answer = new URL(redirectUri + new URL(request.url).search);
      const response =
        journey === null
          ? failurePage(
              "This sign-in has expired",
              "It was already used or took too long. Sign in again.",
            )
          : await finish({ live, door, provider }, asked, journey, answer).catch(problemPage);
      response.headers.append("Set-Cookie", journeys.end(tls));
      return response;
    })
    .delete("/console/sso", async (asked) => {
      const { user } = signedIn(live, door, asked);
      await live.commit(() => disconnectIdentities(live, user));
      return new Response(null, { status: 204 });
    });
}

async function finish(
  { live, door, provider }: { live: Environment; door: Door; provider: SignOn },
  asked: Asked,
  journey: Journey,
  answer: URL,
): Promise<Response> {
  const end = await provider.finish(answer, journey);
  if (end.kind !== "known") {
    live.log.warn("a sign-on came to nothing", { kind: end.kind, reason: end.reason });
    return end.kind === "refused"
      ? failurePage("You were not signed in", `About ${provider.name}: ${end.reason}.`)
      : failurePage(`${provider.name} is not responding`, "Try again in a moment.");
  }
  const { claims } = end;
  const { to, connects, invitation } = journey;
  const headers = new Headers({ Location: to, "Cache-Control": "no-store" });
  if (connects !== null) {
    await live.commit(() => {
      const user = findUser(live.db, connects.userId);
      const sessions = listSessions(live.db, connects.userId);
      if (user === undefined || !sessions.some(({ id }) => id === connects.sessionId)) {
        throw new Problem("authentication_error", "your session has ended; sign in again");
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
  headers.append(
    "Set-Cookie",
    sessionCookie(live, token, isTls(door, asked.request, asked.server)),
  );
  return new Response(null, { status: 302, headers });
}

function problemPage(error: unknown): Response {
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
<p><a href="/live/">Back to sign-in</a></p>`,
  );
}

/** A page of the console, whatever was asked for. */
function ownPage(to: string): string {
  return /^\/(live|test)\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : "/live/";
}
