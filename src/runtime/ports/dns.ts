/**
 * What the product asks the domain name system. The real one is `mail/dns.ts`; tests and the
 * sandbox hand in tables.
 */

export interface MailExchange {
  /** Host name without a dot at its end. */
  exchange: string;
  /** Lower is preferred. */
  priority: number;
}

export interface Dns {
  /**
   * Every IPv4 and IPv6 address of `host`, IPv4 first; none when the name has none. Rejects with a
   * {@link DnsFailure} when the resolver gave no answer, which says nothing about the name.
   */
  lookup(host: string): Promise<readonly string[]>;
  /** Mail exchanges of `domain`, best first; none when it has none. Rejects as `lookup` does. */
  mx(domain: string): Promise<readonly MailExchange[]>;
}

/** No answer: a time-out, a refusal, or a broken resolver. Worth trying again. */
export class DnsFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DnsFailure";
  }
}
