/**
 * Which mailboxes are watched for new email, each over a connection of its own. Where there are more than
 * connections, those that have sent last have them, since replies come to these; the others are polled.
 *
 * Nothing here is kept over a restart, and nothing depends on it: a push only brings the next poll
 * forward.
 */

import { stackOf } from "#domain/thrown.ts";
import { DAY_MS, HOUR_MS, isAhead, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { WatchEnd } from "#platform/ports/mail.ts";
import { accountById, watchableAccounts } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { UnreadableCredentials } from "#usecases/mailboxes/credentials.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";

/** Connections that are being opened at once. */
const OPENING_MAX = 32;
/** How often it is looked which mailboxes are to be watched. */
const TEND_EVERY_MS = MINUTE_MS;
/** A connection gives way to a mailbox that has sent later, but not before it has lasted this long. */
const TURN_MS = HOUR_MS;
/** One that lasted less has failed: servers that throw us out at once are not asked again at once. */
const STEADY_MS = MINUTE_MS;
const REST_MS_MAX = HOUR_MS;
/** A server that cannot tell is asked again after this time. */
const UNSUPPORTED_REST_MS = DAY_MS;

interface Watch {
  controller: AbortController;
  since: UnixMs;
  isUp: boolean;
}

export class Watches {
  private readonly env: Environment;
  private readonly open = new Map<Id, Watch>();
  private readonly news = new Set<Id>();
  private readonly ends: { id: Id; since: UnixMs; how: WatchEnd }[] = [];
  /** Are to be watched, and wait for others to be opened; since when. */
  private coming = new Map<Id, UnixMs>();
  private readonly rests = new Map<Id, { tries: number; until: UnixMs; ms: number }>();
  private tendAt: UnixMs | undefined;

  constructor(env: Environment) {
    this.env = env;
  }

  /** Opens and ends connections as it is time to. Returns when it is next; undefined: never. */
  tend(now: UnixMs): UnixMs | undefined {
    const most = this.env.imapConnections;
    this.takeEnds(now);
    if (most === 0 || isAhead(this.tendAt, now, TEND_EVERY_MS)) {
      return this.tendAt;
    }
    const known = watchableAccounts(this.env.db);
    const wanted = known.slice(0, most).filter((id) => !this.isResting(id, now));
    this.makeRoom(new Set(known), wanted, now);
    const before = [...this.open.values()].filter(({ isUp }) => !isUp).length;
    let opening = before;
    const waited = this.coming;
    this.coming = new Map();
    for (const id of wanted.filter((one) => !this.open.has(one))) {
      if (opening < OPENING_MAX && this.open.size < most) {
        this.start(id, now);
        opening += 1;
      } else if (this.open.size + this.coming.size < most) {
        this.coming.set(id, waited.get(id) ?? now);
      }
    }
    for (const [id, { until }] of this.rests) {
      if (until + REST_MS_MAX < now) {
        this.rests.delete(id);
      }
    }
    this.tendAt = plus(now, TEND_EVERY_MS);
    // What has ended as soon as it was begun is known on the next step.
    return opening > before ? now : this.tendAt;
  }

  /** Mailboxes that may have new email, as far as `isFree` takes them; the others stay for later. */
  takeNews(isFree: (id: Id) => boolean): Id[] {
    const taken = [...this.news].filter(isFree);
    for (const id of taken) {
      this.news.delete(id);
    }
    return taken;
  }

  /**
   * Since when a connection for this mailbox is being opened, or waits to be; undefined: it is open, or
   * will not be.
   */
  comingSince(id: Id): UnixMs | undefined {
    const watch = this.open.get(id);
    return watch?.isUp === false ? watch.since : this.coming.get(id);
  }

  /** Mailboxes of which new email is told now. */
  get count(): number {
    return [...this.open.values()].filter(({ isUp }) => isUp).length;
  }

  /** True while the server pushes new email of this mailbox. */
  isWatched(id: Id): boolean {
    return this.open.get(id)?.isUp === true;
  }

  /** What became of connections that have ended; a poll sees what came since, or why it failed. */
  private takeEnds(now: UnixMs): void {
    for (const { id, since, how } of this.ends.splice(0)) {
      this.open.delete(id);
      this.tendAt = undefined;
      if (how.kind === "stopped") {
        continue;
      }
      if (how.kind === "unsupported") {
        const ms = UNSUPPORTED_REST_MS;
        this.rests.set(id, { tries: 0, until: plus(now, ms), ms });
        continue;
      }
      this.news.add(id);
      if (how.kind === "ended" && now - since >= STEADY_MS) {
        this.rests.delete(id);
      } else {
        this.rest(id, now);
      }
    }
  }

  private rest(id: Id, now: UnixMs): void {
    const tries = (this.rests.get(id)?.tries ?? 0) + 1;
    const ms = Math.min(REST_MS_MAX, MINUTE_MS * 2 ** Math.min(tries - 1, 10));
    this.rests.set(id, { tries, until: plus(now, ms), ms });
  }

  private isResting(id: Id, now: UnixMs): boolean {
    const rest = this.rests.get(id);
    return rest !== undefined && isAhead(rest.until, now, rest.ms);
  }

  /** Ends those whose mailbox is not read any more, and as many as others wait for. */
  private makeRoom(watchable: ReadonlySet<Id>, wanted: readonly Id[], now: UnixMs): void {
    const waiting = wanted.filter((id) => !this.open.has(id)).length;
    let lacking = waiting - (this.env.imapConnections - this.open.size);
    for (const [id, { controller, since }] of this.open) {
      const mayStay = isAhead(plus(since, TURN_MS), now, TURN_MS);
      const gives = lacking > 0 && !wanted.includes(id) && !mayStay;
      if (!watchable.has(id) || gives) {
        controller.abort();
        lacking -= 1;
      }
    }
  }

  private start(id: Id, now: UnixMs): void {
    const account = accountById(this.env.db, id);
    if (account === undefined) {
      return;
    }
    const watch: Watch = { controller: new AbortController(), since: now, isUp: false };
    this.open.set(id, watch);
    void this.follow(account, watch).then((how) => {
      this.ends.push({ id, since: watch.since, how });
      this.env.wake();
    });
  }

  private async follow(account: AccountRow, watch: Watch): Promise<WatchEnd> {
    const { env } = this;
    const onNews = () => {
      if (!watch.isUp) {
        watch.isUp = true;
        this.tendAt = undefined;
      }
      this.news.add(account.id);
      env.wake();
    };
    try {
      return await env.mail.watch(mailboxOf(env, account), watch.controller.signal, onNews);
    } catch (error) {
      if (!(error instanceof UnreadableCredentials)) {
        const cause = stackOf(error);
        env.log.error("watching a mailbox failed inside", { account: account.id, cause });
      }
      return { kind: "unreachable", reason: "internal error", login: false };
    }
  }
}
