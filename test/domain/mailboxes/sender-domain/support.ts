/** Returns a check from a table. */

import {
  type Asking,
  type DnsAnswer,
  QUESTIONS_MAX,
} from "#domain/mailboxes/sender-domain/question.ts";

/** Records by `<type> <name>`; what is not there has none, and `null` gives no answer. */
export type Zone = Readonly<Record<string, readonly string[] | null>>;

export function answeredFrom<Result>(
  zone: Zone,
  check: Asking<Result>,
): { result: Result; asked: string[] } {
  const asked: string[] = [];
  let step = check.next([]);
  while (!step.done) {
    const answers = step.value.map(({ type, name }): DnsAnswer => {
      asked.push(`${type} ${name}`);
      const records = asked.length > QUESTIONS_MAX ? null : zone[`${type} ${name}`];
      return records === null ? { kind: "silent" } : { kind: "records", records: records ?? [] };
    });
    step = check.next(answers);
  }
  return { result: step.value, asked };
}
