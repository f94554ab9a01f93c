/**
 * One question asked until there is a response: of several servers, again after silence, and on from an
 * alias to the name that it stands for.
 *
 * Source: RFC 1034 §§3.6.2 and 5.3, RFC 2308 §2 (no name, no data).
 */

import { domainToASCII } from "node:url";
import { SECOND_MS } from "#domain/time.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import { OWN_SERVER, type ResolverSettings } from "./dns-settings.ts";
import { exchange, nameIn, type Question, type Response } from "./dns-wire.ts";

/** Aliases that are followed from one name. */
const ALIASES_MAX = 8;

export interface Found {
  data: readonly unknown[];
  /** How long its owner lets it be remembered; infinite where it says nothing. */
  ttlMs: number;
  isAbsent: boolean;
}

const NAME = /^(?=.{1,253}$)[!-\-/-~]{1,63}(\.[!-\-/-~]{1,63})*$/;

/** As it is asked for: ASCII, lower case, no dot at the end. Null for what cannot be a name. */
export function nameOf(text: string): string | null {
  const bare = text.replace(/\.$/, "");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII is told by its range
  const name = /^[\x00-\x7f]*$/.test(bare) ? bare : domainToASCII(bare);
  return NAME.test(name) ? name.toLowerCase() : null;
}

/** Asks the servers in turn, the one that responded last first, and follows aliases. */
export function createAsker(settings: () => ResolverSettings, answerMs: number) {
  let preferred = 0;

  const askServers = async (question: Question, end: AbortSignal): Promise<Response> => {
    const { servers, timeoutMs, attempts } = settings();
    const tries = servers.length * attempts;
    const tryMs = Math.min(timeoutMs, Math.ceil(answerMs / tries));
    const first = preferred;
    let failure = new DnsFailure("no name server is known");
    for (let turn = 0; turn < tries && !end.aborted; turn += 1) {
      const index = (first + turn) % servers.length;
      const server = servers[index] ?? OWN_SERVER;
      const until = AbortSignal.any([end, AbortSignal.timeout(tryMs)]);
      try {
        // From the second round on without EDNS, which a few servers and networks drop.
        const isExtended = turn < servers.length;
        const response = await exchange(server, question, { end: until, isExtended });
        preferred = index;
        return response;
      } catch (error) {
        failure = failureOf(error);
      }
    }
    throw failure;
  };

  return async ({ name: asked, type }: Question): Promise<Found> => {
    const end = AbortSignal.timeout(answerMs);
    let name: string | null = asked;
    let ttlSeconds = Infinity;
    try {
      for (let aliases = 0; name !== null && aliases < ALIASES_MAX; aliases += 1) {
        const question: Question = { name, type };
        const response = await askServers(question, end);
        const found = endOf(response, question);
        ttlSeconds = Math.min(ttlSeconds, found.ttlSeconds);
        if (found.isEnd) {
          const isAbsent = response.isAbsent && found.data.length === 0;
          return { data: found.data, ttlMs: ttlSeconds * SECOND_MS, isAbsent };
        }
        name = nameOf(found.name);
      }
    } catch (error) {
      throw new DnsFailure(`${asked}: ${failureOf(error).message}`);
    }
    throw new DnsFailure(`${asked}: its aliases lead nowhere`);
  };
}

/** Anything else is a bug, and goes on. */
function failureOf(error: unknown): DnsFailure {
  if (error instanceof DnsFailure) {
    return error;
  }
  throw error;
}

/**
 * The records at the end of the aliases in a response. It is the end where there are some, where no alias
 * was followed, and where the server says that there is nothing more.
 */
function endOf({ answers, isFinal }: Response, question: Question) {
  let { name } = question;
  let ttlSeconds = Infinity;
  for (let aliases = 0; aliases < ALIASES_MAX; aliases += 1) {
    const alias = answers.find((answer) => answer.type === "CNAME" && answer.name === name);
    if (alias === undefined) {
      break;
    }
    name = nameIn(alias.data);
    ttlSeconds = Math.min(ttlSeconds, alias.ttlSeconds);
  }
  const records = answers.filter((one) => one.type === question.type && one.name === name);
  for (const record of records) {
    ttlSeconds = Math.min(ttlSeconds, record.ttlSeconds);
  }
  const isEnd = records.length > 0 || isFinal || name === question.name;
  return { name, data: records.map(({ data }) => data), ttlSeconds, isEnd };
}
