/**
 * Single sign-on against a real OpenID provider: who is let in and as whom, and what an answer is worth
 * that is not for the sign-on of this browser.
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { systemClock } from "#platform/clock.ts";
import { createFetch } from "#platform/http/fetch.ts";
import { createSignOn } from "#platform/secrets/openid.ts";
import { cookieName } from "#web/visitor.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import {
  type AuthorizationServer,
  Browser,
  CLIENT,
  startAuthorizationServer,
} from "../support/authorization-server.ts";
import { LOCAL_DNS } from "../support/dns.ts";
import { ANN, firstPerson, type Visitor, visitor } from "../support/people.ts";

const PUBLIC = "http://127.0.0.1:4816";
const CALLBACK = `${PUBLIC}/console/sso/callback`;
/** The package may have to be installed first. */
const START_MS_MAX = 120_000;

let oidc: AuthorizationServer;
let app: TestApp;
beforeAll(async () => {
  oidc = await startAuthorizationServer([CALLBACK]);
}, START_MS_MAX);
afterAll(() => oidc.stop());
beforeEach(async () => {
  const claims = { email_verified: true, name: "Ann" };
  Object.assign(oidc, { person: ANN.email, claims, spoil: null, isDown: false });
  app = await start();
});
afterEach(() => app.close());

function start(change: { issuer?: string; clientSecret?: string | null } = {}) {
  const config = { ...CLIENT, issuer: oidc.url, name: "Example", ...change };
  return createTestApp({
    publicUrl: PUBLIC,
    signOn: createSignOn(config, systemClock, createFetch(LOCAL_DNS)),
  });
}

/** One browser: its cookies of us and of the provider. */
function browser() {
  const jar = new Browser();
  const send = async (method: string, address: string, body?: object) => {
    const url = address.startsWith("/") ? PUBLIC + address : address;
    const response = await app.fetch(
      new Request(url, {
        method,
        headers: {
          Cookie: jar.cookies(PUBLIC),
          ...(method === "GET" ? {} : { Origin: PUBLIC }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    jar.keep(PUBLIC, response.headers);
    const text = await response.text();
    return { status: response.status, text, headers: response.headers };
  };
  /** Where the provider is asked. */
  const leave = async (given: object = {}): Promise<string> => {
    const { text } = await send("POST", "/console/sso", { to: "/live/inbox", ...given });
    return String(JSON.parse(text).url);
  };
  /** Through the provider's pages, to where it sends the browser back. */
  const follow = (url: string) => jar.follow(url, CALLBACK);
  return {
    jar,
    send,
    leave,
    follow,
    signOn: async (given: object = {}) => send("GET", await follow(await leave(given))),
    session: async () => JSON.parse((await send("GET", "/console/door")).text).session,
  };
}

async function invite(host: Visitor, email: string, role = "member"): Promise<string> {
  const { body } = await host.ask("POST", "/live/api/v1/team/invitations", { email, role });
  return String(body.url).split("#")[1] ?? "";
}

describe("without a provider", () => {
  test("there is no button and no address", async () => {
    const plain = await createTestApp();
    const guest = visitor(plain);
    expect((await guest.ask("GET", "/console/door")).body.single_sign_on).toBeNull();
    expect((await guest.ask("POST", "/console/sso", { to: "/live/" })).status).toBe(404);
    expect((await guest.ask("GET", "/console/sso/callback?code=a&state=b")).status).toBe(404);
    await plain.close();
  });
});

describe("somebody whose address the provider vouches for", () => {
  test("comes into the account under it, on the page that they asked for", async () => {
    await firstPerson(app, PUBLIC);
    const ann = browser();
    const { status, headers } = await ann.signOn();
    expect([status, headers.get("location")]).toEqual([302, "/live/inbox"]);
    expect(headers.getSetCookie().join("\n")).toMatch(/outrider-\w+=[\w-]{43}; .*SameSite=Strict/);
    expect((await ann.session()).user).toMatchObject({ email: ANN.email, role: "owner" });
  });

  test("also where the provider vouches in a text, as Amazon Cognito does", async () => {
    await firstPerson(app, PUBLIC);
    oidc.claims = { email_verified: "true" };
    const ann = browser();
    await ann.signOn();
    expect((await ann.session()).user.email).toBe(ANN.email);
  });

  test("is known by the provider's own name for them after that, whatever their address", async () => {
    await firstPerson(app, PUBLIC);
    await browser().signOn();
    oidc.claims = { email: "ann@elsewhere.example", email_verified: false };
    const ann = browser();
    await ann.signOn();
    expect((await ann.session()).user.email).toBe(ANN.email);
  });

  test("joins by an invitation, without a password", async () => {
    const host = await firstPerson(app, PUBLIC);
    const invitation = await invite(host, "bob@example.com", "viewer");
    Object.assign(oidc, {
      person: "bob@example.com",
      claims: { email_verified: true, name: "Bob" },
    });
    const bob = browser();
    expect((await bob.signOn({ invitation })).status).toBe(302);
    expect((await bob.session()).user).toMatchObject({ name: "Bob", role: "viewer" });
    const used = await host.ask("POST", "/console/invitation", { token: invitation });
    expect(used.status).toBe(404);
  });

  test("is in the audit log", async () => {
    const host = await firstPerson(app, PUBLIC);
    await browser().signOn();
    const { data } = (await host.ask("GET", "/live/api/v1/audit?limit=2")).body;
    const actions = data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(["session.begin", "identity.link"]);
    expect(data[1].after).toEqual({ issuer: oidc.url });
  });
});

describe("nobody comes in", () => {
  let host: Visitor;
  beforeEach(async () => {
    host = await firstPerson(app, PUBLIC);
  });

  async function refused(given: object = {}): Promise<string> {
    const guest = browser();
    const { status, text } = await guest.signOn(given);
    expect([status, await guest.session()]).toEqual([403, null]);
    return text;
  }

  test("who has no account and no invitation", async () => {
    oidc.person = "eve@example.com";
    expect(await refused()).toContain("No invitation for eve@example.com");
  });

  test.each([[{ email_verified: false }], [{ email_verified: "false" }], [{}]])(
    "under an address that the provider does not vouch for: %j",
    async (claims) => {
      oidc.claims = claims;
      expect(await refused()).toContain("verified that ann@example.com is yours");
    },
  );

  test("under an address that somebody else had at the provider before", async () => {
    await browser().signOn();
    oidc.person = "new-ann";
    oidc.claims = { email: ANN.email, email_verified: true };
    expect(await refused()).toContain("is already connected to a different");
  });

  test("by the invitation of another", async () => {
    const invitation = await invite(host, "bob@example.com");
    oidc.person = "eve@example.com";
    expect(await refused({ invitation })).toContain(
      "this invitation is for bob@example.com".slice(1),
    );
    const unused = await host.ask("POST", "/console/invitation", { token: invitation });
    expect(unused.status).toBe(200);
  });

  test("who declines", async () => {
    oidc.person = null;
    expect(await refused()).toContain("the person declined");
  });

  test.each<[string, (claims: Record<string, unknown>) => object, string]>([
    ["another issuer", () => ({ iss: "https://evil.example" }), "claim value"],
    ["another client", () => ({ aud: "another" }), "claim value"],
    ["an end that has passed", () => ({ exp: 1_000_000_000 }), "claim value"],
    ["a changed name", () => ({ sub: "somebody-else" }), "signature"],
  ])("by an ID token with %s", async (_name, change, reason) => {
    oidc.spoil = (token) => {
      const [head = "", payload = "", signature = ""] = token.split(".");
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
      const changed = JSON.stringify({ ...claims, ...change(claims) });
      return [head, Buffer.from(changed).toString("base64url"), signature].join(".");
    };
    expect(await refused()).toContain(reason);
  });

  test("where our client's secret is wrong", async () => {
    for (const clientSecret of [null, "another"]) {
      const other = await start({ clientSecret });
      await firstPerson(other, PUBLIC);
      const mine = app;
      app = other;
      expect(await refused()).toContain("client");
      app = mine;
      await other.close();
    }
  });

  test("by an ID token without a signature", async () => {
    oidc.spoil = (token) => {
      const head = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
      return `${head}.${token.split(".")[1]}.`;
    };
    await refused();
  });

  test("where the provider is another than it should be, or does not answer", async () => {
    for (const issuer of [oidc.url.replace("127.0.0.1", "localhost"), "http://127.0.0.1:1"]) {
      const other = await start({ issuer });
      const { status, body } = await visitor(other, PUBLIC).ask("POST", "/console/sso", {
        to: "/",
      });
      expect([status, body.message]).toEqual([503, "Example is not responding; try again later"]);
      await other.close();
    }
    oidc.isDown = true;
    expect(await refused()).toContain("is not responding");
  });
});

describe("an answer counts once, for the sign-on that it belongs to", () => {
  beforeEach(() => firstPerson(app, PUBLIC));

  async function refusedAt(guest: ReturnType<typeof browser>, address: string): Promise<string> {
    const { status, text } = await guest.send("GET", address);
    expect([status, await guest.session()]).toEqual([403, null]);
    return text;
  }

  test("with another state", async () => {
    const guest = browser();
    const back = new URL(await guest.follow(await guest.leave()));
    back.searchParams.set("state", "another");
    await refusedAt(guest, back.href);
  });

  test("with the nonce of another sign-on", async () => {
    const guest = browser();
    const away = new URL(await guest.leave());
    away.searchParams.set("nonce", "another");
    expect(await refusedAt(guest, await guest.follow(away.href))).toContain("claim value");
  });

  test("with the code of another sign-on", async () => {
    const [eve, guest] = [browser(), browser()];
    const stolen = new URL(await eve.follow(await eve.leave()));
    const back = new URL(await guest.follow(await guest.leave()));
    back.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    await refusedAt(guest, back.href);
  });

  test.each([["another"], [""]])("with the issuer %p in its address", async (issuer) => {
    const guest = browser();
    const back = new URL(await guest.follow(await guest.leave()));
    expect(back.searchParams.get("iss")).toBe(oidc.url);
    back.searchParams.set("iss", issuer);
    expect(await refusedAt(guest, back.href)).toContain("issuer");
  });

  test("in the browser that left, and in no other", async () => {
    const eve = browser();
    const back = await eve.follow(await eve.leave());
    expect(await refusedAt(browser(), back)).toContain("This sign-in has expired");
  });

  test("not when it comes again", async () => {
    const guest = browser();
    const back = await guest.follow(await guest.leave());
    const kept = guest.jar.cookies(PUBLIC);
    expect((await guest.send("GET", back)).status).toBe(302);
    const again = browser();
    again.jar.keep(PUBLIC, new Headers([["Set-Cookie", kept]]));
    expect(await refusedAt(again, back)).toContain("This sign-in has expired");
  });

  test("not after ten minutes, nor with a cookie of one's own making", async () => {
    const guest = browser();
    const back = await guest.follow(await guest.leave());
    app.wall.move(10 * 60_000);
    expect(await refusedAt(guest, back)).toContain("This sign-in has expired");
    const forger = browser();
    const own = `${cookieName(app.environments.live, false, "-sso")}=v1.a.b.c`;
    forger.jar.keep(PUBLIC, new Headers([["Set-Cookie", own]]));
    await refusedAt(forger, back);
  });

  test.each([
    "//evil.example",
    "https://evil.example",
    "/live//evil.example",
    "/live/\\evil",
    "/u/x",
  ])("and leads to no page but the console's: %s", async (to) => {
    const { headers } = await browser().signOn({ to });
    expect(headers.get("location")).toBe("/live/");
  });

  test("is begun by our own page alone", async () => {
    const response = await app.fetch(
      new Request(`${PUBLIC}/console/sso`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "cross-site" },
        body: '{"to":"/live/"}',
      }),
    );
    expect(response.status).toBe(403);
  });
});

describe("an account", () => {
  /** Bob, by password, at a provider that does not vouch for addresses. */
  async function bob() {
    const host = await firstPerson(app, PUBLIC);
    const token = await invite(host, "bob@example.com");
    const guest = browser();
    const given = { token, name: "Bob", password: ANN.password };
    await guest.send("POST", "/console/invitation/join", given);
    Object.assign(oidc, { person: "bob-7", claims: { email: "bob@example.com" } });
    return guest;
  }

  test("is connected by who is signed in, also without a word for the address", async () => {
    const guest = await bob();
    expect((await guest.signOn({ connect: "yes" })).status).toBe(302);
    const elsewhere = browser();
    await elsewhere.signOn();
    expect((await elsewhere.session()).user.email).toBe("bob@example.com");
  });

  test("is connected to one person, and a person to one account", async () => {
    const guest = await bob();
    await guest.signOn({ connect: "yes" });
    const again = browser();
    await again.send("POST", "/console/session", {
      email: "bob@example.com",
      password: ANN.password,
    });
    oidc.person = "bob-8";
    expect((await again.signOn({ connect: "yes" })).text).toContain("disconnect it first");
    const ann = browser();
    await ann.send("POST", "/console/session", { email: ANN.email, password: ANN.password });
    oidc.person = "bob-7";
    expect((await ann.signOn({ connect: "yes" })).text).toContain(
      "already connected to another account here",
    );
  });

  test("is not connected once the session has ended, nor for who is not signed in", async () => {
    const guest = await bob();
    const back = await guest.follow(await guest.leave({ connect: "yes" }));
    await guest.send("DELETE", "/console/session");
    expect((await guest.send("GET", back)).text).toContain("Your session has ended");
    const { status } = await browser().send("POST", "/console/sso", { to: "/", connect: "yes" });
    expect(status).toBe(401);
  });

  test("is disconnected by its person, who needs a password to come in by", async () => {
    const guest = await bob();
    await guest.signOn({ connect: "yes" });
    expect((await guest.send("DELETE", "/console/sso")).status).toBe(204);
    const elsewhere = browser();
    expect((await elsewhere.signOn()).status).toBe(403);

    const host = visitor(app, PUBLIC);
    await host.ask("POST", "/console/session", { email: ANN.email, password: ANN.password });
    await invite(host, "cleo@example.com");
    Object.assign(oidc, { person: "cleo@example.com", claims: { email_verified: true } });
    const cleo = browser();
    await cleo.signOn();
    expect((await cleo.session()).user.name).toBe("cleo");
    expect((await cleo.send("DELETE", "/console/sso")).status).toBe(409);
    await cleo.send("PATCH", "/console/password", { password: "cleo's own words" });
    expect((await cleo.send("DELETE", "/console/sso")).status).toBe(204);
  });
});
