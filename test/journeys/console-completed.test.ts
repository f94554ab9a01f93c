/** The console says so where leads are given to a campaign that sends nothing more. */

import { afterAll, describe, expect, test } from "bun:test";
import { closeBrowser, skipsBrowser, toast } from "../support/browser.ts";
import { startConsole } from "../support/console.ts";

const TEST_MS_MAX = 240_000;

describe.skipIf(skipsBrowser())("A completed campaign", () => {
  afterAll(closeBrowser);

  test(
    "takes a lead that is added, and says that nothing is sent to it",
    async () => {
      await using server = await startConsole();
      const call = async (method: string, path: string, body?: unknown) => {
        const answer = await server.api("test", method, path, body);
        expect(`${path}: ${answer.status}`).toMatch(/: 20[0-4]$/);
        return answer.body;
      };
      await call("POST", "/accounts", { email: "ann@sender.example", provider: "sandbox" });
      const { id } = await call("POST", "/campaigns", { name: "Over", evergreen: false });
      await call("POST", `/campaigns/${id}/steps`, { type: "email", subject: "Hi", body: "Hello" });
      await call("POST", `/campaigns/${id}/leads`, { leads: [{ email: "one@quiet.example" }] });
      await call("POST", `/campaigns/${id}/start`);
      await call("POST", "/sandbox/clock", { advance: "30d" });
      expect(await call("GET", `/campaigns/${id}`)).toMatchObject({ status: "completed" });
      const other = await call("POST", "/campaigns", { name: "Other" });
      const late = { email: "late@quiet.example" };
      await call("POST", `/campaigns/${other.id}/leads`, { leads: [late] });
      const { data } = await call("GET", `/leads?email=${late.email}`);

      await using opened = await server.open("light", `/test/leads/${data[0].id}`);
      const { page, faults } = opened;
      await page.getByRole("button", { name: "Add to campaign" }).click();
      await page.getByLabel("Campaign", { exact: true }).selectOption({ value: id });
      await page.getByRole("button", { name: "Add 1 lead" }).click();
      await toast(page, "1 lead added; the campaign is completed and not evergreen");
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
