/** What a simulation is asked for, and what it comes to. */

import type { Database } from "bun:sqlite";
import type { UnixMs } from "#domain/time.ts";
import type { BytesFigures } from "./bytes.ts";
import type { Violation } from "./checks.ts";
import type { Stage } from "./stage.ts";
import type { StorageFigures } from "./storage.ts";
import type { Tally } from "./tally.ts";
import type { Style } from "./team.ts";

export interface SimulationOptions {
  seed: number;
  style?: Partial<Style>;
  /** Rounds of the first phase. */
  rounds?: number;
  /** Where the clock starts; drawn where absent. */
  start?: UnixMs;
  /** False: nothing fails, nobody answers or changes anything from the start. */
  rough?: boolean;
  plant?: Plant;
  /** Looks at these invariants only. */
  only?: readonly Violation["invariant"][];
  /** Rounds of the second phase at most. */
  calmRounds?: number;
  /** Email is spoken word by word, over real connections. */
  speaks?: boolean;
  /** A whole installation, whose storage lies. */
  storage?: boolean;
}

/** A violation that a test plants: what is tampered with behind the product's back. */
export interface Plant {
  /** Before each round's sending; what it does is undone by `after` before people look again. */
  before?: (db: Database, stage: Stage) => void;
  after?: (db: Database, stage: Stage) => void;
  /** A disk that loses what it said it had. */
  forgets?: boolean;
  /** Nobody looks over the file. */
  unchecked?: boolean;
  /** A start doesn't find out whether the data is an older copy. */
  trusting?: boolean;
  /** A start doesn't carry out the list of suppressions. */
  forgetful?: boolean;
}

export interface SimulationResult {
  seed: number;
  violations: Violation[];
  /** What was lived through, to see that a run is worth its time. */
  figures: Figures;
  /** Where email was spoken word by word. */
  bytes?: BytesFigures;
  /** Where storage lies. */
  storage?: StorageFigures;
}

export interface Figures {
  sent: number;
  kills: number;
  restarts: number;
  deeds: number;
  /** Of sequences. */
  edits: number;
  rounds: number;
  days: number;
  faults: Tally;
}
