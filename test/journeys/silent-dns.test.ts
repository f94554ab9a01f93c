/**
 * A name server that never answers, against the executable: whoever waits for it waits alone. Nothing here
 * is timed: what is checked is what comes to its end while everything else still hangs.
 */

import { expect, test } from "bun:test";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { startImapSink } from "../mail/imap/imap-sink.ts";
import { startSmtpSink } from "../mail/smtp/smtp-sink.ts";
import { type Certificate, selfSigned } from "../support/certificate.ts";
import { outrider, type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { response, scriptedServer } from "../support/name-server.ts";
import { tried } from "../support/promises.ts";

const ADMIN = { email: "ann@example.com", password: "a password of some length" };
const WEBHOOKS = 20;
const ACCOUNTS = 40;
/** Questions of one team that are asked at once. */
const PLACES = 64;
const TEST_MS_MAX = 120_000;

test(
  "with 20 webhooks and 40 mailboxes waiting for it, people sign in and others' mailboxes work",
  async () => {
    const full = Promise.withResolvers<void>();
    const silent = new Set<string>();
    using names = await scriptedServer((asked) => {
      if (asked.name.endsWith(".silent.example")) {
        silent.add(`${asked.type} ${asked.name}`);
        if (silent.size >= PLACES) {
          full.resolve();
        }
        return [];
      }
      const address = { name: asked.name, type: "A", ttl: 60, data: "127.0.0.1" } as const;
      return [response(asked, asked.type === "A" ? [address] : [])];
    });
    using directory = temporaryDirectory();
    const caFile = join(directory.path, "ca.pem");
    const trust = selfSigned("mail.healthy.example");
    writeFileSync(caFile, trust.cert);
    const smtp = await startSmtpSink();
    const imap = await startImapSink();
    const smtpTls = await beforeTls(trust, smtp.port);
    const imapTls = await beforeTls(trust, imap.port);
    await using server = await startServer({
      env: {
        OUTRIDER_MAIL_CA_FILE: caFile,
        OUTRIDER_DNS_SERVERS: `127.0.0.1:${names.port}`,
        OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8",
        OUTRIDER_ADMIN_EMAIL: ADMIN.email,
        OUTRIDER_ADMIN_PASSWORD: ADMIN.password,
      },
    });
    const { key: own } = await server.createKey("live");
    const other = await teamKey(server);

    const ended: string[] = [];
    const hang = (path: string, body: object) => {
      const end = () => ended.push(path);
      post(server, own, path, body).then(end, end);
    };
    for (let n = 0; n < WEBHOOKS; n += 1) {
      const url = `https://hooks${n}.silent.example/in`;
      const { id } = await post(server, own, "/webhooks", { url, events: ["*"] });
      hang(`/webhooks/${id}/test`, {});
    }
    for (let n = 0; n < ACCOUNTS; n += 1) {
      const id = await addAccount(server, own, `mail${n}.silent.example`, 25, 143);
      hang(`/accounts/${id}/test`, { send: false });
    }
    await full.promise;

    const good = await addAccount(
      server,
      other,
      "mail.healthy.example",
      smtpTls.port,
      imapTls.port,
    );
    const signedIn = await server.fetch("/console/session", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
      body: JSON.stringify(ADMIN),
    });
    expect(signedIn.status).toBe(201);
    const healthy = await post(server, other, `/accounts/${good}/test`, { send: false });
    expect(healthy).toMatchObject({ smtp: { ok: true }, imap: { ok: true } });
    expect(ended).toEqual([]);
    expect(silent.size).toBe(PLACES);
    expect([...silent].some((question) => question.includes("hooks"))).toBe(true);
    expect([...silent].some((question) => question.includes("mail"))).toBe(true);

    tried("silence", WEBHOOKS + ACCOUNTS);
    await Promise.all([smtp, imap, smtpTls, imapTls].map((one) => one.stop()));
  },
  TEST_MS_MAX,
);

/** TLS before a server on this machine that speaks none. */
async function beforeTls(trust: Certificate, port: number) {
  const server = createServer({ ...trust }, (socket) => {
    const inner = connect(port, "127.0.0.1");
    socket.on("error", () => inner.destroy());
    inner.on("error", () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.close();
  };
  return { port: (server.address() as { port: number }).port, stop };
}

async function teamKey({ data }: Server): Promise<string> {
  const made = await outrider(["teams", "create", "--data", data, "--name", "Other", "--json"]);
  const { id } = JSON.parse(made.out);
  const words = ["keys", "create", "--data", data, "--team", id, "--name", "k", "--env", "live"];
  return JSON.parse((await outrider([...words, "--json"])).out).key;
}

async function addAccount(
  server: Server,
  key: string,
  host: string,
  smtpPort: number,
  imapPort: number,
): Promise<string> {
  const login = { host, security: "tls", username: "ann", password: "secret" };
  const email = `ann@${host}`;
  const smtp = { ...login, port: smtpPort };
  const imap = { ...login, port: imapPort };
  const { id } = await post(server, key, "/accounts", { email, provider: "smtp", smtp, imap });
  return id;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
async function post(server: Server, key: string, path: string, body: object): Promise<any> {
  const answer = await server.fetch(`/api/v1${path}`, {
    method: "POST",
    key,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Error(`${path}: ${answer.status} ${text}`);
  }
  return JSON.parse(text);
}
