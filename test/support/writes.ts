/**
 * A day in which every operation that writes is called once with success, in an order that makes sense.
 * What must hold for all of them (an audit entry, a scope) is tried on it.
 */

import { changeEnrollment } from "#usecases/leads/enrollments.ts";
import { insertPerson, joinTeam } from "#usecases/team/users.ts";
import type { Answer, TestApp } from "./app.ts";
import { addAccount, addLeads, EMAIL_STEP, makeCampaign, rowOf, writeTo } from "./campaigns.ts";
import { comeBack, underway } from "./inbox.ts";

export interface Written {
  /** As the routes name it: `POST /campaigns/:id/start`. */
  operation: string;
  answer: Answer;
}

/** What the whole day has to call: the operation, and where it is called. */
type Do = (operation: string, path: string, body?: unknown, headers?: Headers) => Promise<Answer>;

type Headers = Readonly<Record<string, string>>;

/** A call before it is made: the how manieth it is, and what is called. */
export interface Next {
  nth: number;
  operation: string;
  path: string;
  body: unknown;
  headers: Headers;
}

export type Watch = (next: Next) => Promise<void>;

/** Calls every write operation; the request id names each call. */
export async function writeEverything(app: TestApp, watch?: Watch): Promise<Written[]> {
  const written: Written[] = [];
  const call: Do = async (operation, path, body, headers = {}) => {
    const method = operation.split(" ")[0] ?? "";
    await watch?.({ nth: written.length, operation, path, body, headers });
    const request = { "X-Request-Id": `write-${String(written.length).padStart(4, "0")}` };
    const answer = await app.call(method, path, body, { headers: { ...headers, ...request } });
    written.push({ operation, answer });
    return answer;
  };
  await campaigns(app, call);
  await people(app, call);
  await files(app, call);
  await accounts(app, call);
  await inbox(app, call);
  await experiments(app, call);
  await saved(call);
  await placement(app, call);
  await webhooks(app, call);
  await team(app, call);
  await sandbox(call);
  return written;
}

async function campaigns(app: TestApp, call: Do): Promise<void> {
  await addAccount(app);
  const one = (await call("POST /campaigns", "/campaigns", { name: "Spring" })).body.id;
  const at = `/campaigns/${one}`;
  await call("PATCH /campaigns/:id", at, { name: "Summer" });
  const step = (await call("POST /campaigns/:id/steps", `${at}/steps`, EMAIL_STEP)).body.id;
  const second = { ...EMAIL_STEP, wait_days: 3 };
  const check = `${at}/steps/${step}/check`;
  await call("POST /campaigns/:id/steps/:stepId/check", check, { links: false });
  const test = { to: "colleague@team.example" };
  await call("POST /campaigns/:id/steps/:stepId/send-test", `${at}/steps/${step}/send-test`, test);
  const gone = (await app.call("POST", `${at}/steps`, second)).body.id;
  await call("PATCH /campaigns/:id/steps/:stepId", `${at}/steps/${step}`, { body: "Ahoy" });
  await call("DELETE /campaigns/:id/steps/:stepId", `${at}/steps/${gone}`);
  const leads = ["ann", "bob", "cyd"].map((name) => ({ email: `${name}@client.example` }));
  await call("POST /campaigns/:id/leads", `${at}/leads`, { leads });
  await call("POST /campaigns/:id/preview", `${at}/preview`, {});
  await call("POST /campaigns/:id/start", `${at}/start`);
  await call("POST /campaigns/:id/pause", `${at}/pause`);
  await call("POST /campaigns/:id/resume", `${at}/resume`);
  await call("POST /campaigns/:id/archive", `${at}/archive`);
  const draft = await makeCampaign(app);
  await call("DELETE /campaigns/:id", `/campaigns/${draft.id}`);
  await call("POST /campaigns/:id/restore", `/campaigns/${draft.id}/restore`);
}

async function people(app: TestApp, call: Do): Promise<void> {
  const ring = { type: "task", subject: "Call", body: "Ring them up" };
  const { id } = await makeCampaign(app, [EMAIL_STEP]);
  const found = await addLeads(app, id, "dee@client.example", "eli@client.example");
  const [dee, eli] = found;
  const at = `/campaigns/${id}/leads`;
  await call("PATCH /campaigns/:id/leads/:leadId", `${at}/${dee.id}`, { status: "paused" });
  await call("DELETE /campaigns/:id/leads/:leadId", `${at}/${dee.id}`);
  await unconfirmed(app, eli.id);
  const treated = { action: "treat_as_sent" };
  await call("POST /campaigns/:id/leads/:leadId/resolve", `${at}/${eli.id}/resolve`, treated);
  await call("PATCH /leads/:id", `/leads/${dee.lead_id}`, { first_name: "Dee" });
  const jan = { leads: [{ email: "jan@client.example", first_name: "Jan" }] };
  const [own] = (await call("POST /leads", "/leads", jan)).body.data;
  const { body } = await app.call("POST", "/leads", { leads: [{ email: "jan+a@client.example" }] });
  await call("POST /leads/:id/merge", `/leads/${own.id}/merge`, { lead_ids: [body.data[0].id] });
  await call("POST /campaigns/:id/duplicate", `/campaigns/${id}/duplicate`, { leads: true });
  await call("POST /leads/tags", "/leads/tags", { ids: [dee.lead_id], add: ["dach"] });
  await call("POST /campaigns/tags", "/campaigns/tags", { ids: [id], add: ["dach"] });
  await call("DELETE /leads/:id", `/leads/${dee.lead_id}`);

  const tasks = await makeCampaign(app, [ring]);
  await addLeads(app, tasks.id, "flo@client.example");
  await app.call("POST", `/campaigns/${tasks.id}/start`);
  await app.call("POST", "/sandbox/clock", { advance: "2h" });
  const [task] = (await app.call("GET", "/tasks")).body.data;
  await call("PATCH /tasks/:id", `/tasks/${task.id}`, { done: true });

  const [gil] = await addLeads(app, id, "gil@client.example");
  await unconfirmed(app, gil.id);
  const messageId = messageTo(app, gil.id);
  await call("POST /messages/:id/resolve", `/messages/${messageId}/resolve`, treated);
}

async function files(app: TestApp, call: Do): Promise<void> {
  const { id } = await makeCampaign(app);
  const type = { "Content-Type": "text/csv" };
  const text = "email,first_name\njim@client.example,Jim\nkim@client.example,Kim\n";
  await call("POST /imports/preview", "/imports/preview", text, type);
  const send = async (rows: string, announced = rows.length) => {
    const headers = { ...type, "Content-Length": String(announced) };
    const at = `/campaigns/${id}/leads/import`;
    return (await call("POST /campaigns/:id/leads/import", at, rows, headers)).body;
  };
  const first = await send(text);
  await call("POST /imports/:id/undo", `/imports/${first.id}/undo`);
  const rest = "lea@client.example,Lea\n";
  const cut = await send(text, text.length + rest.length);
  const at = `/imports/${cut.id}/resume?offset=${cut.offset}`;
  await call("POST /imports/:id/resume", at, rest, type);
  const given = await send(text, text.length + rest.length);
  await call("POST /imports/:id/cancel", `/imports/${given.id}/cancel`);
  await call("POST /suppressions/import", "/suppressions/import", "out@client.example\n", type);
  const several = { action: "pause", filter: {} };
  await call("POST /campaigns/:id/leads/bulk", `/campaigns/${id}/leads/bulk`, several);
  const binary = { "Content-Type": "application/octet-stream" };
  const offer = (await call("POST /files", "/files?name=offer.pdf", "%PDF-1.7", binary)).body.id;
  await call("DELETE /files/:id", `/files/${offer}`);
  const found = { filter: "email:bob" };
  await call("POST /campaigns/:id/leads/enroll", `/campaigns/${id}/leads/enroll`, found);
}

/** A message of which nobody knows whether it went out. */
async function unconfirmed(app: TestApp, enrollmentId: string): Promise<void> {
  await writeTo(app, enrollmentId, "unknown");
  const env = app.environments.test;
  const held = { holdReason: "unknown_send", holdDetail: null, dueAt: null } as const;
  await env.commit(() => changeEnrollment(env, rowOf(app, enrollmentId), held));
}

function messageTo(app: TestApp, enrollmentId: string): string {
  const row = app.environments.test.db.raw
    .query<{ id: string }, [string]>(
      "SELECT lower(hex(id)) AS id FROM messages WHERE hex(enrollment_id) = ? ",
    )
    .get(enrollmentId.replaceAll("-", "").toUpperCase());
  const hex = row?.id ?? "";
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

async function accounts(app: TestApp, call: Do): Promise<void> {
  const smtp = { host: "mail.sender.example", username: "second", password: "canary-one" };
  const input = { email: "second@sender.example", provider: "smtp", smtp };
  const { id } = (await call("POST /accounts", "/accounts", input)).body;
  const at = `/accounts/${id}`;
  await call("PATCH /accounts/:id", at, { daily_limit: 7, smtp: { password: "canary-two" } });
  const file =
    "email,smtp_host,smtp_password\nfourth@sender.example,mail.sender.example,canary-six\n";
  const csv = { "Content-Type": "text/csv" };
  await call("POST /accounts/import", "/accounts/import", file, csv);
  await call("POST /accounts/bulk", "/accounts/bulk", { ids: [id], change: { daily_limit: 8 } });
  await call("POST /accounts/tags", "/accounts/tags", { ids: [id], add: ["warm"] });
  await call("POST /accounts/:id/test", `${at}/test`, {});
  await call("POST /accounts/:id/dkim", `${at}/dkim`, { selector: "out1" });
  await call("DELETE /accounts/:id/dkim", `${at}/dkim`);
  await call("POST /domains/:domain/check", "/domains/sender.example/check");
  await call("DELETE /accounts/:id", at);
  await call("POST /accounts/:id/restore", `${at}/restore`);
  await app.call("DELETE", at);
  const twins = ["fifth@sender.example", "sixth@sender.example"].map((email) => {
    return { method: "POST", path: "/accounts", body: { email, provider: "smtp" } };
  });
  await call("POST /batch", "/batch", { operations: twins });
  const google = { email: "third@sender.example", provider: "google" };
  const third = (await call("POST /accounts", "/accounts", google)).body.id;
  await call("POST /accounts/:id/connect", `/accounts/${third}/connect`);
  const tenant = { provider: "microsoft", domains: ["sender.example"], client_id: "app" };
  const secret = { client_secret: "canary-seven" };
  const space = await call("POST /workspaces", "/workspaces", { ...tenant, ...secret });
  const there = `/workspaces/${space.body.id}`;
  await call("PATCH /workspaces/:id", there, { client_secret: "canary-eight" });
  await call("POST /workspaces/:id/check", `${there}/check`);
  const emails = ["seventh@sender.example"];
  await call("POST /workspaces/:id/accounts", `${there}/accounts`, { emails });
  await call("DELETE /workspaces/:id", there);
  const bad = { email: "no@client.example", reason: "manual" };
  const suppression = (await call("POST /suppressions", "/suppressions", bad)).body;
  await call("DELETE /suppressions/:id", `/suppressions/${suppression.id}`);
}

async function inbox(app: TestApp, call: Do): Promise<void> {
  const at = await underwayWith(app);
  const id = at.leads[0]?.id ?? "";
  await comeBack(app, { kind: "reply", enrollment_id: id, text: "How much?" });
  const thread = `/inbox/threads/${id}`;
  await call("PATCH /inbox/threads/:id", thread, { interest: "interested" });
  await call("POST /inbox/threads/bulk", "/inbox/threads/bulk", {
    ids: [id],
    change: { done: true },
  });
  await call("POST /inbox/threads/tags", "/inbox/threads/tags", { ids: [id], add: ["hot"] });
  const notes = `${thread}/notes`;
  const note = (await call("POST /inbox/threads/:id/notes", notes, { body: "Knows Ann" })).body;
  await call("DELETE /inbox/threads/:id/notes/:noteId", `${notes}/${note.id}`);
  await call("POST /inbox/threads/:id/reply", `${thread}/reply`, { body: "Ten a month." });
  const forward = { to: "eve@client.example", cc: ["fay@client.example"] };
  await call("POST /inbox/threads/:id/forward", `${thread}/forward`, forward);
  const mails = (await app.call("GET", thread)).body.messages;
  const theirs = mails.find(({ direction }: { direction: string }) => direction === "in");
  await call("PATCH /messages/:id", `/messages/${theirs.id}`, { read: !theirs.read });
  const other = await addAccount(app, "eve@sender.example");
  await app.call("POST", "/sandbox/clock", { advance: "20m" });
  const stray = { kind: "reply", account_id: other.id, from: "hal@client.example", text: "Hello" };
  await comeBack(app, stray);
  const threads = (await app.call("GET", "/inbox/threads")).body.data;
  const untracked = threads.find(
    ({ enrollment_id }: { enrollment_id: string | null }) => enrollment_id === null,
  );
  const attach = `/inbox/threads/${untracked?.id}/attach`;
  await call("POST /inbox/threads/:id/attach", attach, { enrollment_id: id });
}

const underwayWith = (app: TestApp) => underway(app, ["hal@client.example"]);

async function experiments(app: TestApp, call: Do): Promise<void> {
  const variants = [{ name: "A" }, { name: "B", config: { subject: "Ahoy" } }];
  const create = async (name: string) => {
    const { id } = await makeCampaign(app);
    const body = { campaign_id: id, name, variants };
    return (await call("POST /experiments", "/experiments", body)).body;
  };
  const one = await create("Subject");
  const at = `/experiments/${one.id}`;
  await call("PATCH /experiments/:id", at, { duration_days: 7 });
  await call("POST /experiments/:id/pause", `${at}/pause`);
  await call("POST /experiments/:id/resume", `${at}/resume`);
  const winner_variant_id = (await app.call("GET", at)).body.variants[1].id;
  await call("POST /experiments/:id/complete", `${at}/complete`, { winner_variant_id });
  await call("POST /experiments/:id/apply-winner", `${at}/apply-winner`);
  await call("POST /experiments/:id/share", `${at}/share`, { expires_in_days: 7 });
  await call("DELETE /experiments/:id/share", `${at}/share`);
  const other = await create("Opening");
  await call("POST /experiments/:id/cancel", `/experiments/${other.id}/cancel`);
}

async function saved(call: Do): Promise<void> {
  for (const [path, body] of [
    ["/canned-replies", { name: "Pricing", body: "Hi {{ first_name }}" }],
    ["/lead-views", { name: "Replied", filter: "status:replied" }],
  ] as const) {
    const { id } = (await call(`POST ${path}`, path, body)).body;
    await call(`PATCH ${path}/:id`, `${path}/${id}`, { name: "Another name" });
    await call(`DELETE ${path}/:id`, `${path}/${id}`);
  }
}

async function placement(app: TestApp, call: Do): Promise<void> {
  const email = "seed@gmail.com";
  const seed = (await call("POST /placement/seeds", "/placement/seeds", { email })).body.id;
  const at = `/placement/seeds/${seed}`;
  await call("PATCH /placement/seeds/:id", at, { imap: { password: "canary-imap" } });
  await call("POST /placement/seeds/:id/test", `${at}/test`);
  const account = (await addAccount(app, "own@sender.example")).id;
  const of = { account_ids: [account], seed_ids: [seed] };
  const run = (await call("POST /placement/runs", "/placement/runs", of)).body.id;
  await call("POST /placement/runs/:id/cancel", `/placement/runs/${run}/cancel`);
  const schedules = "/placement/schedules";
  const schedule = (await call("POST /placement/schedules", schedules, of)).body.id;
  await call("PATCH /placement/schedules/:id", `${schedules}/${schedule}`, { hour: 7 });
  await call("DELETE /placement/schedules/:id", `${schedules}/${schedule}`);
  await call("DELETE /placement/seeds/:id", at);
}

async function webhooks(app: TestApp, call: Do): Promise<void> {
  const secret = `whsec_${Buffer.from("canary-secret-of-a-webhook!!").toString("base64")}`;
  const input = { url: "https://hooks.example.com/in", events: ["campaign.*"], secret };
  const { id } = (await call("POST /webhooks", "/webhooks", input)).body;
  const at = `/webhooks/${id}`;
  await call("PATCH /webhooks/:id", at, { events: ["*"] });
  await call("POST /webhooks/:id/rotate-secret", `${at}/rotate-secret`);
  await call("POST /webhooks/:id/test", `${at}/test`);
  await call("POST /webhooks/:id/check", `${at}/check`);
  const { id: campaign } = await makeCampaign(app);
  await app.call("POST", `/campaigns/${campaign}/leads`, { leads: [{ email: "ivy@x.example" }] });
  const delivery = (await app.call("GET", `${at}/deliveries`)).body.data[0]?.id;
  const again = `${at}/deliveries/${delivery}/replay`;
  await app.call("PATCH", at, { active: false });
  await app.call("PATCH", at, { active: true });
  await call("POST /webhooks/:id/deliveries/:deliveryId/replay", again);
  await call("POST /webhooks/:id/replay", `${at}/replay`, { all: true });
  await call("DELETE /webhooks/:id", at);
  await call("POST /webhooks/:id/restore", `${at}/restore`);
  await app.call("DELETE", at);
  await call("DELETE /deleted/:id", `/deleted/${id}`);
}

async function team(app: TestApp, call: Do): Promise<void> {
  await call("PATCH /team", "/team", { postal_address: "1 Road, Town" });
  const { id } = (await call("POST /keys", "/keys", { name: "ci", scopes: ["read"] })).body;
  const next = (await call("POST /keys/:id/rotate", `/keys/${id}/rotate`, {})).body.id;
  await call("DELETE /keys/:id", `/keys/${next}`);
  const ben = await addMember(app);
  await call("PATCH /team/members/:id", `/team/members/${ben}`, { role: "viewer" });
  await call("DELETE /team/members/:id", `/team/members/${ben}`);
  const invited = { email: "cyd@sender.example", role: "member" };
  const invitation = (await call("POST /team/invitations", "/team/invitations", invited)).body.id;
  await call("DELETE /team/invitations/:id", `/team/invitations/${invitation}`);
  await call("POST /billing/subscribe", "/billing/subscribe", { plan: "pro" });
}

/** A member of the test environment's own team, in which nobody is let in. */
async function addMember(app: TestApp): Promise<string> {
  const { test } = app.environments;
  const caller = { teamId: app.team.id, actor: "operator", scopes: [] };
  const { id } = await test.commit(() => {
    const person = {
      email: `ben@${app.team.name.toLowerCase()}.example`,
      name: "Ben",
      passwordHash: null,
    };
    const user = insertPerson(test, person, false);
    joinTeam(test, caller, user, { teamId: app.team.id, role: "member" });
    return user;
  });
  return id;
}

async function sandbox(call: Do): Promise<void> {
  await call("PATCH /sandbox/settings", "/sandbox/settings", { rates: { reply: 0.1 } });
  const account = (
    await call("POST /accounts", "/accounts", { email: "z@sender.example", provider: "smtp" })
  ).body.id;
  const mail = { kind: "reply", account_id: account, from: "joe@client.example", text: "Hi" };
  await call("POST /sandbox/inject", "/sandbox/inject", mail);
  await call("POST /sandbox/clock", "/sandbox/clock", { advance: "1m" });
  await call("DELETE /sandbox", "/sandbox");
}
