/**
 * Guarantees of callouts over SMTP, against servers that do as a test says: what each is asked, that nothing is ever
 * sent, and that a server that misbehaves costs a bounded time and is believed nothing.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { type CalloutSession, nextQuestion, readCallout } from "#domain/mailboxes/callout.ts";
import { tableDns } from "../../support/dns.ts";
import { localMailPort } from "../support.ts";

const DOMAIN = "acme.example.org";
const CONTROL = `no-such-mailbox-1@${DOMAIN}`;
const ANN = `ann@${DOMAIN}`;
const BOB = `bob@${DOMAIN}`;
const POSTMASTER = `postmaster@${DOMAIN}`;
const UNKNOWN = "550 5.1.1 User unknown";
const MS_MAX = 1_500;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
  }
});

interface Heard {
  port: number;
  lines: string[];
  connections: number;
}

/** A server whose replies `say` gives: null is silence, "close" hangs up. */
async function serve(
  say: (line: string, socket: Socket) => string | null,
  greet: string | null | ((socket: Socket) => void) = "220 mx ESMTP",
): Promise<Heard> {
  const heard: Heard = { port: 0, lines: [], connections: 0 };
  const server = createServer((socket) => {
    heard.connections += 1;
    socket.on("error", () => undefined);
    if (typeof greet === "function") {
      greet(socket);
    } else if (greet !== null) {
      socket.write(`${greet}\r\n`);
    }
    let rest = "";
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        heard.lines.push(line);
        const reply = say(line, socket);
        if (reply === "close") {
          socket.destroy();
        } else if (reply !== null) {
          socket.write(`${reply}\r\n`);
        }
      }
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  heard.port = typeof address === "object" && address !== null ? address.port : 0;
  return heard;
}

/** Replies by address; everything else is agreed to. */
const rcpt =
  (replies: Readonly<Record<string, string>>, rest = UNKNOWN) =>
  (line: string) => {
    const to = /^RCPT TO:<(.*)>$/.exec(line)?.[1];
    return to === undefined ? (line === "QUIT" ? "221 bye" : "250 ok") : (replies[to] ?? rest);
  };

async function ask({ port }: Heard, ...leads: string[]) {
  const questions = { domain: DOMAIN, control: CONTROL, leads };
  const mail = localMailPort({
    dns: tableDns({ "mx.example.org": ["127.0.0.1"], "private.example.org": ["10.0.0.1"] }),
    mxPort: port,
    limits: { calloutMs: MS_MAX },
  });
  const callout = { teamId: "t", domain: DOMAIN, name: "out.example.org", from: "me@example.org" };
  const at = (hosts: string[]): Promise<CalloutSession> =>
    mail.callout({ ...callout, hosts }, (replies) => nextQuestion(questions, replies));
  const from = performance.now();
  const session = await at(["mx.example.org"]);
  const ms = performance.now() - from;
  return { session, ms, at, ...readCallout(questions, session) };
}

const askedOf = ({ lines }: Heard) =>
  lines.flatMap((line) => /^RCPT TO:<(.*)>$/.exec(line)?.[1] ?? []);

describe("a callout", () => {
  test("greets, names the mailbox, asks, says goodbye, and never says DATA", async () => {
    const server = await serve(rcpt({ [ANN]: "250 ok" }));
    const { answers, catchAll } = await ask(server, ANN, BOB);
    expect(server.lines).toEqual([
      "EHLO out.example.org",
      "MAIL FROM:<me@example.org>",
      ...[CONTROL, ANN, BOB].map((to) => `RCPT TO:<${to}>`),
      "QUIT",
    ]);
    expect(catchAll).toBe(false);
    expect([...answers]).toEqual([
      [ANN, "accepted"],
      [BOB, "unknown_user"],
    ]);
  });

  test("asks nobody at a domain that takes any address", async () => {
    const server = await serve(rcpt({}, "250 ok"));
    const { answers, catchAll } = await ask(server, ANN, BOB);
    expect(askedOf(server)).toEqual([CONTROL]);
    expect([catchAll, answers.size]).toEqual([true, 0]);
  });

  test("believes a no only from a server that takes email for somebody", async () => {
    const [refusing, telling] = [
      await serve(rcpt({})),
      await serve(rcpt({ [POSTMASTER]: "250 ok" })),
    ];
    const never = await ask(refusing, ANN);
    expect(askedOf(refusing)).toEqual([CONTROL, ANN, POSTMASTER]);
    expect([never.answers.size, never.catchAll]).toEqual([0, false]);
    expect([...(await ask(telling, ANN)).answers]).toEqual([[ANN, "unknown_user"]]);
  });

  test.each([
    ["is greylisting", "450 4.7.1 Greylisted, try again later", null],
    ["says what it says to VRFY", "252 Cannot VRFY user", null],
    ["has no room", "452 4.2.2 mailbox full", null],
    ["relays for nobody", "554 5.7.1 Relay access denied", null],
    ["has us on a list", "554 5.7.1 Client host blocked using zen.spamhaus.org", "554 5.7.1"],
    ["hides that in another status", "550 5.1.1 rejected, listed at Spamhaus", "550 5.1.1"],
    ["wants no callouts", "550 5.7.1 Callout verification is not welcome", "550 5.7.1"],
    ["slows us down", "421 4.7.0 Too many invalid recipients, rate limited", "421 4.7.0"],
  ])("learns nothing of an address from a server that %s", async (_name, reply, blocked) => {
    for (const replies of [{}, { [CONTROL]: UNKNOWN }]) {
      const server = await serve(rcpt(replies, reply));
      const found = await ask(server, ANN);
      expect(found.answers.size).toBe(0);
      expect(found.catchAll).not.toBe(true);
      expect(found.blocked?.slice(0, 9) ?? null).toBe(blocked);
      expect(found.reached).toBe(true);
      expect(server.lines.some((line) => line.startsWith("DATA"))).toBe(false);
    }
  });

  test("that is turned away by the greeting or the sender is blocked", async () => {
    const greeting = await serve(rcpt({}), "554 5.7.1 blocked by policy");
    const sender = await serve((line) =>
      line.startsWith("MAIL") ? "550 5.7.1 SPF fail" : "250 ok",
    );
    for (const server of [greeting, sender]) {
      expect((await ask(server, ANN)).blocked).toContain("5.7.1");
      expect(askedOf(server)).toEqual([]);
    }
  });

  test.each<[string, () => Promise<Heard>]>([
    ["never greets", () => serve(() => null, null)],
    [
      "drips a greeting",
      () =>
        serve(
          () => null,
          (socket) => {
            const drip = setInterval(() => socket.write("2"), 20);
            socket.on("close", () => clearInterval(drip));
          },
        ),
    ],
    [
      "greets with 10 MB",
      () =>
        serve(
          () => null,
          (socket) => {
            socket.write(`220-${"x".repeat(10_000_000)}`);
          },
        ),
    ],
    [
      "never ends a reply",
      () =>
        serve((line, socket) => {
          if (line.startsWith("RCPT")) {
            const more = setInterval(() => socket.write("250-more\r\n"), 5);
            socket.on("close", () => clearInterval(more));
            return null;
          }
          return "250 ok";
        }),
    ],
    ["drops after RCPT", () => serve((line) => (line.startsWith("RCPT") ? "close" : "250 ok"))],
    ["speaks no SMTP", () => serve(() => "hello", "SSH-2.0-OpenSSH_9.6")],
    [
      "answers before it's asked",
      () => serve((line) => (line.startsWith("MAIL") ? "250 ok\r\n250 ok\r\n250 ok" : "250 ok")),
    ],
    [
      "answers with TLS that isn't any",
      () => serve((line) => (line === "STARTTLS" ? "220 go\r\nTLS" : "250-mx\r\n250 STARTTLS")),
    ],
  ])("costs a bounded time at a server that %s, and teaches nothing", async (_name, start) => {
    const server = await start();
    const { ms, answers, catchAll, blocked } = await ask(server, ANN);
    expect(ms).toBeLessThan(MS_MAX + 2_500);
    expect([answers.size, blocked]).toEqual([0, null]);
    expect(catchAll).not.toBe(true);
    expect(server.lines.some((line) => line.startsWith("DATA"))).toBe(false);
  });

  test("goes to no private address, and to the next exchange where one can't be reached", async () => {
    const server = await serve(rcpt({ [ANN]: "250 ok" }));
    const { at } = await ask(server, ANN);
    const before = server.connections;
    const { ended } = await at(["private.example.org"]);
    expect(ended).toMatchObject({ kind: "unreachable", stage: "connect" });
    expect(server.connections).toBe(before);
    expect((await at(["private.example.org", "mx.example.org"])).ended).toBeNull();
    expect(server.connections).toBe(before + 1);
  });

  test("doesn't ask for an address that would be two commands", async () => {
    const server = await serve(rcpt({ [ANN]: "250 ok" }));
    await ask(server, `x>\r\nDATA\r\n@${DOMAIN}`, ANN);
    expect(server.lines).not.toContain("DATA");
    expect(askedOf(server)).toEqual([CONTROL, ANN]);
  });
});
