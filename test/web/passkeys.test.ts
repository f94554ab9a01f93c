/** The doors of passkeys, knocked at without one; in a browser they are `console-passkeys.test.ts`. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { findUserByEmail, insertPasskey, updateUser } from "#store/team/people.ts";
import { ERRAND_MS_MAX } from "#web/errand.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { ANN, firstPerson, invited, type Visitor, visitor } from "../support/people.ts";

let app: TestApp;
let ann: Visitor;
beforeEach(async () => {
  app = await createTestApp();
  ann = await firstPerson(app);
});
afterEach(() => app.close());

/** As if Ann had made one. */
async function keep(email: string = ANN.email): Promise<string> {
  const { live } = app.environments;
  const user = findUserByEmail(live.db, email);
  const now = live.wall.now();
  const id = live.ids.next(now);
  await live.commit(() =>
    insertPasskey(live.db, {
      id,
      userId: user?.id ?? "",
      name: "Laptop",
      credentialId: "AAAA",
      publicKey: new Uint8Array(32),
      counter: 0,
      createdAt: now,
      usedAt: null,
    }),
  );
  return id;
}

/** The cookie that a question sets beside the session's. */
async function question(path: string, by: Visitor): Promise<{ cookie: string; options: object }> {
  const before = by.cookie;
  const { body, headers } = await by.ask("POST", path);
  by.cookie = before;
  const cookie = /^[^;]+/.exec(headers.get("set-cookie") ?? "")?.[0] ?? "";
  return { cookie, options: body };
}

const GARBAGE = [
  "",
  "null",
  "[]",
  "{",
  '{"id":"AAAA"}',
  '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{}}',
  `{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"${"A".repeat(4_000)}","authenticatorData":"AA","signature":"AA"}}`,
];

describe("signing in by passkey", () => {
  test.each(GARBAGE)("401 for what no authenticator says: %#", async (credential) => {
    await keep();
    const guest = visitor(app);
    guest.cookie = (await question("/console/passkeys/door", guest)).cookie;
    const answer = await guest.ask("POST", "/console/passkeys/session", { credential });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([401, null]);
  });

  test("422 without a question of ours, and once it is too old", async () => {
    const guest = visitor(app);
    const credential = '{"id":"AAAA"}';
    const ask = () => guest.ask("POST", "/console/passkeys/session", { credential });
    expect((await ask()).status).toBe(422);
    guest.cookie = (await question("/console/passkeys/door", guest)).cookie;
    app.wall.move(ERRAND_MS_MAX);
    expect((await ask()).status).toBe(422);
  });

  test("the question names nobody", async () => {
    await keep();
    const { options } = await question("/console/passkeys/door", visitor(app));
    expect(options).toMatchObject({ rpId: "localhost", userVerification: "required" });
    expect(JSON.stringify(options)).not.toContain("AAAA");
  });
});

describe("making one", () => {
  test("takes a session, one's own page, and an answer to one's own question", async () => {
    const answer = { credential: "{}", name: "Laptop" };
    expect((await visitor(app).ask("POST", "/console/passkeys/options")).status).toBe(401);
    const elsewhere = { Origin: "https://evil.example" };
    const { status } = await ann.ask("POST", "/console/passkeys/options", undefined, elsewhere);
    expect(status).toBe(403);
    const guest = await invited(app, ann, "member");
    const { cookie } = await question("/console/passkeys/options", guest);
    // Hers, with the question that was put to him.
    const session = ann.cookie;
    ann.cookie = `${session}; ${cookie}`;
    const refused = await ann.ask("POST", "/console/passkeys", answer);
    expect([refused.status, refused.body.field]).toEqual([422, "credential"]);
  });

  test("asks for a device that has none yet", async () => {
    await keep();
    const { options } = await question("/console/passkeys/options", ann);
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      user: { name: ANN.email },
      excludeCredentials: [{ id: "AAAA" }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
  });
});

describe("one that is kept", () => {
  test("is seen and removed by its owner alone, which the audit log tells", async () => {
    const id = await keep();
    const guest = await invited(app, ann, "member");
    expect((await guest.ask("GET", "/console/ways")).body.passkeys).toEqual([]);
    expect((await guest.ask("DELETE", `/console/passkeys/${id}`)).status).toBe(404);
    expect((await ann.ask("GET", "/console/ways")).body).toMatchObject({
      password: true,
      single_sign_on: false,
      passkeys: [{ id, name: "Laptop", last_used_at: null }],
    });
    expect((await ann.ask("DELETE", `/console/passkeys/${id}`)).status).toBe(204);
    const { data } = (await ann.ask("GET", "/live/api/v1/audit?limit=1")).body;
    expect(data[0].action).toBe("passkey.delete");
  });

  test("stays where it is the only way in", async () => {
    const id = await keep();
    const { live } = app.environments;
    const user = findUserByEmail(live.db, ANN.email);
    if (user !== undefined) {
      await live.commit(() => updateUser(live.db, { ...user, passwordHash: null }));
    }
    expect((await ann.ask("DELETE", `/console/passkeys/${id}`)).status).toBe(409);
  });
});
