/**
 * Everything that the live environment is made of, or the test environment. `app.ts` builds the two; every use
 * case and every worker is given one, and nothing else tells them apart.
 */

import type { PlanLimits } from "#domain/sending/plan.ts";
import type { Env } from "#domain/team/api-key.ts";
import type { Role } from "#domain/team/role.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Capacity } from "#platform/capacity.ts";
import type { Clock } from "#platform/clock.ts";
import type { Dice } from "#platform/dice.ts";
import type { Feed } from "#platform/feed.ts";
import type { Ids } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import type { BillingPort } from "#platform/ports/billing.ts";
import type { Dns } from "#platform/ports/dns.ts";
import type { Http } from "#platform/ports/http.ts";
import type { Links } from "#platform/ports/links.ts";
import type { MailPort } from "#platform/ports/mail.ts";
import type { OauthPort } from "#platform/ports/oauth.ts";
import type { Spamd } from "#platform/ports/spamd.ts";
import type { Vault } from "#platform/secrets/crypto.ts";
import type { SideThread } from "#platform/side-thread.ts";
import type { ErasureList } from "#store/operations/erasure-list.ts";
import type { SuppressionLog } from "#store/operations/suppression-list.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Commit } from "#store/sqlite/commit.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { Folder } from "#store/sqlite/fold.ts";

export interface Environment {
  readonly name: Env;
  readonly db: Db;
  /** Where people and the teams that they belong to are: the live database, in both environments. */
  readonly people: Db;
  /** Makes an environment of its own, to play in. */
  readonly stage: (at: UnixMs, seed: number) => Stage;
  /** Answers dear questions from the files; null: they are in memory, and this thread answers. */
  readonly side: SideThread | null;
  /** Who was erased, beside the database: it outlives a restore. */
  readonly erasures: ErasureList;
  /** Who was suppressed, beside the database as well. */
  readonly suppressionLog: SuppressionLog;
  /** Every write goes through it; settles after the transaction is on disk. */
  readonly commit: Commit;
  /** Runs a statement that takes long beside this thread; null: there is nowhere. */
  readonly beside: Folder["run"];
  /** The time of campaigns and email; in the test environment it can be moved. */
  readonly clock: Clock;
  /** The time of keys, rate limits, idempotency and the audit log. */
  readonly wall: Clock;
  readonly ids: Ids;
  readonly dice: Dice;
  readonly vault: Vault;
  readonly mail: MailPort;
  /** Bytes of files in the emails that are in memory at once, whatever they are made for; both environments'. */
  readonly attachmentCapacity: Capacity;
  readonly dns: Dns;
  readonly oauth: OauthPort;
  /** Outgoing requests, real ones in the test environment too. */
  readonly http: Http;
  readonly links: Links;
  /** Null: none is configured. */
  readonly spamd: Spamd | null;
  /** Zones of DNS block lists that the addresses of mailboxes are looked up in. */
  readonly blockLists: readonly string[];
  /** Notifies listeners of new events. */
  readonly feed: Feed;
  readonly billing: BillingPort;
  /** What each plan lets a team have. */
  readonly plans: PlanLimits;
  /** Ed25519 public keys whose licences are believed, base64url. */
  readonly licenceKeys: readonly string[];
  readonly log: Log;
  /** Base of links in messages, without a slash at its end; null: only mailto forms are used. */
  readonly publicUrl: string | null;
  /** How long audit entries are kept; null: for good. */
  readonly auditKeptMs: number | null;
  /** How long bodies of requests are kept, in memory; 0 where they are not. */
  readonly requestBodiesMs: number;
  /** Real milliseconds until `clock` shows `at`: what a timer has to sleep. */
  readonly wallMsUntil: (at: UnixMs) => number;
  /** How often a mailbox is read. */
  readonly pollEveryMs: number;
  /** Mailboxes that may be watched, each over a connection of its own; 0: all are only polled. */
  readonly imapConnections: number;
  /** Tells the workers that a change may have brought work forward. */
  readonly wake: () => void;
}

/** A sandbox in memory whose clock is moved by whoever has it; nothing of it is kept, and no email leaves it. */
export interface Stage {
  readonly env: Environment;
  /** Does all that is due until then. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Who asks: a person, an API key, the command line, or the engine itself. */
export interface Caller {
  readonly teamId: Id;
  /** `user:<id>`, `key:<id>`, `operator` or `engine`; goes into the audit log. */
  readonly actor: string;
  readonly scopes: readonly string[];
  /** A person's role in the team. */
  readonly role?: Role;
  /** Whether the user is still signed in; asked by responses that take long, such as streams. */
  readonly isStillAllowed?: () => boolean;
  /** The request that asks, where there is one. */
  readonly requestId?: string;
}

/** The engine acting for a team. */
export function engineCaller(teamId: Id): Caller {
  return { teamId, actor: "engine", scopes: ["admin"] };
}
