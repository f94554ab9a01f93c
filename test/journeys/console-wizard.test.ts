/**
 * From typing to sending in a real browser: whichever way somebody goes on, what is sent is what stood on
 * the screen, and what could not be saved is neither lost nor passed over.
 */

import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type OpenPage, skipsBrowser, toast } from "../support/browser.ts";
import { expectClean, press, startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";

/** What the browser itself notes of a refusal, or of no answer. */
const NOTED = /412|422|ERR_FAILED/;

describe.skipIf(skipsBrowser())("From typing to sending", () => {
  const { server, sandbox } = startSandbox();

  /** A draft without a step and with one lead, opened where its first email is written. */
  async function begin(name: string): Promise<Begun> {
    const { call } = sandbox;
    const { id } = await call("POST", "/campaigns", {
      name,
      send_window: { days: DAYS, start_hour: 0, end_hour: 24, timezone: "UTC" },
    });
    const email = `${name.toLowerCase().replaceAll(" ", "-")}@client.example`;
    await call("POST", `/campaigns/${id}/leads`, {
      leads: [{ email, first_name: "Di", company: "Third" }],
    });
    const opened = await server.open("light", `/test/campaigns/${id}/new/sequence`);
    return { id, email, opened, page: opened.page, [Symbol.asyncDispose]: () => dispose(opened) };
  }
  const writeFirst = async (page: Page) => {
    await press(page, "Write first email");
    await page.getByLabel("Subject").fill(SUBJECT);
    await page.locator("textarea").fill(BODY);
  };
  const start = async (page: Page) => {
    await press(page, "Start campaign");
    // Its one lead may have had it already.
    const pill = page.locator(".title-line .pill", { hasText: /Active|Completed/ });
    await pill.waitFor().catch(async (error: Error) => {
      const shown = ((await page.locator("main").textContent()) ?? "").replace(/\s+/g, " ");
      throw new Error(`not started at ${page.url()}: ${shown.slice(0, 1200)}`, { cause: error });
    });
  };
  const goTo = (page: Page, name: string) => page.getByRole("link", { name }).click();
  const stepOf = async (id: string) =>
    (await sandbox.call("GET", `/campaigns/${id}/steps`)).data[0];
  const isSaved = (page: Page) =>
    page.getByRole("status").filter({ hasText: "All changes saved" }).waitFor();
  /** Subject and body of all that went to the lead within some days. */
  async function sentTo(email: string): Promise<[string, string][]> {
    await sandbox.advance("3d");
    const { data } = await sandbox.call("GET", `/sandbox/messages?recipient=${email}`);
    return await Promise.all(
      data.map(async ({ id, subject }: { id: string; subject: string }) => {
        const raw = (await server.api("test", "GET", `/sandbox/messages/${id}/raw`)).text;
        return [subject, [EDITED, THEIRS, BODY].find((body) => raw.includes(body)) ?? raw];
      }),
    );
  }

  const WAYS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    "by the blue buttons": async (page) => {
      await goTo(page, "Continue to schedule and mailboxes");
      await goTo(page, "Continue to review and start");
    },
    "by the tabs of the wizard": (page) => goTo(page, "Review and start"),
    "by a reload": async (page) => {
      await page.reload();
      await page.getByLabel("Subject").waitFor();
      expect(await page.locator("textarea").inputValue()).toBe(BODY);
      await goTo(page, "Review and start");
    },
    "by the back button": async (page) => {
      await page.goBack();
      await word(page, "Campaign name");
      await goTo(page, "Review and start");
    },
    "by the palette": async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("overview");
      await page.getByRole("option", { name: "Overview" }).first().click();
      await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
      await page.goBack();
      await goTo(page, "Review and start");
    },
    "by another step": async (page) => {
      await press(page, "Add task");
      await page.getByRole("heading", { name: "Step 2: task" }).waitFor();
      await page.getByLabel("Task").fill("Call them");
      await goTo(page, "Review and start");
    },
  };
  test.each(Object.keys(WAYS))(
    "on %s, what was typed is what is sent",
    async (way) => {
      await using begun = await begin(`Way ${Object.keys(WAYS).indexOf(way)}`);
      const { page, email, id } = begun;
      await page.goto(`${server.url}/test/campaigns/${id}/new/leads`);
      await goTo(page, "Continue to sequence");
      await writeFirst(page);
      await WAYS[way]?.(page);
      await start(page);
      expect(await sentTo(email)).toEqual([[SUBJECT, BODY]]);
      // A tab that is loaded anew may have saved with its last breath what it then saves again.
      expect(begun.opened.faults.filter((fault) => !fault.includes("412"))).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "a step that nobody wrote starts nothing, in the console and by the API",
    async () => {
      await using begun = await begin("Untouched");
      const { page, email, id } = begun;
      await press(page, "Write first email");
      await page.getByLabel("Subject").waitFor();
      await expectClean(begun.opened);
      await goTo(page, "Review and start");
      await word(page, "Step 1 has no body");
      await page.getByRole("button", { name: "Start campaign", disabled: true }).waitFor();
      const answer = await server.api("test", "POST", `/campaigns/${id}/start`);
      expect(answer).toMatchObject({ status: 422, body: { field: "steps.0.body" } });
      expect(await sentTo(email)).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "an edit of a saved step is what is sent, however soon the start",
    async () => {
      await using begun = await begin("Edited");
      const { page, email } = begun;
      await writeFirst(page);
      await isSaved(page);
      await page.locator("textarea").press("Control+End");
      await page.keyboard.type(EDITED.slice(BODY.length), { delay: 3 });
      await goTo(page, "Review and start");
      await start(page);
      expect(await sentTo(email)).toEqual([[SUBJECT, EDITED]]);
      expect(begun.opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "what another has written meanwhile is shown beside it, and nothing starts before that is answered",
    async () => {
      await using begun = await begin("Conflict");
      const { page, email, id } = begun;
      await writeFirst(page);
      await isSaved(page);
      const { id: step } = await stepOf(id);
      // Typed before theirs is known here, however late that is.
      await page.route("**/steps/*", (route) =>
        route.request().method() === "PATCH" ? route.abort() : route.continue(),
      );
      await page.locator("textarea").fill(EDITED);
      await sandbox.call("PATCH", `/campaigns/${id}/steps/${step}`, { body: THEIRS });
      await page.unrouteAll();
      await word(page, "Ann Example changed it on");
      expect(await page.locator(".version pre").allInnerTexts()).toEqual([THEIRS, EDITED]);
      expect((await stepOf(id)).body).toBe(THEIRS);
      // A reload asks nobody's leave to write over it.
      await page.reload();
      await word(page, "Ann Example changed it on");
      await goTo(page, "Review and start");
      await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
      await expectClean(begun.opened, NOTED);
      await press(page, "Keep editing");
      expect((await stepOf(id)).body).toBe(THEIRS);
      await press(page, "Overwrite with mine");
      await isSaved(page);
      await goTo(page, "Review and start");
      await start(page);
      expect(await sentTo(email)).toEqual([[SUBJECT, EDITED]]);
    },
    TEST_MS_MAX,
  );

  test(
    "while the server is away words stay, a start is refused, and they are saved when it is back",
    async () => {
      await using begun = await begin("Away");
      const { page, email, id } = begun;
      await writeFirst(page);
      await isSaved(page);
      await page.route("**/steps/*", (route) =>
        route.request().method() === "PATCH" ? route.abort() : route.continue(),
      );
      await page.locator("textarea").fill(EDITED);
      await word(page, "The server is not responding.");
      await goTo(page, "Review and start");
      await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
      await press(page, "Keep editing");
      // Somebody types the address instead: the browser asks, and the check knows.
      await page.goto(`${server.url}/test/campaigns/${id}/new/check`);
      await word(page, "Step 1 has unsaved changes");
      await page.getByRole("button", { name: "Start campaign", disabled: true }).waitFor();
      await page.unrouteAll();
      await goTo(page, "Back to schedule and mailboxes");
      await goTo(page, "Back to sequence");
      expect(await page.locator("textarea").inputValue()).toBe(EDITED);
      await isSaved(page);
      await goTo(page, "Review and start");
      await start(page);
      expect(await sentTo(email)).toEqual([[SUBJECT, EDITED]]);
    },
    TEST_MS_MAX,
  );

  test(
    "a running campaign changes by its button alone, and whoever leaves is asked",
    async () => {
      await using begun = await begin("Running");
      const { page, id } = begun;
      await writeFirst(page);
      await isSaved(page);
      // A second email keeps the campaign active once the first has gone out.
      await sandbox.call("POST", `/campaigns/${id}/steps`, { type: "email", body: "Next" });
      await goTo(page, "Review and start");
      await start(page);
      await goTo(page, "Sequence");
      await page.locator("textarea").fill(EDITED);
      await word(page, "Saving updates the emails sent from now on.");
      const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
      await page.goBack();
      await dialog.waitFor();
      await press(page, "Keep editing");
      await dialog.waitFor({ state: "detached" });
      expect(await page.locator("textarea").inputValue()).toBe(EDITED);
      expect((await stepOf(id)).body).toBe(BODY);
      await goTo(page, "Schedule");
      await dialog.waitFor();
      await press(page, "Save and leave");
      await page.waitForURL(/\/schedule$/);
      expect((await stepOf(id)).body).toBe(EDITED);
      await goTo(page, "Sequence");
      await page.locator("textarea").fill(THEIRS);
      await goTo(page, "Summary");
      await press(page, "Leave without saving");
      await page.waitForURL(new RegExp(`${id}$`));
      await goTo(page, "Sequence");
      await page.getByLabel("Subject").waitFor();
      expect(await page.locator("textarea").inputValue()).toBe(EDITED);
    },
    TEST_MS_MAX,
  );

  test(
    "pasted leads may have commas in quotes; a refused one stays with its reason",
    async () => {
      await using begun = await begin("Pasted");
      const { page, id } = begun;
      await page.goto(`${server.url}/test/campaigns/${id}/new/leads`);
      const box = page.getByLabel("Leads, one per line");
      await box.fill('di@b.example, Di, Doe, "Beta, Inc."\nnobody, "No, One"\nEli@b.example');
      await press(page, "Add leads");
      await word(page, "2 leads added, 1 not added.");
      await word(page, "invalid address");
      expect(await box.inputValue()).toBe('nobody,"No, One"');
      await expectClean(begun.opened);
      const { data } = await sandbox.call("GET", "/leads?email=di@b.example");
      expect(data).toMatchObject([{ company: "Beta, Inc.", first_name: "Di" }]);
      await goTo(page, "Continue to sequence");
      await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
      await press(page, "Keep editing");
      await box.fill("nobody@b.example");
      await goTo(page, "Continue to sequence");
      await press(page, "Save and leave");
      await word(page, "No steps yet");
      expect((await sandbox.call("GET", "/leads?email=nobody@b.example")).total).toBe(1);
    },
    TEST_MS_MAX,
  );

  test(
    "a new campaign and a new mailbox have the browser's zone, and one that never connected no score",
    async () => {
      await using opened = await server.open("light", "/test/campaigns/new");
      const zone = await opened.page.evaluate(
        () => Intl.DateTimeFormat().resolvedOptions().timeZone,
      );
      const { page } = opened;
      expect(await page.getByLabel("Time zone").inputValue()).toBe(zone);
      await page.getByLabel("Name").fill("Zoned");
      await page.getByLabel("Time zone").fill("Asia/Tokyo");
      await press(page, "Save draft and continue");
      await page.waitForURL(/\/new\/leads$/);
      const [made] = (await sandbox.call("GET", "/campaigns?limit=1")).data;
      expect(made).toMatchObject({ name: "Zoned", send_window: { timezone: "Asia/Tokyo" } });
      await page.goto(`${server.url}/live/accounts/new`);
      expect(await page.getByLabel("Time zone").inputValue()).toBe(zone);
      await page.getByLabel("Time zone").fill("Asia/Tokyo");
      await page.getByLabel("Email").fill("ada@acme.example");
      await page.getByLabel("Password").fill("a secret");
      await press(page, "Add mailbox");
      await page.getByRole("img", { name: "Health: no score yet" }).waitFor();
      await expectClean(opened);
      const [account] = (await server.api("live", "GET", "/accounts")).body.data;
      expect(account).toMatchObject({ timezone: "Asia/Tokyo", health_score: 100 });
    },
    TEST_MS_MAX,
  );

  test(
    "neither Escape nor the back button takes away a key that is shown once",
    async () => {
      await using opened = await server.open("light", "/test/");
      const { page } = opened;
      await page.goto(`${server.url}/test/developers/keys?new=1`);
      await page.getByLabel("Name").fill("Once");
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      const key = await page.getByLabel("API key", { exact: true }).inputValue();
      for (let times = 0; times < 3; times += 1) {
        await page.keyboard.press("Escape");
      }
      expect(await page.getByLabel("API key", { exact: true }).inputValue()).toBe(key);
      await press(page, "I’ve copied it");
      await page.getByRole("dialog").waitFor({ state: "detached" });

      await page.goto(`${server.url}/test/settings/members`);
      await press(page, "Invite member");
      await page.getByLabel("Email").fill("bo@example.com");
      await press(page, "Create invitation link");
      const link = page.getByLabel("Invitation link", { exact: true });
      await link.waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      expect(await link.inputValue()).toContain("/invitation#");
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "leads that the team has come into a new campaign by a saved view, and by a tag",
    async () => {
      const { call } = sandbox;
      const leads = ["ann", "bob", "cy"].map((name, nth) => ({
        ...{ email: `${name}@found.example`, company: "Found" },
        tags: nth < 2 ? ["two words"] : [],
      }));
      await call("POST", "/leads", { leads });
      await call("POST", "/suppressions", { email: "cy@found.example" });
      const view = { name: "At Found", filter: "company=Found", shared: true };
      await call("POST", "/lead-views", view);
      const { id } = await call("POST", "/campaigns", { name: "From a view" });
      await using opened = await server.open("dark", `/test/campaigns/${id}/new/leads`);
      const { page } = opened;
      const pick = page.getByLabel("Saved view or tag");
      await pick.selectOption({ label: "two words" });
      await press(page, "Add its leads");
      await toast(page, "2 leads added");
      await pick.selectOption({ label: "At Found" });
      await press(page, "Add its leads");
      await toast(page, "0 leads added; not added: 1 suppressed, 2 already enrolled");
      await word(page, "2 leads so far");
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );
});

interface Begun extends AsyncDisposable {
  id: string;
  email: string;
  opened: OpenPage;
  page: Page;
}

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const SUBJECT = "About Third";
const BODY = "What I wrote myself.";
const EDITED = "What I wrote myself. And thought of later.";
const THEIRS = "What another wrote.";

async function dispose(opened: OpenPage): Promise<void> {
  await opened[Symbol.asyncDispose]();
}
