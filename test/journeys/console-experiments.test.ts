/**
 * Journey 8: an experiment in a real browser, from its plan to the winner that is shipped, and a split that
 * is off. Figures on screen are the API's.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { drawOf } from "#usecases/campaigns/exposures.ts";
import { openPage, says, skipsBrowser } from "../support/browser.ts";
import { runProgram } from "../support/console.ts";
import { SILENCE } from "../support/experiments.ts";
import { widestOf } from "../support/screens.ts";
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
      await says(page.locator(".key-figure strong"), last.key_figure.value);
      await says(page.locator(".key-figure .number"), last.key_figure.range);
      for (const [nth, width] of widthOf(last).entries()) {
        expect(width).toBeLessThanOrEqual(widthOf(early)[nth]);
      }
      for (const [nth, variant] of last.variants.entries()) {
        const cells = rows.nth(nth).locator("td");
        await says(cells.nth(1), String(variant.emails_sent));
        await says(cells.nth(7), String(variant.opted_out));
        await cells
          .nth(2)
          .filter({ hasText: new RegExp(`^${variant.replies}\\b`) })
          .waitFor();
      }
      await expectClean(opened);

      // What folds says the rest, and all of it stands on paper.
      await page.getByText("How sure is this?").click();
      for (const note of last.notes) {
        await word(page, note);
      }
      await page.getByText("Where it works").click();
      await rowsOf(page, "Where it works").first().waitFor();
      await page.getByText("What a reply costs", { exact: true }).click();
      await page.getByLabel("Cost of a lead").fill("0.5");
      await page.getByLabel("Cost of a lead").press("Tab");
      await page.getByRole("columnheader", { name: "Cost of an interested reply" }).waitFor();
      await expectClean(opened);
      await page.reload();
      await rows.first().waitFor();
      await expectPaper(page);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(widestOf)).toBeNull();
      await page.setViewportSize({ width: 1280, height: 800 });
      expect(await page.evaluate(isTableCut)).toBe(false);

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
      await stranger.page.emulateMedia({ media: "print", colorScheme: "dark" });
      expect(await stranger.page.evaluate(darkOf)).toEqual([]);
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
      expect(await page.locator(".key-figure").count()).toBe(0);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "journey 8: a bandit's variant is switched off and on, and another one is added",
    async () => {
      const campaign = await makeCampaign("Shifting", 60);
      const { id } = await call("POST", "/experiments", {
        campaign_id: campaign.id,
        name: "Shares move",
        optimization_mode: "thompson_sampling",
        variants: [{ name: "A" }, { name: "B", config: { subject: "Another" } }],
      });
      await call("POST", `/campaigns/${campaign.id}/start`);
      await advance("6h");
      const variants = async () => (await call("GET", `/experiments/${id}`)).variants;
      await using opened = await server.open("light", `/test/experiments/${id}`);
      const { page } = opened;
      const menu = rowsOf(page, "Variants").nth(1).getByLabel("Actions for B");
      await menu.click();
      const open = page.locator(".menu[open]");
      await open.getByText("It gets no more leads and can’t win.").waitFor();
      await expectClean(opened);
      await open.getByRole("button", { name: "Switch off" }).dblclick();
      await word(page, "Switched off");
      expect((await variants())[1].is_active).toBe(false);
      await press(page, "Undo");
      await page.getByText("Switched off", { exact: true }).waitFor({ state: "detached" });
      expect((await variants())[1].is_active).toBe(true);

      // Nobody would get a lead: the refusal stands where it was asked for.
      await call("PATCH", `/experiments/${id}`, {
        variants: (await variants()).map((one: { name: string }) => ({
          ...one,
          is_active: one.name === "B",
        })),
      });
      await rowsOf(page, "Variants").first().getByText("Switched off").waitFor();
      await menu.click();
      await open.getByRole("button", { name: "Switch off" }).click();
      await word(page, "One variant at least must be active");

      // What was typed outlives the dialog, and a refusal stands at its field.
      await press(page, "Add variant");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Third");
      await dialog.getByLabel("Subject").fill("{{");
      await page.keyboard.press("Escape");
      await press(page, "Add variant");
      expect(await dialog.getByLabel("Name").inputValue()).toBe("Third");
      await dialog.getByRole("button", { name: "Add variant" }).click();
      await dialog.locator("input[aria-invalid=true][name='variants.2.config.subject']").waitFor();
      await dialog.getByLabel("Subject").fill("Yet another");
      await dialog.getByLabel("Subject").press("Enter");
      await word(page, "C · Third added");
      await rowsOf(page, "Variants").nth(2).waitFor();
      expect((await variants()).map(({ name }: { name: string }) => name)).toEqual([
        ...["A", "B", "Third"],
      ]);

      // The team's own limits are changed while it runs.
      await page.getByText("Guardrails", { exact: true }).click();
      await page.getByLabel("Opt-outs, % of leads").fill("2");
      await press(page, "Save guardrails");
      await word(page, "Guardrails saved");
      expect((await call("GET", `/experiments/${id}`)).guardrails).toEqual([
        { metric: "opt_outs", max_rate: 0.02 },
      ]);
      await expectClean(opened, /409|422/);
    },
    TEST_MS_MAX,
  );
});

/** On paper all folds but forms are open, nothing can be pressed, no table is cut, and colours are light. */
async function expectPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.setViewportSize({ width: 718, height: 1000 });
  expect(await page.evaluate(darkOf)).toEqual([]);
  expect(await page.evaluate(widestOf)).toBeNull();
  const seen = (selector: string) => page.locator(selector).filter({ visible: true }).count();
  expect(
    await page
      .locator("button, summary.button, .field input, nav")
      .filter({ visible: true })
      .evaluateAll((found) => found.map(({ outerHTML }) => outerHTML)),
  ).toEqual([]);
  expect(await seen(".fold:not([open])")).toBe(0);
  expect(await seen(".fold[open] .chart svg")).toBeGreaterThan(1);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  expect(await seen(".fold[open]")).toBe(0);
}

/** Run in a page: texts that are light, on paper that is white. */
function darkOf(): string[] {
  return [...document.querySelectorAll("h1, h2, p, td, th")]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const [r = 0, g = 0, b = 0] =
        getComputedStyle(element)
          .color.match(/[\d.]+/g)
          ?.map(Number) ?? [];
      return r + g + b > 480;
    })
    .map((element) => element.textContent ?? "");
}

/** Run in a page. */
function isTableCut(): boolean {
  const box = document.querySelector("[aria-label=Variants]")?.closest(".scroll-x");
  return (box?.scrollWidth ?? 0) > (box?.clientWidth ?? 0);
}
