/**
 * What the console's pages call in an environment: the whole API as the person who is signed in, and the
 * bodies of emails, each a document of its own that can do nothing.
 */

import { type AnyElysia, Elysia } from "elysia";
import { withoutTokens } from "#domain/inbox/opt-out-token.ts";
import { notFound, Problem } from "#domain/problem.ts";
import type { Env } from "#domain/team/api-key.ts";
import type { Caller, Environment } from "#environment.ts";
import { parseMail } from "#mail/parse.ts";
import { findEither, rawOf } from "#usecases/inbox/conversation.ts";
import { callerOf } from "#usecases/team/sessions.ts";
import { readForm } from "./form.ts";
import { type SessionEnvironments, signedIn } from "./sessions.ts";
import type { Door } from "./visitor.ts";

/** For the server's list of what needs no key; what they need is a session. */
export const MOUNT_PATHS: readonly string[] = ["/live/*", "/test/*"];

export interface Mount extends Door {
  /** Returns a request to the API as if `caller` had sent it with a key. */
  forward: (request: Request, env: Environment, caller: Caller) => Promise<Response>;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export function mountRoutes(environments: SessionEnvironments, mount: Mount): AnyElysia {
  const app = new Elysia({ name: "mount", normalize: false });
  for (const envName of ["live", "test"] as const) {
    app.use(mounted(envName, environments, mount));
  }
  return app;
}

function mounted(envName: Env, environments: SessionEnvironments, mount: Mount) {
  const env = environments[envName];
  const { live } = environments;
  const prefix = `/${envName}`;
  const app = new Elysia({ normalize: false });
  // One by one: a GET of the pages' `/live/*` would come before a route for all methods.
  for (const method of METHODS) {
    app.route(
      method,
      `${prefix}/api/v1/*`,
      ({ request, server, set }) => {
        const caller = callerOf(live, signedIn(live, mount, { request, server }));
        const requestId = String(set.headers["X-Request-Id" as keyof typeof set.headers] ?? "");
        return mount.forward(rewritten(request, prefix, requestId), env, caller);
      },
      { parse: "none" },
    );
  }
  return app
    .get(`${prefix}/mail/:id`, async ({ request, server, params }) => {
      const caller = callerOf(live, signedIn(live, mount, { request, server }));
      return mailDocument(await bodyOf(env, caller, params.id.toLowerCase()), `${prefix}${FILES}`);
    })
    .post(
      `${prefix}/mail`,
      async ({ request, server }) => {
        signedIn(live, mount, { request, server });
        const form = await readForm(request, DRAFT_BYTES_MAX);
        const given = form?.get("html");
        if (typeof given !== "string") {
          throw new Problem("invalid_request", "send a form with the field html", "html");
        }
        return mailDocument({ html: given, text: "", isOwn: true }, `${prefix}${FILES}`);
      },
      { parse: "none" },
    );
}

/** The same request to the API itself, under the same id; its session stays behind. */
function rewritten(request: Request, prefix: string, requestId: string): Request {
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(prefix.length);
  const headers = new Headers(request.headers);
  headers.delete("cookie");
  headers.delete("authorization");
  headers.set("X-Request-Id", requestId);
  const { method, signal } = request;
  const body = method === "GET" || method === "HEAD" ? null : request.body;
  return new Request(url, { method, headers, signal, ...(body === null ? {} : { body }) });
}

/** A draft that is looked at before it is kept. */
const DRAFT_BYTES_MAX = 1024 * 1024;

/** What an email that came in, or one of ours, looks like (empty where it is plain), and its words. */
async function bodyOf(env: Environment, caller: Caller, id: string): Promise<MailShown> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
    throw notFound("message");
  }
  const found = findEither(env, caller, id);
  if (found.direction === "out") {
    return { ...found.message, isOwn: true };
  }
  const { raw } = await rawOf(env, caller, id);
  const { html, text } = await parseMail(raw);
  return { html: html ?? "", text, isOwn: false };
}

interface MailShown {
  html: string;
  text: string;
  isOwn: boolean;
}

const FILES = "/api/v1/files";

function asPage(text: string): string {
  return `<div style="white-space: pre-wrap">${Bun.escapeHTML(text)}</div>`;
}

/**
 * The second wall: what `mail-html.ts` left runs, loads, leads and sends nowhere, also opened by itself. It
 * keeps our origin, so that the console can read how high it is: no script runs in it to use that.
 */
const MAIL_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/** A ground of its own, since emails are written for white paper. */
const FRAME = `<meta charset="utf-8"><style>
:root { color-scheme: light; }
body { margin: 12px; background: #fff; color: #161a21; font: 14px/1.5 system-ui, sans-serif;
  overflow-wrap: break-word; }
img { max-width: 100%; }
summary { color: #404a5a; cursor: pointer; }
</style>
`;

/** A tag that does more than break lines: such an email the console shows as it was formatted. */
const FORMAT = /<(?!\/|(?:a|br|details|div|p|span|summary)\b)/;

const TOO_LONG = "<p><em>This email is too long to show here.</em></p>";

async function mailDocument({ html, text, isOwn }: MailShown, files: string): Promise<Response> {
  const { quietHtml } = await import("./mail-html.ts");
  const shown = html === "" ? null : isOwn ? quietHtml(html, files) : quietHtml(html);
  const start = `<!doctype html><html${FORMAT.test(shown ?? "") ? " data-formatted" : ""}>`;
  const plain = () => (html === "" ? "" : TOO_LONG) + asPage(withoutTokens(text));
  return new Response(start + FRAME + (shown ?? plain()), { headers: MAIL_HEADERS });
}
