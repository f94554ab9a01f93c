/**
 * The table of recipient providers in a real browser: what it says before anything was sent, that its figures are
 * the API's, and that a provider that refuses a mailbox is named with its words, its date, and its own page.
 */

import { describe, expect, test } from "bun:test";
import { skipsBrowser } from "../support/browser.ts";
import { crampedOf, settled, show, spillsOf, widestOf } from "../support/screens.ts";
import {
  expectClean,
  ROUND_THE_CLOCK,
  SENDERS,
  startSandbox,
  TEST_MS_MAX,
  word,
} from "./console-sandbox.ts";

/** Google publishes it for those whom it refuses; written down here by hand. */
const GOOGLE_PAGE = "https://support.google.com/a/answer/3726730";
const PATH = "/test/accounts/providers";

interface Line {
  account_id: string;
  provider: string;
  accepted: number;
  refused: number;
  refused_by: { until: string | null; said: string }[];
}

describe.skipIf(skipsBrowser())("Recipient providers", () => {
  const { server, sandbox } = startSandbox();
  const { call, advance } = sandbox;

  /** Google refuses all; the others take everything. */
  async function sendToProviders(): Promise<Line[]> {
    const { now } = await call("GET", "/sandbox/clock");
    const until = new Date(Date.parse(now) + 30 * 86_400_000).toISOString();
    const block = { provider: "google", kind: "refuse", from: now, until };
    await call("PATCH", "/sandbox/settings", { blocks: [block] });
    const made = { name: "Providers", send_window: ROUND_THE_CLOCK, max_leads_per_day: 100 };
    const { id } = await call("POST", "/campaigns", made);
    await call("POST", `/campaigns/${id}/steps`, { type: "email", subject: "Hello", body: "Hi" });
    const domains = ["gmail.com", "outlook.com", "yahoo.com", "own.example.org"];
    const leads = domains.flatMap((domain) =>
      Array.from({ length: 10 }, (_, nth) => ({ email: `person${nth}@${domain}` })),
    );
    await call("POST", `/campaigns/${id}/leads`, { leads });
    await call("POST", `/campaigns/${id}/start`);
    await advance("1d");
    return (await call("GET", "/accounts/providers")).data;
  }

  test(
    "says what comes before anything was sent; then shows the API's figures, those that wait first",
    async () => {
      await using opened = await server.open("light", PATH);
      const { page } = opened;
      await word(page, "No emails in the last 30 days");
      await expectClean(opened);

      const lines = await sendToProviders();
      const stopped = lines.filter(({ refused_by: all }) => all.some(({ until }) => until));
      expect(stopped.map(({ provider }) => provider)).toContain("google");
      await show(page, server.url + PATH);
      const rows = page.getByRole("table", { name: "Emails by mailbox and provider" });
      const body = rows.locator("tbody tr");
      expect(await body.count()).toBe(lines.length);
      const shown = await body.evaluateAll((all) =>
        all.map((row) => {
          const cells = [...row.querySelectorAll("td")].map((cell) => cell.textContent.trim());
          const id = row.querySelector("a")?.pathname.split("/").at(-1) ?? "";
          const [, , accepted = "", , refused = ""] = cells;
          const number = (text: string) => Number.parseInt(text, 10);
          return `${id} ${cells[1]?.toLowerCase()} ${number(accepted)} ${number(refused)}`;
        }),
      );
      const said = lines.map(({ account_id: id, provider, accepted, refused }) => {
        return `${id} ${provider === "custom" ? "other" : provider} ${accepted} ${refused}`;
      });
      expect(shown.toSorted()).toEqual(said.toSorted());

      const first = body.first();
      await first.getByText(/^Stopped until /).waitFor();
      await first.getByText(stopped[0]?.refused_by[0]?.said ?? "nothing was said").waitFor();
      const link = first.getByRole("link", { name: "Google’s page on refusals" });
      expect(await link.getAttribute("href")).toBe(GOOGLE_PAGE);
      await expectClean(opened);

      await page.getByRole("combobox", { name: "Mailbox" }).selectOption(SENDERS[1]);
      await page.getByRole("combobox", { name: "Provider" }).selectOption("Google");
      await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
      await page.reload();
      await settled(page);
      expect(await body.count()).toBe(1);
      expect(await body.first().textContent()).toContain(SENDERS[1]);

      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(widestOf)).toBeNull();
      expect(await page.evaluate(spillsOf)).toEqual([]);
      expect(await page.evaluate(crampedOf)).toEqual([]);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );
});
