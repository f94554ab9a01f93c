/** What a page of the console hears besides events: what sort of record was changed, and that a role did. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { firstPerson, invited } from "../support/people.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

/** The stream of somebody who is signed in; `until` resolves to all that it said when it has said `words`. */
async function listen(cookie: string, env: "live" | "test") {
  const url = `http://localhost/${env}/api/v1/events/stream`;
  const headers = { Cookie: cookie, "Sec-Fetch-Site": "same-origin" };
  const { body } = await app.fetch(new Request(url, { headers }));
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let said = "";
  return {
    until: async (words: string) => {
      while (!said.includes(words)) {
        const { done, value } = await reader.read();
        if (done) {
          throw new Error(`it ended:\n${said}`);
        }
        said += new TextDecoder().decode(value);
      }
      return said;
    },
    ended: async () => {
      while (!(await reader.read()).done) {
        // What it still says.
      }
    },
  };
}

test("a page hears that a step was changed, though no event tells of it", async () => {
  const ann = await firstPerson(app);
  const { body: campaign } = await ann.ask("POST", "/test/api/v1/campaigns", { name: "Spring" });
  const steps = `/test/api/v1/campaigns/${campaign.id}/steps`;
  const { body: step } = await ann.ask("POST", steps, { type: "email", body: "Hello" });
  const stream = await listen(ann.cookie, "test");
  await stream.until("retry: ");
  await ann.ask("PATCH", `${steps}/${step.id}`, { body: "Hello again" });
  const said = await stream.until("event: change\ndata: step\n\n");
  expect(said).not.toContain("Hello again");
});

test("the stream of whose role changes ends at once, in both environments", async () => {
  const ann = await firstPerson(app);
  const bo = await invited(app, ann, "member");
  const streams = [await listen(bo.cookie, "live"), await listen(bo.cookie, "test")];
  await Promise.all(streams.map((stream) => stream.until("retry: ")));
  const { body } = await ann.ask("GET", "/live/api/v1/team/members");
  const { id } = body.data.find(({ email }: { email: string }) => email === "member@example.com");
  await ann.ask("PATCH", `/live/api/v1/team/members/${id}`, { role: "viewer" });
  await Promise.all(streams.map((stream) => stream.ended()));
});
