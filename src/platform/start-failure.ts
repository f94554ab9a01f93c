/**
 * Why the program cannot start or open its data, in words for whoever runs it. The command line turns
 * the kind into an exit code (`cli/exit.ts`).
 */

export type StartFailureKind =
  /** Another process holds the data directory; the message says which. */
  | "locked"
  /** The data directory cannot be made or written. */
  | "unwritable"
  /** The address to listen on is taken, or is not this machine's. */
  | "address_taken"
  /** The data is of a newer program. */
  | "newer_data"
  /** A file in the data directory is not what it must be: a damaged database, a wrong master key. */
  | "damaged";

export class StartFailure extends Error {
  readonly kind: StartFailureKind;

  constructor(kind: StartFailureKind, message: string) {
    super(message);
    this.name = "StartFailure";
    this.kind = kind;
  }
}
