/**
 * Journey 8: an experiment in a real browser, from its plan to the winner that is shipped, and a split that
 * is off. Figures on screen are the API's.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { drawOf } from "#usecases/campaigns/exposures.ts";
import { openPage, says, skipsBrowser } from "../support/browser.ts";
import { runProgram } from "../support/console.ts";
import { SILENCE } from "../support/experiments.ts";
import { expectClean, press, rowsOf, startSandbox, word } from "./console-sandbox.ts";

const TEST_MS_MAX = 240_000;

describe.skipIf(skipsBrowser())("The console about experiments", () => {
  const { server, sandbox } = startSandbox();
  const { call, advance, makeCampaign } = sandbox;
  beforeAll(async () => {
    await call("PATCH", "/sandbox/settings", {
      rates: { ...SILENCE, reply: 0.02 },
      effects: [{ contains: "half as many", rates: { reply: 0.5 } }],
      delays: { reply: { min_seconds: 60, max_seconds: 3600 } },
    });
  }, TEST_MS_MAX);

  test(
    "journey 8: an experiment is planned, runs, narrows, is decided and shipped",
    async () => {
      const campaign = await makeCampaign("Spring", 160);
      await using opened = await server.open(
        "light",
        `/test/experiments/new?campaign=${campaign.id}`,
      );
      const { page } = opened;
      await page.getByLabel("Name").first().fill("A word or a promise");
      await page.getByLabel("Sending days").fill("2");
      await page.getByLabel("Days to reply").fill("1");
      const promise = page.getByRole("group", { name: "B" });
      await promise.getByLabel("Name").fill("Promise");
      await promise.getByLabel("Subject").fill("Half as many no-shows");
      const plan = await call(
        "GET",
        `/experiments/plan?campaign_id=${campaign.id}&step_position=1&variants=2&duration_days=2&attribution_window_days=1`,
      );
      await word(page, plan.recommendation);
      await page.getByText("Guardrails", { exact: true }).click();
      await page.getByLabel("Opt-outs, % of leads").fill("2");
      await page.getByLabel("Bounces, times the others").fill("1.5");
      await expectClean(opened);
      await press(page, "Start experiment");
      await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
      const id = page.url().split("/").at(-1) ?? "";
      expect((await call("GET", `/experiments/${id}`)).guardrails).toEqual([
        { metric: "opt_outs", max_rate: 0.02 },
        { metric: "bounces", max_ratio: 1.5 },
      ]);
      const results = () => call("GET", `/experiments/${id}/results`);
      const widthOf = (of: Awaited<ReturnType<typeof results>>) =>
        of.variants.map(({ id: one }: { id: string }) => {
          const { low, high } = of.quality.credible_intervals[one];
          return high - low;
        });
      await word(page, (await results()).recommendation);

      // The clock is moved in the simulator: a day a minute for a while, then a day at once.
      await call("POST", `/campaigns/${campaign.id}/start`);
      await page.goto(`${server.url}/test/simulator`);
      await press(page, "1 day per minute");
      await word(page, "Running at 1,440×");
      expect((await call("GET", "/sandbox/clock")).speed).toBe(1440);
      await press(page, "Paused");
      await word(page, "The clock is paused.");
      await press(page, "1 day");
      await word(page, "Moved ahead 1 day");

      // The page follows without being loaded anew.
      await page.goto(`${server.url}/test/experiments/${id}`);
      const rows = rowsOf(page, "Variants");
      await rows.first().waitFor();
      await advance("12h");
      const early = await results();
      await advance("12h");
      const second = await results();
      await page.waitForFunction(
        (judged) => document.querySelector("[aria-label=Variants]")?.textContent?.includes(judged),
        String(second.variants[1].emails_sent),
      );
      await advance("3d");
      const last = await results();
      expect(last.winner).toBe("Promise");
      await page.locator(".verdict", { hasText: last.recommendation }).waitFor();
      for (const [nth, width] of widthOf(last).entries()) {
        expect(width).toBeLessThanOrEqual(widthOf(early)[nth]);
      }
      for (const [nth, variant] of last.variants.entries()) {
        const cells = rows.nth(nth).locator("td");
        await says(cells.nth(1), String(variant.emails_sent));
        await says(cells.nth(9), String(variant.successes + variant.failures));
        await cells
          .nth(2)
          .filter({ hasText: new RegExp(`^${variant.replies}\\b`) })
          .waitFor();
      }
      await expectClean(opened);

      // The report is read by somebody without an account, on a phone, and checked by the program itself.
      await press(page, "Share report");
      await press(page, "Create link with email texts");
      const link = await page.getByRole("dialog").getByLabel("Link").inputValue();
      await expectClean(opened);
      await using stranger = await openPage(server.url, "light", {
        viewport: { width: 390, height: 844 },
      });
      await stranger.page.goto(link);
      await stranger.page.locator(".verdict", { hasText: last.recommendation }).waitFor();
      await stranger.page.locator("pre", { hasText: "Half as many no-shows" }).waitFor();
      await expectClean(stranger);
      const [width, seen] = await stranger.page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      expect(width).toBe(seen);
      const file = join(mkdtempSync(join(tmpdir(), "outrider-report-")), "report.json");
      writeFileSync(file, await (await fetch(`${link}/report.json`)).text());
      const replayed = await runProgram("stats", "replay", file);
      expect(replayed.trim().split("\n").length).toBeGreaterThan(10);
      rmSync(dirname(file), { recursive: true });
      await press(page, "Revoke link");
      await word(page, "Link revoked");
      expect((await fetch(link)).status).toBe(404);
      await press(page, "Close");

      await press(page, "Ship Promise");
      await page.getByRole("dialog").getByRole("button", { name: "Ship Promise" }).click();
      await word(page, "The step now uses Promise");
      const step = await call("GET", `/campaigns/${campaign.id}/steps/${campaign.step}`);
      expect(step.subject).toBe("Half as many no-shows");
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "journey 8: a split that is forced wrong is reported, and nothing may be shipped for its sake",
    async () => {
      const campaign = await makeCampaign("Skewed", 120);
      const { id } = await call("POST", "/experiments", {
        campaign_id: campaign.id,
        name: "Off its split",
        duration_days: 2,
        attribution_window_days: 1,
        variants: [{ name: "A" }, { name: "B", config: { subject: "Half as many" } }],
      });
      // Most of those who would get the second are taken off the list before anything is sent.
      const listed = await call("GET", `/campaigns/${campaign.id}/leads?limit=100`);
      const more = await call("GET", `/campaigns/${campaign.id}/leads?limit=100&offset=100`);
      const ids: string[] = [...listed.data, ...more.data].map(
        (row: { lead_id: string }) => row.lead_id,
      );
      const ofSecond = ids.filter((lead) => drawOf(id, lead) >= 0.5).slice(12);
      for (const lead of ofSecond) {
        await call("DELETE", `/leads/${lead}`);
      }
      await call("POST", `/campaigns/${campaign.id}/start`);
      await advance("2d");
      const results = await call("GET", `/experiments/${id}/results`);
      expect(results.quality.srm_detected).toBe(true);
      await using opened = await server.open("light", `/test/experiments/${id}`);
      const { page } = opened;
      await page.locator(".notice[data-tone=bad] .verdict").waitFor();
      expect(await page.locator(".verdict").allTextContents()).toEqual([results.recommendation]);
      await word(page, "The split isn’t as planned");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );
});
