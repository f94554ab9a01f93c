/** Guarantees of `mail/spamd.ts`: what the real daemon says is read, and nothing it does takes us down. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { createSpamd, readReport } from "#mail/spamd.ts";
import { LOCAL_DNS } from "../support/dns.ts";
import { SPAMD, type SpamdServer, skips, startSpamd } from "./spamd-server.ts";

const STARTING_MS_MAX = 120_000;
/** The text that every SpamAssassin is to call spam. */
const GTUBE = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

function mail(subject: string, text: string): Uint8Array {
  const lines = [
    "From: Ann <ann@sender.example>",
    "To: Bob <bob@client.example>",
    `Subject: ${subject}`,
    "Date: Mon, 02 Mar 2026 15:00:00 +0000",
    "Message-ID: <1@sender.example>",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "",
    text,
    "",
  ];
  return new TextEncoder().encode(lines.join("\r\n"));
}

describe.skipIf(skips(SPAMD))("the real daemon", () => {
  let server: SpamdServer;
  beforeAll(async () => {
    server = await startSpamd();
  }, STARTING_MS_MAX);
  afterAll(() => server.stop());

  test("calls a plain letter none, and its own test text spam, by name", async () => {
    const spamd = createSpamd({ ...server, dns: LOCAL_DNS });
    const plain = await spamd.score(mail("Tuesday", "Hello Bob,\r\n\r\ndoes Tuesday suit you?"));
    const spam = await spamd.score(mail("Tuesday", GTUBE));

    expect(plain).toMatchObject({ kind: "judged", isSpam: false, required: 5 });
    expect(spam).toMatchObject({ kind: "judged", isSpam: true });
    expect(spam.kind === "judged" && spam.rules).toContainEqual({
      name: "GTUBE",
      points: 1000,
      about: expect.stringContaining("Generic Test"),
    });
  });

  test("names what it holds against a subject in capitals", async () => {
    const shouted = await createSpamd({ ...server, dns: LOCAL_DNS }).score(
      mail("BUY THIS NOW AND SAVE", "Hello Bob"),
    );
    const names = shouted.kind === "judged" ? shouted.rules.map(({ name }) => name) : [];
    expect(names).toContain("SUBJ_ALL_CAPS");
  });
});

const REPORT = `SPAMD/1.1 0 EX_OK\r
Content-length: 400\r
Spam: True ; 6.4 / 5.0\r
\r
Content analysis details:   (6.4 points, 5.0 required)

 pts rule name              description
---- ---------------------- --------------------------------------------------
 1.4 SUBJ_ALL_CAPS          Subject is all capitals
-0.0 NO_RELAYS              Informational: message was not relayed via SMTP
 5.0 URIBL_BLACK            Contains an URL listed in the URIBL
                            blacklist
                            [URIs: listed.example]
`;

describe("a report", () => {
  test("is read with its score, rules and what goes on over lines", () => {
    expect(readReport(REPORT)).toEqual({
      kind: "judged",
      score: 6.4,
      required: 5,
      isSpam: true,
      rules: [
        { name: "SUBJ_ALL_CAPS", points: 1.4, about: "Subject is all capitals" },
        {
          name: "NO_RELAYS",
          points: -0,
          about: "Informational: message was not relayed via SMTP",
        },
        {
          name: "URIBL_BLACK",
          points: 5,
          about: "Contains an URL listed in the URIBL blacklist [URIs: listed.example]",
        },
      ],
    });
  });

  test.each([
    ["nothing", "", "spamd sent an unexpected response"],
    ["another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n", "spamd sent an unexpected response"],
    ["a fault of its own", "SPAMD/1.0 76 EX_PROTOCOL bad header\r\n\r\n", "EX_PROTOCOL bad header"],
    ["no score", "SPAMD/1.1 0 EX_OK\r\n\r\n", "spamd sent no score"],
  ])("%s is no judgement", (_what, answer, reason) => {
    expect(readReport(answer)).toEqual({ kind: "unavailable", reason });
  });
});

describe("a daemon", () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.close();
    }
  });

  async function listen(answer: (write: (text: string) => boolean, end: () => void) => void) {
    const { promise, resolve } = Promise.withResolvers<number>();
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      answer(
        (text) => socket.write(text),
        () => socket.destroy(),
      );
    });
    servers.push(server);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
    return { host: "127.0.0.1", port: await promise };
  }

  test("that says nothing is given up", async () => {
    const address = await listen(() => undefined);
    expect(
      await createSpamd({ ...address, dns: LOCAL_DNS, scoreMs: 50 }).score(mail("x", "y")),
    ).toEqual({
      kind: "unavailable",
      reason: "spamd did not respond in time",
    });
  });

  test("that talks without end is cut off", async () => {
    const address = await listen((write) => {
      for (let count = 0; count < 40; count += 1) {
        write("x".repeat(16 * 1024));
      }
    });
    expect(await createSpamd({ ...address, dns: LOCAL_DNS }).score(mail("x", "y"))).toEqual({
      kind: "unavailable",
      reason: "spamd sent more than a report",
    });
  });

  test("that is not there is said to be", async () => {
    const address = await listen((_write, end) => end());
    const closed = servers.pop();
    closed?.close();
    const outcome = await createSpamd({ ...address, dns: LOCAL_DNS }).score(mail("x", "y"));
    expect(outcome).toMatchObject({ kind: "unavailable" });
  });

  test("is not asked about a message that is too large", async () => {
    const outcome = await createSpamd({ host: "127.0.0.1", port: 1, dns: LOCAL_DNS }).score(
      new Uint8Array(600_000),
    );
    expect(outcome).toMatchObject({ kind: "unavailable" });
  });
});
