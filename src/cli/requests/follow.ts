/** Following a server's events through its restarts and the network's failures. */

import { CommandError, EXIT } from "#cli/exit.ts";
import { Problem } from "#domain/problem.ts";
import type { Client, StreamedEvent } from "./client.ts";

/** Between two tries to reach the server again. */
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000];

export interface FollowOptions {
  /** Kinds, families (`email.*`) and `*`, with commas between; undefined: all. */
  type: string | undefined;
  /** A `seq` to go on after; undefined: from now on. */
  after: string | undefined;
  signal: AbortSignal;
  /** Told once for each time that the server cannot be reached. */
  onAway: (reason: string) => void;
}

/** Where a follower is. */
interface Place {
  last: string | undefined;
  /** Tries in a row that brought nothing. */
  failures: number;
  /** False until the server has taken the first request. */
  hasStood: boolean;
}

/**
 * Every event in order, none twice, until `signal` is aborted. The first connection must stand: what
 * is wrong with key, kind or address is thrown.
 */
export async function* follow(
  client: Client,
  options: FollowOptions,
): AsyncGenerator<StreamedEvent> {
  const place: Place = { last: options.after, failures: 0, hasStood: false };
  while (!options.signal.aborted) {
    yield* read(client, options, place);
    if (!options.signal.aborted) {
      await Bun.sleep(PAUSES_MS[Math.min(place.failures, PAUSES_MS.length) - 1] ?? 0);
    }
  }
}

/** One connection to its end. */
async function* read(
  client: Client,
  { type, signal, onAway }: FollowOptions,
  place: Place,
): AsyncGenerator<StreamedEvent> {
  const query = { ...(type && { type }), ...(place.last && { after: place.last }) };
  try {
    for await (const event of client.events(query, signal)) {
      place.last = event.id;
      place.failures = 0;
      place.hasStood = true;
      yield event;
    }
    place.hasStood = true;
  } catch (error) {
    if (!signal.aborted) {
      endure(error, place, onAway);
    }
  }
  place.failures += 1;
}

/** Throws what waiting does not fix. */
function endure(
  error: unknown,
  { hasStood, failures }: Place,
  onAway: (why: string) => void,
): void {
  const isAway = error instanceof CommandError && error.exit === EXIT.unavailable;
  const isClosing = error instanceof Problem && error.type === "unavailable";
  if (!hasStood || !(isAway || isClosing)) {
    throw error;
  }
  if (failures <= 1) {
    onAway(error.message);
  }
}
