/** How far one gets towards a server that is wrong in one way, and what is said of it. */

import { afterEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { adviseReach } from "#domain/mailboxes/connection-advice.ts";
import type { Security } from "#domain/mailboxes/mailbox.ts";
import { findServer, type Reach, secure, touch } from "#mail/dns/reach.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import type { ServerLogin } from "#platform/ports/mail.ts";
import { type Certificate, expired, selfSigned } from "../../support/certificate.ts";
import { tableDns } from "../../support/dns.ts";

const DNS = tableDns({ "mail.test": ["127.0.0.1"], "inside.test": ["10.0.0.1"] });
const GOOD = selfSigned("mail.test");
const PATIENCE_MS = 2_000;
/** With servers that never answer. */
const SHORT_MS = 200;

let stops: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
});

/** A server that does `serve` with each connection; TLS from the first byte where it has a certificate. */
async function listen(
  serve: (socket: Socket | TLSSocket) => void,
  certificate?: Certificate,
): Promise<number> {
  const open = new Set<Socket>();
  const handle = (socket: Socket) => {
    socket.on("error", () => undefined);
    serve(socket);
  };
  const server =
    certificate === undefined ? createServer(handle) : createTlsServer(certificate, handle);
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    for (const socket of open) {
      socket.destroy();
    }
    return new Promise((done) => server.close(done));
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const says =
  (...lines: string[]) =>
  (socket: Socket) => {
    let turn = 0;
    const next = () => {
      const line = lines[turn];
      turn += 1;
      if (line !== undefined) {
        socket.write(line);
      }
    };
    next();
    socket.on("data", next);
  };

const login = (port: number, change: Partial<ServerLogin> = {}): ServerLogin => {
  return { host: "mail.test", port, security: "tls", username: "a", password: "b", ...change };
};
const options = { dns: DNS, allowCidrs: parseCidrs("127.0.0.0/8"), ca: GOOD.cert };

async function go(
  side: "smtp" | "imap",
  server: ServerLogin,
  patienceMs = PATIENCE_MS,
): Promise<Reach> {
  const { reach, route } = await findServer(server, "team", options);
  if (route === null) {
    return reach;
  }
  const touched = await touch(server, route, patienceMs);
  return touched.ok ? await secure(server, side, route, patienceMs) : touched;
}

function faultOf(reach: Reach): string {
  return reach.ok ? "none" : reach.fault;
}

describe("a name", () => {
  test.each([
    ["without an address", "none.test", "no_address"],
    ["of a private address", "inside.test", "not_allowed"],
  ])("%s", async (_name, host, fault) => {
    expect(faultOf(await go("smtp", login(1, { host })))).toBe(fault);
  });

  test("of which DNS says nothing", async () => {
    const lookup = () => Promise.reject(new DnsFailure("silent"));
    const { reach } = await findServer(login(1), "team", { ...options, dns: { ...DNS, lookup } });
    expect(faultOf(reach)).toBe("dns_silent");
  });

  test("elsewhere may not be reached without TLS", async () => {
    const dns = tableDns({ "mail.test": ["198.18.0.1"] });
    const wide = { ...options, dns, allowCidrs: parseCidrs("198.18.0.0/15") };
    const { reach } = await findServer(login(1, { security: "none" }), "team", wide);
    expect(faultOf(reach)).toBe("plain_remote");
  });
});

describe.each<[string, "smtp" | "imap", Security, () => Promise<number>, string]>([
  ["nobody at the port", "smtp", "tls", async () => 1, "refused"],
  ["a good server with TLS", "smtp", "tls", () => listen(says("220 hi\r\n"), GOOD), "none"],
  [
    "a self-signed certificate",
    "imap",
    "tls",
    () => listen(says(), selfSigned("mail.test")),
    "certificate_own",
  ],
  [
    "plain text at a port for TLS",
    "smtp",
    "tls",
    () => listen(says("220 mail.test ESMTP\r\n")),
    "speaks_plain",
  ],
  [
    "plain text at a port for TLS",
    "imap",
    "tls",
    () => listen(says("* OK hello\r\n")),
    "speaks_plain",
  ],
  [
    "TLS at a port for STARTTLS",
    "smtp",
    "starttls",
    () => listen(says("220 hi\r\n"), GOOD),
    "wants_tls",
  ],
  [
    "TLS at a port for STARTTLS",
    "imap",
    "starttls",
    () => listen(says("* OK hi\r\n"), GOOD),
    "wants_tls",
  ],
  [
    "no STARTTLS",
    "smtp",
    "starttls",
    () => listen(says("220 hi\r\n", "250-hi\r\n250 SIZE 1\r\n")),
    "no_starttls",
  ],
  [
    "no STARTTLS",
    "imap",
    "starttls",
    () => listen(says("* OK hi\r\n", "a BAD unknown\r\n")),
    "no_starttls",
  ],
  [
    "STARTTLS that is refused",
    "smtp",
    "starttls",
    () => listen(says("220 hi\r\n", "250-hi\r\n250 STARTTLS\r\n", "454 not now\r\n")),
    "no_starttls",
  ],
  [
    "a web server",
    "smtp",
    "starttls",
    () => listen(says("HTTP/1.1 400 Bad Request\r\n")),
    "other_service",
  ],
  [
    "an SMTP server in place of IMAP",
    "imap",
    "starttls",
    () => listen(says("220 hi\r\n")),
    "other_service",
  ],
  [
    "an IMAP server in place of SMTP",
    "smtp",
    "starttls",
    () => listen(says("* OK hi\r\n")),
    "other_service",
  ],
  ["a blocklist", "smtp", "starttls", () => listen(says("554 5.7.1 go away\r\n")), "turned_away"],
  [
    "a busy server",
    "imap",
    "starttls",
    () => listen(says("* BYE too many connections\r\n")),
    "turned_away",
  ],
  [
    "an endless greeting",
    "smtp",
    "starttls",
    () => listen(says("x".repeat(40_000))),
    "other_service",
  ],
  [
    "a server that hangs up",
    "smtp",
    "starttls",
    () => listen((socket) => socket.destroy()),
    "other_service|no_route",
  ],
  ["silence", "smtp", "starttls", () => listen(() => undefined), "silent"],
  ["silence", "imap", "tls", () => listen(() => undefined), "silent"],
])("%s (%s, %s)", (name, side, security, start, fault) => {
  test("is told apart, with a remedy", async () => {
    const patienceMs = name === "silence" ? SHORT_MS : PATIENCE_MS;
    const reach = await go(side, login(await start(), { security }), patienceMs);
    expect(fault.split("|")).toContain(faultOf(reach));
    if (!reach.ok) {
      const server = { side, provider: "smtp", host: "mail.test", port: 1, security } as const;
      const advice = adviseReach({ ...server, isOauth: false }, reach.fault, reach.words);
      expect(advice.message).not.toMatch(/\p{Cc}|undefined/u);
      expect(advice.remedy).toEndWith(".");
    }
  });
});

test("a certificate for another name", async () => {
  const port = await listen(says(), GOOD);
  const dns = tableDns({ "other.test": ["127.0.0.1"] });
  const server = login(port, { host: "other.test" });
  const { route } = await findServer(server, "team", { ...options, dns });
  const reach = route && (await secure(server, "smtp", route, PATIENCE_MS));
  expect(reach && faultOf(reach)).toBe("certificate_name");
});

test("a certificate whose time is over", async () => {
  const old = expired("mail.test");
  const server = login(await listen(says(), old));
  const { route } = await findServer(server, "team", { ...options, ca: old.cert });
  const reach = route && (await secure(server, "imap", route, PATIENCE_MS));
  expect(reach && faultOf(reach)).toBe("certificate_expired");
});
