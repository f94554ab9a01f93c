/**
 * Every page of the console over a played month: nothing that axe finds in either theme, no error, no
 * other host, no broken policy, and on a phone nothing that reaches over the edge (journeys 20 and 23).
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, type OpenPage, skipsBrowser } from "../support/browser.ts";
import type { Console } from "../support/console.ts";
import {
  addressesOf,
  crampedOf,
  playedConsole,
  resize,
  SCREENS,
  show,
  widestOf,
} from "../support/screens.ts";
import { expectClean } from "./console-sandbox.ts";

const TEST_MS_MAX = 240_000;
const PHONE = { width: 390, height: 844 };
/** What is left of a screen of 780 px where everything is drawn twice as large. */
const ZOOMED = { width: 320, height: 640 };
const TABLET = { width: 1024, height: 768 };
const DESK = { width: 1440, height: 900 };

describe.skipIf(skipsBrowser())("journeys 20 and 23: every page of the console", () => {
  let server: Console;
  let opened: OpenPage;

  beforeAll(async () => {
    server = await playedConsole();
    opened = await server.open();
  }, TEST_MS_MAX);
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test.each(SCREENS.map((screen) => [`/${screen}`, screen] as const))(
    "%s is clean in both themes and fits a phone",
    async (_, screen) => {
      const { page, faults } = opened;
      faults.length = 0;
      for (const address of await addressesOf(server, screen)) {
        await resize(page, DESK);
        await show(page, server.url + address);
        expect(await page.locator("#content h1").count()).toBe(1);
        expect(await page.locator("#content [role=alert]").allTextContents()).toEqual([]);
        expect(await page.title()).toMatch(/.+ · Sandbox · Outrider$/);
        await expectClean(opened);
        for (const size of [DESK, TABLET, PHONE, ZOOMED]) {
          await resize(page, size);
          const wide = await page.evaluate(widestOf);
          const cramped = await page.evaluate(crampedOf);
          expect({ address, width: size.width, wide, cramped }).toMatchObject({
            wide: null,
            cramped: [],
          });
        }
      }
    },
    TEST_MS_MAX,
  );

  test(
    "the launch checklist begins with what needs attention, and its heading counts all of it",
    async () => {
      const { page } = opened;
      const [address = ""] = await addressesOf(server, "campaigns/:id/check");
      await resize(page, DESK);
      await show(page, server.url + address);
      await page.getByText("Looking up the sending domains…").waitFor({ state: "detached" });
      const tones = await page
        .locator(".check-list")
        .evaluateAll((lists) =>
          lists.map((list) => [...list.children].map((line) => line.getAttribute("data-tone"))),
        );
      const [first = []] = tones;
      const isWarning = (tone: string | null) => tone === "warn";
      const needs = tones.flat().filter(isWarning).length;
      const own = first.filter(isWarning).length;
      expect(own).toBeGreaterThan(0);
      expect(needs).toBeGreaterThan(2);
      expect(first.slice(0, own)).toEqual(Array(own).fill("warn"));
      await page.getByRole("heading", { name: `${needs} items need attention` }).waitFor();
    },
    TEST_MS_MAX,
  );
});
