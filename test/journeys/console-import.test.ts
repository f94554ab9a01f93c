/**
 * Journey 4: a CSV file with a mark, semicolons, quoted line ends, bad rows, duplicates and somebody who
 * must not be written to becomes a mapping, counts, a bar, a file of errors, and is taken back.
 */

import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { closeBrowser, skipsBrowser } from "../support/browser.ts";
import { startConsole } from "../support/console.ts";

const JOURNEY_MS_MAX = 180_000;

const FILE = [
  "\ufeffE-Mail;Vorname;Firma;Notiz",
  'ann@example.com;Ann;"Acme ""Ltd""";"two\nlines"',
  "bob@example.com;Bob;<img src=x onerror=alert(1)>;",
  "ann@example.com;Ann again;;",
  "known@example.com;Kim;;",
  "out@example.com;Out;;",
  "nonsense;N;;",
  "@example.com;M;;",
  "cy@example.com;C;D;E;too many",
].join("\r\n");

afterAll(closeBrowser);

test.skipIf(skipsBrowser())(
  "4: a file of leads, in and out again",
  async () => {
    await using console = await startConsole();
    const campaign = await console.api("test", "POST", "/campaigns", { name: "Spring" });
    const { id } = campaign.body;
    const known = { leads: [{ email: "known@example.com" }] };
    await console.api("test", "POST", `/campaigns/${id}/leads`, known);
    await console.api("test", "POST", "/suppressions", { email: "out@example.com" });
    const { page, faults, violations } = await console.open(
      "light",
      `/test/campaigns/${id}/import`,
    );

    await page.setInputFiles("input[type=file]", {
      name: "list.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(FILE),
    });
    await page.getByText("8 lines: what would happen").waitFor();
    const figures = async () =>
      Object.fromEntries(
        await page
          .locator("[data-outcome]")
          .evaluateAll((cells) =>
            cells.map((cell) => [cell.getAttribute("data-outcome"), Number(cell.textContent)]),
          ),
      );
    expect(await figures()).toEqual({ new: 2, update: 0, duplicate: 2, suppressed: 1, invalid: 3 });
    expect(await page.getByLabel(/Field of column 1/).inputValue()).toBe("email");
    expect(await page.getByLabel(/Field of column 3/).inputValue()).toBe("company");
    expect((await console.api("test", "GET", "/leads")).body.total).toBe(1);
    expect(await violations()).toEqual([]);

    await page.getByLabel(/Field of column 4/).selectOption("-");
    await page.getByRole("button", { name: "Import 2 leads" }).click();
    await page.getByRole("heading", { name: "2 leads imported" }).waitFor();
    const { body: list } = await console.api("test", "GET", `/imports?campaign_id=${id}`);
    expect(await figures()).toEqual(list.data[0].outcomes);
    expect(list.data[0].columns[3].field).toBeNull();

    const saving = page.waitForEvent("download");
    await page.getByRole("link", { name: /CSV of invalid lines/ }).click();
    const saved = readFileSync((await (await saving).path()) ?? "", "utf8");
    expect(saved).toContain("nonsense,invalid,invalid_email");
    expect(await violations()).toEqual([]);

    await page.reload();
    await page.getByRole("button", { name: "Undo this import" }).click();
    await page.getByRole("heading", { name: "Taken back: 2 leads removed" }).waitFor();
    expect((await console.api("test", "GET", "/leads")).body.total).toBe(1);
    expect(faults).toEqual([]);
  },
  JOURNEY_MS_MAX,
);
