/**
 * What an account keeps secret, and when it is ready: nothing that was given as a secret comes out of
 * any answer, event, audit entry or column, and no stored secret follows to another host.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { probesWorker } from "#engine/workers.ts";
import type { Mailbox, MailPort, TestOutcome } from "#platform/ports/mail.ts";
import { readEvents } from "#store/events/events.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { keepRefreshToken } from "#usecases/mailboxes/credentials.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";
import { examinationOf } from "../../support/examination.ts";
import { runDue } from "../../support/run-due.ts";

const UP: TestOutcome = { smtp: { ok: true, error: null }, imap: { ok: true, error: null } };
const WRONG = { ok: false, error: "535 5.7.8 Wrong password", login: true };
const AWAY = { ok: false, error: "connection refused" };

/** Mail servers of the live environment: what a test of a mailbox meets, and what it was asked with. */
const servers = {
  outcome: UP,
  asked: [] as Mailbox[],
  forgotten: [] as string[],
  meanwhile: async () => undefined as unknown,
};
const port: MailPort = {
  send: async () => ({ kind: "unreachable", stage: "connect", reason: "no", bodySent: false }),
  poll: async () => ({ kind: "unreachable", reason: "no", login: false }),
  watch: async () => ({ kind: "unsupported", reason: "no" }),
  find: async () => ({ kind: "uncheckable", reason: "no" }),
  sentSince: async () => ({ kind: "uncheckable", reason: "no" }),
  look: async () => ({ kind: "unreachable", reason: "no", login: false }),
  saveSent: async () => ({ kind: "failed", reason: "no" }),
  test: async (mailbox) => {
    servers.asked.push(mailbox);
    await servers.meanwhile();
    return servers.outcome;
  },
  callout: async () => ({ replies: [], ended: null }),
  examine: async (mailbox) => examinationOf(await port.test(mailbox)),
  forget: (id) => {
    servers.forgotten.push(id);
  },
  close: async () => undefined,
};

let app: TestApp;
beforeEach(async () => {
  Object.assign(servers, {
    outcome: UP,
    asked: [],
    forgotten: [],
    meanwhile: async () => undefined,
  });
  app = await createTestApp({ mail: port });
});
afterEach(() => app.close());

const BOTH = {
  email: "ann@example.com",
  provider: "smtp",
  smtp: { host: "smtp.example.com", password: "canary-smtp" },
  imap: { host: "imap.example.com", password: "canary-imap" },
};
const OAUTH = { client_id: "canary-id", client_secret: "canary-cs", refresh_token: "canary-rt" };
const GOOGLE = { email: "ann@example.com", provider: "google", oauth: OAUTH };

async function add(input: object = BOTH) {
  return (await app.live("POST", "/accounts", input)).body;
}
const patch = (id: string, change: object) => app.live("PATCH", `/accounts/${id}`, change);
const held = ({ has_smtp_password, has_imap_password, has_oauth }: Record<string, unknown>) => [
  has_smtp_password,
  has_imap_password,
  has_oauth,
];
function mailbox(id: string): Mailbox {
  const row = accountById(app.environments.live.db, id);
  if (row === undefined) {
    throw new Error("no such account");
  }
  return mailboxOf(app.environments.live, row);
}

describe("a secret", () => {
  test("comes out of no answer, event, audit entry or column", async () => {
    const seen: string[] = [];
    const note = async (call: Promise<{ text: string; headers: Headers }>) => {
      const { text, headers } = await call;
      seen.push(text, JSON.stringify([...headers]));
    };
    const headers = { "Idempotency-Key": "one" };
    for (const envName of ["live", "call"] as const) {
      const ask = app[envName];
      const { body } = await ask("POST", "/accounts", BOTH, { headers });
      await note(ask("POST", "/accounts", BOTH, { headers }));
      await note(ask("POST", "/accounts", BOTH));
      await note(ask("POST", "/accounts", { ...GOOGLE, email: "b@example.com" }));
      await note(ask("POST", "/accounts", { ...BOTH, smtp: { host: "a b", password: "canary" } }));
      await note(ask("PATCH", `/accounts/${body.id}`, { smtp: { password: "canary-new" } }));
      await note(ask("POST", `/accounts/${body.id}/test`));
      await note(ask("GET", `/accounts/${body.id}`));
      await note(ask("GET", "/accounts"));
      await note(ask("DELETE", `/accounts/${body.id}`));
    }
    for (const { db } of [app.environments.live, app.environments.test]) {
      for (const table of ["accounts", "idempotency", "audit", "events"]) {
        seen.push(JSON.stringify(db.raw.query(`SELECT * FROM ${table}`).values()));
      }
    }
    expect(seen.length).toBe(44);
    expect(seen.filter((text) => text.includes("canary"))).toEqual([]);
  });

  test("is named as held, and reaches the mail port", async () => {
    const one = await add();
    expect(held(one)).toEqual([true, true, false]);
    expect(mailbox(one.id)).toMatchObject({
      smtp: { username: "ann@example.com", password: "canary-smtp" },
      imap: { username: "ann@example.com", password: "canary-imap" },
      oauth: null,
    });
    const two = await add({ ...GOOGLE, email: "b@example.com", smtp: { password: "unused" } });
    expect(held(two)).toEqual([true, true, true]);
    expect(mailbox(two.id)).toMatchObject({
      smtp: { host: "smtp.gmail.com", password: null },
      imap: { password: null },
      oauth: { clientId: "canary-id", clientSecret: "canary-cs", refreshToken: "canary-rt" },
    });
  });

  test("is taken away by null, and replaced alone", async () => {
    const { id } = await add();
    const { body } = await patch(id, { imap: { password: null }, smtp: { password: "next" } });
    expect(held(body)).toEqual([true, false, false]);
    expect(mailbox(id).smtp?.password).toBe("next");
    expect(servers.forgotten).toEqual([id]);
    const google = await add({ ...GOOGLE, email: "b@example.com" });
    await patch(google.id, { oauth: { refresh_token: "next" } });
    expect(mailbox(google.id).oauth).toMatchObject({ clientId: "canary-id", refreshToken: "next" });
    expect(held((await patch(google.id, { oauth: null })).body)).toEqual([false, false, false]);
  });

  test("of SMTP serves IMAP too until that is given one of its own", async () => {
    const { id } = await add({ ...BOTH, imap: { host: "imap.example.com" } });
    expect(mailbox(id).imap?.password).toBe("canary-smtp");
    await patch(id, { smtp: { password: "second" } });
    expect(mailbox(id).imap?.password).toBe("second");
    await patch(id, { imap: { password: "own" } });
    await patch(id, { smtp: { password: "third" } });
    expect([mailbox(id).smtp?.password, mailbox(id).imap?.password]).toEqual(["third", "own"]);
  });

  test.each([
    ["SMTP", { smtp: { host: "evil.example" } }, [false, true, false]],
    ["IMAP", { imap: { host: "evil.example" } }, [true, false, false]],
    [
      "SMTP with its password",
      { smtp: { host: "new.example", password: "x" } },
      [true, true, false],
    ],
    ["nothing but the port", { smtp: { port: 2525 }, imap: { port: 1143 } }, [true, true, false]],
  ])("does not follow to another host: %s", async (_name, change, expected) => {
    const { id } = await add();
    const { body } = await patch(id, change);
    expect(held(body)).toEqual(expected);
    expect(body.not_ready_reason).toBe(expected[0] && expected[1] ? "untested" : "no_credentials");
  });

  test("of OAuth does not follow to another host either", async () => {
    const { id } = await add(GOOGLE);
    expect(held((await patch(id, { imap: { host: "evil.example" } })).body)).toEqual([
      false,
      false,
      false,
    ]);
    const change = { smtp: { host: "new.example" }, oauth: OAUTH };
    expect(held((await patch(id, change)).body)).toEqual([false, false, true]);
    const parts = { imap: { host: "imap.gmail.com" }, oauth: { client_id: "x" } };
    expect((await patch(id, parts)).body).toMatchObject({
      status: 422,
      field: "oauth.client_secret",
    });
  });

  test("that the provider rotated replaces the old one and keeps the account ready", async () => {
    const { id } = await add(GOOGLE);
    const { db, vault, clock } = app.environments.live;
    servers.meanwhile = () =>
      app.environments.live.commit(() => {
        const renewal = { accountId: id, token: "rotated", older: ["canary-rt"] };
        keepRefreshToken({ db, vault, ...renewal, now: clock.now() });
      });
    expect((await app.live("POST", `/accounts/${id}/test`)).body.account.ready).toBe(true);
    expect(mailbox(id).oauth).toEqual({
      clientId: "canary-id",
      clientSecret: "canary-cs",
      refreshToken: "rotated",
    });
    expect((await patch(id, { oauth: OAUTH })).body.not_ready_reason).toBe("untested");
    expect(mailbox(id).oauth?.refreshToken).toBe("canary-rt");
  });

  test("that is Google's app password may be given in its groups of four", async () => {
    const grouped = "abcd efgh ijkl mnop";
    const { id } = await add({ ...GOOGLE, oauth: null, smtp: { password: grouped } });
    expect(mailbox(id)).toMatchObject({
      smtp: { host: "smtp.gmail.com", password: "abcdefghijklmnop" },
      imap: { host: "imap.gmail.com", password: "abcdefghijklmnop" },
    });
    const other = await add({
      ...BOTH,
      email: "o@example.com",
      smtp: { ...BOTH.smtp, password: grouped },
    });
    expect(mailbox(other.id).smtp?.password).toBe(grouped);
  });

  test("that comes of an older grant does not replace a newer one", async () => {
    const { id } = await add(GOOGLE);
    const { db, vault, clock, commit } = app.environments.live;
    const renewal = { accountId: id, token: "late", older: ["another"], now: clock.now() };
    await commit(() => keepRefreshToken({ db, vault, ...renewal }));
    expect(mailbox(id).oauth?.refreshToken).toBe("canary-rt");
  });
});

describe("POST /accounts/{id}/test", () => {
  const run = async (id: string) => (await app.live("POST", `/accounts/${id}/test`)).body;

  test("200: both sides answer, and the account is ready", async () => {
    const { id, ready, not_ready_reason } = await add();
    expect([ready, not_ready_reason]).toEqual([false, "untested"]);
    const { account, ...rest } = await run(id);
    expect(rest).toMatchObject({ ok: true, smtp: UP.smtp, imap: UP.imap });
    expect(account).toMatchObject({ ready: true, not_ready_reason: null, last_error: null });
    expect((await app.live("GET", `/accounts/${id}`)).body).toEqual(account);
    expect(servers.asked[0]?.smtp?.password).toBe("canary-smtp");
  });

  test("200: a side that is away makes it fail, in its own words", async () => {
    const { id } = await add();
    servers.outcome = { smtp: UP.smtp, imap: AWAY };
    expect(await run(id)).toMatchObject({
      ok: false,
      smtp: { ok: true, error: null },
      imap: { ok: false, error: "connection refused" },
      account: {
        status: "active",
        not_ready_reason: "failed",
        last_error: "IMAP: connection refused",
      },
    });
    servers.outcome = UP;
    expect((await run(id)).account).toMatchObject({ ready: true, last_error: null });
    servers.outcome = { smtp: AWAY, imap: AWAY };
    expect((await run(id)).account).toMatchObject({ ready: true, status: "active" });
  });

  test("200: refused credentials are an error until they change", async () => {
    const { id } = await add();
    servers.outcome = { smtp: WRONG, imap: UP.imap };
    expect((await run(id)).account).toMatchObject({
      status: "error",
      status_reason: "auth",
      not_ready_reason: "failed",
      last_error: "SMTP: 535 5.7.8 Wrong password",
    });
    const read = (await app.live("GET", `/accounts/${id}`)).body;
    const { body } = await patch(id, { ...read, smtp: { ...read.smtp, password: "right" } });
    expect(body).toMatchObject({
      status: "active",
      status_reason: null,
      not_ready_reason: "untested",
      last_error: null,
    });
    const types = readEvents(app.environments.live.db, app.team.id, { after: 0, limit: 10 }).map(
      ({ type }) => type,
    );
    expect(types).toEqual(["account.error", "account.recovered"]);
  });

  test("is not needed: new credentials are tried by themselves", async () => {
    const probe = () => runDue(probesWorker(app.environments.live), START);
    const { id } = await add();
    await probe();
    const read = async () => (await app.live("GET", `/accounts/${id}`)).body;
    expect(await read()).toMatchObject({ ready: true, status: "active" });
    servers.outcome = { smtp: WRONG, imap: UP.imap };
    await patch(id, { smtp: { password: "wrong" } });
    await probe();
    expect(await read()).toMatchObject({ ready: false, status: "error", status_reason: "auth" });
    expect(servers.asked).toHaveLength(2);
    await probe();
    expect(servers.asked).toHaveLength(2);
  });

  test("200: by status alone a person has it tried again", async () => {
    const { id } = await add();
    servers.outcome = { smtp: WRONG, imap: WRONG };
    await run(id);
    expect((await patch(id, { status: "active" })).body).toMatchObject({
      status: "active",
      not_ready_reason: "untested",
    });
    servers.outcome = UP;
    expect((await run(id)).account.ready).toBe(true);
  });

  test("200: without credentials it stays what it was", async () => {
    const { id } = await add({ email: "ann@example.com", provider: "google" });
    servers.outcome = { smtp: WRONG, imap: WRONG };
    expect((await run(id)).account).toMatchObject({
      status: "active",
      not_ready_reason: "no_credentials",
    });
  });

  test("200: in test every provider answers", async () => {
    const input = { email: "ann@example.com", provider: "microsoft" };
    const { id } = (await app.call("POST", "/accounts", input)).body;
    const { status, body } = await app.call("POST", `/accounts/${id}/test`);
    expect([status, body.ok, body.account.ready]).toEqual([200, true, true]);
    expect(servers.asked).toEqual([]);
  });

  test("409: what was tested is not the account's any more, and nothing is recorded", async () => {
    const { id } = await add();
    servers.meanwhile = () => patch(id, { smtp: { password: "other" } });
    expect(await run(id)).toMatchObject({ type: "conflict", status: 409 });
    expect((await app.live("GET", `/accounts/${id}`)).body.not_ready_reason).toBe("untested");
  });

  test("404: it was deleted meanwhile", async () => {
    const { id } = await add();
    servers.meanwhile = () => app.live("DELETE", `/accounts/${id}`);
    expect(await run(id)).toMatchObject({ type: "not_found", status: 404 });
  });
});
