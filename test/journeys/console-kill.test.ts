/**
 * Journey 17: the server is killed while a file is imported and email is sent, and started again on what it
 * left. The pages that were open say so, and come back by themselves; nobody gets an email twice.
 */

import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { freePorts } from "../mailserver/mailserver.ts";
import { closeBrowser, skipsBrowser } from "../support/browser.ts";
import { startConsole, startProgram } from "../support/console.ts";
import { ROUND_THE_CLOCK } from "../support/inbox.ts";
import { SENDERS, sandboxOf } from "./console-sandbox.ts";
import { until } from "./support.ts";

const TEST_MS_MAX = 480_000;
/** A busy machine reads the whole file, and sends beside it. */
const EFFECT_MS_MAX = 200_000;
const LEADS = 600;
const STEPS = 2;
const PAGE = 100;
const LINES = 30_000;
/** Sandbox time: a day in twelve seconds. */
const SPEED = 7200;
/** Emails that have gone out when the end comes, at least. */
const SENT_BEFORE = 100;
const NOBODY_ANSWERS = {
  ...{ reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 },
  ...{ complaint: 0, unsubscribe: 0, spam: 0 },
};

test.skipIf(skipsBrowser())(
  "17: killed while it imports and sends, the server is waited for, comes back, and sends nothing twice",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "outrider-kill-"));
    const [port = 0] = await freePorts(1);
    const options = { data: join(directory, "data"), args: ["--port", String(port)] };
    try {
      await using server = await startConsole(options);
      const { call, advance, addSenders } = sandboxOf(server);
      await call("PATCH", "/sandbox/settings", { rates: NOBODY_ANSWERS });
      await addSenders();
      const campaign = await sendingCampaign(call);
      const { id: other } = await call("POST", "/campaigns", { name: "From a file" });
      const sent = async (): Promise<number> =>
        (await call("GET", `/campaigns/${campaign}/stats`)).sent;

      await using opened = await server.open("light", `/test/campaigns/${other}/import`);
      const { page: file, faults } = opened;
      file.context().setDefaultTimeout(EFFECT_MS_MAX);
      const figures = await file.context().newPage();
      await figures.goto(`${server.url}/test/campaigns/${campaign}`);
      for (const page of [file, figures]) {
        await page.locator(".shell[data-connection=open]").waitFor();
        await page.evaluate("window.isFirst = true");
      }
      await file.setInputFiles("input[type=file]", {
        name: "list.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(fileOf(LINES)),
      });
      const again = file.getByRole("button", { name: /^Import [\d,]+ leads?$/ });
      await again.waitFor();
      // Only now: most of a slow machine's day would be over before the file has been looked at.
      await call("POST", "/sandbox/clock", { speed: SPEED });
      await until(EFFECT_MS_MAX, "mail goes out", async () =>
        (await sent()) >= SENT_BEFORE ? true : undefined,
      );
      expect(await sent()).toBeLessThan(LEADS * STEPS);
      await again.click();
      await until(EFFECT_MS_MAX, "the file is half read", async () => {
        const { data } = await call("GET", "/imports?status=running");
        return data[0]?.imported > 0 ? true : undefined;
      });
      expect(faults).toEqual([]);
      await server.stop("SIGKILL");

      for (const page of [file, figures]) {
        await page.locator(".offline", { hasText: "Reconnecting…" }).waitFor();
        await page.locator("[data-connection=away]", { hasText: "Reconnecting…" }).last().waitFor();
        expect(await greyOf(page)).toMatch(/saturate\(0?\.\d+\)/);
      }
      expect(await opened.violations()).toEqual([]);
      await file.getByText("The server is not responding.").waitFor();

      await using second = await startProgram(options);
      expect(second.url).toBe(server.url);
      for (const page of [file, figures]) {
        await page.locator(".shell[data-connection=open]").waitFor();
        await page.locator(".offline").waitFor({ state: "detached" });
        expect(await greyOf(page)).toBe("none");
      }
      // The server answers before it has looked at what broke off.
      const broken = await until(EFFECT_MS_MAX, "the import is told to be broken off", async () => {
        const page = await call("GET", "/imports?status=interrupted");
        return page.total > 0 ? page : undefined;
      });
      expect(broken.total).toBe(1);
      expect(broken.data[0]).toMatchObject({ dry_run: false, campaign_id: other });
      expect(broken.data[0].imported).toBeLessThan(LINES);

      // The file is still chosen: once more, and whoever is there already is not added again.
      await again.click();
      await file.getByRole("heading", { name: /leads? imported$/ }).waitFor();
      expect((await call("GET", `/campaigns/${other}/leads?limit=1`)).total).toBe(LINES);

      await call("POST", "/sandbox/clock", { speed: 0 });
      await advance("4d");
      const mails = await mailsOf(call);
      expect(new Set(mails).size).toBe(mails.length);
      // Whose body was under way at the end is held for a person; everybody else has both emails.
      const held = await heldOf(call, campaign);
      expect(held.length).toBeLessThanOrEqual(SENDERS.length);
      const { status } = await call("GET", `/campaigns/${campaign}`);
      expect(status).toBe(held.length === 0 ? "completed" : "active");
      const whole = mails.filter((mail) => !held.some((email) => mail.startsWith(`${email} `)));
      expect(whole).toHaveLength((LEADS - held.length) * STEPS);
      const words = new Intl.NumberFormat("en").format(await sent());
      await figures.locator(".figure", { hasText: words }).first().waitFor();
      for (const page of [file, figures]) {
        expect(await page.evaluate("window.isFirst")).toBe(true);
      }
      expect(faults.filter((fault) => !/Failed to load resource|ERR_/.test(fault))).toEqual([]);
    } finally {
      await closeBrowser();
      rmSync(directory, { recursive: true, force: true });
    }
  },
  TEST_MS_MAX,
);

type ApiCall = ReturnType<typeof sandboxOf>["call"];

/** Two emails to everybody, a day apart; started. */
async function sendingCampaign(call: ApiCall): Promise<string> {
  const { id } = await call("POST", "/campaigns", {
    ...{ name: "Spring", send_window: ROUND_THE_CLOCK, max_leads_per_day: 10_000 },
  });
  for (const step of [
    { type: "email", subject: "First", body: "Hello" },
    { type: "email", subject: "Second", body: "And again", wait_days: 1 },
  ]) {
    await call("POST", `/campaigns/${id}/steps`, step);
  }
  const leads = Array.from({ length: LEADS }, (_, nth) => ({
    email: `person${nth}@firm${nth}.example`,
  }));
  for (let from = 0; from < LEADS; from += PAGE) {
    await call("POST", `/campaigns/${id}/leads`, { leads: leads.slice(from, from + PAGE) });
  }
  await call("POST", `/campaigns/${id}/start`);
  return id;
}

function fileOf(lines: number): string {
  const rows = Array.from({ length: lines }, (_, nth) => `filed${nth}@house${nth}.example,F${nth}`);
  return ["email,first_name", ...rows].join("\n");
}

/** Addresses of leads that are held because nobody knows whether their email left. */
async function heldOf(call: ApiCall, campaign: string): Promise<string[]> {
  const { data } = await call("GET", `/campaigns/${campaign}/leads?hold_reason=unknown_send`);
  return data.map(({ email }: { email: string }) => email);
}

/** Recipient and subject of each email that the sandbox was handed. */
async function mailsOf(call: ApiCall): Promise<string[]> {
  const mails: string[] = [];
  for (let after = ""; ; ) {
    const page = await call("GET", `/sandbox/messages?limit=${PAGE}${after}`);
    for (const { recipient, subject } of page.data) {
      mails.push(`${recipient} ${subject}`);
    }
    if (page.next_cursor === null) {
      return mails;
    }
    after = `&after=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** How the page's contents are drawn while nobody answers. */
async function greyOf(page: Page): Promise<string> {
  return String(
    await page.evaluate("getComputedStyle(document.querySelector('.shell .content')).filter"),
  );
}
