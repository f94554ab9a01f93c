/**
 * The faults that a simulation brings, each with where it is injected, and how often it happened. A fault
 * that never happens over all seeds fails the test: nothing is claimed that was not lived through.
 */

export const FAULTS = {
  smtp_connect: "SMTP: no connection, or a verdict in place of the greeting",
  smtp_auth: "SMTP: the login is refused or put off",
  smtp_mail: "SMTP: lost or refused at MAIL",
  smtp_rcpt: "SMTP: lost, put off or refused at RCPT",
  smtp_data: "SMTP: lost or withheld at DATA, before the body",
  smtp_verdict: "SMTP: a verdict against the body",
  smtp_lost: "SMTP: the connection is lost after the body; taken or not",
  imap: "IMAP: a poll, a search, an upload or a look ends without an answer",
  dns: "DNS: no answer",
  webhook: "webhooks: a time-out, or 503",
  clock_back: "the clock is set back by up to half a day",
  clock_forward: "the clock is set forward by up to two days, in the middle of a send too",
  kill_wait: "kill at a wait: before or after a commit, a reply or a request",
  kill_statement: "kill between two statements of a transaction",
  statement_full: "SQLITE_FULL at a drawn statement",
  statement_busy: "SQLITE_BUSY at a drawn statement",
  disk_full: "the file may not grow for some commits",
  disk_busy: "another program holds the write lock for some commits",
  disk_readonly: "the file is read-only for some commits",
  log_torn: "sudden end: a torn page behind the write-ahead log's end",
  log_cut: "sudden end in a commit: its pages in the log are cut or damaged",
  disk_slow: "the disk takes seconds for some commits",
  lock_foreign: "another program holds the write lock for a minute",
  page_changed: "a bit of the file is flipped",
  page_replaced: "a page of the file is zeroed, or another one's",
  page_torn: "a page of the file has the end of an older state of it",
  page_lost: "a page of the file is as it was before it was last written",
  disk_lies:
    "sudden end of a disk that lies: the last commits are gone, though it had said that it has them",
  file_rolled_back:
    "the file is an older copy of itself, with or without what is written down beside it",
} as const;

/** Of whole installations only (`storage.ts`). */
export const STORAGE_FAULTS: ReadonlySet<string> = new Set<keyof typeof FAULTS>([
  ...(["disk_slow", "lock_foreign", "page_changed", "page_replaced", "page_torn"] as const),
  ...(["page_lost", "disk_lies", "file_rolled_back"] as const),
]);
export type FaultName = keyof typeof FAULTS;
export type Tally = Record<FaultName, number>;

export function createTally(): Tally {
  const names = Object.keys(FAULTS) as FaultName[];
  return Object.fromEntries(names.map((name) => [name, 0])) as Tally;
}
