/** Passkeys in a real browser, with an authenticator that Chromium makes up. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { CDPSession, Page } from "playwright-core";
import { closeBrowser, openPage, SCHEMES, skipsBrowser } from "../support/browser.ts";
import { type Console, PERSON, startConsole } from "../support/console.ts";

const TEST_MS_MAX = 120_000;

interface Device {
  cdp: CDPSession;
  id: string;
}

/** A device with a screen lock, which its owner opens where `isOwner`. */
async function plugIn(page: Page, isOwner = true): Promise<Device> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: isOwner,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id: authenticatorId };
}

describe.skipIf(skipsBrowser())("a passkey", () => {
  let server: Console;
  let url: string;
  beforeAll(async () => {
    server = await startConsole();
    // Browsers give no passkeys to a host that is a number.
    url = server.url.replace("127.0.0.1", "localhost");
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  const signIn = async (page: Page) => {
    await page.getByLabel("Email").fill(PERSON.email);
    await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  const use = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" }).click();
  const refusals = (faults: readonly string[]) =>
    faults.filter((fault) => !/status of (401|422)/.test(fault));

  test.each(SCHEMES)(
    "is made in the settings, signs in by itself, and ends when it is removed; in %s",
    async (scheme) => {
      await using opened = await openPage(url, scheme);
      const { page, faults, violations } = opened;
      const { cdp, id } = await plugIn(page);
      await page.goto(`${url}/live/settings/you`);
      await signIn(page);
      await page.getByLabel("Device name").fill(`Laptop in ${scheme}`);
      await page.getByRole("button", { name: "Add passkey" }).click();
      const row = page.getByRole("row", { name: `Laptop in ${scheme}` });
      await row.getByText("Never").waitFor();
      expect(await violations()).toEqual([]);
      const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: id });
      expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);

      // The same device is not taken twice.
      await page.getByRole("button", { name: "Add passkey" }).click();
      await page.getByText("This device already has a passkey for your account.").waitFor();

      await page.getByRole("button", { name: "Sign out" }).first().click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await violations()).toEqual([]);
      await use(page);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto(`${url}/live/settings/you`);
      await row.waitFor();
      expect(await row.getByText("Never").count()).toBe(0);

      await row.getByRole("button", { name: "Remove" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("You can’t sign in with this passkey anymore").waitFor();
      await dialog.getByRole("button", { name: "Remove passkey" }).click();
      await row.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Sign out" }).first().click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await use(page);
      await page.getByText("this passkey isn't registered here; sign in another way").waitFor();
      expect(refusals(faults)).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "opens nothing for who cannot open the device, nor a second time, nor as a copy that counts less",
    async () => {
      await using opened = await openPage(url);
      const { page, faults } = opened;
      const { cdp, id } = await plugIn(page);
      await page.goto(`${url}/live/settings/you`);
      await signIn(page);
      await page.getByRole("button", { name: "Add passkey" }).click();
      await page.getByRole("cell", { name: "Never" }).waitFor();
      const leave = async () => {
        await page.getByRole("button", { name: "Sign out" }).first().click();
        await page.getByRole("heading", { name: "Sign in" }).waitFor();
      };
      await leave();
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: false });
      await use(page);
      await page.getByText("The passkey request was canceled or timed out. Try again.").waitFor();
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: true });

      // What was answered once is answered to one question.
      const request = page.waitForRequest(`${url}/console/passkeys/session`);
      await use(page);
      const sent = (await request).postData();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      const again = await page.evaluate(async (body) => {
        const headers = { "Content-Type": "application/json" };
        const path = "/console/passkeys/session";
        return (await fetch(path, { method: "POST", headers, body })).status;
      }, sent);
      expect(again).toBe(422);

      await leave();
      const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: id });
      for (const credential of credentials) {
        await cdp.send("WebAuthn.clearCredentials", { authenticatorId: id });
        await cdp.send("WebAuthn.addCredential", {
          authenticatorId: id,
          credential: { ...credential, signCount: 0 },
        });
      }
      await use(page);
      await page.getByText("this passkey isn't registered here; sign in another way").waitFor();
      expect(refusals(faults)).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
