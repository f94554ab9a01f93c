/** Whom SMTP trusts: certificates by the name that the user gave, and nobody in the clear. */

import { afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { SMTPServer } from "smtp-server";
import type { Mailbox } from "#platform/ports/mail.ts";
import { selfSigned } from "../../support/certificate.ts";
import { counted, localMailPort, message, smtpMailbox } from "../support.ts";

const LIMITS = { connectMs: 5_000, replyMs: 5_000, sendMs: 10_000, idleMs: 5_000 };
const CERTIFICATE = selfSigned("localhost", "127.0.0.1");

let server: SMTPServer | undefined;
afterEach(() => new Promise<void>((done) => (server === undefined ? done() : server.close(done))));

async function start(secure: boolean, change: object = {}) {
  const logins: string[] = [];
  server = new SMTPServer({
    secure,
    ...CERTIFICATE,
    authMethods: ["PLAIN", "LOGIN"],
    closeTimeout: 10,
    onAuth: ({ username }, { secure: isSecure }, done) => {
      logins.push(`${username} ${isSecure ? "TLS" : "clear"}`);
      done(null, { user: username });
    },
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on("end", () => done(null, "stored"));
    },
    ...change,
  });
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const mailbox = (host: string): Mailbox => {
    const base = smtpMailbox(port);
    const security = secure ? "tls" : "starttls";
    return { ...base, smtp: base.smtp === null ? null : { ...base.smtp, host, security } };
  };
  return { mailbox, logins };
}

async function send(mailbox: Mailbox, ca?: string) {
  const port = localMailPort({ limits: LIMITS, ...(ca !== undefined && { ca }) });
  const outcome = await port.send(mailbox, message(), counted().beforeBody);
  await port.close();
  return outcome;
}

test.each([
  ["TLS", true, "localhost"],
  ["TLS", true, "127.0.0.1"],
  ["STARTTLS", false, "localhost"],
  ["STARTTLS", false, "127.0.0.1"],
])("%s (%p) to %s with a trusted certificate", async (_name, secure, host) => {
  const { mailbox, logins } = await start(secure);
  expect(await send(mailbox(host), CERTIFICATE.cert)).toEqual({
    kind: "accepted",
    response: "250 stored",
  });
  expect(logins).toEqual(["sender1@out.test TLS"]);
});

test.each([
  ["TLS, nobody vouches for it", true, "localhost", undefined],
  ["STARTTLS, nobody vouches for it", false, "localhost", undefined],
  ["TLS, another's name", true, "mail.test", CERTIFICATE.cert],
  ["STARTTLS, another's name", false, "mail.test", CERTIFICATE.cert],
  ["STARTTLS, another authority", false, "localhost", selfSigned("localhost").cert],
])("refused: %s", async (_name, secure, host, ca) => {
  const { mailbox, logins } = await start(secure);
  expect(await send(mailbox(host), ca)).toMatchObject({
    kind: "unreachable",
    stage: "connect",
    bodySent: false,
  });
  expect(logins).toEqual([]);
});

test("refused: a server that no longer offers STARTTLS", async () => {
  const { mailbox, logins } = await start(false, { disabledCommands: ["STARTTLS"] });
  expect(await send(mailbox("localhost"), CERTIFICATE.cert)).toMatchObject({
    kind: "unreachable",
    stage: "connect",
  });
  expect(logins).toEqual([]);
});

test("TLS spoken to a server that expects plain SMTP ends in time", async () => {
  const { mailbox } = await start(false);
  const base = mailbox("localhost");
  const wrong: Mailbox = {
    ...base,
    smtp: base.smtp === null ? null : { ...base.smtp, security: "tls" },
  };
  expect(await send(wrong, CERTIFICATE.cert)).toMatchObject({
    kind: "unreachable",
    stage: "connect",
  });
});

test("a server that offers LOGIN alone", async () => {
  const { mailbox, logins } = await start(false, { authMethods: ["LOGIN"] });
  expect((await send(mailbox("localhost"), CERTIFICATE.cert)).kind).toBe("accepted");
  expect(logins).toEqual(["sender1@out.test TLS"]);
});
