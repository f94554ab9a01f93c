/**
 * How the pure checks of a domain ask the domain name system: each is a generator that yields questions
 * and is handed the answers, so that whoever drives it decides where answers come from.
 */

export interface DnsQuestion {
  /** `mta_sts`: the policy file that the domain serves. */
  type: "txt" | "mx" | "address" | "ptr" | "mta_sts";
  name: string;
}

export type DnsAnswer =
  /** None: the name has no such record. Exchanges come best first. */
  | { kind: "records"; records: readonly string[] }
  /** Nobody knows: a time-out, a refusal, a broken resolver. */
  | { kind: "silent" };

/** Yields questions that may be asked at the same time, and takes their answers in the same order. */
export type Asking<Result> = Generator<readonly DnsQuestion[], Result, readonly DnsAnswer[]>;

/** Questions that one check may ask, whatever the records lead to; further ones stay unanswered. */
export const QUESTIONS_MAX = 250;

const SILENT: DnsAnswer = { kind: "silent" };

export function* ask(question: DnsQuestion): Asking<DnsAnswer> {
  const [answer] = yield [question];
  return answer ?? SILENT;
}

export function* askAll(questions: readonly DnsQuestion[]): Asking<readonly DnsAnswer[]> {
  const answers = yield questions;
  return questions.map((_, index) => answers[index] ?? SILENT);
}
