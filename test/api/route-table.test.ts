/** Which methods a path takes: the router's own answer, before a handler is looked for. */

import { describe, expect, test } from "bun:test";
import { createRouteTable } from "#api/plugins/routes.ts";
import { Problem } from "#domain/problem.ts";

const table = createRouteTable([
  { method: "GET", path: "/robots" },
  { method: "POST", path: "/robots" },
  { method: "GET", path: "/robots/check" },
  { method: "GET", path: "/robots/:id" },
  { method: "DELETE", path: "/robots/:id" },
  { method: "POST", path: "/robots/:id/wave" },
  { method: "GET", path: "/files/*" },
]);

function allowOf(method: string, path: string): string | undefined {
  try {
    const found = table.find(method, path);
    return found instanceof Response ? (found.headers.get("allow") ?? undefined) : undefined;
  } catch (error) {
    return error instanceof Problem ? (error.headers["Allow"] ?? error.type) : String(error);
  }
}

describe("a path", () => {
  test.each([
    ["GET", "/robots"],
    ["HEAD", "/robots"],
    ["DELETE", "/robots/7"],
    ["POST", "/robots/7/wave"],
    ["GET", "/files/a/b"],
    ["GET", "/robots/check"],
  ])("lets %s %s pass", (method, path) => {
    expect(table.find(method, path)).toMatchObject({ takesBody: false });
  });

  test.each([
    ["PUT", "/robots", "GET, HEAD, OPTIONS, POST"],
    ["POST", "/robots/7", "DELETE, GET, HEAD, OPTIONS"],
    ["DELETE", "/robots/check", "GET, HEAD, OPTIONS"],
    ["GET", "/robots/7/wave", "OPTIONS, POST"],
  ])("%s %s is refused, and what it takes is listed", (method, path, allow) => {
    expect(allowOf(method, path)).toBe(allow);
    expect(allowOf("OPTIONS", path)).toBe(allow);
  });

  test.each(["/robot", "/robots/", "/robots/7/", "/robots//wave", "/", "/files"])(
    "%s is unknown, with or without a slash too many",
    (path) => {
      expect(allowOf("GET", path)).toBe("not_found");
    },
  );
});
