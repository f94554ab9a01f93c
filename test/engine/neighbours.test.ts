/**
 * One team cannot slow another: whatever of team A's hangs, team B's next piece of work gets a slot of each
 * worker. Nothing is timed: what hangs never ends, and turns of the event loop are counted.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { domainOf } from "#domain/email-address.ts";
import { CLAIMS_A_ROUND } from "#domain/sending/message.ts";
import { HOUR_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import { createWorkers } from "#engine/workers.ts";
import type { Environment } from "#environment.ts";
import type { PostRequest } from "#platform/ports/http.ts";
import type { WorkspaceOutcome } from "#platform/ports/oauth.ts";
import { accountById, insertAccount, updateAccount } from "#store/mailboxes/accounts.ts";
import { ensureDomain } from "#store/mailboxes/domains.ts";
import { wantDomains } from "#store/mailboxes/mail-domains.ts";
import { insertWorkspace } from "#store/mailboxes/workspaces.ts";
import { insertSeed } from "#store/placement/placement-seeds.ts";
import { insertTest } from "#store/placement/placement-tests.ts";
import { insertMessage } from "#store/sending/messages.ts";
import { idToBytes } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import type { SeedRow, TestRow } from "#store/tables/placement.ts";
import type { WorkspaceRow } from "#store/tables/workspaces.ts";
import { emit } from "#usecases/events/record.ts";
import { sealCredentials, workspaceContext } from "#usecases/mailboxes/credentials.ts";
import { makeCampaign } from "../support/campaigns.ts";
import { tried } from "../support/promises.ts";
import { OK, scriptedHttp } from "../support/webhooks.ts";
import { createLive, type LiveApp } from "./support.ts";

/** Of everything that team A has; more than any worker has slots. */
const HANGING = 250;
/** Turns of the event loop in which nothing new happens. */
const QUIET_TURNS = 200;
const DRIPPING = 20;
/** Sent while the stage was set. */
const BEFORE = 1;
const PLAIN_STEP = { type: "email", subject: "Hello", body: "Hi there" };

let live: LiveApp;
let env: Environment;
/** Teams whose servers never respond, and the one beside them. */
let hostile: string[];
let b: string;
let keyOfB: string;
let keysOfHostile: string[];
let template: AccountRow;
let sent: MessageRow;
/** What of B's came to its end, and how many of the others' hang. */
let served: string[];
let hung: number;

beforeEach(async () => {
  const http = scriptedHttp();
  live = await createLive({ http });
  const others = [await live.app.addTeam("Hooli"), await live.app.addTeam("Initech")];
  const globex = await live.app.addTeam("Globex");
  hostile = [live.app.team.id, ...others.map(({ team }) => team.id)];
  [b, keyOfB] = [globex.team.id, globex.keys.live];
  keysOfHostile = [live.app.keys.live, ...others.map(({ keys }) => keys.live)];
  [served, hung] = [[], 0];
  const account = accountById(live.env.db, await live.addAccount("first@a.example"));
  const { leads } = await live.launch([PLAIN_STEP], "bob@client.example");
  await live.run(HOUR_MS);
  const message = live.messages(leads[0] ?? "")[0];
  if (account === undefined || message === undefined) {
    throw new Error("no account, or no message");
  }
  sent = { ...message, copyDueAt: null };
  template = { ...account, probeAt: null, pollAt: null, wakeAt: null };
  await live.env.commit(() => updateAccount(live.env.db, template));
  const byTeam = <Result>(teamId: string | null, what: string, result: () => Result) => {
    if (teamId !== null && hostile.includes(teamId)) {
      hung += 1;
      return new Promise<Result>(() => undefined);
    }
    served.push(what);
    return Promise.resolve(result());
  };
  const { mail, dns } = live.env;
  http.answer = ({ teamId, url }: PostRequest) => byTeam(teamId, url, () => OK);
  env = {
    ...live.env,
    dns: {
      ...dns,
      lookup: (name, team) => byTeam(team, name, () => ["192.0.2.1"]),
      mx: (name, team) => byTeam(team, name, () => [{ exchange: `mx.${name}`, priority: 1 }]),
      txt: (name, team) => byTeam(team, name, () => []),
      ptr: (name, team) => byTeam(team, name, () => []),
    },
    mail: {
      ...mail,
      test: (box) => byTeam(box.teamId, "test", () => mail.test(box)).then(),
      poll: (box, cursor) => byTeam(box.teamId, "poll", () => mail.poll(box, cursor)).then(),
      look: (box, wanted) => byTeam(box.teamId, "look", () => mail.look(box, wanted)).then(),
      saveSent: (box, sent) => byTeam(box.teamId, "copy", () => mail.saveSent(box, sent)).then(),
      send: (box, sent, beforeBody) =>
        byTeam(box.teamId, "send", () => mail.send(box, sent, beforeBody)).then(),
    },
    oauth: {
      ...live.env.oauth,
      workspaceToken: (_provider, { clientId }) =>
        byTeam(
          clientId,
          "token",
          () => ({ kind: "refused", reason: "no" }) as unknown as WorkspaceOutcome,
        ),
    },
  };
});
afterEach(() => live.app.close());

/** Mailboxes of a team, each at a server of its own. */
function mailboxes(teamId: string, count: number, change: Partial<AccountRow>): string[] {
  const at = teamId === b ? "b" : "a";
  return Array.from({ length: count }, (_, n) => {
    const id = env.ids.next(env.clock.now());
    const row = { ...template, id, teamId, email: `m${id}@h${n}.${at}.example`, secrets: null };
    const login = { ...template.smtp, host: `h${n}.${at}.example` } as AccountRow["smtp"];
    const hosted = { ...row, smtp: login, imap: login, ...change };
    const logins = { smtpPassword: "secret", imapPassword: "secret" };
    insertAccount(env.db, { ...hosted, secrets: sealCredentials(env.vault, hosted, logins) });
    return id;
  });
}

/** Runs a worker as its loop does, until nothing new happens; returns how much of B's it served. */
async function servedBy(name: string): Promise<number> {
  const worker = createWorkers(env).find((one) => one.name === name);
  if (worker === undefined) {
    throw new Error(`no worker ${name}`);
  }
  let isBusy = false;
  let seen = "";
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    if (!isBusy) {
      isBusy = true;
      void worker.step(env.wall.now()).finally(() => {
        isBusy = false;
      });
    }
    await new Promise((resolve) => setImmediate(resolve));
    const now = `${hung} ${served.length}`;
    if (now !== seen) {
      seen = now;
      quiet = 0;
    }
  }
  return served.length;
}

const now = () => env.clock.now();
/** What hangs became due before what B waits for. */
const before = () => plus(now(), -60_000);

/** So many of A's, and one of B's. */
type Prepare = (teamId: string, count: number, at: UnixMs) => void;
const dkim = { domain: "a.example", selector: "s", publicKey: "k", createdAt: unixMs(0) };

const WORKERS: readonly [worker: string, prepare: Prepare][] = [
  ["probes", (teamId, count, at) => mailboxes(teamId, count, { probeAt: at })],
  ["inbox", (teamId, count, at) => mailboxes(teamId, count, { pollAt: at })],
  [
    "signing",
    (teamId, count, at) =>
      mailboxes(teamId, count, { dkimDueAt: at, dkim: { ...dkim, activeAt: null } }),
  ],
  [
    "domains",
    (teamId, count, at) => {
      for (const id of mailboxes(teamId, count, {})) {
        const domain = domainOf(accountById(env.db, id)?.email ?? "");
        ensureDomain(env.db, { id, teamId, domain }, at);
      }
    },
  ],
  [
    "addresses",
    (teamId, count) => {
      const names = Array.from({ length: count }, (_, n) => `${n}.${teamId}.example.org`);
      wantDomains(env.db, teamId, names, now());
    },
  ],
  [
    "copies",
    (teamId, count, at) => {
      for (const accountId of mailboxes(teamId, count, {})) {
        insertMessage(env.db, messageOf(teamId, { accountId, copyDueAt: at }));
      }
    },
  ],
  [
    "workspaces",
    (teamId, count, at) => {
      for (let n = 0; n < count; n += 1) {
        insertWorkspace(env.db, workspaceOf(teamId, at));
      }
    },
  ],
  ["seeds", (teamId, count, at) => seeds(teamId, count, { mxAt: at })],
  [
    "placement",
    (teamId, count, at) => {
      for (const seedId of seeds(teamId, count, {})) {
        const id = env.ids.next(now());
        const found = messageOf(teamId, { placementTestId: id, kind: "placement" });
        insertMessage(env.db, found);
        insertTest(env.db, testOf(teamId, { id, seedId, lookAt: at }));
      }
    },
  ],
];

test.each(WORKERS)(
  "the worker `%s` serves B while 250 pieces of A's work hang",
  async (name, prepare) => {
    await env.commit(() => {
      prepare(hostile[0] ?? "", HANGING, before());
      prepare(b, 1, now());
    });
    expect(await servedBy(name)).toBeGreaterThanOrEqual(1);
    expect(hung).toBeGreaterThan(0);
    tried("neighbours", HANGING);
  },
);

test.each(WORKERS)("the worker `%s` serves B while two teams hang", async (name, prepare) => {
  await env.commit(() => {
    for (const teamId of hostile.slice(0, 2)) {
      prepare(teamId, HANGING, before());
    }
    prepare(b, 1, now());
  });
  expect(await servedBy(name)).toBeGreaterThanOrEqual(1);
});

test("what B failed to deliver once is tried again while 20 receivers of each other team drip", async () => {
  const add = async (key: string | undefined, name: string) => {
    const body = { url: `https://${name}.example.com/in`, events: ["suppression.created"] };
    await live.app.live("POST", "/webhooks", body, key === undefined ? {} : { key });
  };
  const cause = (teamId: string) =>
    env.commit(() =>
      emit(env, teamId, "suppression.created", {
        suppression_id: env.ids.next(now()),
        email_hash: "x",
        reason: "manual",
      }),
    );
  for (let n = 0; n < DRIPPING; n += 1) {
    for (const key of keysOfHostile) {
      await add(key, `drip${n}`);
    }
  }
  await add(keyOfB, "b");
  for (const teamId of [...hostile, b]) {
    await cause(teamId);
  }
  await env.commit(() => {
    env.db.raw.run("update webhooks set failures = 1");
    env.db.rows.clear();
  });
  expect(await servedBy("webhooks")).toBe(1);
  tried("neighbours", DRIPPING * hostile.length);
});

/** Mailboxes of A with an email each, and B's, which became due last, with one. */
async function sends(): Promise<void> {
  await env.commit(() => {
    mailboxes(hostile[0] ?? "", HANGING, { wakeAt: before() });
    mailboxes(b, 1, { wakeAt: now() });
  });
  for (const [key, count] of [
    [keysOfHostile[0] ?? "", HANGING + 10],
    [keyOfB, 1],
  ] as const) {
    const call: LiveApp["call"] = (method, path, body) =>
      live.app.live(method, path, body, { key });
    const app = { ...live.app, call };
    const { id } = await makeCampaign(app, [PLAIN_STEP]);
    const leads = Array.from({ length: count }, (_, n) => ({ email: `p${n}@c${n}.example.org` }));
    await app.call("POST", `/campaigns/${id}/leads`, { leads });
    await app.call("PATCH", `/campaigns/${id}`, { max_leads_per_day: 1_000 });
    expect((await app.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
  }
}

test("B's email is claimed and sent while 250 mailboxes of A's hang", async () => {
  await sends();
  await servedBy("send");
  expect(served).toContain("send");
  expect(hung).toBeGreaterThan(100);
});

test("B's email is in the next round of claims, however many of A's are due before it", async () => {
  await sends();
  hostile = [];
  await env.commit(() =>
    env.db.raw.run("update accounts set wake_at = 0 where team_id <> ?", [idToBytes(b)]),
  );
  env.db.rows.clear();
  const worker = createWorkers(env).find(({ name }) => name === "send");
  await worker?.step(env.wall.now());
  await worker?.settled?.();
  const { taken } = live.mail;
  expect(taken.filter(({ from }) => from.endsWith(".b.example"))).toHaveLength(1);
  expect(taken.length).toBe(CLAIMS_A_ROUND + BEFORE);
});

test("after A's silent name server, B's email still waits for what its own says of the recipient", async () => {
  await sends();
  const { dns } = env;
  env = {
    ...env,
    dns: {
      ...dns,
      mx: async (domain, team) => {
        await new Promise((resolve) => setImmediate(resolve));
        // It takes no email (RFC 7505).
        return team === b ? [{ exchange: "", priority: 0 }] : await dns.mx(domain, team);
      },
    },
    mail: live.env.mail,
  };
  const worker = createWorkers(env).find(({ name }) => name === "send");
  await env.commit(() =>
    env.db.raw.run("update accounts set wake_at = null where team_id = ?", [idToBytes(b)]),
  );
  env.db.rows.clear();
  await worker?.step(env.wall.now());
  while (live.mail.taken.length === BEFORE) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await env.commit(() =>
    env.db.raw.run("update accounts set wake_at = 0 where team_id = ?", [idToBytes(b)]),
  );
  env.db.rows.clear();
  await servedBy("send");
  expect(live.mail.taken.filter(({ from }) => from.endsWith(".b.example"))).toEqual([]);
});

function messageOf(teamId: string, change: Partial<MessageRow>): MessageRow {
  const id = env.ids.next(now());
  const own = { id, teamId, stepId: id, messageId: `<${id}@x.example>` };
  return { ...sent, ...own, ...change } as MessageRow;
}

function workspaceOf(teamId: string, at: UnixMs): WorkspaceRow {
  const id = env.ids.next(now());
  return {
    ...{ id, teamId, provider: "microsoft", domains: [`${id}.example`], tenant: "t" },
    ...{ clientId: teamId, clientNumber: null, keyId: null, status: "waiting", lastError: null },
    secret: env.vault.seal("secret", workspaceContext(id)),
    ...{ checkAt: at, checkedAt: null, createdAt: at, updatedAt: at },
  };
}

function seeds(teamId: string, count: number, change: Partial<SeedRow>): string[] {
  return Array.from({ length: count }, (_, n) => {
    const id = env.ids.next(now());
    const row = {
      ...{ id, teamId, email: `s${n}@${id}.example.org`, status: "active", provider: "custom" },
      ...{ mxAt: null, mxErrors: 0, imap: template.imap, oauthProvider: null, secrets: null },
      ...{ tabs: null, junkFolder: null, lastLookedAt: null, lastError: null },
      ...{ createdAt: now(), updatedAt: now(), ...change },
    } as SeedRow;
    const secrets = sealCredentials(env.vault, row, { imapPassword: "secret" });
    insertSeed(env.db, { ...row, secrets });
    return id;
  });
}

function testOf(teamId: string, change: Partial<TestRow>): TestRow {
  return {
    ...{ id: "", teamId, runId: teamId, accountId: template.id, accountEmail: template.email },
    ...{ seedId: "", seedEmail: "s@x.example", seedProvider: "custom", status: "sent" },
    ...{ placement: null, folder: null, tab: null, error: null, dueAt: null, lookAt: null },
    ...{ sentAt: now(), testedAt: null, latencyMs: null, authentication: null },
    ...{ oneClickSigned: null, ...change },
  } as TestRow;
}
