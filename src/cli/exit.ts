/**
 * Exit codes, and the errors that carry one.
 *
 * Source: sysexits(3) for 64 and up, 130 as shells report an interrupt.
 */

import { ConfigError } from "#config/values.ts";
import type { ProblemType } from "#domain/problem.ts";
import { Problem } from "#domain/problem.ts";
import { StartFailure, type StartFailureKind } from "#platform/start-failure.ts";
import { isDamage } from "#store/sqlite/damage.ts";

export const EXIT = {
  done: 0,
  /** It ran and found or met a fault: `doctor` saw one, there is no such key. */
  failed: 1,
  usage: 64,
  badData: 65,
  /** The port is taken, nothing answers. */
  unavailable: 69,
  cannotCreate: 73,
  /** Another process holds what is needed. */
  tryLater: 75,
  notAllowed: 77,
  config: 78,
  /** Ctrl-C cut it short. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with words for its user. */
export class CommandError extends Error {
  readonly exit: ExitCode;

  constructor(exit: ExitCode, message: string) {
    super(message);
    this.name = "CommandError";
    this.exit = exit;
  }
}

/** A mistake on the command line itself. */
export function usageError(message: string): CommandError {
  return new CommandError(EXIT.usage, message);
}

const START_EXIT: Readonly<Record<StartFailureKind, ExitCode>> = {
  locked: EXIT.tryLater,
  unwritable: EXIT.cannotCreate,
  address_taken: EXIT.unavailable,
  newer_data: EXIT.badData,
  damaged: EXIT.badData,
};

const PROBLEM_EXIT: Partial<Record<ProblemType, ExitCode>> = {
  invalid_request: EXIT.usage,
  validation_error: EXIT.usage,
  authentication_error: EXIT.notAllowed,
  permission_error: EXIT.notAllowed,
  rate_limit_exceeded: EXIT.tryLater,
  unavailable: EXIT.tryLater,
};

/** The exit code of an error that is for the user; undefined for a bug of ours. */
export function exitCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof CommandError) {
    return error.exit;
  }
  if (error instanceof ConfigError) {
    return error.fromFlag ? EXIT.usage : EXIT.config;
  }
  if (error instanceof StartFailure) {
    return START_EXIT[error.kind];
  }
  if (error instanceof Problem) {
    return PROBLEM_EXIT[error.type] ?? EXIT.failed;
  }
  return isDamage(error) ? EXIT.badData : undefined;
}
