/** Invariants of records: counters, reservations and imports against the rows they sum up. */

import { countersIn, slotsOf } from "#domain/campaigns/counters.ts";
import { ENROLLMENT_STATUSES, HOLD_REASONS } from "#domain/campaigns/enrollment.ts";
import { unixMs } from "#domain/time.ts";
import { type Scene, wallAt } from "./scene.ts";
import { hexId } from "./snapshot.ts";

export function* checkCounters({ chronicle, snapshot }: Scene): Iterable<string> {
  const { messages, enrollments, inbound } = snapshot;
  const firstReplies = new Map<string, string | null>();
  const autoReplied = new Set<string>();
  for (const { kind, enrollment, step } of inbound) {
    if (enrollment !== null && kind === "reply" && !firstReplies.has(enrollment)) {
      firstReplies.set(enrollment, step);
    }
    if (enrollment !== null && kind === "auto_reply") {
      autoReplied.add(enrollment);
    }
  }
  for (const row of snapshot.campaigns) {
    const mine = enrollments.filter(({ campaign }) => campaign === row.id);
    const gone = chronicle.erased.filter(({ campaignId }) => hexId(campaignId) === row.id);
    const ended = (status: string) =>
      mine.filter((one) => one.status === status).length +
      gone.filter((one) => one.status === status).length;
    const sums = {
      enrolled: mine.length + gone.length,
      sent: messages.filter(
        (one) => one.campaign === row.id && one.kind === "step" && one.status === "sent",
      ).length,
      contacted: new Set(
        messages
          .filter((one) => one.campaign === row.id && one.kind === "step" && one.status === "sent")
          .map(({ enrollment }) => enrollment),
      ).size,
      replied:
        mine.filter(({ id }) => firstReplies.has(id)).length +
        gone.filter(({ replied }) => replied).length,
      autoReplied:
        mine.filter(({ id }) => autoReplied.has(id)).length +
        gone.filter((one) => one.autoReplied).length,
      bounced: ended("bounced"),
      unsubscribed: ended("unsubscribed"),
      completed: ended("completed"),
      failed: ended("failed"),
    };
    for (const [name, sum] of Object.entries(sums)) {
      const counter = row[name as keyof typeof sums];
      if (counter !== sum) {
        yield `campaign ${row.id} counts ${counter} ${name}, there are ${sum}`;
      }
    }
  }
  for (const row of snapshot.steps) {
    const mine = messages.filter(({ step }) => step === row.id);
    const sent = mine.filter(({ status }) => status === "sent").length;
    if (row.sent !== sent) {
      yield `step ${row.id} counts ${row.sent} sent, there are ${sent}`;
    }
    // Of soft bounces the third in a row counts as one for good.
    const hard = snapshot.hardBounces.filter(({ step }) => step === row.id).length;
    const all = mine.filter(({ bouncedAt }) => bouncedAt !== null).length;
    if ((row.bounced < hard && !chronicle.unbounced) || row.bounced > all) {
      yield `step ${row.id} counts ${row.bounced} bounced, there are ${hard} hard of ${all}`;
    }
    const replied = [...firstReplies.values()].filter((step) => step === row.id).length;
    if (chronicle.erased.length === 0 && row.replied !== replied) {
      yield `step ${row.id} counts ${row.replied} replied, there are ${replied}`;
    }
  }
}

/** Of leads contacted in a quarter of an hour no more than all reply; their sums are the campaign's reply rate. */
export function* checkContacted({ snapshot }: Scene): Iterable<string> {
  for (const { owner, slot, contacted, contactedReplied } of snapshot.figures) {
    if (contactedReplied < 0 || contactedReplied > contacted) {
      yield `${owner} counts ${contactedReplied} replies of ${contacted} leads in slot ${slot}`;
    }
  }
  const sent = snapshot.messages.filter(({ kind, status }) => kind === "step" && status === "sent");
  const written = new Set(sent.map(({ enrollment }) => enrollment));
  for (const { id, contacted, replied } of snapshot.campaigns) {
    const mine = snapshot.figures.filter(({ owner }) => owner === id);
    const sum = (of: "contacted" | "contactedReplied") =>
      mine.reduce((all, one) => all + one[of], 0);
    const unwritten = new Set(
      snapshot.inbound
        .filter(({ campaign, kind }) => campaign === id && kind === "reply")
        .map(({ enrollment }) => enrollment)
        .filter((enrollment) => enrollment !== null && !written.has(enrollment)),
    );
    if (sum("contacted") !== contacted || sum("contactedReplied") !== replied - unwritten.size) {
      yield `campaign ${id} counts ${replied} replies of ${contacted} leads, its days ${sum("contactedReplied")} of ${sum("contacted")}`;
    }
  }
}

const OPEN = ["pending", "active", "paused"];

export function* checkOpen({ snapshot }: Scene): Iterable<string> {
  for (const row of snapshot.campaigns) {
    const mine = snapshot.enrollments.filter(({ campaign }) => campaign === row.id);
    const open = mine.filter(({ status }) => OPEN.includes(status)).length;
    if (row.open !== open) {
      yield `campaign ${row.id} counts ${row.open} open, there are ${open}`;
    }
    for (const status of ENROLLMENT_STATUSES) {
      const there = mine.filter((one) => one.status === status).length;
      const counted = JSON.parse(row.statuses)[status] ?? 0;
      if (counted !== there) {
        yield `campaign ${row.id} counts ${counted} ${status}, there are ${there}`;
      }
    }
    const onHold = mine.filter(({ holdReason }) => holdReason !== null);
    for (const reason of HOLD_REASONS) {
      const there = onHold.filter(({ holdReason }) => holdReason === reason).length;
      const counted = JSON.parse(row.onHold)[reason] ?? 0;
      if (counted !== there) {
        yield `campaign ${row.id} counts ${counted} on hold for ${reason}, there are ${there}`;
      }
    }
    const left = onHold.filter(({ id }) => !snapshot.returned.some((one) => one.id === id));
    if (row.status === "completed" && left.length > 0) {
      yield `campaign ${row.id} is completed with ${left.length} on hold`;
    }
  }
}

/** The claim looks at what is due alone: a lead on hold that was due would be written to. */
export function* checkOnHold({ snapshot }: Scene): Iterable<string> {
  for (const { id, status, holdReason, dueAt } of snapshot.enrollments) {
    if (holdReason !== null && dueAt !== null) {
      yield `enrollment ${id} (${status}) is on hold for ${holdReason} and due ${dueAt}`;
    }
  }
}

const RESERVING = ["sending", "sent", "unknown"];
/** Buckets that nothing has touched for this long may be forgotten. */
const FORGOTTEN_MS = 7 * 86_400_000;

type Counted = Scene["chronicle"]["doubted"][number];

/** Months and slots are what was reserved; local days and hours, from today on, what the slots make them. */
export function* checkUsage(scene: Scene): Iterable<string> {
  const { snapshot } = scene;
  const sums = new Map<string, { count: number; last: number }>();
  const add = ({ kind, owner, bucket }: Counted, at: number) => {
    const key = `${kind} ${hexId(owner)} ${bucket}`;
    const sum = sums.get(key) ?? { count: 0, last: 0 };
    sums.set(key, { count: sum.count + 1, last: Math.max(sum.last, at) });
  };
  const zones = new Map(
    [...snapshot.accounts, ...snapshot.campaigns].map((one) => [one.id, one.zone]),
  );
  const uncapped = snapshot.campaigns.filter(({ domainCap }) => domainCap === null);
  const isCurrent = ({ kind, owner, bucket }: Counted) => {
    const zone = zones.get(hexId(owner));
    // Counted when they come to be capped.
    const isIdle = kind === "campaign_domain" && uncapped.some(({ id }) => id === hexId(owner));
    const isAhead = zone !== undefined && bucket >= wallAt(zone, snapshot.now).date;
    return isLasting(kind) || (isAhead && !isIdle);
  };
  for (const { counted, at } of countedIn(scene)) {
    for (const one of counted) {
      add(one, at);
      const zone = zones.get(hexId(one.owner));
      if (one.kind.endsWith("_slot") && zone !== undefined) {
        countersIn(zone, one).forEach((counter) => {
          add(counter, at);
        });
      }
    }
  }
  const counts = new Map(
    snapshot.usage
      .filter(isCurrent)
      .map(({ kind, owner, bucket, count }) => [`${kind} ${owner} ${bucket}`, count]),
  );
  for (const [key, count] of counts) {
    const sum = sums.get(key)?.count ?? 0;
    if (sum !== count) {
      yield `${key} counts ${count}, reserved are ${sum}`;
    }
  }
  for (const [key, { last, count }] of sums) {
    const [kind = "", owner = "", bucket = ""] = key.split(" ");
    const isKept = last > snapshot.now - FORGOTTEN_MS && isCurrent({ kind, owner, bucket });
    if (!counts.has(key) && isKept) {
      yield `${key} is not counted, reserved are ${count}`;
    }
  }
}

/** Its buckets mean the same whatever the time zone. */
function isLasting(kind: string): boolean {
  return /^team_month$|^account_(new|spread)$|_slot$/.test(kind);
}

/** The lasting buckets of every email that counts. */
function countedIn({ chronicle, snapshot }: Scene): { counted: Counted[]; at: number }[] {
  const lasting = (reserved: readonly Counted[], at: number) => {
    const all = [...reserved, ...slotsOf(reserved, unixMs(at))];
    return all.filter(({ kind }) => isLasting(kind));
  };
  return [
    ...snapshot.messages
      .filter(({ status }) => RESERVING.includes(status))
      .map(({ reserved, claimedAt }) => ({
        counted: lasting(JSON.parse(reserved), claimedAt),
        at: claimedAt,
      })),
    { counted: chronicle.doubted.filter(({ kind }) => isLasting(kind)), at: 0 },
  ];
}

export function* checkImports({ chronicle }: Scene): Iterable<string> {
  for (const { input, imported, skipped, errors } of chronicle.imports) {
    if (imported + skipped + errors !== input) {
      yield `${imported} + ${skipped} + ${errors} is not ${input}`;
    }
  }
}
