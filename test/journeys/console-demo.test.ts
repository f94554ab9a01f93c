/**
 * Journey 2: the demo lets in by its link, moves without a reload to the end of its month, says what the
 * API says, and tells how it went when it is ended.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { closeBrowser, openPage, says, skipsBrowser } from "../support/browser.ts";
import { startProgram } from "../support/console.ts";
import { settled } from "../support/screens.ts";
import { until } from "./support.ts";

const TEST_MS_MAX = 480_000;
/** Until the month is over on a busy machine. */
const MONTH_MS_MAX = 300_000;
/** A month takes a quarter of a minute, or what the machine needs. */
const SPEED = "172800";

afterAll(closeBrowser);

describe.skipIf(skipsBrowser())("the demo (journey 2)", () => {
  test(
    "opens signed in, in the sandbox, moves by itself to its verdict, and tells how it went",
    async () => {
      // The browser is there before the month begins.
      await (await openPage("about:blank"))[Symbol.asyncDispose]();
      await using program = await startProgram({ demo: ["--leads", "60", "--speed", SPEED] });
      const { url, link } = program;
      await using opened = await openPage(url);
      const { page, faults, violations } = opened;
      await page.goto(link ?? "");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(page.url()).toBe(`${url}/test/`);
      const main = page.locator("main");
      await settled(page);
      const before = await main.textContent();
      await page.waitForFunction(
        (text) => document.querySelector("main")?.textContent !== text,
        before,
      );

      // The link is spent; whoever is in stays in, and sees the end without a reload.
      await page.goto(`${url}/test/experiments`);
      await page.getByRole("table").first().waitFor();
      const ask = (path: string) =>
        page.evaluate(`fetch("/test/api/v1${path}").then((a) => a.json())`);
      await until(MONTH_MS_MAX, "the month is over", async () =>
        program.log().includes("Press Ctrl-C to stop.") ? true : undefined,
      );
      await page.getByText("Completed").first().waitFor();
      const [experiment] = (await ask("/experiments?status=completed")) as { id: string }[];
      const judged = (await ask(`/experiments/${experiment?.id}/results`)) as {
        recommendation: string;
      };
      await page.locator(".verdict-cell", { hasText: judged.recommendation }).first().waitFor();
      await page.goto(`${url}/test/?days=90`);
      const sent = main.locator(".figure-card").filter({ hasText: "Sent" }).locator(".figure");
      const { total } = (await ask("/events?type=email.sent&limit=1")) as { total: number };
      await says(sent, String(total));
      expect(await violations()).toEqual([]);
      expect(faults).toEqual([]);
      expect(
        program
          .log()
          .split("\n")
          .filter((line) => line.includes("BROKEN")),
      ).toEqual([]);
      expect(program.log()).toMatch(/invariants/i);
      expect(await program.stop("SIGINT")).toBe(0);
    },
    TEST_MS_MAX,
  );
});
