/**
 * What the product asks the domain name system. The real one is `mail/dns/dns.ts`; tests and the
 * sandbox hand in tables.
 */

export interface MailExchange {
  /** Host name without a dot at its end. */
  exchange: string;
  /** Lower is preferred. */
  priority: number;
}

/** TXT records taken from one answer, and characters of each. */
export const TXT_RECORDS_MAX = 1_000;
export const TXT_CHARS_MAX = 4_096;

/** Whose question it is: a team's id, each of which has places of its own; null: the operator's. */
export type Team = string | null;

export interface Dns {
  /**
   * Every IPv4 and IPv6 address of `host`, IPv4 first; none when the name has none. Rejects with a
   * {@link DnsFailure} when no name server gave an answer, which says nothing about the name.
   */
  lookup(host: string, team: Team): Promise<readonly string[]>;
  /**
   * Mail exchanges of `domain`, best first; none when it has none, and a lone empty one when it takes no
   * email (RFC 7505). Rejects as `lookup` does.
   */
  mx(domain: string, team: Team): Promise<readonly MailExchange[]>;
  /** The name servers say that there is no such domain, nor any below it. Rejects as `lookup` does. */
  isAbsent(domain: string, team: Team): Promise<boolean>;
  /**
   * TXT records of `name`, the strings of each record joined; {@link TXT_RECORDS_MAX} at most, cut at
   * {@link TXT_CHARS_MAX}. Rejects as `lookup` does.
   */
  txt(name: string, team: Team): Promise<readonly string[]>;
  /** Names that the address `ip` goes by (PTR), without a dot at their ends. Rejects as `lookup` does. */
  ptr(ip: string, team: Team): Promise<readonly string[]>;
}

/** No answer: a time-out, a refusal, or a broken resolver. Worth trying again. */
export class DnsFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DnsFailure";
  }
}
