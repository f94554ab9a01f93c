/**
 * The two environments of a data directory: opened, migrated, and given their ports. Whoever opens them closes
 * them. Commands use them beside a running server; `app.ts` adds doors and workers.
 */

import { join } from "node:path";
import { createLocalBilling } from "#billing/local.ts";
import { createStripeBilling } from "#billing/stripe.ts";
import type { Config } from "#config/config.ts";
import { CARRIED_BYTES_MAX } from "#domain/campaigns/file.ts";
import { PLAN_LIMITS, type PlanLimits } from "#domain/sending/plan.ts";
import { ENVS, type Env } from "#domain/team/api-key.ts";
import { messageOf } from "#domain/thrown.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS } from "#domain/time.ts";
import { later } from "#engine/run.ts";
import type { Environment } from "#environment.ts";
import { createDns } from "#mail/dns/dns.ts";
import { createMailPort } from "#mail/mail-port.ts";
import { createOauth } from "#mail/oauth/oauth-servers.ts";
import { createSpamd } from "#mail/spamd.ts";
import { createCapacity } from "#platform/capacity.ts";
import { type Clock, systemClock } from "#platform/clock.ts";
import { prepareDirectory, UnsafeKeyFile } from "#platform/data-directory.ts";
import { type Dice, systemDice } from "#platform/dice.ts";
import { createFeed } from "#platform/feed.ts";
import { createFetch } from "#platform/http/fetch.ts";
import { createHttp } from "#platform/http/http.ts";
import { createLinks } from "#platform/http/links.ts";
import { createIds, firstIdOf, type Ids } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import type { BillingPort } from "#platform/ports/billing.ts";
import type { Dns } from "#platform/ports/dns.ts";
import type { Http } from "#platform/ports/http.ts";
import type { Links } from "#platform/ports/links.ts";
import type { MailPort } from "#platform/ports/mail.ts";
import type { OauthPort } from "#platform/ports/oauth.ts";
import type { Spamd } from "#platform/ports/spamd.ts";
import type { Vault } from "#platform/secrets/crypto.ts";
import { type MasterKeys, openMasterKeys } from "#platform/secrets/master-keys.ts";
import { createSideThread, type SideThread } from "#platform/side-thread.ts";
import { StartFailure } from "#platform/start-failure.ts";
import { createMovableClock, type MovableClock } from "#sandbox/clock.ts";
import { createSandboxDns } from "#sandbox/dns.ts";
import { createSandboxMail, POLL_EVERY_MS as SANDBOX_POLL_EVERY_MS } from "#sandbox/mail.ts";
import { createSandboxOauth } from "#sandbox/oauth.ts";
import { ERASURE_LIST, type ErasureList, erasureListAt } from "#store/operations/erasure-list.ts";
import { noList } from "#store/operations/numbered-list.ts";
import {
  createSuppressionLog,
  SUPPRESSION_FILE,
  type SuppressionList,
  type SuppressionLog,
  suppressionListAt,
} from "#store/operations/suppression-list.ts";
import { setSandboxSeed } from "#store/sandbox/sandbox.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { type Commit, type Committer, createCommitter } from "#store/sqlite/commit.ts";
import { damageInWords, isDamage, onDamage } from "#store/sqlite/damage.ts";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";
import { latestId } from "#store/sqlite/latest-id.ts";
import { migrate, NewerDatabase } from "#store/sqlite/migrate.ts";
import type { SlowWatch } from "#store/sqlite/watched.ts";
import { listTeams } from "#store/team/teams.ts";
import type { ReadingSetup } from "#usecases/forecast/foresight.ts";
import { keepRefreshToken } from "#usecases/mailboxes/credentials.ts";
import { recordWorkspace } from "#usecases/mailboxes/workspaces.ts";
import { mirrorTeam } from "#usecases/team/teams.ts";
import { staging } from "./stage.ts";

/** How often a mailbox is read, by the environment's own clock, where the configuration does not say. */
const POLL_EVERY_MS: Readonly<Record<Env, number>> = {
  live: MINUTE_MS,
  test: SANDBOX_POLL_EVERY_MS,
};

export interface OpenEnvironments {
  readonly live: Environment;
  readonly test: Environment;
  /** The test environment's clock. */
  readonly clock: MovableClock;
  /** Of the data directory; left out where there is none. */
  readonly keys?: MasterKeys;
  /** Counts the live environment's commits from here on, as {@link Committer} says. */
  countCommits: Committer["count"];
  /** Holds the test environment's commits while its clock jumps, as {@link Committer} says. */
  holdCommits: Committer["hold"];
  /** What `env.wake` calls, once there are workers. */
  onWake(envName: Env, wake: () => void): void;
  /** Writes nothing more, and cuts connections to mail servers: what they answer is not recorded. */
  abandon(): Promise<void>;
  /** Waits for writes under way, then closes both files. */
  close(): Promise<void>;
}

/** What the live environment's email is made from. */
export interface LiveStore {
  db: Db;
  commit: Commit;
  vault: Vault;
  /** As `MailOptions.onWorkspace`. */
  onWorkspace(workspaceId: Id, reason: string | null): Promise<void>;
}

/** What an environment is made from; tests hand in their own. */
export interface Parts {
  /** Path of each environment's database; `:memory:` for tests. */
  paths: Readonly<Record<Env, string>>;
  vault: Vault;
  wall: Clock;
  dice: Dice;
  log: Log;
  /** Who was erased; nothing is remembered beside the databases if left out. */
  erasures?: ErasureList;
  /** Who was suppressed; as {@link erasures}. */
  suppressions?: SuppressionList;
  /** Statements that take at least this long are logged; none if left out. */
  slowQueryMs?: number;
  /** How long a write waits while another process writes; five seconds if left out. */
  busyMs?: number;
  publicUrl: string | null;
  /** How long audit entries are kept; for good if left out. */
  auditKeptMs?: number | null;
  requestBodiesMs?: number;
  /** Of teams that have set none of their own; 1 if left out. */
  sandboxSeed?: number;
  /** How often a live mailbox is read; every minute if left out. */
  pollMs?: number;
  /** Live mailboxes that may be watched at once; none if left out. */
  imapConnections?: number;
  /** The live environment's email; the test environment's is the sandbox. */
  mail: (live: LiveStore) => MailPort;
  /** The live environment's; the test environment's is the sandbox's. */
  dns: Dns;
  /** The live environment's, the providers' own if left out; the test environment's is the sandbox's. */
  oauth?: OauthPort;
  /** Both environments'; if left out a real one that reaches no private address. */
  http?: Http;
  /** Both environments'; as {@link http}. */
  links?: Links;
  /** Zones that the live environment asks; none if left out. */
  blockLists?: readonly string[];
  /** Both environments'; none if left out. */
  spamd?: Spamd | null;
  /** The live environment's, local if left out; the test environment's is always local. */
  billing?: BillingPort;
  /** Ours if left out. */
  plans?: PlanLimits;
  /** Public keys whose licences are believed; none if left out. */
  licenceKeys?: readonly string[];
}

/** Opens the data directory of `config`. Throws {@link StartFailure}. */
export function openEnvironments(config: Config, log: Log): OpenEnvironments {
  try {
    prepareDirectory(config.dataDir);
  } catch (error) {
    throw new StartFailure("unwritable", `cannot make ${config.dataDir}: ${messageOf(error)}`);
  }
  let keys: MasterKeys;
  try {
    keys = openMasterKeys(config.dataDir, config.masterKey);
  } catch (error) {
    const kind = error instanceof UnsafeKeyFile ? "damaged" : "unwritable";
    throw new StartFailure(kind, messageOf(error));
  }
  const { vault } = keys;
  const dns = createDns({ clock: systemClock, servers: config.dnsServers });
  const fetch = createFetch(dns);
  const oauth = createOauth(config.oauth, { clock: systemClock, fetch, log });
  const environments = buildEnvironments({
    paths: { live: join(config.dataDir, "live.db"), test: join(config.dataDir, "test.db") },
    vault,
    wall: systemClock,
    dice: systemDice(),
    log,
    erasures: erasureListAt(join(config.dataDir, ERASURE_LIST)),
    suppressions: suppressionListAt(join(config.dataDir, SUPPRESSION_FILE)),
    slowQueryMs: config.operations.slowQueryMs,
    publicUrl: config.publicUrl,
    auditKeptMs: config.auditDays === 0 ? null : config.auditDays * DAY_MS,
    requestBodiesMs: config.requestBodyHours * HOUR_MS,
    sandboxSeed: config.sandboxSeed,
    pollMs: config.pollSeconds * SECOND_MS,
    imapConnections: config.imapConnections,
    plans: config.plans,
    licenceKeys: config.licenceKeys,
    ...(config.stripe === null
      ? {}
      : { billing: createStripeBilling({ ...config.stripe, fetch }) }),
    dns,
    oauth,
    http: createHttp({ dns, allowCidrs: config.allowCidrs }),
    links: createLinks({ dns, allowCidrs: config.allowCidrs }),
    blockLists: config.blockLists,
    spamd: config.spamd === null ? null : createSpamd({ ...config.spamd, dns }),
    mail: ({ db, commit, onWorkspace }) =>
      createMailPort({
        onWorkspace,
        dns,
        oauth,
        clock: systemClock,
        log,
        allowCidrs: config.allowCidrs,
        ...(config.mailCa === null ? {} : { ca: config.mailCa }),
        onRotated: (accountId, token, older) => {
          const rotated = { db, vault, accountId, token, older, now: systemClock.now() };
          return commit(() => keepRefreshToken(rotated));
        },
      }),
  });
  return { ...environments, keys };
}

export function buildEnvironments(parts: Parts): OpenEnvironments {
  const { vault, wall, log, dice } = parts;
  const stores = { live: openStore(parts, "live"), test: openStore(parts, "test") };
  for (const env of ENVS) {
    onDamage(stores[env].db, (cause) => {
      log.error("the database is damaged: nothing is sent until it is replaced", { env, cause });
    });
  }
  const clock = createMovableClock({ ...stores.test, base: wall });
  // Each environment has its own: an id holds its environment's time, and the sandbox's may run ahead.
  const ids = {
    live: goOn(dice, stores.live.db, wall),
    test: goOn(dice, stores.test.db, clock),
  };
  const wakers = new Map<Env, () => void>();
  const pollEveryMs = { ...POLL_EVERY_MS, live: parts.pollMs ?? POLL_EVERY_MS.live };
  const shared = sharedOf(parts, Object.values(stores));
  const { publicUrl, plans, licenceKeys } = shared;
  const stageSetup = { publicUrl, plans, licenceKeys };
  const common = (envName: Env) => ({
    ...shared,
    ids: ids[envName],
    feed: createFeed(),
    name: envName,
    db: stores[envName].db,
    people: stores.live.db,
    commit: stores[envName].commit,
    beside: stores[envName].log.run,
    suppressionLog: stores[envName].suppressionLog,
    stage: staging(buildEnvironments, stageSetup),
    pollEveryMs: pollEveryMs[envName],
    imapConnections: envName === "live" ? (parts.imapConnections ?? 0) : 0,
    wake: () => wakers.get(envName)?.(),
  });
  const live: Environment = {
    ...common("live"),
    clock: wall,
    mail: parts.mail({
      ...{ ...stores.live, vault },
      onWorkspace: (id, reason) => live.commit(() => recordWorkspace(live, id, reason)),
    }),
    dns: parts.dns,
    blockLists: parts.blockLists ?? [],
    oauth: parts.oauth ?? createOauth({}, { clock: wall, fetch: createFetch(parts.dns), log }),
    billing: parts.billing ?? createLocalBilling("live", vault),
    wallMsUntil: (at) => at - wall.now(),
  };
  const test: Environment = {
    ...common("test"),
    clock,
    mail: createSandboxMail({ ...stores.test, clock, ids: ids.test }),
    dns: createSandboxDns(stores.test.db),
    blockLists: [],
    oauth: createSandboxOauth(clock, parts.publicUrl),
    billing: createLocalBilling("test", vault),
    wallMsUntil: (at) => clock.baseMsUntil(at),
  };
  setSandboxSeed(test.db, parts.sandboxSeed ?? 1);
  repairTeams(live, test);
  return {
    live,
    test,
    clock,
    countCommits: stores.live.count,
    holdCommits: stores.test.hold,
    onWake: (envName, wake) => {
      wakers.set(envName, wake);
    },
    abandon: async () => {
      await Promise.all(ENVS.map((envName) => stores[envName].drain()));
      await Promise.all([live.mail.close(), test.mail.close()]);
    },
    close: async () => {
      await Promise.all([shared.side?.stop(), live.mail.close(), test.mail.close()]);
      for (const envName of ENVS) {
        await stores[envName].drain();
        closeDatabase(stores[envName].db);
      }
    },
  };
}

/** What both environments have in common. */
function sharedOf(parts: Parts, stores: readonly Store[]) {
  const { vault, wall, log, dice, publicUrl, dns } = parts;
  return {
    ...{ vault, wall, log, dice, publicUrl },
    side: sideThreadOf(parts, stores),
    attachmentCapacity: createCapacity(CARRIED_BYTES_MAX),
    erasures: parts.erasures ?? noList,
    auditKeptMs: parts.auditKeptMs ?? null,
    requestBodiesMs: parts.requestBodiesMs ?? 0,
    http: parts.http ?? createHttp({ dns, allowCidrs: [] }),
    links: parts.links ?? createLinks({ dns, allowCidrs: [] }),
    spamd: parts.spamd ?? null,
    plans: parts.plans ?? PLAN_LIMITS,
    licenceKeys: parts.licenceKeys ?? [],
  };
}

/**
 * Its files must be there when it starts, which its first question does. Its questions each read one state of
 * them, and pause where that keeps a log from beginning anew.
 */
function sideThreadOf(parts: Parts, stores: readonly Store[]): SideThread | null {
  const { paths, publicUrl, plans = PLAN_LIMITS, licenceKeys = [] } = parts;
  if (Object.values(paths).includes(":memory:")) {
    return null;
  }
  return createSideThread(
    { paths, publicUrl, plans, licenceKeys } satisfies ReadingSetup,
    parts.log,
    {
      isWanted: () => stores.some(({ log }) => log.isLong()),
      begun: async () => {
        await Promise.all(stores.map(({ log }) => log.paused()));
      },
    },
  );
}

type Store = Committer & { db: Db; suppressionLog: SuppressionLog };

const SQL_CHARS_MAX = 500;
/** How often a commit looks whether another process has let go of the file. */
const LOCK_RETRY_MS = 10;

/** Statements without their values: these name people. */
function slowWatch({ slowQueryMs = 0, log }: Parts): SlowWatch | undefined {
  const tell = (sql: string, ms: number) => {
    log.warn("slow statement", { ms: Math.round(ms), sql: sql.slice(0, SQL_CHARS_MAX) });
  };
  return slowQueryMs === 0 ? undefined : { ms: slowQueryMs, tell };
}

function openStore(parts: Parts, env: Env): Store {
  const { busyMs, log, wall } = parts;
  const path = parts.paths[env];
  let db: Db;
  try {
    db = openDatabase(path, slowWatch(parts));
  } catch (error) {
    throw isDamage(error)
      ? new StartFailure("damaged", damageInWords(path, messageOf(error)))
      : new StartFailure("unwritable", `cannot open ${path}: ${messageOf(error)}`);
  }
  try {
    migrate(db);
  } catch (error) {
    if (isDamage(error)) {
      throw new StartFailure("damaged", damageInWords(path, messageOf(error)));
    }
    const kind = error instanceof NewerDatabase ? "newer_data" : "damaged";
    throw new StartFailure(kind, `${path}: ${messageOf(error)}`);
  }
  const again = (retry: () => void) => later(LOCK_RETRY_MS, retry);
  const list = parts.suppressions ?? noList;
  const suppressionLog = createSuppressionLog({ db, env, list, now: wall.now, log });
  const committer = createCommitter(db, { again, busyMs, beside: suppressionLog });
  return { db, suppressionLog, ...committer };
}

/** Ids of a file written with a clock that was further ahead are passed over: order is not worth a wrong time. */
const AHEAD_MS_MAX = 365 * DAY_MS;

/** Ids after those of the process before, whose clock may have been ahead of ours. */
function goOn(dice: Dice, db: Db, clock: Clock): Ids {
  return createIds(dice, latestId(db, firstIdOf(plus(clock.now(), AHEAD_MS_MAX))));
}

/** A team is made in the live environment first; a crash may have come between. */
function repairTeams(live: Environment, test: Environment): void {
  for (const team of listTeams(live.db)) {
    mirrorTeam(test, team);
  }
}
