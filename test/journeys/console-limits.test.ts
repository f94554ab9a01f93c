/**
 * Too much of everything in the console: ten thousand characters in every field, two hundred variables of a
 * lead, a megabyte of hostile HTML. It is taken or refused in a sentence; nothing breaks, and nothing typed goes.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { skipsBrowser } from "../support/browser.ts";
import { show, widestOf } from "../support/screens.ts";
import { expectClean, startSandbox } from "./console-sandbox.ts";

const TEST_MS_MAX = 240_000;
const LONG = "ä".repeat(10_000);
const VARIABLES = 200;
/** What the browser itself notes of a refusal. */
const NOTED = /status of (409|413|422)/;
const FIELDS = "input:not([type]), input[type=text], input[type=email], input[type=url], textarea";

/** Where something is typed, what opens it, and what sends it. */
const FORMS: readonly (readonly [place: string, opens: string | null, sends: string])[] = [
  ["campaigns/new", null, "Save draft and continue"],
  ["campaigns/:campaign/sequence", null, "Save step"],
  ["accounts/new", null, "Add mailbox"],
  ["experiments/new", null, "Start experiment"],
  ["placement/seeds", "Add seed", "Add seed"],
  ["leads/:lead", "Edit", "Save"],
  ["leads", "Save view", "Save view"],
  ["inbox/:thread", "Reply", "Send reply"],
  ["inbox/:thread", "Forward", "Forward"],
  ["inbox/:thread", "Note", "Add note"],
  ["suppressions", null, "Suppress"],
  ["settings/team", null, "Save"],
  ["settings/sending", null, "Save"],
  ["settings/replies", "New canned reply", "Create canned reply"],
  ["settings/members", "Invite member", "Create invitation link"],
  ["developers/webhooks", "Add webhook", "Add webhook"],
  ["developers/keys", "Create key", "Create key"],
];

describe.skipIf(skipsBrowser())("too much of everything", () => {
  const { server, sandbox } = startSandbox();
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const { call, makeCampaign, advance } = sandbox;
    const { id } = await makeCampaign("Answered", 1);
    await call("POST", `/campaigns/${id}/start`);
    await advance("1d");
    const [enrolled] = (await call("GET", `/campaigns/${id}/leads`)).data;
    await call("POST", "/sandbox/inject", { kind: "reply", enrollment_id: enrolled.id });
    await advance("1h");
    ids["thread"] = enrolled.id;
    ids["campaign"] = (await makeCampaign("Limits", 1)).id;
    ids["lead"] = (await call("GET", `/campaigns/${ids["campaign"]}/leads`)).data[0].lead_id;
  }, TEST_MS_MAX);
  const addressOf = (place: string) =>
    `${server.url}/test/${place.replace(/:(\w+)/, (_, name: string) => ids[name] ?? "")}`;

  /** Whether the form that was sent says how it went. */
  const answered = (page: Page) =>
    page.waitForFunction(
      (fields) =>
        document.querySelector(".fault, .toast, .secret") !== null ||
        [...document.querySelectorAll<HTMLInputElement>(fields)].some((one) => !one.validity.valid),
      FIELDS,
    );

  test(
    "ten thousand characters in every field are taken, or refused in a sentence and stay; the focus too",
    async () => {
      await using opened = await server.open("light", "/test/");
      const { page } = opened;
      const broken: string[] = [];
      page.on("response", (response) => {
        if (response.status() >= 500) {
          broken.push(`${response.status()} ${response.url()}`);
        }
      });
      page.on("dialog", (dialog) => void dialog.accept());
      for (const [place, opens, sends] of FORMS) {
        await show(page, addressOf(place));
        if (opens !== null) {
          await page.getByRole("button", { name: opens, exact: true }).first().click();
        }
        const button = page.getByRole("button", { name: sends, exact: true });
        const scope = page
          .locator(opens !== null ? "dialog, #content form" : "#content")
          .filter({ has: button })
          .last();
        const fields = scope.locator(FIELDS).filter({ visible: true });
        expect([place, await fields.count()]).not.toEqual([place, 0]);
        for (const field of await fields.all()) {
          await field.fill(LONG);
        }
        await scope.getByRole("button", { name: sends, exact: true }).last().press("Enter");
        await answered(page);
        // Whatever became of it, who works by keyboard goes on from where they are.
        await page.waitForFunction(() => document.activeElement !== document.body);
        for (const text of await page.locator(".fault").allTextContents()) {
          expect([place, text]).toEqual([place, expect.stringMatching(/^[A-Z“]/)]);
        }
        const isRefused = (await page.locator(".fault").count()) > 0;
        expect([place, isRefused && (await fields.first().inputValue()).length]).not.toEqual([
          place,
          0,
        ]);
        expect([place, await page.evaluate(widestOf)]).toEqual([place, null]);
      }
      expect(broken).toEqual([]);
      expect(opened.faults.filter((fault) => !NOTED.test(fault))).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "two hundred variables of a lead are listed, and offered to a step",
    async () => {
      const names = Array.from({ length: VARIABLES }, (_, nth) => `value_${nth + 1}`);
      const variables = Object.fromEntries(names.map((name) => [name, `${name} `.repeat(20)]));
      const { email } = await sandbox.call("PATCH", `/leads/${ids["lead"]}`, { variables });
      await using opened = await server.open("light", `/test/leads/${ids["lead"]}`);
      const { page } = opened;
      await page.getByText(`value_${VARIABLES}`, { exact: true }).first().waitFor();
      await expectClean(opened);
      const { id } = await sandbox.makeCampaign("Variables", 1);
      await sandbox.call("POST", `/campaigns/${id}/leads`, { leads: [{ email }] });
      await show(page, `${server.url}/test/campaigns/${id}/sequence`);
      await page
        .getByRole("option", { name: `value_${VARIABLES}` })
        .first()
        .waitFor({ state: "attached" });
      await expectClean(opened);
    },
    TEST_MS_MAX,
  );

  test(
    "a megabyte of hostile HTML is not read, and more of it is refused",
    async () => {
      await using opened = await server.open("light", "/test/inbox");
      const { page } = opened;
      const draft = (bytes: number) =>
        page.evaluate(async (length) => {
          const form = new FormData();
          form.set("html", "<table><tr><td>".repeat(length / 15));
          const response = await fetch("/test/mail", { method: "POST", body: form });
          return { status: response.status, text: await response.text() };
        }, bytes);
      const { status, text } = await draft(1_000_000);
      expect(status).toBe(200);
      expect(text).toContain("too long to show");
      expect(text.length).toBeLessThan(2_000);
      expect((await draft(5_000_000)).status).toBeGreaterThanOrEqual(400);
    },
    TEST_MS_MAX,
  );
});
