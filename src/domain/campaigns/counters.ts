/**
 * What an email is counted under. Caps are checked against counters of local days and hours. Beside them
 * each email is counted in its slot, a quarter of an hour of real time: days and hours of every zone are
 * made of these, so that the counters of another zone follow from them when a time zone is changed.
 */

import { type UnixMs, unixMs } from "#domain/time.ts";
import { SLOT_MS, slotOf } from "./figures.ts";
import { localDay, localHour } from "./local-day.ts";

/** As `Counter` in `sending/ledger.ts`, slots too. */
interface Counted {
  kind: string;
  owner: string;
  bucket: string;
}

/**
 * Of a mailbox: `<slot>:<provider>` of an email of a sequence, `<slot>` of any other. Of a campaign:
 * `<slot>:new:<domain>` or `<slot>:next:<domain>`.
 */
export const ACCOUNT_SLOT = "account_slot";
export const CAMPAIGN_SLOT = "campaign_slot";

export const ACCOUNT_KINDS = ["account_day", "account_hour", "account_provider"] as const;
export const CAMPAIGN_KINDS = ["campaign_day", "campaign_domain", "campaign_new"] as const;
/** Those of local time; others stay what they are when a time zone is changed. */
const LOCAL_KINDS: readonly string[] = [...ACCOUNT_KINDS, ...CAMPAIGN_KINDS];

/** The slots of an email that was counted under `counters` at `at`; none where they are among these. */
export function slotsOf(counters: readonly Counted[], at: UnixMs): Counted[] {
  if (counters.some(isSlot)) {
    return [];
  }
  const slot = String(slotOf(at));
  return counters.flatMap(({ kind, owner, bucket }) => {
    if (kind === "account_day") {
      const provider = providerIn(counters);
      const at = provider === undefined ? slot : `${slot}:${provider}`;
      return [{ kind: ACCOUNT_SLOT, owner, bucket: at }];
    }
    if (kind !== "campaign_domain") {
      return [];
    }
    const isNew = counters.some((one) => one.kind === "campaign_new" && one.owner === owner);
    const domain = bucket.slice(bucket.indexOf(":") + 1);
    const which = isNew ? "new" : "next";
    return [{ kind: CAMPAIGN_SLOT, owner, bucket: `${slot}:${which}:${domain}` }];
  });
}

/** What an email of a sequence is counted as; undefined of any other. */
export function providerIn(counters: readonly Counted[]): string | undefined {
  return counters.find(({ kind }) => kind === "account_provider")?.bucket.split(":")[1];
}

/** The counters of local time that are made of a slot, where the owner's zone is `zone`. */
export function countersIn(zone: string, { kind, owner, bucket }: Counted): Counted[] {
  const [slot = "", which, domain] = bucket.split(":");
  const at = unixMs(Number(slot) * SLOT_MS);
  const { date } = localDay(zone, at);
  if (kind === ACCOUNT_SLOT) {
    return [
      { kind: "account_day", owner, bucket: date },
      { kind: "account_hour", owner, bucket: localHour(zone, at).key },
      ...(which === undefined
        ? []
        : [{ kind: "account_provider", owner, bucket: `${date}:${which}` }]),
    ];
  }
  return [
    { kind: "campaign_day", owner, bucket: date },
    { kind: "campaign_domain", owner, bucket: `${date}:${domain}` },
    ...(which === "new" ? [{ kind: "campaign_new", owner, bucket: date }] : []),
  ];
}

/**
 * Where an email is counted by now that was counted under `counters` at `at`, slots among it. `zoneOf`
 * answers an owner's zone in force; undefined: it is gone, and its counters are what they were.
 */
export function countedNow(
  counters: readonly Counted[],
  at: UnixMs,
  zoneOf: (owner: string) => string | undefined,
): Counted[] {
  const slots = [...counters.filter(isSlot), ...slotsOf(counters, at)];
  const moved = slots.flatMap((slot) => {
    const zone = zoneOf(slot.owner);
    return zone === undefined ? [] : countersIn(zone, slot);
  });
  const isMoved = ({ kind, owner }: Counted) =>
    LOCAL_KINDS.includes(kind) && moved.some((one) => one.owner === owner);
  return [...slots, ...moved, ...counters.filter((one) => !isSlot(one) && !isMoved(one))];
}

function isSlot({ kind }: Counted): boolean {
  return kind === ACCOUNT_SLOT || kind === CAMPAIGN_SLOT;
}
