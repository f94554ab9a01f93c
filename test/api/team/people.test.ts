/** The contract of `/team/members` and `/team/invitations`, and what each role may do anywhere. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { ANY_SCOPE, declaredScope } from "#api/plugins/routes.ts";
import { apiRoutes } from "#api/resources.ts";
import { holds } from "#domain/team/api-key.ts";
import { mayManage, ROLES, type Role, scopesOf } from "#domain/team/role.ts";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { ANN, firstPerson, invited, type Visitor, visitor } from "../../support/people.ts";
import { tried } from "../../support/promises.ts";

const MEMBERS = "/live/api/v1/team/members";
const INVITATIONS = "/live/api/v1/team/invitations";

describe("people of a team", () => {
  let app: TestApp;
  let ann: Visitor;
  beforeEach(async () => {
    app = await createTestApp();
    ann = await firstPerson(app);
  });
  afterEach(() => app.close());

  const idOf = async (who: Visitor) => (await who.ask("GET", "/console/session")).body.user.id;

  test("are listed with their roles, to a key as to a session", async () => {
    await invited(app, ann, "viewer");
    const { body } = await ann.ask("GET", MEMBERS);
    const byKey = await app.live("GET", "/team/members");
    expect(byKey.body).toEqual(body);
    expect(body.total).toBe(2);
    expect(body.data.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual(
      [
        ["Ann", "owner"],
        ["viewer", "viewer"],
      ],
    );
  });

  test("are the same seen from the sandbox, and unknown to a test key", async () => {
    const there = await ann.ask("GET", "/test/api/v1/team/members");
    expect(there.body.total).toBe(1);
    expect((await app.call("GET", "/team/members")).body.total).toBe(0);
  });

  test("keep an owner: 409 for removing or demoting the last one", async () => {
    const id = await idOf(ann);
    expect((await ann.ask("DELETE", `${MEMBERS}/${id}`)).status).toBe(409);
    expect((await ann.ask("PATCH", `${MEMBERS}/${id}`, { role: "admin" })).status).toBe(409);
    const other = await idOf(await invited(app, ann, "owner"));
    expect((await ann.ask("PATCH", `${MEMBERS}/${id}`, { role: "admin" })).status).toBe(200);
    // An admin now, and no longer able to touch an owner.
    expect((await ann.ask("DELETE", `${MEMBERS}/${other}`)).status).toBe(403);
    expect((await ann.ask("PATCH", `${MEMBERS}/${id}`, { role: "owner" })).status).toBe(403);
    expect((await app.live("DELETE", `/team/members/${other}`)).status).toBe(403);
  });

  test("invite an owner as an owner only: nobody else withdraws or replaces the invitation", async () => {
    const admin = await invited(app, ann, "admin");
    const to = (role: string) => ({ email: "boss@example.com", role });
    const { body } = await ann.ask("POST", INVITATIONS, to("owner"));
    expect((await admin.ask("DELETE", `${INVITATIONS}/${body.id}`)).status).toBe(403);
    expect((await admin.ask("POST", INVITATIONS, to("viewer"))).status).toBe(403);
    expect((await ann.ask("GET", `${INVITATIONS}/${body.id}`)).body.role).toBe("owner");
    expect((await ann.ask("POST", INVITATIONS, to("viewer"))).status).toBe(201);
    expect((await ann.ask("GET", `${INVITATIONS}/${body.id}`)).status).toBe(404);
  });

  test("lose what they could at once when their role changes or they are removed", async () => {
    const guest = await invited(app, ann, "member");
    const id = await idOf(guest);
    const write = () => guest.ask("POST", "/live/api/v1/campaigns", { name: "Spring" });
    expect((await write()).status).toBe(201);
    await ann.ask("PATCH", `${MEMBERS}/${id}`, { role: "viewer" });
    expect((await write()).status).toBe(403);
    expect((await guest.ask("GET", "/live/api/v1/campaigns")).status).toBe(200);
    expect((await ann.ask("DELETE", `${MEMBERS}/${id}`)).status).toBe(204);
    expect((await guest.ask("GET", "/live/api/v1/campaigns")).status).toBe(401);
    const again = { email: "member@example.com", password: ANN.password };
    expect((await visitor(app).ask("POST", "/console/session", again)).status).toBe(404);
  });

  test("of another team are not found", async () => {
    const { keys } = await app.addTeam("Other");
    const options = { key: keys.live };
    const id = await idOf(ann);
    expect((await app.live("GET", `/team/members/${id}`, undefined, options)).status).toBe(404);
    expect((await app.live("DELETE", `/team/members/${id}`, undefined, options)).status).toBe(404);
    expect((await app.live("GET", "/team/members", undefined, options)).body.total).toBe(0);
  });

  test("come by an invitation that works once, for a week, and can be withdrawn", async () => {
    const invite = async () =>
      (await ann.ask("POST", INVITATIONS, { email: "ben@example.com", role: "member" })).body;
    const look = (url: string) =>
      visitor(app).ask("POST", "/console/invitation", { token: url.split("#")[1] });
    const take = (url: string) =>
      visitor(app).ask("POST", "/console/invitation/join", {
        token: url.split("#")[1],
        name: "Ben",
        password: ANN.password,
      });
    const first = await invite();
    const second = await invite();
    expect((await look(first.url)).status).toBe(404);
    expect((await look(second.url)).body).toEqual({
      email: "ben@example.com",
      role: "member",
      team: "Acme",
      is_known: false,
    });
    const { body } = await ann.ask("GET", INVITATIONS);
    expect(body.total).toBe(1);
    expect(JSON.stringify(body)).not.toContain(String(second.url).split("#")[1]);
    await ann.ask("DELETE", `${INVITATIONS}/${second.id}`);
    expect((await take(second.url)).status).toBe(404);
    const third = await invite();
    app.wall.move(7 * DAY_MS - 1000);
    expect((await take(third.url)).status).toBe(201);
    expect((await take(third.url)).status).toBe(404);
  });

  test("are invited by a link whose host no request says", async () => {
    const given = { email: "ben@example.com", role: "member" };
    const headers = { Host: "elsewhere.example", "X-Forwarded-Host": "elsewhere.example" };
    const path = (await app.live("POST", "/team/invitations", given, { headers })).body.url;
    expect(path).toMatch(/^\/invitation#.{20}/);
    const named = await createTestApp({ publicUrl: "https://out.example" });
    const { url } = (await named.live("POST", "/team/invitations", given, { headers })).body;
    await named.close();
    expect(url).toStartWith("https://out.example/invitation#");
  });

  test("who have an account already take an invitation up with its password", async () => {
    const { team, keys } = await app.addTeam("Other");
    const given = { email: ANN.email, role: "viewer" };
    const made = await app.live("POST", "/team/invitations", given, { key: keys.live });
    const token = String(made.body.url).split("#")[1];
    const join = (password: string) =>
      there.ask("POST", "/console/invitation/join", { token, password });
    const there = visitor(app);
    const offer = await there.ask("POST", "/console/invitation", { token });
    expect(offer.body.is_known).toBe(true);
    expect((await join("not Ann's one")).status).toBe(401);
    const joined = await join(ANN.password);
    expect(joined.body.team).toEqual({ id: team.id, name: "Other" });
    expect(joined.body.user.role).toBe("viewer");
    // An operator sees to the installation only where the role is an admin's.
    expect(joined.body.scopes).not.toContain("operator");
    const back = await there.ask("PATCH", "/console/session", { team_id: app.team.id });
    expect(back.body.scopes).toContain("operator");
  });

  test.each([
    ["a member who is there", { email: ANN.email, role: "member" }, 409],
    ["no address", { email: "ben", role: "member" }, 422],
    ["no role", { email: "ben@example.com", role: "god" }, 422],
    ["an unknown field", { email: "ben@example.com", role: "member", name: "Ben" }, 422],
  ])("cannot be invited: %s", async (_name, given, status) => {
    expect((await ann.ask("POST", INVITATIONS, given)).status).toBe(status);
  });
});

describe("a role", () => {
  const operations = apiRoutes(undefined as never, undefined as never).routes.map((route) => ({
    method: route.method,
    path: route.path,
    scope: declaredScope(route.method, route.hooks?.detail) ?? "",
  }));
  const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
  let app: TestApp;
  const people = new Map<Role, Visitor>();
  beforeAll(async () => {
    app = await createTestApp();
    const ann = await firstPerson(app);
    people.set("owner", ann);
    for (const role of ["admin", "member", "viewer"] as const) {
      people.set(role, await invited(app, ann, role));
    }
  });
  afterAll(() => app.close());

  test.each(ROLES)("%s: each operation is let in or 403, as its scope says", async (role) => {
    const person = people.get(role);
    const scopes = scopesOf(role, role === "owner");
    const wrong: unknown[] = [];
    for (const { method, path, scope } of operations) {
      // Each operation in a batch needs its own.
      const isIn = scope === ANY_SCOPE || holds(scopes, scope);
      if (isIn && (method !== "GET" || path.endsWith("/stream"))) {
        // Let in with nothing to do it would do it.
        continue;
      }
      // The sandbox is there in one environment only; a role is the same in both.
      const at = `/test${path.replace(/:\w+/g, UNKNOWN)}`;
      const answer = await person?.ask(method, at, method === "GET" ? undefined : {});
      if ((answer?.status === 403) === isIn) {
        wrong.push([method, path, scope, answer?.status]);
      }
    }
    expect(wrong).toEqual([]);
    tried("scopes", operations.length);
  });

  test("that only reads changes nothing anywhere", () => {
    const scopes = scopesOf("viewer", true);
    const open = operations.filter(({ method, scope }) => {
      return method !== "GET" && holds(scopes, scope);
    });
    // The first asks, though by POST; views of leads are the reader's own.
    expect([...new Set(open.map(({ path }) => path))]).toEqual([
      "/api/v1/campaigns/:id/preview",
      "/api/v1/lead-views",
      "/api/v1/lead-views/:id",
    ]);
  });

  test("reaches owners only from an owner's place, and the command line's", () => {
    const reach = (own: Role | null) => ROLES.filter((role) => mayManage(own, role));
    expect([null, ...ROLES].map(reach)).toEqual([
      [...ROLES],
      [...ROLES],
      ["admin", "member", "viewer"],
      [],
      [],
    ]);
  });
});
