/** Journey 2: the demo lets in by its link, moves without a reload, and says what the API says. */

import { afterAll, describe, expect, test } from "bun:test";
import { closeBrowser, openPage, skipsBrowser } from "../support/browser.ts";
import { startProgram } from "../support/console.ts";

afterAll(closeBrowser);

describe.skipIf(skipsBrowser())("the demo", () => {
  test("opens signed in, in the sandbox, and moves by itself", async () => {
    await using program = await startProgram({ demo: ["--leads", "60"] });
    const { url, link } = program;
    await using opened = await openPage(url);
    const { page, faults } = opened;
    await page.goto(link ?? "");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(page.url()).toBe(`${url}/test/`);
    // The link is spent; whoever is in stays in.
    await page.reload();
    await page.getByRole("heading", { name: "Overview" }).waitFor();

    // What is on screen changes although nobody touches it.
    await page.getByText("replied").first().waitFor();
    await page.evaluate(async () => {
      const main = document.querySelector("main") as Element;
      const before = main.textContent;
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (main.textContent !== before) {
            resolve();
          }
        });
        observer.observe(main, { subtree: true, childList: true, characterData: true });
      });
    });
    const sent = await page.evaluate(async () => {
      const answer = await fetch("/test/api/v1/events?type=email.sent&limit=1");
      return ((await answer.json()) as { total: number }).total;
    });
    expect(sent).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });
});
