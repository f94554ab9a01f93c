/**
 * UUIDv7: 48 bits of time, a 12-bit counter within the millisecond, 62 random bits. Ids made by one
 * process rise strictly, so they order rows as they were made.
 *
 * Source: RFC 9562 §5.7 and §6.2 method 1.
 */

import type { UnixMs } from "#domain/time.ts";
import type { Dice } from "./dice.ts";

export interface Ids {
  next(now: UnixMs): string;
}

const COUNTER_MAX = 0xfff;
const RANDOM_BYTES = 8;

export function createIds(dice: Dice): Ids {
  let lastMs = 0;
  let counter = 0;
  return {
    next: (now) => {
      if (now > lastMs) {
        lastMs = now;
        counter = 0;
      } else if (counter < COUNTER_MAX) {
        counter += 1;
      } else {
        lastMs += 1;
        counter = 0;
      }
      const time = lastMs.toString(16).padStart(12, "0");
      const count = counter.toString(16).padStart(3, "0");
      const random = randomHex(dice);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${random.slice(0, 4)}-${random.slice(4)}`;
    },
  };
}

/** 16 hex digits whose top two bits are the variant, binary 10. */
function randomHex(dice: Dice): string {
  let hex = "";
  for (let index = 0; index < RANDOM_BYTES; index += 1) {
    const byte = index === 0 ? (dice.byte() & 0x3f) | 0x80 : dice.byte();
    hex += byte.toString(16).padStart(2, "0");
  }
  return hex;
}
