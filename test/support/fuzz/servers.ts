/**
 * What strangers say on a connection: mail servers whose one answer is the input, and clients of our own port. The
 * first byte of an input says which answer it is.
 */

import { connect } from "node:net";
import { startImapSink } from "../../mail/imap/imap-sink.ts";
import { startSmtpSink } from "../../mail/smtp/smtp-sink.ts";
import { counted, localMailPort, message, smtpMailbox } from "../../mail/support.ts";
import { startTestServer } from "../running-app.ts";
import type { Target } from "./fuzz.ts";
import { bytes } from "./mutate.ts";

const LIMITS = { connectMs: 500, replyMs: 500, sendMs: 2_000, idleMs: 2_000, imapMs: 2_000 };
/** After the answer the server has nothing more to say. */
const CUT_MS = 5;
const latin1 = (input: Uint8Array) => Buffer.from(input).toString("latin1");
const chosen = <Item>(input: Uint8Array, from: readonly [Item, ...Item[]]): Item =>
  from[(input[0] ?? 0) % from.length] ?? from[0];
/** An input for each choice. */
const each = (count: number, texts: readonly string[]) =>
  Array.from({ length: count }, (_, at) =>
    texts.map((text) => bytes(String.fromCharCode(at) + text)),
  ).flat();

const VERBS = [
  "CONNECT",
  "CAPABILITY",
  "LOGIN",
  "LIST",
  "EXAMINE",
  "UID SEARCH",
  "UID FETCH",
] as const;
const CURSOR = '{"INBOX":["7",4]}';

/** Whatever a server says instead of an answer, a mailbox is read or unreachable, and what came has an id of its own. */
export const imap: Target = {
  name: "imap",
  inputs: () =>
    each(VERBS.length, [
      "* OK ready\r\nTAG OK done",
      '* LIST (\\Junk) "/" "Spam &AOk-"\r\nTAG NO [AUTHENTICATIONFAILED] no',
      "* 9 EXISTS\r\n* OK [UIDVALIDITY 7]\r\n* OK [UIDNEXT 4294967295]\r\nTAG OK [READ-ONLY] done",
      "* SEARCH 5 6 4294967295 0\r\nTAG OK done",
      '* 1 FETCH (UID 5 INTERNALDATE "02-Mar-2026 09:30:00 +0000" BODY[]<0> {5}\r\nhello)\r\nTAG OK done',
    ]),
  tokens: [
    ...["{9999999999}\r\n", "{0}\r\n", "{-1}", "(", ")", "((((((((", '"', "\\", "NIL", "* ", "+ "],
    ...["TAG OK", "TAG NO", "TAG BAD", "* BYE", "UID 5", "UID 0", "[ALERT] ", "\r\n", "\r", "\0"],
    ...[
      "* 0 EXISTS\r\n",
      "* 1 EXPUNGE\r\n",
      "BODY[]<0> {3}\r\nabc",
      "FLAGS (\\Seen)",
      "&AOk",
      "~{2}",
    ],
  ],
  run: async (input) => {
    const verb = chosen(input, VERBS);
    const sink = await startImapSink((ask) => {
      if (ask.verb !== verb) {
        return undefined;
      }
      setTimeout(() => sink.cut(), CUT_MS);
      return latin1(input.subarray(1)).replaceAll("TAG", ask.tag);
    });
    const port = localMailPort({ limits: LIMITS });
    const { smtp: login } = smtpMailbox(sink.port);
    const outcome = await port.poll(smtpMailbox(1, { imap: login, smtp: null }), CURSOR);
    await port.close();
    await sink.stop();
    if (outcome.kind === "unreachable") {
      if (outcome.login && !["LOGIN", "CONNECT", "CAPABILITY"].includes(verb)) {
        throw new Error(`the password is said to be wrong: ${outcome.reason}`);
      }
      return `${verb} unreachable ${outcome.login}`;
    }
    const ids = outcome.mails.map(({ folder, uid }) => `${folder} ${uid}`);
    if (new Set(ids).size !== ids.length) {
      throw new Error(`an email came twice: ${ids}`);
    }
    JSON.parse(outcome.cursor);
    return `${verb} read ${Math.min(ids.length, 2)} ${outcome.more}`;
  },
};

const MOMENTS = ["CONNECT", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "BODY"] as const;

/** Only a server that took the body and said so has accepted; one that has the body is known to have it. */
export const smtp: Target = {
  name: "smtp",
  inputs: () =>
    each(MOMENTS.length, [
      "250 2.0.0 ok",
      "250-a\r\n250-SIZE 1\r\n250 AUTH PLAIN",
      "421 4.7.0 later",
      "550 5.7.1 no",
      "354 go ahead",
      "235 2.7.0 welcome\r\n250 ok\r\n250 ok\r\n354 go\r\n250 queued",
    ]),
  tokens: [
    ...["250 ", "250-", "354 ", "421 ", "550 5.1.1 ", "999 ", "2", "\r\n", "\n", "\r", "\0", "\t"],
    ...[
      "5.7.26",
      "4.2.1",
      "SIZE 0",
      "AUTH ",
      "STARTTLS",
      "PIPELINING",
      "8BITMIME",
      "SMTPUTF8",
      "é",
    ],
  ],
  run: async (input) => {
    const at = chosen(input, MOMENTS);
    let hasBody = false;
    const sink = await startSmtpSink(({ moment }) => {
      hasBody ||= moment === "BODY";
      if (moment !== at) {
        return undefined;
      }
      setTimeout(() => sink.cut(), CUT_MS);
      return latin1(input.subarray(1));
    });
    const port = localMailPort({ limits: LIMITS });
    const { calls, beforeBody } = counted();
    const outcome = await port.send(smtpMailbox(sink.port), message(), beforeBody);
    await port.close();
    await sink.stop();
    if (outcome.kind === "accepted" && !(calls.count === 1 && hasBody)) {
      throw new Error(`accepted, with ${calls.count} bodies begun`);
    }
    if (outcome.kind === "accepted" && !/^2\d\d/.test(outcome.response)) {
      throw new Error(`accepted with "${outcome.response}"`);
    }
    if (outcome.kind === "unreachable" && !outcome.bodySent && hasBody) {
      throw new Error("the server has the body, and that isn't said");
    }
    const stage = "stage" in outcome ? outcome.stage : "";
    return `${at} ${outcome.kind} ${stage} ${"bodySent" in outcome && outcome.bodySent}`;
  },
};

/** Nobody without a key is let in, nothing breaks, and the next caller is served. */
export async function httpTarget(): Promise<Target> {
  const server = await startTestServer({ auth_failures: "0" });
  const { hostname, port, host } = new URL(server.url);
  const key = await server.keyOf("test");
  const request = (line: string, headers = "", body = "") =>
    `${line} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n${body}`;
  return {
    name: "http",
    inputs: () =>
      [
        request("GET /healthz"),
        request("GET /api/v1/campaigns?limit=2&status=draft"),
        request(
          "POST /api/v1/leads",
          "Content-Length: 2\r\nContent-Type: application/json\r\n",
          "{}",
        ),
        request("POST /api/v1/leads", "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"),
        request("OPTIONS /api/v1/leads", "Origin: https://a.example\r\n"),
        request("GET /t/c/abc") + request("GET /nothing", "Cookie: session=a; b=c\r\n"),
      ].map(bytes),
    tokens: [
      ...[
        "\r\n",
        "\n",
        "\r",
        "\0",
        " ",
        "\t",
        ":",
        "HTTP/1.0",
        "HTTP/9.9",
        "GET ",
        "//",
        "/../",
        "%00",
      ],
      ...[
        "%2e%2e/",
        "Content-Length: 5\r\n",
        "Content-Length: -1\r\n",
        "Transfer-Encoding: chunked\r\n",
      ],
      ...[
        "Host: a.example\r\n",
        "Expect: 100-continue\r\n",
        "Connection: upgrade\r\n",
        "ffffffff\r\n",
      ],
      ...[
        "Authorization: Bearer outrider_test_x\r\n",
        "X-Forwarded-For: ::1\r\n",
        "?a[]=1&a[]=2",
        "é",
      ],
    ],
    run: async (input) => {
      const heard = await said(input, { hostname, port: Number(port) });
      const statuses = [...heard.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => status);
      if (statuses.some((status) => status?.startsWith("5") && status !== "505")) {
        throw new Error(heard.slice(0, 500));
      }
      if (/"(?:data|total)":/.test(heard)) {
        throw new Error(`somebody without a key was let in: ${heard.slice(0, 500)}`);
      }
      const next = await fetch(`${server.url}/api/v1/campaigns`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      if (next.status !== 200) {
        throw new Error(`the next caller was answered ${next.status}`);
      }
      await next.text();
      return statuses.slice(0, 3).join(" ");
    },
    stop: () => server.stop(),
  };
}

/** What the server says to `input` until it, or we a moment after the last word, end the connection. */
function said(input: Uint8Array, { hostname, port }: { hostname: string; port: number }) {
  return new Promise<string>((resolve) => {
    let heard = "";
    const socket = connect(port, hostname);
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(heard);
    };
    let timer = setTimeout(end, 1_000);
    socket.on("connect", () => socket.end(input));
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1");
      clearTimeout(timer);
      timer = setTimeout(end, 50);
    });
    socket.on("close", end);
    socket.on("error", end);
  });
}
