/**
 * Authorization servers as they come: below a path, described in either place, with a client that has to
 * show its secret in one way alone, and not who they should be. At both doors: a mailbox that is
 * connected, and a person who signs in.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { createOauth } from "#mail/oauth/oauth-servers.ts";
import { systemClock } from "#platform/clock.ts";
import { createFetch } from "#platform/http/fetch.ts";
import { createLog, type Log, silentLog } from "#platform/log.ts";
import type { MailPort } from "#platform/ports/mail.ts";
import { createSignOn } from "#platform/secrets/openid.ts";
import { localMailPort } from "../mail/support.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import {
  type AuthorizationServerOptions,
  Browser,
  CLIENT,
  startAuthorizationServer,
} from "../support/authorization-server.ts";
import { LOCAL_DNS } from "../support/dns.ts";
import { ANN, firstPerson } from "../support/people.ts";

const PUBLIC = "http://127.0.0.1:4816";
const SERVER = { host: "mail.example.com" };
const START_MS_MAX = 60_000;

let stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) {
    await stop();
  }
  stops = [];
});

/** The server, and what the program logs. */
async function start(options: AuthorizationServerOptions = {}, issuer?: string) {
  const uris = [`${PUBLIC}/oauth/smtp/callback`, `${PUBLIC}/console/sso/callback`];
  const oidc = await startAuthorizationServer(uris, options);
  stops.push(() => oidc.stop());
  Object.assign(oidc, { person: ANN.email, claims: { email_verified: true } });
  const lines: string[] = [];
  const log: Log = createLog({
    ...{ clock: systemClock, level: "warn", format: "json" },
    write: (line) => void lines.push(line),
  });
  const [clock, fetch] = [systemClock, createFetch(LOCAL_DNS)];
  const settings = { ...CLIENT, issuer: issuer ?? oidc.url };
  const app = await createTestApp({
    ...{ publicUrl: PUBLIC, log, mail: WILLING },
    oauth: createOauth({ smtp: { ...settings, scope: null } }, { clock, fetch, log: silentLog }),
    signOn: createSignOn({ ...settings, name: "Example" }, clock, fetch),
  });
  stops.push(() => app.close());
  return { oidc, app, lines };
}

/** Mail servers that let everybody in. */
const WILLING: MailPort = {
  ...localMailPort(),
  test: async () => ({ smtp: { ok: true, error: null }, imap: { ok: true, error: null } }),
};

type Change = (back: URL) => void;

async function visit(app: TestApp, browser: Browser, url: string, body?: object) {
  const cookie = browser.cookies(url);
  const posted = {
    method: "POST",
    body: JSON.stringify(body),
    headers: { cookie, origin: PUBLIC, "content-type": "application/json" },
  };
  const response = await app.fetch(
    new Request(url, body === undefined ? { headers: { cookie } } : posted),
  );
  browser.keep(url, response.headers);
  return { response, text: await response.text() };
}

/** Connects a mailbox; returns the last page. `change` is made to the address that leads back. */
async function connects(app: TestApp, change: Change = () => undefined): Promise<string> {
  const input = { email: ANN.email, provider: "smtp", smtp: SERVER, imap: SERVER };
  const { id } = (await app.live("POST", "/accounts", input)).body;
  const { url } = (await app.live("POST", `/accounts/${id}/connect`)).body;
  const browser = new Browser();
  const { response, text } = await visit(app, browser, url);
  const away = response.headers.get("location");
  if (away === null) {
    return text;
  }
  const back = new URL(await browser.follow(away, PUBLIC));
  change(back);
  return (await visit(app, browser, back.href)).text;
}

/** Signs a person in; answers where the console goes on, or the page that says why not. */
async function signsOn(app: TestApp, change: Change = () => undefined): Promise<string> {
  await firstPerson(app, PUBLIC);
  const browser = new Browser();
  const begun = await visit(app, browser, `${PUBLIC}/console/sso`, { to: "/live/inbox" });
  const { url } = JSON.parse(begun.text);
  if (url === undefined) {
    return begun.text;
  }
  const back = new URL(await browser.follow(url, `${PUBLIC}/console/sso/callback`));
  change(back);
  const { response, text } = await visit(app, browser, back.href);
  return response.headers.get("location") ?? text;
}

describe("a mailbox is connected and a person signs in", () => {
  test.each<[string, AuthorizationServerOptions]>([
    ["at the root", {}],
    ["below a path", { path: "/realms/example" }],
    ["below a path, described as RFC 8414 has it", { path: "/realms/one", wellKnown: "oauth2" }],
    ["at the root, described as RFC 8414 has it", { wellKnown: "oauth2" }],
    ["where the secret may stand in the body alone", { authentication: "client_secret_post" }],
    ["where the secret may stand in the header alone", { authentication: "client_secret_basic" }],
  ])(
    "%s",
    async (_name, options) => {
      const { app } = await start(options);
      expect(await connects(app)).toContain("The mailbox is connected");
      expect(await signsOn(app)).toBe("/live/inbox");
    },
    START_MS_MAX,
  );

  test.each([[["client_secret_basic"]], [undefined]])(
    "where the server names %p as ways of showing a secret",
    async (named) => {
      const { app, oidc } = await start({ authentication: "client_secret_basic" });
      oidc.describe = ({ token_endpoint_auth_methods_supported: _all, ...others }) => {
        return { ...others, ...(named && { token_endpoint_auth_methods_supported: named }) };
      };
      expect(await connects(app)).toContain("The mailbox is connected");
      expect(await signsOn(app)).toBe("/live/inbox");
      expect(oidc.questions).toBe(2);
    },
    START_MS_MAX,
  );
});

describe("no code is traded", () => {
  test.each([
    ["another issuer", "https://evil.example"],
    ["an issuer with a slash more below the root", "/"],
  ])("where the server describes %s", async (_name, named) => {
    const { app, oidc, lines } = await start({ path: "/realms/example" });
    oidc.describe = (told) => ({
      ...told,
      issuer: named === "/" ? `${String(told["issuer"])}/` : named,
    });
    expect(await connects(app)).toContain("reach the authorization server");
    expect(await signsOn(app)).toContain("Example is not responding");
    expect(lines.join("\n")).toContain("names itself");
    expect(oidc.questions).toBe(0);
  });

  test("where the answer does not name the server, which declares that it always does", async () => {
    const { app, oidc } = await start();
    const drop: Change = ({ searchParams }) => {
      expect(searchParams.get("iss")).toBe(oidc.url);
      searchParams.delete("iss");
    };
    expect(await connects(app, drop)).toContain("came from a different authorization server");
    expect(await signsOn(app, drop)).toContain("You were not signed in");
    expect(oidc.questions).toBe(0);
  });

  test("where the answer names another server, though this one declares nothing", async () => {
    const { app, oidc } = await start();
    oidc.describe = ({ authorization_response_iss_parameter_supported: _says, ...told }) => told;
    const change: Change = ({ searchParams }) => searchParams.set("iss", "https://evil.example");
    expect(await connects(app, change)).toContain("came from a different authorization server");
    expect(await signsOn(app, change)).toContain("You were not signed in");
    expect(oidc.questions).toBe(0);
  });
});

test("a server that declares nothing may leave its name out", async () => {
  const { app, oidc } = await start();
  oidc.describe = ({ authorization_response_iss_parameter_supported: _says, ...told }) => told;
  const drop: Change = ({ searchParams }) => searchParams.delete("iss");
  expect(await connects(app, drop)).toContain("The mailbox is connected");
  expect(await signsOn(app, drop)).toBe("/live/inbox");
});
