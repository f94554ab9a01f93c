/**
 * The whole product without a socket: both environments in memory, a wall clock that stands where the test
 * puts it, ids and keys from a seed, a live mail port that the test may replace. `advance` moves the
 * test environment and runs what is due.
 */

import { buildEnvironments, type LiveStore, type OpenEnvironments } from "#app/environments.ts";
import { advancing, createApp, createEngines } from "#app.ts";
import type { PlanLimits } from "#domain/sending/plan.ts";
import type { Env } from "#domain/team/api-key.ts";
import { plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { Clock } from "#platform/clock.ts";
import { seededDice } from "#platform/dice.ts";
import { type Log, silentLog } from "#platform/log.ts";
import type { BillingPort } from "#platform/ports/billing.ts";
import type { Dns } from "#platform/ports/dns.ts";
import type { Http } from "#platform/ports/http.ts";
import type { Links } from "#platform/ports/links.ts";
import type { MailPort } from "#platform/ports/mail.ts";
import type { OauthPort } from "#platform/ports/oauth.ts";
import type { SignOn } from "#platform/ports/sign-on.ts";
import type { Spamd } from "#platform/ports/spamd.ts";
import { createVault } from "#platform/secrets/crypto.ts";
import type { ErasureList } from "#store/operations/erasure-list.ts";
import type { SuppressionList } from "#store/operations/suppression-list.ts";
import type { TeamRow } from "#store/tables/teams.ts";
import type { Operations } from "#usecases/operations/operations.ts";
import { createKey } from "#usecases/team/keys.ts";
import { createTeam, mirrorTeam } from "#usecases/team/teams.ts";
import { OPEN_DNS } from "./dns.ts";
import { checkEvents } from "./events.ts";
import { examinationOf } from "./examination.ts";

/** A Monday, 15:00 UTC. */
export const START = unixMs(Date.UTC(2026, 2, 2, 15));

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  headers: Headers;
  text: string;
}

export interface CallOptions {
  /** A whole key, or null for none. */
  key?: string | null;
  headers?: Record<string, string>;
}

export interface TestApp {
  environments: OpenEnvironments;
  team: TeamRow;
  keys: Record<Env, string>;
  wall: Clock & { set(at: UnixMs): void; move(ms: number): void };
  /** A call below `/api/v1` with the test key, unless told otherwise. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** The same with the live key. */
  live(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Any request, to any path. */
  fetch(request: Request): Promise<Response>;
  /** Another team with a key in each environment. */
  addTeam(name: string): Promise<{ team: TeamRow; keys: Record<Env, string> }>;
  /** Runs the test environment's workers up to `ms` from now. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  seed?: number;
  rateLimit?: number;
  /** Failed keys a minute; no limit if left out. */
  authFailures?: number;
  publicUrl?: string | null;
  mail?: MailPort | ((live: LiveStore) => MailPort);
  /** Live mailboxes that may be watched; none if left out. */
  imapConnections?: number;
  dns?: Dns;
  oauth?: OauthPort;
  /** Of both environments; a real one that reaches no private address if left out. */
  http?: Http;
  links?: Links;
  spamd?: Spamd;
  blockLists?: readonly string[];
  billing?: BillingPort;
  plans?: PlanLimits;
  licenceKeys?: readonly string[];
  log?: Log;
  docs?: boolean;
  /** How long bodies of requests are kept; not at all if left out. */
  requestBodiesMs?: number;
  signOn?: SignOn;
  paths?: Record<Env, string>;
  /** How long a write waits while another process writes; five seconds if left out. */
  busyMs?: number;
  /** Who was erased, beside the databases; nothing is remembered if left out. */
  erasures?: ErasureList;
  /** Who was suppressed, as {@link erasures}. */
  suppressions?: SuppressionList;
  /** What each reading moves the wall clock by; it stands where the test puts it if left out. */
  tickMs?: number;
  /** The installation; none if left out. */
  operations?: Operations;
}

export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  let now: UnixMs = START;
  const wall = {
    now: () => {
      now = plus(now, options.tickMs ?? 0);
      return now;
    },
    set: (at: UnixMs) => {
      now = at;
    },
    move: (ms: number) => {
      now = plus(now, ms);
    },
  };
  const environments = buildEnvironments({
    paths: options.paths ?? { live: ":memory:", test: ":memory:" },
    vault: createVault(new Uint8Array(32).fill(7)),
    wall,
    dice: seededDice(options.seed ?? 1),
    log: options.log ?? silentLog,
    publicUrl: options.publicUrl ?? null,
    sandboxSeed: options.seed ?? 1,
    imapConnections: options.imapConnections ?? 0,
    requestBodiesMs: options.requestBodiesMs ?? 0,
    ...(options.busyMs === undefined ? {} : { busyMs: options.busyMs }),
    ...(options.erasures === undefined ? {} : { erasures: options.erasures }),
    ...(options.suppressions === undefined ? {} : { suppressions: options.suppressions }),
    mail: (live) =>
      typeof options.mail === "function" ? options.mail(live) : (options.mail ?? noMail()),
    dns: options.dns ?? OPEN_DNS,
    ...(options.oauth === undefined ? {} : { oauth: options.oauth }),
    ...(options.http === undefined ? {} : { http: options.http }),
    ...(options.links === undefined ? {} : { links: options.links }),
    blockLists: options.blockLists ?? [],
    ...(options.spamd === undefined ? {} : { spamd: options.spamd }),
    ...(options.billing === undefined ? {} : { billing: options.billing }),
    ...(options.plans === undefined ? {} : { plans: options.plans }),
    licenceKeys: options.licenceKeys ?? [],
  });
  const engines = createEngines(environments);
  const app = createApp(environments, engines, {
    rateLimit: options.rateLimit ?? 0,
    authFailures: options.authFailures ?? 0,
    docs: options.docs ?? false,
    signOn: options.signOn ?? null,
    closing: () => false,
    checkResponses: true,
    ...(options.operations === undefined ? {} : { operations: options.operations }),
  });
  const addTeam = async (name: string) => {
    const team = await environments.live.commit(() => createTeam(environments.live, name));
    await environments.test.commit(() => mirrorTeam(environments.test, team));
    const caller = { teamId: team.id, actor: "operator", scopes: ["admin"] };
    const keys = { live: "", test: "" };
    for (const envName of ["live", "test"] as const) {
      const env = environments[envName];
      keys[envName] = (await env.commit(() => createKey(env, caller, { name: "first" }))).key;
    }
    return { team, keys };
  };
  const { team, keys } = await addTeam("Acme");
  const fetch = async (request: Request) => await app.handle(request);
  const callAs =
    (envName: Env) =>
    async (method: string, path: string, body?: unknown, call: CallOptions = {}) => {
      const key = call.key === undefined ? keys[envName] : call.key;
      const response = await fetch(
        new Request(`http://localhost/api/v1${path}`, {
          method,
          headers: {
            ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
            ...(body === undefined ? {} : { "Content-Type": "application/json" }),
            ...call.headers,
          },
          ...(body === undefined
            ? {}
            : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        }),
      );
      return read(response);
    };
  return {
    environments,
    team,
    keys,
    wall,
    call: callAs("test"),
    live: callAs("live"),
    fetch,
    addTeam,
    advance: (ms) => advancing(environments, engines.test)(plus(environments.clock.now(), ms)),
    close: () => {
      checkEvents(environments.live.db);
      checkEvents(environments.test.db);
      return environments.close();
    },
  };
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const body = isJson && text !== "" ? JSON.parse(text) : text;
  return { status: response.status, body, headers: response.headers, text };
}

/** A live environment that reaches nobody. */
function noMail(): MailPort {
  const reason = "this test has no mail servers";
  return {
    send: async () => ({ kind: "unreachable", stage: "connect", reason, bodySent: false }),
    poll: async () => ({ kind: "unreachable", reason, login: false }),
    watch: async () => ({ kind: "unsupported", reason }),
    find: async () => ({ kind: "uncheckable", reason }),
    sentSince: async () => ({ kind: "uncheckable", reason }),
    look: async () => ({ kind: "unreachable", reason, login: false }),
    saveSent: async () => ({ kind: "failed", reason }),
    test: async () => ({ smtp: { ok: false, error: reason }, imap: { ok: false, error: reason } }),
    examine: async () => {
      const check = { ok: false, error: reason };
      return examinationOf({ smtp: check, imap: check });
    },
    callout: async () => ({ replies: [], ended: null }),
    forget: () => undefined,
    close: async () => undefined,
  };
}
