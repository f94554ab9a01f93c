/** Whether an error is the disk's: nobody's fault, and over by itself once there is room again. */

const TROUBLE = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|NOMEM)/;

/** SQLite says that it is busy, full, read-only or broken, whatever a library has wrapped it in. */
export function isStorageTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const code = "code" in error ? String(error.code) : "";
  return TROUBLE.test(code) || isStorageTrouble(error.cause);
}
