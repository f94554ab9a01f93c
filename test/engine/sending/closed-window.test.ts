/** A window that closes between the claim and the body, at a slow server, stops the email. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { MINUTE_MS, plus, unixMs } from "#domain/time.ts";
import { createLive, type LiveApp } from "../support.ts";

const CLOSES = unixMs(Date.UTC(2026, 2, 2, 17));

let live: LiveApp;
beforeEach(async () => {
  live = await createLive();
  await live.addAccount();
});
afterEach(() => live.app.close());

test("it is sent when the window opens again, and counts only then", async () => {
  live.app.wall.set(plus(CLOSES, -MINUTE_MS));
  live.mail.meanwhile = async () => live.app.wall.set(plus(CLOSES, MINUTE_MS));
  const step = { type: "email", subject: "Hi", body: "Hello" };
  const { leads } = await live.launch([step], "bob@example.com");
  const message = () => live.messages(leads[0] ?? "")[0];
  await live.run(MINUTE_MS);
  live.mail.meanwhile = async () => undefined;
  expect(live.mail.taken).toEqual([]);
  expect(message()).toMatchObject({
    ...{ status: "deferred", attempts: 0, dataAt: null, reserved: [] },
    response: "stopped before sending: window",
  });
  await live.days(1);
  expect(live.mail.taken.map(({ to }) => to)).toEqual(["bob@example.com"]);
  expect(message()).toMatchObject({ status: "sent", attempts: 1 });
});
