/**
 * What a step carries arrives over Postfix and Dovecot byte by byte, under its name, by two readings of others:
 * Python's `email` and postal-mime. Without the packages or root it is skipped, except in CI.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { createEngine } from "#engine/run.ts";
import { createWorkers } from "#engine/workers.ts";
import { localMailPort } from "../mail/support.ts";
import {
  type MailServer,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addLeads, makeCampaign } from "../support/campaigns.ts";
import { bytesOf, PIXEL, upload } from "../support/files.ts";
import { readByPython } from "../support/python-mail.ts";

if (skipsMailServer()) {
  const why = `skipped: the mail server ${missingForMailServer()}`;
  test.skipIf(true)(`attachments over Postfix and Dovecot (${why})`, () => undefined);
} else {
  describe("attachments over Postfix and Dovecot", () => carried());
}

const TO = "alice@acme.test";
const FROM = "sender1@out.test";

function carried(): void {
  let server: MailServer;
  let app: TestApp;
  let asLive: TestApp;
  beforeAll(async () => {
    server = await startMailServer({ loadUsers: 0 });
  }, 60_000);
  afterAll(() => server.stop(), 60_000);
  afterEach(() => app.close());

  async function connect(): Promise<void> {
    app = await createTestApp({ mail: localMailPort({ ca: server.ca }) });
    asLive = { ...app, call: app.live };
    const { smtp, imap } = server.mailbox(FROM);
    const { body } = await app.live("POST", "/accounts", {
      ...{ email: FROM, provider: "smtp", smtp, imap },
    });
    await app.live("POST", `/accounts/${body.id}/test`);
  }

  const store = async (name: string, content: Uint8Array<ArrayBuffer>) => {
    const { body } = await upload(app, name, content, { key: app.keys.live });
    return body as { id: string; name: string; media_type: string; sha256: string };
  };

  /** Runs what is due in the next minutes, until Postfix has handed it on. */
  async function run(): Promise<void> {
    const clock = { advanceTo: (at: UnixMs) => app.wall.set(at), hold: () => () => undefined };
    const env = app.environments.live;
    const engine = createEngine(env, createWorkers(env));
    await engine.advance(clock, plus(app.wall.now(), 2 * MINUTE_MS));
    await server.emptyQueue();
  }

  async function received(): Promise<Buffer> {
    const dir = join(server.dir, "mail/acme.test/alice/Maildir/new");
    const [name = ""] = (await readdir(dir)).toSorted().slice(-1);
    return await readFile(join(dir, name));
  }

  test("files arrive as they are under their names, and images in the text", async () => {
    await connect();
    const files = [
      await store("Überblick für Zoë 🚀.pdf", bytesOf(3_000_001)),
      await store(`${"lang".repeat(40)}.zip`, bytesOf(1)),
      await store(`50% "off"; filename=x.txt`, Buffer.from("one\ntwo\r\n.\r\nFrom me\n=20 é\r")),
      await store("noending", bytesOf(76 * 1024, 7)),
    ];
    const image = await store("logo.png", PIXEL);
    const step = {
      ...{ type: "email", subject: "Offer" },
      body: `<p>Our offer: <img alt="Logo" src="cid:${image.id}"></p>`,
      attachment_ids: files.map(({ id }) => id),
    };
    const { id } = await makeCampaign(asLive, [step]);
    const [lead] = await addLeads(asLive, id, TO);
    await app.live("POST", `/campaigns/${id}/start`);
    await run();

    const raw = await received();
    const { parts, defects } = await readByPython(raw);
    expect(defects).toEqual([]);
    const named = parts.filter(({ name }) => name !== null);
    expect(
      named.map(({ name, type, sha256, disposition }) => [name, type, sha256, disposition]),
    ).toEqual([
      [image.name, "image/png", image.sha256, "inline"],
      ...files.map(({ name, media_type, sha256 }) => [name, media_type, sha256, "attachment"]),
    ]);
    const mail = await PostalMime.parse(raw);
    const shaOf = (content: ArrayBuffer | string | Uint8Array) =>
      createHash("sha256")
        .update(new Uint8Array(content as ArrayBuffer))
        .digest("hex");
    expect(mail.attachments.map((one) => [one.filename, shaOf(one.content)])).toEqual(
      [image, ...files].map(({ name, sha256 }) => [name, sha256]),
    );
    const [shown] = mail.attachments;
    expect(mail.html).toContain(`src="cid:${shown?.contentId?.slice(1, -1)}"`);
    expect(shown?.related).toBe(true);

    const timeline = (await app.live("GET", `/leads/${lead?.lead_id}/timeline`)).body;
    const text = JSON.stringify(timeline);
    for (const { name } of files) {
      expect(text).toContain(JSON.stringify(name).slice(1, -1));
    }
  }, 60_000);
}
