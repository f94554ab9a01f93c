/**
 * Weeks of people with several addresses, whose leads are merged at random between emails, reactions, and what is done by
 * hand, all through the API. What was delivered is read from the sandbox's mailboxes, never from the product's records.
 */

import { DAY_MS, HOUR_MS, SECOND_MS } from "#domain/time.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { type Answer, createTestApp, type TestApp } from "../app.ts";
import { quiet, ROUND_THE_CLOCK } from "../inbox.ts";
import { createDraw, type Draw } from "../simulation/draw.ts";
import { addFastAccount } from "./calls.ts";
import type { Happening } from "./history.ts";

const PEOPLE = 5;
const ADDRESSES = ["work", "home", "old"] as const;
const CAMPAIGNS = ["Spring", "Autumn"] as const;
const STEPS = 8;
const ROUNDS = 14;
const DEEDS_MAX = 4;

interface Sent {
  id: string;
  recipient: string;
  subject: string;
}

export interface Stage {
  app: TestApp;
  draw: Draw;
  history: Happening[];
  /** Ids of the campaigns, by name. */
  campaigns: Map<string, string>;
  sent: Sent[];
  /** Received emails that can be taken back, by whether they are seen yet. */
  received: Set<string>;
  /** How often each deed had an effect. */
  done: Map<string, number>;
}

const personOf = (address: string) => address.split(".")[0] ?? "";

function addressesOf(person: number): string[] {
  return ADDRESSES.map((place) => `p${person}.${place}@${place}${person % 2}.example`);
}

const EVERYBODY = Array.from({ length: PEOPLE }, (_, person) => addressesOf(person)).flat();

/** What is counted as sent by hand, a server may never have taken. */
const BY_HAND = "what is recorded as sent is what the servers took";

export interface Played extends Pick<Stage, "history" | "done"> {
  /** Counters that are no sums of rows any more. */
  broken: string[];
}

/** Plays a seed. Whoever calls judges the history. */
export async function playMerges(seed: number): Promise<Played> {
  const app = await createTestApp({ seed });
  try {
    const stage = await prepare(app, createDraw(seed));
    for (let round = 0; round < ROUNDS; round += 1) {
      const deeds = stage.draw.int(1, DEEDS_MAX);
      for (let deed = 0; deed < deeds; deed += 1) {
        const [name, act] = stage.draw.pick(DEEDS);
        if (await act(stage)) {
          stage.done.set(name, (stage.done.get(name) ?? 0) + 1);
        }
      }
      await pass(stage, stage.draw.int(2, 26) * HOUR_MS);
    }
    await pass(stage, 30 * DAY_MS);
    const { history, done } = stage;
    const broken = checkInvariants(app.environments.test, app.team.id)
      .filter(({ holds, name }) => !holds && name !== BY_HAND)
      .map(({ name, detail }) => `${name}: ${detail}`);
    return { history, done, broken };
  } finally {
    await app.close();
  }
}

async function prepare(app: TestApp, draw: Draw): Promise<Stage> {
  await quiet(app);
  await addFastAccount(app);
  const campaigns = new Map<string, string>();
  const stage = { app, draw, history: [], campaigns, sent: [], received: new Set<string>() };
  for (const name of CAMPAIGNS) {
    const fields = { name, send_window: ROUND_THE_CLOCK };
    const { id } = (await app.call("POST", "/campaigns", fields)).body;
    for (let step = 1; step <= STEPS; step += 1) {
      const body = step === 2 ? "Hello in {{city}}" : "Hello";
      const wait_days = step === 1 ? 0 : 1;
      const email = { type: "email", subject: `${name} ${step}`, body, wait_days };
      await app.call("POST", `/campaigns/${id}/steps`, email);
    }
    campaigns.set(name, id);
    await enrollSome({ ...stage, done: new Map() });
    await app.call("POST", `/campaigns/${id}/start`);
  }
  return { ...stage, done: new Map() };
}

/** Time passes, and what was delivered meanwhile is recorded, and which sequences go on. */
async function pass(stage: Stage, ms: number): Promise<void> {
  await stage.app.advance(ms);
  const { data } = (await stage.app.call("GET", "/sandbox/messages?limit=100")).body;
  const known = new Set(stage.sent.map(({ id }) => id));
  for (const one of (data as Sent[]).filter(({ id }) => !known.has(id)).toReversed()) {
    const [campaign = "", step = ""] = one.subject.split(" ");
    stage.sent.push(one);
    stage.history.push({ kind: "delivered", to: one.recipient, campaign, step });
  }
  for (const [campaign, id] of stage.campaigns) {
    const { data: rows } = (await stage.app.call("GET", `/campaigns/${id}/leads?limit=100`)).body;
    const open = (rows as { email: string; status: string }[]).filter(({ status }) =>
      isOpen(status),
    );
    for (const [to, { length: sequences }] of Map.groupBy(open, ({ email }) => email)) {
      stage.history.push({ kind: "open", to, campaign, sequences });
    }
  }
}

const isOpen = (status: string) => ["pending", "active", "paused"].includes(status);

/** True where it did something. */
type Deed = (stage: Stage) => Promise<boolean>;

const call = async (
  { app }: Stage,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ isDone: boolean; body: Answer["body"] }> => {
  const answer = await app.call(method, path, body);
  if (answer.status >= 500) {
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  }
  return { isDone: answer.status < 300, body: answer.body };
};

const mergeSome: Deed = async (stage) => {
  const { data } = (await call(stage, "GET", "/leads?limit=100")).body;
  const people = Map.groupBy(data as { id: string; email: string }[], ({ email }) =>
    personOf(email),
  );
  const several = [...people.values()].filter((leads) => leads.length > 1);
  if (several.length === 0) {
    return false;
  }
  const leads = stage.draw.pick(several);
  const stays = stage.draw.pick(leads);
  const others = leads.filter((one) => one !== stays);
  const go = stage.draw.chance(0.5) ? others : others.slice(0, 1);
  const lead_ids = go.map(({ id }) => id);
  const { isDone } = await call(stage, "POST", `/leads/${stays.id}/merge`, { lead_ids });
  if (isDone) {
    stage.history.push({ kind: "merged", addresses: [stays, ...go].map(({ email }) => email) });
  }
  return isDone;
};

const enrollSome: Deed = async (stage) => {
  const { draw, campaigns } = stage;
  const leads = draw.some(EVERYBODY, 0.4).map((email) => ({
    email,
    ...(draw.chance(0.6) ? { variables: { city: "Turin" } } : {}),
  }));
  const path = `/campaigns/${draw.pick([...campaigns.values()])}/leads`;
  return leads.length > 0 && (await call(stage, "POST", path, { leads })).isDone;
};

const REACTIONS = [
  ...(["reply", "reply", "reply", "interested", "unsubscribe", "complaint"] as const),
  ...(["bounce", "bounce", "soft_bounce", "auto_reply", "left_company"] as const),
];

/** Somebody reacts to an email of before, from the mailbox to which it went. */
const react: Deed = async (stage) => {
  const { draw, sent, history } = stage;
  if (sent.length === 0) {
    return false;
  }
  const about = draw.pick(sent);
  const kind = draw.pick(REACTIONS);
  const text = kind === "unsubscribe" ? { text: "Unsubscribe" } : {};
  const mail = { kind, message_id: about.id, ...text };
  const { isDone } = await call(stage, "POST", "/sandbox/inject", mail);
  await pass(stage, SECOND_MS);
  const [cause] = await newlyReceived(stage);
  if (!isDone || cause === undefined) {
    return false;
  }
  const [campaign = ""] = about.subject.split(" ");
  if (kind === "unsubscribe" || kind === "complaint") {
    history.push({ kind: "refused", at: about.recipient, cause });
  } else if (kind === "reply" || kind === "interested") {
    history.push({ kind: "replied", at: about.recipient, campaign, cause });
  }
  return true;
};

async function newlyReceived(stage: Stage): Promise<string[]> {
  const { data } = (await call(stage, "GET", "/inbox/threads?limit=100")).body;
  const found: string[] = [];
  for (const { id } of data) {
    const { messages } = (await call(stage, "GET", `/inbox/threads/${id}`)).body;
    for (const one of messages) {
      if (one.direction === "in" && !stage.received.has(one.id)) {
        stage.received.add(one.id);
        found.push(one.id);
      }
    }
  }
  return found;
}

/** An email turns out to be none of what it was taken for. */
const undo: Deed = async (stage) => {
  if (stage.received.size === 0) {
    return false;
  }
  const cause = stage.draw.pick([...stage.received]);
  const { isDone } = await call(stage, "PATCH", `/messages/${cause}`, { kind: "notice" });
  if (isDone) {
    stage.history.push({ kind: "undone", cause });
  }
  return isDone;
};

const suppressSome: Deed = async (stage) => {
  const { draw, history } = stage;
  const address = draw.pick(EVERYBODY);
  const email = draw.chance(0.2) ? address.slice(address.indexOf("@")) : address;
  const reason = draw.pick(["bounce", "bounce", "manual", "unsubscribe"] as const);
  const { isDone, body } = await call(stage, "POST", "/suppressions", { email, reason });
  if (isDone && reason !== "bounce") {
    history.push({ kind: "refused", at: email, cause: body.id });
  }
  return isDone;
};

/** The sequences go on that ended with it. */
const lift: Deed = async (stage) => {
  const { data } = (await call(stage, "GET", "/suppressions?limit=100")).body;
  if (data.length === 0) {
    return false;
  }
  const { id, email } = stage.draw.pick(data as { id: string; email: string }[]);
  const { isDone } = await call(stage, "DELETE", `/suppressions/${id}?resume=true`);
  if (isDone) {
    stage.history.push({ kind: "lifted", at: email });
  }
  return isDone;
};

/** What people do with one of a campaign's leads, those that gave way among them. */
const changeOne: Deed = async (stage) => {
  const { draw, campaigns, history } = stage;
  const path = `/campaigns/${draw.pick([...campaigns.values()])}/leads`;
  const { data } = (await call(stage, "GET", `${path}?limit=100`)).body;
  if (data.length === 0) {
    return false;
  }
  const { id, email } = draw.pick(data as { id: string; email: string }[]);
  const status = draw.pick(["active", "active", "paused", "completed", "unsubscribed"]);
  const change = draw.pick([{ status }, { status }, { current_step: draw.int(0, STEPS) }]);
  const isRemoved = draw.chance(0.15);
  const { isDone } = isRemoved
    ? await call(stage, "DELETE", `${path}/${id}`)
    : await call(stage, "PATCH", `${path}/${id}`, change);
  if (isDone && !isRemoved && "status" in change && change.status === "unsubscribed") {
    history.push({ kind: "refused", at: email, cause: id });
  }
  return isDone;
};

/** Many at once. What may have been delivered counts as sent: to send it again is to accept a second one. */
const changeMany: Deed = async (stage) => {
  const { draw, campaigns } = stage;
  const action = draw.pick(["resume", "resume", "release", "treat_as_sent", "pause"] as const);
  const path = `/campaigns/${draw.pick([...campaigns.values()])}/leads/bulk`;
  const { body } = await call(stage, "POST", path, { action, filter: {} });
  return body.changed > 0;
};

const fillIn: Deed = async (stage) => {
  const { data } = (await call(stage, "GET", "/leads?limit=100")).body;
  const lead = stage.draw.pick(data as { id: string }[]);
  const city = stage.draw.chance(0.3) ? null : "Porto";
  return (await call(stage, "PATCH", `/leads/${lead.id}`, { variables: { city } })).isDone;
};

/** Servers fail for a while. */
const fail: Deed = async (stage) => {
  const { draw } = stage;
  const share = () => (draw.chance(0.8) ? 0 : draw.unit());
  const faults = { smtp450: share(), smtp550: share() / 2, cut: share() / 2 };
  return (await call(stage, "PATCH", "/sandbox/settings", { faults })).isDone;
};

const DEEDS: readonly [name: string, deed: Deed][] = [
  ["merge", mergeSome],
  ["merge", mergeSome],
  ["enroll", enrollSome],
  ["react", react],
  ["react", react],
  ["undo", undo],
  ["undo", undo],
  ["suppress", suppressSome],
  ["lift", lift],
  ["lift", lift],
  ["change one", changeOne],
  ["change many", changeMany],
  ["fill in", fillIn],
  ["fail", fail],
];

export const DEED_NAMES = new Set<string>(DEEDS.map(([name]) => name));
