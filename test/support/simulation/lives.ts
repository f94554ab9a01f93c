/** One process after another on the same data: each opens what the one before has left, or a copy of it. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { checkAfterCrash } from "#app/startup.ts";
import type { Config } from "#config/config.ts";
import { HOUR_MS } from "#domain/time.ts";
import type { Dice } from "#platform/dice.ts";
import type { Log } from "#platform/log.ts";
import type { Bytes } from "./bytes.ts";
import type { Violation } from "./checks.ts";
import type { MovingClock } from "./clock.ts";
import { leaveBehind } from "./disk.ts";
import type { Draw } from "./draw.ts";
import type { Endpoints } from "./endpoints.ts";
import type { Internet } from "./internet.ts";
import { DEATH } from "./life.ts";
import { type Process, type ProcessParts, startProcess } from "./process.ts";
import type { Storage } from "./storage.ts";

/** A death in the middle of recovering, as often as this at most. */
const REVIVALS_MAX = 50;
const POLL_EVERY_MS = 6 * HOUR_MS;

export interface LivesParts extends Pick<ProcessParts, "plant"> {
  directory: string;
  draw: Draw;
  clock: MovingClock;
  internet: Internet;
  endpoints: Endpoints;
  dice: Dice;
  log: Log;
  bytes: Bytes | undefined;
  /** A whole installation, whose storage lies. */
  storage: Storage | undefined;
  /** A disk that loses what it said it had, as a test plants it. */
  forgets: boolean;
  figures: { kills: number; restarts: number };
  bugs: Violation[];
  /** Data that went back to an earlier state has been opened. */
  onRewound: (process: Process) => void;
}

export interface Lives {
  readonly process: Process;
  /** The next one after an end without a crash. */
  restart(): Promise<void>;
  /** The next one after a death. */
  revive(): Promise<void>;
  /** The next one on the latest backup. */
  restore(): Promise<void>;
  /** No next one. */
  end(): Promise<void>;
}

export function createLives(parts: LivesParts): Lives {
  const { directory, draw, clock, internet, endpoints, dice, log, bytes, storage, figures } = parts;
  let lives = 0;
  const pathOf = (life: number) => storage?.path() ?? join(directory, `live-${life}.db`);
  const open = () =>
    startProcess({
      path: pathOf(lives),
      ...{ internet, clock, dice, log },
      pollEveryMs: POLL_EVERY_MS,
      http: (life) => endpoints.port(life),
      ...(bytes && { bytes }),
      ...(storage && { dataDir: storage.dataDir(), onLogged: storage.logged }),
      ...(parts.plant && { plant: parts.plant }),
    });
  let process = open();
  let isOpen = true;

  const end = async (leave?: () => void) => {
    if (isOpen) {
      isOpen = false;
      await process.end(leave);
    }
  };
  const begin = async (isSudden: boolean, opened: () => void): Promise<unknown> => {
    for (;;) {
      try {
        if (isSudden && storage !== undefined) {
          checkAfterCrash({ dataDir: storage.dataDir() } as Config);
        }
        process = open();
        isOpen = true;
        if (storage?.opened(process) === true) {
          parts.onRewound(process);
        }
        opened();
        return await process.recover();
      } catch (error) {
        if (storage?.isDamage(error) !== true) {
          throw error;
        }
        await end();
        storage.restore();
      }
    }
  };
  const die = async () => {
    figures.kills += 1;
    const isUnsynced = process.life.isUnsynced || parts.forgets;
    const remains = { draw, tally: internet.tally, isUnsynced };
    if (storage === undefined) {
      await end(() => leaveBehind(pathOf(lives), pathOf(lives + 1), remains));
      lives += 1;
      return;
    }
    const left = join(directory, "left.db");
    rmSync(`${left}-wal`, { force: true });
    await end(() => leaveBehind(storage.path(), left, remains));
    storage.leftAt(left);
    storage.strikeEnded(true);
  };

  return {
    get process() {
      return process;
    },
    end: () => end(),
    restart: async () => {
      await end();
      storage?.leftAt(storage.path());
      storage?.strikeEnded(false);
      await begin(false, () => undefined);
      figures.restarts += 1;
    },
    revive: async () => {
      for (let revivals = 0; revivals < REVIVALS_MAX; revivals += 1) {
        const { told } = process;
        await die();
        const opened = () => {
          if (storage === undefined && process.found < told) {
            const detail = `event ${told} was told of, ${process.found} is the last`;
            parts.bugs.push({ invariant: "durable", detail });
          }
          if (draw.chance(0.3)) {
            process.life.light(draw.int(1, 30));
          }
        };
        if ((await begin(true, opened)) !== DEATH) {
          process.life.spare();
          return;
        }
      }
      throw new Error("it dies over every recovery");
    },
    restore: async () => {
      await end();
      storage?.restore();
      if ((await begin(false, () => undefined)) === DEATH) {
        throw new Error("it died though nobody had killed it");
      }
    },
  };
}
