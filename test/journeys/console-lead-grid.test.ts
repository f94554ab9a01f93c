/** The leads as a grid: columns, order, views, a lead beside the list, and a tag for many, taken back. */

import { beforeAll, describe, expect, test } from "bun:test";
import { skipsBrowser, toast } from "../support/browser.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";

describe.skipIf(skipsBrowser())("The grid of leads", () => {
  const { server, sandbox } = startSandbox();
  beforeAll(async () => {
    const { call } = sandbox;
    const { id } = await sandbox.makeCampaign("Grid", 1);
    const leads = ["ann", "bob", "cy"].map((name, nth) => ({
      email: `${name}@grid-${nth}.example`,
      first_name: name,
      company: `${name} works`,
      variables: { city: ["Graz", "Bonn", "Oslo"][nth] },
    }));
    await call("POST", `/campaigns/${id}/leads`, { leads });
    await call("PATCH", `/campaigns/${id}`, { max_leads_per_day: 10 });
    await call("POST", `/campaigns/${id}/start`);
    await sandbox.advance("2h");
  }, TEST_MS_MAX);

  test(
    "shows where each stands; columns are chosen, ordered and kept, variables among them",
    async () => {
      await using opened = await server.open("light", "/test/leads");
      const { page } = opened;
      const head = page.getByRole("table", { name: "Leads" }).locator("th");
      await page.getByRole("table", { name: "Leads" }).getByText("Grid").first().waitFor();
      expect(await head.allInnerTexts()).toEqual([
        ...["Selected", "Email", "Name", "Company", "Status", "Campaign", "Last contacted"],
      ]);
      await press(page, "Columns");
      const dialog = page.getByRole("dialog", { name: "Columns" });
      await dialog.getByRole("button", { name: "Hide Company" }).click();
      await dialog.getByLabel("Variable").fill("city");
      await dialog.getByLabel("Variable").press("Enter");
      await dialog.getByRole("button", { name: "Move city up" }).click();
      await expectClean(opened);
      await dialog.getByRole("button", { name: "Done" }).click();
      await word(page, "Graz");
      await page.reload();
      await word(page, "Graz");
      expect(await head.allInnerTexts()).toEqual([
        ...["Selected", "Email", "Name", "Status", "Campaign", "city", "Last contacted"],
      ]);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "is ordered and filtered, and that is a view to come back to",
    async () => {
      await using opened = await server.open("dark", "/test/leads");
      const { page } = opened;
      const emails = page.getByRole("table", { name: "Leads" }).locator("tbody a");
      await page.getByLabel("Order").selectOption("email");
      await page.waitForFunction(
        () => document.querySelector(".long-table tbody a")?.textContent === "ann@grid-0.example",
      );
      const search = page.getByPlaceholder("Search, or filter");
      await search.fill("variables.city:Oslo");
      await search.press("Enter");
      await page.waitForFunction(
        () => document.querySelectorAll(".long-table tbody a").length === 1,
      );
      await press(page, "Save view");
      const dialog = page.getByRole("dialog", { name: "Save this view" });
      await dialog.getByLabel("Name").fill("Oslo");
      await expectClean(opened);
      await dialog.getByRole("button", { name: "Save view" }).click();
      await toast(page, "View Oslo saved");
      await page.getByLabel("View", { exact: true }).selectOption({ label: "All leads" });
      await page.waitForFunction(
        () => document.querySelectorAll(".long-table tbody a").length === 4,
      );
      await page.getByLabel("View", { exact: true }).selectOption({ label: "Oslo" });
      await page.waitForFunction(
        () => document.querySelectorAll(".long-table tbody a").length === 1,
      );
      expect(await emails.allInnerTexts()).toEqual(["cy@grid-2.example"]);
    },
    TEST_MS_MAX,
  );

  test(
    "views that a browser has kept are saved once; one is shared, changed, deleted, and brought back",
    async () => {
      await using opened = await server.open("light", "/test/leads");
      const { page } = opened;
      const old = [
        { name: "Oslo", search: "?search=company%3Acy", columns: ["name", "gone"] },
        { name: "Replied", search: "?status=replied&sort=email", columns: ["company"] },
        ...["nonsense", { name: 7 }, null],
      ];
      await page.evaluate(
        (views) => localStorage.setItem("outrider-lead-views", JSON.stringify(views)),
        old,
      );
      await page.reload();
      await word(page, "2 views kept in this browser only.");
      await expectClean(opened);
      await press(page, "Save to your account");
      await toast(page, "2 views saved");
      const view = page.getByLabel("View", { exact: true });
      await view.locator("option", { hasText: "Replied" }).waitFor({ state: "attached" });
      expect(await view.locator("option").allInnerTexts()).toEqual([
        ...["All leads", "Oslo", "Oslo 2", "Replied"],
      ]);
      await page.reload();
      await word(page, "bob@grid-1.example");
      expect(await page.getByText("in this browser only").count()).toBe(0);
      await view.selectOption({ label: "Oslo 2" });
      await press(page, "Edit view");
      const dialog = page.getByRole("dialog", { name: "Edit view" });
      await dialog.getByLabel("Name").fill("Cy only");
      await dialog.getByLabel("Share with the team").check();
      await expectClean(opened);
      await dialog.getByRole("button", { name: "Save view" }).click();
      await toast(page, "View Cy only saved for the team");
      await page.getByLabel("Order").selectOption("email");
      await press(page, "Update Cy only");
      await toast(page, "View Cy only updated");
      await press(page, "Edit view");
      await page.getByRole("button", { name: "Delete view" }).click();
      await toast(page, "View Cy only deleted");
      await press(page, "Undo");
      await toast(page, "View Cy only is back");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "has a lead beside it, edited there, and a tag for many that is taken back",
    async () => {
      await using opened = await server.open("light", "/test/leads");
      const { page } = opened;
      await page.getByRole("link", { name: "bob@grid-1.example" }).click();
      const drawer = page.getByRole("complementary", { name: "Lead" });
      await drawer.getByText("bob works").waitFor();
      await expectClean(opened);
      await drawer.getByRole("button", { name: "Edit" }).click();
      await drawer.getByLabel("Company").fill("Bob & Sons");
      await drawer.getByRole("button", { name: "Save" }).click();
      await drawer.getByText("Bob & Sons").waitFor();
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });

      for (const email of ["ann@grid-0.example", "bob@grid-1.example"]) {
        await page.getByLabel(`Select ${email}`).check();
      }
      await page.getByLabel("Tag", { exact: true }).fill("VIP");
      await page.getByLabel("Tag", { exact: true }).press("Enter");
      await toast(page, "2 leads tagged");
      const tagged = async () => (await sandbox.call("GET", "/leads?tag=vip")).total;
      expect(await tagged()).toBe(2);
      await press(page, "Undo");
      await toast(page, "Undone");
      expect(await tagged()).toBe(0);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "duplicates are looked at together and merged; so are leads that somebody selects",
    async () => {
      const { call } = sandbox;
      const leads = [
        { email: "dup.one@gmail.com", first_name: "Dee", company: "Dup" },
        { email: "dupone+x@gmail.com", first_name: "Di" },
        { email: "x@sel.example" },
        { email: "y@sel.example" },
      ];
      await call("POST", "/leads", { leads });
      await call("POST", "/suppressions", { email: "dupone+x@gmail.com", reason: "unsubscribe" });
      await using opened = await server.open("dark", "/test/leads");
      const { page } = opened;
      await page.getByRole("link", { name: "Find duplicates" }).click();
      await word(page, "Both addresses reach the same mailbox");
      await expectClean(opened);
      await page.getByRole("button", { name: "Merge dup.one@gmail.com" }).click();
      const dialog = page.getByRole("dialog", { name: "Merge 2 leads" });
      await dialog.getByText("First name: Dee, not Di").waitFor();
      await dialog.getByLabel("dupone+x@gmail.com").check();
      await dialog.getByText("First name: Di, not Dee").waitFor();
      await dialog.getByLabel("dup.one@gmail.com").check();
      await dialog.getByText("this person gets no more emails").waitFor();
      await expectClean(opened);
      await dialog.getByRole("button", { name: "Merge 2 leads" }).click();
      await toast(page, "2 leads merged into dup.one@gmail.com");
      await word(page, "No duplicates found");
      await expectClean(opened);
      await page.goto(page.url().replace("/leads/duplicates", "/leads?search=sel.example"));
      await page.getByLabel("Select x@sel.example").check();
      await page.getByLabel("Select y@sel.example").check();
      await press(page, "Merge");
      const selected = page.getByRole("dialog", { name: "Merge 2 leads" });
      await selected.getByLabel("y@sel.example").check();
      await selected.getByRole("button", { name: "Merge 2 leads" }).click();
      await toast(page, "2 leads merged into y@sel.example");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );
});
