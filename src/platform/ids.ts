/**
 * UUIDv7: 48 bits of time, a 12-bit counter within the millisecond, 62 random bits. Ids rise strictly, and
 * go on after the last one of the process before, so they order rows as they were made.
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
/** Two digits of each byte: an import makes millions of ids. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** `after`: an id that those to be made are larger than. */
export function createIds(dice: Dice, after: string = NIL): Ids {
  let lastMs = timeOf(after);
  let counter = counterOf(after);
  let start = startOf(lastMs);
  const setTime = (ms: number) => {
    lastMs = ms;
    counter = 0;
    start = startOf(ms);
  };
  return {
    next: (now) => {
      if (now > lastMs) {
        setTime(now);
      } else if (counter < COUNTER_MAX) {
        counter += 1;
      } else {
        setTime(lastMs + 1);
      }
      // With a digit in front, the zeros at its beginning stay.
      const count = (counter + COUNTER_MAX + 1).toString(16).slice(1);
      return `${start}${count}-${randomHex(dice)}`;
    },
  };
}

const NIL = "00000000-0000-7000-8000-000000000000";
/** Digits of the time, without the dash between them. */
const TIME_DIGITS = 12;

function timeOf(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, TIME_DIGITS), 16);
}

/** Three digits behind that of the version. */
function counterOf(id: string): number {
  return Number.parseInt((id.split("-")[2] ?? "").slice(1), 16);
}

/** The least id of a time. */
export function firstIdOf(ms: UnixMs): string {
  return `${startOf(ms)}000-8000-000000000000`;
}

/** Up to the version. */
function startOf(ms: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}

/** 16 hex digits in their groups, whose top two bits are the variant, binary 10. */
function randomHex(dice: Dice): string {
  let hex = HEX[(dice.byte() & 0x3f) | 0x80] ?? "";
  for (let index = 1; index < RANDOM_BYTES; index += 1) {
    hex += `${index === 2 ? "-" : ""}${HEX[dice.byte()]}`;
  }
  return hex;
}
