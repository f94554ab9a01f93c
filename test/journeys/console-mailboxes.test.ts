/** New mailboxes in the live console: the steps at each provider, a try of the servers, many from a file. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, skipsBrowser } from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";
import { serviceAccount } from "../support/delegation.ts";
import { expectClean, press, word } from "./console-sandbox.ts";

const TEST_MS_MAX = 180_000;

describe.skipIf(skipsBrowser())("New mailboxes", () => {
  let server: Console;
  beforeAll(async () => {
    server = await startConsole();
  }, TEST_MS_MAX);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test(
    "each kind of mailbox has its steps, many come from a file, and a new one begins slowly",
    async () => {
      await using opened = await server.open("dark", "/live/accounts/new");
      const { page } = opened;
      const tiles = page.getByRole("group", { name: "Where is the mailbox?" });
      await tiles.getByLabel("Microsoft 365").check();
      await word(page, "/oauth/microsoft/callback");
      await expectClean(opened);
      await tiles.getByLabel("Gmail").check();
      await word(page, "App passwords");
      await page.getByLabel("Email").fill("slow@startup.example");
      await page.getByLabel("Password").fill("abcd efgh ijkl mnop");
      await expectClean(opened);
      await press(page, "Add mailbox");
      // Its servers are tried by themselves, and what they say stands on its page.
      await page.waitForURL(/\/accounts\/[0-9a-f-]{36}$/);
      await page.getByRole("list").filter({ hasText: "Find the SMTP server" }).waitFor();
      const path = `/accounts/${page.url().split("/").at(-1)}`;
      const made = (await server.api("live", "GET", path)).body;
      expect(made).toMatchObject({
        ramp: { start: 5, increment: 3 },
        smtp: { host: "smtp.gmail.com" },
        imap: { host: "imap.gmail.com" },
      });
      await page.goto(`${server.url}/live/accounts/new`);
      const rows = [
        "email,smtp_host,imap_host",
        "one@many.example,mail.many.example,mail.many.example",
      ];
      const buffer = Buffer.from([...rows, "nobody,x,y"].join("\n"));
      await page
        .getByLabel("Select a CSV file")
        .setInputFiles({ name: "mailboxes.csv", mimeType: "text/csv", buffer });
      await word(page, "1 mailbox added, 1 not added");
      await page
        .getByRole("table", { name: "Rows that were not added" })
        .getByText("nobody")
        .waitFor();
      await expectClean(opened);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    },
    TEST_MS_MAX,
  );

  test(
    "a mailbox's limits for providers and its aliases are set, kept in part, and refused by name",
    async () => {
      const { body: made } = await server.api("live", "POST", "/accounts", {
        email: "many@startup.example",
        provider: "google",
      });
      await using opened = await server.open("light", `/live/accounts/${made.id}`);
      const { page } = opened;
      const settings = page.locator("form").filter({ has: page.getByLabel("Aliases") });
      const shown = async () => (await server.api("live", "GET", `/accounts/${made.id}`)).body;
      await settings.getByLabel("Daily limit to Google").fill("20");
      await settings.getByLabel("Daily limit to iCloud").fill("5");
      await page
        .getByLabel("Aliases")
        .fill("sales@startup.example, Many Hands <hands@startup.example>");
      await settings.getByLabel("Send as").fill("hands@startup.example");
      await settings.getByLabel("Ask recipients’ servers").check();
      await settings.getByRole("button", { name: "Save", exact: true }).click();
      await settings.getByText("All changes saved").waitFor();
      const aliases = [
        { email: "sales@startup.example", name: null },
        { email: "hands@startup.example", name: "Many Hands" },
      ];
      expect(await shown()).toMatchObject({
        ...{ aliases, send_as: "hands@startup.example" },
        provider_limits: { google: 20, icloud: 5 },
        verify_addresses: true,
      });
      await expectClean(opened);

      await settings.getByLabel("Daily limit to iCloud").fill("");
      await settings.getByLabel("Send as").fill("");
      await settings.getByLabel("Ask recipients’ servers").uncheck();
      await settings.getByRole("button", { name: "Save", exact: true }).click();
      await settings.getByText("All changes saved").waitFor();
      const after = await shown();
      expect(after.provider_limits).toEqual({ google: 20 });
      expect(after).toMatchObject({ aliases, send_as: null, verify_addresses: false });

      await settings.getByLabel("Send as").fill("other@startup.example");
      await settings.getByRole("button", { name: "Save", exact: true }).click();
      await word(page, "one of its aliases");
      expect(await settings.getByLabel("Send as").inputValue()).toBe("other@startup.example");
      expect((await shown()).send_as).toBeNull();
      await expectClean(opened, /422/);
    },
    TEST_MS_MAX,
  );

  test(
    "a whole workspace is added, with the steps of its administrator and what became of each address",
    async () => {
      await using opened = await server.open("light", "/live/accounts/new");
      const { page } = opened;
      await page.getByLabel("Domains").fill("startup.example");
      await page.getByLabel("Service account key").fill(serviceAccount([]).file);
      await expectClean(opened);
      await press(page, "Add workspace");
      await word(page, "Google Workspace: startup.example");
      const consent = page.getByRole("link", { name: "Consent page" });
      expect(await consent.getAttribute("href")).toContain("domainwidedelegation?clientIdToAdd=");
      await page.getByLabel("Add mailboxes").fill("ann@elsewhere.example");
      await press(page, "Connect mailboxes");
      await word(page, "ann@elsewhere.example is in none of them");
      await expectClean(opened);
      const { data } = (await server.api("live", "GET", "/workspaces")).body;
      expect(data).toMatchObject([{ provider: "google", domains: ["startup.example"] }]);
    },
    TEST_MS_MAX,
  );

  test(
    "a workspace’s form outlives a reload without its secrets; it is edited, and deleted with a warning",
    async () => {
      await using opened = await server.open("dark", "/live/accounts/new");
      const { page } = opened;
      page.on("dialog", (dialog) => void dialog.accept());
      const secret = "a secret that no tab keeps";
      await page.getByRole("combobox", { name: "Provider" }).selectOption("Microsoft 365");
      await page.getByLabel("Domains").fill("first.example");
      await page.getByLabel("Application (client) ID").fill("0f1c2d3e-0000-4000-8000-000000000001");
      await page.getByLabel("Client secret").fill(secret);
      await page.reload();
      await page.getByLabel("Domains").waitFor();
      expect(await page.getByLabel("Domains").inputValue()).toBe("first.example");
      expect(await page.getByLabel("Application (client) ID").inputValue()).toStartWith("0f1c2d3e");
      expect(await page.getByLabel("Client secret").inputValue()).toBe("");
      await page.getByLabel("Client secret").fill(secret);
      await press(page, "Add workspace");
      await word(page, "Microsoft 365: first.example");

      const card = page.locator("section.card", { hasText: "Microsoft 365: first.example" });
      await card.getByRole("button", { name: "Edit" }).click();
      await card.getByLabel("Domains").fill("first.example, second.example");
      await card.getByLabel("Client secret").fill(secret);
      await expectClean(opened);
      const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
      expect(kept).toContain("second.example");
      expect(kept).not.toContain(secret);
      await page.reload();
      await card.getByLabel("Domains").waitFor();
      expect(await card.getByLabel("Domains").inputValue()).toBe("first.example, second.example");
      expect(await card.getByLabel("Client secret").inputValue()).toBe("");
      await card.getByRole("button", { name: "Save workspace" }).click();
      await word(page, "All changes saved");
      const found = (await server.api("live", "GET", "/workspaces")).body.data;
      const own = found.find((one: { provider: string }) => one.provider === "microsoft");
      expect(own).toMatchObject({ domains: ["first.example", "second.example"] });
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await expectClean(opened);

      const saved = page.locator("section.card", { hasText: "second.example" });
      await saved.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByRole("dialog").getByText("None of your mailboxes log in").waitFor();
      await press(page, "Delete workspace");
      await saved.waitFor({ state: "detached" });
      const left = (await server.api("live", "GET", "/workspaces")).body.data;
      expect(left.map((one: { provider: string }) => one.provider)).not.toContain("microsoft");
    },
    TEST_MS_MAX,
  );
});
