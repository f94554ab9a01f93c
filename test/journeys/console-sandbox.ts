/** What the journeys on sending better share: a sandbox with two quick mailboxes, and ways to look at pages. */

import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { closeBrowser, type OpenPage, SCHEMES } from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";

export const SENDERS = ["ann@sender.example", "bob@sender.example"] as const;

export const ROUND_THE_CLOCK = {
  timezone: "UTC",
  days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  start_hour: 0,
  end_hour: 24,
};

/** Calls of the sandbox's API. A refusal is thrown. */
export function sandboxOf(server: Console) {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await server.api("test", method, path, body);
    if (answer.status >= 400) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    return answer.body;
  };
  return {
    call,
    advance: (by: string) => call("POST", "/sandbox/clock", { advance: by }),
    addSenders: async () => {
      for (const email of SENDERS) {
        const fast = { daily_limit: 2000, hourly_limit: 500, min_gap_seconds: 0 };
        await call("POST", "/accounts", { email, provider: "smtp", ...fast });
      }
    },
    /** A campaign of one step that is not started, and as many people as it writes to. */
    makeCampaign: async (name: string, leads: number) => {
      const made = { name, send_window: ROUND_THE_CLOCK, max_leads_per_day: leads };
      const { id } = await call("POST", "/campaigns", made);
      const mail = { type: "email", subject: "A word", body: "The first way" };
      const step = await call("POST", `/campaigns/${id}/steps`, mail);
      const people = Array.from({ length: leads }, (_, nth) => ({
        email: `person${nth}@${name.toLowerCase()}-${nth}.example`,
      }));
      await call("POST", `/campaigns/${id}/leads`, { leads: people });
      return { id: id as string, step: step.id as string };
    },
  };
}

export type Sandbox = ReturnType<typeof sandboxOf>;

/** A slow machine is not a failed test. */
export const TEST_MS_MAX = 180_000;

/** The console for the tests of a block, over a sandbox whose clock stands still. */
export function startSandbox({ hasSenders = true } = {}): { server: Console; sandbox: Sandbox } {
  const server = {} as Console;
  const sandbox = sandboxOf(server);
  beforeAll(async () => {
    Object.assign(server, await startConsole());
    await sandbox.call("POST", "/sandbox/clock", { speed: 0 });
    if (hasSenders) {
      await sandbox.addSenders();
    }
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server[Symbol.asyncDispose]?.();
    await closeBrowser();
  }, TEST_MS_MAX);
  return { server, sandbox };
}

export function word(page: Page, text: string): Promise<void> {
  return page.getByText(text).first().waitFor();
}

export function press(page: Page, name: string): Promise<void> {
  return page.getByRole("button", { name, exact: true }).click();
}

export function rowsOf(page: Page, table: string) {
  return page.getByRole("table", { name: table, exact: true }).locator("tbody tr");
}

/**
 * No fault so far, and nothing that axe finds in either theme. `noted` is what the browser itself notes of
 * a refusal that the test has asked for.
 */
export async function expectClean(opened: OpenPage, noted?: RegExp): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await opened.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const found = await opened.violations();
    expect({ at: opened.page.url(), colorScheme, found }).toMatchObject({ found: [] });
  }
  expect(opened.faults.filter((fault) => noted?.test(fault) !== true)).toEqual([]);
}
