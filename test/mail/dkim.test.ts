/** Guarantees of `mail/dkim.ts`, held against a verifier that is not ours. */

import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkKey } from "#domain/mailboxes/sender-domain/dkim-record.ts";
import { unixMs } from "#domain/time.ts";
import { composeMessage, type OutgoingMessage } from "#mail/compose.ts";
import { generateSigningKey, type KeyPair, signMessage } from "#mail/dkim.ts";
import { recordOfKey } from "#usecases/mailboxes/dkim.ts";
import { verifyDkim } from "../support/dkim.ts";

const MESSAGE: OutgoingMessage = {
  from: { name: "Zoë Sender", address: "zoe@out.test" },
  to: { name: "Ann", address: "ann@example.com" },
  subject: "Grüße",
  text: "Hello\n\n.a line with a dot\nFrom here on\n\n\n",
  html: "<p>Hello</p>",
  messageId: "<1@out.test>",
  date: unixMs(1_772_352_000_000),
  inReplyTo: "<0@out.test>",
  references: ["<0@out.test>"],
  headers: [
    { name: "List-Unsubscribe", value: "<https://go.out.test/u/abc>, <mailto:zoe@out.test>" },
    { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
  ],
};

let pair: KeyPair;
beforeAll(async () => {
  pair = await generateSigningKey();
});

const sign = (raw: Uint8Array) =>
  signMessage(raw, { domain: "out.test", selector: "out1", privateKey: pair.privateKey });
function verify(raw: Uint8Array) {
  const settings = { domain: "out.test", selector: "out1", publicKey: pair.publicKey };
  const { name, value } = recordOfKey({ ...settings, createdAt: unixMs(0), activeAt: null });
  return verifyDkim(raw, { [name]: [value] });
}

describe("a signed message", () => {
  test("verifies for its domain, with both unsubscribe headers under the signature", async () => {
    const raw = await composeMessage(MESSAGE);
    const signed = await sign(raw);
    const [result] = await verify(signed);
    expect(result).toMatchObject({ result: "pass", domain: "out.test", selector: "out1" });
    expect(result?.headers).toEqual(
      expect.arrayContaining([
        ...["from", "to", "subject", "date", "message-id", "in-reply-to", "references"],
        ...["list-unsubscribe", "list-unsubscribe-post", "mime-version", "content-type"],
      ]),
    );
    expect(Buffer.from(signed.slice(-raw.length)).equals(Buffer.from(raw))).toBe(true);
  });

  test("has the same bytes each time, so that a later copy is a true copy", async () => {
    const raw = await composeMessage(MESSAGE);
    expect(await sign(raw)).toEqual(await sign(raw));
  });

  test.each([
    ["body", "Hello", "Hallo"],
    ["one-click header", "List-Unsubscribe=One-Click", "List-Unsubscribe=No"],
    ["link", "go.out.test", "go.other.test"],
  ])("no longer verifies when its %s was changed", async (_name, from, to) => {
    const signed = Buffer.from(await sign(await composeMessage(MESSAGE))).toString("latin1");
    const changed = new Uint8Array(Buffer.from(signed.replace(from, to), "latin1"));
    expect((await verify(changed))[0]?.result).not.toBe("pass");
  });

  test("does not verify with another key", async () => {
    const raw = await sign(await composeMessage(MESSAGE));
    pair = await generateSigningKey();
    expect((await verify(raw))[0]?.result).toBe("fail");
  });

  test("verifies whatever was written", async () => {
    const anyText = fc.string({ unit: "grapheme", maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(anyText, anyText, anyText, async (text, subject, name) => {
        const from = { ...MESSAGE.from, name };
        const raw = await composeMessage({ ...MESSAGE, from, text, subject });
        expect((await verify(await sign(raw)))[0]?.result).toBe("pass");
      }),
      { numRuns: 40 },
    );
  });
});

test("a key has 2,048 bits, and each is another", async () => {
  const other = await generateSigningKey();
  expect(checkKey(`v=DKIM1; p=${other.publicKey}`)).toEqual({
    good: true,
    bits: 2048,
    words: null,
  });
  expect(other.publicKey).not.toBe(pair.publicKey);
});

test("a key that is none is an exception, not an unsigned message", async () => {
  const raw = await composeMessage(MESSAGE);
  const key = { domain: "out.test", selector: "out1", privateKey: "no key" };
  expect(signMessage(raw, key)).rejects.toThrow("could not be signed");
});
