/** Records cross between the inside and the wire by their schema alone. */

import { describe, expect, test } from "bun:test";
import { type Static, Type } from "@sinclair/typebox";
import { AsIs, Id, Instant, Nullable, Shape, Timestamp } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { Problem } from "#domain/problem.ts";
import { unixMs } from "#domain/time.ts";

const AT = unixMs(Date.UTC(2026, 2, 2, 15));
const ISO = "2026-03-02T15:00:00.000Z";
const ID = "01952c6a-4000-7000-8000-000000000100";

const Robot = Shape({
  id: Id,
  owner_id: Nullable(Id),
  arms: Type.Array(Shape({ arm_name: Type.String(), mended_at: Nullable(Timestamp) })),
  home: Nullable(Shape({ street_name: Type.String() })),
  by_kind: AsIs(Shape({ left_arm: Type.Integer() })),
  variables: Type.Record(Type.String(), Type.String()),
  seen_at: Type.Optional(Timestamp),
  created_at: Timestamp,
});

const inside = {
  id: ID,
  ownerId: null,
  arms: [{ armName: "left", mendedAt: AT }],
  home: { streetName: "Elm" },
  byKind: { left_arm: 1 },
  variables: { shoe_size: "9" },
  createdAt: AT,
};

const outside: Static<typeof Robot> = {
  id: ID,
  owner_id: null,
  arms: [{ arm_name: "left", mended_at: ISO }],
  home: { street_name: "Elm" },
  by_kind: { left_arm: 1 },
  variables: { shoe_size: "9" },
  created_at: ISO,
};

describe("present", () => {
  test("names, instants and null, in the order of the schema; keys that are values stay", () => {
    expect(JSON.stringify(present(Robot, inside))).toBe(JSON.stringify(outside));
  });

  test("hands out nothing that the schema does not name, at any depth", () => {
    const secrets = { ...inside, secret: "x", home: { ...inside.home, secret: "x" } };

    expect(JSON.stringify(present(Robot, secrets))).not.toContain("secret");
  });
});

describe("read", () => {
  test("is the way back", () => {
    expect(read(Robot, outside)).toEqual(inside);
  });

  test("gives only what was given: null clears, what is absent stays absent", () => {
    const Patch = Type.Partial(Robot);

    expect(read(Patch, {})).toEqual({});
    expect(read(Patch, { home: null })).toEqual({ home: null });
  });

  test("names the field whose instant is none", () => {
    const Plan = Shape({ stops: Type.Array(Shape({ until: Instant("Until") })) });

    expect(() => read(Plan, { stops: [{ until: ISO }, { until: "soon" }] })).toThrow(
      expect.objectContaining({ constructor: Problem, field: "stops.1.until" }),
    );
  });
});
