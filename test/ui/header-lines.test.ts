import { expect, test } from "bun:test";
import { headersIn, linesOf } from "../../src/ui/pages/developers/header-lines.ts";

test("headers are lines, and what has no line any more is removed", () => {
  const before = { "X-Token": "…", "X-Old": "…" };
  expect(linesOf(before)).toBe("X-Token: …\nX-Old: …");
  expect(headersIn(linesOf(before), before)).toEqual(before);
  expect(headersIn("x-token: …\n\n Authorization : Basic a:b \n", before)).toEqual({
    "x-token": "…",
    Authorization: "Basic a:b",
    "X-Old": null,
  });
});

test("a line without a value is left to the server to refuse", () => {
  expect(headersIn("X-Token", {})).toEqual({ "X-Token": "" });
});
