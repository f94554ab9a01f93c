/** Guarantee: mail servers that a user names are reached through the address guard, SMTP and IMAP alike. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import type { MailOptions } from "#mail/options.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import type { Dns } from "#platform/ports/dns.ts";
import { tableDns } from "../support/dns.ts";
import { localMailPort, smtpMailbox } from "./support.ts";

let server: Server;
let port = 0;
let connections = 0;
beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" ? (address?.port ?? 0) : 0;
});
afterAll(() => {
  server.close();
});

/** Both ways at once; how often this machine was reached by it. */
async function reach(host: string, options: Partial<MailOptions>): Promise<number> {
  const before = connections;
  const mail = localMailPort(options);
  const login = { host, port, security: "none", username: "a", password: "b" } as const;
  const mailbox = smtpMailbox(port, { smtp: login, imap: login });
  const outcome = await mail.test(mailbox);
  expect([outcome.smtp.ok, outcome.imap.ok]).toEqual([false, false]);
  await mail.close();
  return connections - before;
}

const NOBODY = { allowCidrs: [] };

test.each(["127.0.0.1", "inner.example", "mapped.example", "mixed.example", "[::1]"])(
  "%s is not connected to where the operator has not opened it",
  async (host) => {
    const dns = tableDns({
      "inner.example": ["127.0.0.1"],
      "mapped.example": ["::ffff:127.0.0.1"],
      "mixed.example": ["1.1.1.1", "127.0.0.1"],
    });
    expect(await reach(host, { ...NOBODY, dns })).toBe(0);
  },
);

test("is connected to where it has", async () => {
  expect(await reach("127.0.0.1", {})).toBe(2);
});

test("a name that changes its mind is checked anew each time", async () => {
  let asked = 0;
  const dns: Dns = {
    ...tableDns({}),
    lookup: async () => {
      asked += 1;
      return asked <= 2 ? ["10.0.0.9"] : ["127.0.0.1"];
    },
  };
  const options = { dns, allowCidrs: parseCidrs("127.0.0.0/8") };
  expect(await reach("rebind.example", options)).toBe(0);
  expect(await reach("rebind.example", options)).toBe(2);
});
