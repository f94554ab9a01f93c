/** The invariant of health: each mailbox's score, by an arithmetic of its own, from messages, harms and tests. */

import type { Scene } from "./scene.ts";
import { wallAt } from "./scene.ts";

const DAY_MS = 86_400_000;

export function* checkHealth({ snapshot, setBackFrom }: Scene): Iterable<string> {
  const { messages, negativeEvents, accounts, tests, now } = snapshot;
  const harmed = (kind: string) =>
    new Set(negativeEvents.filter((harm) => harm.kind === kind).map(({ message }) => message));
  const [bounced, complained] = [harmed("hard_bounce"), harmed("complaint")];
  const days = new Map(negativeEvents.map(({ message, date }) => [message, date]));
  for (const { id, zone, score, errors, healthAt } of accounts) {
    // By a clock that was ahead it may have been assessed as of a day that is still to come.
    const isAhead = wallAt(zone, setBackFrom ?? now).date > wallAt(zone, now).date;
    if (isAhead || (healthAt !== null && healthAt <= now)) {
      continue;
    }
    const noon = Date.parse(`${wallAt(zone, now).date}T12:00Z`);
    const from = new Date(noon - 13 * DAY_MS).toISOString().slice(0, 10);
    const mine = messages.filter((message) => {
      const isCounted =
        message.status === "sent" || bounced.has(message.id) || complained.has(message.id);
      const isOwn = message.account === id && message.kind !== "placement";
      return isOwn && isCounted && (days.get(message.id) ?? dateOf(message.reserved)) >= from;
    });
    const sends = mine.length;
    const rate = (of: ReadonlySet<string>) =>
      sends === 0 ? 0 : mine.filter((message) => of.has(message.id)).length / sends;
    const placed = tests.filter(
      ({ account, status, testedAt }) =>
        account === id && status === "done" && wallAt(zone, testedAt ?? 0).date >= from,
    );
    const elsewhere = placed.filter(({ placement }) => placement !== "inbox").length;
    const penalty =
      Math.min(40, 800 * rate(bounced)) +
      Math.min(40, 13_333 * rate(complained)) +
      Math.min(10, 2 * errors) +
      Math.min(10, 25 * (1 - highOf(placed.length - elsewhere, placed.length)));
    const expected = 100 - penalty * Math.min(1, sends / 20);
    // Either way of a half, which another order of the same arithmetic decides.
    if (Math.abs(score - expected) > 0.5 + 1e-9) {
      yield `account ${id} has a score of ${score}, its ${sends} mails make ${expected}`;
    }
  }
}

/** Upper end of the 95 % interval of a share (Wilson); 1 of none. */
function highOf(x: number, n: number): number {
  const z2 = 1.959963984540054 ** 2;
  const spread = Math.sqrt(z2 * ((x * (n - x)) / n + z2 / 4));
  return n === 0 ? 1 : (x + z2 / 2 + spread) / (n + z2);
}

/** The day under which a message is counted against its mailbox's cap. */
function dateOf(reserved: string): string {
  const buckets: { kind: string; bucket: string }[] = JSON.parse(reserved);
  return buckets.find(({ kind }) => kind === "account_day")?.bucket ?? "";
}
