/**
 * Journey 20: names of sixty characters, long German words, Arabic, Hebrew and emoji, where the console
 * shows what people have written; for who reads at a phone, in forced colours, or wants nothing to move.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeBrowser, type OpenPage, skipsBrowser } from "../support/browser.ts";
import { type Console, startConsole } from "../support/console.ts";
import { ROUND_THE_CLOCK } from "../support/inbox.ts";
import { resize, show, spillsOf, widestOf } from "../support/screens.ts";
import { expectClean, sandboxOf } from "./console-sandbox.ts";

const TEST_MS_MAX = 240_000;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;
const NOBODY_ANSWERS = {
  ...{ reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 },
  ...{ complaint: 0, unsubscribe: 0, spam: 0 },
};

const GERMAN = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau";
const SIXTY = "Quarterly refrigeration review for the ports of Rotterdam NL";
const ARABIC = "عرض خاص لشركتكم الكريمة من أجل التعاون في العام القادم";
const HEBREW = "הצעה מיוחדת";
const EMOJI = "👩‍👩‍👧‍👦🏳️‍🌈🚚🇳🇱👍🏽";
const NAMES = [SIXTY, GERMAN, `${ARABIC} ${EMOJI}`, EMOJI.repeat(6)];
const PEOPLE = [
  { first_name: SIXTY, last_name: "Wolfeschlegelsteinhausenbergerdorff", company: GERMAN },
  { first_name: GERMAN, last_name: GERMAN, company: SIXTY },
  { first_name: "محمد عبد الرحمن", last_name: HEBREW, company: ARABIC },
  { first_name: EMOJI, last_name: EMOJI, company: EMOJI.repeat(5) },
].map((person, nth) => ({
  ...person,
  email: `${"a.very.long.name.of.a.mailbox.that.is.allowed.to.be.so".slice(0, 58)}${nth}@rindfleischetikettierungsueberwachung.example`,
}));
const SUBJECT = `{{first_name}}: ${ARABIC} ${EMOJI} ${GERMAN}`;

describe.skipIf(skipsBrowser())("journey 20: words of every kind", () => {
  let server: Console;
  let opened: OpenPage;
  const ids = { campaign: "", lead: "", thread: "", account: "" };
  const addressOf = (place: string) =>
    Object.entries(ids).reduce((path, [name, id]) => path.replace(`:${name}`, id), place);

  beforeAll(async () => {
    server = await startConsole();
    const { call, advance } = sandboxOf(server);
    await call("PATCH", "/sandbox/settings", { rates: NOBODY_ANSWERS });
    for (const display_name of NAMES) {
      const nth = NAMES.indexOf(display_name);
      const fast = { daily_limit: 500, hourly_limit: 500, min_gap_seconds: 0 };
      const email = `vertriebsmitarbeiterin.fuer.sonderfahrzeuge${nth}@geschwindigkeitsbegrenzung.example`;
      ids.account = (
        await call("POST", "/accounts", { email, display_name, provider: "smtp", ...fast })
      ).id;
    }
    for (const name of NAMES) {
      const settings = { send_window: ROUND_THE_CLOCK, max_leads_per_day: 100 };
      ids.campaign = (await call("POST", "/campaigns", { name, ...settings })).id;
      const mail = { type: "email", subject: SUBJECT, body: `${ARABIC}\n\n${GERMAN} ${EMOJI}` };
      await call("POST", `/campaigns/${ids.campaign}/steps`, mail);
      await call("POST", `/campaigns/${ids.campaign}/leads`, { leads: PEOPLE });
      await call("POST", `/campaigns/${ids.campaign}/start`);
    }
    await advance("20h");
    for (const { id, lead_id } of (await call("GET", `/campaigns/${ids.campaign}/leads`)).data) {
      const text = `${GERMAN}${GERMAN} ${EMOJI}\n\n${ARABIC} ${HEBREW}`;
      await call("POST", "/sandbox/inject", { kind: "reply", enrollment_id: id, text });
      ids.lead = lead_id;
    }
    await advance("10m");
    const { data: threads } = await call("GET", "/inbox/threads");
    expect(threads).toHaveLength(PEOPLE.length);
    ids.thread = threads[0].id;
    opened = await server.open();
  }, TEST_MS_MAX);
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await closeBrowser();
  }, TEST_MS_MAX);

  test.each([
    ["the overview", ""],
    ["campaigns", "campaigns"],
    ["a campaign", "campaigns/:campaign"],
    ["its sequence", "campaigns/:campaign/sequence"],
    ["its leads", "campaigns/:campaign/leads"],
    ["leads", "leads"],
    ["a lead", "leads/:lead"],
    ["inbox", "inbox"],
    ["a conversation", "inbox/:thread"],
    ["accounts", "accounts"],
    ["an account", "accounts/:account"],
  ] as const)(
    "20: %s",
    async (_, place) => {
      const { page } = opened;
      await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" });
      await show(page, `${server.url}/test/${addressOf(place)}`);
      expect(await page.evaluate("document.getAnimations().length")).toBe(0);
      const found: string[] = [];
      for (const size of SIZES) {
        await resize(page, size);
        for (const forcedColors of ["none", "active"] as const) {
          await page.emulateMedia({ forcedColors, reducedMotion: "reduce" });
          const at = `${size.width} px, forced colours ${forcedColors}`;
          const wide = await page.evaluate(widestOf);
          found.push(...(wide === null ? [] : [`${at}: ${wide}`]));
          found.push(...(await page.evaluate(spillsOf)).map((spill) => `${at}: ${spill}`));
        }
        await expectClean(opened);
        await page.emulateMedia({ forcedColors: "none" });
        await expectClean(opened);
      }
      expect(found).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    "20: in forced colours one sees what is chosen, and how much of it there is",
    async () => {
      const { page } = opened;
      await resize(page, SIZES[0]);
      await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
      await show(page, `${server.url}/test/campaigns/${ids.campaign}`);
      const styleOf = (of: string, what: "outlineStyle" | "backgroundColor") =>
        page.evaluate(
          ([selector, name]) => {
            const element = document.querySelector(selector ?? "");
            return element && getComputedStyle(element)[name as "outlineStyle"];
          },
          [of, what],
        );
      for (const selected of [".bar-link", ".env-switch a", ".tabs a"]) {
        expect(await styleOf(`${selected}[aria-current]`, "outlineStyle")).toBe("solid");
        expect(await styleOf(`${selected}:not([aria-current])`, "outlineStyle")).toBe("none");
      }
      const surface = await styleOf(".card", "backgroundColor");
      expect(await styleOf(".funnel-track > *", "backgroundColor")).not.toBe(surface);
    },
    TEST_MS_MAX,
  );
});
