/** The invariant of health: each mailbox's score, by an arithmetic of its own, from messages and harms. */

import type { Scene } from "./scene.ts";
import { wallAt } from "./scene.ts";

const DAY_MS = 86_400_000;

export function* checkHealth({ snapshot }: Scene): Iterable<string> {
  const { messages, harms, accounts, now } = snapshot;
  const harmed = (kind: string) =>
    new Set(harms.filter((harm) => harm.kind === kind).map(({ message }) => message));
  const [bounced, complained] = [harmed("hard_bounce"), harmed("complaint")];
  for (const { id, zone, score, errors, healthAt } of accounts) {
    if (healthAt !== null && healthAt <= now) {
      continue;
    }
    const noon = Date.parse(`${wallAt(zone, now).date}T12:00Z`);
    const from = new Date(noon - 13 * DAY_MS).toISOString().slice(0, 10);
    const mine = messages.filter((message) => {
      const isCounted =
        message.status === "sent" || bounced.has(message.id) || complained.has(message.id);
      return message.account === id && isCounted && dateOf(message.reserved) >= from;
    });
    const sends = mine.length;
    const rate = (of: ReadonlySet<string>) =>
      sends === 0 ? 0 : mine.filter((message) => of.has(message.id)).length / sends;
    const penalty =
      Math.min(40, 800 * rate(bounced)) +
      Math.min(40, 13_333 * rate(complained)) +
      Math.min(10, 2 * errors);
    const expected = Math.round(100 - penalty * Math.min(1, sends / 20));
    if (score !== expected) {
      yield `account ${id} has a score of ${score}, its ${sends} mails make ${expected}`;
    }
  }
}

/** The day under which a message is counted against its mailbox's cap. */
function dateOf(reserved: string): string {
  const buckets: { kind: string; bucket: string }[] = JSON.parse(reserved);
  return buckets.find(({ kind }) => kind === "account_day")?.bucket ?? "";
}
