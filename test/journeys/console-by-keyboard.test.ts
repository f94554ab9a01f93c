/**
 * The day's work without a mouse (journey 19): from the first link to the settings each thing is done by Tab,
 * arrows and keys alone, and nothing that has the focus looks as if it had not.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { openPage, skipsBrowser, toast } from "../support/browser.ts";
import { PERSON, startProgram } from "../support/console.ts";
import { settled } from "../support/screens.ts";
import { focused, pickAt, pressAt, pressPair, tabTo, typeAt } from "./by-keyboard.ts";
import { startSandbox, TEST_MS_MAX, word } from "./console-sandbox.ts";

const LEADS = 4;
const TESTED = 200;

describe.skipIf(skipsBrowser())("without a mouse", () => {
  const { server, sandbox } = startSandbox();
  let threads: string[];
  beforeAll(async () => {
    const { call, advance } = sandbox;
    await call("PATCH", "/sandbox/settings", { rates: NOBODY_ANSWERS });
    const { id } = await sandbox.makeCampaign("Keys", LEADS);
    await call("POST", `/campaigns/${id}/start`);
    await advance("2h");
    const { data } = await call("GET", `/campaigns/${id}/leads`);
    threads = data.map((one: { id: string }) => one.id);
    for (const enrollment_id of threads) {
      await call("POST", "/sandbox/inject", { kind: "reply", enrollment_id });
      await advance("1h");
    }
  }, TEST_MS_MAX);

  test(
    "19: the first account is made, left, and entered again",
    async () => {
      await using program = await startProgram();
      await using opened = await openPage(program.url);
      const { page } = opened;
      await page.goto(program.link ?? "");
      await page.getByRole("heading", { name: "Welcome to Outrider" }).waitFor();
      await typeAt(page, "Your name", PERSON.name);
      await typeAt(page, "Email", PERSON.email);
      await typeAt(page, "Password", PERSON.password);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await settled(page);
      await pressAt(page, "Sign out");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await typeAt(page, "Email", PERSON.email);
      await typeAt(page, "Password", PERSON.password);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await settled(page);
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "19: replies are read, answered, taken back, noted, snoozed, assigned, and done",
    async () => {
      await using opened = await server.open("light", "/test/inbox");
      const { page } = opened;
      const { keyboard } = page;
      const conversation = page.getByRole("region", { name: "Conversation" });
      const threadOf = (nth: number) => sandbox.call("GET", `/inbox/threads/${threads[nth]}`);
      const isOpen = (nth: number) => page.waitForURL(new RegExp(threads[nth] ?? "nobody"));
      await isOpen(3);
      await conversation.waitFor();
      await keyboard.press("e");
      await toast(page, "Marked done");
      await isOpen(2);
      await conversation.waitFor();
      await keyboard.press("z");
      await toast(page, "Undone");
      expect((await threadOf(3)).done).toBe(false);

      await keyboard.press("r");
      await page.getByLabel("Reply as").waitFor();
      expect(await focused(page)).toMatch(/^Reply as/);
      await keyboard.type("Too soon");
      await keyboard.press("Control+Enter");
      await toast(page, "Sending your reply…");
      await keyboard.press("Escape");
      await keyboard.press("z");
      await page.locator("textarea:not([readonly])").first().waitFor();
      expect((await threadOf(2)).answered_at).toBeNull();
      await keyboard.press("r");
      await keyboard.press("Control+a");
      await keyboard.type("Tuesday at ten");
      await keyboard.press("Control+Enter");
      await toast(page, "Your reply is on its way");
      expect((await threadOf(2)).messages.at(-1).text).toContain("Tuesday at ten");

      await keyboard.press("Escape");
      await keyboard.press("c");
      await page.getByLabel("Note for your team").waitFor();
      await keyboard.type("Knows Ann");
      await keyboard.press("Control+Enter");
      await toast(page, "Note added");
      await settled(page);
      await tabTo(page, "Delete note", "Shift+Tab");
      await keyboard.press("a");
      await toast(page, "Assigned to you");
      await keyboard.press("s");
      await toast(page, "Snoozed until");
      const kept = await threadOf(2);
      expect([kept.folder, kept.assignee_id === null]).toEqual(["snoozed", false]);
      const { data: notes } = await sandbox.call("GET", `/inbox/threads/${threads[2]}/notes`);
      expect(notes.map(({ body }: { body: string }) => body)).toEqual(["Knows Ann"]);
      await isOpen(1);
      await conversation.waitFor();
      await keyboard.press("k");
      await isOpen(3);
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "19: leads are ordered, their columns chosen, one is edited beside the list, some tagged and merged",
    async () => {
      await using opened = await server.open("dark", "/test/leads");
      const { page } = opened;
      const { keyboard } = page;
      const first = "person0@keys-0.example";
      await page.getByRole("link", { name: first }).waitFor();
      await pickAt(page, "Order", "Email, A to Z");
      await page.waitForURL(/sort=email/);
      await page.getByRole("link", { name: first }).waitFor();
      await settled(page);
      await pressAt(page, "Columns");
      await page.getByRole("dialog", { name: "Columns" }).waitFor();
      await pressAt(page, "Hide Company");
      await pressAt(page, "Move Status up");
      await pressAt(page, "Done");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused(page)).toBe("Columns");
      const heads = await page.getByRole("table", { name: "Leads" }).locator("th").allInnerTexts();
      expect(heads.slice(0, 4)).toEqual(["Selected", "Email", "Status", "Name"]);

      await pressAt(page, first);
      const drawer = page.getByRole("complementary", { name: "Lead" });
      await drawer.getByRole("button", { name: "Edit", exact: true }).waitFor();
      await pressAt(page, "Edit");
      await typeAt(page, "Company", "Keys Ltd");
      await keyboard.press("Enter");
      await drawer.getByText("Keys Ltd").waitFor();
      await keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      expect(await focused(page)).toBe(first);

      for (const nth of [0, 1]) {
        await tabTo(
          page,
          `Select person${nth}@keys-${nth}.example`,
          nth === 0 ? "Shift+Tab" : "Tab",
        );
        await keyboard.press("Space");
      }
      await page.getByText("2 leads selected").waitFor();
      await tabTo(page, "Tag", "Shift+Tab");
      await keyboard.type("vip");
      await keyboard.press("Enter");
      await toast(page, "2 leads tagged");
      const tagged = async () => (await sandbox.call("GET", "/leads?tag=vip")).total;
      expect(await tagged()).toBe(2);
      await keyboard.press("z");
      await toast(page, "Undone");
      expect(await tagged()).toBe(0);

      for (const nth of [0, 1]) {
        await tabTo(page, `Select person${nth}@keys-${nth}.example`);
        await keyboard.press("Space");
      }
      await pressAt(page, "Merge", "Shift+Tab");
      const merging = page.getByRole("dialog", { name: "Merge 2 leads" });
      await merging.getByRole("button", { name: "Merge 2 leads", disabled: false }).waitFor();
      await pressAt(page, "Merge 2 leads");
      await toast(page, "2 leads merged");
      expect(await focused(page)).not.toBe("");
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "19: a mailbox is added and tried",
    async () => {
      await using opened = await server.open("light", "/test/accounts");
      const { page } = opened;
      await settled(page);
      await pressAt(page, "Add mailbox");
      await page.getByRole("button", { name: "Add mailbox" }).waitFor();
      await typeAt(page, "Email", "keys@sender.example");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/accounts\/[0-9a-f-]{36}$/);
      await settled(page);
      await pressAt(page, "Test without sending");
      await page.getByRole("list").filter({ hasText: "Find the SMTP server" }).waitFor();
      expect(await focused(page)).toBe("Test without sending");
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "19: a version is written beside a step's text, with a picture, and tested",
    async () => {
      const { id } = await sandbox.makeCampaign("Tested", TESTED);
      await using opened = await server.open("light", `/test/campaigns/${id}/sequence`);
      const { page } = opened;
      await page.getByRole("button", { name: "Test another version" }).waitFor();
      await settled(page);
      await pressAt(page, "Test another version");
      await page.getByRole("button", { name: "B Version B", pressed: true }).waitFor();
      await typeAt(page, "Version name", "Another way");
      await typeAt(page, "Email", "Quite another way");
      await pressAt(page, "A Original", "Shift+Tab");
      await page.getByLabel("Version name").waitFor({ state: "detached" });
      await pressAt(page, "B Another way");
      await page.getByLabel("Version name").waitFor();
      await pressAt(page, "Rich text", "Shift+Tab");
      await page.locator("[contenteditable][role=textbox]").waitFor();
      await tabTo(page, "Bold");
      for (let tool = 0; tool < 7; tool += 1) {
        await page.keyboard.press("ArrowRight");
      }
      expect(await focused(page)).toBe("Image");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByLabel("Image address").waitFor();
      await typeAt(page, "Image address", "https://site.example/a.png");
      await typeAt(page, "Alternative text", "A chart");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused(page)).toBe("Email");
      await pressAt(page, "Start test");
      await toast(page, "Test started");
      const [made] = await sandbox.call("GET", "/experiments");
      expect(made).toMatchObject({ campaign_id: id });
      const { variants } = await sandbox.call("GET", `/experiments/${made.id}`);
      expect(variants[1]).toMatchObject({ name: "Another way", config: { format: "html" } });
      expect(variants[1].config.body).toContain('<img src="https://site.example/a.png"');
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "19: a group that lacks a value gets it",
    async () => {
      const { id, step } = await sandbox.makeCampaign("Lacking", 2);
      const body = "What does {{company}} ship?";
      await sandbox.call("PATCH", `/campaigns/${id}/steps/${step}`, { body });
      await sandbox.call("POST", `/campaigns/${id}/start`);
      await sandbox.advance("1d");
      await using opened = await server.open("light", "/test/");
      const { page } = opened;
      await page.getByText("2 leads in Lacking on hold").waitFor();
      await settled(page);
      await pressAt(page, "Add value");
      await page.getByRole("dialog", { name: "Add missing value" }).getByLabel("Company").waitFor();
      await typeAt(page, "Company", "your team");
      await page.keyboard.press("Enter");
      await toast(page, "2 leads no longer on hold");
      expect((await sandbox.call("GET", `/campaigns/${id}`)).on_hold.total).toBe(0);
      expect(await focused(page)).not.toBe("");
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "19: settings: a key, a canned reply, the digest, an invitation",
    async () => {
      await using opened = await server.open("light", "/live/developers/keys");
      const { page } = opened;
      const { keyboard } = page;
      await settled(page);
      await pressAt(page, "Create key");
      await page.getByRole("dialog").getByLabel("Name").waitFor();
      await typeAt(page, "Name", "By hand");
      await keyboard.press("Enter");
      await page.getByLabel("API key", { exact: true }).waitFor();
      await pressAt(page, "I’ve copied it");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused(page)).not.toBe("");

      await pressPair(page, "g,", page.getByRole("link", { name: "Canned replies" }));
      await settled(page);
      await pressAt(page, "Canned replies");
      await page.getByRole("button", { name: "New canned reply" }).first().waitFor();
      await settled(page);
      await pressAt(page, "New canned reply");
      await typeAt(page, "Name", "Prices");
      await typeAt(page, "Reply", "Ten euros.");
      await pressAt(page, "Create canned reply");
      await page.getByRole("cell", { name: "Ten euros." }).waitFor();
      expect(await focused(page)).not.toBe("");

      const host = { host: "mail.acme.example", password: "secret" };
      const desk = { email: "desk@acme.example", provider: "smtp", smtp: host, imap: host };
      await server.api("live", "POST", "/accounts", desk);
      await page.goto(`${server.url}/live/settings/you`);
      await page.getByLabel("Send it").waitFor();
      await pickAt(page, "Send it", "On working days at 07:00");
      await pressAt(page, "Save");
      await word(page, "Digest saved");

      await page.goto(`${server.url}/live/settings/members`);
      await page.getByRole("button", { name: "Invite member" }).waitFor();
      await pressAt(page, "Invite member");
      await page.getByRole("dialog").getByLabel("Email").waitFor();
      await typeAt(page, "Email", "bo@example.com");
      await keyboard.press("Enter");
      await page.getByLabel("Invitation link", { exact: true }).waitFor();
      expect(await focused(page)).not.toBe("");
      expect(opened.faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});

const NOBODY_ANSWERS = {
  ...{ reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 },
  ...{ complaint: 0, unsubscribe: 0, spam: 0 },
};
