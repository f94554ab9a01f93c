/**
 * Bounds on waiting for the network. The only thing here that counts time is the runtime itself.
 */

/** The bound passed before the other side answered. */
export class DeadlineError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DeadlineError";
  }
}

/** `work`, or a {@link DeadlineError} after `ms`; the work itself is not stopped. */
export async function within<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = after(ms, () => reject(new DeadlineError(message)));
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}

/** Runs `act` once after `ms`, unless the function that it returns is called first. */
export function after(ms: number, act: () => void): () => void {
  const signal = AbortSignal.timeout(ms);
  signal.addEventListener("abort", act, { once: true });
  return () => signal.removeEventListener("abort", act);
}
