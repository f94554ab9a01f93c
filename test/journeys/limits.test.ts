/**
 * What the machine refuses the executable: room on the disk, the right to write, another file. It says so,
 * goes on with what it can, loses nothing, sends nothing twice, and needs no new start once the machine
 * gives again.
 *
 * The kernel's own limits stand for the machine: a file that may not grow (RLIMIT_FSIZE), files that may
 * not be opened (RLIMIT_NOFILE), memory that is not to be had (a control group), set while it runs.
 */

import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ImapSink, startImapSink } from "../mail/imap/imap-sink.ts";
import { type SmtpSink, startSmtpSink } from "../mail/smtp/smtp-sink.ts";
import { outrider, startServer, temporaryDirectory } from "../support/executable.ts";
import { canLimit, confine, fill, integrityOf, limit, NO_SIGNAL } from "../support/limits.ts";
import { startReceiver } from "../support/webhooks.ts";
import { ROUND_THE_CLOCK } from "./days.ts";
import { type Call, caller, createCampaign, done, until } from "./support.ts";

const TEST_MS_MAX = 180_000;
const WAIT_MS_MAX = 90_000;
const ENV = {
  OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8",
  OUTRIDER_RATE_LIMIT: "0",
  OUTRIDER_LOG_LEVEL: "error",
};
const LEADS = 400;
const EVENTS = 60;
/** At once, and from one that could not be recorded to the next. */
const DELIVERIES = 16;
const DELIVERY_PAUSE_MS = 5_000;
const ACCOUNTS = 4;
const IDLE_CONNECTIONS = 120;
const NOBODY = 65_534;
const why = canLimit ? "" : " (skipped: needs Linux and prlimit)";

interface Servers {
  smtp: SmtpSink;
  imap: ImapSink;
  stop(): Promise<unknown>;
}

/** Servers that take everything, and mailboxes in which nothing is. */
async function startServers(): Promise<Servers> {
  const smtp = await startSmtpSink(() => undefined);
  const imap = await startImapSink(({ tag, verb }) => {
    const state = "* 0 EXISTS\r\n* OK [UIDVALIDITY 7] \r\n* OK [UIDNEXT 1] ";
    return verb === "EXAMINE" ? `${state}\r\n${tag} OK [READ-ONLY] done` : undefined;
  });
  return { smtp, imap, stop: () => Promise.all([smtp.stop(), imap.stop()]) };
}

async function addAccount(call: Call, servers: Servers, n: number): Promise<void> {
  const at = { host: "127.0.0.1", security: "none" };
  const smtp = { ...at, port: servers.smtp.port, username: "" };
  const imap = { ...at, port: servers.imap.port, username: "u", password: "p", save_sent: false };
  const fields = { email: `sender${n}@out.test`, provider: "smtp", smtp, imap };
  const pace = { daily_limit: 2000, hourly_limit: 500, min_gap_seconds: 0, max_gap_seconds: 0 };
  const { id } = await done(call("POST", "/accounts", { ...fields, ...pace }));
  await done(call("POST", `/accounts/${id}/test`, { send: false }));
}

async function launch(call: Call, servers: Servers): Promise<string> {
  for (let n = 1; n <= ACCOUNTS; n += 1) {
    await addAccount(call, servers, n);
  }
  const id = await createCampaign(call, {
    name: "Through thick and thin",
    max_leads_per_day: 10_000,
    send_window: ROUND_THE_CLOCK,
  });
  await done(call("POST", `/campaigns/${id}/steps`, { type: "email", subject: "S", body: "B" }));
  const leads = Array.from({ length: LEADS }, (_, n) => ({ email: `u${n}@firm${n}.test` }));
  await done(call("POST", `/campaigns/${id}/leads`, { leads }));
  await done(call("POST", `/campaigns/${id}/start`));
  return id;
}

const recipientsOf = (bodies: readonly string[]) =>
  bodies.map((body) => /^To: .*?([^\s<]+@firm\d+\.test)/m.exec(body)?.[1]);

describe.skipIf(!canLimit)(`No room on the disk${why}`, () => {
  test(
    "in the middle of a campaign: reads go on, writes are 503, and every email goes out once",
    async () => {
      const servers = await startServers();
      const { smtp } = servers;
      await using server = await startServer({ env: ENV, under: NO_SIGNAL });
      const { key } = await server.createKey("live");
      const call = caller(server, key);
      const id = await launch(call, servers);
      const statsOf = async () => (await call("GET", `/campaigns/${id}/stats`)).body;
      await until(WAIT_MS_MAX, "mails go out", async () => smtp.bodies.length > 20 || undefined);

      fill(server);
      const refused = await until(WAIT_MS_MAX, "a write is refused", async () => {
        const reply = await call("POST", "/campaigns", { name: "x".repeat(200) });
        return reply.status === 201 ? undefined : reply;
      });
      expect(refused).toMatchObject({ status: 503, body: { type: "unavailable" } });
      expect(refused.headers.get("retry-after")).toBe("5");
      expect((await call("GET", "/campaigns")).status).toBe(200);
      expect((await server.fetch("/healthz")).status).toBe(200);
      const taken = smtp.bodies.length;
      expect(taken).toBeLessThan(LEADS);

      limit(server.pid, "fsize", "unlimited");
      const stats = await until(WAIT_MS_MAX, "the campaign ends", async () => {
        const now = await statsOf();
        return now.completed + now.held === LEADS ? now : undefined;
      });
      expect(stats).toMatchObject({ sent: LEADS, completed: LEADS, held: 0, failed: 0 });
      const recipients = recipientsOf(smtp.bodies);
      expect(recipients).toHaveLength(LEADS);
      expect(new Set(recipients).size).toBe(LEADS);
      expect(await server.stop()).toBe(0);
      expect(integrityOf(server.data)).toBe("ok");
      await servers.stop();
    },
    TEST_MS_MAX,
  );

  test(
    "in the middle of a file: what was stored is counted, and the rest can be sent",
    async () => {
      await using server = await startServer({ env: ENV, under: NO_SIGNAL });
      const { key } = await server.createKey("live");
      const call = caller(server, key);
      const id = await createCampaign(call, { name: "A file" });
      const rows = Array.from({ length: 30_000 }, (_, n) => `u${n}@x.test,${"y".repeat(100)}\n`);
      const file = `email,company\n${rows.join("")}`;
      const importId = crypto.randomUUID();
      const type = { "Content-Type": "text/csv" };
      const sending = server.fetch(`/api/v1/campaigns/${id}/leads/import?import_id=${importId}`, {
        method: "POST",
        key,
        headers: type,
        body: file,
      });
      await until(WAIT_MS_MAX, "rows are stored", async () => {
        const { body } = await call("GET", `/imports/${importId}`);
        return body.imported > 0 || body.status === "done" || undefined;
      });
      fill(server);
      const answer = await sending;
      await answer.body?.cancel();
      limit(server.pid, "fsize", "unlimited");
      expect([200, 503]).toContain(answer.status);

      const after = await until(WAIT_MS_MAX, "the import has ended", async () => {
        const { body } = await call("GET", `/imports/${importId}`);
        return body.status === "running" ? undefined : body;
      });
      expect((await call("GET", "/leads?limit=1")).body.total).toBe(after.imported);
      if (after.status !== "done") {
        const rest = file.slice(after.offset);
        const path = `/imports/${importId}/resume?offset=${after.offset}`;
        expect(await done(call("POST", path, rest, { headers: type }))).toMatchObject({
          status: "done",
          imported: 30_000,
        });
      }
      expect((await call("GET", "/leads?limit=1")).body.total).toBe(30_000);
    },
    TEST_MS_MAX,
  );

  test(
    "in the middle of deliveries: every event arrives, and nobody is asked without end meanwhile",
    async () => {
      const gate = Promise.withResolvers<void>();
      const receiver = startReceiver(async () => {
        await gate.promise;
        return new Response("ok");
      });
      await using server = await startServer({ env: ENV, under: NO_SIGNAL });
      const call = caller(server, (await server.createKey("live")).key);
      const hook = { url: `${receiver.url}/in`, events: ["suppression.created"] };
      const { id } = await done(call("POST", "/webhooks", hook));
      for (let n = 0; n < EVENTS; n += 1) {
        const gone = { email: `gone${n}@x.test`, reason: "manual" };
        await done(call("POST", "/suppressions", gone));
      }
      await until(
        WAIT_MS_MAX,
        "a delivery waits",
        async () => receiver.received.length > 0 || undefined,
      );

      fill(server);
      await until(WAIT_MS_MAX, "a write is refused", async () => {
        const { status } = await call("POST", "/campaigns", { name: "x".repeat(200) });
        return status === 503 || undefined;
      });
      const [begun, before] = [performance.now(), receiver.received.length];
      gate.resolve();
      await until(WAIT_MS_MAX, "one is sent again", async () => {
        return receiver.received.length >= before + 4 || undefined;
      });
      const rounds = Math.ceil((performance.now() - begun) / DELIVERY_PAUSE_MS) + 1;
      expect(receiver.received.length).toBeLessThanOrEqual(before + EVENTS + rounds * DELIVERIES);

      limit(server.pid, "fsize", "unlimited");
      const totalOf = async (status: string) =>
        (await call("GET", `/webhooks/${id}/deliveries?status=${status}&limit=1`)).body.total;
      await until(WAIT_MS_MAX, "all are delivered", async () => {
        return (await totalOf("pending")) === 0 || undefined;
      });
      expect(await totalOf("succeeded")).toBe(EVENTS);
      const arrived = receiver.received.map(({ body }) => JSON.parse(body).id);
      expect(new Set(arrived).size).toBe(EVENTS);
      expect(await server.stop()).toBe(0);
      expect(integrityOf(server.data)).toBe("ok");
      await receiver.stop();
    },
    TEST_MS_MAX,
  );

  test("for a backup: it is refused, and nothing half made is left", async () => {
    await using server = await startServer({ env: ENV, under: NO_SIGNAL });
    await server.createKey("live");
    const backups = join(server.data, "backups");
    const { exit, err } = await outrider(["backup", "--data", server.data], {
      under: ["sh", "-c", 'trap "" XFSZ; ulimit -f 16; exec "$@"', "sh"],
    });
    expect(exit).not.toBe(0);
    expect(err).not.toMatch(/\.ts:|at </);
    expect(filesIn(backups)).toEqual([]);
    expect((await outrider(["backup", "--data", server.data])).exit).toBe(0);
    expect(filesIn(backups).filter((name) => name.endsWith(".zst"))).toHaveLength(1);
  });

  test("at a start: it says so in words, and the data is as it was", async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const full = ["sh", "-c", 'trap "" XFSZ; ulimit -f 8; exec "$@"', "sh"];
    const args = ["serve", "--data", data, "--port", "0"];
    const { exit, err } = await outrider(args, { under: full });
    expect(exit).not.toBe(0);
    expect(exit).toBeLessThan(128);
    expect(err).not.toMatch(/\.ts:|at </);
    await using server = await startServer({ data });
    expect((await server.fetch("/readyz")).status).toBe(200);
  });
});

const asNobody = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
const canBeNobody = process.getuid?.() === 0 && Bun.which("setpriv") !== null;
const whyNot = canBeNobody ? "" : " (skipped: needs root and setpriv)";

describe.skipIf(!canBeNobody)(`No right to write${whyNot}`, () => {
  test.each([
    ["its directory", 0o555],
    ["its files", 0o755],
  ])("%s: it says which, ends with a code, and changes nothing", async (what, mode) => {
    using directory = temporaryDirectory();
    chmodSync(directory.path, 0o755);
    const data = join(directory.path, "data");
    mkdirSync(data);
    expect((await outrider(["teams", "list", "--data", data])).exit).toBe(0);
    const before = readdirSync(data).map((name) => [name, statSync(join(data, name)).mtimeMs]);
    chmodSync(data, mode);
    const files = readdirSync(data).map((name) => join(data, name));
    for (const path of files) {
      chownSync(path, NOBODY, NOBODY);
      chmodSync(path, what === "its files" ? 0o400 : 0o600);
    }
    const args = ["serve", "--data", data, "--port", "0"];
    const { exit, err } = await outrider(args, { under: asNobody });
    expect([65, 73, 75]).toContain(exit);
    expect(err).toContain(data);
    expect(err).not.toMatch(/\.ts:|at </);
    expect(readdirSync(data).map((name) => [name, statSync(join(data, name)).mtimeMs])).toEqual(
      before,
    );
  });
});

describe.skipIf(!canLimit)(`No more files${why}`, () => {
  test(
    "new connections wait or are turned away, and it goes on once they have gone",
    async () => {
      const servers = await startServers();
      const { smtp } = servers;
      await using server = await startServer({ env: ENV });
      const { key } = await server.createKey("live");
      const call = caller(server, key);
      const id = await launch(call, servers);
      const open = readdirSync(`/proc/${server.pid}/fd`).length;
      limit(server.pid, "nofile", open + IDLE_CONNECTIONS / 2);
      const sockets = await Promise.all(
        Array.from({ length: IDLE_CONNECTIONS }, () => connectTo(server.url)),
      );
      for (const socket of sockets) {
        socket?.end();
      }
      limit(server.pid, "nofile", 1_024);
      const stats = await until(WAIT_MS_MAX, "the campaign ends", async () => {
        const { status, body } = await call("GET", `/campaigns/${id}/stats`);
        return status === 200 && body.completed === LEADS ? body : undefined;
      });
      expect(stats).toMatchObject({ sent: LEADS, held: 0, failed: 0 });
      expect(new Set(recipientsOf(smtp.bodies)).size).toBe(smtp.bodies.length);
      expect(await server.stop()).toBe(0);
      await servers.stop();
    },
    TEST_MS_MAX,
  );
});

describe.skipIf(!canLimit)(`No more memory${why}`, () => {
  test(
    "it ends over it; what it had answered is there at the next start",
    async () => {
      using directory = temporaryDirectory();
      const data = join(directory.path, "data");
      const server = await startServer({ data, env: ENV });
      const { key } = await server.createKey("live");
      const call = caller(server, key);
      using _group = confine(server.pid);
      const answered: string[] = [];
      const work = Array.from({ length: 12 }, async (_, n) => {
        const leads = Array.from({ length: 10_000 }, (_unused, at) => ({
          email: `m${n}-${at}@x.test`,
          variables: { note: "y".repeat(200) },
        }));
        const made = await call("POST", "/campaigns", { name: `c${n}` });
        if (made.status === 201) {
          answered.push(made.body.id);
        }
        return call("POST", `/campaigns/${made.body.id}/leads`, { leads });
      });
      // The kernel ends it in the middle of that.
      const ends = await Promise.allSettled(work);
      expect(ends.map(({ status }) => status)).toContain("rejected");
      expect(await server.stop()).toBe(128 + 9);

      await using again = await startServer({ data, env: ENV });
      const now = caller(again, key);
      for (const id of answered) {
        expect((await now("GET", `/campaigns/${id}`)).status).toBe(200);
      }
      expect(integrityOf(data)).toBe("ok");
    },
    TEST_MS_MAX,
  );
});

/** A connection that says nothing, or undefined where there was none to be had. */
async function connectTo(url: string) {
  const { hostname, port } = new URL(url);
  try {
    return await Bun.connect({ hostname, port: Number(port), socket: { data: () => undefined } });
  } catch {
    return undefined;
  }
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
