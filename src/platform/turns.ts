/**
 * Turns of the event loop for work that is cut into slices. However much of it there is, one slice runs in
 * a turn, so that what else waits (a request, a reply of a mail server) waits for one slice and not for all.
 */

const waiting: (() => void)[] = [];

/** Resolves in a turn of the event loop that no other slice has. First come, first served. */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) {
      setImmediate(next);
    }
  });
}

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) {
    setImmediate(next);
  }
}
