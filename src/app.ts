/**
 * Composition: configuration, two environments, their doors and workers. The only file that sees everything.
 */

import type { AnyElysia } from "elysia";
import { DOCUMENT_PATH, documentOf, documentRoutes } from "#api/openapi.ts";
import { authenticate } from "#api/plugins/auth.ts";
import { apiRoutes, uncheckedResponses } from "#api/resources.ts";
import { type Admitted, createServer } from "#api/server.ts";
import { assistantRoutes } from "#app/assistants.ts";
import { createCertificates } from "#app/certificates.ts";
import { type OpenEnvironments, openEnvironments } from "#app/environments.ts";
import { createOperations, scheduleOf } from "#app/operations.ts";
import { ownHosts } from "#app/own-hosts.ts";
import {
  type Cleared,
  carryOutLists,
  checkAfterCrash,
  clearUp,
  isLeftUnchecked,
  lookForLost,
} from "#app/startup.ts";
import { backupBeforeMigration } from "#app/upgrade.ts";
import { COMMIT, VERSION } from "#app/version.ts";
import type { Config } from "#config/config.ts";
import { providerOf } from "#config/people.ts";
import type { ApiDocument } from "#domain/openapi.ts";
import { messageOf } from "#domain/thrown.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Installation } from "#engine/installation.ts";
import { createEngine, type Engine } from "#engine/run.ts";
import { createWorkers } from "#engine/workers.ts";
import type { Caller, Environment } from "#environment.ts";
import { systemClock } from "#platform/clock.ts";
import { prepareDirectory } from "#platform/data-directory.ts";
import { createFetch } from "#platform/http/fetch.ts";
import { createLog, type Log } from "#platform/log.ts";
import type { SignOn } from "#platform/ports/sign-on.ts";
import { createSignOn } from "#platform/secrets/openid.ts";
import { placesOf } from "#platform/source-map.ts";
import { StartFailure } from "#platform/start-failure.ts";
import { watchTurns } from "#platform/turns.ts";
import { applyRestore } from "#store/operations/restore.ts";
import { setSynchronous } from "#store/sqlite/database.ts";
import { type DirectoryLock, DirectoryLocked, lockDirectory } from "#store/sqlite/lock.ts";
import type { Finding, Operations } from "#usecases/operations/operations.ts";
import { BILLING_PATHS, billingPages } from "#web/billing.ts";
import { CONSOLE_PATHS, consoleRoutes } from "#web/console.ts";
import { digestRoutes } from "#web/digest.ts";
import { ERRORS_PATH, guideRoutes, LLMS_PATH } from "#web/docs/guide.ts";
import { DOCS_PATHS, referenceRoutes } from "#web/docs/reference.ts";
import { SDK_PATHS, sdkRoutes } from "#web/docs/sdk.ts";
import { METRICS_PATHS, metricsRoutes } from "#web/monitoring/door.ts";
import { MOUNT_PATHS, mountRoutes } from "#web/mount.ts";
import { OAUTH_PATHS, oauthPages } from "#web/oauth.ts";
import { lostPage } from "#web/page.ts";
import { passkeyRoutes } from "#web/passkeys.ts";
import { PUBLIC_PATHS, publicRoutes } from "#web/public.ts";
import { REPORT_PATHS, reportRoutes } from "#web/report.ts";
import { SECURITY_TXT_PATH, securityTxtRoutes } from "#web/security-txt.ts";
import { SESSION_PATHS, sessionRoutes } from "#web/sessions.ts";
import { signOnRoutes } from "#web/sign-on.ts";
import { TRACKING_PATHS, trackingRoutes } from "#web/tracking.ts";

/** How long requests under way may take to finish when the program stops. */
const STOP_MS_MAX = 25_000;
/** How long the workers then have for what they hold; with the former less than the minute of a service. */
const WORKERS_MS_MAX = 15_000;
/** How long what was cut may take to notice. */
const CUT_MS_MAX = 2_000;

export interface Engines {
  live: Engine;
  test: Engine;
}

/** Doors on two environments, without a socket: what tests talk to. */
export function createApp(
  environments: OpenEnvironments,
  engines: Engines,
  options: {
    rateLimit: number;
    /** As in {@link Config}; 0 and none if left out. */
    authFailures?: number;
    trustedProxies?: Config["trustedProxies"];
    allowedHosts?: readonly string[];
    corsOrigins?: readonly string[];
    docs: boolean;
    closing: () => boolean;
    /** Holds every answer against its schema, as the tests do. */
    checkResponses: boolean;
    /** The installation; left out where there is none, as in tests. */
    operations?: Operations;
    /** Opens `/metrics` besides an operator's key. */
    metricsToken?: string | null;
    /** Whom to tell of a vulnerability; nobody if left out. */
    securityContact?: string | null;
    /** Who people may sign in with besides their passwords; nobody if left out. */
    signOn?: SignOn | null;
  },
) {
  const advance = advancing(environments, engines.test);
  const clockControl = { clock: environments.clock, advance };
  const { operations, metricsToken = null, signOn = null } = options;
  const routes = () => apiRoutes(environments, clockControl, operations);
  const document = documentOf(routes, VERSION);
  const docs = options.docs ? [...DOCS_PATHS, ...SDK_PATHS, LLMS_PATH] : [];
  const { publicUrl } = environments.live;
  const trustedProxies = options.trustedProxies ?? [];
  const door = { publicUrl, trustedProxies, signOn };
  const withoutCertificate = () =>
    operations?.certificates().filter(({ until }) => until === null).length ?? 0;
  const admitted: Admitted = new WeakMap();
  const forward = async (request: Request, env: Environment, caller: Caller): Promise<Response> => {
    admitted.set(request, { env, caller });
    return await app.handle(request);
  };
  const app = createServer(environments, {
    rateLimit: options.rateLimit,
    authFailures: options.authFailures ?? 0,
    trustedProxies,
    ...ownHosts(environments.live, options.allowedHosts ?? []),
    corsOrigins: options.corsOrigins ?? [],
    lostPage,
    admitted,
    errorDocs: options.docs ? `${publicUrl ?? ""}${ERRORS_PATH}` : null,
    publicPaths: [
      ...PUBLIC_PATHS,
      SECURITY_TXT_PATH,
      ...REPORT_PATHS,
      ...TRACKING_PATHS,
      ...BILLING_PATHS,
      ...OAUTH_PATHS,
      ...CONSOLE_PATHS,
      ...SESSION_PATHS,
      ...MOUNT_PATHS,
      ...METRICS_PATHS,
      ...docs,
      DOCUMENT_PATH,
    ],
  })
    .use(publicRoutes(environments, { closing: options.closing, withoutCertificate }))
    .use(securityTxtRoutes(options.securityContact ?? null, publicUrl, environments.live.wall.now))
    .use(trackingRoutes(environments))
    .use(reportRoutes(environments, door))
    .use(billingPages(environments))
    .use(oauthPages(environments))
    .use(consoleRoutes())
    .use(sessionRoutes(environments, door))
    .use(passkeyRoutes(environments.live, door))
    .use(digestRoutes(environments.live, door))
    .use(mountRoutes(environments, { ...door, forward }))
    .use(documentRoutes(document));
  // Nobody here reads their types, which are deep.
  const served: AnyElysia = routes();
  app.use(options.checkResponses ? served : uncheckedResponses(served));
  app.use(assistantRoutes(document, { publicUrl, forward, now: environments.live.wall.now }));
  if (signOn !== null) {
    app.use(signOnRoutes(environments.live, door, signOn));
  }
  if (operations !== undefined) {
    const callerOf = (request: Request) => authenticate(environments, request).caller;
    app.use(metricsRoutes({ environments, operations, token: metricsToken, callerOf }));
  }
  const readable = document as unknown as () => Promise<ApiDocument>;
  return options.docs
    ? app.use(referenceRoutes(readable)).use(guideRoutes()).use(sdkRoutes(VERSION))
    : app;
}

/**
 * Moves the test environment's clock. Its file does not wait for the disk meanwhile, and commits by
 * stretches: a crash loses the last of them as a whole, with what the clock showed.
 */
export function advancing(
  environments: OpenEnvironments,
  engine: Engine,
): (to: UnixMs) => Promise<void> {
  return async (to) => {
    setSynchronous(environments.test.db, "NORMAL");
    try {
      await engine.advance(environments.clock, to, environments.holdCommits);
    } finally {
      setSynchronous(environments.test.db, "FULL");
    }
  };
}

export function createEngines(
  environments: OpenEnvironments,
  installation: Omit<Installation, "keys"> = {},
): Engines {
  const { keys } = environments;
  const own = { ...installation, keys };
  const live = createEngine(environments.live, createWorkers(environments.live, own));
  const test = createEngine(environments.test, createWorkers(environments.test, { keys }));
  environments.onWake("live", live.wake);
  environments.onWake("test", test.wake);
  return { live, test };
}

export interface RunningApp {
  /** Where it can really be reached, for example `http://127.0.0.1:8480`. */
  url: string;
  environments: OpenEnvironments;
  engines: Engines;
  /** Resolves when a restore lies ready: stop, and start again with the same configuration. */
  restart: Promise<void>;
  /** Ends gracefully: what is under way is finished and recorded. */
  stop(): Promise<void>;
}

export interface StartOptions {
  log?: Log;
  /** The doctor's list, for the operator; empty if left out. */
  findings?: () => Promise<Finding[]>;
}

/** Opens the data directory, recovers, listens. Throws {@link StartFailure} or `ConfigError`. */
export async function startApp(config: Config, options: StartOptions = {}): Promise<RunningApp> {
  const log = options.log ?? logOf(config);
  const provider = providerOf(config);
  const lock = lockOrFail(config);
  const stopping = new AbortController();
  watchTurns(({ by, ms, cpuMs }) => {
    const times = { ms: Math.round(ms), cpu_ms: Math.round(cpuMs) };
    log.warn("the main thread was blocked", { by, ...times });
  });
  const environments = await openData(config, log, lock);
  const knownAt = await carryOutLists(environments, lock, log);
  const restart = Promise.withResolvers<void>();
  const certificates = createCertificates(
    config,
    environments.live,
    (request: Request): Response | Promise<Response> => app.fetch(request),
  );
  const operations = createOperations({
    config,
    certificates,
    environments,
    engines: () => engines,
    startedAt: environments.live.wall.now(),
    findings: options.findings ?? (() => Promise.resolve([])),
    restart: restart.resolve,
  });
  const engines = createEngines(environments, {
    backups: scheduleOf(config, () => operations),
    certificates: certificates?.schedule,
    checkup: { isDue: lock.isUnclean && isLeftUnchecked(config), signal: stopping.signal },
    replyModel: replyModelOf(config, environments.live, stopping.signal),
  });
  const app = createApp(environments, engines, {
    ...config,
    closing: () => stopping.signal.aborted,
    checkResponses: false,
    operations,
    metricsToken: config.operations.metricsToken,
    securityContact: config.operations.securityContact,
    signOn: provider && createSignOn(provider, systemClock, createFetch(environments.live.dns)),
  });
  try {
    app.listen({ hostname: config.host, port: config.port });
  } catch (error) {
    await environments.close();
    lock.release();
    const cause = messageOf(error);
    throw new StartFailure(
      "address_taken",
      `cannot listen on ${config.host}:${config.port}: ${cause}`,
    );
  }
  const { server } = app;
  const cleared = await clearUp(environments, config, log, knownAt);
  const started = begin(environments, engines, cleared, () => stopping.signal.aborted);
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const url = `http://${host}:${server?.port}`;
  lock.announce(config.publicUrl ?? url, { url, version: VERSION, commit: COMMIT });
  return {
    url,
    environments,
    engines,
    restart: restart.promise,
    stop: async () => {
      stopping.abort();
      operations.stop();
      // Streams have no end of their own.
      environments.live.feed.close();
      environments.test.feed.close();
      const ended = Promise.all([server?.stop(false), certificates?.stop(false)]);
      await Promise.race([ended, deadline(STOP_MS_MAX)]);
      await Promise.all([server?.stop(true), certificates?.stop(true)]);
      await stopWorkers(environments, engines, started, log);
      await environments.close();
      cleared.witness.close();
      lock.release();
    },
  };
}

function replyModelOf(config: Config, { dns }: Environment, signal: AbortSignal) {
  const { url, name, key } = config.operations.replyModel;
  return url === null ? undefined : { url, name, key, fetch: createFetch(dns), signal };
}

/**
 * Lets workers finish what they hold. A server that withholds its answer for too long is left: an email whose
 * body it has is looked for in the Sent folder at the next start, as after a crash.
 */
async function stopWorkers(
  environments: OpenEnvironments,
  engines: Engines,
  started: Promise<void>,
  log: Log,
): Promise<void> {
  let isIdle = false;
  const idle = Promise.all([started, engines.live.stop(), engines.test.stop()]).then(() => {
    isIdle = true;
  });
  await Promise.race([idle, deadline(WORKERS_MS_MAX)]);
  if (!isIdle) {
    log.warn("stopping while mail servers owe an answer: the next start finds out what they did");
    await environments.abandon();
    await Promise.race([idle, deadline(CUT_MS_MAX)]);
  }
}

/** A restore that lies ready is carried out; nothing is migrated that has not been saved. */
async function openData(config: Config, log: Log, lock: DirectoryLock): Promise<OpenEnvironments> {
  try {
    if (applyRestore(config.dataDir)) {
      log.warn("a backup was put in the place of the data", { data: config.dataDir });
    } else if (lock.isUnclean) {
      checkAfterCrash(config);
    }
    await backupBeforeMigration(config, log);
    return openEnvironments(config, log);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Starts the workers once it has been looked whether mailboxes sent what the data does not know. */
async function begin(
  environments: OpenEnvironments,
  engines: Engines,
  { knownAt }: Cleared,
  closing: () => boolean,
): Promise<void> {
  await lookForLost(environments.live, knownAt, closing);
  if (!closing()) {
    engines.live.start();
    engines.test.start();
  }
}

function lockOrFail(config: Config): DirectoryLock {
  try {
    prepareDirectory(config.dataDir);
    return lockDirectory(config.dataDir, process.pid);
  } catch (error) {
    const cause = messageOf(error);
    throw error instanceof DirectoryLocked
      ? new StartFailure("locked", cause)
      : new StartFailure("unwritable", `cannot write in ${config.dataDir}: ${cause}`);
  }
}

const places = placesOf(process.execPath, COMMIT);

/** Lines on stderr: stdout is for what a command was asked for. */
export function logOf(config: Config): Log {
  const human =
    config.logFormat === "human" || (config.logFormat === "auto" && process.stderr.isTTY);
  return createLog({
    clock: systemClock,
    level: config.logLevel,
    format: human ? "human" : "json",
    write: (line) => {
      process.stderr.write(places(line));
    },
  });
}

function deadline(ms: number): Promise<void> {
  const signal = AbortSignal.timeout(ms);
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
