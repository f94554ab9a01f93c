/** Quotes of programs in many languages: nothing that was written is lost, nothing that is quoted stays. */

import { describe, expect, test } from "bun:test";
import { classify } from "#domain/inbox/classify.ts";
import { quotedRecipients } from "#domain/inbox/quoted-recipients.ts";
import { stripReply } from "#domain/inbox/reply.ts";
import { OUTLOOK_WORDS, ROUNDCUBE_WORDS } from "../../support/quote-languages.ts";
import { makeMail } from "./make-mail.ts";

const WRITTEN = ["Thanks: that sounds fine.", "Tel: 0161 496 0144", "Ada"].join("\n\n");
const QUOTED = "Hello Ada,\n\nwould you buy this?\n\nDon't want to hear from us? Unsubscribe";
const DATES = ["2026-03-02 15:04", "Montag, 2. März 2026 15:04", "02.03.2026, 15:04"];

const rowsOf = (table: string) => table.split("\n").map((row) => row.split("|"));
const fields = (row: readonly string[], address: string) => {
  const [, from, sent, to, subject] = row;
  return DATES.map((date) =>
    [
      `${from}: Sam Out${address}`,
      `${sent}: ${date}`,
      `${to}: Ada Smith <ada@example.com>`,
      `${subject}: Offer`,
    ].join("\n"),
  );
};

/** Whatever is left of the wholes, by the language whose whole isn't cut right. */
function wrong(wholes: readonly (readonly [string, string])[]): string[] {
  return wholes
    .filter(([, quote]) => stripReply(`${WRITTEN}\n\n${quote}\n\n${QUOTED}\n`) !== WRITTEN)
    .map(([language, quote]) => `${language}: ${quote.split("\n")[0]}`);
}

describe("of a reply in any of these languages is left what was written", () => {
  test("above Outlook's header block, with the sender's address or without", () => {
    const blocks = rowsOf(OUTLOOK_WORDS).flatMap((row) =>
      ["", " <sam@out.test>", " [mailto:sam@out.test]"].flatMap((address) =>
        fields(row, address).map((block) => [row[0] ?? "", block] as const),
      ),
    );
    expect(wrong(blocks)).toEqual([]);
  });

  test("above the block that has the names of Roundcube's headers, also in bold", () => {
    const blocks = rowsOf(ROUNDCUBE_WORDS).flatMap((row) =>
      fields(row, " <sam@out.test>").flatMap((block) => [
        [row[0] ?? "", block] as const,
        [row[0] ?? "", block.replaceAll(/^([^:]+):/gm, "*$1:*")] as const,
      ]),
    );
    expect(wrong(blocks)).toEqual([]);
  });

  test("above a title between dashes and a block", () => {
    const blocks = rowsOf(ROUNDCUBE_WORDS)
      .filter((row) => (row[6] ?? "") !== "")
      .map((row) => {
        const [block = ""] = fields(row, " <sam@out.test>");
        return [row[0] ?? "", `-------- ${row[6]} --------\n${block}`] as const;
      });
    expect(wrong(blocks)).toEqual([]);
  });

  test("above the line that says who wrote, with an address, without, and broken in two", () => {
    const intros = rowsOf(ROUNDCUBE_WORDS).filter((row) => (row[5] ?? "") !== "");
    const lines = intros.flatMap(([language = "", , , , , intro = ""]) =>
      ["Sam Out", "Sam Out <sam@out.test>"].flatMap((me) =>
        DATES.map((date) => [language, intro.replace("{date}", date).replace("{me}", me)] as const),
      ),
    );
    expect(lines.length).toBeGreaterThan(300);
    expect(wrong(lines)).toEqual([]);
    const broken = lines
      .filter(([, line]) => /^[^:].*\d.* Sam Out </.test(line))
      .map(([language, line]) => [language, line.replace(" Sam", "\nSam")] as const);
    expect(broken.length).toBeGreaterThan(100);
    expect(wrong(broken)).toEqual([]);
  });
});

test("the block names to whom the quoted email was written, whatever its language", () => {
  const blocks = [...rowsOf(OUTLOOK_WORDS), ...rowsOf(ROUNDCUBE_WORDS)].flatMap((row) =>
    fields(row, " <sam@out.test>").flatMap((block) => [
      [row[0] ?? "", block] as const,
      [row[0] ?? "", block.replaceAll(/^([^:]+):/gm, "> *$1:*")] as const,
    ]),
  );
  expect(blocks.length).toBeGreaterThan(500);
  const missed = blocks.filter(([, block]) => {
    const text = `${WRITTEN}\nMail: ben@else.test\n\n${block}\n\n${QUOTED}\n\nFrom: Sam <sam@out.test>\nTo: eve@else.test`;
    return quotedRecipients(text, ["sam@out.test"]).join() !== "ada@example.com";
  });
  expect(missed.map(([language]) => language)).toEqual([]);
});

test("the signs that turn a line from right to left hide nothing", () => {
  const gmail =
    "\u202bבתאריך יום ב׳, 2 במרץ 2026 ב-15:04 מאת \u202aSam Out\u202c <\u202asam@out.test\u202c>:\u202c";
  const outlook = "\u200fמאת: Sam Out\n\u200fנשלח: 02.03.2026\n\u200fאל: Ada\n\u200fנושא: Offer";
  expect(
    wrong([
      ["gmail", gmail],
      ["outlook", outlook],
    ]),
  ).toEqual([]);
});

test("what is written below such a line stays", () => {
  const intros = rowsOf(ROUNDCUBE_WORDS).filter((row) => (row[5] ?? "") !== "");
  const below = intros
    .map(([language = "", , , , , intro = ""]) => {
      const line = intro
        .replace("{date}", "2026-03-02 15:04")
        .replace("{me}", "Sam <sam@out.test>");
      return [language, stripReply(`${line}\n> Would you buy this?\n\nYes.\n`)] as const;
    })
    .filter(([, left]) => left !== "Yes.");
  expect(below).toEqual([]);
});

describe("a person's own lines with colons are theirs", () => {
  test.each([
    "Name: Ada Smith\nTelefon: 0161 496 0144\nE-Mail: ada@example.com\nWeb: example.com",
    "Wann: Montag, 2. März 2026 15:00\nWo: Köln\nWer: Tom und ich",
    "Kontakt: Ada Smith <ada@example.com>\nMobil: 0170 123456\nBüro: Köln",
    "Start: 2026-03-02 15:04\nEnde: 2026-03-02 16:00\nThema: Angebot",
    "Von: Köln\nNach: Hamburg\nDatum: 2. März 2026",
    "On 2 March 2026 at 15:04 you told me that Bob wrote to us. Fine.",
    "Im Angebot vom 02.03.2026 steht:\nvierzig Plätze. Das passt.",
    "--- Preise ---\nKlein: 10\nGroß: 20",
  ])("%#", (text) => {
    expect(stripReply(text)).toBe(text);
  });
});

test("our own line below such a block opts nobody out", () => {
  const optedOut = rowsOf(OUTLOOK_WORDS)
    .map((row) => [row[0], `${fields(row, " <sam@out.test>")[1]}\n\n${QUOTED}`] as const)
    .filter(([, quote]) => {
      const mail = makeMail({ text: `Which of our sites do you mean?\n\n${quote}` });
      return classify(mail, { addresses: [] }).optOut;
    })
    .map(([language]) => language);
  expect(optedOut).toEqual([]);
});
