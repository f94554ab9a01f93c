/**
 * Journey 22: the console through a proxy that ends TLS, and without one. Where the proxy is trusted its
 * word counts: cookies are bound to TLS, news come as they happen, and who is slowed down is who knocked.
 * What a browser itself writes into such headers counts nowhere.
 */

import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeBrowser, type OpenPage, openPage, skipsBrowser } from "../support/browser.ts";
import { PERSON, startConsole, startProgram } from "../support/console.ts";
import { startProxy } from "../support/proxy.ts";
import { settled } from "../support/screens.ts";
import { expectClean } from "./console-sandbox.ts";

const TEST_MS_MAX = 180_000;
const TRIES_MAX = 12;
const TRUSTED = ["--trusted-proxies", "127.0.0.1"];
/** The browser tells of the refusals that are tried here. */
const NOTED = /status of (401|429)/;

afterAll(closeBrowser);

/** Tries wrong passwords, each as `before` has set it, until one has to wait; resolves to the statuses. */
async function tryPasswords(page: Page, before: (nth: number) => unknown): Promise<number[]> {
  const statuses: number[] = [];
  await page.getByLabel("Email").fill(PERSON.email);
  while (statuses.at(-1) !== 429 && statuses.length < TRIES_MAX) {
    await before(statuses.length);
    await page.getByLabel("Password", { exact: true }).fill(`wrong ${statuses.length}`);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/console/session")),
      page.getByRole("button", { name: "Sign in" }).click(),
    ]);
    statuses.push(answer.status());
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  }
  return statuses;
}

async function signIn({ page }: OpenPage): Promise<void> {
  await page.getByLabel("Email").fill(PERSON.email);
  await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}

describe.skipIf(skipsBrowser())("through a proxy (journey 22)", () => {
  test(
    "trusted: the cookie is bound to TLS, news come at once, and the client is who the proxy saw",
    async () => {
      await using program = await startProgram({ args: TRUSTED });
      await using proxy = startProxy(program.url);
      const tls = { ignoreHTTPSErrors: true };
      await using opened = await openPage(proxy.origin, "light", tls);
      const { page } = opened;
      await page.goto((program.link ?? "").replace(program.url, proxy.origin));
      await page.getByLabel("Your name").fill(PERSON.name);
      await page.getByLabel("Email").fill(PERSON.email);
      await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      const cookies = await page.context().cookies();
      expect(cookies).toHaveLength(1);
      expect(cookies[0]).toMatchObject({
        ...{
          name: expect.stringMatching(/^__Host-outrider-[0-9a-f]{8}$/),
          path: "/",
          domain: "127.0.0.1",
        },
        ...{ secure: true, httpOnly: true, sameSite: "Strict" },
      });

      await page.goto(`${proxy.origin}/test/suppressions`);
      await page.locator(".shell[data-connection=open]").waitFor();
      await page.evaluate("window.isFirst = true");
      const beside = await page.context().newPage();
      await beside.goto(`${proxy.origin}/test/suppressions`);
      await beside.getByLabel("Email addresses or @domains").fill("eve@elsewhere.example");
      await beside.getByRole("button", { name: "Suppress", exact: true }).click();
      await page.getByText("eve@elsewhere.example").first().waitFor();
      expect(await page.evaluate("window.isFirst")).toBe(true);
      await beside.close();
      await expectClean(opened);

      // Whoever forges an address is seen at the one that the proxy saw, and waits there, alone.
      await using other = await openPage(proxy.origin, "light", tls);
      proxy.client = "203.0.113.9";
      await other.page.goto(`${proxy.origin}/live`);
      const statuses = await tryPasswords(other.page, (nth) =>
        other.page.setExtraHTTPHeaders({ "X-Forwarded-For": `192.0.2.${nth}` }),
      );
      expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
      expect(statuses.at(-1)).toBe(429);
      proxy.client = "198.51.100.8";
      await signIn(other);
      await expectClean(other, NOTED);
    },
    TEST_MS_MAX,
  );

  test(
    "without one: a forged scheme and forged addresses are not looked at",
    async () => {
      await using server = await startConsole();
      await using opened = await openPage(server.url);
      const { page } = opened;
      await page.setExtraHTTPHeaders({ "X-Forwarded-Proto": "https" });
      await page.goto(`${server.url}/live`);
      await signIn(opened);
      const [cookie] = await page.context().cookies();
      expect(cookie).toMatchObject({
        name: expect.stringMatching(/^outrider-[0-9a-f]{8}$/),
        secure: false,
        httpOnly: true,
      });
      await page.reload();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await settled(page);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      const statuses = await tryPasswords(page, (nth) =>
        page.setExtraHTTPHeaders({ "X-Forwarded-For": `192.0.2.${nth}` }),
      );
      expect(statuses.at(-1)).toBe(429);
      await page.getByText("too many wrong passwords").waitFor();
      await expectClean(opened, NOTED);
    },
    TEST_MS_MAX,
  );
});
