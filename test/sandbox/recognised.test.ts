/**
 * What the simulated environment sends back is recognised for what it is, in every language, by every host
 * and in every wording: else a demonstration would show what the product does not do.
 */

import { describe, expect, test } from "bun:test";
import { classify } from "#domain/inbox/classify.ts";
import { matchKeys } from "#domain/inbox/match.ts";
import { plus } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import { type Original, type Writing, writeReaction } from "#sandbox/mail-out.ts";
import { LANGUAGES } from "#sandbox/phrases.ts";
import { HOSTS } from "#sandbox/providers.ts";
import { readMail } from "#sandbox/read-mail.ts";
import type { PlayedKind } from "#sandbox/settings.ts";
import { message, START } from "./support.ts";

const ADA = "ada.lovelace@example.com";
const PICKS = [0.01, 0.35, 0.5, 0.7, 0.99];

const WRITINGS = HOSTS.flatMap((host) =>
  LANGUAGES.flatMap((language) => PICKS.map((pick) => ({ host, language, pick }))),
);

function original(): Original {
  const { raw, messageId } = message(ADA, { messageId: "<m1@acme.test>" });
  return {
    raw,
    mail: readMail(raw),
    messageId,
    sender: "ann@acme.test",
    recipient: ADA,
    sentAt: START,
  };
}

async function read(kind: PlayedKind, change: Pick<Writing, "host" | "language" | "pick">) {
  const writing = { id: "r.1", at: plus(START, 3_600_000), returnsOn: "2026-03-16", ...change };
  const mail = await parseMail(writeReaction(kind, original(), writing));
  const reading = classify(mail, { addresses: ["ann@acme.test"] });
  return { ...reading, keys: matchKeys(mail, reading), about: JSON.stringify(change) };
}

describe("a classifier", () => {
  test.each([
    ["reply", { kind: "reply", optOut: false }],
    ["interested", { kind: "reply", optOut: false }],
    ["auto_reply", { kind: "auto_reply", returnsOn: "2026-03-16" }],
    ["hard_bounce", { kind: "bounce", severity: "hard", recipients: [ADA] }],
    ["soft_bounce", { kind: "bounce", severity: "soft", recipients: [ADA] }],
    ["complaint", { kind: "complaint" }],
    ["unsubscribe", { kind: "unsubscribe" }],
    ["block_bounce", { kind: "bounce", severity: "block", recipients: [ADA] }],
    ["delay", { kind: "notice" }],
    ["left_company", { kind: "auto_reply", hasLeft: true }],
  ] as const)("knows each %s, and which message it is about", async (kind, expected) => {
    for (const writing of WRITINGS) {
      const reading = await read(kind, writing);
      expect({ ...reading }).toMatchObject({ ...expected, about: reading.about });
      expect([reading.about, reading.keys.messageIds[0]]).toEqual([
        reading.about,
        "<m1@acme.test>",
      ]);
    }
  });

  test("takes a newsletter for what it is, and no answer", async () => {
    const reading = await read("newsletter", { host: "google", language: "en", pick: 0.5 });
    expect(reading.kind).toBe("unrelated");
    expect(reading.keys.messageIds).toEqual([]);
  });

  test("tells people who are interested from others", async () => {
    for (const writing of WRITINGS) {
      const yes = await read("interested", writing);
      expect([yes.text, yes.interest]).toEqual([
        yes.text,
        expect.stringMatching(/^(interested|meeting)$/),
      ]);
      const other = await read("reply", writing);
      const { interest } = other;
      expect([other.text, interest === "interested" || interest === "meeting"]).toEqual([
        other.text,
        false,
      ]);
    }
  });
});
