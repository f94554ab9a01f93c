/**
 * A process that can be killed. From the moment of its death nothing that it waits for ever comes: a
 * write that was not yet committed is refused, and calls of its mail port never return. What reached
 * the disk or a mail server stays.
 */

import type { Commit } from "#store/sqlite/commit.ts";
import type { Tally } from "./tally.ts";

export interface Life {
  readonly dead: boolean;
  /** Settles when it dies. */
  readonly died: Promise<typeof DEATH>;
  /** Sets it to die at the `awaits`-th wait from now. */
  light(awaits: number): void;
  /** Sets it to die after the `statements`-th statement of its transactions from now, inside of one. */
  lightStatement(statements: number): void;
  /** Sets the statement that many from now to fail so. */
  failStatement(statements: number, fail: () => never): void;
  /** A statement has run. Throws in the dead. */
  tick(): void;
  /** It is not killed any more in this life. */
  spare(): void;
  /** A wait: resolves at once in the living and never in the dead; may be the last. */
  pass(): Promise<void>;
  /**
   * `commit`, refused in the dead; each call is two waits, before the transaction and after it.
   * `committed` is called when somebody alive is told; `logged` counts the transactions in the log.
   */
  guard(commit: Commit, committed: () => void, logged: () => number): Commit;
  /** It died over a commit of which nobody has been told: its pages may not have reached the disk. */
  readonly isUnsynced: boolean;
}

export const DEATH = Symbol("death");

export function createLife(tally: Tally): Life {
  let dead = false;
  let fuse = Number.POSITIVE_INFINITY;
  let statements = Number.POSITIVE_INFINITY;
  let failing: { left: number; fail: () => never } | undefined;
  let isWriting = false;
  let isUnsynced = false;
  let die: () => void = () => undefined;
  const died = new Promise<typeof DEATH>((resolve) => {
    die = () => resolve(DEATH);
  });
  const burn = (): boolean => {
    fuse -= 1;
    if (fuse <= 0 && !dead) {
      dead = true;
      tally.kill_wait += 1;
      die();
    }
    return dead;
  };
  return {
    get dead() {
      return dead;
    },
    died,
    light: (awaits) => {
      fuse = awaits;
    },
    lightStatement: (count) => {
      statements = count;
    },
    tick: () => {
      if (!isWriting) {
        return;
      }
      statements -= 1;
      if (statements <= 0 && !dead) {
        dead = true;
        tally.kill_statement += 1;
        die();
      }
      if (dead) {
        throw new Error("the process is dead");
      }
      if (failing !== undefined) {
        failing.left -= 1;
        if (failing.left <= 0) {
          const { fail } = failing;
          failing = undefined;
          fail();
        }
      }
    },
    get isUnsynced() {
      return isUnsynced;
    },
    failStatement: (count, fail) => {
      failing = { left: count, fail };
    },
    spare: () => {
      failing = undefined;
      fuse = Number.POSITIVE_INFINITY;
      statements = Number.POSITIVE_INFINITY;
    },
    pass: () => (burn() ? never() : Promise.resolve()),
    guard: (commit, committed, logged) => {
      let told = logged();
      return (write) => {
        if (burn()) {
          return never();
        }
        const guarded = () => {
          if (dead) {
            throw new Error("the process is dead");
          }
          isWriting = true;
          try {
            return write();
          } finally {
            isWriting = false;
          }
        };
        return new Promise((resolve, reject) => {
          commit(guarded).then(
            (value) => {
              const wasAlive = !dead;
              if (burn()) {
                // A write that changes nothing leaves no pages: the last ones are of one that was told of.
                isUnsynced ||= wasAlive && logged() !== told;
              } else {
                told = logged();
                committed();
                resolve(value);
              }
            },
            (error) => {
              if (!dead) {
                told = logged();
                reject(error);
              }
            },
          );
        });
      };
    },
  };
}

function never<Value>(): Promise<Value> {
  return new Promise(() => undefined);
}
