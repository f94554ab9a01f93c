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
} as const;

export type FaultName = keyof typeof FAULTS;
export type Tally = Record<FaultName, number>;

export function createTally(): Tally {
  const names = Object.keys(FAULTS) as FaultName[];
  return Object.fromEntries(names.map((name) => [name, 0])) as Tally;
}
