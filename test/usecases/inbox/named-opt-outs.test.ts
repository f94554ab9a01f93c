/**
 * Guarantees of an opt-out that names another address: one that its sender can speak for is suppressed with
 * the sender's own, any other is shown to a person; relabeling the email takes all of it back.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import {
  comeBack,
  leadOf,
  statsOf,
  suppressionOf,
  threadOf,
  underway,
} from "../../support/inbox.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const BOB = "bob@client.example";
const BILLING = "billing@client.example";
const CARL = "carl@parent.example";
const STRANGER = "dora@elsewhere.example";

const isSuppressed = async (email: string) => (await suppressionOf(app, email)).suppressed;

async function optOut(text: string, leads: readonly string[] = [BOB]) {
  const at = await underway(app, leads);
  const id = at.leads[0]?.id ?? "";
  await comeBack(app, { kind: "unsubscribe", text, enrollment_id: id });
  const incoming = async () =>
    (await threadOf(app, id)).messages.find((one: { direction: string }) => one.direction === "in");
  return { at, incoming };
}

test("an address of the sender's own company is suppressed too", async () => {
  await optOut(`Please remove ${BILLING} from all your sequences.`);
  expect(await isSuppressed(BOB)).toBe(true);
  expect(await isSuppressed(BILLING)).toBe(true);
});

test("so is a lead elsewhere that the same mailbox writes to, whose sequence ends", async () => {
  const { at } = await optOut(`Remove ${CARL} from your list as well.`, [BOB, CARL]);
  expect(await isSuppressed(CARL)).toBe(true);
  expect(await leadOf(app, at, 1)).toMatchObject({ status: "unsubscribed" });
});

test("an address that the sender cannot speak for is not, and a person is shown it", async () => {
  const { incoming } = await optOut(`Please remove ${STRANGER} from your list.`);
  expect(await isSuppressed(BOB)).toBe(true);
  expect(await isSuppressed(STRANGER)).toBe(false);
  expect((await incoming()).evidence).toContain(`names ${STRANGER}, which is not suppressed; asks`);
});

test("a colleague whom the sender recommends is not", async () => {
  await optOut(`Please take me off your list and contact ${BILLING} instead.`);
  expect(await isSuppressed(BOB)).toBe(true);
  expect(await isSuppressed(BILLING)).toBe(false);
});

test("a neighbor at a shared provider is not", async () => {
  await optOut("Please remove eve@gmail.com from your list.", ["ann@gmail.com"]);
  expect(await isSuppressed("ann@gmail.com")).toBe(true);
  expect(await isSuppressed("eve@gmail.com")).toBe(false);
});

test("what is no address after all, and a list of many, suppress nobody else", async () => {
  await optOut("Please remove a..b@client.example from your list.");
  expect(await isSuppressed(BOB)).toBe(true);
  const many = ["a", "b", "c", "d", "e", "f"].map((name) => `${name}@client.example`);
  const { incoming } = await optOut(`Please remove ${many.join(" ")} from your list.`, [
    "zoe@client.example",
  ]);
  expect(await isSuppressed("a@client.example")).toBe(false);
  expect((await incoming()).evidence).toContain("a@client.example, b@client.example");
});

test("one relabeling takes it all back, and the sequences go on", async () => {
  const { at, incoming } = await optOut(`Remove ${CARL} and ${BILLING} from your list as well.`, [
    BOB,
    CARL,
  ]);
  expect(await isSuppressed(BILLING)).toBe(true);
  const { id } = await incoming();
  expect((await app.call("PATCH", `/messages/${id}`, { kind: "notice" })).status).toBe(200);
  for (const address of [BOB, CARL, BILLING]) {
    expect(await isSuppressed(address)).toBe(false);
  }
  expect(await leadOf(app, at, 0)).toMatchObject({ status: "active" });
  expect(await leadOf(app, at, 1)).toMatchObject({ status: "active" });
  await app.advance(4 * DAY_MS);
  expect((await statsOf(app, at)).sent).toBe(4);
});
