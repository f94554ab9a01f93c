/**
 * Workers: the engine's kinds of work (sending, reading email, upkeep).
 *
 * A worker looks at the store, does a bounded amount of what is due, and says when it will next have
 * work. It never sleeps and never reads a clock, so it cannot tell who drives it: in production a
 * timer (`run.ts`), in the sandbox and in tests a loop that jumps from one due instant to the next.
 */

import type { UnixMs } from "#domain/time.ts";

export interface Worker {
  readonly name: string;
  /**
   * `wall`: its instants are the wall clock's, and it goes on while the sandbox's clock jumps. The environment's
   * clock if left out.
   */
  readonly time?: "wall";
  /**
   * Does what is due at `now`, one batch at most. Resolves to the instant of its next work: `now`
   * when a batch was left over, undefined when only an outside event can bring more. Rejects only
   * on a bug; a mail server that is down is an outcome, and is recorded.
   */
  step(now: UnixMs): Promise<UnixMs | undefined>;
  /** Of the inbox worker: mailboxes that it watches over connections of their own. */
  watched?(): number;
  /** Resolves when nothing is under way that a step has left behind; absent where no step does. */
  settled?(): Promise<void>;
}
