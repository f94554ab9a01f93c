/**
 * Guarantees of watching a mailbox: news is told, polls share the connection and lose none of it, every
 * way to end has its name, and nothing outlives the port.
 */

import { afterEach, describe, expect, test } from "bun:test";
import type { Mailbox, WatchEnd } from "#platform/ports/mail.ts";
import { localMailPort, oauthAt, smtpMailbox } from "../support.ts";
import { type ImapAnswer, type ImapAsk, startImapSink } from "./imap-sink.ts";

const LIMITS = { connectMs: 300, replyMs: 300, imapMs: 2_000, idleRenewMs: 60_000 };
const CURSOR = '{"INBOX":["7",4]}';

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) {
    await stop();
  }
  stops = [];
});

/** With IDLE, and a junk folder where `junk` says so. */
function capable(ask: ImapAsk, junk = false): ImapAnswer {
  if (ask.verb === "CAPABILITY") {
    return `* CAPABILITY IMAP4rev1 IDLE SASL-IR AUTH=XOAUTH2\r\n${ask.tag} OK done`;
  }
  return junk && ask.verb === "LIST" && !ask.line.endsWith('""')
    ? `* LIST () "/" INBOX\r\n* LIST (\\Junk) "/" Spam\r\n${ask.tag} OK done`
    : undefined;
}

async function start(
  answer: (ask: ImapAsk) => ImapAnswer = () => undefined,
  options: object = {},
  change: Partial<Mailbox> = {},
) {
  const sink = await startImapSink((ask) => answer(ask) ?? capable(ask));
  stops.push(() => sink.stop());
  const port = localMailPort({ limits: LIMITS, ...options });
  stops.push(() => port.close());
  const { smtp } = smtpMailbox(sink.port);
  const mailbox = smtpMailbox(1, { imap: smtp, smtp: null, ...change });
  const watching = watcher(port, mailbox);
  return { sink, port, mailbox, ...watching };
}

/** Watches, and counts what is told. */
function watcher(port: ReturnType<typeof localMailPort>, mailbox: Mailbox) {
  const waiting: { count: number; resolve: () => void }[] = [];
  let told = 0;
  const onNews = () => {
    told += 1;
    for (const { count, resolve } of waiting) {
      if (told >= count) {
        resolve();
      }
    }
  };
  const controller = new AbortController();
  const watch = (signal = controller.signal): Promise<WatchEnd> =>
    port.watch(mailbox, signal, onNews);
  return {
    controller,
    watch,
    told: () => told,
    /** Resolves once news has been told `count` times in all. */
    news: (count: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ count, resolve });
      return told >= count ? Promise.resolve() : promise;
    },
  };
}

/** An answer that resolves `reached` when `verb` comes for the `nth` time. */
function awaited(verb: string, nth = 1) {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const see = (ask: ImapAsk): ImapAnswer => {
    count += ask.verb === verb ? 1 : 0;
    if (ask.verb === verb && count === nth) {
      // Behind the answer to this very command.
      setImmediate(resolve);
    }
    return undefined;
  };
  return { reached, see };
}

describe("news", () => {
  test("is told when the watch begins and whenever email comes", async () => {
    const idle = awaited("IDLE");
    const { sink, news, told, watch, controller } = await start(idle.see);
    const end = watch();
    await idle.reached;
    expect(told()).toBe(1);
    sink.push("* 2 EXISTS");
    await news(2);
    controller.abort();
    expect(await end).toEqual({ kind: "stopped" });
  });

  test("a poll goes over the same connection, which waits on afterwards", async () => {
    const [first, second] = [awaited("IDLE"), awaited("IDLE", 2)];
    const { sink, port, mailbox, watch, news } = await start((ask) => {
      first.see(ask);
      second.see(ask);
      return capable(ask, true);
    });
    void watch();
    await first.reached;
    const outcome = await port.poll(mailbox, CURSOR);
    expect(outcome).toMatchObject({ kind: "read", mails: [{ uid: "7.5" }, { folder: "Spam" }] });
    await second.reached;
    sink.push("* 2 EXISTS");
    await news(2);
    expect(sink.connections()).toBe(1);
    const opened = sink.commands.filter((line) => line.includes("EXAMINE"));
    expect(opened.at(-1)).toBe("1 EXAMINE INBOX");
  });

  test("what comes to the inbox while junk is read is told", async () => {
    const idle = awaited("IDLE");
    let isChanged = false;
    const { port, mailbox, watch, news } = await start((ask) => {
      idle.see(ask);
      isChanged ||= ask.verb === "EXAMINE" && ask.line.includes("Spam");
      return ask.verb === "EXAMINE" && ask.line.includes("INBOX") && isChanged
        ? `* 2 EXISTS\r\n* OK [UIDVALIDITY 7] \r\n* OK [UIDNEXT 7] \r\n${ask.tag} OK [READ-ONLY] done`
        : capable(ask, true);
    });
    void watch();
    await idle.reached;
    await port.poll(mailbox, CURSOR);
    await news(2);
  });

  test("waiting is begun anew, so that a link which died in silence is noticed", async () => {
    const third = awaited("IDLE", 3);
    const limits = { ...LIMITS, idleRenewMs: 20 };
    const { sink, watch } = await start(third.see, { limits });
    void watch();
    await third.reached;
    expect(sink.connections()).toBe(1);
    expect(sink.commands.filter((line) => line.endsWith("DONE")).length).toBeGreaterThan(1);
  });

  test("a poll with another password does not use the connection of the first", async () => {
    const idle = awaited("IDLE");
    const { sink, port, mailbox, watch } = await start((ask) => {
      idle.see(ask);
      return ask.verb === "LOGIN" && ask.line.includes("wrong")
        ? `${ask.tag} NO [AUTHENTICATIONFAILED] no`
        : undefined;
    });
    void watch();
    await idle.reached;
    const { imap } = mailbox;
    const wrong = { ...mailbox, imap: imap === null ? null : { ...imap, password: "wrong" } };
    expect(await port.poll(wrong, CURSOR)).toMatchObject({ kind: "unreachable", login: true });
    expect(sink.connections()).toBe(2);
  });

  test("a kept connection that has died does not keep the mailbox from being read", async () => {
    const idle = awaited("IDLE");
    const { sink, port, mailbox, watch } = await start((ask) => {
      idle.see(ask);
      return ask.verb === "DONE" && ask.connection === 1 ? "hang" : undefined;
    });
    const end = watch();
    await idle.reached;
    expect(await port.poll(mailbox, CURSOR)).toMatchObject({ kind: "read", mails: [{}] });
    expect(sink.connections()).toBe(2);
    expect((await end).kind).toBe("ended");
  });
});

describe("a watch that does not come to be", () => {
  test.each([
    ["a refused password", "NO [AUTHENTICATIONFAILED] no", true],
    ["too many connections", "NO [ALERT] Too many simultaneous connections. (Failure)", false],
    ["throttling", "BAD User is authenticated but not connected.", false],
  ])("by %s", async (_name, words, login) => {
    const { watch, told } = await start(({ verb, tag }) =>
      verb === "LOGIN" ? `${tag} ${words}` : undefined,
    );
    expect(await watch()).toMatchObject({ kind: "unreachable", login });
    expect(told()).toBe(0);
  });

  test.each(["CONNECT", "LOGIN", "EXAMINE"])("cut or silent at %s", async (verb) => {
    for (const how of ["drop", "hang"] as const) {
      const { watch, told } = await start((ask) => (ask.verb === verb ? how : undefined));
      expect(await watch()).toMatchObject({ kind: "unreachable", login: false });
      expect(told()).toBe(0);
    }
  });

  test("for want of IDLE, had or done", async () => {
    const without = await start(({ verb, tag }) =>
      verb === "CAPABILITY" ? `* CAPABILITY IMAP4rev1\r\n${tag} OK done` : undefined,
    );
    expect((await without.watch()).kind).toBe("unsupported");
    const refusing = await start(({ verb, tag }) =>
      verb === "IDLE" ? `${tag} NO not here` : undefined,
    );
    expect((await refusing.watch()).kind).toBe("unsupported");
  });

  test("because it was called off before", async () => {
    const { sink, watch } = await start();
    expect(await watch(AbortSignal.abort())).toEqual({ kind: "stopped" });
    expect(sink.connections()).toBe(0);
  });
});

describe("a watch that ends", () => {
  test("by a farewell, or without one", async () => {
    for (const farewell of ["* BYE Session expired, please login again.", null]) {
      const idle = awaited("IDLE");
      const { sink, watch } = await start(idle.see);
      const end = watch();
      await idle.reached;
      if (farewell !== null) {
        sink.push(farewell);
      }
      sink.cut();
      expect((await end).kind).toBe("ended");
    }
  });

  test("because the server ends each wait at once: it is not asked for ever", async () => {
    const { sink, watch } = await start(({ verb, tag }) =>
      verb === "IDLE" ? `+ idling\r\n${tag} OK enough` : undefined,
    );
    expect((await watch()).kind).toBe("ended");
    expect(sink.commands.filter((line) => line.endsWith("IDLE")).length).toBeLessThan(20);
  });

  test.each(["abort", "close", "forget"] as const)("by %s", async (how) => {
    const idle = awaited("IDLE");
    const { sink, port, mailbox, watch, controller } = await start(idle.see);
    const end = watch();
    await idle.reached;
    if (how === "abort") {
      controller.abort();
    } else if (how === "close") {
      await port.close();
    } else {
      port.forget(mailbox.accountId);
    }
    expect(await end).toEqual({ kind: "stopped" });
    if (how !== "forget") {
      expect(sink.commands.at(-1)).toBe("1 LOGOUT");
    }
  });

  test("with its access token: the next one has another", async () => {
    let serial = 0;
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => {
        serial += 1;
        return Response.json({ access_token: `token${serial}`, expires_in: 3600 });
      },
    });
    stops.push(() => server.stop(true));
    const idle = [awaited("IDLE"), awaited("IDLE", 2)];
    const tokens: (string | undefined)[] = [];
    const tokenOf = (line: string) =>
      /auth=Bearer (\w+)/.exec(Buffer.from(line.split(" ").at(-1) ?? "", "base64").toString())?.[1];
    const oauth = { clientId: "c", clientSecret: "s", refreshToken: "r" };
    const { sink, watch } = await start(
      (ask) => {
        for (const one of idle) {
          one.see(ask);
        }
        if (ask.verb !== "AUTHENTICATE") {
          return undefined;
        }
        tokens.push(tokenOf(ask.line));
        const isOver = ask.connection > 1 && tokens.at(-1) === "token1";
        return isOver ? `${ask.tag} NO [AUTHENTICATIONFAILED] expired` : undefined;
      },
      { oauth: oauthAt(`http://127.0.0.1:${server.port}/`) },
      { provider: "google", oauth },
    );
    const first = watch();
    await idle[0]?.reached;
    sink.push("* BYE Session expired");
    sink.cut();
    expect((await first).kind).toBe("ended");
    void watch();
    await idle[1]?.reached;
    expect(tokens).toEqual(["token1", "token1", "token2"]);
  });
});
