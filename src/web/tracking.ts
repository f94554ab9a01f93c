/**
 * What the picture and the links of a tracked email ask for. A link leads where it led when the email was
 * written, and nowhere else; the picture is one transparent point.
 */

import { type AnyElysia, Elysia } from "elysia";
import { saysMachine } from "#domain/sending/tracking.ts";
import type { Environment } from "#environment.ts";
import { isLoopback } from "#platform/http/guard.ts";
import { findTracked, isOwnHost, recordTouch, type Tracked } from "#usecases/sending/tracking.ts";
import { html, pageResponse } from "./page.ts";

export interface TrackingEnvironments {
  readonly live: Environment;
  readonly test: Environment;
}

/** For the server's list of what needs no key. */
export const TRACKING_PATHS: readonly string[] = ["/t/o/*", "/t/c/*"];

/** GIF89a of one transparent point: screen, two colours, transparency, one block of image data. */
const POINT = Uint8Array.fromHex(
  [
    "474946383961",
    "0100010080000000000000000000",
    "21f90401000000002c00000000010001000002024401003b",
  ].join(""),
);

const HEADERS = {
  "Cache-Control": "no-store, private, max-age=0",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow",
  "X-Content-Type-Options": "nosniff",
};

export function trackingRoutes(environments: TrackingEnvironments): AnyElysia {
  return new Elysia({ name: "tracking", normalize: false })
    .get("/t/o/:token", async ({ params, request }) => {
      const tracked = findTracked(environments, "open", params.token);
      if (tracked === null || !isWelcome(tracked, request)) {
        return new Response(null, { status: 404, headers: HEADERS });
      }
      if (tracked.tracking?.pixel === true) {
        await note(tracked, request);
      }
      return new Response(POINT, { headers: { ...HEADERS, "Content-Type": "image/gif" } });
    })
    .get("/t/c/:token", async ({ params, request }) => {
      const tracked = findTracked(environments, "click", params.token);
      const url = tracked?.tracking?.links[tracked.link ?? -1];
      if (tracked === null || url === undefined || !isWelcome(tracked, request)) {
        return unknownLink();
      }
      await note(tracked, request);
      return new Response(null, { status: 302, headers: { ...HEADERS, Location: url } });
    });
}

/** A proxy that does not hand on the host that was asked for is taken for the host. */
function isWelcome(tracked: Tracked, request: Request): boolean {
  const { hostname } = new URL(request.url);
  return (
    isOwnHost(tracked, hostname) ||
    hostname === "localhost" ||
    isLoopback(hostname.replace(/[[\]]/g, ""))
  );
}

/** A look at the headers alone is no visit. What cannot be kept now is not worth failing for. */
async function note(tracked: Tracked, request: Request): Promise<void> {
  if (request.method !== "GET") {
    return;
  }
  const { headers } = request;
  const purpose = [headers.get("sec-purpose"), headers.get("purpose"), headers.get("x-purpose")];
  const machine = saysMachine(headers.get("user-agent"), purpose.join(" "));
  const { env } = tracked;
  try {
    await env.commit(() => recordTouch(env, tracked, machine));
  } catch (error) {
    env.log.warn("a touch was not noted", { cause: String(error) });
  }
}

function unknownLink(): Response {
  return pageResponse(
    404,
    "This link doesn't work",
    html`<p>It may have been cut short, or it has expired. Reply to the email and ask for the
address.</p>`,
  );
}
