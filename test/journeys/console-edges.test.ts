/**
 * The edges that people cut themselves on: where the focus is after each thing they do, what two people do
 * to one record, a role that changes, a network that goes and comes back, a session that ends in another
 * tab, an address that leads nowhere.
 */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openPage, skipsBrowser, toast } from "../support/browser.ts";
import { PERSON } from "../support/console.ts";
import { settled } from "../support/screens.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";

/** What the browser itself notes of a refusal, or of no response. */
const NOTED = /status of (401|403|404|409|412|422)|ERR_FAILED|ERR_INTERNET_DISCONNECTED/;
/** What only filters, or moves along a picture. */
const LOOKING =
  /: (Search|Filter|Show|Status|Campaign|Period|Tag|Interest|On hold|Email addresses|Order|View)|move the cursor$/;
/** An id that nothing has. */
const NOTHING = "00000000-0000-7000-8000-000000000000";

/** What has the focus, as a reader hears it: its role or element, and its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    const name = at?.getAttribute("aria-label") ?? at?.textContent ?? "";
    const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : undefined;
    return `${at?.tagName.toLowerCase()}: ${(label ?? name).trim()}`;
  });
const hasFocus = (page: Page, what: string) =>
  page.waitForFunction(
    ([text]) => {
      const { activeElement: at } = document;
      const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : undefined;
      const name = label ?? at?.getAttribute("aria-label") ?? at?.textContent ?? "";
      return `${at?.tagName.toLowerCase()}: ${name.trim()}` === text;
    },
    [what],
    { timeout: 20_000 },
  );

describe.skipIf(skipsBrowser())("The edges of the console", () => {
  const { server, sandbox } = startSandbox();

  /** Somebody new in the team, in a browser of their own. */
  const joined = async (role: string, email: string) => {
    const { body } = await server.api("live", "POST", "/team/invitations", { email, role });
    const opened = await openPage(server.url);
    const { page } = opened;
    await page.goto(new URL(body.url, server.url).href);
    await page.getByLabel("Your name").fill(role);
    await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
    await press(page, "Join team");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const { data } = (await server.api("live", "GET", "/team/members")).body;
    return { ...opened, id: data.find((one: { email: string }) => one.email === email).id };
  };

  test(
    "a form that is saved or refused keeps the focus, and a refused field gets it",
    async () => {
      await using opened = await server.open("light", "/test/settings/team");
      const { page } = opened;
      await page.getByLabel("Name", { exact: true }).first().fill("Acme");
      await page.getByRole("button", { name: /^Save/ }).first().press("Enter");
      await toast(page, "Saved");
      expect(await focused(page)).toMatch(/^button: Save/);

      await page.goto(`${server.url}/test/accounts/new`);
      await page.getByLabel("Email").fill("ann@sender.example");
      await page.getByRole("button", { name: "Add mailbox" }).press("Enter");
      await page.getByText("already").first().waitFor();
      await hasFocus(page, "input: Email");
      // What is refused is said as a sentence begins.
      expect(await page.locator("#content .fault").first().textContent()).toMatch(/^[A-Z]/);
      await expectClean(opened, NOTED);
    },
    TEST_MS_MAX,
  );

  test(
    "a button that goes with what it removes leaves the focus beside it",
    async () => {
      const { id } = await sandbox.makeCampaign("Tagged", 1);
      const { data } = await sandbox.call("GET", "/leads?limit=1");
      await sandbox.call("POST", "/leads/tags", { ids: [data[0].id], add: ["vip", "west"] });
      await using opened = await server.open("light", `/test/leads/${data[0].id}`);
      const { page } = opened;
      await page.getByRole("button", { name: "Remove tag vip" }).press("Enter");
      await page.getByRole("button", { name: "Remove tag vip" }).waitFor({ state: "detached" });
      expect(await focused(page)).not.toMatch(/^body/);

      await page.goto(`${server.url}/test/campaigns/${id}/sequence`);
      await page.getByRole("button", { name: "Add email" }).press("Enter");
      await page.getByRole("heading", { name: /Step 2/ }).waitFor();
      await settled(page);
      expect(await focused(page)).not.toMatch(/^body/);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "the next page of the wizard starts at its heading",
    async () => {
      await using opened = await server.open("light", "/test/campaigns/new");
      const { page } = opened;
      await page.getByLabel("Name").fill("Guided");
      await page.getByLabel("Name").press("Enter");
      await page.waitForURL(/\/new\/leads$/);
      for (const link of ["Continue to sequence", "Continue to schedule and mailboxes"]) {
        await hasFocus(page, "h1: Guided");
        await page.getByRole("link", { name: link }).press("Enter");
        await page.waitForURL(link.includes("schedule") ? /schedule$/ : /sequence$/);
      }
      await hasFocus(page, "h1: Guided");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "a clean editor follows what others save; two who change different fields both keep theirs",
    async () => {
      const { id, step } = await sandbox.makeCampaign("Shared", 1);
      await using opened = await server.open("light", `/test/campaigns/${id}/sequence`);
      const { page } = opened;
      const subject = page.getByLabel("Subject");
      await subject.waitFor();
      await sandbox.call("PATCH", `/campaigns/${id}/steps/${step}`, { subject: "Theirs" });
      await page.waitForFunction(
        () => [...document.querySelectorAll("input")].some(({ value }) => value === "Theirs"),
        null,
        { timeout: 30_000 },
      );
      await sandbox.call("PATCH", `/campaigns/${id}/steps/${step}`, { subject: "Theirs again" });
      await page.locator("textarea").fill("Mine");
      await page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();
      const { data } = await sandbox.call("GET", `/campaigns/${id}/steps`);
      expect(data[0]).toMatchObject({ subject: "Theirs again", body: "Mine" });
      expect(await subject.inputValue()).toBe("Theirs again");
      await expectClean(opened, NOTED);
    },
    TEST_MS_MAX,
  );

  test(
    "a conflict shows the newest of theirs, and what is answered does not collide again",
    async () => {
      const { id, step } = await sandbox.makeCampaign("Collided", 1);
      const save = (body: string) =>
        sandbox.call("PATCH", `/campaigns/${id}/steps/${step}`, { body });
      await using opened = await server.open("light", `/test/campaigns/${id}/sequence`);
      const { page } = opened;
      await page.getByLabel("Subject").waitFor();
      await settled(page);
      let isQuicker = true;
      await page.route("**/steps/*", async (route) => {
        if (route.request().method() === "PATCH" && isQuicker) {
          isQuicker = false;
          await save("Theirs");
        }
        await route.continue();
      });
      await page.locator("textarea").fill("Mine");
      await word(page, "Ann Example changed it on");
      await save("Theirs, later");
      await page.locator(".version pre").getByText("Theirs, later").waitFor();
      await press(page, "Overwrite with mine");
      await page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();
      expect(await page.getByText("Ann Example changed it on").count()).toBe(0);
      const { data } = await sandbox.call("GET", `/campaigns/${id}/steps`);
      expect(data[0].body).toBe("Mine");
      await expectClean(opened, NOTED);
    },
    TEST_MS_MAX,
  );

  test(
    "a role that changes is felt at once, and so is being removed",
    async () => {
      await using opened = await joined("member", "mo@example.com");
      const { page, id } = opened;
      await page.goto(`${server.url}/live/campaigns`);
      await page.getByRole("link", { name: "New campaign" }).first().waitFor();
      await server.api("live", "PATCH", `/team/members/${id}`, { role: "viewer" });
      await page
        .getByRole("link", { name: "New campaign" })
        .first()
        .waitFor({ state: "detached", timeout: 20_000 });
      await server.api("live", "PATCH", `/team/members/${id}`, { role: "admin" });
      await page.getByRole("link", { name: "New campaign" }).first().waitFor({ timeout: 20_000 });
      await expectClean(opened, NOTED);
      await server.api("live", "DELETE", `/team/members/${id}`);
      await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    },
    TEST_MS_MAX,
  );

  test(
    "the only owner is offered no way out of the role; taking back an invitation asks",
    async () => {
      const grace = { email: "grace@example.com", role: "member" };
      await server.api("live", "POST", "/team/invitations", grace);
      await using opened = await server.open("light", "/live/settings/members");
      const { page } = opened;
      const own = page.getByRole("row", { name: PERSON.email });
      await own.waitFor();
      expect(await own.getByRole("combobox").count()).toBe(0);
      expect(await own.getByRole("button").count()).toBe(0);
      await page.getByRole("button", { name: "Withdraw invitation for grace@example.com" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Keep invitation" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Withdraw invitation for grace@example.com" }).click();
      await dialog.getByRole("button", { name: "Withdraw invitation" }).click();
      await toast(page, "Invitation for grace@example.com withdrawn");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "an admin is offered nothing that only an owner may do",
    async () => {
      await using opened = await joined("admin", "ada@example.com");
      const { page } = opened;
      await page.goto(`${server.url}/live/settings/members`);
      const owner = page.getByRole("row", { name: PERSON.email });
      await owner.waitFor();
      expect(await owner.getByRole("combobox").count()).toBe(0);
      expect(await owner.getByRole("button").count()).toBe(0);
      const roles = page.getByRole("row", { name: "ada@example.com" }).locator("option");
      expect(await roles.allInnerTexts()).toEqual(["Admin", "Member", "Viewer"]);
      await press(page, "Invite member");
      await page.getByRole("dialog").getByLabel("Email").waitFor();
      expect(await page.getByRole("radio", { name: /^Owner/ }).count()).toBe(0);
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "a viewer has no picker that would be refused",
    async () => {
      const { id } = await sandbox.makeCampaign("Viewed", 2);
      const { data: leads } = await sandbox.call("GET", "/leads?limit=1");
      const { data: accounts } = await sandbox.call("GET", "/accounts?limit=1");
      await using opened = await joined("viewer", "vi@example.com");
      const { page, faults } = opened;
      const offered: string[] = [];
      const places = [
        `campaigns/${id}`,
        `campaigns/${id}/sequence`,
        `campaigns/${id}/schedule`,
        `campaigns/${id}/leads`,
        `leads/${leads[0].id}`,
        "leads",
        `accounts/${accounts[0].id}`,
        "simulator",
        "suppressions",
        "placement/schedules",
        "experiments",
        "settings/members",
        "settings/sending",
        "settings/replies",
        "settings/files",
      ];
      for (const place of places) {
        await page.goto(`${server.url}/test/${place}`);
        await settled(page);
        const found = await page
          .locator("#content :is(input:not([type=hidden]), select, textarea):enabled")
          .evaluateAll((all) =>
            all.map(
              (one) =>
                (one as HTMLInputElement).labels?.[0]?.textContent?.trim() ??
                one.getAttribute("aria-label") ??
                one.outerHTML,
            ),
          );
        offered.push(...found.map((name) => `${place.replace(/[\w-]{36}/, ":id")}: ${name}`));
      }
      expect(offered.filter((name) => !LOOKING.test(name))).toEqual([]);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "a page loads by itself when the network is back, and when a busy server is free again",
    async () => {
      await using opened = await server.open("light", "/test/");
      const { page } = opened;
      await settled(page);
      await page.context().setOffline(true);
      await page.getByRole("navigation", { name: "Pages" }).first().getByText("Leads").click();
      await page.getByText("Couldn’t load this").waitFor();
      await page.context().setOffline(false);
      await page.getByText("Couldn’t load this").waitFor({ state: "detached", timeout: 20_000 });

      let refused = 0;
      await page.route(/\/api\/v1\/campaigns\?/, async (route) => {
        refused += 1;
        await (refused > 2
          ? route.continue()
          : route.fulfill({
              status: 503,
              json: { type: "unavailable", message: "restarting", field: null, status: 503 },
            }));
      });
      await page.getByRole("navigation", { name: "Pages" }).first().getByText("Campaigns").click();
      await page.getByText("Restarting").waitFor();
      await page.getByText("Restarting").waitFor({ state: "detached", timeout: 20_000 });
    },
    TEST_MS_MAX,
  );

  test(
    "a tab beside a sign-out asks to sign in, and polls nothing",
    async () => {
      await using opened = await openPage(server.url);
      const { page } = opened;
      await page.goto(`${server.url}/live/`);
      await page.getByLabel("Email").fill(PERSON.email);
      await page.getByLabel("Password", { exact: true }).fill(PERSON.password);
      await press(page, "Sign in");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      const beside = await page.context().newPage();
      await beside.goto(`${server.url}/test/leads`);
      await settled(beside);
      await settled(page);
      await page.evaluate(() => sessionStorage.setItem("outrider-draft-x", "{}"));
      await press(page, "Sign out");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
      await beside.bringToFront();
      await beside.getByRole("dialog", { name: "Your session has ended" }).waitFor();
      await beside.waitForTimeout(2_000);
      const asked: string[] = [];
      beside.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await beside.waitForTimeout(12_000);
      // A script that has not come yet is nobody's data.
      expect(asked.filter((path) => !path.startsWith("/ui/"))).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test.each([
    ["/test/nowhere", "Go to overview"],
    ["/test/campaigns/nothing", "Back to the list"],
    [`/test/campaigns/${NOTHING}`, "Back to the list"],
    [`/test/leads/${NOTHING}`, "Back to the list"],
    ["/test/leads/x", "Back to the list"],
    [`/test/inbox/${NOTHING}`, "Back to the list"],
    ["/test/accounts/%E0%A4%A", "Back to the list"],
    [`/test/experiments/${NOTHING}`, "Back to the list"],
    [`/test/placement/runs/${NOTHING}`, "Back to the list"],
    [`/test/developers/webhooks/${NOTHING}`, "Back to the list"],
    ["/nowhere", "Go to overview"],
    ["/campaigns/1", "Go to overview"],
  ])(
    "%s says that nothing is there, and has a way back",
    async (path, back) => {
      await using opened = await server.open("light", path);
      const { page } = opened;
      await page.getByRole("link", { name: back }).first().click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expectClean(opened, NOTED);
    },
    TEST_MS_MAX,
  );
});
