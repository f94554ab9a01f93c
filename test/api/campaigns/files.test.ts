/** The HTTP contract of `/files`. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { FILE_BYTES_MAX, FILE_NAME_MAX, FILES_MAX } from "#domain/campaigns/file.ts";
import { insertFile } from "#store/campaigns/files.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { bytesOf, contentOf, PIXEL, upload } from "../../support/files.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const slices = () =>
  app.environments.test.db.raw
    .query<{ n: number }, []>("select count(*) as n from file_slices")
    .get()?.n;
const rows = () =>
  app.environments.test.db.raw.query<{ n: number }, []>("select count(*) as n from files").get()?.n;

test("a file is stored as it came, listed, downloaded and deleted", async () => {
  const content = bytesOf(700_001);
  const { status, body, headers } = await upload(app, "Offer.pdf", content);
  expect(status).toBe(201);
  expect(headers.get("location")).toBe(`/api/v1/files/${body.id}`);
  expect(body).toMatchObject({
    team_id: app.team.id,
    name: "Offer.pdf",
    media_type: "application/pdf",
    bytes: content.byteLength,
    sha256: createHash("sha256").update(content).digest("hex"),
  });
  const { body: image } = await upload(app, "logo.png", PIXEL);
  const list = (await app.call("GET", "/files")).body;
  expect(list).toMatchObject({ data: [image, body], total: 2 });
  expect((await app.call("GET", "/files?limit=1&offset=1")).body.data).toEqual([body]);
  expect((await app.call("GET", `/files/${body.id}`)).body).toEqual(body);
  const got = await contentOf(app, body.id);
  expect(Buffer.compare(got.bytes, content)).toBe(0);
  expect(got.headers.get("content-type")).toBe("application/octet-stream");
  expect(got.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''Offer.pdf");
  expect((await contentOf(app, image.id)).headers.get("content-type")).toBe("image/png");
  expect((await app.call("DELETE", `/files/${body.id}`)).status).toBe(204);
  expect((await app.call("GET", `/files/${body.id}`)).status).toBe(404);
  expect((await app.call("GET", "/files")).body).toMatchObject({ data: [image], total: 1 });
});

test("what is deleted leaves nothing behind", async () => {
  const { body } = await upload(app, "big.zip", bytesOf(600_000));
  expect(slices()).toBe(10);
  await app.call("DELETE", `/files/${body.id}`);
  await app.advance(1_000);
  expect([slices(), rows()]).toEqual([0, 0]);
});

test("an upload that breaks off is no file, and leaves nothing behind", async () => {
  const broken = new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytesOf(600_000));
    },
    pull: (controller) => {
      controller.error(new Error("cut"));
    },
  });
  const answer = app.fetch(
    new Request("http://localhost/api/v1/files?name=a.zip", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${app.keys.test}`,
        "Content-Type": "application/octet-stream",
      },
      body: broken,
    }),
  );
  const { status } = await answer;
  expect(status).toBe(400);
  expect(await (await answer).text()).toContain(
    "the connection closed before the whole file arrived",
  );
  expect((await app.call("GET", "/files")).body.total).toBe(0);
  await app.advance(1_000);
  expect([slices(), rows()]).toEqual([0, 0]);
});

test("the same Idempotency-Key stores a file once", async () => {
  const headers = { "Idempotency-Key": "one" };
  const first = await upload(app, "a.txt", "hello", { headers });
  const again = await upload(app, "a.txt", "hello", { headers });
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect((await app.call("GET", "/files")).body.total).toBe(1);
});

test.each(["hallo", "hello!", "", "x".repeat(FILE_BYTES_MAX + 1)])(
  "the Idempotency-Key of another file is refused (case %#)",
  async (other) => {
    const headers = { "Idempotency-Key": "one" };
    const first = await upload(app, "a.txt", "hello", { headers });
    const { status, body } = await upload(app, "a.txt", other, { headers });
    expect([status, body.field]).toEqual([422, "Idempotency-Key"]);
    expect((await app.call("GET", "/files")).body.data).toEqual([first.body]);
  },
);

describe("a name", () => {
  test.each([
    ["keeps umlauts and emoji", "Überblick für Zoë 🚀.pdf", "Überblick für Zoë 🚀.pdf"],
    ["keeps an emoji of several", "👩‍💻.png", "👩‍💻.png"],
    ["is the last part of a path", "../../etc/passwd", "passwd"],
    ["is the last part of a Windows path", "C:\\Users\\me\\offer.pdf", "offer.pdf"],
    ["has no line ends", "a\r\nBcc: eve@evil.example.pdf", "a Bcc: eve@evil.example.pdf"],
    ["has nothing that turns the direction", "cod\u202Efdp.txt", "codfdp.txt"],
    ["does not begin or end with dots", " ..offer.pdf. ", "offer.pdf"],
    ["may have quotes and percent signs", `50% "off"; filename=x.txt`, `50% "off"; filename=x.txt`],
  ])("%s", async (_, given, name) => {
    const { status, body } = await upload(app, given, "x");
    expect([status, body.name]).toEqual([201, name]);
    const said = (await contentOf(app, body.id)).headers.get("content-disposition") ?? "";
    expect(decodeURIComponent(said.split("UTF-8''")[1] ?? "")).toBe(name);
  });

  test.each([
    ["of a program", "setup.exe", ".exe"],
    ["of a script, in capitals", "RUN.JS", ".js"],
    ["of a screen saver, with a dot behind", "offer.pdf.scr. ", ".scr"],
    ["that shows another ending", "offer\u202Efdp.exe", ".exe"],
    ["of dots", "...", "must be the name of a file"],
    ["of nothing that is seen", "\u200B\u202E", "must be the name of a file"],
    ["that is too long", "x".repeat(FILE_NAME_MAX + 1), "200"],
    ["of ten thousand characters", "x".repeat(10_000), "200"],
    ["that is empty", "", "name"],
  ])("%s is refused by name", async (_, given, words) => {
    const { status, body } = await upload(app, given, "x");
    expect([status, body.field]).toEqual([422, "name"]);
    expect(body.message + body.field).toContain(words);
    expect((await app.call("GET", "/files")).body.total).toBe(0);
  });
});

describe("refused", () => {
  test("a file that is too large, before and while it arrives", async () => {
    const content = new Uint8Array(FILE_BYTES_MAX + 1);
    const declared = { headers: { "Content-Length": String(content.byteLength) } };
    for (const options of [declared, {}]) {
      const { status, body } = await upload(app, "big.zip", content, options);
      expect([status, body.type, body.field]).toEqual([413, "payload_too_large", "body"]);
      expect(body.message).toContain("10 MB");
    }
    expect((await upload(app, "fits.zip", content.subarray(1))).status).toBe(201);
  });

  test("an empty file", async () => {
    const { status, body } = await upload(app, "a.txt", "");
    expect([status, body.field]).toEqual([422, "body"]);
  });

  test("a form, and a compressed body", async () => {
    const form = { "Content-Type": "multipart/form-data; boundary=x" };
    for (const headers of [form, { "Content-Encoding": "gzip" }]) {
      const { status, headers: got } = await upload(app, "a.txt", "x", { headers });
      expect([status, got.get("accept-post")]).toEqual([415, "application/octet-stream"]);
    }
  });

  test("one too many", async () => {
    const { db, ids, clock } = app.environments.test;
    for (let nth = 0; nth < FILES_MAX; nth += 1) {
      insertFile(db, {
        ...{ id: ids.next(clock.now()), teamId: app.team.id, name: "a", mediaType: "text/plain" },
        ...{ bytes: 1, sha256: new Uint8Array(32), state: "kept", createdAt: clock.now() },
      });
    }
    expect(await upload(app, "a.txt", "x")).toMatchObject({ status: 409 });
  });

  test("another team's, as if it never was", async () => {
    const { body } = await upload(app, "a.txt", "x");
    const { keys } = await app.addTeam("Other");
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/download"],
      ["DELETE", ""],
    ] as const) {
      const answer = await app.call(method, `/files/${body.id}${path}`, undefined, {
        key: keys.test,
      });
      expect(answer.status).toBe(404);
    }
    expect((await upload(app, "a.txt", "x", { key: keys.test })).status).toBe(201);
    expect((await app.live("GET", `/files/${body.id}`)).status).toBe(404);
  });
});
