/** The contract of `POST /campaigns/{id}/steps/{stepId}/check`. */

import { afterEach, describe, expect, test } from "bun:test";
import type { LinkOutcome } from "#platform/ports/links.ts";
import type { SpamOutcome } from "#platform/ports/spamd.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
afterEach(() => app.close());

const PLAIN = {
  type: "email",
  subject: "Deliveries at {{company}}",
  body: "Hello {{first_name}},\n\nhow do you find out that a delivery is late?",
};

async function checked(step: object, options: TestAppOptions = {}, body: object = {}) {
  app = await createTestApp({ publicUrl: "https://mail.acme.example", ...options });
  await app.call("PATCH", "/team", { postal_address: "1 Main Street, Springfield" });
  await addAccount(app);
  const { id, steps } = await makeCampaign(app, [step]);
  const path = `/campaigns/${id}/steps/${steps[0]}/check`;
  return { path, campaign: id, answer: await app.call("POST", path, body) };
}

describe("200", () => {
  test("a plain letter is let be, rendered for somebody who lacks nothing", async () => {
    const { answer } = await checked(PLAIN);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ position: 1, ok: true, missing: [], findings: [] });
    expect(answer.body).toMatchObject({ links: [], spamassassin: null });
  });

  test("what speaks against it is named, by rule, weight and words", async () => {
    const { answer } = await checked({ ...PLAIN, subject: "RE: ACT NOW!!" });
    expect(answer.body.ok).toBe(false);
    expect(answer.body.findings.map((one: { rule: string }) => one.rule)).toEqual([
      ...["subject_capitals", "subject_punctuation", "subject_false_reply", "phrases"],
    ]);
    expect(answer.body.findings[2]).toEqual({
      rule: "subject_false_reply",
      severity: "problem",
      message: expect.stringContaining("deceptive"),
    });
  });

  test("words that are not saved are read in place of the step's", async () => {
    const { path } = await checked(PLAIN);
    const rulesOf = async (words: object) => {
      const { body } = await app.call("POST", path, { links: false, ...words });
      return body.findings.map(({ rule }: { rule: string }) => rule);
    };
    expect(await rulesOf({ subject: "BUY IT NOW PLEASE" })).toContain("subject_capitals");
    expect(await rulesOf({ body: "Act now!", format: "plain" })).toContain("phrases");
    expect(await rulesOf({})).toEqual([]);
  });

  test("links are asked whether they answer, ours to unsubscribe is not", async () => {
    const asked: string[] = [];
    const outcomes: Record<string, LinkOutcome> = {
      "https://a.example/": { kind: "answered", status: 200, location: null },
      "https://b.example/": { kind: "answered", status: 404, location: null },
      "https://c.example/": { kind: "failed", reason: "dns" },
    };
    const look = async (url: string): Promise<LinkOutcome> => {
      asked.push(url);
      return outcomes[url] ?? { kind: "failed", reason: "not_a_link" };
    };
    const body = `${PLAIN.body} https://a.example/ https://b.example/ https://c.example/`;
    const { answer, path } = await checked(
      { ...PLAIN, body },
      { links: { look, read: async () => ({ kind: "failed", reason: "dns" }) } },
    );

    expect(asked).toEqual(Object.keys(outcomes));
    expect(answer.body.ok).toBe(false);
    expect(answer.body.links).toEqual([
      { url: "https://a.example/", ok: true, status: 200, leads_to: null, error: null },
      {
        url: "https://b.example/",
        ok: false,
        status: 404,
        leads_to: null,
        error: "it responds with 404",
      },
      { url: "https://c.example/", ok: false, status: null, leads_to: null, error: "dns" },
    ]);
    expect((await app.call("POST", path, { links: false })).body.links).toEqual([]);
    expect(asked).toHaveLength(3);
  });

  test("SpamAssassin's judgement of the whole message is shown; when it is away, that", async () => {
    const judged: string[] = [];
    let outcome: SpamOutcome = {
      kind: "judged",
      score: 6.1,
      required: 5,
      isSpam: true,
      rules: [{ name: "SUBJ_ALL_CAPS", points: 1.1, about: "Subject is all capitals" }],
    };
    const judge = async (raw: Uint8Array) => {
      judged.push(new TextDecoder().decode(raw));
      return outcome;
    };
    const { answer, path } = await checked(PLAIN, { spamd: { score: judge } });

    expect(judged[0]).toContain("Subject: Deliveries at Example Works");
    expect(judged[0]).toContain("List-Unsubscribe: <https://mail.acme.example/u/");
    expect(answer.body).toMatchObject({ ok: false, findings: [] });
    expect(answer.body.spamassassin).toEqual({
      available: true,
      reason: null,
      score: 6.1,
      required: 5,
      is_spam: true,
      rules: [{ name: "SUBJ_ALL_CAPS", points: 1.1, about: "Subject is all capitals" }],
    });
    outcome = { kind: "unavailable", reason: "spamd did not respond in time" };
    const away = (await app.call("POST", path, {})).body;
    expect(away).toMatchObject({ ok: true, spamassassin: { available: false, score: null } });
  });

  test("what SpamAssassin holds against unsigned email is left out", async () => {
    const rule = (name: string, points: number) => ({ name, points, about: "" });
    const { answer } = await checked(PLAIN, {
      spamd: {
        score: async () => ({
          ...{ kind: "judged", score: 5.2, required: 5, isSpam: true },
          rules: [rule("LIST_PARTIAL_SHORT_MSG", 1), rule("SUBJ_ALL_CAPS", 4.2)],
        }),
      },
    });
    expect(answer.body.spamassassin).toMatchObject({ score: 4.2, is_spam: false });
    expect(answer.body.spamassassin.rules).toEqual([rule("SUBJ_ALL_CAPS", 4.2)]);
  });

  test("for a lead who lacks something, that is said and nothing else", async () => {
    const { campaign, path } = await checked(PLAIN);
    const [lead] = await addLeads(app, campaign, "bob@client.example");
    const { body } = await app.call("POST", path, { lead_id: lead.lead_id });
    expect(body).toMatchObject({ ok: false, missing: ["company", "first_name"], findings: [] });
  });
});

test("the launch check names a step with a problem, and not one without", async () => {
  const { campaign } = await checked({ ...PLAIN, subject: "Re: our talk" });
  const path = `/campaigns/${campaign}`;
  const { warnings } = (await app.call("GET", `${path}/launch-check`)).body;
  expect(warnings).toContainEqual({
    code: "content",
    message: expect.stringMatching(/^step 1: .*deceptive/),
  });
  const { data } = (await app.call("GET", `${path}/steps`)).body;
  await app.call("PATCH", `${path}/steps/${data[0].id}`, { subject: "Our talk" });
  const codes = (await app.call("GET", `${path}/launch-check`)).body.warnings;
  expect(codes.map((one: { code: string }) => one.code)).not.toContain("content");
});

describe("refused", () => {
  test("404: another campaign's step, an unknown one", async () => {
    const { campaign } = await checked(PLAIN);
    const other = await makeCampaign(app, [PLAIN]);
    const path = `/campaigns/${campaign}/steps/${other.steps[0]}/check`;
    expect((await app.call("POST", path, {})).status).toBe(404);
  });

  test("422: a task, an unknown lead, an unknown field", async () => {
    const { answer, path } = await checked({ type: "task", body: "Call" });
    expect(answer.status).toBe(422);
    expect((await app.call("POST", path, { nonsense: 1 })).status).toBe(422);
  });
});
