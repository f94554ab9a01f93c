/**
 * Every page of the console as somebody sees it who enlarges it: a window of 1280 by 1024 at 200 % and at
 * 400 %, and with letters twice as large (WCAG 1.4.4, 1.4.10, 2.4.11). All of it can be read, and reached by
 * Tab; nothing moves for who wants nothing to move.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeBrowser, type OpenPage, openPage, skipsBrowser } from "../support/browser.ts";
import type { Console } from "../support/console.ts";
import {
  addressesOf,
  playedConsole,
  resize,
  SCREENS,
  show,
  spillsOf,
  widestOf,
} from "../support/screens.ts";
import { cutOf, focusOf, motionsOf, recordMotion } from "../support/zoom.ts";

const TEST_MS_MAX = 240_000;
const WINDOW = { width: 1280, height: 1024 };
const TWICE = { width: 640, height: 512 };
const FOUR_TIMES = { width: 320, height: 256 };
/** The longest form has fewer things to reach; a list goes on without end. */
const TABS_MAX = 60;

/** What of the page that is on show can't be read, in words. */
async function unreadable(page: Page): Promise<string[]> {
  const wide = await page.evaluate(widestOf);
  return [
    ...(wide === null ? [] : [wide]),
    ...(await page.evaluate(spillsOf)),
    ...(await page.evaluate(cutOf)),
  ];
}

/** Goes through the page by Tab, and says what had the focus and could not be seen. */
async function hiddenFocus(page: Page): Promise<string[]> {
  const hidden: string[] = [];
  await page.locator("#content").focus();
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press("Tab");
    const { name, isIn, isHidden } = await page.evaluate(focusOf);
    if (!isIn) {
      break;
    }
    if (isHidden) {
      hidden.push(`${name} has the focus and is hidden`);
    }
  }
  return hidden;
}

const setLetters = (page: Page, size: string) =>
  page.evaluate((value) => {
    document.documentElement.style.fontSize = value;
  }, size);

describe.skipIf(skipsBrowser())("every page, enlarged", () => {
  let server: Console;
  let opened: OpenPage;

  beforeAll(async () => {
    server = await playedConsole();
    const [name = "", value = ""] = server.cookie.split("=");
    opened = await openPage(server.url, "light", {
      deviceScaleFactor: 2,
      reducedMotion: "reduce",
      viewport: TWICE,
    });
    const { page } = opened;
    await page.context().addCookies([{ name, value, url: server.url, sameSite: "Strict" }]);
    await page.addInitScript(recordMotion);
  }, TEST_MS_MAX);
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test.each(SCREENS.map((screen) => [`/${screen}`, screen] as const))(
    "%s can be read and reached, and is still",
    async (_, screen) => {
      const { page, faults, violations } = opened;
      faults.length = 0;
      const found: string[] = [];
      for (const address of await addressesOf(server, screen)) {
        const note = (at: string, told: string[]) =>
          found.push(...told.map((fault) => `${address}${at}: ${fault}`));
        await resize(page, WINDOW);
        await show(page, server.url + address);
        await setLetters(page, "200%");
        await resize(page, WINDOW);
        note(" in large letters", await unreadable(page));
        await setLetters(page, "");
        await resize(page, FOUR_TIMES);
        note(" at 400 %", await unreadable(page));
        await resize(page, TWICE);
        note(" at 200 %", await unreadable(page));
        note(" at 200 %", await violations());
        note(" at 200 %", await hiddenFocus(page));
        note("", await page.evaluate(motionsOf));
      }
      expect([...found, ...faults]).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "what is planted is found: by each of those that judge",
    async () => {
      const { page, faults, violations } = opened;
      await resize(page, TWICE);
      await show(page, `${server.url}/test/settings/you`);
      faults.length = 0;
      await page.evaluate(() => {
        const plant = (tag: string, text: string, style: Partial<CSSStyleDeclaration>) => {
          const element = document.createElement(tag);
          element.textContent = text;
          Object.assign(element.style, style);
          document.querySelector("#content")?.prepend(element);
        };
        plant("p", "Cut off", { height: "6px", overflow: "hidden" });
        plant("p", "Away", { position: "absolute", left: "-300px" });
        plant("p", "Below the edge", { position: "fixed", top: "505px" });
        plant("p", "Lies here", { height: "0" });
        plant("p", "Wide", { width: "900px" });
        plant("img", "", {});
        plant("p", "", { position: "fixed", inset: "0", zIndex: "99" });
        document.querySelector("#content h1")?.animate([{ opacity: 0 }, { opacity: 1 }], 10);
        const sheet = document.createElement("style");
        sheet.textContent = "p { color: red }";
        document.head.append(sheet);
      });
      const told = [
        ...(await unreadable(page)),
        ...(await violations()),
        ...(await hiddenFocus(page)),
        ...faults,
      ].join("\n");
      for (const fault of [
        "Cut off is cut off by P",
        "Away is cut off by HTML",
        "Below the edge is cut off by HTML",
        "Lies here lies over",
        'px: <p style="width: 900px',
        "image-alt",
        "has the focus and is hidden",
        "Content Security Policy",
      ]) {
        expect(told).toContain(fault);
      }
      // Of motions that a style makes, for who has asked for none and for who has not.
      await page.emulateMedia({ reducedMotion: "no-preference" });
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      for (const kind of ["animate: H1", "transitionrun: DIALOG"]) {
        await page.waitForFunction(
          (start) =>
            (window as unknown as { moved: string[] }).moved.some((move) => move.startsWith(start)),
          kind,
        );
      }
      await page.emulateMedia({ reducedMotion: "reduce" });
    },
    TEST_MS_MAX,
  );
});
