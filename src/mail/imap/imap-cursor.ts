/**
 * How far each folder of a mailbox has been read, as one opaque string.
 *
 * Source: RFC 3501 §2.3.1.1. UIDs only grow while UIDVALIDITY stays the same; when it changes,
 * they say nothing any more and the folder is read again from some days back.
 */

export interface FolderPosition {
  uidValidity: string;
  /** The last UID that was read; 0 when none was. */
  uid: number;
}

/** By folder path. An empty map is a mailbox that was never read. */
export type Cursor = ReadonlyMap<string, FolderPosition>;

export const FOLDERS_MAX = 8;

/**
 * What cannot be read counts as a mailbox that was never read: email is missed rather than
 * repeated.
 */
export function readCursor(text: string): Cursor {
  const cursor = new Map<string, FolderPosition>();
  for (const [path, position] of Object.entries(jsonObject(text)).slice(0, FOLDERS_MAX)) {
    if (Array.isArray(position)) {
      const [uidValidity, uid]: unknown[] = position;
      if (typeof uidValidity === "string" && Number.isSafeInteger(uid)) {
        cursor.set(path, { uidValidity, uid: Number(uid) });
      }
    }
  }
  return cursor;
}

export function writeCursor(cursor: Cursor): string {
  const positions = [...cursor].map(([path, { uidValidity, uid }]) => [path, [uidValidity, uid]]);
  return JSON.stringify(Object.fromEntries(positions));
}

function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
