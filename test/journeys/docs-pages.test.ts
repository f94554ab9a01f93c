/** The guide and the reference in a real browser: nothing reaches over the edge of a phone, and axe finds no fault. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, openPage, SCHEMES, skipsBrowser } from "../support/browser.ts";
import { type Server, startServer } from "../support/executable.ts";

const TEST_MS_MAX = 180_000;
const PHONE = { width: 390, height: 844 };
const PAGES_MIN = 30;
/** The dark theme has other colors and nothing else: what has all of them is enough. */
const DARK = ["/docs", "/docs/reference/files", "/docs/guide/errors"];

describe.skipIf(skipsBrowser())("the guide and the reference", () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test.each(SCHEMES)(
    "every page, in %s",
    async (scheme) => {
      await using opened = await openPage(server.url, scheme, { viewport: PHONE });
      const { page, faults, violations } = opened;
      const found: unknown[] = [];
      const seen = new Set<string>();
      for (const start of ["/docs", "/docs/guide/quick-start"]) {
        await page.goto(server.url + start);
        const links = await page.locator('nav a[href^="/docs"]').all();
        for (const link of links) {
          seen.add((await link.getAttribute("href")) ?? "");
        }
      }
      for (const path of scheme === "dark" ? DARK : seen) {
        await page.goto(server.url + path);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        const faulty = await violations();
        if (width > PHONE.width || faulty.length > 0) {
          found.push({ path, width, faulty });
        }
      }
      expect(seen.size).toBeGreaterThan(PAGES_MIN);
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
