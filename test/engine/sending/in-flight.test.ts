/** What stops emails says how many of them can no longer be stopped: their bodies are being handed over. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { MINUTE_MS } from "#domain/time.ts";
import { createLive, type LiveApp } from "../support.ts";

const STEP = { type: "email", subject: "Offer", body: "Hello" };
const TO = "bob@example.com";

let live: LiveApp;
let account: string;
beforeEach(async () => {
  live = await createLive();
  account = await live.addAccount();
});
afterEach(() => live.app.close());

/** Asks while the server has the body and has not said yet that it takes it. */
async function askDuring(ask: (campaign: string, lead: string) => ReturnType<LiveApp["call"]>) {
  const { id, leads } = await live.launch([STEP], TO, "eve@other.example");
  const answers: { status: number; body: { in_flight?: number } }[] = [];
  const { send } = live.mail;
  live.mail.send = async (...parameters) => {
    const outcome = await send(...parameters);
    answers.push(await ask(id, leads[0] ?? ""));
    return outcome;
  };
  await live.run(MINUTE_MS);
  return answers.map(({ status, body }) => [status, body.in_flight]);
}

test.each<[string, (campaign: string, lead: string) => ReturnType<LiveApp["call"]>, number]>([
  ["suppressing its address", () => live.call("POST", "/suppressions", { email: TO }), 201],
  [
    "suppressing its domain",
    () => live.call("POST", "/suppressions", { email: "@example.com" }),
    201,
  ],
  ["pausing its campaign", (id) => live.call("POST", `/campaigns/${id}/pause`), 200],
  ["archiving it", (id) => live.call("PATCH", `/campaigns/${id}`, { status: "archived" }), 200],
  [
    "pausing its mailbox",
    () => live.call("PATCH", `/accounts/${account}`, { status: "paused" }),
    200,
  ],
  [
    "disabling its mailbox",
    () => live.call("PATCH", `/accounts/${account}`, { status: "disabled" }),
    200,
  ],
  [
    "pausing its lead",
    (id, lead) => live.call("PATCH", `/campaigns/${id}/leads/${lead}`, { status: "paused" }),
    200,
  ],
])("%s: one is in flight", async (_name, ask, status) => {
  expect(await askDuring(ask)).toEqual([[status, 1]]);
});

test("pausing another mailbox: none; a change that stops nothing does not say", async () => {
  const other = await live.addAccount("bea@sender.example");
  await live.call("PATCH", `/accounts/${other}`, { status: "paused" });
  const rename = () => live.call("PATCH", `/accounts/${account}`, { display_name: "Anna" });
  expect(await askDuring(rename)).toEqual([[200, undefined]]);
  await live.call("PATCH", `/accounts/${other}`, { status: "active" });
  const pause = await live.call("PATCH", `/accounts/${other}`, { status: "paused" });
  expect(pause.body.in_flight).toBe(0);
});

test("of nobody else: none", async () => {
  const ask = () => live.call("POST", "/suppressions", { email: "eve@other.example" });
  expect(await askDuring(ask)).toEqual([[201, 0]]);
});
