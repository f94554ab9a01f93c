/** What still needs a file: told in the list where it is asked for, and by the refusal to delete it. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, makeCampaign } from "../../support/campaigns.ts";
import { bytesOf, PIXEL, upload } from "../../support/files.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const STEP = { type: "email", subject: "Hello", body: "Hello there" };
const file = async (name = "offer.pdf", content: Uint8Array<ArrayBuffer> | string = "%PDF") =>
  (await upload(app, name, content)).body.id as string;
const shows = (id: string) => `<p>Look: <img src="cid:${id}"></p>`;
const usesOf = async () => {
  const { data } = (await app.call("GET", "/files?include=uses")).body;
  return Object.fromEntries(data.map(({ name, uses }: Listed) => [name, uses]));
};
interface Listed {
  name: string;
  uses?: unknown;
}

test("each file says which steps, running variants, and signatures have it, where that is asked for", async () => {
  const attached = await file("attached.pdf");
  const image = await file("step.png", PIXEL);
  const tested = await file("variant.png", PIXEL);
  const signed = await file("signature.png", PIXEL);
  await file("free.pdf");
  const campaign = await makeCampaign(app, [STEP, { ...STEP, body: shows(image) }]);
  const at = `/campaigns/${campaign.id}/steps`;
  const [{ id: first }] = (await app.call("GET", at)).body.data;
  await app.call("PATCH", `${at}/${first}`, { attachment_ids: [attached, image] });
  const made = await app.call("POST", "/experiments", {
    ...{ campaign_id: campaign.id, name: "Picture" },
    variants: [{ name: "a" }, { name: "b", config: { body: shows(tested) } }],
  });
  expect(made.status).toBe(201);
  const account = await addAccount(app);
  const signature = `<img src="CID:${signed.toUpperCase()}">`;
  expect((await app.call("PATCH", `/accounts/${account.id}`, { signature })).status).toBe(200);

  const step = (position: number) => ({
    ...{ type: "step", id: campaign.id, name: "Spring", step_position: position },
  });
  expect(await usesOf()).toEqual({
    "attached.pdf": [step(1)],
    "step.png": [step(1), step(2)],
    "variant.png": [{ ...step(1), type: "variant" }],
    "signature.png": [
      { type: "signature", id: account.id, name: account.email, step_position: null },
    ],
    "free.pdf": [],
  });
  const { data } = (await app.call("GET", "/files")).body;
  expect(data.map(({ uses }: Listed) => uses)).toEqual(Array(5).fill(undefined));

  const refused = async (id: string) => {
    const { status, body } = await app.call("DELETE", `/files/${id}?dry_run=true`);
    return [status, body.message];
  };
  const has = `of the campaign "Spring" has this file; remove it there first`;
  expect(await refused(attached)).toEqual([409, `step 1 ${has}`]);
  expect(await refused(tested)).toEqual([409, `a variant of step 1 ${has}`]);
  expect(await refused(signed)).toEqual([
    409,
    `the signature of ${account.email} shows this file; remove it there first`,
  ]);
  await app.call("POST", `/experiments/${made.body.id}/cancel`);
  await app.call("PATCH", `/accounts/${account.id}`, { signature: null });
  for (const id of [tested, signed]) {
    expect((await app.call("DELETE", `/files/${id}`)).status).toBe(204);
  }
});

test("uses are found in all of a team's campaigns, ten at most are told, and none of another team", async () => {
  const id = await file();
  for (let nth = 0; nth < 45; nth += 1) {
    const campaign = await makeCampaign(app, [STEP]);
    const at = `/campaigns/${campaign.id}/steps`;
    if (nth === 0 || nth >= 30) {
      const [step] = (await app.call("GET", at)).body.data;
      await app.call("PATCH", `${at}/${step.id}`, { attachment_ids: [id] });
    }
  }
  expect((await usesOf())["offer.pdf"]).toHaveLength(10);
  const { keys } = await app.addTeam("Other");
  const theirs = await upload(app, "theirs.pdf", "%PDF", { key: keys.test });
  const { body } = await app.call("GET", "/files?include=uses", undefined, { key: keys.test });
  expect(body.data).toEqual([{ ...theirs.body, uses: [] }]);
});

test("the list says how much all files take", async () => {
  expect((await app.call("GET", "/files")).body.bytes).toBe(0);
  await file("a.zip", bytesOf(1_000));
  await file("b.zip", bytesOf(500));
  expect((await app.call("GET", "/files?limit=1")).body).toMatchObject({ total: 2, bytes: 1_500 });
});

test("another value of include is refused by name", async () => {
  const { status, body } = await app.call("GET", "/files?include=everything");
  expect([status, body.field]).toEqual([422, "include"]);
});
