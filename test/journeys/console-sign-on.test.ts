/** Single sign-on in a real browser: through a provider's own pages and back into the console. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { freePorts } from "../mailserver/mailserver.ts";
import {
  type AuthorizationServer,
  CLIENT,
  startAuthorizationServer,
} from "../support/authorization-server.ts";
import { closeBrowser, openPage, SCHEMES, skipsBrowser } from "../support/browser.ts";
import { type Console, PERSON, startConsole } from "../support/console.ts";

const TEST_MS_MAX = 180_000;

describe.skipIf(skipsBrowser())("single sign-on", () => {
  let oidc: AuthorizationServer;
  let server: Console;
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    oidc = await startAuthorizationServer([`${url}/console/sso/callback`]);
    Object.assign(oidc, { person: PERSON.email, claims: { email_verified: true } });
    server = await startConsole({
      args: ["--port", String(port), "--public-url", url, "--oidc-name", "Example"],
      env: {
        OUTRIDER_OIDC_ISSUER: oidc.url,
        OUTRIDER_OIDC_CLIENT_ID: CLIENT.clientId,
        OUTRIDER_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      },
    });
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await oidc?.stop();
    await closeBrowser();
  }, TEST_MS_MAX);

  /** The provider's own pages are another host's, as they have to be. */
  const ours = (faults: readonly string[]) =>
    faults.filter((fault) => fault !== `request to ${oidc.url}`);
  const provider = (page: Page) => page.getByRole("button", { name: "Continue with Example" });

  test.each(SCHEMES)(
    "leads from the door through the provider to the page that was asked for; in %s",
    async (scheme) => {
      await using opened = await openPage(server.url, scheme);
      const { page, faults, violations } = opened;
      await page.goto(`${server.url}/live/settings/you`);
      await provider(page).waitFor();
      expect(await violations()).toEqual([]);
      await provider(page).click();
      await page.getByRole("heading", { name: "You", exact: true }).waitFor();
      await page.getByText("You can sign in with Example.").waitFor();
      expect(page.url()).toBe(`${server.url}/live/settings/you`);
      expect(await violations()).toEqual([]);
      expect(ours(faults)).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "accepts an invitation, and is disconnected and connected in the settings",
    async () => {
      const invitation = { email: "bob@example.com", role: "member" };
      const { body } = await server.api("live", "POST", "/team/invitations", invitation);
      Object.assign(oidc, { person: "bob", claims: { email: "bob@example.com", name: "Bob" } });
      await using opened = await openPage(server.url);
      const { page, faults } = opened;

      // Nobody vouches for the address yet.
      await page.goto(new URL(body.url, server.url).href);
      await provider(page).click();
      await page.getByRole("heading", { name: "You were not signed in" }).waitFor();
      oidc.claims["email_verified"] = true;
      await page.goto(new URL(body.url, server.url).href);
      await provider(page).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();

      await page.goto(`${server.url}/live/settings/you`);
      await page.getByText("Bob · bob@example.com · Member").waitFor();
      const disconnect = page.getByRole("button", { name: "Disconnect" });
      await disconnect.click();
      await page.getByText("set a password first").waitFor();
      await page.getByLabel("New password", { exact: true }).fill(PERSON.password);
      await page.getByRole("button", { name: "Set password" }).click();
      await page.getByLabel("Current password", { exact: true }).waitFor();
      await disconnect.click();
      await page.getByText("Your account isn’t connected to Example yet.").waitFor();
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      await page.getByText("You can sign in with Example.").waitFor();
      expect(ours(faults).filter((fault) => !/status of (403|409)/.test(fault))).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "in another tab, a form whose session has ended goes on with what was typed",
    async () => {
      Object.assign(oidc, { person: PERSON.email, claims: { email_verified: true } });
      await using opened = await server.open();
      const { page, faults } = opened;
      // News would tell of the end before the form does.
      await page.route(/\/events\/stream/, () => undefined);
      await page.goto(`${server.url}/live/settings/team`);
      const name = page.getByLabel("Name", { exact: true }).first();
      await name.fill("Typed before it ended");
      const cookie = { Cookie: server.cookie, Origin: server.url };
      // Nothing but the saving may learn of the end first: what the page still loads would open the dialog.
      let hasEnded = false;
      await page.route(/\/v1\//, async (route) => {
        if (route.request().method() !== "GET" && !hasEnded) {
          hasEnded = true;
          await fetch(`${server.url}/console/session`, { method: "DELETE", headers: cookie });
        }
        await route.fallback();
      });
      await page.getByRole("button", { name: /^Save/ }).first().click();
      const dialog = page.getByRole("dialog", { name: "Your session has ended" });
      const tab = page.context().waitForEvent("page");
      await dialog.getByRole("button", { name: "Continue with Example in a new tab" }).click();
      await (await tab).getByRole("heading", { name: "Overview" }).waitFor();
      await (await tab).close();
      // A browser without a screen does not say that its page has the focus again.
      await page.evaluate("dispatchEvent(new Event('focus'))");
      await dialog.waitFor({ state: "hidden" });
      await page.getByText("Saved", { exact: false }).first().waitFor();
      expect(await name.inputValue()).toBe("Typed before it ended");
      expect(ours(faults).filter((fault) => !/status of 401/.test(fault))).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
