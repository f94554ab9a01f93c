/** What clients do, and what they say of it. */

import type { Client, Response, Said } from "./client.ts";
import type { Act } from "./history.ts";

const SLOTS = 10;
/** Operations of a lead before another takes its place. */
const LIFE = 150;
const PAUSED_MS = 400;
const LABELS = ["interested", "not_interested", "neutral", "meeting"];
const MADE_MAX = 40;

/** What clients of one environment know together. */
export interface Shared {
  open: string;
  /** Campaigns that somebody is added to now and then. */
  capped: string[];
  leads: { email: string; id: string | undefined; uses: number }[];
  enrolled: string[];
  /** Addresses with the id of their suppression, as far as it is known. */
  suppressions: Map<string, string | undefined>;
  threads: string[];
  made: { path: string; id: string }[];
  /** For names that nobody has. */
  count: number;
}

export const createShared = (open: string, capped: string[]): Shared => ({
  ...{ open, capped, enrolled: [], threads: [], made: [], count: 0 },
  leads: [],
  suppressions: new Map(),
});

const isOk = (response: Response | undefined): response is Response =>
  response !== undefined && response.status < 300;
const next = (shared: Shared): number => {
  shared.count += 1;
  return shared.count;
};
const keyed = (client: Client, name: string): string | undefined =>
  client.random() < 0.5 ? `${client.world}-${client.nth}-${name}` : undefined;
/** Acts of a request that has not been replayed, which happened when it was first sent. */
const once = (response: Response | undefined, acts: Act[]): Act[] =>
  response === undefined || (isOk(response) && !response.isReplayed) ? acts : [];

function leadOf(client: Client, shared: Shared) {
  const slot = Math.floor(client.random(SLOTS));
  const known = shared.leads[slot];
  if (known === undefined || known.uses > LIFE) {
    const email = `${client.world}-c${next(shared)}@crud.test`;
    shared.leads[slot] = { email, id: undefined, uses: 0 };
  }
  const lead = shared.leads[slot] as Shared["leads"][number];
  lead.uses += 1;
  return lead;
}

const onLead = (email: string) => `lead ${email}`;

export async function putLead(client: Client, shared: Shared): Promise<void> {
  const lead = leadOf(client, shared);
  const value = `v${client.world}${next(shared)}`;
  const body = { leads: [{ email: lead.email, company: value, tags: ["crud"] }] };
  const on = onLead(lead.email);
  const path = "/leads";
  const response = await client.ask(
    { method: "POST", path, body, key: keyed(client, value) },
    (said) => ({
      acts: once(said, [
        { on, do: "put", value, ...(isOk(said) ? { was: said.body.created === 0 } : {}) },
      ]),
    }),
  );
  if (isOk(response)) {
    lead.id = response.body.data[0].id;
  }
}

export async function changeLead(client: Client, shared: Shared): Promise<void> {
  const { email, id } = leadOf(client, shared);
  if (id === undefined) {
    return await readLead(client, shared);
  }
  const value = `v${client.world}${next(shared)}`;
  const asked = {
    method: "PATCH",
    path: `/leads/${id}`,
    body: { company: value },
    what: "/leads/:id",
  };
  await client.ask(asked, (said) => ({
    acts: once(said, [{ on: onLead(email), do: "change", value }]),
  }));
}

export async function eraseLead(client: Client, shared: Shared): Promise<void> {
  const { email, id } = leadOf(client, shared);
  if (id !== undefined) {
    const asked = { method: "DELETE", path: `/leads/${id}`, what: "/leads/:id" };
    await client.ask(asked, (said) => ({
      acts: once(said, [{ on: onLead(email), do: "remove", erases: true }]),
    }));
  }
}

export async function readLead(client: Client, shared: Shared): Promise<void> {
  const lead = leadOf(client, shared);
  const on = onLead(lead.email);
  if (lead.id !== undefined && client.random() < 0.5) {
    const asked = { method: "GET", path: `/leads/${lead.id}`, what: "/leads/:id" };
    await client.ask(asked, (said) => ({
      acts: isOk(said) ? [{ on, do: "read", value: said.body.company }] : [],
    }));
    return;
  }
  const asked = { method: "GET", path: `/leads?email=${encodeURIComponent(lead.email)}` };
  const response = await client.ask({ ...asked, what: "/leads?email" }, (said) => ({
    acts: isOk(said) ? [{ on, do: "read", value: said.body.data[0]?.company ?? null }] : [],
  }));
  lead.id = isOk(response) ? response.body.data[0]?.id : lead.id;
}

/** All leads of the tag: also who isn't among them is known. */
export async function listLeads(client: Client, shared: Shared): Promise<void> {
  const emails = shared.leads.map(({ email }) => email);
  await client.ask({ method: "GET", path: "/leads?tag=crud&limit=100" }, (said) => {
    if (!isOk(said)) {
      return {};
    }
    const listed = new Map<string, string>(
      said.body.data.map(({ email, company }: { email: string; company: string }) => [
        email,
        company,
      ]),
    );
    const shown = emails.filter((email) => !said.body.hasMore || listed.has(email));
    return {
      acts: shown.map((email) => ({
        on: onLead(email),
        do: "read",
        value: listed.get(email) ?? null,
      })),
    };
  });
}

const onSuppression = (client: Client, email: string) => `suppression ${client.world} ${email}`;

export async function suppress(client: Client, shared: Shared): Promise<void> {
  const recent = shared.enrolled.slice(-15);
  const email =
    client.random() < 0.6 && recent.length > 0
      ? (client.pick(recent) as string)
      : `${client.world}-s${Math.floor(next(shared) / 20)}@crud.test`;
  const on = onSuppression(client, email);
  const asked = { method: "POST", path: "/suppressions", body: { email, reason: "manual" } };
  const key = keyed(client, `s${next(shared)}`);
  const type = "suppression.created";
  const response = await client.ask({ ...asked, key }, (said): Said => {
    if (said === undefined) {
      return { acts: [{ on, do: "put", value: "yes" }], event: { type, subject: null } };
    }
    if (!isOk(said) || said.isReplayed) {
      return {};
    }
    const was = said.status === 200;
    return {
      acts: [{ on, do: "put", value: "yes", was }],
      stops: { of: "recipient", name: email, inFlight: said.body.in_flight },
      ...(was ? {} : { event: { type, subject: said.body.id } }),
    };
  });
  shared.suppressions.set(email, isOk(response) ? response.body.id : undefined);
}

export async function lift(client: Client, shared: Shared): Promise<void> {
  const [email, id] = client.pick([...shared.suppressions].slice(-20)) ?? [];
  if (email === undefined || id === undefined) {
    return;
  }
  const asked = { method: "DELETE", path: `/suppressions/${id}?resume=true` };
  await client.ask({ ...asked, what: "/suppressions/:id" }, (said) => ({
    acts: once(said, [{ on: onSuppression(client, email), do: "remove" }]),
    lifts: { of: "recipient", name: email },
  }));
}

export async function checkSuppression(client: Client, shared: Shared): Promise<void> {
  const [email] = client.pick([...shared.suppressions].slice(-30)) ?? [];
  if (email !== undefined) {
    await readSuppression(client, email);
  }
}

export async function readSuppression(client: Client, email: string): Promise<void> {
  const path = `/suppressions/check?email=${encodeURIComponent(email)}`;
  await client.ask({ method: "GET", path, what: "/suppressions/check" }, (said) => ({
    acts: isOk(said)
      ? [
          {
            ...{ on: onSuppression(client, email), do: "read" },
            value: said.body.suppressed ? "yes" : null,
          },
        ]
      : [],
  }));
}

const HOW = {
  campaigns: (name: string) => ({ name }),
  webhooks: (name: string) => ({ url: `http://127.0.0.1:9/${name}`, name, active: true }),
} as const;
type Made = keyof typeof HOW;

/** A draft or a webhook; with a key it may be asked for again after it was made. */
export async function make(client: Client, shared: Shared): Promise<void> {
  const of: Made = client.random() < 0.7 ? "campaigns" : "webhooks";
  const name = `made-${client.world}-${next(shared)}`;
  const key = keyed(client, name);
  const body = of === "webhooks" ? { url: HOW.webhooks(name).url, name } : HOW.campaigns(name);
  const again = key !== undefined && client.random() < 0.3 ? 2 : 1;
  for (let n = 0; n < again; n += 1) {
    const response = await client.ask(
      { method: "POST", path: `/${of}`, body, key },
      (said): Said => {
        const id: string | null = isOk(said) ? said.body.id : null;
        return {
          acts: id === null ? [] : [{ on: `made ${id}`, do: "put", value: "there" }],
          makes: { name, key: key ?? null, id },
        };
      },
    );
    if (isOk(response)) {
      shared.made = shared.made.filter(({ id }) => id !== response.body.id);
      shared.made.push({ path: `/${of}/${response.body.id}`, id: response.body.id });
    }
  }
}

/** Read, and once there are many of them deleted by whoever takes it out of the list. */
export async function seeMade(client: Client, shared: Shared): Promise<void> {
  if (shared.made.length > MADE_MAX) {
    const [{ path, id }] = shared.made.splice(0, 1) as [Shared["made"][number]];
    await client.ask({ method: "DELETE", path, what: `${path.split("/")[1]}/:id` }, (said) => ({
      acts: once(said, [{ on: `made ${id}`, do: "remove" }]),
    }));
  }
  const one = client.pick(shared.made);
  if (one !== undefined) {
    await readMade(client, one);
  }
}

export async function readMade(
  client: Client,
  { path, id }: { path: string; id: string },
): Promise<void> {
  await client.ask({ method: "GET", path, what: `/${path.split("/")[1]}/:id` }, (said) => {
    const status = said?.status ?? 0;
    const value = status < 300 ? "there" : null;
    const isKnown = status === 200 || status === 404;
    return { acts: isKnown ? [{ on: `made ${id}`, do: "read", value }] : [] };
  });
}

export async function listMade(client: Client): Promise<void> {
  const of: Made = client.random() < 0.5 ? "campaigns" : "webhooks";
  await client.ask({ method: "GET", path: `/${of}?limit=100` }, (said) => {
    const listed: Record<string, string[]> = {};
    for (const { name, id } of isOk(said) ? said.body.data : []) {
      if (String(name).startsWith("made-")) {
        listed[name] = [...(listed[name] ?? []), id];
      }
    }
    return { listed };
  });
}

export async function readEvents(client: Client): Promise<boolean> {
  const after = client.cursor;
  const asked = { method: "GET", path: `/events?after=${after}&limit=100`, what: "/events" };
  const response = await client.ask(asked, (said): Said => {
    const seqs = isOk(said) ? said.body.data.map(({ seq }: { seq: number }) => seq) : [];
    return isOk(said) ? { events: { after, seqs, world: client.world } } : {};
  });
  if (isOk(response)) {
    client.cursor = response.body.data.at(-1)?.seq ?? after;
  }
  return isOk(response) && response.body.data.length > 0;
}

export async function enroll(client: Client, shared: Shared): Promise<void> {
  const other = client.random() < 0.15 ? client.pick(shared.capped) : undefined;
  const id = other ?? shared.open;
  const email = `m${next(shared)}@load.test`;
  const asked = { method: "POST", path: `/campaigns/${id}/leads`, what: "/campaigns/:id/leads" };
  const key = keyed(client, email);
  const on = `enrolled ${client.program.campaigns.get(id)} ${email}`;
  await client.ask({ ...asked, key, body: { leads: [{ email }] } }, (said) => ({
    acts: once(said, [
      { on, do: "put", value: "yes", ...(isOk(said) ? { was: said.body.imported === 0 } : {}) },
    ]),
  }));
  if (other === undefined) {
    shared.enrolled.push(email);
  }
}

const onOpen = "campaign open";

export async function pauseAndResume(client: Client, { open }: Shared): Promise<void> {
  for (const verb of ["pause", "resume"]) {
    const value = verb === "pause" ? "paused" : "active";
    const asked = {
      method: "POST",
      path: `/campaigns/${open}/${verb}`,
      what: `/campaigns/:id/${verb}`,
    };
    const of = { of: "campaign" as const, name: "open" };
    await client.ask({ ...asked, key: `${verb}-${client.recorder.now()}` }, (said) => ({
      acts: once(said, [{ on: onOpen, do: "change", value }]),
      ...(verb === "resume" ? { lifts: of } : {}),
      ...(verb === "pause" && isOk(said) && !said.isReplayed && said.body.in_flight !== undefined
        ? { stops: { ...of, inFlight: said.body.in_flight } }
        : {}),
    }));
    await Bun.sleep(client.random(PAUSED_MS));
  }
}

/** It completes and goes on by itself, as leads end and come. */
const stateOf = (status: string) => (status === "completed" ? "active" : status);

export async function readCampaign(client: Client, { open }: Shared): Promise<void> {
  const asked = { method: "GET", path: `/campaigns/${open}`, what: "/campaigns/:id" };
  await client.ask(asked, (said) => ({
    acts: isOk(said) ? [{ on: onOpen, do: "read", value: stateOf(said.body.status) }] : [],
  }));
}

const onThread = (id: string) => `thread ${id}`;
const labelOf = (thread: { interest: string | null }) => thread.interest ?? "none";

export async function listThreads(client: Client, shared: Shared): Promise<void> {
  const response = await client.ask({ method: "GET", path: "/inbox/threads?limit=25" }, (said) => ({
    acts: (isOk(said) ? said.body.data : []).map(
      (thread: { id: string; interest: string | null }) => ({
        ...{ on: onThread(thread.id), do: "read", value: labelOf(thread) },
      }),
    ),
  }));
  if (isOk(response)) {
    shared.threads = response.body.data.map(({ id }: { id: string }) => id);
  }
}

export async function label(client: Client, shared: Shared): Promise<void> {
  const id = client.pick(shared.threads);
  if (id === undefined) {
    return await listThreads(client, shared);
  }
  const interest = client.pick(LABELS) ?? "neutral";
  const asked = { path: `/inbox/threads/${id}`, what: "/inbox/threads/:id" };
  if (client.random() < 0.5) {
    await client.ask({ ...asked, method: "PATCH", body: { interest } }, (said) => ({
      acts: once(said, [{ on: onThread(id), do: "change", value: interest }]),
    }));
  } else {
    await client.ask({ ...asked, method: "GET" }, (said) => ({
      acts: isOk(said) ? [{ on: onThread(id), do: "read", value: labelOf(said.body) }] : [],
    }));
  }
}
