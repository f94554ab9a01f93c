/** What the parts of a recording share. */

import type { Outrider } from "#client.ts";
import { MINUTE_MS } from "#domain/time.ts";
import type { TestApp } from "../../test/support/app.ts";

export interface Scene {
  app: TestApp;
  /** Its calls are examples, in the sandbox. */
  show: Outrider;
  /** The same in the live environment. */
  live: Outrider;
  /** Its calls only prepare. */
  ask: Outrider;
}

export const EVERY_DAY = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

export const FIRST_EMAIL = {
  type: "email",
  subject: "Quick question about {{company}}",
  body: "Hi {{first_name | default: 'there'}},\n\nwho looks after new software at {{company}}?",
} as const;

/** Nobody writes back by themselves. */
export const SILENCE = {
  ...{ reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 },
  ...{ complaint: 0, unsubscribe: 0, spam: 0 },
};

/** Hour by hour, until `isSo`. */
export async function until(app: TestApp, isSo: () => Promise<boolean>): Promise<void> {
  const HOURS_MAX = 24 * 7;
  for (let hours = 0; !(await isSo()); hours += 1) {
    if (hours > HOURS_MAX) {
      throw new Error("what a recording waits for does not come");
    }
    await app.advance(60 * MINUTE_MS);
  }
}
