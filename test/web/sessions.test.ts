/** Signing in and out of the console: who is let in, what the cookie is, when it ends. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { silentLog } from "#platform/log.ts";
import { createSignInLink } from "#usecases/team/sessions.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { ANN, firstLink, firstPerson, invited, visitor } from "../support/people.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const signIn = (password: string, email: string = ANN.email) =>
  visitor(app).ask("POST", "/console/session", { email, password });

describe("the first person", () => {
  test("owns the first team, operates the installation, and is signed in", async () => {
    const ann = await firstPerson(app);
    const { status, body } = await ann.ask("GET", "/console/session");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { email: ANN.email, name: "Ann", role: "owner", operator: true },
      team: { id: app.team.id, name: "Acme" },
    });
    expect(body.scopes).toContain("admin");
    expect(body.scopes).toContain("operator");
  });

  test("comes by a link that works once, for half an hour, and only while nobody is there", async () => {
    const early = await firstLink(app);
    const token = await firstLink(app);
    const take = (given: string) =>
      visitor(app).ask("POST", "/console/welcome", { token: given, ...ANN });
    expect((await take(early)).status).toBe(404);
    app.wall.move(30 * MINUTE_MS);
    expect((await take(token)).status).toBe(404);
    const fresh = await firstLink(app);
    expect((await take(fresh)).status).toBe(201);
    expect((await take(fresh)).status).toBe(404);
    expect((await take(await firstLink(app))).status).toBe(404);
  });

  test.each([
    ["a short password", { password: "short" }, "password"],
    ["the address as password", { password: ANN.email }, "password"],
    ["one letter again and again", { password: "aaaaaaaaaaaa" }, "password"],
    ["no address", { email: "ann" }, "email"],
    ["no name", { name: " " }, "name"],
    ["a name of two lines", { name: "Ann\nB" }, "name"],
  ])("422: %s is named, and the link still works", async (_name, change, field) => {
    const token = await firstLink(app);
    const body = { token, ...ANN };
    const refused = await visitor(app).ask("POST", "/console/welcome", { ...body, ...change });
    expect([refused.status, refused.body.field]).toEqual([422, field]);
    expect((await visitor(app).ask("POST", "/console/welcome", body)).status).toBe(201);
  });
});

describe("a password", () => {
  test("lets in whoever knows it, and nothing else is told apart", async () => {
    await firstPerson(app);
    expect((await signIn(ANN.password, " Ann@Example.com ")).status).toBe(201);
    const wrong = await signIn("another password");
    const nobody = await signIn(ANN.password, "bob@example.com");
    expect(wrong.status).toBe(401);
    expect(nobody.body).toEqual(wrong.body);
    expect(wrong.headers.get("set-cookie")).toBeNull();
  });

  test("that is wrong is in the log with whose account it is, and without what was typed", async () => {
    const lines: string[] = [];
    const warn = (message: string, fields?: object) => {
      lines.push(JSON.stringify({ message, ...fields }));
    };
    await app.close();
    app = await createTestApp({ log: { ...silentLog, warn } });
    const ann = await firstPerson(app);
    const { user } = (await ann.ask("GET", "/console/session")).body;
    await signIn("another password");
    await signIn(ANN.password, "the-password-by-mistake@example.com");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { message: "a sign-in was refused", way: "password", user: user.id },
      { message: "a sign-in was refused", way: "password", user: null },
    ]);
  });

  test("is slowed after five wrong ones, and a right one then has to wait too", async () => {
    await firstPerson(app);
    for (let count = 0; count < 5; count += 1) {
      expect((await signIn("another password")).status).toBe(401);
    }
    const slowed = await signIn(ANN.password);
    expect(slowed.status).toBe(429);
    expect(slowed.headers.get("retry-after")).toBe("2");
    app.wall.move(2_000);
    expect((await signIn(ANN.password)).status).toBe(201);
    expect((await signIn("another password")).status).toBe(401);
  });

  test("that is changed ends every other session", async () => {
    const ann = await firstPerson(app);
    const other = visitor(app);
    await other.ask("POST", "/console/session", { email: ANN.email, password: ANN.password });
    const change = (current_password: string) =>
      ann.ask("PATCH", "/console/password", { current_password, password: "a longer password" });
    const refused = await change("not mine at all");
    expect([refused.status, refused.body.field]).toEqual([422, "current_password"]);
    expect((await change(ANN.password)).status).toBe(204);
    expect((await other.ask("GET", "/console/session")).status).toBe(401);
    expect((await ann.ask("GET", "/console/session")).status).toBe(200);
    expect((await signIn(ANN.password)).status).toBe(401);
    expect((await signIn("a longer password")).status).toBe(201);
  });
});

describe("a session", () => {
  test("is a cookie that no script reads and no other site sends", async () => {
    const token = await firstLink(app);
    const { headers } = await visitor(app).ask("POST", "/console/welcome", { token, ...ANN });
    expect(headers.get("set-cookie")).toMatch(
      /^outrider-[0-9a-f]{8}=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
  });

  test("is bound to the host and to TLS at a public address of https", async () => {
    const secure = await createTestApp({ publicUrl: "https://mail.example.com" });
    const token = await firstLink(secure);
    const there = visitor(secure, "https://mail.example.com");
    const { headers } = await there.ask("POST", "/console/welcome", { token, ...ANN });
    expect(headers.get("set-cookie")).toMatch(
      /^__Host-outrider-[0-9a-f]{8}=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    );
    there.cookie = there.cookie.replace("__Host-", "");
    expect((await there.ask("GET", "/console/session")).status).toBe(401);
    await secure.close();
  });

  test("is another one after each sign-in, and the one before is gone", async () => {
    const ann = await firstPerson(app);
    const before = ann.cookie;
    const again = { email: ANN.email, password: ANN.password };
    await ann.ask("POST", "/console/session", again);
    expect(ann.cookie).not.toBe(before);
    ann.cookie = before;
    expect((await ann.ask("GET", "/console/session")).status).toBe(401);
  });

  test("that was made up opens nothing", async () => {
    const [name] = (await firstPerson(app)).cookie.split("=");
    const stranger = visitor(app);
    for (const value of ["", "x", "A".repeat(43), "../../etc", "a".repeat(5000)]) {
      stranger.cookie = `${name}=${value}`;
      expect((await stranger.ask("GET", "/console/session")).status).toBe(401);
    }
  });

  test("ends after a week unused, and after thirty days however busy", async () => {
    const ann = await firstPerson(app);
    app.wall.move(7 * DAY_MS - 1);
    expect((await ann.ask("GET", "/console/session")).status).toBe(200);
    app.wall.move(7 * DAY_MS);
    expect((await ann.ask("GET", "/console/session")).status).toBe(401);

    const busy = visitor(app);
    await busy.ask("POST", "/console/session", { email: ANN.email, password: ANN.password });
    for (let day = 0; day < 5; day += 1) {
      app.wall.move(6 * DAY_MS - HOUR_MS);
      expect((await busy.ask("GET", "/console/session")).status).toBe(200);
      // That it was used is written after the answer.
      await app.environments.live.commit(() => undefined);
    }
    app.wall.move(5 * HOUR_MS);
    expect((await busy.ask("GET", "/console/session")).status).toBe(401);
  });

  test("is listed and ended by its owner alone", async () => {
    const ann = await firstPerson(app);
    const phone = visitor(app);
    await phone.ask("POST", "/console/session", { email: ANN.email, password: ANN.password });
    const guest = await invited(app, ann, "member");
    const { data } = (await ann.ask("GET", "/console/sessions")).body;
    expect(data.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
    const path = `/console/sessions/${data[0].id}`;
    expect((await guest.ask("DELETE", path)).status).toBe(404);
    expect((await ann.ask("DELETE", path)).status).toBe(204);
    expect((await phone.ask("GET", "/console/session")).status).toBe(401);
    expect((await ann.ask("DELETE", "/console/session")).status).toBe(204);
    expect(ann.cookie).toBe("");
  });

  test("is in the audit log with its person's name", async () => {
    const ann = await firstPerson(app);
    await ann.ask("PATCH", "/live/api/v1/team", { name: "Acme Ltd" });
    const { data } = (await ann.ask("GET", "/live/api/v1/audit?actor=user:*")).body;
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      "team.patch",
      "session.begin",
      "member.join",
    ]);
    expect(data[0].actor_name).toBe("Ann");
  });
});

describe("the door", () => {
  test("tells who is signed in, and nobody else, after which events news begin", async () => {
    const ann = await firstPerson(app);
    const asked = async (who: typeof ann) => (await who.ask("GET", "/console/door")).body;
    const before = (await asked(ann)).last_seq;
    expect(before).toEqual({ live: expect.any(Number), test: expect.any(Number) });
    const out = { email: "out@example.com" };
    expect((await ann.ask("POST", "/test/api/v1/suppressions", out)).status).toBe(201);
    const { data } = (await ann.ask("GET", "/test/api/v1/events")).body;
    expect((await asked(ann)).last_seq).toEqual({ ...before, test: data.at(-1).seq });
    expect((await asked(visitor(app))).last_seq).toBeNull();
  });
});

describe("a request of another site", () => {
  test.each([
    ["says so itself", { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }],
    ["comes from a neighbour of the same domain", { "Sec-Fetch-Site": "same-site" }],
    ["has another origin", { Origin: "https://evil.example" }],
    ["has an origin without a name", { Origin: "null" }],
    ["says nothing of itself", {}],
  ])("403: one that %s changes nothing", async (_name, headers) => {
    const ann = await firstPerson(app);
    const body = { name: "Theirs" };
    for (const [method, path, given] of [
      ["POST", "/live/api/v1/campaigns", body],
      ["PATCH", "/live/api/v1/team", body],
      ["DELETE", "/console/session", undefined],
      ["POST", "/console/session", { email: ANN.email, password: ANN.password }],
    ] as const) {
      const { status } = await ann.ask(method, path, given, headers);
      expect([path, status]).toEqual([path, 403]);
    }
    expect((await ann.ask("GET", "/live/api/v1/team")).body.name).toBe("Acme");
  });

  test("403: it hears no events either", async () => {
    const ann = await firstPerson(app);
    const path = "/live/api/v1/events/stream";
    const { status } = await ann.ask("GET", path, undefined, { "Sec-Fetch-Site": "cross-site" });
    expect(status).toBe(403);
  });
});

describe("a link from the command line", () => {
  test("lets its person in once", async () => {
    await firstPerson(app);
    const { live } = app.environments;
    const { findUserByEmail } = await import("#store/team/people.ts");
    const user = findUserByEmail(live.db, ANN.email);
    const token = await live.commit(() => createSignInLink(live, user ?? null));
    const ann = visitor(app);
    expect((await ann.ask("POST", "/console/enter", { token })).status).toBe(201);
    expect((await ann.ask("GET", "/console/session")).body.user.email).toBe(ANN.email);
    expect((await visitor(app).ask("POST", "/console/enter", { token })).status).toBe(404);
  });
});

describe("a body that is none", () => {
  test.each([
    ["no JSON", "{", 400],
    ["a list", [], 400],
    ["a number for a text", { email: 1, password: "x" }, 422],
    ["an unknown field", { email: "a", password: "b", admin: "yes" }, 422],
    ["a missing field", { email: "a" }, 422],
    ["more than fits", { email: "a", password: "b".repeat(20_000) }, 413],
  ])("%s is refused", async (_name, body, status) => {
    const headers = { Origin: "http://localhost", "Content-Type": "application/json" };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await app.fetch(
      new Request("http://localhost/console/session", { method: "POST", headers, body: text }),
    );
    expect(response.status).toBe(status);
  });
});

/** The stream of somebody who is signed in; `until` resolves to all that it said when it has said `words`. */
async function listen(cookie: string, env: "live" | "test") {
  const url = `http://localhost/${env}/api/v1/events/stream`;
  const headers = { Cookie: cookie, "Sec-Fetch-Site": "same-origin" };
  const { body } = await app.fetch(new Request(url, { headers }));
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let said = "";
  return {
    until: async (words: string) => {
      while (!said.includes(words)) {
        const { done, value } = await reader.read();
        if (done) {
          throw new Error(`it ended:\n${said}`);
        }
        said += new TextDecoder().decode(value);
      }
      return said;
    },
    ended: async () => {
      while (!(await reader.read()).done) {
        // What it still says.
      }
    },
  };
}

describe("what a page hears besides events", () => {
  test("a page hears that a step was changed, though no event tells of it", async () => {
    const ann = await firstPerson(app);
    const { body: campaign } = await ann.ask("POST", "/test/api/v1/campaigns", { name: "Spring" });
    const steps = `/test/api/v1/campaigns/${campaign.id}/steps`;
    const { body: step } = await ann.ask("POST", steps, { type: "email", body: "Hello" });
    const stream = await listen(ann.cookie, "test");
    await stream.until("retry: ");
    await ann.ask("PATCH", `${steps}/${step.id}`, { body: "Hello again" });
    const said = await stream.until("event: change\ndata: step\n\n");
    expect(said).not.toContain("Hello again");
  });

  test("the stream of whose role changes ends at once, in both environments", async () => {
    const ann = await firstPerson(app);
    const bo = await invited(app, ann, "member");
    const streams = [await listen(bo.cookie, "live"), await listen(bo.cookie, "test")];
    await Promise.all(streams.map((stream) => stream.until("retry: ")));
    const { body } = await ann.ask("GET", "/live/api/v1/team/members");
    const { id } = body.data.find(({ email }: { email: string }) => email === "member@example.com");
    await ann.ask("PATCH", `/live/api/v1/team/members/${id}`, { role: "viewer" });
    await Promise.all(streams.map((stream) => stream.ended()));
  });
});
