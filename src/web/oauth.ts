/**
 * The pages of connecting a mailbox by consent: away to the provider, back from it with the result in plain
 * words, and in the sandbox a provider of our own.
 */

import { type AnyElysia, Elysia } from "elysia";
import { remedyForGrant } from "#domain/mailboxes/consent-advice.ts";
import { SECOND_MS } from "#domain/time.ts";
import { SANDBOX_CONSENT_PATH, sandboxCode } from "#sandbox/oauth.ts";
import type { WorkspaceRow } from "#store/tables/workspaces.ts";
import { type ConsentEnd, finishConsent } from "#usecases/mailboxes/consent-return.ts";
import {
  CONSENT_MS_MAX,
  type ConsentEnvironments,
  type ConsentFailure,
  cookieOf,
  failure,
  PARAMETER_MAX,
  STALE,
  startConsent,
} from "#usecases/mailboxes/consents.ts";
import { finishAdminConsent } from "#usecases/mailboxes/workspace-mailboxes.ts";
import { type Html, html, pageResponse } from "./page.ts";
import { cookieOf as cookieOfRequest, HOST_PREFIX } from "./visitor.ts";

/** For the server's list of what needs no key. */
export const OAUTH_PATHS: readonly string[] = ["/oauth/*"];

export function oauthPages(environments: ConsentEnvironments): AnyElysia {
  const { publicUrl } = environments.live;
  const cookies = consentCookies(publicUrl);
  return new Elysia({ name: "oauth", normalize: false })
    .get(SANDBOX_CONSENT_PATH, ({ request }) => sandboxPage(publicUrl, new URL(request.url)))
    .get(ADMIN_PATH, async ({ request }) => {
      const state = new URL(request.url).searchParams.get("state") ?? "";
      const known = state.length <= PARAMETER_MAX;
      return adminPage(known ? await finishAdminConsent(environments, state) : undefined);
    })
    .get("/oauth/:provider/start", async ({ params, request }) => {
      const ticket = new URL(request.url).searchParams.get("ticket") ?? "";
      const start = await startConsent(environments, params.provider, ticket);
      return start.kind === "failed"
        ? failurePage(start)
        : new Response(null, {
            status: 302,
            headers: {
              Location: start.url,
              "Set-Cookie": cookies.keep(start.cookie, start.browser),
              "Referrer-Policy": "no-referrer",
              "Cache-Control": "no-store",
            },
          });
    })
    .get("/oauth/:provider/callback", async ({ params, request }) => {
      const query = onceEach(new URL(request.url).searchParams);
      const name = cookieOf(query["state"] ?? "");
      const browser = cookieOfRequest(request, cookies.nameOf(name));
      const end = await finishConsent(environments, { provider: params.provider, query, browser });
      const page = endPage(end);
      page.headers.append("Set-Cookie", cookies.forget(name));
      return page;
    });
}

/** Where an administrator of Microsoft's comes back to. */
const ADMIN_PATH = "/oauth/microsoft/workspace";

function adminPage(row: WorkspaceRow | undefined): Response {
  if (row === undefined) {
    return failurePage(STALE);
  }
  const domains = row.domains.join(", ");
  if (row.lastError === null) {
    return pageResponse(
      200,
      "The workspace is connected",
      html`<p role="status">Outrider can sign in to the mailboxes of <strong>${domains}</strong> that you add.</p>
<p class="quiet">You can close this page.</p>`,
    );
  }
  return failurePage(
    failure("Not connected yet", `${row.lastError}. ${remedyForGrant(row.lastError) ?? ""}`),
  );
}

/** Of a parameter that is given twice the first counts: nobody but a forger sends two. */
function onceEach(given: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of given) {
    query[name] ??= value;
  }
  return query;
}

/** Over TLS, a browser takes them from this very host alone. Lax: the way back begins at another site. */
function consentCookies(publicUrl: string | null) {
  const isTls = publicUrl?.startsWith("https:") === true;
  const nameOf = (name: string) => `${isTls ? HOST_PREFIX : ""}${name}`;
  const cookie = (name: string, value: string, seconds: number) =>
    `${nameOf(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isTls ? "; Secure" : ""}`;
  return {
    nameOf,
    keep: (name: string, value: string) =>
      cookie(name, value, Math.floor(CONSENT_MS_MAX / SECOND_MS)),
    forget: (name: string) => cookie(name, "", 0),
  };
}

function failurePage({ title, text }: ConsentFailure): Response {
  return pageResponse(400, title, html`<p role="status">${text}</p>`);
}

function endPage(end: ConsentEnd): Response {
  if (end.kind === "failed") {
    return failurePage(end);
  }
  const { smtp, imap } = end.outcome;
  const problems = [
    ...(smtp.ok ? [] : [html`<li>Sending: ${smtp.error ?? ""}</li>`]),
    ...(imap.ok ? [] : [html`<li>Reading: ${imap.error ?? ""}</li>`]),
  ];
  if (problems.length === 0) {
    return pageResponse(
      200,
      "The mailbox is connected",
      html`<p role="status"><strong>${end.email}</strong> can send email, and Outrider reads its replies.</p>
<p class="quiet">You can close this page.</p>`,
    );
  }
  return pageResponse(
    200,
    "Connected, but not working yet",
    html`<p role="status">Your consent is saved, but the mail servers of
<strong>${end.email}</strong> don't accept the login yet:</p>
<ul>${joined(problems)}</ul>
<p>Often SMTP or IMAP has to be turned on for the mailbox first. Outrider keeps trying; test the mailbox
in the console to see what to do.</p>`,
  );
}

function joined(parts: readonly Html[]): Html {
  return { markup: parts.map(({ markup }) => markup).join("\n") };
}

/** Goes back to our own callback and to nowhere else. */
function sandboxPage(publicUrl: string | null, { searchParams }: URL): Response {
  const back = URL.parse(searchParams.get("redirect_uri") ?? "");
  const isOurs =
    publicUrl !== null &&
    back?.origin === publicUrl &&
    /^\/oauth\/[a-z]+\/callback$/.test(back.pathname);
  if (!isOurs || back === null) {
    return pageResponse(
      400,
      "This link doesn't work",
      html`<p>It doesn't lead back to this installation.</p>`,
    );
  }
  const login = searchParams.get("login_hint") ?? "";
  const state = searchParams.get("state") ?? "";
  const link = (answer: Record<string, string>) =>
    `${back.pathname}?${new URLSearchParams({ ...answer, state })}`;
  return pageResponse(
    200,
    "The sandbox's provider",
    html`<p>Let Outrider send and read as <strong>${login}</strong>? No mailbox is behind this page.</p>
<p><a href="${link({ code: sandboxCode(login) })}">Agree</a></p>
<p><a href="${link({ error: "access_denied" })}">Decline</a></p>`,
  );
}
