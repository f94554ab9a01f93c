/**
 * Composition: configuration, two worlds, their doors and lanes. The only file that sees everything.
 */

import { DOCUMENT_PATH, documentRoutes } from "#api/openapi.ts";
import { apiRoutes, createServer, uncheckedAnswers } from "#api/server.ts";
import type { Config } from "#config.ts";
import type { UnixMs } from "#domain/time.ts";
import { createLanes } from "#engine/lanes.ts";
import { recover } from "#engine/recover.ts";
import { createEngine, type Engine } from "#engine/run.ts";
import { systemClock } from "#runtime/clock.ts";
import { prepareDirectory } from "#runtime/data-directory.ts";
import { createLog, type Log } from "#runtime/log.ts";
import { StartFailure } from "#runtime/start-failure.ts";
import { setSynchronous } from "#store/database.ts";
import { DirectoryLocked, type Lock, lockDirectory } from "#store/lock.ts";
import { VERSION } from "#version.ts";
import { BILLING_PATHS, billingPages } from "#web/billing.ts";
import { DOCS_PATHS, docsRoutes } from "#web/docs.ts";
import { OAUTH_PATHS, oauthPages } from "#web/oauth.ts";
import { PUBLIC_PATHS, publicRoutes } from "#web/public.ts";
import { TRACKING_PATHS, trackingRoutes } from "#web/tracking.ts";
import { type OpenWorlds, openWorlds } from "#worlds.ts";

/** How long requests under way may take to finish when the program stops. */
const STOP_MS_MAX = 25_000;

export interface Engines {
  live: Engine;
  test: Engine;
}

/** Doors on two worlds, without a socket: what tests talk to. */
export function createApp(
  worlds: OpenWorlds,
  engines: Engines,
  options: {
    rateLimit: number;
    /** As in {@link Config}; 0 and none if left out. */
    authFailures?: number;
    trustedProxies?: Config["trustedProxies"];
    docs: boolean;
    closing: () => boolean;
    /** Holds every answer against its schema, as the tests do. */
    checkAnswers: boolean;
  },
) {
  const advance = advancing(worlds, engines.test);
  const clockControl = { clock: worlds.clock, advance };
  const routes = apiRoutes(worlds, clockControl);
  const docs = options.docs ? DOCS_PATHS : [];
  const app = createServer(worlds, {
    rateLimit: options.rateLimit,
    authFailures: options.authFailures ?? 0,
    trustedProxies: options.trustedProxies ?? [],
    publicPaths: [
      ...PUBLIC_PATHS,
      ...TRACKING_PATHS,
      ...BILLING_PATHS,
      ...OAUTH_PATHS,
      ...docs,
      DOCUMENT_PATH,
    ],
  })
    .use(publicRoutes(worlds, { closing: options.closing }))
    .use(trackingRoutes(worlds))
    .use(billingPages(worlds))
    .use(oauthPages(worlds))
    .use(documentRoutes(routes, VERSION))
    .use(options.checkAnswers ? routes : uncheckedAnswers(apiRoutes(worlds, clockControl)));
  return options.docs ? app.use(docsRoutes()) : app;
}

/** Moves the test world's clock; its file does not wait for the disk meanwhile. */
export function advancing(worlds: OpenWorlds, engine: Engine): (to: UnixMs) => Promise<void> {
  return async (to) => {
    setSynchronous(worlds.test.db, "OFF");
    try {
      await engine.advance(worlds.clock, to);
    } finally {
      setSynchronous(worlds.test.db, "FULL");
    }
  };
}

export function createEngines(worlds: OpenWorlds): Engines {
  const live = createEngine(worlds.live, createLanes(worlds.live));
  const test = createEngine(worlds.test, createLanes(worlds.test));
  worlds.onWake("live", live.wake);
  worlds.onWake("test", test.wake);
  return { live, test };
}

export interface RunningApp {
  /** Where it can really be reached, for example `http://127.0.0.1:8480`. */
  url: string;
  worlds: OpenWorlds;
  engines: Engines;
  /** Ends gracefully: what is under way is finished and recorded. */
  stop(): Promise<void>;
}

/** Opens the data directory, recovers, listens. Throws {@link StartFailure}. */
export async function startApp(config: Config, log: Log = logOf(config)): Promise<RunningApp> {
  const lock = lockOrFail(config);
  let closing = false;
  const worlds = openWorlds(config, log);
  const engines = createEngines(worlds);
  const app = createApp(worlds, engines, {
    rateLimit: config.rateLimit,
    authFailures: config.authFailures,
    trustedProxies: config.trustedProxies,
    docs: config.docs,
    closing: () => closing,
    checkAnswers: false,
  });
  try {
    app.listen({ hostname: config.host, port: config.port });
  } catch (error) {
    await worlds.close();
    lock.release();
    const cause = error instanceof Error ? error.message : String(error);
    throw new StartFailure(
      "address_taken",
      `cannot listen on ${config.host}:${config.port}: ${cause}`,
    );
  }
  const { server } = app;
  for (const world of [worlds.live, worlds.test]) {
    const { retried, found, unknown, unreadable } = await recover(world);
    if (unreadable > 0) {
      log.error("credentials cannot be read: the master key has changed", {
        world: world.env,
        accounts: unreadable,
      });
    }
    if (retried + found + unknown > 0) {
      log.warn("resolved what a crash left", { world: world.env, retried, found, unknown });
    }
  }
  engines.live.start();
  engines.test.start();
  return {
    url: `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${server?.port}`,
    worlds,
    engines,
    stop: async () => {
      closing = true;
      // Streams have no end of their own.
      worlds.live.feed.close();
      worlds.test.feed.close();
      const ended = server?.stop(false);
      await Promise.race([ended, deadline(STOP_MS_MAX)]);
      await server?.stop(true);
      await Promise.all([engines.live.stop(), engines.test.stop()]);
      await worlds.close();
      lock.release();
    },
  };
}

function lockOrFail(config: Config): Lock {
  try {
    prepareDirectory(config.dataDir);
    return lockDirectory(config.dataDir, process.pid);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new StartFailure(error instanceof DirectoryLocked ? "locked" : "unwritable", cause);
  }
}

/** Lines on stderr: stdout is for what a command was asked for. */
export function logOf(config: Config): Log {
  const human =
    config.logFormat === "human" || (config.logFormat === "auto" && process.stderr.isTTY);
  return createLog({
    clock: systemClock,
    level: config.logLevel,
    format: human ? "human" : "json",
    write: (line) => {
      process.stderr.write(line);
    },
  });
}

function deadline(ms: number): Promise<void> {
  const signal = AbortSignal.timeout(ms);
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
