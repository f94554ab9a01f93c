/** Everything that is wrong with a request is said at once, beside the seed's four fields. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PROBLEM_STATUS } from "#domain/problem.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { makeCampaign } from "../support/campaigns.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ docs: true, publicUrl: "https://mail.example.com" });
});
afterAll(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const IS_REQUIRED = "is required";

async function faults(method: string, path: string, body?: unknown) {
  const answer = await app.call(method, path, body);
  expect(answer.status).toBe(422);
  const [first] = answer.body.errors;
  expect(answer.body).toMatchObject({ field: first.field, message: first.message });
  return answer.body.errors as { field: string; message: string; did_you_mean: string | null }[];
}

describe("errors", () => {
  test("of a body: every field once, unknown ones first with the nearest known name", async () => {
    const body = { nam: "x", send_window: { tiemzone: "Mars", days: [], start_hour: 99 } };
    expect(await faults("POST", "/campaigns", body)).toEqual([
      { field: "nam", message: "unknown field", did_you_mean: "name" },
      { field: "send_window.tiemzone", message: "unknown field", did_you_mean: "timezone" },
      { field: "name", message: IS_REQUIRED, did_you_mean: null },
      { field: "send_window.days", message: "must not be empty", did_you_mean: null },
      { field: "send_window.start_hour", message: "must be 0 to 23", did_you_mean: null },
    ]);
  });

  test("of a query: unknown, repeated and wrong parameters", async () => {
    const found = await faults("GET", "/campaigns?limt=3&offset=-1&limit=2&limit=3");
    expect(found.map(({ field, did_you_mean: meant }) => [field, meant])).toEqual([
      ["limt", "limit"],
      ["limit", null],
      ["offset", null],
    ]);
  });

  test("of a query that the operation does not take", async () => {
    const found = await faults("GET", `/campaigns/${UNKNOWN}?x=1&y=2&x=3`);
    expect(found.map(({ field }) => field)).toEqual(["x", "y"]);
  });

  test("of a body that the operation does not take", async () => {
    const found = await faults("POST", `/campaigns/${UNKNOWN}/pause`, { a: 1, b: 2 });
    expect(found.map(({ field }) => field)).toEqual(["a", "b"]);
  });

  test("of rules that are no schema's", async () => {
    const send_window = { timezone: "Mars/Olympus", start_hour: 20, end_hour: 3 };
    const account_ids = [UNKNOWN, UNKNOWN.replace("dead", "beef")];
    const body = { name: "x", send_window, account_ids };
    const found = await faults("POST", "/campaigns", body);
    expect(found.map(({ field }) => field)).toEqual([
      "send_window.timezone",
      "send_window.end_hour",
      "account_ids.0",
      "account_ids.1",
    ]);
    const { id } = await makeCampaign(app);
    expect(await faults("PATCH", `/campaigns/${id}`, { send_window, account_ids })).toEqual(found);
  });

  test("of a record that is sent back as another one", async () => {
    const { id } = await makeCampaign(app);
    const found = await faults("PATCH", `/campaigns/${id}`, { id: UNKNOWN, team_id: UNKNOWN });
    expect(found.map(({ field }) => field)).toEqual(["id", "team_id"]);
  });

  test("of a start: all that the campaign lacks", async () => {
    const { body } = await app.call("POST", "/campaigns", { name: "empty" });
    const found = await faults("POST", `/campaigns/${body.id}/start`);
    expect(found.map(({ field }) => field)).toEqual(["steps", "account_ids"]);
  });

  test("are 50 at most, however many there are", async () => {
    const leads = Array.from({ length: 1000 }, () => ({ email: 7, emial: "x" }));
    const { id } = await makeCampaign(app);
    expect(await faults("POST", `/campaigns/${id}/leads`, { leads })).toHaveLength(50);
  });
});

describe("docs_url", () => {
  test("leads to a section of its own for each type", async () => {
    const { body } = await app.call("GET", `/campaigns/${UNKNOWN}`);
    expect(body.docs_url).toBe("https://mail.example.com/docs/guide/errors#not-found");
    const page = await app.fetch(new Request("http://localhost/docs/guide/errors"));
    const anchors = [...(await page.text()).matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(anchors.slice(0, -1).toSorted()).toEqual(
      Object.keys(PROBLEM_STATUS)
        .map((type) => type.replaceAll("_", "-"))
        .toSorted(),
    );
  });

  test("is null where the server shows no documentation", async () => {
    const bare = await createTestApp({ docs: false });
    expect((await bare.call("GET", `/campaigns/${UNKNOWN}`)).body.docs_url).toBeNull();
    await bare.close();
  });
});
