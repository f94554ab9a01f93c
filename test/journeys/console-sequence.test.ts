/**
 * The sequence of a running campaign in the console: before a step is moved or deleted the page says who gets
 * what next, and nothing is changed until somebody agrees.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { skipsBrowser } from "../support/browser.ts";
import { press, startSandbox, word } from "./console-sandbox.ts";

const TEST_MS_MAX = 240_000;
const LEADS = 3;

describe.skipIf(skipsBrowser())("The steps of a running campaign", () => {
  const { server, sandbox } = startSandbox();
  let id: string;

  beforeAll(async () => {
    const made = await sandbox.makeCampaign("Quiet", LEADS);
    id = made.id;
    for (const subject of ["Two", "Three"]) {
      const step = { type: "email", subject, body: `This is ${subject}`, wait_days: 20 };
      await sandbox.call("POST", `/campaigns/${id}/steps`, step);
    }
    await sandbox.call("POST", `/campaigns/${id}/start`);
    await sandbox.advance("10m");
  }, TEST_MS_MAX);

  const subjects = async () => {
    const { data } = await sandbox.call("GET", `/campaigns/${id}/steps`);
    return data.map(({ subject }: { subject: string }) => subject);
  };

  test(
    "an email leads to the text that it was made from, which can be restored",
    async () => {
      const { data: steps } = await sandbox.call("GET", `/campaigns/${id}/steps`);
      const path = `/campaigns/${id}/steps/${steps[0].id}`;
      const { body: sent } = steps[0];
      await sandbox.call("PATCH", path, { body: "Something else by now" });
      const { data: leads } = await sandbox.call("GET", `/campaigns/${id}/leads`);
      await using opened = await server.open("light", `/test/leads/${leads[0].lead_id}`);
      const { page, faults } = opened;

      await page.getByText("Show email").first().click();
      await page.getByRole("link", { name: "Step 1" }).click();
      const history = page.getByRole("region", { name: "History" });
      await history.getByText(sent, { exact: true }).waitFor();
      expect(await opened.violations()).toEqual([]);
      await history.getByRole("button", { name: /^Current/ }).click();
      await history.getByText("Something else by now").waitFor();
      await history.getByRole("button", { name: /Revision 1/ }).click();
      await press(page, "Restore this text");
      await press(page, "Save step");
      await word(page, "All changes saved");
      expect(await sandbox.call("GET", path)).toMatchObject({ body: sent, revision: 3 });
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "say who is affected before one is moved or deleted",
    async () => {
      await using opened = await server.open("light", `/test/campaigns/${id}/sequence`);
      const { page, faults } = opened;
      const dialog = page.getByRole("dialog");

      await page.getByRole("button", { name: "2. Email" }).click();
      await press(page, "Delete");
      await dialog.getByText(`${LEADS} leads will get “Three” next.`).waitFor();
      expect(await opened.violations()).toEqual([]);
      await press(page, "Cancel");
      expect(await subjects()).toEqual(["A word", "Two", "Three"]);

      await press(page, "Move down");
      await dialog.getByText(`${LEADS} leads will get “Three” next.`).waitFor();
      await press(page, "Move step");
      await word(page, "Step 3: email");
      expect(await subjects()).toEqual(["A word", "Three", "Two"]);

      await press(page, "Delete");
      await dialog.getByText("This deletes its content.").waitFor();
      expect(await dialog.getByText("leads will get").count()).toBe(0);
      await press(page, "Delete step");
      await word(page, "Step 3 deleted");
      expect(await subjects()).toEqual(["A word", "Three"]);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
