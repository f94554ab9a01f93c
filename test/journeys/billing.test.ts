/**
 * A plan in a browser, against the compiled executable: asked for over the API, confirmed on our page,
 * active, in both environments and both themes.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, openPage, skipsBrowser } from "../support/browser.ts";
import { type Server, startServer } from "../support/executable.ts";
import { caller, done } from "./support.ts";

let server: Server;
beforeAll(async () => {
  if (!skipsBrowser()) {
    server = await startServer();
  }
}, 60_000);
afterAll(async () => {
  await closeBrowser();
  await server?.[Symbol.asyncDispose]();
});

describe.skipIf(skipsBrowser())("a plan is confirmed in a browser (needs Chromium)", () => {
  test.each([
    ["live", "light"],
    ["test", "dark"],
  ] as const)("%s, %s", async (env, scheme) => {
    const call = caller(server, (await server.createKey(env)).key);
    const { url } = await done(call("POST", "/billing/subscribe", { plan: "pro" }));
    await using open = await openPage(server.url, scheme);
    const { page, faults, violations } = open;
    expect(new URL(url).origin).toBe(server.url);
    await page.goto(url);
    expect(await page.getByRole("heading").textContent()).toBe("Confirm your plan");
    expect(await violations()).toEqual([]);
    await page.getByLabel("Or paste a license key").fill("key/hello");
    await page.getByRole("button", { name: "Apply license" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("isn't a license key");
    expect(await violations()).toEqual([]);
    await page.getByRole("button", { name: "Confirm pro" }).click();
    expect(await page.getByRole("status").textContent()).toContain("pro");
    expect(await violations()).toEqual([]);
    expect(await done(call("GET", "/billing/subscription"))).toMatchObject({
      plan: "pro",
      status: "active",
    });
    await page.goto(url);
    expect(await page.getByRole("heading").textContent()).toBe("This page has expired");
    // A refusal is an answer of ours with a status that Chromium puts on the console.
    expect(faults.filter((fault) => !/status of (410|422)/.test(fault))).toEqual([]);
  });
});
