/** When an SMTP connection is used again, and when a message is offered a second time by itself. */

import { afterEach, describe, expect, test } from "bun:test";
import { counted, localMailPort, message, smtpMailbox } from "../support.ts";
import { type Answer, type Ask, type SmtpSink, startSmtpSink } from "./smtp-sink.ts";

const LIMITS = { connectMs: 2_000, replyMs: 2_000, sendMs: 10_000, idleMs: 10_000 };

let sink: SmtpSink | undefined;
afterEach(async () => {
  await sink?.stop();
  sink = undefined;
});

async function start(answer?: (ask: Ask) => Answer, limits: object = {}) {
  sink = await startSmtpSink(answer);
  const port = localMailPort({ limits: { ...LIMITS, ...limits } });
  const mailbox = smtpMailbox(sink.port);
  const send = (to?: string) => {
    const { calls, beforeBody } = counted();
    return port.send(mailbox, message(to), beforeBody).then((outcome) => {
      return { outcome, asked: calls.count };
    });
  };
  return { sink, port, mailbox, send };
}

const isSecondMail = ({ moment, connection, message: count }: Ask) =>
  moment === "MAIL" && connection === 1 && count === 2;

test("messages of a mailbox follow each other over one login", async () => {
  const { sink, port, send } = await start();
  for (let index = 0; index < 3; index += 1) {
    expect(await send()).toMatchObject({ outcome: { kind: "accepted" }, asked: 1 });
  }
  expect(sink.connections()).toBe(1);
  expect(sink.commands.filter((line) => line.includes("AUTH"))).toHaveLength(1);
  expect(sink.bodies[0]).toContain("\r\n.a line with a dot");
  await port.close();
  expect(sink.commands.at(-1)).toBe("1 QUIT");
});

test("a refused recipient leaves the connection usable", async () => {
  const { sink, port, send } = await start(({ moment, line }) =>
    moment === "RCPT" && line.includes("nobody") ? "550 5.1.1 no" : undefined,
  );
  expect((await send("nobody@acme.test")).outcome.kind).toBe("refused");
  expect((await send()).outcome.kind).toBe("accepted");
  expect(sink.connections()).toBe(1);
  await port.close();
});

describe("a connection that died while it waited is replaced silently", () => {
  test("closed by the server", async () => {
    const { sink, port, send } = await start();
    await send();
    sink.cut();
    expect(await send()).toMatchObject({ outcome: { kind: "accepted" }, asked: 1 });
    expect(sink.connections()).toBe(2);
    await port.close();
  });

  test.each([["drop"], ["421 4.4.2 idle for too long"]])(
    "noticed at MAIL, which is answered %p",
    async (answer) => {
      const { sink, port, send } = await start((ask) => (isSecondMail(ask) ? answer : undefined));
      await send();
      expect(await send()).toMatchObject({ outcome: { kind: "accepted" }, asked: 1 });
      expect(sink.connections()).toBe(2);
      expect(sink.bodies).toHaveLength(2);
      await port.close();
    },
  );

  test("but only once", async () => {
    const { sink, port, send } = await start(({ moment, connection, message: count }) =>
      moment === "MAIL" && (connection > 1 || count > 1) ? "drop" : undefined,
    );
    await send();
    expect((await send()).outcome).toMatchObject({ kind: "unreachable", stage: "mail" });
    expect(sink.connections()).toBe(2);
    await port.close();
  });
});

test.each([
  ["RCPT", false],
  ["DATA", false],
  ["BODY", true],
] as const)("a connection cut at %s is not tried again", async (moment, bodySent) => {
  const { sink, port, send } = await start((ask) =>
    ask.moment === moment && ask.message === 2 ? "drop" : undefined,
  );
  await send();
  expect((await send()).outcome).toMatchObject({ kind: "unreachable", bodySent });
  expect(sink.connections()).toBe(1);
  expect(sink.bodies).toHaveLength(1);
  await port.close();
});

test("messages at the same time have connections of their own; one of them is kept", async () => {
  const { sink, port, send } = await start();
  const outcomes = await Promise.all([send(), send(), send()]);
  expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(["accepted", "accepted", "accepted"]);
  await sink.ended(2);
  await send();
  expect(sink.connections()).toBe(3);
  await port.close();
});

test("a connection that waited long enough says goodbye", async () => {
  const { sink, port, send } = await start(undefined, { idleMs: 20 });
  await send();
  await sink.ended(1);
  expect(sink.commands.at(-1)).toBe("1 QUIT");
  await port.close();
});

test("forget: the next message logs in anew", async () => {
  const { sink, port, mailbox, send } = await start();
  await send();
  port.forget(mailbox.accountId);
  await sink.ended(1);
  await send();
  expect(sink.connections()).toBe(2);
  await port.close();
});

test("forget while a message is under way: its connection is not used again", async () => {
  const { sink, port, mailbox, send } = await start();
  await port.send(mailbox, message(), async () => port.forget(mailbox.accountId));
  await send();
  expect(sink.connections()).toBe(2);
  await port.close();
});

test("another password never rides on a connection that the old one opened", async () => {
  const { port, mailbox, send } = await start(({ moment, connection }) =>
    moment === "AUTH" && connection > 1 ? "535 5.7.8 no" : undefined,
  );
  await send();
  const { smtp } = mailbox;
  const changed = { ...mailbox, smtp: smtp === null ? null : { ...smtp, password: "other" } };
  const outcome = await port.send(changed, message(), async () => undefined);
  expect(outcome).toMatchObject({ kind: "refused", stage: "auth" });
  await port.close();
});

test("close cuts what is under way, and says so", async () => {
  const { promise: hung, resolve } = Promise.withResolvers<void>();
  const { port, send } = await start(({ moment }) => {
    if (moment === "BODY") {
      resolve();
      return "hang";
    }
    return undefined;
  });
  const sending = send();
  await hung;
  await port.close();
  expect((await sending).outcome).toMatchObject({
    kind: "unreachable",
    stage: "data",
    bodySent: true,
  });
});
