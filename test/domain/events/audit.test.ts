import { describe, expect, test } from "bun:test";
import { auditFacts } from "#domain/events/audit.ts";

const written = (before: object | null, after: object | null) =>
  JSON.stringify(auditFacts(before as never, after as never));

describe("auditFacts", () => {
  test("names and writes fields as the API does, at every depth", () => {
    const record = {
      maxLeadsPerDay: 5,
      createdAt: 0,
      accountIds: ["a"],
      sendWindow: { startHour: 9, days: [{ openAt: 1_000 }] },
      reason: undefined,
    };
    expect(written(null, record)).toBe(
      '[null,{"max_leads_per_day":5,"created_at":"1970-01-01T00:00:00.000Z","account_ids":["a"],' +
        '"send_window":{"start_hour":9,"days":[{"open_at":"1970-01-01T00:00:01.000Z"}]},"reason":null}]',
    );
  });

  test("of two records keeps what differs", () => {
    expect(written({ name: "A", tags: [1] }, { name: "B", tags: [1] })).toBe(
      '[{"name":"A"},{"name":"B"}]',
    );
  });

  test("a field of any name is a field like another", () => {
    const hostile = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1,"toString":2}');
    expect(written(null, hostile)).toBe(
      '[null,{"__proto__":{"is_admin":true},"constructor":1,"to_string":2}]',
    );
    expect(
      written({ ...hostile, fields: JSON.parse('{"__proto__":1}') }, { ...hostile, fields: {} }),
    ).toBe('[{"fields":{"__proto__":1}},{"fields":{}}]');
  });

  test("more names than are remembered are turned all the same", () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`fieldNo${n}`, n]));
    const [, after] = auditFacts(null, many);
    expect(Object.keys(after ?? {})).toEqual(
      Array.from({ length: 3_000 }, (_, n) => `field_no${n}`),
    );
  });
});
