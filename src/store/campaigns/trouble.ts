/** Whether an error is the disk's: nobody's fault, and over by itself once there is room again. */

const TROUBLE =
  /^(?:SQLITE_(?:BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|NOMEM)|(?:ENOSPC|EDQUOT|EROFS|EIO)$)/;

/** SQLite or the file system says that it is busy, full, read-only or broken, whatever has wrapped it. */
export function isStorageTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const code = "code" in error ? String(error.code) : "";
  return TROUBLE.test(code) || isStorageTrouble(error.cause);
}
