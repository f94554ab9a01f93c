/** What a command is: words for its help, the options it takes, and what it does. */

import type { ExitCode } from "./exit.ts";
import type { Terminal } from "./term.ts";

export interface Option {
  type: "string" | "boolean";
  about: string;
  /** What a string's value is called in help: `DIR`. */
  value?: string;
  /** All that it may be; any text if left out. */
  values?: readonly string[];
  required?: true;
}

export type Options = Readonly<Record<string, Option>>;

export interface Positional {
  name: string;
  about: string;
  optional?: true;
  /** Of the last one: it may be given more than once. */
  repeats?: true;
}

type ValueOf<Type> = Type extends "boolean" ? boolean : string;

/** Given options by name. A required one has been checked to be there. */
export type Values<O extends Options> = {
  readonly [Name in keyof O as O[Name] extends { required: true } ? Name : never]: string;
} & {
  readonly [Name in keyof O as O[Name] extends { required: true } ? never : Name]?:
    | ValueOf<O[Name]["type"]>
    | undefined;
};

/** One call of a command. */
export interface Call<O extends Options = Options> {
  readonly values: Values<O>;
  /** One for each declared positional that was given, and one for each repeat. */
  readonly words: readonly string[];
  readonly json: boolean;
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDir: string;
  /**
   * Aborted, with the signal's name as reason, at the first SIGINT or SIGTERM; a second one ends the
   * process at once. A command that does not ask for it is ended by the first.
   */
  readonly interrupt: () => AbortSignal;
  /** Every command there is, by name. */
  readonly commands: () => Promise<Commands>;
}

export interface Command {
  /** One line, no full stop. */
  readonly about: string;
  /** More, under the usage in `help`. */
  readonly details?: string;
  readonly options: Options;
  readonly positionals?: readonly Positional[];
  run(call: Call): ExitCode | Promise<ExitCode>;
}

export type Commands = Readonly<Record<string, Command>>;

/** Gives `run` the types of its own options. */
export function command<const O extends Options>(spec: {
  about: string;
  details?: string;
  options: O;
  positionals?: readonly Positional[];
  run(call: Call<O>): ExitCode | Promise<ExitCode>;
}): Command {
  return { ...spec, run: (call) => spec.run(call as unknown as Call<O>) };
}
