/** The HTTP contract of `/events`, `/event-types` and the stream. */

import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { EVENT_TYPES } from "#domain/events/event.ts";
import { DAY_MS, SECOND_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { faultsOf } from "../../support/events.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const suppress = (email: string) => app.call("POST", "/suppressions", { email });
const suppressAll = async (count: number) => {
  for (let n = 0; n < count; n += 1) {
    await suppress(`lead${n}@example.com`);
  }
};
const feed = async (query = "") => (await app.call("GET", `/events${query}`)).body;

test("events are read by an index of their team, though nearly all are another team's", async () => {
  const { raw } = app.environments.test.db;
  raw.run("ANALYZE");
  raw.run("DELETE FROM sqlite_stat1");
  raw.run(`INSERT INTO sqlite_stat1 VALUES ('events', 'events_id', '1000000 1'),
    ('events', 'events_team', '1000000 1000000 1'),
    ('events', 'events_type', '1000000 1000000 100000 1')`);
  raw.run("ANALYZE sqlite_schema");
  const prepare = spyOn(raw, "prepare");
  await suppress("ann@example.com");
  expect((await feed("?type=suppression.created")).data).toHaveLength(1);
  expect((await feed()).data).toHaveLength(1);
  expect((await app.call("GET", "/exports/events?format=ndjson")).status).toBe(200);
  const asked = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /^select seq/.test(sql));
  prepare.mockRestore();
  expect(asked).toHaveLength(2);
  for (const sql of asked) {
    const nothing = Object.fromEntries(
      [...sql.matchAll(/\$(\w+)/g)].map(([, name]) => [name, null]),
    );
    const [[, , , plan] = []] = raw.prepare(`explain query plan ${sql}`).values(nothing);
    expect(plan).toMatch(/^SEARCH events USING INDEX events_(team|type) \(.*seq>\?/);
  }
});

describe("GET /events", () => {
  test.each(["", "&type=suppression.*,campaign.*"])(
    "200: newest first, page after page, to the oldest%s",
    async (types) => {
      await suppressAll(5);
      const { body } = await suppress("bob@example.com");
      await app.call("DELETE", `/suppressions/${body.id}`);
      await suppressAll(6);
      const all: { seq: number }[] = (await feed(`?limit=100${types}`)).data;
      const found: { seq: number }[] = [];
      for (let after = ""; ; ) {
        const { data, next_cursor, hasMore } = await feed(`?order=desc&limit=4${types}${after}`);
        found.push(...data);
        after = `&after=${next_cursor}`;
        if (!hasMore) {
          break;
        }
      }
      expect(found.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toReversed());
      expect((await feed(`?order=desc&limit=2&offset=1${types}`)).data).toEqual(
        found.slice(1, 3) as never,
      );
    },
  );

  test("200: what happened, in order, as it is delivered", async () => {
    const made = await suppress("ann@example.com");
    const { status, body } = await app.call("GET", "/events");
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: expect.any(String),
          seq: expect.any(Number),
          type: "suppression.created",
          created_at: "2026-03-02T15:00:00.000Z",
          team_id: app.team.id,
          env: "test",
          data: {
            suppression_id: made.body.id,
            email_hash: made.body.email_hash,
            reason: "unsubscribe",
          },
        },
      ],
      total: 1,
      total_is_capped: false,
      limit: 50,
      offset: 0,
      hasMore: false,
      next_cursor: String(body.data[0].seq),
    });
    const one = await app.call("GET", `/events/${body.data[0].id}`);
    expect(one.body).toEqual(body.data[0]);
  });

  test("200: page by page nothing is missing and nothing comes twice; the last page's cursor goes on", async () => {
    await suppressAll(7);
    const seen: number[] = [];
    let cursor: string | null = null;
    let more = true;
    while (more) {
      const page: Awaited<ReturnType<typeof feed>> = await feed(
        `?limit=3${cursor === null ? "" : `&after=${cursor}`}`,
      );
      seen.push(...page.data.map(({ seq }: { seq: number }) => seq));
      cursor = page.next_cursor;
      more = page.hasMore;
    }
    expect(seen).toHaveLength(7);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
    expect((await feed(`?after=${cursor}`)).data).toEqual([]);
    await suppress("new@example.com");
    const news = await feed(`?after=${cursor}`);
    expect(news.data).toHaveLength(1);
    const byId = await feed(`?after=${news.data[0].id}`);
    expect(byId).toMatchObject({ data: [], next_cursor: String(news.data[0].seq) });
  });

  test("200: by kind, by family, by several", async () => {
    await suppress("a@example.com");
    await app.call("POST", "/webhooks", { url: "https://hooks.example.com" });
    const { body } = await app.call("GET", "/webhooks");
    await app.call("POST", `/webhooks/${body.data[0].id}/test`);
    const kinds = async (type: string) =>
      (await feed(`?type=${encodeURIComponent(type)}`)).data.map(
        (event: { type: string }) => event.type,
      );
    expect(await kinds("suppression.created")).toEqual(["suppression.created"]);
    expect(await kinds("webhook.*")).toEqual(["webhook.test"]);
    expect(await kinds("webhook.test, suppression.*")).toEqual([
      "suppression.created",
      "webhook.test",
    ]);
    expect(await kinds("*")).toEqual(["suppression.created", "webhook.test"]);
    expect(await kinds("email.*")).toEqual([]);
  });

  test.each([
    ["type=email.snet", "type"],
    ["type=", "type"],
    ["type=,", "type"],
    ["after=abc", "after"],
    ["order=newest", "order"],
    [`after=${UNKNOWN}`, "after"],
    ["after=-1", "after"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["since=1", "since"],
  ])("422: %s", async (query, field) => {
    const { status, body } = await app.call("GET", `/events?${query}`);
    expect({ status, field: body.field }).toEqual({ status: 422, field });
  });

  test("another team's and the other environment's are nobody's", async () => {
    await suppress("a@example.com");
    const [{ id }] = (await feed()).data;
    const other = await app.addTeam("Other");
    for (const key of [other.keys.test, app.keys.live]) {
      expect((await app.call("GET", "/events", undefined, { key })).body.total).toBe(0);
      expect((await app.call("GET", `/events/${id}`, undefined, { key })).status).toBe(404);
      const after = await app.call("GET", `/events?after=${id}`, undefined, { key });
      expect(after.status).toBe(422);
    }
  });

  test("403: needs a key that may read webhooks", async () => {
    const { body } = await app.call("POST", "/keys", { name: "x", scopes: ["campaigns:read"] });
    for (const path of ["/events", "/event-types", "/events/stream"]) {
      expect((await app.call("GET", path, undefined, { key: body.key })).status).toBe(403);
    }
  });

  test("are kept for thirty days", async () => {
    await suppress("a@example.com");
    await app.advance(29 * DAY_MS);
    expect((await feed()).total).toBe(1);
    await app.advance(2 * DAY_MS);
    expect((await feed()).total).toBe(0);
  });

  test("a person who is erased is no longer named", async () => {
    const { body: campaign } = await app.call("POST", "/campaigns", { name: "x" });
    await app.call("POST", `/campaigns/${campaign.id}/leads`, {
      leads: [{ email: "ann@person.example" }],
    });
    const { data } = (await app.call("GET", "/leads")).body;
    await app.call("DELETE", `/leads/${data[0].id}`);
    expect(JSON.stringify(await feed())).not.toContain("person.example");
  });
});

test("GET /event-types: every kind with a schema that its example fits", async () => {
  const { status, body } = await app.call("GET", "/event-types");
  expect(status).toBe(200);
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual([...EVENT_TYPES]);
  for (const { type, description, family, data_schema, example } of body.data) {
    expect(description.length).toBeGreaterThan(10);
    expect(type.startsWith(family.slice(0, -1))).toBe(true);
    expect(data_schema.type).toBe("object");
    expect(example.type).toBe(type);
    expect(faultsOf(type, example.data)).toEqual([]);
  }
});

interface Line {
  id?: string;
  event?: string;
  data?: { seq: number; type: string };
}

/** A stream as a client reads it. */
async function listen(
  path = "/events/stream",
  headers: Record<string, string> = {},
  key = app.keys.test,
) {
  const request = new Request(`http://localhost/api/v1${path}`, {
    headers: { Authorization: `Bearer ${key}`, ...headers },
  });
  const response = await app.fetch(request);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let isOver = false;
  const read = async () => {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    isOver = done;
    text += decoder.decode(value);
  };
  const lines = (): Line[] =>
    text
      .split("\n\n")
      .filter((block) => block.startsWith("id:"))
      .map((block) => {
        const fields = new Map(
          block.split("\n").map((line) => {
            const at = line.indexOf(": ");
            return [line.slice(0, at), line.slice(at + 2)] as const;
          }),
        );
        return {
          id: fields.get("id") ?? "",
          event: fields.get("event") ?? "",
          data: JSON.parse(fields.get("data") ?? "null"),
        };
      });
  return {
    response,
    lines,
    text: () => text,
    isOver: () => isOver,
    read,
    /** Reads until there are `count` events. */
    until: async (count: number) => {
      while (lines().length < count && !isOver) {
        await read();
      }
      return lines();
    },
    hangUp: () => reader?.cancel(),
  };
}

describe("GET /events/stream", () => {
  test("tells of what happens from now on, as it is committed", async () => {
    await suppress("before@example.com");
    const stream = await listen();
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(stream.response.headers.get("cache-control")).toBe("no-store");
    const reading = stream.until(2);
    await suppress("a@example.com");
    await suppress("b@example.com");
    const lines = await reading;
    const told = (await feed()).data.slice(1);
    expect(lines.map(({ data }) => data)).toEqual(told);
    expect(lines.map(({ id }) => id)).toEqual(told.map(({ seq }: { seq: number }) => String(seq)));
    expect(lines.map(({ event }) => event)).toEqual(["suppression.created", "suppression.created"]);
    await stream.hangUp();
  });

  test.each([
    ["Last-Event-ID", (seq: string) => ({ path: "", headers: { "Last-Event-ID": seq } })],
    ["after", (seq: string) => ({ path: `?after=${seq}`, headers: {} })],
  ])("goes on after %s, however much has happened since", async (_name, resume) => {
    await suppressAll(230);
    const all = (await feed("?limit=100")).data as { seq: number }[];
    const { path, headers } = resume(String(all[9]?.seq));
    const stream = await listen(`/events/stream${path}`, headers);
    const lines = await stream.until(220);
    expect(lines).toHaveLength(220);
    const seqs = lines.map(({ data }) => data?.seq ?? 0);
    expect(seqs[0]).toBe(all[10]?.seq ?? 0);
    expect(new Set(seqs).size).toBe(220);
    await stream.hangUp();
  });

  test("of who has seen more than there is, as after a restore, tells what happens from now on", async () => {
    await suppress("before@example.com");
    const stream = await listen("/events/stream?after=1000", { "Last-Event-ID": "2000" });
    const reading = stream.until(1);
    await suppress("a@example.com");
    const told = (await feed()).data.slice(1);
    expect((await reading).map(({ data }) => data)).toEqual(told);
    await stream.hangUp();
  });

  test("tells of the kinds that were asked for", async () => {
    const stream = await listen("/events/stream?type=webhook.*");
    const reading = stream.until(1);
    await suppress("a@example.com");
    const { body } = await app.call("POST", "/webhooks", { url: "https://hooks.example.com" });
    await app.call("POST", `/webhooks/${body.id}/test`);
    expect((await reading).map(({ event }) => event)).toEqual(["webhook.test"]);
    await stream.hangUp();
  });

  test("another team's events are not in it", async () => {
    const other = await app.addTeam("Other");
    const stream = await listen();
    const reading = stream.until(1);
    const options = { key: other.keys.test };
    await app.call("POST", "/suppressions", { email: "theirs@example.com" }, options);
    const { body } = await app.call("POST", "/suppressions", { email: "ours@example.com" });
    const lines = await reading;
    expect(lines.map(({ data }) => JSON.stringify(data))).toEqual([
      expect.stringContaining(body.id),
    ]);
    await stream.hangUp();
  });

  test("proves a silent line", async () => {
    const stream = await listen();
    await stream.read();
    const reading = stream.read();
    app.wall.move(11 * SECOND_MS);
    app.environments.test.feed.beat();
    await reading;
    expect(stream.text()).toBe("retry: 3000\n\n:\n\n");
    await stream.hangUp();
  });

  test("ends when the program does", async () => {
    const stream = await listen();
    const reading = stream.until(1);
    app.environments.test.feed.close();
    expect(await reading).toEqual([]);
    expect(stream.isOver()).toBe(true);
  });

  test("ends when its key is revoked", async () => {
    const { body } = await app.call("POST", "/keys", { name: "x", scopes: ["webhooks:read"] });
    const stream = await listen("/events/stream", {}, body.key);
    const reading = stream.until(1);
    await app.call("DELETE", `/keys/${body.id}`);
    await suppress("a@example.com");
    expect(await reading).toEqual([]);
    expect(stream.isOver()).toBe(true);
  });

  test("429: ten at once for a team; a place is free again when one has hung up", async () => {
    const streams = [];
    for (let n = 0; n < 10; n += 1) {
      streams.push(await listen());
    }
    const refused = await app.call("GET", "/events/stream");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("30");
    await streams[0]?.hangUp();
    const again = await listen();
    expect(again.response.status).toBe(200);
    await Promise.all([...streams, again].map((stream) => stream.hangUp()));
    expect(app.environments.test.feed.listeners).toBe(0);
  });

  test.each([
    ["?after=x", {}, "after"],
    ["?type=x", {}, "type"],
    ["", { "Last-Event-ID": "x" }, "Last-Event-ID"],
    ["?limit=5", {}, "limit"],
  ])("422: %s %p", async (query, headers, field) => {
    const { status, body } = await app.call("GET", `/events/stream${query}`, undefined, {
      headers,
    });
    expect({ status, field: body.field }).toEqual({ status: 422, field });
  });
});
