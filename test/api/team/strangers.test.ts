/**
 * Who has no key that works is told one thing by every operation, whatever was wrong with it, before the
 * body is read or anything is looked up; and nothing has changed afterwards.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { apiRoutes } from "#api/resources.ts";
import { ENVS, type Env } from "#domain/team/api-key.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import { createKey, revokeKey, rotateKey } from "#usecases/team/keys.ts";
import { type Answer, createTestApp, type TestApp } from "../../support/app.ts";
import { ANN, firstPerson, ORIGIN, visitor } from "../../support/people.ts";
import { tried } from "../../support/promises.ts";

const ROUTES = apiRoutes(undefined as never, undefined as never).routes.map(({ method, path }) => ({
  method,
  path: path.replace("/api/v1", "").replace(/:\w+/g, "00000000-0000-7000-8000-00000000dead"),
}));
/** A key of the right form that nobody was ever given: of another installation, or guessed. */
const FOREIGN = "of another installation";

let app: TestApp;
const keys = new Map<string, string | null>();
let before: string;
beforeAll(async () => {
  app = await createTestApp();
  const another = await createTestApp({ seed: 99 });
  keys.set("none", null);
  keys.set("no key", "outrider");
  keys.set("empty", "");
  for (const envName of ENVS) {
    await addKeys(envName);
    keys.set(`${envName}, ${FOREIGN}`, another.keys[envName]);
    keys.set(`${envName}, one letter changed`, changed(app.keys[envName]));
    keys.set(`${envName}, cut short`, app.keys[envName].slice(0, -1));
  }
  await another.close();
  before = everything();
});
afterAll(() => app.close());

async function addKeys(envName: Env): Promise<void> {
  const env = app.environments[envName];
  const caller = { teamId: app.team.id, actor: "operator", scopes: ["admin"] };
  const make = (fields: object) =>
    env.commit(() => createKey(env, caller, { name: "gone", ...fields }));
  const revoked = await make({});
  await env.commit(() => revokeKey(env, caller, revoked.row.id));
  keys.set(`${envName}, revoked`, revoked.key);
  const expired = await make({ expiresAt: plus(app.wall.now(), DAY_MS) });
  keys.set(`${envName}, expired`, expired.key);
  const rotated = await make({});
  await env.commit(() => rotateKey(env, caller, rotated.row.id, 0));
  keys.set(`${envName}, rotated`, rotated.key);
}

/** The checksum in a key is right for no other letter. */
function changed(key: string): string {
  const at = key.length - 20;
  return key.slice(0, at) + (key[at] === "A" ? "B" : "A") + key.slice(at + 1);
}

/** All rows of both environments, but for the times at which keys were used. */
function everything(): string {
  return ENVS.map((envName) => {
    const { raw } = app.environments[envName].db;
    const tables = raw
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all();
    return tables.map(({ name }) => JSON.stringify(raw.query(`SELECT * FROM "${name}"`).all()));
  }).join("\n");
}

const shown = ({ status, text, headers }: Answer) =>
  JSON.stringify([status, text, headers.get("www-authenticate")]);

test("every key that does not work, at every operation: 401, in the same bytes", async () => {
  app.wall.move(2 * DAY_MS);
  const answers = new Map<string, Set<string>>();
  for (const { method, path } of ROUTES) {
    // A body that is broken: nobody reads it.
    const body = method === "GET" || method === "DELETE" ? undefined : "{";
    for (const [who, key] of keys) {
      const answer = await app.call(method, path, body, { key });
      expect([method, path, who, answer.status]).toEqual([method, path, who, 401]);
      const kind = key === null ? "none" : "some";
      answers.set(kind, (answers.get(kind) ?? new Set()).add(shown(answer)));
    }
  }
  expect(ROUTES.length * keys.size).toBeGreaterThan(1_500);
  expect([...answers.values()].map(({ size }) => size)).toEqual([1, 1]);
  expect(everything()).toBe(before);
  tried("strangers", ROUTES.length * keys.size);
});

test("every operation behind the console's door: 401 without a session, and with one that has ended", async () => {
  const ann = await firstPerson(app);
  const ended = visitor(app);
  ended.cookie = ann.cookie;
  await ann.ask("DELETE", "/console/session");
  const forged = visitor(app);
  forged.cookie = `${ended.cookie.split("=")[0]}=${"A".repeat(43)}`;
  for (const envName of ENVS) {
    for (const { method, path } of ROUTES) {
      for (const who of [visitor(app), ended, forged]) {
        const body = method === "GET" ? undefined : {};
        const { status } = await who.ask(method, `/${envName}/api/v1${path}`, body);
        expect([envName, method, path, status]).toEqual([envName, method, path, 401]);
      }
    }
  }
  tried("strangers", ENVS.length * ROUTES.length * 3);
});

test("every operation that writes: 403 for a session that another site's page sends", async () => {
  const guest = visitor(app);
  const given = { email: ANN.email, password: ANN.password };
  const { status } = await guest.ask("POST", "/console/session", given);
  expect(status).toBe(201);
  const odd: Record<string, string>[] = [
    {},
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: `${ORIGIN}.evil.example` },
    { Origin: ORIGIN, "Sec-Fetch-Site": "cross-site" },
  ];
  for (const { method, path } of ROUTES.filter((route) => route.method !== "GET")) {
    for (const headers of odd) {
      const answer = await guest.ask(method, `/live/api/v1${path}`, {}, headers);
      expect([method, path, headers, answer.status]).toEqual([method, path, headers, 403]);
    }
    tried("strangers", odd.length);
  }
});
