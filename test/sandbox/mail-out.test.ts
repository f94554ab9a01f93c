/** Guarantees of `sandbox/mail-out.ts`: what comes back is well-formed email of the kind it says. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { header, type ParsedMail } from "#domain/inbox/mail.ts";
import { unixMs } from "#domain/time.ts";
import { composeMessage } from "#mail/compose.ts";
import { parseMail } from "#mail/parse.ts";
import { type Original, type Writing, writeReaction } from "#sandbox/mail-out.ts";
import { LANGUAGES } from "#sandbox/phrases.ts";
import { HOSTS } from "#sandbox/providers.ts";
import { readMail } from "#sandbox/read-mail.ts";
import { REACTION_KINDS } from "#sandbox/settings.ts";
import { message, START } from "./support.ts";

const ADA = "ada.lovelace@example.com";

function original(raw: Uint8Array, messageId: string): Original {
  return {
    raw,
    mail: readMail(raw),
    messageId,
    sender: "ann@acme.test",
    recipient: ADA,
    sentAt: START,
  };
}

function plainOriginal(fields: Parameters<typeof message>[1] = {}): Original {
  const { raw, messageId } = message(ADA, { messageId: "<m1@acme.test>", ...fields });
  return original(raw, messageId);
}

const WRITING: Writing = {
  id: "r.1",
  at: unixMs(START + 3_600_000),
  host: "postfix",
  language: "en",
  pick: 0.5,
};

const write = (
  kind: (typeof REACTION_KINDS)[number],
  change: Partial<Writing> = {},
  to: Original = plainOriginal(),
): Promise<ParsedMail> => parseMail(writeReaction(kind, to, { ...WRITING, ...change }));

describe("every reaction", () => {
  const anyWriting = fc.record({
    kind: fc.constantFrom(...REACTION_KINDS),
    language: fc.constantFrom(...LANGUAGES),
    host: fc.constantFrom(...HOSTS),
    pick: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  const anyText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 });

  test("is CRLF throughout, keeps its lines short, and says who, to whom, when and in answer to what", async () => {
    await fc.assert(
      fc.asyncProperty(anyWriting, anyText, anyText, async ({ kind, ...change }, subject, text) => {
        const raw = await composeMessage({
          from: { name: "Änn Smith", address: "ann@acme.test" },
          to: { name: "Ada", address: ADA },
          subject,
          text,
          html: "<p>x</p>",
          messageId: "<m1@acme.test>",
          date: START,
          inReplyTo: "<m0@acme.test>",
          references: ["<m0@acme.test>"],
          headers: [],
        });
        const to = original(raw, "<m1@acme.test>");
        const written = writeReaction(kind, to, { ...WRITING, ...change });
        const mail = await parseMail(written);
        const source = Buffer.from(written).toString("utf8");
        expect(source.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
        expect(Math.max(...source.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(
          998,
        );
        expect(mail.to).toEqual(["ann@acme.test"]);
        expect(mail.from?.address).toEndWith("@example.com");
        expect(mail.date).toBe(WRITING.at);
        expect(mail.messageId).toBe("<r.1@example.com>");
        const about = (await parseMail(raw)).subject;
        if (kind === "reply" && !/^re:/i.test(about)) {
          expect(mail.subject).toBe(`Re: ${about}`.trim());
        }
        if (kind !== "complaint") {
          expect(mail.inReplyTo).toBe("<m1@acme.test>");
          expect(mail.references).toEqual(["<m0@acme.test>", "<m1@acme.test>"]);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe("a reply", () => {
  test("carries the words, then what it answers as a quotation", async () => {
    const mail = await write("reply", { text: "Rufen Sie mich an – gerne früh." });
    expect(mail.subject).toBe("Re: Your roof");
    expect(mail.from).toEqual({ name: "Ada Lovelace", address: ADA });
    expect(mail.text).toStartWith("Rufen Sie mich an – gerne früh.\n\n");
    expect(mail.text).toContain('On 2 March 2026, "Ann" <ann@acme.test> wrote:');
    expect(mail.text).toContain("> may I ask you something?");
    expect(header(mail, "auto-submitted")).toBeNull();
  });

  test("does not pile up Re:", async () => {
    const mail = await write("reply", {}, plainOriginal({ subject: "Re: Your roof" }));
    expect(mail.subject).toBe("Re: Your roof");
  });

  test("may come from a colleague", async () => {
    const mail = await write("interested", { from: "charles@example.com" });
    expect(mail.from).toEqual({ name: "Charles", address: "charles@example.com" });
  });

  test("goes to Reply-To where there is one", async () => {
    const mail = await write("reply", {}, plainOriginal({ headers: ["Reply-To: desk@acme.test"] }));
    expect(mail.to).toEqual(["desk@acme.test"]);
  });
});

describe("a holiday notice (RFC 3834)", () => {
  test.each(HOSTS.map((host) => [host] as const))(
    "of %s says that nobody wrote it",
    async (host) => {
      const mail = await write("auto_reply", { host });
      expect(header(mail, "auto-submitted")).toStartWith("auto-");
      expect(header(mail, "return-path")).toBe("<>");
    },
  );

  test.each(LANGUAGES.map((language) => [language] as const))(
    "in %s names the day of return",
    async (language) => {
      const mail = await write("auto_reply", { language, returnsOn: "2026-03-16" });
      expect(mail.text).toContain("16");
      expect(mail.text).toContain("2026");
      expect(mail.subject).toEndWith("Your roof");
    },
  );

  test("without a date given returns on a weekday to come", async () => {
    for (const pick of [0, 0.2, 0.4, 0.6, 0.8, 0.99]) {
      const mail = await write("auto_reply", { pick });
      const date = /back on (\d+) (\w+) (\d+)/.exec(mail.text);
      expect(date?.[2]).toBe("March");
      const day = Temporal.PlainDate.from({ year: 2026, month: 3, day: Number(date?.[1]) });
      expect(day.dayOfWeek).toBeLessThanOrEqual(5);
      expect(day.day).toBeGreaterThan(2);
    }
  });
});

describe("a bounce (RFC 3464)", () => {
  test.each([
    ["google", "hard_bounce", "5.1.1"],
    ["microsoft", "hard_bounce", "5.1.10"],
    ["postfix", "hard_bounce", "5.1.1"],
    ["google", "soft_bounce", "4.2.2"],
    ["microsoft", "soft_bounce", "5.2.2"],
    ["postfix", "soft_bounce", "4.2.2"],
  ] as const)(
    "of %s, %s, reports %s for the recipient and returns our headers",
    async (host, kind, status) => {
      const mail = await write(kind, { host });
      const report =
        mail.parts.find(({ type }) => type === "message/delivery-status")?.content ?? "";
      expect(report).toContain(`Final-Recipient: rfc822; ${ADA}`);
      expect(report).toContain("Action: failed");
      expect(report).toContain(`Status: ${status}`);
      const returned = mail.parts.find(({ type }) => type === "text/rfc822-headers")?.content ?? "";
      expect(returned).toContain("Message-ID: <m1@acme.test>");
      expect(header(mail, "content-type")).toContain("report-type=delivery-status");
      expect(header(mail, "return-path")).toBe("<>");
    },
  );
});

test("a complaint (RFC 5965) names the recipient and encloses the message", async () => {
  const mail = await write("complaint");
  const report = mail.parts.find(({ type }) => type === "message/feedback-report")?.content ?? "";
  expect(report).toContain("Feedback-Type: abuse");
  expect(report).toContain(`Original-Rcpt-To: <${ADA}>`);
  const enclosed = mail.parts.find(({ type }) => type === "message/rfc822")?.content ?? "";
  expect(enclosed).toContain("Message-ID: <m1@acme.test>");
  expect(enclosed).toContain("may I ask you something?");
});

describe("an opt-out", () => {
  const offer =
    "List-Unsubscribe: <https://x.test/u/abc>, <mailto:ann+u@acme.test?subject=stop%20abc>";

  test("is typed into an answer", async () => {
    const mail = await write("unsubscribe", { pick: 0.99 }, plainOriginal({ headers: [offer] }));
    expect(mail.inReplyTo).toBe("<m1@acme.test>");
    expect(mail.text).toStartWith("Stop emailing me.\n");
  });

  test("or sent to the address that the message offers for it", async () => {
    const mail = await write("unsubscribe", { pick: 0.1 }, plainOriginal({ headers: [offer] }));
    expect(mail.to).toEqual(["ann+u@acme.test"]);
    expect(mail.subject).toBe("stop abc");
    expect(mail.inReplyTo).toBeNull();
  });

  test("in a person's own words is always typed", async () => {
    const to = plainOriginal({ headers: [offer] });
    const mail = await write("unsubscribe", { pick: 0.1, text: "No more, please." }, to);
    expect(mail.text).toStartWith("No more, please.\n");
  });
});

test("hostile words cannot add a header or a part", async () => {
  const evil = "x\r\nBcc: all@example.com\r\n\r\n--=_r.1\r\nContent-Type: text/html\r\n\r\n<b>";
  for (const kind of REACTION_KINDS) {
    const mail = await write(kind, { text: evil, from: "a\r\nBcc: b@example.com" });
    expect(header(mail, "bcc")).toBeNull();
    expect(mail.html).toBeNull();
  }
});
