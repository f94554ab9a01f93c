/** Who is a machine: by its name, by its haste, by following several links at once. */

import { describe, expect, test } from "bun:test";
import {
  BURST_MS,
  isByMachine,
  saysMachine,
  TOO_SOON_MS,
  type Touch,
} from "#domain/sending/tracking.ts";
import { plus, unixMs } from "#domain/time.ts";

const SENT = unixMs(1_000_000);
const at = (ms: number, link: number | null = null, machine = false): Touch => ({
  at: plus(SENT, ms),
  link,
  machine,
});
const judge = (touch: Touch, ...others: Touch[]) =>
  isByMachine(touch, { sentAt: SENT, burstAt: null, near: [touch, ...others] });

describe("names", () => {
  test.each([
    [null],
    [""],
    ["Mozilla/5.0"],
    ["Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)"],
    ["YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html"],
    ["Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b"],
    ["Mozilla/5.0 (compatible; Barracuda/1.0)"],
    ["Mozilla/5.0 SafeLinks"],
    ["Slackbot-LinkExpanding 1.0"],
    ["facebookexternalhit/1.1"],
    ["python-requests/2.31.0"],
    ["curl/8.5.0"],
    ["Mozilla/5.0 HeadlessChrome/120.0"],
  ])("%p is a machine", (agent) => {
    expect(saysMachine(agent, null)).toBe(true);
  });

  test.each([
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0"],
    ["Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.5122; Pro)"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Mobile/15E148 Safari/604.1"],
  ])("%p may be a person, unless it fetches ahead", (agent) => {
    expect(saysMachine(agent, null)).toBe(false);
    expect(saysMachine(agent, "prefetch;prerender")).toBe(true);
    expect(saysMachine(agent, "preview")).toBe(true);
  });
});

describe("behaviour", () => {
  test("seconds after sending is a machine's, later a person's", () => {
    expect(judge(at(TOO_SOON_MS - 1))).toBe(true);
    expect(judge(at(TOO_SOON_MS))).toBe(false);
    expect(judge(at(TOO_SOON_MS, null, true))).toBe(true);
  });

  test("before the server has taken the email it is a machine's", () => {
    const touch = at(TOO_SOON_MS * 10);
    expect(isByMachine(touch, { sentAt: null, burstAt: null, near: [touch] })).toBe(true);
  });

  test("several links at once are a machine's, and so is the picture then", () => {
    const later = TOO_SOON_MS * 10;
    expect(judge(at(later, 0), at(later + BURST_MS, 1))).toBe(true);
    expect(judge(at(later + BURST_MS, 1), at(later, 0))).toBe(true);
    expect(judge(at(later), at(later, 0), at(later, 1))).toBe(true);
    expect(judge(at(later, 0), at(later + BURST_MS + 1, 1))).toBe(false);
    expect(judge(at(later, 0), at(later + 1, 0))).toBe(false);
    expect(judge(at(later), at(later, 0))).toBe(false);
  });

  test("a burst that was seen goes on", () => {
    const touch = at(TOO_SOON_MS * 10, 4);
    const known = { sentAt: SENT, near: [touch] };
    expect(isByMachine(touch, { ...known, burstAt: plus(touch.at, -BURST_MS) })).toBe(true);
    expect(isByMachine(touch, { ...known, burstAt: plus(touch.at, -BURST_MS - 1) })).toBe(false);
  });
});
