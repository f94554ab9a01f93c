/**
 * Journeys 1 and 18: the first person comes in by the printed link, goes and comes back; and a session
 * that ends in the middle of a form loses nothing of it.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, openPage, SCHEMES, skipsBrowser } from "../support/browser.ts";
import {
  type Console,
  PERSON,
  runProgram,
  startConsole,
  startProgram,
} from "../support/console.ts";
import { settled } from "../support/screens.ts";
import { expectClean, sandboxOf } from "./console-sandbox.ts";

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
      // The command is told where the data are, and finds out where the server is.
      const printed = await runProgram("admin", "link", "--data", data);
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

describe.skipIf(skipsBrowser())("two servers on one host", () => {
  test(
    "leave each other's sessions alone",
    async () => {
      await using one = await startConsole();
      await using other = await startConsole();
      await using opened = await one.open();
      const { page, faults } = opened;
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      const beside = await page.context().newPage();
      await beside.goto(`${other.url}/live/`);
      await beside.getByRole("heading", { name: "Sign in" }).waitFor();
      await beside.getByText("outrider admin link").waitFor();
      await beside.getByLabel("Email").fill(PERSON.email);
      await beside.getByLabel("Password", { exact: true }).fill(PERSON.password);
      await beside.getByRole("button", { name: "Sign in" }).click();
      await beside.getByRole("heading", { name: "Overview" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(beside.url()).toStartWith(other.url);
      expect(faults).toEqual([]);
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

describe.skipIf(skipsBrowser())("the way to a first campaign", () => {
  let server: Console;
  beforeAll(async () => {
    server = await startConsole();
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  }, TEST_MS_MAX);

  test(
    "is four steps on the overview, each done as it is, until the first campaign starts",
    async () => {
      const { call } = sandboxOf(server);
      await call("POST", "/sandbox/clock", { speed: 0 });
      await using opened = await server.open("light", "/test/");
      const { page } = opened;
      await page.getByRole("heading", { name: "Launch your first campaign" }).waitFor();
      const current = (name: string) =>
        page.locator("li[aria-current=step]").getByRole("link", { name }).waitFor();
      await current("Connect a mailbox");
      await expectClean(opened);
      await call("POST", "/accounts", { email: "ann@sender.example", provider: "smtp" });
      await current("Add leads");
      const { id } = await call("POST", "/campaigns", { name: "First" });
      await call("POST", `/campaigns/${id}/leads`, { leads: [{ email: "bo@client.example" }] });
      await current("Write the sequence");
      await page.locator("li[aria-current=step] a").click();
      await page.waitForURL(new RegExp(`${id}/new/sequence$`));
      const step = { type: "email", subject: "A question", body: "Hello" };
      await call("POST", `/campaigns/${id}/steps`, step);
      await page.goBack();
      await current("Launch");
      await call("POST", `/campaigns/${id}/start`);
      await page
        .getByRole("heading", { name: "Launch your first campaign" })
        .waitFor({ state: "detached" });
      await call("DELETE", "/sandbox");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "can be looked at first: the demo's month plays in the sandbox, and is thrown away",
    async () => {
      await using opened = await server.open("light", "/live/");
      const { page } = opened;
      await page.getByRole("button", { name: "Try it in the sandbox" }).click();
      await page.waitForURL(`${server.url}/test/`);
      await page.locator(".figure-card").first().waitFor();
      await page.getByText("A month has been played").waitFor();
      await settled(page);
      await expectClean(opened);
      const { call } = sandboxOf(server);
      expect((await call("GET", "/campaigns")).total).toBe(4);
      await page.getByRole("button", { name: "Throw it away" }).click();
      await page.getByRole("heading", { name: "Launch your first campaign" }).waitFor();
      expect((await call("GET", "/campaigns")).total).toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    "on a phone says all the time which environment it is, and changes it",
    async () => {
      await using opened = await server.open("dark", "/test/leads");
      const { page } = opened;
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole("link", { name: "Sandbox", exact: true }).first().waitFor();
      await expectClean(opened);
      await page.getByRole("link", { name: "Live", exact: true }).click();
      await page.waitForURL(`${server.url}/live/`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    },
    TEST_MS_MAX,
  );
});
