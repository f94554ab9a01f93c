/**
 * The API: what happens to every request before and after its handler. Order: request id, key, rate
 * limit, route, scope, body, schema, handler. Everything but the published document needs a key.
 */

import { Elysia } from "elysia";
import { Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { stopwatch } from "#platform/clock.ts";
import { clientAddress, networkOf } from "#platform/http/client-address.ts";
import type { Cidr } from "#platform/http/guard.ts";
import { createRateLimit } from "#platform/http/rate-limit.ts";
import { observeResponse } from "#platform/http/response-times.ts";
import { holds } from "#platform/turns.ts";
import { context, type Environments, type RequestState, type Serving } from "./context.ts";
import { authenticate } from "./plugins/auth.ts";
import { checkBody, readJson } from "./plugins/body.ts";
import { createCors } from "./plugins/cors.ts";
import { enter } from "./plugins/enter.ts";
import { bodyOf, problemResponse, toProblem } from "./plugins/errors.ts";
import { createLimits } from "./plugins/limits.ts";
import { isLost, pathMatcher } from "./plugins/paths.ts";
import { createRefusalLog } from "./plugins/refusal-log.ts";
import { recordBegin, recordEnd, statusOf } from "./plugins/request-log.ts";
import { createRouteTable, type RouteTable } from "./plugins/routes.ts";
import { API_PREFIX } from "./resources.ts";

/** Files of leads have any size. Every other body has a limit of its own, which says so. */
const TRANSPORT_BYTES_MAX = Number.MAX_SAFE_INTEGER;
const IDLE_SECONDS_MAX = 60;
export const SERVE = {
  maxRequestBodySize: TRANSPORT_BYTES_MAX,
  reusePort: false,
  development: false,
  idleTimeout: IDLE_SECONDS_MAX,
};
/** For `Server.timeout`. */
const NO_IDLE_TIMEOUT = 0;

export interface ApiOptions {
  /** Requests a minute for each key; 0 turns the limit off. */
  rateLimit: number;
  /** Failed keys a minute for each address before the answer is 429; 0 or left out: no limit. */
  authFailures?: number;
  /** Proxies whose X-Forwarded-For is believed; none if left out. */
  trustedProxies?: readonly Cidr[];
  /** Whether requests may come in under a host name; any may if left out. */
  isOwnHost?: (host: string) => boolean;
  /** Sites whose pages may call the API; none if left out. */
  corsOrigins?: readonly string[];
  /** Paths, exact or ending in `*`, that need no key. */
  publicPaths: readonly string[];
  /** The page with a section for each type of error, or null where no documentation is served. */
  errorDocs: string | null;
  /** The page for somebody whose browser asks for a path that leads nowhere; JSON if left out. */
  lostPage?: () => Response;
  /** Requests that somebody has been let in for already, without a key. */
  admitted?: Admitted;
}

/** Whose requests these are: people's, whom the console's door knows by their session. */
export type Admitted = WeakMap<Request, { env: Environment; caller: Caller }>;

type Peer = (request: Request) => { address: string } | null | undefined;

/** Whose a request is by its network, as trusted proxies say. */
function addressesBy({ trustedProxies = [] }: ApiOptions, peer: Peer) {
  return (request: Request): string =>
    clientAddress(
      peer(request)?.address ?? null,
      request.headers.get("x-forwarded-for"),
      trustedProxies,
    );
}

/** Says whose a request is and which environment it is for. Throws `authentication_error`. */
function createDoorman(
  environments: Environments,
  options: ApiOptions,
  addressOf: (request: Request) => string,
) {
  const failures = createRateLimit(options.authFailures ?? 0);
  return (request: Request) => {
    const person = options.admitted?.get(request);
    if (person !== undefined) {
      return person;
    }
    try {
      return authenticate(environments, request);
    } catch (error) {
      // Only who fails is held up: a key that is right opens, whoever else is at its address.
      failures.take(networkOf(addressOf(request)), environments.live.wall.now());
      throw error;
    }
  };
}

/** What a request carries from here on. */
interface Target {
  env: Environment;
  state: RequestState;
  caller: unknown;
}

/** The server's root, on which `app.ts` also mounts the public pages. */
export function createServer(environments: Environments, options: ApiOptions) {
  const limits = createLimits(options.rateLimit);
  const isPublic = pathMatcher(options.publicPaths);
  const answerSites = createSites(options);
  const addressOf = addressesBy(options, (request) => app.server?.requestIP(request));
  const admit = createDoorman(environments, options, addressOf);
  const tellRefusal = createRefusalLog(environments.live.log, addressOf);
  let routes: RouteTable | undefined;
  const server: Serving = {
    routes: () => {
      routes ??= createRouteTable(app.routes);
      return routes;
    },
    refusal: createRefusal(environments, options),
  };
  const app = new Elysia({
    normalize: false,
    strictPath: true,
    handler: { standardHostname: false },
    // Elysia looks a path up; Bun need not know all of them too.
    systemRouter: false,
    serve: SERVE,
  })
    .use(context)
    .onRequest((unfinished) => {
      const { request, set } = unfinished;
      const target = unfinished as unknown as Target;
      const requestId = requestIdOf(request);
      const disableIdleTimeout = () => app.server?.timeout(request, NO_IDLE_TIMEOUT);
      const own = { requestId, elapsed: stopwatch(), disableIdleTimeout, charge: noCharge, server };
      target.state = { ...own, ...UNREAD };
      Object.assign(set.headers, commonHeaders(requestId));
      const path = pathOf(request, options.isOwnHost);
      target.state.path = path;
      holds(REQUEST);
      target.env = environments.live;
      const preflight = answerSites(request, path, set.headers);
      if (preflight !== undefined) {
        return preflight;
      }
      if (isPublic(path)) {
        const found = server.routes().find(request.method, path);
        return found instanceof Response ? found : holds(found.name);
      }
      if (options.lostPage !== undefined && isLost(request, path, API_PREFIX)) {
        return options.lostPage();
      }
      const { env, caller } = admit(request);
      target.env = env;
      target.caller = { ...caller, requestId };
      recordBegin(request, { env, caller, requestId, path });
      const { charge, owner } = limits(caller);
      target.state.owner = owner;
      const count = (n: number) => Object.assign(set.headers, charge(n, env.wall.now()));
      target.state.charge = count;
      count(1);
      const found = server.routes().find(request.method, path);
      if (found instanceof Response) {
        return found;
      }
      enter(found, caller, request, target.state);
      return;
    })
    .onParse({ as: "global" }, ({ request, state }) => readBody(request, state))
    .onAfterHandle({ as: "global" }, ({ request, body, responseValue, set, state }) => {
      observe(state, statusOf(responseValue, set));
      recordEnd({ request, body, responseValue, set });
    })
    .onError({ as: "global" }, ({ body, caller, code, error, request, set, state }) => {
      const requestId = state?.requestId ?? requestIdOf(request);
      const problem = toProblem({ code, error }, environments.live.log, requestId);
      observe(state, problem.status);
      tellRefusal(problem, request, { requestId, state, caller });
      const headers = { ...commonHeaders(requestId), ...stringHeaders(set.headers) };
      const answer = problemResponse(problem, headers, options.errorDocs);
      const refusal = bodyOf(problem, options.errorDocs);
      recordEnd({ request, body, responseValue: answer, set, refusal });
      return answer;
    });
  return app;
}

function createRefusal({ live }: Environments, options: ApiOptions): Serving["refusal"] {
  return (error, requestId) => {
    const problem = toProblem({ code: null, error }, live.log, requestId);
    return { status: problem.status, body: bodyOf(problem, options.errorDocs) };
  };
}

/** What the console's pages ask comes by once more, as the request to the API that it becomes (`web/mount.ts`). */
const FORWARDED = /^\/(?:live|test)\/api\//;

/** Once for a request, when it is about to be answered; it has no state where it wasn't let in. */
function observe(state: RequestState | undefined, status: number): void {
  if (state !== undefined && !FORWARDED.test(state.path)) {
    observeResponse(status, state.elapsed());
  }
}

/** Of a request of which nothing has been read. */
const UNREAD = { path: "", rawBody: "", readOnlyFields: {}, isDryRun: false };

/** Of what needs no key. */
const noCharge = () => undefined;

/** Answers pages of other sites. What the console's pages call comes by a session, which none of them may use. */
function createSites({ corsOrigins = [], admitted }: ApiOptions) {
  const cors = createCors(corsOrigins);
  return (request: Request, path: string, headers: Record<string, unknown>) =>
    path.startsWith(API_PREFIX) && !admitted?.has(request)
      ? cors.answer(request, headers)
      : undefined;
}

async function readBody(request: Request, state: RequestState): Promise<unknown> {
  const { path, operation, owner } = state;
  if (!path.startsWith(`${API_PREFIX}/`) || operation?.streamsBody) {
    // A page reads its own form; anything but undefined keeps Elysia's parser away from it.
    return null;
  }
  const body = await readJson(request, { by: operation?.name ?? REQUEST, owner });
  if (body === undefined) {
    return undefined;
  }
  state.rawBody = body.raw;
  return operation === undefined ? body.value : checkBody(body.value, operation);
}

/** Of all that is no page: a browser that opens it by itself loads, runs, and frames nothing. Pages have their own. */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

function commonHeaders(requestId: string): Record<string, string> {
  return {
    "X-Request-Id": requestId,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": DATA_POLICY,
  };
}

function stringHeaders(headers: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(headers)
    .filter(([name]) => !/^content-(type|length)$/i.test(name))
    .map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Who holds the thread until it is known which operation is asked for. */
const REQUEST = "request";
const ID_BYTES = 16;
const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;
/** Random bytes of the next requests: drawn one by one they cost more than a look at a row. */
const drawn = new Uint8Array(256 * ID_BYTES);
let drawnLeft = 0;

function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && REQUEST_ID.test(given) ? given : `req_${drawId()}`;
}

function drawId(): string {
  if (drawnLeft === 0) {
    crypto.getRandomValues(drawn);
    drawnLeft = drawn.length;
  }
  drawnLeft -= ID_BYTES;
  return drawn.subarray(drawnLeft, drawnLeft + ID_BYTES).toHex();
}

/**
 * Throws `invalid_request` where the request line and Host make no address, and where there are two of Host,
 * which arrive joined by a comma: a proxy before us may have gone by the other. So does a name that isn't ours,
 * by which a page of another site could make its visitors' browsers come here.
 *
 * Source: RFC 9112 §3.2.
 */
function pathOf(request: Request, isOwnHost: ApiOptions["isOwnHost"]): string {
  const url = URL.parse(request.url);
  if (url === null || request.headers.get("host")?.includes(",") === true) {
    throw new Problem(
      "invalid_request",
      "the request's Host header and path don't form a valid URL",
    );
  }
  if (isOwnHost?.(url.hostname) === false) {
    throw new Problem(
      "invalid_request",
      `the host name ${url.hostname} isn't one of this server's; its operator can add it to allowed_hosts`,
    );
  }
  return url.pathname;
}
