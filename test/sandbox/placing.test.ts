/** Simulated providers place by content, volume and reputation, and the same way every time. */

import { describe, expect, test } from "bun:test";
import { MAIL_PROVIDERS } from "#domain/mailboxes/mail-provider.ts";
import {
  contentSigns,
  type PlacedContent,
  placeMail,
  type SenderHistory,
} from "#sandbox/placing.ts";

const PLAIN: PlacedContent = {
  subject: "Deliveries at Northfield",
  text: "Hi Alex,\n\nhow do you find out that a delivery will be late?\n\nAda",
  html: null,
  offersOptOut: true,
};
const SHOUTED: PlacedContent = {
  subject: "ACT NOW: 100% FREE!!!",
  text: "Congratulations, you have been selected. Click here: https://win.example $$$ risk-free",
  html: null,
  offersOptOut: false,
};
const OFFER: PlacedContent = {
  ...PLAIN,
  subject: "Spring sale: 20% off",
  text: "Our newsletter with this week's deal and a discount. Shop now.",
  html: '<img src="https://x.example/a.png"><p>Sale</p>',
};
const KNOWN: SenderHistory = { day: 5, fortnight: 60, bounced: 0, complaints: 0.0002 };

const DRAWS = Array.from({ length: 400 }, (_, index) => index);

function share(
  wanted: string,
  content: PlacedContent,
  sender: Partial<SenderHistory> = {},
  provider: (typeof MAIL_PROVIDERS)[number] = "google",
): number {
  const placed = DRAWS.filter(
    (draw) => placeMail(provider, content, { ...KNOWN, ...sender }, [1, draw]).placement === wanted,
  );
  return placed.length / DRAWS.length;
}

describe("A simulated provider", () => {
  test("gives the same answer for the same draw, and another for another", () => {
    const once = DRAWS.map((draw) => placeMail("google", OFFER, KNOWN, [1, draw]));
    const again = DRAWS.map((draw) => placeMail("google", OFFER, KNOWN, [1, draw]));
    expect(again).toEqual(once);
    expect(new Set(once.map(({ placement }) => placement)).size).toBeGreaterThan(1);
  });

  test.each(MAIL_PROVIDERS)("%s lets plain words of a known sender through", (provider) => {
    expect(share("inbox", PLAIN, {}, provider)).toBeGreaterThan(0.9);
  });

  test("content: what shouts is spam, what offers is promotions, at Google alone", () => {
    expect(contentSigns(SHOUTED)).toBeGreaterThan(contentSigns(PLAIN) + 0.5);
    expect(share("spam", SHOUTED)).toBeGreaterThan(0.6);
    expect(share("promotions", OFFER)).toBeGreaterThan(0.5);
    expect(share("promotions", OFFER, {}, "microsoft")).toBe(0);
  });

  test("volume: the more a mailbox sends in a day, the more of it is spam", () => {
    const [quiet, busy, loud] = [10, 100, 200].map((day) => share("spam", PLAIN, { day }));
    expect(busy).toBeGreaterThan((quiet ?? 0) + 0.1);
    expect(loud).toBeGreaterThan((busy ?? 0) + 0.1);
  });

  test("reputation: bounces and complaints bring email into the spam folder", () => {
    const clean = share("spam", PLAIN);
    expect(share("spam", PLAIN, { bounced: 0.1 })).toBeGreaterThan(clean + 0.2);
    expect(share("spam", PLAIN, { complaints: 0.005 })).toBeGreaterThan(clean + 0.1);
  });

  test("what is beyond all bounds may not arrive at all", () => {
    const worst = { day: 300, bounced: 0.2, complaints: 0.02 };
    expect(share("not_delivered", SHOUTED, worst)).toBeGreaterThan(0.2);
    expect(share("not_delivered", PLAIN)).toBeLessThan(0.05);
  });

  test("takes seconds, or minutes where it asks for another try", () => {
    const delays = DRAWS.map((draw) => placeMail("google", PLAIN, KNOWN, [1, draw]).after);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1_000);
    expect(delays.filter((ms) => ms > 60_000).length).toBeGreaterThan(5);
    expect(Math.max(...delays)).toBeLessThan(15 * 60_000);
  });
});
