/**
 * Every list that takes `filter`, each of its fields held against a filter of the whole list in JavaScript:
 * what holds for a record is read off its JSON here, and looked up in SQL there. A list that the document
 * says takes a filter and this table doesn't know fails, and so does a field.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readExamples } from "#api/document/examples.ts";
import { buildDocument } from "#api/openapi.ts";
import { apiRoutes } from "#api/resources.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addAccount, EMAIL_STEP, makeCampaign } from "../support/campaigns.ts";
import { casesOf, fieldsOf, type Item, type List, type Read } from "../support/filter-cases.ts";
import { importFile } from "../support/imports.ts";
import { answered, OK, scriptedHttp } from "../support/webhooks.ts";
import { writeEverything } from "../support/writes.ts";

interface Operation {
  operationId: string;
  parameters?: { name: string; description?: string }[];
}

const routes = apiRoutes(undefined as never, undefined as never);
const api = await buildDocument(routes, "0.0.0", await readExamples());
const { paths } = JSON.parse(JSON.stringify(api)) as { paths: Record<string, { get?: Operation }> };
const operations = Object.values(paths).flatMap(({ get }) => get ?? []);
const isCalled = (wanted: string) => (one: { name: string }) => one.name === wanted;

/** What the document says of a parameter. */
function said(operation: string, name: string): string | undefined {
  const { parameters = [] } = operations.find((one) => one.operationId === operation) ?? {};
  return parameters.find(isCalled(name))?.description;
}

let app: TestApp;
const known = {
  spring: "",
  hook: "",
  names: new Map<string, string>(),
  mailboxes: new Map<string, string>(),
};
/** Figures of each campaign. */
const counted = new Map<string, Item>();
const TAGS = ["dach", "Q4 late"];
/** Records that have both, and do not show them. */
const tagged: string[] = [];
const tagsOf: Read = ({ id }) => (tagged.includes(id) ? TAGS : []);
/** Where each lead stands, by campaign. */
const standings = new Map<string, Item[]>();

/** Campaigns and mailboxes are found by what they are called, and by their ids. */
const campaignOf: Read = ({ campaign_id: id }) => known.names.get(id);
const campaignId: Read = ({ campaign_id: id }) => id;
const mailboxOf: Read = ({ account_id: id }) => known.mailboxes.get(id);
const mailboxId: Read = ({ account_id: id }) => id;
const inCampaigns =
  (name: string): Read =>
  ({ id }) =>
    (standings.get(id) ?? []).map((one) => one[name]);
const leadFields: Record<string, Read> = Object.fromEntries(
  ["email", "first_name", "last_name", "company"].map((name) => [name, (item) => item[name]]),
);
/** Of lists whose records name a lead. */
const people = new Map<string, Item>();
const ofLead =
  (name: string): Read =>
  ({ lead_id: id }) =>
    people.get(id)?.[name];

const LISTS: Record<string, List> = {
  listCampaigns: {
    path: () => "/campaigns",
    text: { name: ({ name }) => name, notes: ({ notes }) => notes, tag: tagsOf },
    choice: { status: ({ status }) => status },
    number: {
      leads: ({ id }) => counted.get(id)?.enrolled,
      ...Object.fromEntries(
        ["sent", "replied", "bounced"].map((name) => [name, ({ id }) => counted.get(id)?.[name]]),
      ),
    },
    date: { created: ({ created_at: at }) => at, started: ({ started_at: at }) => at },
  },
  listAccounts: {
    path: () => "/accounts",
    text: {
      email: ({ email }) => email,
      name: ({ display_name: name }) => name,
      tag: tagsOf,
    },
    choice: { status: ({ status }) => status, provider: ({ provider }) => provider },
    number: { health: ({ health_score: n }) => n, daily_limit: ({ daily_limit: n }) => n },
    date: { created: ({ created_at: at }) => at },
  },
  listLeads: {
    path: () => "/leads",
    text: {
      ...leadFields,
      website: ({ website }) => website,
      tag: ({ tags }) => tags,
      "variables.city": ({ variables }) => variables.city,
      campaign: inCampaigns("campaign_name"),
    },
    choice: {
      campaign: inCampaigns("campaign_id"),
      status: inCampaigns("status"),
      interest: inCampaigns("interest"),
      verdict: ({ address }) => address.verdict,
      address_reason: ({ address }) => address.reasons,
    },
    date: {
      created: ({ created_at: at }) => at,
      enrolled: inCampaigns("enrolled_at"),
      last_sent: inCampaigns("last_sent_at"),
    },
  },
  listCampaignLeads: {
    path: () => `/campaigns/${known.spring}/leads`,
    text: {
      mailbox: mailboxOf,
      email: ({ email }) => email,
      ...Object.fromEntries(
        ["first_name", "last_name", "company", "website"].map((name) => [name, ofLead(name)]),
      ),
      tag: ofLead("tags"),
      "variables.city": ({ lead_id: id }) => people.get(id)?.variables.city,
    },
    choice: {
      mailbox: mailboxId,
      status: ({ status }) => status,
      interest: ({ interest }) => interest,
      hold_reason: ({ hold_reason: reason }) => reason,
      verdict: ({ lead_id: id }) => people.get(id)?.address.verdict,
      address_reason: ({ lead_id: id }) => people.get(id)?.address.reasons,
    },
    date: { enrolled: ({ enrolled_at: at }) => at, last_sent: ({ last_sent_at: at }) => at },
  },
  listTasks: {
    path: () => "/tasks",
    text: {
      campaign: campaignOf,
      email: ({ email }) => email,
      ...Object.fromEntries(
        ["first_name", "last_name", "company"].map((name) => [name, ofLead(name)]),
      ),
      tag: ofLead("tags"),
      subject: ({ subject }) => subject,
      note: ({ note }) => note,
    },
    choice: { campaign: campaignId, done: ({ done }) => done, skipped: ({ skipped }) => skipped },
    date: { created: ({ created_at: at }) => at, done_at: ({ done_at: at }) => at },
  },
  listSuppressions: {
    path: () => "/suppressions",
    text: { email: ({ email }) => email },
    choice: { reason: ({ reason }) => reason },
    date: { created: ({ created_at: at }) => at },
  },
  listImports: {
    path: () => "/imports",
    text: { campaign: campaignOf, file: ({ file_name: name }) => name },
    choice: {
      campaign: campaignId,
      status: ({ status }) => status,
      kind: ({ kind }) => kind,
      dry_run: ({ dry_run: is }) => is,
    },
    date: { created: ({ created_at: at }) => at, finished: ({ finished_at: at }) => at },
  },
  listInboxThreads: {
    path: () => "/inbox/threads",
    text: {
      from: (item) => `${item.from_name} <${item.from_address}>`,
      subject: ({ subject }) => subject,
      campaign: campaignOf,
      mailbox: mailboxOf,
      tag: ({ tags }) => tags,
    },
    choice: {
      campaign: campaignId,
      mailbox: mailboxId,
      kind: ({ kind }) => kind,
      interest: ({ interest }) => interest,
      folder: ({ folder }) => folder,
      unread: ({ unread }) => unread > 0,
    },
    number: { mails: ({ mails }) => mails },
    date: {
      last_mail: ({ last_mail_at: at }) => at,
      answered: ({ answered_at: at }) => at,
      snoozed: ({ snoozed_until: at }) => at,
      created: ({ created_at: at }) => at,
    },
  },
  listPlacementRuns: {
    path: () => "/placement/runs",
    text: { campaign: campaignOf },
    choice: {
      campaign: campaignId,
      status: ({ status }) => status,
      trigger: ({ trigger_type: type }) => type,
    },
    number: { tests: ({ total_tests: n }) => n, inbox_rate: ({ inbox_rate: rate }) => rate },
    date: { created: ({ created_at: at }) => at, completed: ({ completed_at: at }) => at },
  },
  listWebhookDeliveries: {
    path: () => `/webhooks/${known.hook}/deliveries`,
    choice: { type: ({ event_type: type }) => type, status: ({ status }) => status },
    text: { "data.email": ({ event }) => event?.data.email },
    number: { attempts: ({ attempt_count: n }) => n },
    date: { created: ({ created_at: at }) => at },
  },
  listEvents: {
    path: () => "/events",
    text: {
      type: ({ type }) => type,
      "data.campaign_id": ({ data }) => data.campaign_id,
      "data.email": ({ data }) => data.email,
    },
    date: { created: ({ created_at: at }) => at },
  },
  listAudit: {
    path: () => "/audit",
    text: Object.fromEntries(
      ["actor", "action", "target", "request_id"].map((name) => [name, (item: Item) => item[name]]),
    ),
    date: { created: ({ created_at: at }) => at },
  },
  listSandboxMessages: {
    path: () => "/sandbox/messages",
    text: {
      sender: ({ from }) => from,
      recipient: ({ to }) => to,
      subject: ({ subject }) => subject,
      mailbox: mailboxOf,
    },
    choice: { mailbox: mailboxId, verdict: ({ verdict }) => verdict },
    date: { sent: ({ sent_at: at }) => at },
  },
};

beforeAll(async () => {
  const http = scriptedHttp();
  http.answer = ({ event }) => (event.type === "reply.received" ? answered(500) : OK);
  app = await createTestApp({ http });
  await writeEverything(app);
  await play();
  for (const { id, name } of await whole("/campaigns")) {
    known.names.set(id, name);
    counted.set(id, await ask("GET", `/campaigns/${id}/stats`));
  }
  for (const { id, email } of await whole("/accounts")) {
    known.mailboxes.set(id, email);
  }
  for (const lead of await whole("/leads")) {
    people.set(lead.id, lead);
    const { data } = await ask("GET", `/leads/${lead.id}/campaigns`);
    standings.set(lead.id, data);
  }
}, 120_000);
afterAll(() => app.close());

const CITIES = ["Bonn", "New York", 'The "Hague"'];
const COMPANIES = ["Acme Works", "ACME", "Other, Ltd"];

/** Two weeks of two campaigns of thirty leads, with a task, a webhook that fails at times, and a placement test. */
async function play(): Promise<void> {
  await addAccount(app, "zoe@sender.example");
  const mailbox = await addAccount(app, "yan@sender.example");
  const call = { type: "task", subject: "Call {{company}}", body: "Ring", wait_days: 1 };
  const spring = await makeCampaign(app, [EMAIL_STEP, call, { ...EMAIL_STEP, wait_days: 1 }]);
  const autumn = await makeCampaign(app);
  known.spring = spring.id;
  await ask("POST", "/campaigns/tags", { ids: [autumn.id], add: TAGS });
  await ask("POST", "/accounts/tags", { ids: [mailbox.id], add: TAGS });
  tagged.push(autumn.id, mailbox.id);
  await ask("PATCH", `/campaigns/${autumn.id}`, { name: "Autumn, again", notes: "for DACH" });
  const url = "https://hooks.example/outrider";
  known.hook = (await ask("POST", "/webhooks", { url, events: ["*"] })).id;
  for (const [nth, { id }] of [spring, autumn].entries()) {
    const leads = Array.from({ length: 30 }, (_, n) => ({
      email: `lead${n + nth * 20}@${n % 3 === 0 ? "acme" : "other"}.example`,
      first_name: ["Ann", "Bob", "Cy"][n % 3],
      company: COMPANIES[n % 3],
      ...(n % 2 === 0 ? { variables: { city: CITIES[n % 3] }, tags: ["vip"] } : {}),
    }));
    await ask("POST", `/campaigns/${id}/leads`, { leads });
    await ask("POST", `/campaigns/${id}/start`);
  }
  for (const [nth, name] of ["May 1.csv", "june.csv"].entries()) {
    const file = `email\nimport${nth}@acme.example\nnonsense`;
    const query = { file_name: name, dry_run: String(nth === 1) };
    expect((await importFile(app, autumn.id, file, { query })).status).toBe(200);
  }
  await ask("POST", "/suppressions", { email: "@third.example", reason: "manual" });
  await ask("POST", "/sandbox/clock", { advance: "5d" });
  const [first, second] = await whole("/tasks?done=false");
  await ask("PATCH", `/tasks/${first.id}`, { done: true, note: "Wants a call" });
  await ask("PATCH", `/tasks/${second.id}`, { skipped: true });
  const [thread] = await whole("/inbox/threads");
  await ask("POST", `/inbox/threads/${thread.id}/reply`, { body: "Thanks" });
  await ask("POST", "/placement/seeds", { email: "seed@seeds.example" });
  for (const body of [{}, { campaign_id: spring.id }]) {
    await ask("POST", "/placement/runs", body);
  }
  await ask("POST", "/sandbox/clock", { advance: "9d" });
  const ids = (await whole("/inbox/threads")).slice(0, 2).map(({ id }) => id);
  const change = { snoozed_until: "2031-05-02T09:30:00.000Z" };
  await ask("POST", "/inbox/threads/bulk", { ids, change, add_tags: TAGS });
}

async function ask(method: string, path: string, body?: object): Promise<Item> {
  const answer = await app.call(method, path, body);
  expect([method, path, answer.status < 300 ? "" : answer.text]).toEqual([method, path, ""]);
  return answer.body;
}

/** All of a list, page by page, with nothing twice. */
async function whole(path: string, query: Record<string, string> = {}): Promise<Item[]> {
  const found: Item[] = [];
  const limit = "100";
  for (let after: string | null | undefined; after !== null; ) {
    const page: Record<string, string> =
      after === undefined ? { offset: String(found.length) } : { after };
    const search = new URLSearchParams({ ...query, limit, ...page });
    const body = await ask("GET", `${path}${path.includes("?") ? "&" : "?"}${search}`);
    found.push(...body.data);
    const isLast = body.data.length === 0 || !(body.hasMore ?? body.next_cursor);
    after = isLast ? null : (body.next_cursor ?? undefined);
  }
  return found;
}

const idsOf = (items: readonly Item[]) => items.map(({ id, seq }) => seq ?? id);

describe.each(Object.entries(LISTS))("%s", (name, list) => {
  test("finds by each field what a filter of the whole list finds", async () => {
    const items = await whole(list.path());
    expect(items.length).toBeGreaterThan(1);
    const cases = casesOf(list, items);
    const wrong: object[] = [];
    for (const { filter, fits } of cases) {
      const found = idsOf(await whole(list.path(), { filter })).toSorted();
      const wanted = idsOf(items.filter(fits)).toSorted();
      if (!Bun.deepEquals(found, wanted)) {
        wrong.push({ filter, found: found.length, wanted: wanted.length });
      }
    }
    expect(wrong).toEqual([]);
    for (const field of fieldsOf(list)) {
      const tried = cases.filter(({ filter }) => filter.replace(/^-/, "").startsWith(field));
      expect([field, tried.some(({ fits }) => items.some(fits))]).toEqual([field, true]);
    }
  });

  test("comes page by page, in the order asked for and in the other", async () => {
    const all = idsOf(await whole(list.path()));
    const [, sort = ""] = /Order: (\w+)/.exec(said(name, "sort") ?? "") ?? [];
    for (const order of [sort, `-${sort}`]) {
      const found: unknown[] = [];
      for (let after = ""; found.length <= all.length; ) {
        const query = { limit: "7", sort: order, ...(after === "" ? {} : { after }) };
        const body = await ask("GET", `${list.path()}?${new URLSearchParams(query)}`);
        found.push(...idsOf(body.data));
        if (body.next_cursor === null) {
          break;
        }
        after = body.next_cursor;
      }
      expect(found.toSorted()).toEqual(all.toSorted());
      const reversed = order.startsWith("-") === (name !== "listEvents");
      if (name !== "listAccounts") {
        expect(found).toEqual(reversed ? all : all.toReversed());
      }
    }
  });

  test("refuses by name an unknown field, and a parameter beside a filter", async () => {
    const refused = async (query: Record<string, string>) => {
      const { status, body } = await app.call(
        "GET",
        `${list.path()}?${new URLSearchParams(query)}`,
      );
      return [status, body.field];
    };
    expect(await refused({ filter: "no_such_field:x" })).toEqual([422, "filter"]);
    expect(await refused({ sort: "no_such_order" })).toEqual([422, "sort"]);
    for (const after of ["x.y", "x", `1.${Buffer.from('["a","b"]').toString("base64url")}`]) {
      expect(await refused({ filter: "x", after })).toEqual([422, "after"]);
    }
  });
});

test("these are all lists that take a filter, with all their fields", () => {
  const documented = operations.filter(({ parameters = [] }) =>
    parameters.some(isCalled("filter")),
  );
  const ids = documented.map(({ operationId }) => operationId);
  expect(ids.toSorted()).toEqual(Object.keys(LISTS).toSorted());
  for (const id of ids) {
    const [, fields = ""] = (said(id, "filter") ?? "").split("Fields: ");
    const names = fields.split(", ").map((field) => field.replace("<name>", ""));
    expect([id, ...names.toSorted()]).toEqual([id, ...fieldsOf(LISTS[id]!).toSorted()]);
  }
});
