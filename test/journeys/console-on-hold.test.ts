/**
 * Leads on hold in the console: the overview says how many there are and why, one click leads to them, and
 * one form gives a whole group what it lacks.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeBrowser, SCHEMES, skipsBrowser, toast } from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";

const TEST_MS_MAX = 240_000;
const LACKING = 3;
const CALLS = 2;
const WHY = "On hold: this lead has no company. Add one, or give the step a fallback.";
const PICTURES = process.env["OUTRIDER_TEST_PICTURES"];

describe.skipIf(skipsBrowser())("Leads on hold", () => {
  let server: Console;
  let firms: string;
  let calls: string;

  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await server.api("test", method, path, body);
    expect(`${path}: ${answer.status}`).toMatch(/: 20[0-4]$/);
    return answer.body;
  };
  const campaign = (id: string) => call("GET", `/campaigns/${id}`);

  async function start(name: string, step: object, leads: object[]): Promise<string> {
    const { id } = await call("POST", "/campaigns", { name });
    await call("POST", `/campaigns/${id}/steps`, step);
    await call("POST", `/campaigns/${id}/leads`, { leads });
    await call("POST", `/campaigns/${id}/start`);
    return id;
  }

  beforeAll(async () => {
    server = await startConsole();
    await call("POST", "/accounts", { email: "ann@sender.example", provider: "smtp" });
    const lacking = Array.from({ length: LACKING }, (_, nth) => ({
      email: `p${nth}@quiet.example`,
    }));
    const body = "What does {{company}} ship?";
    firms = await start("Firms", { type: "email", subject: "Hello", body }, [
      ...lacking,
      { email: "whole@quiet.example", company: "Whole" },
    ]);
    const people = Array.from({ length: CALLS }, (_, nth) => ({ email: `c${nth}@quiet.example` }));
    calls = await start("Calls", { type: "task", subject: "Call", body: "Ring them up" }, people);
    await call("POST", "/sandbox/clock", { advance: "4d" });
    expect((await campaign(firms)).on_hold).toMatchObject({ missing_variable: LACKING });
    expect((await campaign(calls)).on_hold).toMatchObject({ task: CALLS });
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  const needs = (page: Page) => page.getByRole("list", { name: "Needs attention" });
  const onHold = (page: Page) => page.getByRole("list", { name: "Leads on hold" });

  test.each(SCHEMES)(
    "are reported on every page that one looks at, in %s, wide and narrow",
    async (scheme) => {
      await using opened = await server.open(scheme, "/test/");
      const { page, faults } = opened;
      const pages = [
        ["", () => needs(page).getByText("3 leads in Firms on hold: a value is missing")],
        ["campaigns", () => page.getByRole("link", { name: "3 leads on hold" })],
        [`campaigns/${firms}`, () => onHold(page).getByText("3 leads on hold: a value is missing")],
        [`campaigns/${firms}/leads`, () => page.getByText(WHY).first()],
        [`campaigns/${calls}`, () => onHold(page).getByText("2 leads on hold: waiting for a task")],
      ] as const;
      for (const [path, sign] of pages) {
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 844 });
          await page.goto(`${server.url}/test/${path}`);
          await sign()
            .first()
            .waitFor({ state: width === 390 ? "attached" : "visible" });
          expect(await opened.violations()).toEqual([]);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect(`${path} at ${width}: ${overflow}`).toBe(`${path} at ${width}: 0`);
          if (PICTURES !== undefined) {
            const name = `${path.replaceAll(/[^a-z]+/g, "-")}-${path.includes(calls) ? "calls" : "firms"}`;
            await page.screenshot({
              path: `${PICTURES}/${name}-${scheme}-${width}.png`,
              fullPage: true,
            });
          }
        }
      }
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "get what they lack, all at once, and their campaign completes",
    async () => {
      await using opened = await server.open("light", "/test/");
      const { page, faults } = opened;
      const need = needs(page).getByRole("listitem").filter({ hasText: "in Firms on hold" });
      await need.getByRole("link").first().click();
      await page.getByText("3 total").waitFor();
      await onHold(page).getByRole("button", { name: "Add value" }).click();
      const dialog = page.getByRole("dialog", { name: "Add missing value" });
      await dialog.getByLabel("Company").fill("your team");
      expect(await opened.violations()).toEqual([]);
      if (PICTURES !== undefined) {
        await page.screenshot({ path: `${PICTURES}/dialog.png` });
      }
      await dialog.getByRole("button", { name: "Add and continue" }).click();
      await toast(page, "3 leads no longer on hold");
      await onHold(page).waitFor({ state: "detached" });
      expect((await campaign(firms)).on_hold.total).toBe(0);
      await call("POST", "/sandbox/clock", { advance: "4d" });
      expect((await campaign(firms)).status).toBe("completed");
      expect((await call("GET", `/campaigns/${firms}/stats`)).sent).toBe(LACKING + 1);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "pass over their tasks after a question",
    async () => {
      await using opened = await server.open("dark", `/test/campaigns/${calls}`);
      const { page, faults } = opened;
      await onHold(page).getByRole("button", { name: "Skip tasks" }).click();
      const dialog = page.getByRole("dialog", { name: "Skip tasks" });
      await dialog.getByRole("button", { name: "Skip tasks" }).click();
      await toast(page, "They are no longer on hold");
      await onHold(page).waitFor({ state: "detached" });
      expect((await campaign(calls)).status).toBe("completed");
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
