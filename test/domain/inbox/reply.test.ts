/** Guarantees of `domain/inbox/reply.ts`: the writer's words, all of them, and nobody else's. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { stripReply } from "#domain/inbox/reply.ts";

const OURS = "Hi Ada,\n\nshall we talk?\n\nUnsubscribe: https://out.test/u/x";
const QUOTED = OURS.split("\n")
  .map((line) => `> ${line}`)
  .join("\n");

describe("what a client quotes is cut", () => {
  test.each([
    ["Gmail", `On Mon, Mar 2, 2026 at 9:00 AM Sam <sam@out.test> wrote:\n\n${QUOTED}`],
    [
      "a wrapped line",
      `On Mon, Mar 2, 2026 at 9:00 AM Sam van Dyk\n<sam@out.test> wrote:\n\n${QUOTED}`,
    ],
    ["Gmail without marks", `On Mon, Mar 2, 2026 at 9:00 AM Sam <sam@out.test> wrote:\n\n${OURS}`],
    ["German", `Am 02.03.2026 um 09:00 schrieb Sam <sam@out.test>:\n\n${QUOTED}`],
    ["German, name first", `Sam <sam@out.test> schrieb am Mo., 2. März 2026, 09:00:\n\n${QUOTED}`],
    ["French", `Le lun. 2 mars 2026 à 09:00, Sam <sam@out.test> a écrit :\n\n${QUOTED}`],
    ["Spanish", `El lun, 2 mar 2026 a las 9:00, Sam (<sam@out.test>) escribió:\n\n${QUOTED}`],
    ["Dutch", `Op ma 2 mrt 2026 om 09:00 schreef Sam <sam@out.test>:\n\n${QUOTED}`],
    [
      "Portuguese",
      `Em seg., 2 de mar. de 2026 às 09:00, Sam <sam@out.test> escreveu:\n\n${QUOTED}`,
    ],
    [
      "Italian",
      `Il giorno lun 2 mar 2026 alle ore 09:00 Sam <sam@out.test> ha scritto:\n\n${QUOTED}`,
    ],
    ["Outlook", `-----Original Message-----\nFrom: Sam\nSent: Monday\n\n${OURS}`],
    ["Outlook, German", `-----Ursprüngliche Nachricht-----\nVon: Sam\nGesendet: Montag\n\n${OURS}`],
    [
      "Outlook's line",
      `________________________________\nFrom: Sam <sam@out.test>\nSent: Monday\nTo: Ada\n\n${OURS}`,
    ],
    [
      "a block of headers",
      `From: Sam <sam@out.test>\nDate: Monday\nTo: Ada\nSubject: x\n\n${OURS}`,
    ],
    ["the same in bold", `*From:* Sam <sam@out.test>\n*Sent:* Monday\n*To:* Ada\n\n${OURS}`],
    [
      "the same in French",
      `De : Sam <sam@out.test>\nEnvoyé : lundi\nÀ : Ada\nObjet : x\n\n${OURS}`,
    ],
    ["marks alone", QUOTED],
    ["a signature", "-- \nAda Smith\nExample Ltd"],
    ["a telephone's line", "Sent from my iPhone"],
    ["a telephone's line, German", "Von meinem iPhone gesendet"],
  ])("%s", (_name, tail) => {
    expect(stripReply(`Sounds good.\n\nAda\n\n${tail}\n`)).toBe("Sounds good.\n\nAda");
    expect(stripReply(`Sounds good.\r\n\r\nAda\r\n\r\n${tail.replaceAll("\n", "\r\n")}`)).toBe(
      "Sounds good.\n\nAda",
    );
  });
});

describe("the writer's words stay", () => {
  test.each([
    [
      "below the quote",
      `On Monday Sam <sam@out.test> wrote:\n${QUOTED}\n\nYes, gladly.`,
      "Yes, gladly.",
    ],
    ["between quotes", "> Shall we?\nYes.\n> When?\nTuesday.", "Yes.\nTuesday."],
    [
      "that begin like a quote",
      "On Monday I wrote to Bob. He agrees.",
      "On Monday I wrote to Bob. He agrees.",
    ],
    [
      "with one header-like line",
      "From: our side it is fine.\nLet us talk.",
      "From: our side it is fine.\nLet us talk.",
    ],
    ["with a rule", "a\n----------------------\nb", "a\n----------------------\nb"],
  ])("%s", (_name, text, expected) => {
    expect(stripReply(text)).toBe(expected);
  });
});

test("every line of the answer is a line of the text, whatever the text is", () => {
  const line = fc.constantFrom(
    "",
    "> a",
    "On x",
    "wrote:",
    "From: x",
    "To: y",
    "Sent: z",
    "--",
    "hello",
    "<",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const kept = stripReply(lines.join("\n")).split("\n");
      expect(
        kept.filter((one) => one !== "" && !(lines as readonly string[]).includes(one)),
      ).toEqual([]);
      expect(kept.some((one) => one.startsWith(">"))).toBe(false);
    }),
  );
});
