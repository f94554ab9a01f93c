/** The words below an email are the same wherever it is shown, tried, checked, or sent. */

import { afterEach, describe, expect, test } from "bun:test";
import { LANGUAGES } from "#domain/sending/languages.ts";
import { WORDS } from "#domain/sending/words.ts";
import { HOUR_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
afterEach(() => app.close());

const STEP = { type: "email", subject: "Offer", body: "Hello" };
const ADDRESS = "1 Main Street, Springfield";

async function ready(team: object, lead: object) {
  app = await createTestApp({ publicUrl: "https://mail.acme.example" });
  const account = await addAccount(app);
  await app.call("PATCH", "/team", { postal_address: ADDRESS, ...team });
  const { id, steps } = await makeCampaign(app, [STEP]);
  const [row] = await addLeads(app, id, { email: "bob@x.example", ...lead });
  return { account, path: `/campaigns/${id}`, step: steps[0], lead_id: row.lead_id };
}

/** The words before the link, as each place has them. */
async function saidBy({ path, step, lead_id }: Awaited<ReturnType<typeof ready>>) {
  const shown = await app.call("POST", `${path}/preview`, { step_id: step, lead_id });
  const to = "me@team.example";
  const tried = await app.call("POST", `${path}/steps/${step}/send-test`, { to, lead_id });
  expect(tried.body.status).toBe("sent");
  const checked = await app.call("POST", `${path}/steps/${step}/check`, { lead_id });
  const rules = checked.body.findings.map(({ rule }: { rule: string }) => rule);
  expect(rules).not.toContain("unsubscribe_missing");
  expect(rules).not.toContain("address_missing");
  expect((await app.call("POST", `${path}/start`)).status).toBe(200);
  await app.advance(24 * HOUR_MS);
  const { data } = (await app.call("GET", "/sandbox/messages")).body;
  const mails = await Promise.all(
    data.map(async ({ id, recipient }: { id: string; recipient: string }) => {
      const { body } = await app.call("GET", `/sandbox/messages/${id}`);
      return { recipient, text: body.text };
    }),
  );
  const words = (text: string) => /\n([^\n]*?):? https:\S+\s*$/.exec(text)?.[1];
  return [
    ["preview", words(shown.body.text)],
    ...mails.map(({ recipient, text }) => [recipient, words(text)]),
  ];
}

const everywhere = (words: string) => [
  ["preview", words],
  ["me@team.example", words],
  ["bob@x.example", words],
];

describe("The footer says the same in the preview, a test email, and the email itself", () => {
  test.each([...LANGUAGES])("to somebody who reads %s", async (language) => {
    const made = await ready({ language: "fi" }, { variables: { language } });
    const said = await saidBy(made);
    expect(said.toSorted()).toEqual(everywhere(WORDS[language].unsubscribe).toSorted());
  });

  test("in a team's own wording, for everybody", async () => {
    const unsubscribe_text = "No more <of this> & that";
    const made = await ready({ unsubscribe_text }, { variables: { language: "de" } });
    expect((await saidBy(made)).toSorted()).toEqual(everywhere(unsubscribe_text).toSorted());
  });
});

test("A mailbox's email to itself speaks the team's language", async () => {
  const { account } = await ready({ language: "de" }, {});
  await app.call("POST", `/accounts/${account.id}/test`);
  const { data } = (await app.call("GET", "/sandbox/messages")).body;
  const [mail] = data.filter(({ subject }: { subject: string }) => subject !== "Offer");
  expect(mail.subject).toBe("Test dieses Postfachs");
});
