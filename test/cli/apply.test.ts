/**
 * Guarantees of `outrider apply` and `outrider pull`: what is pulled changes nothing when applied; what is
 * applied twice changes nothing the second time; what isn't known is refused by path and line before
 * anything is done; nothing is deleted or started unless that is said.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocks } from "../docs/pages.ts";
import { startTestServer, type TestServer } from "../support/running-app.ts";
import { run } from "./support.ts";

let server: TestServer;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  env = { OUTRIDER_URL: server.url, OUTRIDER_KEY: await server.keyOf("test") };
  await cli("accounts", "create", "--email", "ann@sender.example", "--provider", "sandbox");
});
afterAll(() => server.stop());

const cli = (...args: string[]) => run(args, { env, workingDir: server.dir });

async function json(...args: string[]) {
  const { exit, out, err } = await cli(...args, "--json");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  return JSON.parse(out);
}

/** A file of this text, by its name. */
function file(text: string): string {
  writeFileSync(join(server.dir, "campaigns.yaml"), text);
  return "campaigns.yaml";
}

const SPRING = `
campaigns:
  - name: Spring # in Europe
    mailboxes: [Ann@sender.example]
    max_leads_per_day: 40
    send_window:
      timezone: Europe/Berlin
      days: [friday, monday]
    steps:
      - type: email
        subject: "A question: {{ company | default: 'yours' }}"
        body: |
          Hello {{ first_name | default: "there" }},

          a question. # no comment
          - and a list
      - type: email
        body: Did you see my question?
        wait_days: 3
    experiments:
      - name: Subject
        step_position: 1
        variants:
          - name: Question
          - name: Offer
            subject: "no"
`;

async function campaignCalled(name: string) {
  const { data } = await json("campaigns", "list", "--all");
  return data.find((one: { name: string }) => one.name === name);
}

test("a file makes a campaign; applied again it changes nothing", async () => {
  const refused = await cli("apply", file(SPRING));
  expect(refused.exit).toBe(64);
  expect(refused.out).toContain("Spring (new)\n  + campaign\n");
  expect(refused.out).toContain('      mailboxes: ["ann@sender.example"]\n');
  expect(refused.out).not.toContain("_id");
  expect(refused.err).toContain("nothing has been changed; add --yes");
  expect(await campaignCalled("Spring")).toBeUndefined();

  const made = await cli("apply", file(SPRING), "--yes");
  expect({ exit: made.exit, err: made.err }).toEqual({ exit: 0, err: "" });
  expect(made.out).toContain("4 changes done");
  const campaign = await campaignCalled("Spring");
  expect(campaign).toMatchObject({ status: "draft", max_leads_per_day: 40 });
  expect(campaign.send_window).toMatchObject({ timezone: "Europe/Berlin", start_hour: 9 });
  const steps = (await json("campaigns", "steps", "list", campaign.id)).data;
  expect(steps[0].body).toContain("a question. # no comment\n- and a list");
  expect(steps).toHaveLength(2);
  expect((await cli("apply", file(SPRING))).out).toBe("nothing to change\n");
});

test("what is pulled changes nothing when applied, and makes the same elsewhere", async () => {
  const difficult = {
    name: "Yes: #1 – “quoted”",
    body: 'no\n\n  - {{ a }}: "b"\n\t# x\n…\n---\nå 012 \\n',
  };
  const { id } = await json("campaigns", "create", "--name", difficult.name);
  await json(
    "campaigns",
    "steps",
    "create",
    id,
    "--type",
    "email",
    "--subject",
    "null",
    "--body",
    difficult.body,
  );
  await json("campaigns", "create", "--name", "Twin");
  await json("campaigns", "create", "--name", "Twin");
  await cli("pull", "--output", "pulled.yaml");
  expect((await cli("apply", "pulled.yaml")).out).toBe("nothing to change\n");
  const { campaigns } = await json("pull");
  expect(campaigns.map(({ name }: { name: string }) => name)).toEqual([
    ...["Spring", difficult.name, "Twin", "Twin"],
  ]);

  const other = await startTestServer();
  try {
    const there = { OUTRIDER_URL: other.url, OUTRIDER_KEY: await other.keyOf("test") };
    const around = { env: there, workingDir: server.dir };
    await run(
      ["accounts", "create", "--email", "ann@sender.example", "--provider", "sandbox"],
      around,
    );
    const alone = campaigns.filter((one: { id?: string }) => one.id === undefined);
    writeFileSync(join(server.dir, "alone.yaml"), JSON.stringify({ campaigns: alone }));
    expect((await run(["apply", "alone.yaml", "--yes"], around)).exit).toBe(0);
    const copied = JSON.parse((await run(["pull", "--json"], around)).out);
    expect(copied.campaigns).toEqual(alone);
  } finally {
    await other.stop();
  }
});

test("of a running campaign, the forecast is shown before and after", async () => {
  const { id } = await campaignCalled("Spring");
  const leads = Array.from({ length: 30 }, (_, n) => ({ email: `lea@customer-${n}.example` }));
  writeFileSync(join(server.dir, "leads.json"), JSON.stringify({ leads }));
  await json("campaigns", "leads", "add", id, "--input", "leads.json");
  await json("campaigns", "start", id);
  const slower = file(
    SPRING.replace("per_day: 40", "per_day: 1").replace("wait_days: 3", "wait_days: 5"),
  );
  const { exit, out, err } = await cli("apply", slower, "--yes");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(out).toMatch(
    /max_leads_per_day: 40 → 1\n {6}(moves|removes) \d+ emails?.*; the first on \w+day /,
  );
  expect(out).toMatch(/wait_days: 3 → 5\n {6}affects \d+ leads under way\n/);
  expect(out).toMatch(/running: \d+ emails in the next 30 days, the first at 2.*Z as it is now/);
  expect(out).toMatch(/^Spring: \d+ emails in the next 30 days.* \(before: \d+\)$/m);
  expect((await cli("apply", slower)).out).toBe("nothing to change\n");
});

test("a step that the file doesn't have stays, unless --delete is given", async () => {
  const { id } = await json("campaigns", "create", "--name", "Long");
  for (const body of ["One", "Two"]) {
    await json(
      "campaigns",
      "steps",
      "create",
      id,
      "--type",
      "email",
      "--subject",
      "S",
      "--body",
      body,
    );
  }
  const short = file(`campaigns:\n  - name: Long\n    steps:\n      - body: One\n`);
  const kept = await cli("apply", short, "--yes");
  expect(kept.out).toContain("step 2 isn't in the file and stays; --delete deletes it");
  expect((await json("campaigns", "steps", "list", id)).data).toHaveLength(2);
  expect((await cli("apply", short, "--delete", "--yes")).out).toContain("- step 2");
  expect((await json("campaigns", "steps", "list", id)).data).toHaveLength(1);
});

test("the file of the documentation is one", async () => {
  const [shown = ""] = blocks("docs/api.md", "yaml");
  const documented = file(shown.replace("name: Spring", "name: Documented"));
  expect((await cli("apply", documented, "--yes")).err).toBe("");
  expect((await cli("apply", documented)).out).toBe("nothing to change\n");
});

describe("Refused before anything is done:", () => {
  test.each([
    [
      "campaigns:\n  - name: A\n    max_lead_per_day: 3\n",
      ":3: campaigns[0].max_lead_per_day is not known; did you mean max_leads_per_day?",
    ],
    [
      "campaigns:\n  - name: A\n    send_window:\n      zone: UTC\n",
      ":4: campaigns[0].send_window.zone is not known; use timezone",
    ],
    [
      "campaigns:\n  - name: A\n    steps:\n      - bdy: x\n",
      ":4: campaigns[0].steps[0].bdy is not known; did you mean body?",
    ],
    ["campaign: []\n", ":1: campaign is not known; did you mean campaigns?"],
    ["campaigns:\n  - name: A\n    name: B\n", ":3: Map keys must be unique"],
    ["campaigns:\n  - name: [\n", ":"],
    ["campaigns: 3\n", ":1: campaigns must be a list"],
    ["campaigns:\n  - notes: x\n", ": campaigns[0]: needs a name"],
    [
      "campaigns:\n  - name: A\n    mailboxes: [no@one.example]\n",
      "there is no mailbox no@one.example",
    ],
    ["campaigns:\n  - name: Twin\n", '2 campaigns are called "Twin"; give its id: '],
    ["campaigns:\n  - name: A\n  - name: A\n", 'two campaigns "A"'],
  ])("%j", async (text, told) => {
    const { exit, out, err } = await cli("apply", file(text), "--yes");
    expect({ exit, out }).toEqual({ exit: 65, out: "" });
    expect(err).toContain(told);
    expect(await campaignCalled("A")).toBeUndefined();
  });
});

test("a file of aliases within aliases is refused, not unfolded", async () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const lists = names.map((name, index) => {
    const above = names[index - 1];
    return `&${name} [${Array(10)
      .fill(above === undefined ? "x" : `*${above}`)
      .join(", ")}]`;
  });
  const text = `campaigns:\n  - name: Bomb\n    notes: [${lists.join(", ")}]\n`;
  const { exit, err } = await cli("apply", file(text), "--yes");
  expect({ exit, err }).toEqual({
    exit: 65,
    err: expect.stringContaining("Excessive alias count"),
  });
});
