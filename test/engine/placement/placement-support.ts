/** Seed mailboxes of the scripted environment: each shows test emails where a test says. */

import type { SeenMail } from "#platform/ports/mail.ts";
import type { LiveApp } from "../support.ts";

export interface Shown {
  place: SeenMail["place"];
  folder?: string;
  tab?: SeenMail["tab"];
  headers?: string;
}

export interface Seeds {
  /** Ids by address. */
  ids: Map<string, string>;
  /** Where the email to an address is; absent: nowhere. */
  shown: Map<string, Shown>;
  /** Addresses that cannot be read, and why. */
  broken: Map<string, { reason: string; login: boolean }>;
  /** Addresses that were looked into, in order. */
  looked: string[];
  /** Begins a run and answers its id. */
  begin(body?: object): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  run(id: string): Promise<any>;
}

export async function addSeeds(live: LiveApp, ...emails: readonly string[]): Promise<Seeds> {
  const seeds: Seeds = {
    ids: new Map(),
    shown: new Map(),
    broken: new Map(),
    looked: [],
    begin: async (body = {}) => {
      const { status, body: run, text } = await live.call("POST", "/placement/runs", body);
      if (status !== 201) {
        throw new Error(text);
      }
      return run.id;
    },
    run: async (id) => (await live.call("GET", `/placement/runs/${id}`)).body,
  };
  live.mail.seeing = ({ address }, wanted) => {
    seeds.looked.push(address);
    const broken = seeds.broken.get(address);
    if (broken !== undefined) {
      return { kind: "unreachable", ...broken };
    }
    const shown = seeds.shown.get(address);
    const sent = new Set(live.mail.taken.map(({ messageId }) => messageId));
    const found = wanted
      .filter(({ messageId }) => shown !== undefined && sent.has(messageId))
      .map(({ messageId }) => ({
        messageId,
        folder: shown?.folder ?? "INBOX",
        place: shown?.place ?? "inbox",
        tab: shown?.tab ?? null,
        receivedAt: live.app.wall.now(),
        headers: new TextEncoder().encode(shown?.headers ?? "Subject: x"),
      }));
    return { kind: "looked", found, junkFolder: "Spamverdacht", tabs: null };
  };
  for (const email of emails) {
    const imap = { host: "imap.seeds.example", password: "secret" };
    const { body, text } = await live.call("POST", "/placement/seeds", { email, imap });
    if (body.id === undefined) {
      throw new Error(text);
    }
    seeds.ids.set(email, body.id);
  }
  return seeds;
}
