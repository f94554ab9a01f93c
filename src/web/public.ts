/**
 * What answers without a key: whether the program is well, and the page behind an email's unsubscribe
 * link. Reading that page changes nothing, because email scanners follow links; its button does, and so
 * does the mail client's own button (RFC 8058), which sends one known field.
 */

import { type AnyElysia, Elysia } from "elysia";
import { earlier, toIso, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { unconfirmedAccounts } from "#store/mailboxes/accounts.ts";
import { damageInWords, damageOf } from "#store/sqlite/damage.ts";
import { answers } from "#store/sqlite/database.ts";
import { findOptOut, unsubscribeByMessage } from "#usecases/leads/unsubscribe.ts";
import { type Spoken, wordsFor } from "./accept-language.ts";
import { readForm } from "./form.ts";
import { type Html, html, pageResponse, pageStyle, STYLE_PATH } from "./page.ts";

/** Both environments: a link's token says which of them its message is of. */
export interface PublicEnvironments {
  readonly live: Environment;
  readonly test: Environment;
}

export interface PublicOptions {
  /** True from the moment the program begins to shut down. */
  closing: () => boolean;
  /** Hosts that have no valid certificate, though we are to get it; 0 if left out. */
  withoutCertificate?: (() => number) | undefined;
}

/** For the server's list of what needs no key. */
export const PUBLIC_PATHS: readonly string[] = ["/healthz", "/readyz", "/u/*", STYLE_PATH];

export function publicRoutes(
  environments: PublicEnvironments,
  { closing, withoutCertificate = () => 0 }: PublicOptions,
): AnyElysia {
  return new Elysia({ name: "public", normalize: false })
    .get("/healthz", () => Response.json({ status: "ok" }))
    .get("/readyz", () => {
      const stores = { live: isUp(environments.live), test: isUp(environments.test) };
      const isReady = stores.live && stores.test && !closing();
      const hosts = withoutCertificate();
      const lacking = hosts === 0 ? {} : { hosts_without_certificate: hosts };
      const ready = () => ({ status: "ready", ...waitingOf(environments.live), ...lacking });
      return Response.json(
        isReady ? ready() : { status: "unavailable", ...damagedOf(environments) },
        isReady ? {} : { status: 503, headers: { "Retry-After": "5" } },
      );
    })
    .get(STYLE_PATH, ({ request }) => pageStyle.serve(request))
    .get("/u/:token", ({ params, request }) => {
      const found = findOptOut(environments, params.token);
      return found === null ? unknownLink(request) : askPage(request, found.message.recipient);
    })
    .post("/u/:token", async ({ params, request }) => {
      // Whoever posts to the link wants to be left alone, however clumsily it is said.
      const form = await readForm(request);
      if (form === null) {
        const text = html`<p>This page accepts only its own form.</p>`;
        return pageResponse(413, "The request is too large", text);
      }
      const found = findOptOut(environments, params.token);
      if (found === null) {
        return unknownLink(request);
      }
      const { env, message } = found;
      const done = await env.commit(() => unsubscribeByMessage(env, message.id));
      if (done === null) {
        return unknownLink(request);
      }
      return form.get("List-Unsubscribe") === "One-Click"
        ? new Response("unsubscribed\n", { headers: TEXT })
        : donePage(request, done.email);
    });
}

/** What keeps mailboxes from sending since the data was put back; nothing where nothing does. */
function waitingOf({ db }: Environment): Record<string, string | number> {
  const waiting = unconfirmedAccounts(db);
  const since = waiting.reduce<UnixMs | undefined>(
    (first, { unconfirmed }) => earlier(first, unconfirmed?.since),
    undefined,
  );
  return since === undefined
    ? {}
    : {
        sending: "waiting",
        reason: "the data was put back; what was sent since is being read from the Sent folders",
        unconfirmed_since: toIso(since),
        mailboxes: waiting.length,
      };
}

/** Why nothing is sent, and the way back; nothing where the data is whole. */
function damagedOf(environments: PublicEnvironments): { reason?: string } {
  const broken = [environments.live, environments.test].find(({ db }) => damageOf(db) !== null);
  return broken === undefined
    ? {}
    : { reason: damageInWords(`${broken.name}.db`, damageOf(broken.db) ?? "") };
}

function isUp(env: Environment): boolean {
  try {
    return answers(env.db) && damageOf(env.db) === null;
  } catch {
    return false;
  }
}

function askPage(request: Request, email: string): Response {
  const { language, words } = spoken(request);
  const content = html`<p>${email === "" ? words.askYou : withEmail(words.ask, email)}</p>
<form method="post"><button type="submit">${words.unsubscribe}</button></form>
<p class="quiet">${words.unchanged}</p>`;
  return varied(pageResponse(200, words.unsubscribe, content, language));
}

/** An erased address is not known any more. */
function donePage(request: Request, email: string): Response {
  const { language, words } = spoken(request);
  const said = email === "" ? words.stoppedYou : withEmail(words.stopped, email);
  const content = html`<p role="status">${said}</p>
<p class="quiet">${words.close}</p>`;
  return varied(pageResponse(200, words.done, content, language));
}

const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

function unknownLink(request: Request): Response {
  const { language, words } = spoken(request);
  return varied(pageResponse(404, words.broken, html`<p>${words.brokenHelp}</p>`, language));
}

function spoken(request: Request): Spoken {
  return wordsFor(request.headers.get("accept-language"));
}

/** The same address has another page for another language. */
function varied(page: Response): Response {
  page.headers.set("Vary", "Accept-Language");
  return page;
}

function withEmail(sentence: string, email: string): Html {
  const [before = "", after = ""] = sentence.split("{email}");
  return html`${before}<strong>${email}</strong>${after}`;
}
