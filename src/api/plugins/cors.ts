/**
 * Pages of other sites that may call the API from a browser, with a key of their own: those of the setting
 * `cors_origins`, none by default. Cookies are never let along, and no other path of the server says anything.
 *
 * Source: the Fetch standard, "CORS protocol".
 */

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS = [
  ...["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"],
  ...["Last-Event-ID", "Outrider-Version", "X-Request-Id"],
].join(", ");
const RESPONSE_HEADERS = [
  ...["ETag", "Idempotent-Replayed", "Location", "RateLimit", "RateLimit-Policy", "Retry-After"],
  "X-Request-Id",
].join(", ");
/** What browsers keep at most. */
const PREFLIGHT_SECONDS = 7200;

export interface Cors {
  /**
   * Says in `headers` of the response whether the page that asks may read it. Returns the response where a
   * browser asks before its request, and undefined otherwise.
   */
  answer(request: Request, headers: Record<string, unknown>): Response | undefined;
}

/** `origins` as browsers write them: `https://app.example`. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  return {
    answer: (request, headers) => {
      if (allowed.size === 0) {
        return undefined;
      }
      // Others get the same response without what follows, and a cache must tell the two apart.
      headers["Vary"] = "Origin";
      const origin = request.headers.get("origin") ?? "";
      if (!allowed.has(origin)) {
        return undefined;
      }
      const shared = {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Expose-Headers": RESPONSE_HEADERS,
      };
      Object.assign(headers, shared);
      const isAsking = request.headers.has("access-control-request-method");
      return request.method === "OPTIONS" && isAsking ? preflight(shared) : undefined;
    },
  };
}

function preflight(shared: Record<string, string>): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...shared,
      Vary: "Origin",
      "Access-Control-Allow-Methods": METHODS,
      "Access-Control-Allow-Headers": REQUEST_HEADERS,
      "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
    },
  });
}
