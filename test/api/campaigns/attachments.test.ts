/** What steps carry: checked when it is said, sent, previewed, copied, told, and forgotten. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { HOUR_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";
import { bytesOf, PIXEL, upload } from "../../support/files.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const STEP = { type: "email", subject: "Hello", body: "Hello there" };
const MB = 1024 * 1024;
const file = async (name = "offer.pdf", content: Uint8Array<ArrayBuffer> | string = "%PDF") =>
  (await upload(app, name, content)).body.id as string;
const shows = (id: string) => `<p>Look: <img src="cid:${id}"></p>`;

/** A draft whose only step is changed. */
async function stepWith(change: object) {
  const campaign = await makeCampaign(app, [STEP]);
  const at = `/campaigns/${campaign.id}/steps`;
  const [{ id }] = (await app.call("GET", at)).body.data;
  const answer = await app.call("PATCH", `${at}/${id}`, change);
  return { campaign, path: `${at}/${id}`, answer };
}

test("a step keeps its files in order, and lets them go", async () => {
  const ids = [await file("b.pdf"), await file("a.pdf")];
  const { answer, path } = await stepWith({ attachment_ids: ids });
  expect([answer.status, answer.body.attachment_ids]).toEqual([200, ids]);
  expect((await app.call("GET", path)).body.attachment_ids).toEqual(ids);
  const less = await app.call("PATCH", path, { attachment_ids: ids.slice(1) });
  expect(less.body.attachment_ids).toEqual(ids.slice(1));
  expect((await app.call("PATCH", path, { subject: "Hi" })).body.attachment_ids).toEqual(
    ids.slice(1),
  );
});

describe("refused", () => {
  test("a file that the team does not have, by its place", async () => {
    const other = await app.addTeam("Other");
    const theirs = (await upload(app, "a.txt", "x", { key: other.keys.test })).body.id;
    const { answer } = await stepWith({ attachment_ids: [await file(), theirs] });
    expect([answer.status, answer.body.field]).toEqual([422, "attachment_ids.1"]);
  });

  test("more files than an email may have", async () => {
    const ids = await Promise.all(Array.from({ length: 11 }, (_, nth) => file(`${nth}.pdf`)));
    const { answer } = await stepWith({ attachment_ids: ids });
    expect([answer.status, answer.body.field]).toEqual([422, "attachment_ids"]);
  });

  test("files that are too large together, with the images in the text", async () => {
    const large = await file("large.zip", new Uint8Array(6 * MB));
    const image = await file("large.png", new Uint8Array(5 * MB));
    const { answer } = await stepWith({ attachment_ids: [large], body: shows(image) });
    expect([answer.status, answer.body.field]).toEqual([422, "attachment_ids"]);
    expect(answer.body.message).toContain("these files total 11.0 MB");
  });

  test("attachments that are too large with the images of a variant that is being sent", async () => {
    const { campaign, path } = await stepWith({});
    const image = await file("large.png", new Uint8Array(6 * MB));
    const made = await app.call("POST", "/experiments", {
      ...{ campaign_id: campaign.id, name: "Picture" },
      variants: [{ name: "a" }, { name: "b", config: { body: shows(image) } }],
    });
    expect(made.status).toBe(201);
    const large = await file("large.zip", new Uint8Array(5 * MB));
    const answer = await app.call("PATCH", path, { attachment_ids: [large] });
    expect([answer.status, answer.body.field]).toEqual([422, "attachment_ids"]);
    expect(answer.body.message).toContain('variant "b" of the experiment "Picture"');
    await app.call("POST", `/experiments/${made.body.id}/cancel`);
    expect((await app.call("PATCH", path, { attachment_ids: [large] })).status).toBe(200);
  });

  test.each(["a file that is no image", "no file"])("an image that is %s", async (what) => {
    const id = what === "no file" ? "01952c6a-4000-7000-8000-000000000100" : await file();
    const { answer } = await stepWith({ body: shows(id) });
    expect([answer.status, answer.body.field]).toEqual([422, "body"]);
    expect(answer.body.message).toBe(
      what === "no file"
        ? `shows cid:${id}, which isn't a file of the team`
        : "shows offer.pdf, which isn't an image",
    );
    const { campaign } = await stepWith({});
    const made = await app.call("POST", "/experiments", {
      ...{ campaign_id: campaign.id, name: "Picture" },
      variants: [{ name: "a" }, { name: "b", config: { body: shows(id) } }],
    });
    expect([made.status, made.body.field]).toEqual([422, "variants.1.config.body"]);
  });

  test("the deletion of a file that a step has, which says where", async () => {
    const [id, image] = [await file(), await file("logo.png", PIXEL)];
    const { path } = await stepWith({ attachment_ids: [id], body: shows(image) });
    for (const one of [id, image]) {
      const { status, body } = await app.call("DELETE", `/files/${one}`);
      expect([status, body.type]).toEqual([409, "conflict"]);
      expect(body.message).toContain('step 1 of the campaign "');
    }
    await app.call("PATCH", path, { attachment_ids: [], body: "Hello" });
    for (const one of [id, image]) {
      expect((await app.call("DELETE", `/files/${one}`)).status).toBe(204);
    }
  });
});

test("a file is attached once, however its id is written", async () => {
  const id = await file();
  const { answer } = await stepWith({ attachment_ids: [id, id.toUpperCase()] });
  expect([answer.status, answer.body.field]).toEqual([422, "attachment_ids.1"]);
  expect(answer.body.message).toBe("offer.pdf is listed twice");
});

test("a preview lists what the email carries, and the launch check warns of the first one", async () => {
  const [id, image] = [await file(), await file("logo.png", PIXEL)];
  const { campaign } = await stepWith({ attachment_ids: [id], body: shows(image) });
  const preview = (await app.call("POST", `/campaigns/${campaign.id}/preview`, {})).body;
  expect(preview.attachments).toMatchObject([
    { file_id: image, name: "logo.png", media_type: "image/png", inline: true },
    { file_id: id, name: "offer.pdf", bytes: 4, inline: false },
  ]);
  expect(preview.html).toContain(`cid:${image}`);
  const { warnings } = (await app.call("GET", `/campaigns/${campaign.id}/launch-check`)).body;
  expect(warnings.map(({ code }: { code: string }) => code)).toContain("first_email_attached");
});

test("a duplicate and a rehearsal have the files too", async () => {
  const id = await file("offer.pdf", bytesOf(300_000));
  const { campaign } = await stepWith({ attachment_ids: [id] });
  const copy = (await app.call("POST", `/campaigns/${campaign.id}/duplicate`, {})).body;
  const [step] = (await app.call("GET", `/campaigns/${copy.id}/steps`)).body.data;
  expect(step.attachment_ids).toEqual([id]);
  await addAccount(app);
  await addLeads(app, campaign.id, "ann@client.example");
  const played = await app.call("GET", `/campaigns/${campaign.id}/rehearsal`);
  expect(played.status).toBe(200);
  expect(played.body.totals.sent).toBe(1);
});

describe("sent", () => {
  async function sent(change: object) {
    const { campaign } = await stepWith(change);
    await addAccount(app);
    const [lead] = await addLeads(app, campaign.id, "ann@client.example");
    await app.call("POST", `/campaigns/${campaign.id}/start`);
    await app.advance(72 * HOUR_MS);
    const [captured] = (await app.call("GET", "/sandbox/messages")).body.data;
    const raw = (await app.call("GET", `/sandbox/messages/${captured.id}/raw`)).text;
    const timeline = (await app.call("GET", `/leads/${lead.lead_id}/timeline`)).body.data;
    const { message } = timeline.find(
      (row: { message?: { direction: string } }) => row.message?.direction === "out",
    );
    return { campaign, lead, raw, message };
  }

  test("an email has its files, tells of them, and is downloaded with them", async () => {
    const id = await file("offer.pdf", "%PDF-1.7");
    const { raw, message } = await sent({ attachment_ids: [id] });
    const names = async (text: string) =>
      (await PostalMime.parse(text)).attachments.map(({ filename }) => filename);
    expect(await names(raw)).toEqual(["offer.pdf"]);
    expect(message.attachments).toMatchObject([{ file_id: id, name: "offer.pdf", bytes: 8 }]);
    const shown = (await app.call("GET", `/messages/${message.id}`)).body;
    expect(shown.attachments).toEqual(message.attachments);
    expect(await names((await app.call("GET", `/messages/${message.id}/raw`)).text)).toEqual([
      "offer.pdf",
    ]);
  });

  test("a file that was deleted since is still told of, and its email no more downloaded", async () => {
    const id = await file("offer.pdf", "%PDF-1.7");
    const { campaign, message } = await sent({ attachment_ids: [id] });
    const [step] = (await app.call("GET", `/campaigns/${campaign.id}/steps`)).body.data;
    await app.call("PATCH", `/campaigns/${campaign.id}/steps/${step.id}`, { attachment_ids: [] });
    expect((await app.call("DELETE", `/files/${id}`)).status).toBe(204);
    await app.advance(1_000);
    const shown = (await app.call("GET", `/messages/${message.id}`)).body;
    expect(shown.attachments).toMatchObject([{ name: "offer.pdf" }]);
    const raw = await app.call("GET", `/messages/${message.id}/raw`);
    expect([raw.status, raw.body.message]).toEqual([409, 'the file "offer.pdf" was deleted']);
  });

  test("of a large one the sandbox keeps the beginning", async () => {
    const { raw } = await sent({ attachment_ids: [await file("large.zip", bytesOf(3 * MB))] });
    expect(raw.length).toBeLessThan(300_000);
    expect((await PostalMime.parse(raw)).text).toContain("Hello");
  });

  test("an erased person's emails carried nothing", async () => {
    const { lead } = await sent({ attachment_ids: [await file()] });
    expect((await app.call("DELETE", `/leads/${lead.lead_id}`)).status).toBe(204);
    const { n } = app.environments.test.db.raw
      .query<{ n: number }, []>("select count(*) as n from message_files")
      .get() ?? { n: -1 };
    expect(n).toBe(0);
  });

  test("a test email has them", async () => {
    const { campaign, path } = await stepWith({ attachment_ids: [await file()] });
    await addAccount(app);
    expect(campaign.id).toBeDefined();
    const answer = await app.call("POST", `${path}/send-test`, { to: "me@team.example" });
    expect(answer.body.status).toBe("sent");
    const [captured] = (await app.call("GET", "/sandbox/messages")).body.data;
    const raw = (await app.call("GET", `/sandbox/messages/${captured.id}/raw`)).text;
    const { attachments } = await PostalMime.parse(raw);
    expect(attachments.map(({ filename }) => filename)).toEqual(["offer.pdf"]);
  });
});
