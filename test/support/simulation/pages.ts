/** What a disk does to the pages of a database's file, and what SQLite can see of it. */

import { Database } from "bun:sqlite";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "#domain/thrown.ts";
import { isDamage } from "#store/sqlite/damage.ts";
import type { Draw } from "./draw.ts";

export const PAGE_FAULTS = ["page_changed", "page_replaced", "page_torn", "page_lost"] as const;
export type PageFault = (typeof PAGE_FAULTS)[number];

const PAGE_BYTES = 4_096;

/** What lies at `path` at this moment, without its index, which is memory only. */
export interface Image {
  file: Buffer;
  log: Buffer | null;
}

export function imageOf(path: string): Image {
  const log = `${path}-wal`;
  return { file: readFileSync(path), log: existsSync(log) ? readFileSync(log) : null };
}

/** Over the file that is there, which stays the same to the kernel. Nobody has it open. */
export function putImage(path: string, { file, log }: Image): void {
  rmSync(`${path}-shm`, { force: true });
  rmSync(`${path}-wal`, { force: true });
  writeFileSync(path, file);
  if (log !== null) {
    writeFileSync(`${path}-wal`, log);
  }
}

/** SQLite's first complaint about the file and its log; null: none. Looks at a copy of them. */
export function faultIn(path: string, pragma: "quick_check" | "integrity_check"): string | null {
  const directory = mkdtempSync(join(tmpdir(), "outrider-pages-"));
  const copy = join(directory, "copy.db");
  try {
    copyFileSync(path, copy);
    if (existsSync(`${path}-wal`)) {
      copyFileSync(`${path}-wal`, `${copy}-wal`);
    }
    const raw = new Database(copy);
    try {
      return firstFault(raw, pragma);
    } finally {
      raw.close();
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

export function firstFault(
  raw: Database,
  pragma: "quick_check" | "integrity_check",
): string | null {
  try {
    const said = raw.prepare(`PRAGMA ${pragma}(1)`).values()[0]?.[0];
    return said === "ok" ? null : String(said);
  } catch (error) {
    if (isDamage(error)) {
      return messageOf(error);
    }
    throw error;
  }
}

/**
 * The file with one page changed, `older` being what it was some time ago; null where it would be the same.
 * The log is left alone: SQLite gives each of its pages a checksum.
 */
export function spoil(file: Buffer, fault: PageFault, older: Buffer, draw: Draw): Buffer | null {
  const pages = Math.floor(file.length / PAGE_BYTES);
  const changed = Buffer.from(file);
  const pageOf = (bytes: Buffer, place: number) =>
    bytes.subarray(place * PAGE_BYTES, (place + 1) * PAGE_BYTES);
  const place = fault === "page_lost" ? writtenSince(file, older, draw) : draw.int(0, pages - 1);
  if (place === null) {
    return null;
  }
  const page = pageOf(changed, place);
  switch (fault) {
    case "page_changed": {
      const at = draw.int(0, PAGE_BYTES - 1);
      page[at] = (page[at] ?? 0) ^ (1 << draw.int(0, 7));
      break;
    }
    case "page_replaced":
      draw.chance(0.5) ? page.fill(0) : page.set(pageOf(file, draw.int(0, pages - 1)));
      break;
    case "page_torn": {
      const half = draw.int(1, 7) * (PAGE_BYTES / 8);
      const before = pageOf(older, place);
      page.fill(0, half);
      page.set(before.subarray(Math.min(half, before.length)), half);
      break;
    }
    default:
      page.set(pageOf(older, place));
  }
  return changed.equals(file) ? null : changed;
}

/** A page that has been written since; null where none has. */
function writtenSince(file: Buffer, older: Buffer, draw: Draw): number | null {
  const places: number[] = [];
  for (
    let at = PAGE_BYTES;
    at + PAGE_BYTES <= Math.min(file.length, older.length);
    at += PAGE_BYTES
  ) {
    if (!file.subarray(at, at + PAGE_BYTES).equals(older.subarray(at, at + PAGE_BYTES))) {
      places.push(at / PAGE_BYTES);
    }
  }
  return places.length === 0 ? null : draw.pick(places);
}
