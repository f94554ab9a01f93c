/**
 * Journey 25: an installation in which nothing is. Each page says what it would show, its button leads
 * somewhere, and its call works from a shell as it stands there.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, skipsBrowser } from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";

const TEST_MS_MAX = 240_000;

/** Pages that have nothing to show before anything is made. */
const EMPTY = [
  "campaigns",
  "tasks",
  "leads",
  "inbox",
  "experiments",
  "placement",
  "accounts",
  "suppressions",
  "developers/keys",
  "developers/webhooks",
  "developers/events",
  "developers/requests",
  "settings/files",
] as const;

describe.skipIf(skipsBrowser())("an empty installation (journey 25)", () => {
  let server: Console;
  let key: string;
  beforeAll(async () => {
    server = await startConsole();
    const scopes = ["admin"];
    key = (await server.api("live", "POST", "/keys", { name: "shell", scopes })).body.key;
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  /** What a paste of it into a shell is answered. */
  function paste(command: string): { status: string; text: string } {
    const { stdout } = Bun.spawnSync(["sh", "-c", `${command} -sS -w '\\n%{http_code}'`], {
      env: { PATH: process.env["PATH"] ?? "", OUTRIDER_URL: server.url, OUTRIDER_KEY: key },
    });
    const lines = stdout.toString().split("\n");
    return { status: lines.at(-1) ?? "", text: lines.slice(0, -1).join("\n") };
  }

  test.each(EMPTY)(
    "%s: a sentence, a button that leads somewhere, a call that works when pasted",
    async (place) => {
      // The calls go to live, so that the sandbox stays as it is.
      await using opened = await server.open("light", `/test/${place}`);
      const { page, faults, violations } = opened;
      const state = page.locator(".state").first();
      await state.waitFor();
      expect(await violations()).toEqual([]);
      expect(await state.locator("p").first().textContent()).toMatch(/[a-z].*[.:]$/s);
      const command = (await state.locator("pre").textContent()) ?? "";
      const answer = paste(command);
      expect([command, answer.status, answer.text]).toEqual([
        command,
        expect.stringMatching(/^20[0-4]$/),
        expect.anything(),
      ]);

      // Suppressions are added by a form that stands above, and a file is chosen in the browser's own dialog.
      if (place === "settings/files") {
        const file = {
          name: "offer.txt",
          mimeType: "text/plain",
          buffer: Buffer.from("Our offer"),
        };
        await state.getByLabel("Upload files").setInputFiles(file);
        await page.getByRole("link", { name: "offer.txt" }).waitFor();
      } else if (place !== "suppressions") {
        await state.locator(".button").first().click();
        await page.waitForFunction(
          (path) => location.pathname !== path || document.querySelector("dialog[open]") !== null,
          `/test/${place}`,
        );
      }
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
