/**
 * How OAuth clients fare at token endpoints: the way of showing their secret that was accepted, how long
 * an endpoint is left alone, and what the operator has to know about a client of the installation.
 *
 * A client that is refused is no fault of any mailbox, and every mailbox would ask in vain: one question
 * is asked for all of them, less and less often. All of this is in memory: a new start, perhaps with
 * another secret, asks at once.
 */

import type { Provider } from "#domain/mailboxes/mailbox.ts";
import { HOUR_MS, isAhead, MINUTE_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { ClientFault, OauthClient } from "#platform/ports/oauth.ts";
import type { ClientAuth } from "#platform/secrets/authorization-server.ts";
import type { TokenResponse } from "./token-endpoint.ts";

/** Longest time for which an endpoint is left alone at its own request. */
export const RETRY_AFTER_MS_MAX = HOUR_MS;
/** How long a refused client waits: the first time, and at most. */
export const REFUSED_MS_MIN = MINUTE_MS;
export const REFUSED_MS_MAX = 15 * MINUTE_MS;
/** A fault that shows no more is forgotten after this long: mailboxes try at least every hour. */
const FAULT_MS_MAX = 2 * HOUR_MS;
/** Those of accounts' own among them; the oldest gives way. */
const CLIENTS_MAX = 10_000;

interface Known {
  /** Index of the way of showing the secret that is tried first. */
  way: number;
  /** Refusals in a row. */
  refusals: number;
  /** Until then this answer stands for the server's. */
  rest: { until: UnixMs; ms: number; answer: TokenResponse } | null;
  /** The question under way of a client that was refused before: its answer may be for all. */
  probe: Promise<TokenResponse> | null;
}

interface Noted extends ClientFault {
  lastAt: UnixMs;
}

export class OauthClients {
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly known = new Map<string, Known>();
  /** By provider and error. */
  private readonly noted = new Map<string, Noted>();

  constructor(clock: Clock, log: Log) {
    this.clock = clock;
    this.log = log;
  }

  /** Asks in one of `ways`, and in another where the client is not recognized; or not at all just now. */
  async ask(
    provider: Provider,
    client: OauthClient,
    ways: readonly ClientAuth[],
    question: (way: ClientAuth) => Promise<TokenResponse>,
  ): Promise<TokenResponse> {
    const known = this.knownOf(JSON.stringify([provider, client.clientId, client.clientSecret]));
    if (known.rest !== null && isAhead(known.rest.until, this.clock.now(), known.rest.ms)) {
      return known.rest.answer;
    }
    const answer = known.probe === null ? null : await known.probe;
    if (answer !== null && isUnrecognized(answer)) {
      return answer;
    }
    const asking = this.askInTurn(known, ways, question);
    if (known.refusals > 0) {
      known.probe = asking;
    }
    return await asking.finally(() => {
      known.probe = null;
    });
  }

  /** In the way that was accepted last, then in the others. */
  private async askInTurn(
    known: Known,
    ways: readonly ClientAuth[],
    question: (way: ClientAuth) => Promise<TokenResponse>,
  ): Promise<TokenResponse> {
    let answer: TokenResponse = NOT_ASKED;
    for (let tried = 0; tried < ways.length; tried += 1) {
      const turn = (known.way + tried) % ways.length;
      const way = ways[turn];
      answer = way === undefined ? NOT_ASKED : await question(way);
      if (!isUnrecognized(answer)) {
        known.way = turn;
        break;
      }
    }
    this.recordRest(known, answer);
    return answer;
  }

  /** A server does not accept a client of the operator's. The log says so once. */
  recordFault(
    provider: Provider,
    { clientId }: OauthClient,
    { code, reason }: { code: string; reason: string },
  ): void {
    const key = `${provider} ${code}`;
    const now = this.clock.now();
    const noted = this.noted.get(key);
    const known = noted !== undefined && this.isCurrent(noted) ? noted : undefined;
    if (known === undefined) {
      this.log.warn("an OAuth client of this installation is not accepted; its mailboxes wait", {
        ...{ provider, client: clientId, cause: reason },
      });
    }
    this.noted.set(key, { provider, clientId, reason, since: known?.since ?? now, lastAt: now });
  }

  /** The client was recognized. */
  recordAccepted(provider: Provider): void {
    if (this.noted.delete(`${provider} ${UNRECOGNIZED}`)) {
      this.log.info("the OAuth client is accepted again; its mailboxes go on", { provider });
    }
  }

  faults(): ClientFault[] {
    return [...this.noted.values()]
      .filter((fault) => this.isCurrent(fault))
      .map(({ provider, clientId, reason, since }) => ({ provider, clientId, reason, since }));
  }

  private isCurrent(noted: Noted): boolean {
    const now = this.clock.now();
    // Where the clock was set back, it counts as seen just now.
    noted.lastAt = unixMs(Math.min(noted.lastAt, now));
    return now < plus(noted.lastAt, FAULT_MS_MAX);
  }

  private knownOf(key: string): Known {
    const known = this.known.get(key) ?? { way: 0, refusals: 0, rest: null, probe: null };
    this.known.delete(key);
    this.known.set(key, known);
    const [oldest] = this.known.keys();
    if (this.known.size > CLIENTS_MAX && oldest !== undefined) {
      this.known.delete(oldest);
    }
    return known;
  }

  private recordRest(known: Known, answer: TokenResponse): void {
    const now = this.clock.now();
    if (isUnrecognized(answer)) {
      // Answers to questions that were asked together count once.
      if (known.rest === null || !isAhead(known.rest.until, now, known.rest.ms)) {
        const ms = Math.min(REFUSED_MS_MAX, REFUSED_MS_MIN * 2 ** Math.min(known.refusals, 10));
        known.refusals += 1;
        known.rest = { until: plus(now, ms), ms, answer };
      }
    } else if (answer.kind === "unreachable") {
      const ms = Math.min(answer.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
      known.rest = ms === 0 ? null : { until: plus(now, ms), ms, answer };
    } else {
      known.refusals = 0;
      known.rest = null;
    }
  }
}

/** The error by which a server says that it does not know the client, or not with this secret. */
const UNRECOGNIZED = "invalid_client";
const NOT_ASKED: TokenResponse = {
  kind: "unreachable",
  reason: "the server names no way of showing a secret",
  retryAfterMs: null,
};

function isUnrecognized(answer: TokenResponse): boolean {
  return answer.kind === "client" && answer.code === UNRECOGNIZED;
}
