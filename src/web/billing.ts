/**
 * The page on which a plan is confirmed, and the door that the payment provider knocks at. The page works
 * without scripts; its link is signed, holds for a day and is used up by what it does.
 */

import { type AnyElysia, Elysia } from "elysia";
import { Problem } from "#domain/problem.ts";
import type { Environment } from "#environment.ts";
import { readAtMost } from "#platform/http/read-at-most.ts";
import {
  confirmByLicence,
  confirmCheckout,
  findCheckout,
  type OpenCheckout,
} from "#usecases/billing/billing.ts";
import { followSubscription } from "#usecases/billing/remote-billing.ts";
import { readForm } from "./form.ts";
import { type Html, html, pageResponse } from "./page.ts";

export interface BillingEnvironments {
  readonly live: Environment;
  readonly test: Environment;
}

/** For the server's list of what needs no key. */
export const BILLING_PATHS: readonly string[] = [
  "/billing/checkout/*",
  "/billing/thanks",
  "/billing/cancelled",
  "/hooks/stripe",
];

const HOOK_BYTES_MAX = 256 * 1024;

export function billingPages(environments: BillingEnvironments): AnyElysia {
  return new Elysia({ name: "billing", normalize: false })
    .get("/billing/checkout/:token", ({ params }) => {
      const found = findCheckout(environments, params.token);
      return found === null ? unknownPage() : (spentPage(found) ?? askPage(found, null));
    })
    .post("/billing/checkout/:token", async ({ params, request }) => {
      const found = findCheckout(environments, params.token);
      if (found === null) {
        return unknownPage();
      }
      const form = await readForm(request);
      const licence = form?.get("licence");
      return confirm(found, typeof licence === "string" ? licence.trim() : "");
    })
    .get("/billing/thanks", () =>
      pageResponse(
        200,
        "Thank you",
        html`<p>Your plan starts as soon as the payment is confirmed, usually within a minute.</p>`,
      ),
    )
    .get("/billing/cancelled", () =>
      pageResponse(200, "Checkout canceled", html`<p>Your plan hasn’t changed.</p>`),
    )
    .post("/hooks/stripe", ({ request }) => takeNews(environments.live, request));
}

async function confirm(found: OpenCheckout, licence: string): Promise<Response> {
  const { env, checkout } = found;
  try {
    const row = await env.commit(() =>
      licence === ""
        ? confirmCheckout(env, checkout.id)
        : confirmByLicence(env, checkout.id, licence),
    );
    return donePage(found, row.plan);
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    const spent = error.type === "conflict" ? spentPage({ ...found, spent: "used" }) : null;
    return spent ?? askPage(found, error.message);
  }
}

/** Whatever the provider tells, its own record is asked: what comes late or twice changes nothing. */
async function takeNews(env: Environment, request: Request): Promise<Response> {
  const body = request.body === null ? null : await readAtMost(request.body, HOOK_BYTES_MAX);
  if (body === null) {
    return plain(413, "too large");
  }
  const signature = request.headers.get("stripe-signature") ?? "";
  const news = await env.billing.readHook(new TextDecoder().decode(body), signature);
  if (news.kind === "forged") {
    return plain(400, "the signature does not hold");
  }
  if (news.kind === "subscription") {
    try {
      await followSubscription(env, news.id);
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      return plain(503, "try again later");
    }
  }
  return plain(200, "ok");
}

function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

function askPage({ env, checkout, teamName }: OpenCheckout, fault: string | null): Response {
  return pageResponse(
    fault === null ? 200 : 422,
    "Confirm your plan",
    html`${environment(env)}
<p>The plan <strong>${checkout.plan}</strong> for <strong>${teamName}</strong>.</p>
${fault === null ? html`` : html`<p role="alert">This license ${fault}.</p>`}
<form method="post">
<p><button type="submit">Confirm ${checkout.plan}</button></p>
</form>
<form method="post">
<p><label for="licence">Or paste a license key</label></p>
<p><textarea id="licence" name="licence" rows="5" required spellcheck="false"></textarea></p>
<p><button type="submit">Apply license</button></p>
</form>
<p class="quiet">You won’t be charged here. This page works once.</p>`,
  );
}

function donePage({ env }: OpenCheckout, plan: string): Response {
  return pageResponse(
    200,
    "The plan is active",
    html`${environment(env)}<p role="status">The plan <strong>${plan}</strong> is active now.</p>
<p class="quiet">You can close this page.</p>`,
  );
}

function spentPage({ spent }: OpenCheckout): Response | null {
  if (spent === null) {
    return null;
  }
  const why = spent === "used" ? "It has already been used" : "It’s more than a day old";
  return pageResponse(
    410,
    "This page has expired",
    html`<p>${why}. Go back to billing and start again.</p>`,
  );
}

function unknownPage(): Response {
  return pageResponse(
    404,
    "This link doesn’t work",
    html`<p>It may be incomplete. Copy the whole link.</p>`,
  );
}

function environment({ name }: Environment): Html {
  return name === "test"
    ? html`<p class="quiet">Sandbox: limits of the test environment.</p>`
    : html``;
}
