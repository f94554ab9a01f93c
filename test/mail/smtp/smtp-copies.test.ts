/**
 * Guarantees of copies: they go out with the email that they are copies of, one that is refused keeps nobody
 * else's away, and no copy goes out where the recipient is refused.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { counted, localMailPort, message, smtpMailbox } from "../support.ts";
import { type SmtpSink, startSmtpSink } from "./smtp-sink.ts";

const LIMITS = { connectMs: 300, replyMs: 300, sendMs: 5_000, idleMs: 5_000 };
const COPIES = ["bob@acme.test", "carol@acme.test"];
const NO_SUCH = "550 5.1.1 no such user";

let sink: SmtpSink | undefined;
afterEach(async () => {
  await sink?.stop();
  sink = undefined;
});

describe.each([
  ["one command at a time", false],
  ["commands in a row", true],
])("%s", (_, pipelining) => {
  async function send(refused: RegExp, copies: readonly string[] = COPIES) {
    sink = await startSmtpSink(
      ({ moment, line }) => (moment === "RCPT" && refused.test(line) ? NO_SUCH : undefined),
      { pipelining },
    );
    const port = localMailPort({ limits: LIMITS });
    const { calls, beforeBody } = counted();
    const outcome = await port.send(smtpMailbox(sink.port), { ...message(), copies }, beforeBody);
    const asked = sink.commands.filter((line) => line.includes("RCPT"));
    const { bodies } = sink;
    // The connection is as good as before, or gone: another email goes out.
    const next = await port.send(
      smtpMailbox(sink.port),
      message("dora@acme.test"),
      async () => undefined,
    );
    await port.close();
    return { outcome, asked, sent: bodies.length - 1, next: next.kind, lastWords: calls.count };
  }

  test("all get the one email", async () => {
    const { outcome, asked, sent, next } = await send(/nobody/);
    expect(outcome).toEqual({ kind: "accepted", response: "250 2.0.0 queued as 1" });
    expect(asked.map((line) => /<(.*)>/.exec(line)?.[1])).toEqual(["alice@acme.test", ...COPIES]);
    expect([sent, next]).toEqual([1, "accepted"]);
  });

  test("a copy that is refused is told of, and the others go out", async () => {
    const { outcome, sent, next } = await send(/bob/);
    expect(outcome).toEqual({
      kind: "accepted",
      response: "250 2.0.0 queued as 1; no copy to bob@acme.test: 550 5.1.1 no such user",
    });
    expect([sent, next]).toEqual([1, "accepted"]);
  });

  test("a recipient that is refused keeps all copies away, and is what is told of", async () => {
    const { outcome, sent, next, lastWords } = await send(/alice/);
    expect(outcome).toMatchObject({ kind: "refused", stage: "rcpt", code: 550, enhanced: "5.1.1" });
    expect([sent, next, lastWords]).toEqual([0, "accepted", 0]);
  });

  test("where all are refused, it is the recipient's refusal that counts", async () => {
    const { outcome, sent, next } = await send(/alice|bob|carol/);
    expect(outcome).toMatchObject({ kind: "refused", stage: "rcpt", enhanced: "5.1.1" });
    expect([sent, next]).toEqual([0, "accepted"]);
  });

  test("what is no address becomes no command", async () => {
    const { outcome, asked } = await send(/nobody/, ["x@acme.test>\r\nRCPT TO:<y@acme.test"]);
    expect(outcome.kind).toBe("accepted");
    expect(asked).toHaveLength(1);
  });
});
