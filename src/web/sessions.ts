/**
 * `/console`: signing in and out, the first person, and one's own sessions and password. The console's
 * pages call these and the API; programs use keys, and have no need of them.
 */

import { type AnyElysia, Elysia } from "elysia";
import { notFound, Problem } from "#domain/problem.ts";
import { scopesOf, spelledOut } from "#domain/team/role.ts";
import { toIso } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { lastSeq } from "#store/events/events.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { SessionRow } from "#store/tables/people.ts";
import { hasUsers, teamsOf } from "#store/team/people.ts";
import { listSessions, removeSession } from "#store/team/sessions.ts";
import { acceptInvitation, findOffer } from "#usecases/team/members.ts";
import {
  callerOf,
  endSession,
  enterByLink,
  findPerson,
  findSignInLink,
  openSession,
  type Person,
  recheckStreams,
  showTeam,
  touchSession,
} from "#usecases/team/sessions.ts";
import { createSignInThrottle } from "#usecases/team/sign-in-throttle.ts";
import { mirrorTeam } from "#usecases/team/teams.ts";
import { changePassword, createFirstUser, identify, readPerson } from "#usecases/team/users.ts";
import {
  type Connection,
  checkOwnPage,
  type Door,
  isTls,
  readFields,
  sessionCookie,
  tokenOf,
  visitorNetwork,
} from "./visitor.ts";

/** For the server's list of what needs no key. */
export const SESSION_PATHS: readonly string[] = ["/console/*"];

export interface SessionEnvironments {
  readonly live: Environment;
  readonly test: Environment;
}

/** The part of a handler's context that says who asks. */
export interface Asked {
  request: Request;
  server: Connection | null;
}

/** Who is signed in; undefined for nobody. */
export function personOf(
  live: Environment,
  door: Door,
  { request, server }: Asked,
): Person | undefined {
  const token = tokenOf(live, request, isTls(door, request, server));
  return token === "" ? undefined : findPerson(live, token);
}

/** Throws `authentication_error` where nobody is signed in, `permission_error` for a page of others. */
export function signedIn(live: Environment, door: Door, asked: Asked): Person {
  checkOwnPage(door, asked.request);
  const person = personOf(live, door, asked);
  if (person === undefined) {
    throw new Problem("authentication_error", "your session has ended; sign in again");
  }
  touchSession(live, person.session);
  return person;
}

export function sessionRoutes(environments: SessionEnvironments, door: Door): AnyElysia {
  return new Elysia({ name: "sessions", normalize: false })
    .use(doorRoutes(environments, door))
    .use(linkRoutes(environments, door))
    .use(invitationRoutes(environments.live, door))
    .use(ownRoutes(environments, door));
}

/** Whoever signs in leaves the session behind that the browser had. Inside a transaction. */
export function leave(live: Environment, door: Door, asked: Asked): void {
  const old = personOf(live, door, asked);
  if (old !== undefined) {
    removeSession(live.db, old.session.id);
  }
}

export function welcome(
  live: Environment,
  door: Door,
  asked: Asked,
  { token, person }: { token: string; person: Person },
): Response {
  return Response.json(presentSession(live, person), {
    status: 201,
    headers: { "Set-Cookie": sessionCookie(live, token, isTls(door, asked.request, asked.server)) },
  });
}

/** In and out by password. */
function doorRoutes({ live, test }: SessionEnvironments, door: Door) {
  const throttle = createSignInThrottle();
  return new Elysia({ normalize: false })
    .get("/console/door", (asked) => {
      const person = personOf(live, door, asked);
      return {
        session: person === undefined ? null : presentSession(live, person),
        // Whatever a page asks for from now on knows of these: its news begin after them.
        last_seq: person === undefined ? null : { live: lastSeq(live.db), test: lastSeq(test.db) },
        is_new: !hasUsers(live.db),
        single_sign_on: door.signOn === null ? null : { name: door.signOn.name },
      };
    })
    .get("/console/session", (asked) => presentSession(live, signedIn(live, door, asked)))
    .post("/console/session", async (asked) => {
      const { request, server } = asked;
      checkOwnPage(door, request);
      const { email, password } = await readFields(request, ["email", "password"]);
      const name = email.trim().toLowerCase();
      const network = visitorNetwork(door, request, server);
      const now = live.wall.now();
      throttle.check(name, network, now);
      // Counted before it is looked at, so that many at once are not free.
      throttle.failed(name, network, now);
      const user = await identify(live, email, password);
      throttle.succeeded(name, network);
      const opened = await live.commit(() => {
        leave(live, door, asked);
        return openSession(live, user, userAgentOf(request));
      });
      return welcome(live, door, asked, opened);
    })
    .patch("/console/session", async (asked) => {
      const person = signedIn(live, door, asked);
      const { team_id } = await readFields(asked.request, ["team_id"]);
      return presentSession(live, await live.commit(() => showTeam(live, person, team_id)));
    })
    .delete("/console/session", async (asked) => {
      const person = signedIn(live, door, asked);
      await live.commit(() => endSession(live, person, person.session.id));
      recheckStreams([live, test], person.team.id);
      return goodbye(live, isTls(door, asked.request, asked.server));
    });
}

/** In by a link that works once. */
function linkRoutes({ live, test }: SessionEnvironments, door: Door) {
  return new Elysia({ normalize: false })
    .post("/console/welcome", async (asked) => {
      checkOwnPage(door, asked.request);
      const given = await readFields(asked.request, ["token", "email", "name", "password"]);
      if (!isFirst(live, given.token)) {
        throw usedLink();
      }
      const person = await readPerson(given);
      const opened = await live.commit(() => {
        if (!isFirst(live, given.token)) {
          throw usedLink();
        }
        const { user, team } = createFirstUser(live, person);
        return { team, ...openSession(live, user, userAgentOf(asked.request)) };
      });
      await test.commit(() => mirrorTeam(test, opened.team));
      return welcome(live, door, asked, opened);
    })
    .post("/console/enter", async (asked) => {
      checkOwnPage(door, asked.request);
      const { token } = await readFields(asked.request, ["token"]);
      const opened = await live.commit(() => {
        const entered = enterByLink(live, token, userAgentOf(asked.request));
        leave(live, door, asked);
        return entered;
      });
      return welcome(live, door, asked, opened);
    });
}

/** In by an invitation. Its word comes in the body alone: paths are in the logs of proxies. */
function invitationRoutes(live: Environment, door: Door) {
  const throttle = createSignInThrottle();
  return new Elysia({ normalize: false })
    .post("/console/invitation", async ({ request }) => {
      checkOwnPage(door, request);
      const { token } = await readFields(request, ["token"]);
      const { invitation, team, user } = findOffer(live, token);
      const { email, role } = invitation;
      return { email, role, team: team.name, is_known: user !== undefined };
    })
    .post("/console/invitation/join", async (asked) => {
      const { request, server } = asked;
      checkOwnPage(door, request);
      const given = await readFields(request, ["token", "password"], ["name"]);
      const { token, password, name } = given;
      const { email, teamId } = findOffer(live, token).invitation;
      const network = visitorNetwork(door, request, server);
      throttle.check(email, network, live.wall.now());
      throttle.failed(email, network, live.wall.now());
      const user = await acceptInvitation(live, token, { name: name ?? "", password });
      throttle.succeeded(email, network);
      const opened = await live.commit(() => {
        leave(live, door, asked);
        return openSession(live, user, userAgentOf(request), teamId);
      });
      return welcome(live, door, asked, opened);
    });
}

/** One's own sessions and password. */
function ownRoutes({ live, test }: SessionEnvironments, door: Door) {
  return new Elysia({ normalize: false })
    .get("/console/sessions", (asked) => {
      const { user, session } = signedIn(live, door, asked);
      const now = live.wall.now();
      const rows = listSessions(live.db, user.id).filter(({ expiresAt }) => expiresAt > now);
      return { data: rows.map((row) => presentOne(row, session.id)) };
    })
    .delete("/console/sessions/:id", async (asked) => {
      const person = signedIn(live, door, asked);
      const id = asked.params.id.toLowerCase();
      await live.commit(() => endSession(live, person, id));
      recheckStreams([live, test], person.team.id);
      return id === person.session.id
        ? goodbye(live, isTls(door, asked.request, asked.server))
        : new Response(null, { status: 204 });
    })
    .patch("/console/password", async (asked) => {
      const person = signedIn(live, door, asked);
      const given = await readFields(asked.request, ["password"], ["current_password"]);
      const who = { userId: person.user.id, sessionId: person.session.id };
      await changePassword(live, callerOf(live, person), who, {
        current: given.current_password ?? "",
        password: given.password,
      });
      return new Response(null, { status: 204 });
    });
}

function presentOne(row: SessionRow, current: Id) {
  return {
    id: row.id,
    user_agent: row.userAgent,
    created_at: toIso(row.createdAt),
    last_seen_at: toIso(row.seenAt),
    expires_at: toIso(row.expiresAt),
    current: row.id === current,
  };
}

function goodbye(live: Environment, tls: boolean): Response {
  const headers = { "Set-Cookie": sessionCookie(live, "", tls) };
  return new Response(null, { status: 204, headers });
}

/** Whether `token` is that of the link which makes the first person. */
function isFirst(live: Environment, token: string): boolean {
  const link = findSignInLink(live, token);
  return link !== undefined && link.forUser === null && !hasUsers(live.db);
}

function usedLink(): Problem {
  return notFound(
    "link; it may have been used or have expired. Run `outrider admin link` for a new one",
  );
}

export function userAgentOf(request: Request): string {
  return request.headers.get("user-agent") ?? "";
}

/** What the console knows of who uses it. */
export function presentSession(live: Environment, { user, team, membership, session }: Person) {
  return {
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      role: membership.role,
      operator: user.operator,
    },
    team: { id: team.id, name: team.name },
    teams: teamsOf(live.db, user.id).map((each) => ({ id: each.team.id, name: each.team.name })),
    /** Each single scope, so that nobody has to know what includes what. */
    scopes: spelledOut(scopesOf(membership.role, user.operator)),
    expires_at: toIso(session.expiresAt),
  };
}
