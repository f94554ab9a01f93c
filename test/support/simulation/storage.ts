/**
 * Storage that lies, under a whole installation: pages of its file that are not what was written, a file that is
 * an older copy of itself, a disk that had said that it has what it hasn't. Beside it the copies from which it
 * is restored, and what became of each fault: what SQLite can see, what nothing sees, and what harm was done.
 */

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { StartFailure } from "#platform/start-failure.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { ERASURE_LIST } from "#store/operations/erasure-list.ts";
import { copyFile, examineFile } from "#store/operations/snapshot.ts";
import { SUPPRESSION_FILE } from "#store/operations/suppression-list.ts";
import { damageOf, isDamage } from "#store/sqlite/damage.ts";
import type { Chronicle } from "./chronicle.ts";
import type { MovingClock } from "./clock.ts";
import type { Draw } from "./draw.ts";
import type { Internet } from "./internet.ts";
import {
  faultIn,
  type Image,
  imageOf,
  PAGE_FAULTS,
  type PageFault,
  putImage,
  spoil,
} from "./pages.ts";
import type { Process } from "./process.ts";
import { rewind } from "./rewind.ts";
import type { Tally } from "./tally.ts";

export const STORAGE_FIGURES = {
  seen: "damaged pages that a quick check sees",
  seen_by_index: "damaged pages that only a full check sees",
  unseen: "damaged pages that nothing sees",
  noticed: "times that the program noticed, and stopped",
  restores: "restores of the latest backup",
  refused_backups: "backups that were refused, their copy being damaged",
  untold:
    "emails sent again after the data went back, of mailboxes whose Sent folders don't have them",
  harm_before: "harm done before damage that can be seen was seen",
  harm_unseen: "harm done by damage that nothing sees",
} as const;
export type StorageFigures = Record<keyof typeof STORAGE_FIGURES, number>;

export function noStorageFigures(): StorageFigures {
  const names = Object.keys(STORAGE_FIGURES);
  return Object.fromEntries(names.map((name) => [name, 0])) as StorageFigures;
}

/** From the fault, or a start after it, until a check has read the whole file: an hour after it, then daily. */
const NOTICED_MS_MAX = DAY_MS + HOUR_MS;
const KEPT_MAX = 4;
const COMMITS_LOST_MAX = 8;
const WITNESS = "installation.json";
const PAGE_BYTES = 4_096;
const LOG_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + PAGE_BYTES;

interface Kept extends Image {
  /** The place in the chronicle. */
  mark: number;
  witness: Buffer | null;
  isTainted: boolean;
}

interface Struck {
  fault: PageFault;
  at: UnixMs;
  seenBy: "quick" | "full" | "nothing";
}

export interface StorageParts {
  directory: string;
  draw: Draw;
  clock: MovingClock;
  chronicle: Chronicle;
  internet: Internet;
  tally: Tally;
}

export function createStorage(parts: StorageParts) {
  const { directory, draw, clock, chronicle, internet, tally } = parts;
  let moves = 0;
  const dataDir = () => join(directory, `data-${moves}`);
  const path = () => join(dataDir(), "live.db");
  mkdirSync(dataDir());
  const figures = noStorageFigures();
  const kept: Kept[] = [];
  let backup: Kept | undefined;
  let logged: { frames: number; mark: number }[] = [];
  let struck: Struck | undefined;
  /** Of damage that has been noticed in this round. */
  let excuse: Struck | undefined;
  let rewindTo: number | undefined;
  let startedAt = clock.now();
  let handedWhenNoticed: number | undefined;

  const handed = () => chronicle.handed.length + chronicle.answers.length + chronicle.tests.length;
  const witness = () => bytesOf(join(dataDir(), WITNESS));
  /**
   * What lies there from here on, in a directory of its own: connections of the processes before keep their
   * files until they are collected. To the program it is the same file in the same place.
   */
  const put = (image: Image, known: Buffer | null) => {
    const lists = [ERASURE_LIST, SUPPRESSION_FILE].map((name) => {
      return { name, bytes: bytesOf(join(dataDir(), name)) };
    });
    moves += 1;
    mkdirSync(dataDir());
    putImage(path(), image);
    for (const { name, bytes } of lists) {
      if (bytes !== null) {
        writeFileSync(join(dataDir(), name), bytes);
      }
    }
    if (known !== null) {
      const { dev, ino } = statSync(path(), { bigint: true });
      const told = { ...JSON.parse(known.toString()), file: `${dev}:${ino}` };
      writeFileSync(join(dataDir(), WITNESS), JSON.stringify(told));
    }
  };
  const pages = (fault: PageFault) => {
    const isQuick = faultIn(path(), "quick_check") !== null;
    const seenBy = isQuick
      ? "quick"
      : faultIn(path(), "integrity_check") === null
        ? "nothing"
        : "full";
    tally[fault] += 1;
    figures[seenBy === "quick" ? "seen" : seenBy === "full" ? "seen_by_index" : "unseen"] += 1;
    // The first that can be seen is what is waited for.
    struck = struck?.seenBy === "quick" ? struck : { fault, at: clock.now(), seenBy };
  };
  const rollBack = () => {
    const [old] = kept.length === 0 ? [] : [draw.pick(kept)];
    if (old === undefined) {
      return;
    }
    tally.file_rolled_back += 1;
    put(old, draw.chance(0.5) ? old.witness : witness());
    struck = old.isTainted ? struck : undefined;
    rewindTo = old.mark;
  };
  const lie = () => {
    const image = imageOf(path());
    const frames = ((image.log?.length ?? 0) - LOG_HEADER_BYTES) / FRAME_BYTES;
    const earlier = logged.filter((one) => one.frames < frames).slice(-COMMITS_LOST_MAX);
    const [end] = earlier.length === 0 ? [] : [draw.pick(earlier)];
    if (image.log === null || end === undefined) {
      return;
    }
    tally.disk_lies += 1;
    const log = image.log.subarray(0, LOG_HEADER_BYTES + end.frames * FRAME_BYTES);
    const known = draw.chance(0.5) ? witness() : (kept.at(-1)?.witness ?? null);
    put({ file: image.file, log }, known);
    rewindTo = end.mark;
  };
  const spoilFile = (file: Buffer): Buffer | null => {
    const fault = draw.pick(PAGE_FAULTS);
    const older = kept.length === 0 ? file : draw.pick(kept).file;
    spoiledBy = fault;
    return spoil(file, fault, older, draw);
  };
  let spoiledBy: PageFault = "page_changed";

  return {
    path,
    dataDir,
    get figures() {
      return { ...figures, untold: chronicle.untold.size };
    },
    logged: (frames: number) => {
      const isNew = frames < (logged.at(-1)?.frames ?? 0);
      logged = [
        ...(isNew ? [] : logged.slice(-COMMITS_LOST_MAX)),
        { frames, mark: chronicle.next() },
      ];
    },
    /** Between rounds, when nothing is under way: what the file is now, and a backup now and then. */
    keep: () => {
      excuse = undefined;
      const mark = chronicle.next();
      const isTainted = struck !== undefined;
      kept.push({ ...imageOf(path()), mark, witness: witness(), isTainted });
      kept.splice(0, Math.max(0, kept.length - KEPT_MAX));
      if (backup !== undefined && draw.chance(0.5)) {
        return;
      }
      const copy = join(directory, `backup-${mark}.db`);
      try {
        copyFile(path(), copy, clock.now());
        if (examineFile(copy).faults.length > 0) {
          figures.refused_backups += 1;
          return;
        }
        backup = { file: readFileSync(copy), log: null, mark, witness: null, isTainted };
      } catch (error) {
        if (!isDamage(error)) {
          throw error;
        }
        figures.refused_backups += 1;
      }
    },
    /** While it runs: pages that it has written come back from the disk as others. */
    strike: ({ environments }: Process) => {
      if (!draw.chance(0.15)) {
        return;
      }
      const { raw } = environments.live.db;
      raw.run("PRAGMA wal_checkpoint(TRUNCATE)");
      logged = [];
      const file = readFileSync(path());
      const spoiled = spoilFile(file);
      if (spoiled !== null) {
        const opened = openSync(path(), "r+");
        writeSync(opened, spoiled);
        closeSync(opened);
        raw.run("PRAGMA shrink_memory");
        pages(spoiledBy);
      }
    },
    /** While it doesn't run; `isSudden`: it was killed. */
    strikeEnded: (isSudden: boolean) => {
      if (!draw.chance(0.4)) {
        return;
      }
      const kind = draw.pick(["page", "page", "older", isSudden ? "lies" : "older"] as const);
      if (kind === "older") {
        rollBack();
      } else if (kind === "lies") {
        lie();
      } else {
        const image = imageOf(path());
        const spoiled = spoilFile(image.file);
        if (spoiled !== null) {
          put({ ...image, file: spoiled }, witness());
          pages(spoiledBy);
        }
      }
    },
    /** What lies at `from` is what a sudden end has left. */
    leftAt: (from: string) => put(imageOf(from), witness()),
    restore: () => {
      if (backup === undefined) {
        throw new Error("nothing to restore");
      }
      figures.restores += 1;
      put(backup, null);
      rewindTo = backup.mark;
      excuse = struck;
      struck = backup.isTainted ? struck : undefined;
      logged = [];
      handedWhenNoticed = undefined;
      clock.advanceTo(plus(clock.now(), draw.int(1, 180) * MINUTE_MS));
    },
    /** A process has opened the file. Nothing is done with it yet. */
    opened: ({ environments }: Process): boolean => {
      startedAt = clock.now();
      if (rewindTo === undefined) {
        return false;
      }
      const { db } = environments.live;
      const stored = db.raw.query("select 1 from inbound_mails where message_id = ?");
      rewind(chronicle, rewindTo, db.raw);
      internet.recordForgotten(
        (id) => accountById(db, id)?.pollCursor ?? "",
        (id) => stored.get(id) !== null,
      );
      rewindTo = undefined;
      return true;
    },
    /** SQLite has said so to the program. */
    noticed: () => {
      figures.noticed += 1;
      handedWhenNoticed = handed();
    },
    isDamage: (error: unknown): boolean =>
      isDamage(error) || (error instanceof StartFailure && error.kind === "damaged"),
    /** Since damage was noticed, or it should have been. */
    *violations({ env, disk }: Process): Iterable<string> {
      const isKnown = damageOf(env.db) !== null;
      const after = handed() - (handedWhenNoticed ?? handed());
      if (isKnown && after > 0) {
        yield `${after} bodies were begun after it was noticed`;
      }
      const since = Math.max(struck?.at ?? 0, startedAt);
      const isLate = struck?.seenBy === "quick" && clock.now() > since + NOTICED_MS_MAX;
      if (isLate && !isKnown && !disk.hasFailed && faultIn(path(), "quick_check") !== null) {
        yield `${struck?.fault} is there since ${struck?.at}, and nobody has noticed`;
      }
    },
    /** What a violation is due to, if it is damage; counted. */
    blames: (): boolean => {
      const blamed = excuse ?? struck;
      if (blamed !== undefined) {
        figures[blamed.seenBy === "quick" ? "harm_before" : "harm_unseen"] += 1;
      }
      return blamed !== undefined;
    },
    isStruck: () => struck !== undefined || excuse !== undefined,
    hasNoticed: ({ env }: Process) => damageOf(env.db) !== null,
  };
}

function bytesOf(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}

export type Storage = ReturnType<typeof createStorage>;
