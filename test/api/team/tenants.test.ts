/**
 * What belongs to one team does not exist for another, nor for the same team's other environment: every
 * operation, with ids in its path and in its body, answers an id of somebody else with the same bytes as
 * an id that nobody has, and changes nothing. By key and by session, whatever the role.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { apiRoutes } from "#api/resources.ts";
import type { Env } from "#domain/team/api-key.ts";
import { ROLES, type Role } from "#domain/team/role.ts";
import { DAY_MS } from "#domain/time.ts";
import { invite } from "#usecases/team/members.ts";
import { type Answer, createTestApp, START, type TestApp } from "../../support/app.ts";
import { ANN, firstPerson, ORIGIN, type Visitor, visitor } from "../../support/people.ts";
import { tried } from "../../support/promises.ts";
import { type Next, type Written, writeEverything } from "../../support/writes.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The installation's own have no team: they need a data directory (`backups.test.ts`). */
const ROUTES = apiRoutes(undefined as never, undefined as never)
  .routes.map(({ method, path }) => ({ method, path: path.replace("/api/v1", "") }))
  .filter(({ path }) => !path.startsWith("/backups"));
const READS = ROUTES.filter(({ method, path }) => method === "GET" && path.includes(":"));

/** What somebody was told who asked for a thing of others, and who asked for a thing of nobody. */
interface Told {
  who: string;
  operation: string;
  status: number;
  foreign: string;
  unknown: string;
}

let app: TestApp;
let other: { team: TestApp["team"]; keys: Record<Env, string> };
let written: Written[];
let otherWritten: Written[];
/** Paths of reads that the owner could make; what others were told of each. */
const readable = new Map<string, number>();
const told = { paths: [] as Told[], bodies: [] as Told[], reads: [] as Told[] };

beforeAll(async () => {
  app = await createTestApp({ publicUrl: "https://mail.example.com" });
  other = await app.addTeam("Bolt");
  await letOutsidersIn();
  const bodies: unknown[] = [];
  written = await writeEverything(app, async (next) => {
    bodies[next.nth] = next.body;
    const [method, pattern = ""] = next.operation.split(" ");
    if (next.operation === "DELETE /sandbox") {
      // The last call of the day: all that the team has is still there.
      await read(READS);
      await toNextMonday();
      otherWritten = await writeEverything(asOther(), (own) => tryBodies(own, bodies[own.nth]));
    } else if (method === "DELETE") {
      // What is about to go is read while it is there.
      await read(READS.filter(({ path }) => path.startsWith(pattern) && !readable.has(path)));
    }
    await tryPaths(next);
  });
}, 300_000);
afterAll(() => app.close());

/** The other team's day begins at the hour at which the first team's began. */
async function toNextMonday(): Promise<void> {
  const now = app.environments.test.clock.now();
  await app.advance(7 * DAY_MS - ((now - START) % (7 * DAY_MS)));
}

type Ask = (method: string, path: string, body?: unknown, headers?: Headers) => Promise<Answer>;
type Headers = Readonly<Record<string, string>>;

/** Everybody who has a key or a session, and none of what the first team has in its sandbox. */
const outsiders = new Map<string, Ask>();

async function letOutsidersIn(): Promise<void> {
  const byKey =
    (key: string): Ask =>
    (method, path, body, headers = {}) =>
      app.call(method, path, body, { key, headers });
  outsiders.set("another team", byKey(other.keys.test));
  outsiders.set("the live environment", byKey(app.keys.live));
  outsiders.set("the owner, live", bySession(await firstPerson(app), "live"));
  for (const role of ROLES) {
    outsiders.set(`another team's ${role}`, bySession(await joinOther(role), "test"));
  }
}

function bySession(person: Visitor, envName: Env): Ask {
  return async (method, path, body, headers = {}) => {
    const from = { Origin: ORIGIN, ...headers };
    const answer = await person.ask(method, `/${envName}/api/v1${path}`, body, from);
    const isText = typeof answer.body === "string";
    return { ...answer, text: isText ? answer.body : JSON.stringify(answer.body) };
  };
}

/** Somebody of the other team in this role, signed in. */
async function joinOther(role: Role): Promise<Visitor> {
  const { live } = app.environments;
  const caller = { teamId: other.team.id, actor: "operator", scopes: ["admin"] };
  const given = { email: `${role}@bolt.example`, role };
  const { token } = await live.commit(() => invite(live, caller, given));
  const guest = visitor(app);
  const { password } = ANN;
  await guest.ask("POST", "/console/invitation/join", { token, name: role, password });
  return guest;
}

/** The same product, as the other team sees it. */
function asOther(): TestApp {
  const call: TestApp["call"] = (method, path, body, options) =>
    app.call(method, path, body, { key: other.keys.test, ...options });
  return { ...app, team: other.team, keys: other.keys, call };
}

async function tryPaths({ operation, path, body, headers }: Next): Promise<void> {
  if (path.match(UUID) === null) {
    return;
  }
  const [method = ""] = operation.split(" ");
  for (const [who, call] of outsiders) {
    const ask = (at: string) => call(method, at, body, headers);
    told.paths.push(compare(who, operation, await ask(path), await ask(random(path))));
  }
}

/** Calls what the other team may call, but for the ids in `foreign`, a body that the first team sent. */
async function tryBodies({ operation, path, body }: Next, foreign: unknown): Promise<void> {
  const text = JSON.stringify(foreign ?? null);
  if (text.match(UUID) === null || JSON.stringify(body) === text) {
    return;
  }
  const [method = ""] = operation.split(" ");
  const ask = (body: string) => app.call(method, path, JSON.parse(body), { key: other.keys.test });
  told.bodies.push(compare("another team", operation, await ask(text), await ask(random(text))));
}

/** Things of one kind that are tried: what holds for two holds for all. */
const THINGS_MAX = 2;

/** These reads of one thing, with ids that the owner's lists show. */
async function read(reads: typeof READS): Promise<void> {
  if (reads.length === 0) {
    return;
  }
  const ids = await idsOfOwner();
  const owned = new Map<string, string[]>();
  for (const { path } of reads.toSorted((one, two) => depth(one.path) - depth(two.path))) {
    const places: string[] = [];
    for (const [parent, rest] of parentsOf(path, owned)) {
      const listed = (await app.call("GET", parent)).text.match(UUID) ?? [];
      for (const id of new Set([...listed, ...ids])) {
        const at = parent + rest.replace(/:\w+/, id);
        if (places.length < THINGS_MAX && (await app.call("GET", at)).status === 200) {
          places.push(at);
          await compareRead(path, at);
        }
      }
    }
    owned.set(path, places);
  }
}

/** The paths of things that the owner has, under which `path` goes on, and the rest of it. */
function parentsOf(path: string, owned: ReadonlyMap<string, string[]>): [string, string][] {
  const last = path.lastIndexOf("/:");
  const before = path.slice(0, last);
  if (!before.includes(":")) {
    return [[before, path.slice(last)]];
  }
  const found = [...owned].filter(([known]) => before.startsWith(known));
  const [known, places] = found.sort(([one], [two]) => two.length - one.length)[0] ?? ["", []];
  return places.map((place) => [place + before.slice(known.length), path.slice(last)]);
}

async function compareRead(path: string, at: string): Promise<void> {
  readable.set(path, (readable.get(path) ?? 0) + 1);
  for (const [who, call] of outsiders) {
    const ask = (place: string) => call("GET", place);
    told.reads.push(compare(who, `GET ${path}`, await ask(at), await ask(random(at))));
  }
}

/** Ids that the lists of the team show. */
async function idsOfOwner(): Promise<Set<string>> {
  const ids = new Set<string>();
  const lists = ROUTES.filter(({ method, path }) => method === "GET" && !path.includes(":"));
  for (const { path } of lists.filter(({ path: at }) => !at.endsWith("/stream"))) {
    for (const id of (await app.call("GET", path)).text.match(UUID) ?? []) {
      ids.add(id);
    }
  }
  return ids;
}

const depth = (path: string) => path.split(":").length;

function compare(who: string, operation: string, foreign: Answer, unknown: Answer): Told {
  return {
    who,
    operation,
    status: foreign.status,
    foreign: `${foreign.status} ${foreign.text.replace(UUID, "ID")}`,
    unknown: `${unknown.status} ${unknown.text.replace(UUID, "ID")}`,
  };
}

/** Ids that look alike and belong to nobody. */
function random(text: string): string {
  return text.replace(
    UUID,
    (id) => `${id.slice(0, 24)}${id.slice(24).split("").reverse().join("")}`,
  );
}

test("everybody who is tried is let in elsewhere", async () => {
  for (const [who, ask] of outsiders) {
    expect([who, (await ask("GET", "/campaigns")).status]).toEqual([who, 200]);
  }
});

test("the day is made by both teams", () => {
  for (const day of [written, otherWritten]) {
    expect(day.length).toBeGreaterThan(60);
    expect(
      day.filter(({ answer }) => answer.status >= 300).map(({ answer }) => answer.text),
    ).toEqual([]);
  }
});

for (const kind of ["paths", "bodies", "reads"] as const) {
  test(`ids in ${kind}: nobody is let in, nor told that there is something`, () => {
    expect(told[kind].length).toBeGreaterThan(kind === "bodies" ? 5 : 60);
    const wrong = told[kind].filter(
      ({ status, foreign, unknown }) => status < 400 || status >= 500 || foreign !== unknown,
    );
    expect(wrong).toEqual([]);
    tried("tenants", told[kind].length);
  });
}

/** By a name that anybody knows, and not by an id: `api/mailboxes/domains.test.ts` asks as another team. */
const BY_NAME = ["/domains/:domain", "/domains/:domain/senders"];

test("every read of one thing was made by its owner", () => {
  const missing = READS.map(({ path }) => path).filter((path) => !readable.has(path));
  expect(missing).toEqual(BY_NAME);
});
