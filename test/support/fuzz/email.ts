/** Emails: changed ones of the corpus where it is, and always a few of our own. */

import { readFileSync } from "node:fs";
import { type Classification, classify } from "#domain/inbox/classify.ts";
import { parseMail } from "#mail/parse.ts";
import { CORPUS_DIR, corpusSamples } from "../corpus.ts";
import type { Target } from "./fuzz.ts";
import { MALFORMED } from "./malformed.ts";

/** An email of a megabyte may take longer than one of the usual size; the first look also compiles. */
export const EMAIL_CPU_MS_MAX = 100;
const BYTES_MAX = 65_536;

export async function readingOf(raw: Uint8Array): Promise<Classification> {
  return classify(await parseMail(raw), { addresses: ["sam@out.test"] });
}

/** Every email is read, and it's said why as what. */
export const email: Target = {
  name: "email",
  cpuMsMax: EMAIL_CPU_MS_MAX,
  inputs: () => [
    ...corpusSamples()
      .filter(({ file }) => file.endsWith(".eml"))
      .map(({ file }) => new Uint8Array(readFileSync(CORPUS_DIR + file))),
    ...MALFORMED.map(({ make }) => make()).filter(({ length }) => length < BYTES_MAX),
  ],
  tokens: [
    "\r\n\r\n",
    "\r\n",
    "\r",
    "\n--b\n",
    "\u0000",
    "\u00ff\u00fe",
    "=?utf-8?B?4pi",
    "=?x-none?Q?=?=",
    "Content-Type: message/delivery-status\r\n",
    "Content-Type: multipart/report; boundary=b\r\n",
    "Content-Transfer-Encoding: base64\r\n",
    "Status: 5.1.1\r\n",
    "Final-Recipient: rfc822; \r\n",
    "Action: failed\r\n",
    "On Mon, Ada wrote:\n",
    "> > > > ",
    "From: \r\n",
    "a@b.c,",
    "<<<<<<",
    "550 5.1.1 ",
    "back on 31/2 until ",
    "1.1.1.1.1.1",
    "user unknown user unknown ",
    "not deliver ",
    "に戻ります3月",
    '{"notificationType":"Bounce","',
    "   \t  \t ",
    "-----------------",
  ],
  run: async (input) => {
    const { kind, severity, status, optOut, interest, confidence, evidence } =
      await readingOf(input);
    if (evidence === "") {
      throw new Error("it isn't said why");
    }
    return [kind, severity, status?.[0], optOut, interest, confidence].join(" ");
  },
};
