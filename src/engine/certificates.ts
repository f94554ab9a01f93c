/**
 * Keeps a certificate for each host under which we are reached: ordered when a host is new, renewed at two
 * thirds of its life, and never asked for more often than authorities allow, whatever fails or restarts.
 *
 * Source: Let's Encrypt's integration guide and rate limits (300 orders in 3 hours, 5 failures an hour and
 * host); the bounds are below them.
 */

import { messageOf } from "#domain/thrown.ts";
import {
  earlier,
  HOUR_MS,
  isAhead,
  MINUTE_MS,
  plus,
  SECOND_MS,
  type UnixMs,
} from "#domain/time.ts";
import {
  type AuthorityOptions,
  CertificateRefused,
  obtainCertificate,
  type Publish,
} from "#platform/acme/authority.ts";
import {
  type Attempts,
  type CertificateFiles,
  newKey,
  type StoredCertificate,
} from "#platform/acme/certificate-files.ts";
import type { Log } from "#platform/log.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import type { Worker } from "./worker.ts";

export interface CertificateSchedule {
  files: CertificateFiles;
  authority: Omit<AuthorityOptions, "accountKey">;
  /** Those that may have a certificate. */
  hosts: () => string[];
  publish: Publish;
  /** Serves these from now on; called at each step, mostly with the same. */
  serve: (certificates: readonly StoredCertificate[]) => void;
  log: Log;
}

/** Between two looks at the hosts. */
const LOOK_MS = 2 * SECOND_MS;
const RETRY_MS = 15 * MINUTE_MS;
const RETRY_MS_MAX = 12 * HOUR_MS;
const RETRY_FACTOR = 4;
/** Retries that the authority asks for may be later. */
const RETRY_ASKED_MS_MAX = 7 * 24 * HOUR_MS;
const ORDERS_MAX = 200;
const ORDERS_MS = 3 * HOUR_MS;
const RENEW_AT = 2 / 3;
/** Of the life of a certificate, so that those of one hour are not renewed in one hour. */
const JITTER = 1 / 20;
/** Under which what is wrong with the authority itself is kept. */
export const AUTHORITY = "";

/** The same at each start, and another one for each certificate. */
export function renewAt({ host, from, until }: StoredCertificate): UnixMs {
  const [dice = 0] = sha256(`${host} ${until}`);
  return plus(from, (until - from) * (RENEW_AT - JITTER * (dice / 255)));
}

/** When an order for `host` may be placed next. */
function dueAt(
  host: string,
  certificate: StoredCertificate | undefined,
  { failed, ordered }: Attempts,
  now: UnixMs,
): UnixMs {
  const waits = [failed[host]?.retryAt, failed[AUTHORITY]?.retryAt]
    .filter((at) => at !== undefined && isAhead(at, now, RETRY_ASKED_MS_MAX))
    .concat(certificate === undefined ? [] : renewAt(certificate))
    .concat(ordered.length < ORDERS_MAX ? [] : plus(ordered[0] ?? now, ORDERS_MS));
  return waits.reduce<UnixMs>((last, at) => (at !== undefined && at > last ? at : last), now);
}

export function certificatesWorker(schedule: CertificateSchedule): Worker {
  const { files, log } = schedule;
  let lookedAt: UnixMs | undefined;
  return {
    name: "certificates",
    time: "wall",
    step: async (now) => {
      // Roused by every write, it looks no sooner for that.
      if (lookedAt !== undefined && isAhead(plus(lookedAt, LOOK_MS), now, LOOK_MS)) {
        return plus(lookedAt, LOOK_MS);
      }
      lookedAt = now;
      const hosts = schedule.hosts();
      const held = new Map(files.all().map((one) => [one.host, one]));
      for (const { host, until } of held.values()) {
        // One whose host is no longer ours serves the links that are out until it ends.
        if (until <= now && !hosts.includes(host)) {
          files.remove(host);
          held.delete(host);
        }
      }
      schedule.serve([...held.values()]);
      const attempts = current(files.attempts(), hosts, now);
      const dues = hosts.map((host) => ({
        host,
        at: dueAt(host, held.get(host), attempts, now),
      }));
      const due = dues.find(({ at }) => at <= now);
      if (due === undefined) {
        const next = dues.reduce<UnixMs | undefined>(
          (first, { at }) => earlier(first, at),
          undefined,
        );
        return earlier(next, plus(now, LOOK_MS));
      }
      if (await order(schedule, due.host, attempts, now)) {
        schedule.serve(files.all());
        log.info("a certificate was obtained", { host: due.host });
      }
      lookedAt = undefined;
      return now;
    },
  };
}

/** Without what no longer counts. */
function current({ failed, ordered }: Attempts, hosts: readonly string[], now: UnixMs): Attempts {
  const kept = Object.entries(failed).filter(
    ([host, { retryAt }]) => host === AUTHORITY || hosts.includes(host) || retryAt > now,
  );
  return {
    failed: Object.fromEntries(kept),
    ordered: ordered.filter((at) => isAhead(plus(at, ORDERS_MS), now, ORDERS_MS)),
  };
}

/** True when there is a new certificate. What is tried is kept before it is tried. */
async function order(
  { files, authority, publish, log }: CertificateSchedule,
  host: string,
  { failed, ordered }: Attempts,
  now: UnixMs,
): Promise<boolean> {
  const { [host]: before, [AUTHORITY]: beforeAll, ...others } = failed;
  const keep = (more: Attempts["failed"]) =>
    files.keepAttempts({ failed: { ...others, ...more }, ordered: [...ordered, now] });
  const again = (of: typeof before, cause: string, askedMs: number) => {
    const failures = (of?.failures ?? 0) + 1;
    const wait = Math.min(RETRY_MS_MAX, RETRY_MS * RETRY_FACTOR ** (failures - 1));
    return { failures, retryAt: plus(now, Math.max(wait, askedMs)), cause };
  };
  const withHost = before === undefined ? {} : { [host]: before };
  const withAll = beforeAll === undefined ? {} : { [AUTHORITY]: beforeAll };
  keep({ ...withAll, [host]: again(before, "the server ended before the CA responded", 0) });
  try {
    const key = newKey();
    const options = { ...authority, accountKey: files.accountKey() };
    files.store(host, key, await obtainCertificate(options, host, key, publish));
    keep({});
    return true;
  } catch (error) {
    const cause = messageOf(error);
    const { isForAll, retryAfterMs } =
      error instanceof CertificateRefused ? error : { isForAll: false, retryAfterMs: 0 };
    if (authority.signal.aborted) {
      keep({ ...withAll, ...withHost });
    } else if (isForAll) {
      keep({ ...withHost, [AUTHORITY]: again(beforeAll, cause, retryAfterMs) });
    } else {
      // The authority answered, so nothing is wrong with it.
      keep({ [host]: again(before, cause, retryAfterMs) });
    }
    log.warn("no certificate could be obtained", { host, cause });
    return false;
  }
}
