/**
 * Journeys 1 and 18: the first person comes in by the printed link, goes and comes back; and a session
 * that ends in the middle of a form loses nothing of it.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { closeBrowser, openPage, SCHEMES, skipsBrowser } from "../support/browser.ts";
import { PERSON, runProgram, startConsole, startProgram } from "../support/console.ts";
import { settled } from "../support/screens.ts";

afterAll(closeBrowser);

const TRIES_MAX = 12;
const TEST_MS_MAX = 180_000;

/** Chromium says each answer of 401 and 429 in its console; here they are what is tried. */
const beside = (faults: readonly string[]) =>
  faults.filter((fault) => !/status of (401|404|429)/.test(fault));

describe.skipIf(skipsBrowser())("the first run (journey 1)", () => {
  test.each(SCHEMES)(
    "is a link, an account, and a console; in %s",
    async (scheme) => {
      await using program = await startProgram();
      const { url, link } = program;
      await using opened = await openPage(url, scheme);
      const { page, faults, violations } = opened;

      await page.goto(`${url}/live`);
      await page.getByRole("heading", { name: "Set up Outrider" }).waitFor();
      expect(await violations()).toEqual([]);

      await page.goto(link ?? "");
      await page.getByRole("heading", { name: "Welcome to Outrider" }).waitFor();
      expect(await violations()).toEqual([]);
      await page.getByLabel("Your name").fill(PERSON.name);
      await page.getByLabel("Email").fill(PERSON.email);
      await page.getByLabel("Password", { exact: true }).fill(PERSON.email);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByText("is too easy to guess; use a longer or less common one").waitFor();
      await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(page.url()).toBe(`${url}/live/`);

      await settled(page);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await violations()).toEqual([]);
      await page.getByLabel("Email").fill(PERSON.email);
      await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      // What was still asked when the session ended has been refused.
      expect(beside(faults).filter((fault) => !/status of 422/.test(fault))).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "whoever has lost the way in gets another link by the command, once",
    async () => {
      await using program = await startConsole();
      const { url, data } = program;
      const printed = await runProgram("admin", "link", "--data", data, "--public-url", url);
      expect(printed).toStartWith(`${url}/enter#`);
      await using opened = await openPage(url);
      const { page, faults } = opened;
      await page.goto(printed);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto(`${url}/live/settings/you`);
      await page.getByText(PERSON.email).first().waitFor();
      await page.getByText("This browser").waitFor();
      expect(await opened.violations()).toEqual([]);

      await page.context().clearCookies();
      await page.goto(printed);
      await page.getByRole("heading", { name: "This link doesn’t work" }).waitFor();
      expect(await opened.violations()).toEqual([]);
      expect(beside(faults)).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "before anybody has an account the command's link makes the first one, beside the printed link",
    async () => {
      await using program = await startProgram();
      const { url, data, link } = program;
      const printed = await runProgram("admin", "link", "--data", data, "--public-url", url);
      expect(printed).toStartWith(`${url}/welcome#`);
      expect(printed).not.toBe(link);
      await using opened = await openPage(url);
      const { page, faults } = opened;
      await page.goto(printed);
      await page.getByLabel("Your name").fill(PERSON.name);
      await page.getByLabel("Email").fill(PERSON.email);
      await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "a used link is refused, and after five wrong passwords one has to wait",
    async () => {
      await using program = await startConsole();
      const { url, link } = program;
      await using opened = await openPage(url);
      const { page, faults } = opened;
      await page.goto(link ?? "");
      await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByLabel("Email").fill(PERSON.email);
      const statuses: number[] = [];
      // A slow machine may have waited long enough by itself; the wait doubles each time.
      while (statuses.at(-1) !== 429 && statuses.length < TRIES_MAX) {
        await page.getByLabel("Password", { exact: true }).fill(`wrong ${statuses.length}`);
        const [answer] = await Promise.all([
          page.waitForResponse(`${url}/console/session`),
          page.getByRole("button", { name: "Sign in" }).click(),
        ]);
        statuses.push(answer.status());
        await page.getByRole("button", { name: "Sign in" }).waitFor();
      }
      expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
      expect(statuses.at(-1)).toBe(429);
      await page.getByText("too many wrong passwords").waitFor();
      expect(beside(faults)).toEqual([]);
    },
    TEST_MS_MAX,
  );
});

describe.skipIf(skipsBrowser())("a session that ends in the middle of a form (journey 18)", () => {
  test(
    "asks for the password over it, and what was typed goes out",
    async () => {
      await using console = await startConsole();
      await using opened = await console.open();
      const { page, faults } = opened;
      // News would tell of the end before the form does.
      await page.route(/\/events\/stream/, () => undefined);
      await page.goto(`${console.url}/live/settings/team`);
      const name = page.getByLabel("Name", { exact: true }).first();
      await name.fill("Typed before it ended");
      // It ends as the form goes out: until then the page may be reading what it shows.
      let hasEnded = false;
      await page.route(/\/api\/v1\/team$/, async (route) => {
        if (route.request().method() === "PATCH" && !hasEnded) {
          hasEnded = true;
          const { data } = await consoleRequest(console.url, console.cookie, "GET", "sessions");
          await consoleRequest(console.url, console.cookie, "DELETE", `sessions/${data[0]?.id}`);
        }
        await route.continue();
      });
      await page.getByRole("button", { name: /^Save/ }).first().click();
      const dialog = page.getByRole("dialog", { name: "Your session has ended" });
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor();
      expect(await name.inputValue()).toBe("Typed before it ended");
      await dialog.getByLabel("Password", { exact: true }).fill(PERSON.password);
      const [saved] = await Promise.all([
        page.waitForResponse((answer) => {
          return answer.request().method() === "PATCH" && answer.status() === 200;
        }),
        dialog.getByRole("button", { name: "Sign in", exact: true }).click(),
      ]);
      expect(((await saved.json()) as { name: string }).name).toBe("Typed before it ended");
      await dialog.waitFor({ state: "hidden" });
      expect(beside(faults)).toEqual([]);
    },
    TEST_MS_MAX,
  );
});

async function consoleRequest(url: string, cookie: string, method: string, path: string) {
  const headers = { Cookie: cookie, Origin: url };
  const response = await fetch(`${url}/console/${path}`, { method, headers });
  const text = await response.text();
  return (text === "" ? { data: [] } : JSON.parse(text)) as { data: { id: string }[] };
}
