/** Guarantees of `domain/inbox/conversation.ts`, `own-words.ts` and the small rules of answering. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { afterOutOfOffice } from "#domain/campaigns/schedule.ts";
import type { SendWindow } from "#domain/campaigns/window.ts";
import { INBOUND_KINDS } from "#domain/inbox/classify.ts";
import { bareSubject, decisiveMail, detailOf } from "#domain/inbox/conversation.ts";
import { providerIdIn } from "#domain/mailboxes/send-outcome.ts";
import { ownWords } from "#domain/sending/own-words.ts";
import { toIso } from "#domain/time.ts";

describe("bareSubject", () => {
  test.each([
    ["Re: Offer", "offer"],
    ["RE: AW: Offer", "offer"],
    ["Antw[2]: SV:  Offer  for you", "offer for you"],
    ["[EXT] Re: [External] Offer", "offer"],
    ["Fwd: WG: offer", "offer"],
    ["回复: Re：Offer", "offer"],
    ["Regarding: Offer", "regarding: offer"],
    ["[Acme] Offer", "[acme] offer"],
    ["Re:", ""],
  ])("%p is %p", (subject, bare) => {
    expect(bareSubject(subject)).toBe(bare);
  });

  test("is bare after one pass, and at once for any subject", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("Re: ", "AW:", "[EXT]", "x", " ", "fw ")), (parts) => {
        const bare = bareSubject(parts.slice(0, 20).join(""));
        expect(bareSubject(bare)).toBe(bare);
      }),
    );
    expect(bareSubject("Re: ".repeat(100_000)).length).toBeGreaterThan(0);
  });
});

describe("decisiveMail", () => {
  test.each([
    [["auto_reply", "reply"], 1],
    [["notice", "bounce"], 1],
    [["notice", "unrelated"], 0],
    [["reply", "unsubscribe"], 0],
    [[], -1],
  ] as const)("of %p, newest first, it is number %p", (kinds, place) => {
    expect(decisiveMail(kinds)).toBe(place);
  });

  test("names an email wherever there is one", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...INBOUND_KINDS), { minLength: 1 }), (kinds) => {
        expect(kinds[decisiveMail(kinds)]).toBeDefined();
      }),
    );
  });
});

test.each([
  ["ann+019CAF10-3180-7001-8999-72f2efcda3fc@x.example", "019caf10-3180-7001-8999-72f2efcda3fc"],
  ["b+b.019caf10-3180-7001-8999-72f2efcda3fc@x.example", "019caf10-3180-7001-8999-72f2efcda3fc"],
  ["ann+sales@x.example", null],
  ["ann@x.example", null],
  ["ann+019caf10-3180-7001-8999-72f2efcda3fc-1@x.example", null],
])("the detail of %s is %p", (address, detail) => {
  expect(detailOf(address)).toBe(detail);
});

test.each([
  ["Hi {{name}}", { text: "Hi {{name}}", html: "<p>Hi {{name}}</p>\n" }],
  ["a\r\nb\u0000", { text: "a\nb", html: "<p>a<br>\nb</p>\n" }],
  ["<p>Hi <b>you</b></p>", { text: "Hi you", html: "<p>Hi <b>you</b></p>" }],
  ["a < b", { text: "a < b", html: "<p>a &lt; b</p>\n" }],
  [" \n\u0007", null],
  ["<p></p>", null],
])("own words %p", (body, expected) => {
  expect(ownWords(body)).toEqual(expected);
});

describe("afterAbsence", () => {
  const office: SendWindow = {
    timezone: "Europe/Berlin",
    days: ["monday", "tuesday", "wednesday", "thursday", "friday"],
    startHour: 9,
    endHour: 17,
    skipHolidays: [],
  };
  const weekend: SendWindow = { ...office, days: ["saturday", "sunday"] };
  test.each([
    ["the day after a Tuesday", office, null, "2026-03-10", "2026-03-11T08:00:00.000Z"],
    ["Monday after a Friday", office, null, "2026-03-13", "2026-03-16T08:00:00.000Z"],
    ["Monday after a Saturday", office, null, "2026-03-14", "2026-03-16T08:00:00.000Z"],
    ["Monday after a Sunday", office, null, "2026-03-15", "2026-03-16T08:00:00.000Z"],
    [
      "in the recipient's zone",
      office,
      "America/New_York",
      "2026-03-10",
      "2026-03-11T13:00:00.000Z",
    ],
    ["the window's own day after that", weekend, null, "2026-03-13", "2026-03-21T08:00:00.000Z"],
    [
      "over the night on which clocks change",
      office,
      null,
      "2026-03-27",
      "2026-03-30T07:00:00.000Z",
    ],
  ])("%s", (_name, window, zone, returnsOn, expected) => {
    expect(toIso(afterOutOfOffice(window, zone, returnsOn))).toBe(expected);
  });
});

test.each([
  ["250 2.0.0 OK <A@prod.outlook.com> [Hostname=H]", "<A@prod.outlook.com>"],
  ["250 queued as <own@x.example>", null],
  [
    "250 Ok 0102018f2a3b4c5d-1a2b3c4d-1111-2222-3333-444455556666-000000",
    "0102018f2a3b4c5d-1a2b3c4d-1111-2222-3333-444455556666-000000",
  ],
  ["250 2.0.0 Ok: queued as 4B2Q1z0Xyz", null],
  ["250 2.0.0 OK 1772463600 a1-20020a170902b58100b00123456789abcdsi - gsmtp", null],
  ["", null],
])("the provider's id in %p is %p", (response, id) => {
  expect(providerIdIn(response, "<own@x.example>")).toBe(id);
});
