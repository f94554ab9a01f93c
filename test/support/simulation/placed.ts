/** Where the servers of seed mailboxes put test emails, and what a look into a mailbox shows of them. */

import { MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { SeenMail } from "#platform/ports/mail.ts";
import type { Chronicle, Placed } from "./chronicle.ts";
import type { Draw } from "./draw.ts";

export function drawPlaced(draw: Draw, now: UnixMs): Placed {
  const placement = draw.pick([
    ...(["inbox", "inbox", "inbox", "inbox", "spam", "promotions", "not_delivered"] as const),
  ]);
  const isPrompt = draw.chance(0.8);
  const afterMs = isPrompt ? draw.int(0, 120) * SECOND_MS : draw.int(20, 900) * MINUTE_MS;
  return { placement, arrivesAt: plus(now, afterMs), isPrompt };
}

/** What a look at a seed shows of one mail: nothing, while it is not there. */
export function seenOf({ placed }: Chronicle, messageId: string, now: UnixMs): SeenMail[] {
  const put = placed.get(messageId);
  if (put === undefined || put.placement === "not_delivered" || put.arrivesAt > now) {
    return [];
  }
  const isSpam = put.placement === "spam";
  const where = isSpam
    ? ({ folder: "Junk", place: "junk", tab: null } as const)
    : ({
        folder: "INBOX",
        place: "inbox",
        tab: put.placement === "promotions" ? "promotions" : "primary",
      } as const);
  return [{ ...where, messageId, receivedAt: put.arrivesAt, headers: new Uint8Array() }];
}
