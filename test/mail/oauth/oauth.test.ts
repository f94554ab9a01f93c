/** Guarantees of `mail/oauth/oauth.ts` and of the XOAUTH2 login that uses it. */

import { afterEach, describe, expect, test } from "bun:test";
import { MINUTE_MS, plus, unixMs } from "#domain/time.ts";
import { createTokenStore, TOKEN_MARGIN_MS } from "#mail/oauth/oauth.ts";
import { TOKEN_BYTES_MAX } from "#mail/oauth/token-endpoint.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { silentLog } from "#platform/log.ts";
import type { Mailbox } from "#platform/ports/mail.ts";
import { tableDns } from "../../support/dns.ts";
import { type SmtpSink, startSmtpSink } from "../smtp/smtp-sink.ts";
import { counted, localMailPort, message, oauthAt, smtpMailbox } from "../support.ts";

type Handler = (form: URLSearchParams) => Response | Promise<Response>;

/** `name1`, `name2` and so on. */
function numbered(name: string, from = 1): () => string {
  let serial = from - 1;
  return () => {
    serial += 1;
    return `${name}${serial}`;
  };
}

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops) {
    await stop();
  }
  stops = [];
});

function endpoint(handler: Handler) {
  const asked: URLSearchParams[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const form = new URLSearchParams(await request.text());
      asked.push(form);
      return handler(form);
    },
  });
  stops.push(() => server.stop(true));
  return { asked, url: `http://127.0.0.1:${server.port}/token` };
}

const mailbox = (refreshToken = "r1", port = 1): Mailbox =>
  smtpMailbox(port, {
    provider: "google",
    oauth: { clientId: "client", clientSecret: "s3cret", refreshToken },
  });

function store(url: string, onRotated: (id: string, token: string) => void = () => undefined) {
  const time = { now: unixMs(1_000_000) };
  const clock = { now: () => time.now };
  const tokens = createTokenStore({
    ...{ dns: tableDns({}), clock, log: silentLog, allowCidrs: parseCidrs("") },
    oauth: oauthAt(url, { clock }),
    onRotated,
  });
  return { time, tokens };
}

const granted = (token: string, more: object = {}) =>
  Response.json({ access_token: token, expires_in: 3600, ...more });

describe("token", () => {
  test("all who ask together get one answer to one question", async () => {
    const { url, asked } = endpoint(() => granted("a1"));
    const { tokens } = store(url);
    const got = await Promise.all(Array.from({ length: 20 }, () => tokens.token(mailbox())));
    expect(got.every((outcome) => outcome.kind === "token" && outcome.token === "a1")).toBe(true);
    expect(asked.map((form) => Object.fromEntries(form))).toEqual([
      {
        grant_type: "refresh_token",
        client_id: "client",
        client_secret: "s3cret",
        refresh_token: "r1",
      },
    ]);
  });

  test("is renewed five minutes before it ends, and not earlier", async () => {
    const next = numbered("a");
    const { url } = endpoint(() => granted(next()));
    const { time, tokens } = store(url);
    const ask = () => tokens.token(mailbox());
    expect(await ask()).toEqual({ kind: "token", token: "a1" });
    time.now = plus(time.now, 60 * MINUTE_MS - TOKEN_MARGIN_MS - 1);
    expect(await ask()).toEqual({ kind: "token", token: "a1" });
    time.now = plus(time.now, 1);
    expect(await ask()).toEqual({ kind: "token", token: "a2" });
  });

  test("one that a server refused is not handed out again", async () => {
    const next = numbered("a");
    const { url } = endpoint(() => granted(next()));
    const { tokens } = store(url);
    await tokens.token(mailbox());
    expect(await tokens.token(mailbox(), "a1")).toEqual({ kind: "token", token: "a2" });
    expect(await tokens.token(mailbox(), "a1")).toEqual({ kind: "token", token: "a2" });
  });

  test("a replaced refresh token is reported, and used though the caller has the old", async () => {
    const reported: string[] = [];
    const next = numbered("r", 2);
    const { url, asked } = endpoint(() => granted("a", { refresh_token: next() }));
    const { tokens } = store(url, (id, token) => reported.push(`${id} ${token}`));
    await tokens.token(mailbox());
    await tokens.token(mailbox(), "a");
    await tokens.token(mailbox("r2"), "a");
    expect(asked.map((form) => form.get("refresh_token"))).toEqual(["r1", "r2", "r3"]);
    expect(reported).toEqual(["account-1 r2", "account-1 r3", "account-1 r4"]);
  });

  test("one that could not be stored is used all the same", async () => {
    const { url } = endpoint(() => granted("a", { refresh_token: "r2" }));
    const { tokens } = store(url, () => {
      throw new Error("disk full");
    });
    expect(await tokens.token(mailbox())).toEqual({ kind: "token", token: "a" });
  });

  test("a mailbox that was connected again starts from its new grant", async () => {
    const { url, asked } = endpoint(() => granted("a"));
    const { tokens } = store(url);
    await tokens.token(mailbox("r1"));
    await tokens.token(mailbox("other"));
    expect(asked.map((form) => form.get("refresh_token"))).toEqual(["r1", "other"]);
  });

  test.each([
    ["invalid_grant", 400, { error: "invalid_grant", error_description: "revoked\n" }, "refused"],
    ["invalid_client", 401, { error: "invalid_client" }, "refused"],
    ["a busy endpoint", 503, { error: "temporarily_unavailable" }, "unreachable"],
    ["unauthorized_client", 400, { error: "unauthorized_client" }, "refused"],
    ["interaction_required", 400, { error: "interaction_required" }, "refused"],
    ["consent_required", 400, { error: "consent_required" }, "refused"],
    ["login_required", 401, { error: "login_required" }, "refused"],
    ["too many questions", 429, {}, "unreachable"],
    ["a verdict by a server that is busy", 429, { error: "invalid_grant" }, "unreachable"],
    ["a verdict by a server in trouble", 500, { error: "invalid_client" }, "unreachable"],
    ["a grant without a token", 200, { expires_in: 1 }, "unreachable"],
    ["no JSON", 200, null, "unreachable"],
  ])("%s", async (_name, status, body, kind) => {
    const text = body === null ? "<html>" : JSON.stringify(body);
    const { url } = endpoint(() => new Response(text, { status }));
    const outcome = await store(url).tokens.token(mailbox());
    expect(outcome.kind).toBe(kind as typeof outcome.kind);
    expect(outcome.kind === "token" ? "" : outcome.reason).not.toMatch(/\p{Cc}/u);
  });

  test.each([
    ["seconds", "600"],
    ["a date", "Thu, 01 Jan 1970 00:26:40 GMT"],
  ])(
    "an endpoint that asks for a rest by %s has it, for all of a client's mailboxes",
    async (_name, after) => {
      const headers = { "retry-after": after };
      const { url, asked } = endpoint(() => new Response("", { status: 429, headers }));
      const { time, tokens } = store(url);
      const ask = () =>
        Promise.all(["one", "two"].map((accountId) => tokens.token({ ...mailbox(), accountId })));
      await tokens.token(mailbox());
      time.now = plus(time.now, 10 * MINUTE_MS - 1);
      expect((await ask()).map(({ kind }) => kind)).toEqual(["unreachable", "unreachable"]);
      expect(asked).toHaveLength(1);
      time.now = plus(time.now, 1);
      await ask();
      expect(asked).toHaveLength(3);
    },
  );

  test("the way of showing the secret that was accepted comes first the next time", async () => {
    const ways: string[] = [];
    const { url } = endpoint((form) => {
      const isBasic = !form.has("client_secret");
      ways.push(isBasic ? "basic" : "post");
      return isBasic ? granted("a") : Response.json({ error: "invalid_client" }, { status: 401 });
    });
    const methods = ["client_secret_post", "client_secret_basic"];
    const oauth = oauthAt(url, { methods });
    const client = { clientId: "client:1", clientSecret: "s 3%cret" };
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await oauth.refresh("google", client, "r1")).kind).toBe("granted");
    }
    expect(ways).toEqual(["post", "basic", "basic"]);
  });

  test("a client of the operator's that is refused is logged once, without its secret", async () => {
    const lines: string[] = [];
    const log = {
      ...silentLog,
      warn: (...said: unknown[]) => void lines.push(JSON.stringify(said)),
    };
    const words = {
      error: "invalid_client",
      error_description: "not with s3cret-1234, for r1-5678",
    };
    const { url } = endpoint(() => Response.json(words, { status: 401 }));
    const client = { clientId: "client", clientSecret: "s3cret-1234" };
    const time = { now: unixMs(1_000_000) };
    const oauth = oauthAt(url, { client, log, clock: { now: () => time.now } });
    for (let turn = 0; turn < 5; turn += 1) {
      const { kind } = await oauth.refresh("google", client, "r1-5678");
      expect(kind).toBe("unreachable");
      time.now = plus(time.now, 60 * MINUTE_MS);
    }
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("invalid_client: not with …, for …");
  });

  test("nobody there, a redirect and an endless answer are no answer", async () => {
    const away = endpoint(() => Response.redirect("http://127.0.0.1:1/"));
    const endless = endpoint(() => new Response("x".repeat(TOKEN_BYTES_MAX + 1)));
    for (const url of ["http://127.0.0.1:1/", away.url, endless.url]) {
      expect((await store(url).tokens.token(mailbox())).kind).toBe("unreachable");
    }
  });

  test("a provider without OAuth, and a mailbox without a grant, are refused", async () => {
    const { tokens } = store("http://127.0.0.1:1/");
    const other = { ...mailbox(), provider: "smtp" } as const;
    expect((await tokens.token(other)).kind).toBe("refused");
    expect((await tokens.token({ ...mailbox(), oauth: null })).kind).toBe("refused");
  });
});

describe("XOAUTH2", () => {
  async function sinkFor(good: string): Promise<SmtpSink> {
    const expected = Buffer.from(`user=sender1@out.test\u0001auth=Bearer ${good}\u0001\u0001`);
    const sink = await startSmtpSink(({ moment, line }) => {
      if (moment !== "AUTH" || line === `AUTH XOAUTH2 ${expected.toString("base64")}`) {
        return undefined;
      }
      return line === "" ? "535 5.7.8 bad token" : "334 eyJzdGF0dXMiOiI0MDEifQ==";
    });
    stops.push(() => sink.stop());
    return sink;
  }

  async function send(sink: SmtpSink, url: string) {
    const port = localMailPort({ oauth: oauthAt(url) });
    stops.push(() => port.close());
    return port.send(mailbox("r1", sink.port), message(), counted().beforeBody);
  }

  test("logs in with the token", async () => {
    const { url } = endpoint(() => granted("good"));
    expect((await send(await sinkFor("good"), url)).kind).toBe("accepted");
  });

  test("a token withdrawn before its time is replaced once", async () => {
    const next = numbered("token");
    const { url, asked } = endpoint(() => granted(next()));
    expect((await send(await sinkFor("token2"), url)).kind).toBe("accepted");
    expect(asked).toHaveLength(2);
  });

  test("two refused tokens are a refused login", async () => {
    const { url, asked } = endpoint(() => granted("bad"));
    expect(await send(await sinkFor("good"), url)).toMatchObject({
      kind: "refused",
      stage: "auth",
      code: 535,
      enhanced: "5.7.8",
    });
    expect(asked).toHaveLength(2);
  });

  test("a token past its time, and no way to another: nothing is said of the mailbox", async () => {
    const answers = [granted("old"), new Response("", { status: 503 })];
    const { url } = endpoint(() => answers.shift() ?? granted("late"));
    expect(await send(await sinkFor("good"), url)).toMatchObject({
      kind: "unreachable",
      stage: "auth",
      reason: "status 503",
    });
  });

  test("a token of a grant that has died is refused in the provider's words", async () => {
    const dead = Response.json({ error: "invalid_grant" }, { status: 400 });
    const answers = [granted("old"), dead];
    const { url } = endpoint(() => answers.shift() ?? granted("late"));
    expect(await send(await sinkFor("good"), url)).toMatchObject({
      kind: "refused",
      response: "invalid_grant",
    });
  });

  test("a dead grant is a refused login, and the server is not asked", async () => {
    const { url } = endpoint(() => Response.json({ error: "invalid_grant" }, { status: 400 }));
    const sink = await sinkFor("good");
    expect(await send(sink, url)).toMatchObject({
      kind: "refused",
      stage: "auth",
      code: 535,
      response: "invalid_grant",
    });
    expect(sink.connections()).toBe(0);
  });

  test("an endpoint that is down says nothing about the mailbox", async () => {
    expect(await send(await sinkFor("good"), "http://127.0.0.1:1/")).toMatchObject({
      kind: "unreachable",
      stage: "auth",
      bodySent: false,
    });
  });
});
