/**
 * Guarantees of what commands print for scripts: errors as JSON with everything that the API says of them,
 * fields one by one, and no column that isn't there.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../support/running-app.ts";
import { run } from "./support.ts";

let server: TestServer;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  env = { OUTRIDER_URL: server.url, OUTRIDER_KEY: await server.keyOf("test") };
  await cli("campaigns", "create", "--name", "Spring");
  await cli("campaigns", "create", "--name", "Fall");
});
afterAll(() => server.stop());

const cli = (...args: string[]) => run(args, { env });

describe("An error with --json", () => {
  test("of the API has its type, field, status and request id", async () => {
    const { exit, out, err } = await cli("campaigns", "create", "--name", "", "--json");
    expect({ exit, out }).toEqual({ exit: 64, out: "" });
    expect(JSON.parse(err)).toEqual({
      error: {
        ...{ type: "validation_error", field: "name", status: 422, exit: 64 },
        message: expect.not.stringContaining("name:"),
        request_id: expect.stringMatching(/^req_/),
        errors: [{ field: "name", message: "must not be empty", did_you_mean: null }],
        docs_url: expect.stringContaining("/docs/guide/errors#"),
      },
    });
  });

  test("of the command line itself has a type, too", async () => {
    const { err } = await cli("campaigns", "lst", "--json");
    expect(JSON.parse(err).error).toMatchObject({ type: "usage", field: null, exit: 64 });
    const away = { ...env, OUTRIDER_URL: "http://127.0.0.1:1" };
    const unreached = await run(["campaigns", "list", "--json"], { env: away });
    expect(JSON.parse(unreached.err).error).toMatchObject({ type: "unavailable", exit: 69 });
  });
});

describe("A field that no response has is refused before anything is done", () => {
  test.each([
    [["campaigns", "list", "--columns", "id,nme"], '"nme"; did you mean "name"?'],
    [
      ["campaigns", "list", "--columns", "send_window.timezon"],
      '"send_window.timezon"; did you mean "send_window.timezone"?',
    ],
    [["campaigns", "list", "--only", "statsu"], 'did you mean "status"?'],
    [["campaigns", "create", "--name", "Never", "--only", "idd"], 'did you mean "id"?'],
    [["experiments", "list", "--only", "campain_id"], 'did you mean "campaign_id"?'],
  ])("%p", async (args, told) => {
    const { exit, out, err } = await cli(...args);
    expect({ exit, out }).toEqual({ exit: 64, out: "" });
    expect(err).toContain(told);
    expect((await cli("campaigns", "list", "--only", "name")).out).not.toContain("Never");
  });

  test("one of a map of any names is not", async () => {
    expect((await cli("leads", "list", "--columns", "email,variables.role")).exit).toBe(0);
  });
});

test("--only prints fields of a list, a record a line", async () => {
  expect((await cli("campaigns", "list", "--only", "name")).out).toBe("Fall\nSpring\n");
  const two = await cli("campaigns", "list", "--all", "--only", "name,send_window.timezone");
  expect(two.out).toBe("Fall\tUTC\nSpring\tUTC\n");
});
