/**
 * The recipes as people run them: the product's own events over real HTTP, and servers that take what Slack,
 * HubSpot and Google publish that they take, and refuse everything else.
 */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unixMs } from "#domain/time.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { createHttp } from "#platform/http/http.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { tableDns } from "../support/dns.ts";
import { comeBack, underway } from "../support/inbox.ts";
import { deliverDue, type Received, type Receiver, startReceiver } from "../support/webhooks.ts";
import { RECIPES, runtimeOf, startProgram } from "./support.ts";

const PYTHON = runtimeOf("x.py") === undefined ? test.skip : test;
const NODE = runtimeOf("x.mjs") === undefined ? test.skip : test;
const TEST_MS_MAX = 30_000;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const TEXT = "Yes <b>please</b> & call me.\n\n=1+1";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "outrider-recipes-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let app: TestApp;
let lead: string;
beforeEach(async () => {
  const allowCidrs = parseCidrs("127.0.0.0/8");
  app = await createTestApp({ http: createHttp({ dns: tableDns({}), allowCidrs }) });
  const stage = await underway(app, ["bob@client.example"]);
  lead = stage.leads[0]?.lead_id ?? "";
  const fields = { first_name: "Bob", company: "Client & Sons", phone: "+1 555 0100" };
  await app.call("PATCH", `/leads/${lead}`, fields);
  app.wall.set(unixMs(Date.now()));
});
afterEach(() => app.close());

interface Run {
  file: string;
  env: Readonly<Record<string, string>>;
  webhook: { events: string[]; include: string[] };
}

/** A reply comes, is delivered to the recipe, and is sent again as a receiver has to expect. */
async function play({ file, env, webhook }: Run): Promise<string[]> {
  await using recipe = await startProgram(join(RECIPES, file), { OUTRIDER_SECRET: SECRET, ...env });
  const body = { url: recipe.url, secret: SECRET, ...webhook };
  const { id } = (await app.call("POST", "/webhooks", body)).body;
  const played = await comeBack(app, { kind: "reply", lead_id: lead, text: TEXT });
  expect(played.status).toBe(200);
  const statuses: string[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    await deliverDue(app.environments.test);
    const { data } = (await app.call("GET", `/webhooks/${id}/deliveries?type=reply.received`)).body;
    statuses.push(data[0].status);
    await app.call("POST", `/webhooks/${id}/deliveries/${data[0].id}/replay`);
  }
  const forged = await fetch(recipe.url, {
    method: "POST",
    headers: { "webhook-id": "1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" },
    body: "{}",
  });
  expect(forged.status).toBe(401);
  return statuses;
}

/** A server that responds as `answer` says, or 400 to what it throws at. */
async function withStub(
  answer: (received: Received) => object | string,
  use: (stub: Receiver) => Promise<void>,
): Promise<void> {
  const stub = startReceiver((received) => {
    const body = answer(received);
    return typeof body === "string" ? new Response(body) : Response.json(body);
  });
  try {
    await use(stub);
  } finally {
    await stub.stop();
  }
}

PYTHON(
  "slack.py posts one line for a reply, however often it comes, with nothing that Slack would read as markup",
  () =>
    withStub(
      () => "ok",
      async (stub) => {
        const statuses = await play({
          file: "slack.py",
          env: { SLACK_URL: `${stub.url}/services/T0/B0/x` },
          webhook: { events: ["reply.received"], include: ["lead", "campaign"] },
        });
        expect(statuses).toEqual(["succeeded", "succeeded"]);
        expect(stub.received).toHaveLength(1);
        const [post] = stub.received;
        expect(post?.path).toBe("/services/T0/B0/x");
        expect(post?.headers["content-type"]).toBe("application/json");
        expect(JSON.parse(post?.body ?? "")).toEqual({
          text: expect.stringMatching(
            /^\*Client &amp; Sons\* replied \(Spring\): [a-z ]+\n>Yes &lt;b&gt;please&lt;\/b&gt; &amp; call me\. =1\+1$/,
          ),
        });
      },
    ),
  TEST_MS_MAX,
);

PYTHON(
  "slack.py lets Outrider try again when Slack fails",
  async () => {
    const stub = startReceiver(() => new Response("no_service", { status: 404 }));
    const statuses = await play({
      file: "slack.py",
      env: { SLACK_URL: stub.url },
      webhook: { events: ["reply.received"], include: [] },
    });
    expect(statuses[0]).toBe("pending");
    await stub.stop();
  },
  TEST_MS_MAX,
);

PYTHON(
  "hubspot.py makes a contact of who replied, and a note of the reply",
  () =>
    withStub(
      ({ path }) =>
        path.endsWith("/batch/upsert")
          ? { status: "COMPLETE", results: [{ id: "51", new: true, properties: {} }] }
          : { id: "7", properties: {} },
      async (stub) => {
        await play({
          file: "hubspot.py",
          env: { HUBSPOT_URL: stub.url, HUBSPOT_TOKEN: "pat-1" },
          webhook: { events: ["reply.received"], include: ["lead", "reply.text"] },
        });
        expect(stub.received.map(({ path }) => path)).toEqual([
          "/crm/v3/objects/contacts/batch/upsert",
          "/crm/v3/objects/notes",
        ]);
        expect(stub.received[0]?.headers["authorization"]).toBe("Bearer pat-1");
        const [contact, note] = stub.received.map(({ body }) => JSON.parse(body));
        expect(contact.inputs).toEqual([
          {
            idProperty: "email",
            id: "bob@client.example",
            properties: {
              email: "bob@client.example",
              firstname: "Bob",
              company: "Client & Sons",
              phone: "+1 555 0100",
            },
          },
        ]);
        expect(note).toEqual({
          properties: {
            hs_timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
            hs_note_body: "Yes &lt;b&gt;please&lt;/b&gt; &amp; call me.<br><br>=1+1",
          },
          associations: [
            {
              to: { id: "51" },
              types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: 202 }],
            },
          ],
        });
      },
    ),
  TEST_MS_MAX,
);

NODE(
  "sheets.mjs signs in as a service account and appends a row of plain values",
  () => {
    const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
    return withStub(
      ({ path }) =>
        path === "/token"
          ? { access_token: "ya29.x", expires_in: 3599, token_type: "Bearer" }
          : { spreadsheetId: "sheet", updates: { updatedRows: 1 } },
      async (stub) => {
        const credentials = join(dir, "service-account.json");
        const account = {
          client_email: "outrider@project.iam.gserviceaccount.com",
          token_uri: `${stub.url}/token`,
          private_key: keys.privateKey.export({ type: "pkcs8", format: "pem" }),
        };
        writeFileSync(credentials, JSON.stringify(account));
        await play({
          file: "sheets.mjs",
          env: { SHEETS_URL: stub.url, SHEET_ID: "sheet", GOOGLE_CREDENTIALS: credentials },
          webhook: { events: ["reply.received"], include: ["lead", "campaign"] },
        });
        const [token, append, ...rest] = stub.received;
        expect(rest).toEqual([]);
        const form = new URLSearchParams(token?.body);
        expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
        const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
        const signed = Buffer.from(`${head}.${claims}`);
        expect(
          verify("RSA-SHA256", signed, keys.publicKey, Buffer.from(signature, "base64url")),
        ).toBe(true);
        expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
          iss: account.client_email,
          aud: account.token_uri,
          scope: "https://www.googleapis.com/auth/spreadsheets",
        });
        expect(append?.path).toBe("/v4/spreadsheets/sheet/values/A1:append");
        expect(append?.headers["authorization"]).toBe("Bearer ya29.x");
        expect(JSON.parse(append?.body ?? "")).toEqual({
          values: [
            [
              expect.stringMatching(/^\d{4}-.*Z$/),
              "reply.received",
              "Spring",
              "bob@client.example",
              "Client & Sons",
              "Yes <b>please</b> & call me. =1+1",
            ],
          ],
        });
      },
    );
  },
  TEST_MS_MAX,
);

test("the recipes in Python verify in the same words", () => {
  const verifies = ["slack.py", "hubspot.py", "lead_status.py"].map((file) => {
    const text = readFileSync(join(RECIPES, file), "utf8");
    return text.slice(text.indexOf("def verify("), text.indexOf("return json.loads(body)"));
  });
  expect(verifies[0]).toContain("compare_digest");
  expect(new Set(verifies).size).toBe(1);
});
