/**
 * Emails by what SMTP servers took: nobody gets a step twice, nobody who is suppressed gets any, no cap is
 * exceeded, and the program knows what it has sent.
 */

import { DAY_MS } from "#domain/time.ts";
import {
  type Entry,
  type Filed,
  type Finding,
  isKind,
  isUndone,
  type Mail,
  type Rules,
  requestsOf,
  restoresOf,
} from "./history.ts";

export function checkMail(
  entries: readonly Entry[],
  rules: Pick<Rules, "caps" | "startedAt" | "forgets">,
): Finding[] {
  const mails = entries.filter(isKind("mail"));
  return [
    ...twice(mails),
    ...stopped(entries, mails, rules),
    ...overCap(mails, rules),
    ...unaccounted(entries, mails),
  ];
}

function twice(mails: readonly Mail[]): Finding[] {
  const sent = Map.groupBy(
    mails,
    ({ campaign, recipient, step }) => `${campaign} ${recipient} ${step}`,
  );
  return [...sent]
    .filter(([, same]) => same.length > 1)
    .map(([on, same]) => {
      return { kind: "email_twice", on, says: `taken at ${same.map(({ to }) => to).join(", ")}` };
    });
}

/**
 * From the acknowledgement until somebody asks to lift it, whatever is restored; of a campaign until a backup from
 * before comes back, too. Emails that were past stopping may still be taken: as many as the response has counted.
 */
function stopped(
  entries: readonly Entry[],
  mails: readonly Mail[],
  { forgets = false }: Pick<Rules, "forgets">,
): Finding[] {
  const requests = requestsOf(entries);
  const restores = restoresOf(entries);
  const lifted = requests.filter((one) => one.lifts !== undefined && one.outcome !== "refused");
  const found: Finding[] = [];
  for (const { stops, outcome, to, from } of requests) {
    if (stops === undefined || outcome !== "ok" || to === null) {
      continue;
    }
    const { of, name, inFlight } = stops;
    const ends = [
      ...lifted
        .filter((one) => one.lifts?.of === of && one.lifts.name === name)
        .filter((one) => (one.to ?? Infinity) >= from)
        .map((one) => one.from),
      ...restores
        .filter(() => of === "campaign" || forgets)
        .filter(({ save, restore }) => save.from <= to && to < restore.to)
        .map(({ restore }) => restore.from),
    ];
    const until = Math.min(...ends, Number.POSITIVE_INFINITY);
    const after = mails.filter((mail) => mail[of] === name && mail.to > to && mail.to < until);
    if (after.length > inFlight) {
      const at = after.map((mail) => mail.to);
      const says = `stopped at ${to} with ${inFlight} in flight; taken at ${at}`;
      found.push({ kind: "email_after_stop", on: `${of} ${name}`, says });
    }
  }
  return found;
}

/** Counted by the days in which both its first command and its end are, so that midnight has no say. */
function overCap(
  mails: readonly Mail[],
  { caps, startedAt }: Pick<Rules, "caps" | "startedAt">,
): Finding[] {
  const dayOf = (at: number) => Math.floor((startedAt + at) / DAY_MS);
  return caps.flatMap(({ of, name, perDay }) => {
    const own = mails.filter((mail) => mail[of] === name && dayOf(mail.begun) === dayOf(mail.to));
    return [...Map.groupBy(own, ({ to }) => dayOf(to)).values()]
      .filter((day) => day.length > perDay)
      .map((day): Finding => {
        return { kind: "over_cap", on: `${of} ${name}`, says: `${day.length} of ${perDay}` };
      });
  });
}

/**
 * At the end. One more may have been sent where the lead is on hold for it, or an event has said so; and as many as a
 * restore has taken from the records without a copy in the Sent folder, of a lead that is on hold or has ended.
 */
function unaccounted(entries: readonly Entry[], mails: readonly Mail[]): Finding[] {
  const nameOf = ({ campaign, recipient }: Mail | Filed) => `${campaign} ${recipient}`;
  const taken = Map.groupBy(mails, nameOf);
  const filed = Map.groupBy(entries.filter(isKind("filed")), nameOf);
  const failed = entries.filter(isKind("delivery")).filter(({ type }) => type === "email.failed");
  const doubts = new Set(failed.map(({ subject }) => subject));
  const restores = restoresOf(entries);
  const isTraceless = (on: string, mail: Mail) =>
    restores.some(
      ({ save, restore }) =>
        isUndone([{ save, restore }], mail.to) &&
        !filed.get(on)?.some((copy) => copy.step === mail.step && copy.to < restore.from),
    );
  return entries.filter(isKind("standing")).flatMap((lead): Finding[] => {
    const on = `${lead.campaign} ${lead.email}`;
    const own = taken.get(on) ?? [];
    const steps = new Set(own.map(({ step }) => step)).size;
    const isOnHold = lead.hold === "unknown_send";
    const isGoingOn = ["pending", "active", "paused"].includes(lead.status) && !isOnHold;
    const traceless = isGoingOn ? [] : own.filter((mail) => isTraceless(on, mail));
    const inDoubt = Math.max(Number(isOnHold || doubts.has(`${on} ${steps}`)), traceless.length);
    const says = `${steps} taken, ${lead.sent} sent by the API, ${lead.status}, hold ${lead.hold}`;
    const isKnown = lead.sent <= steps && steps <= lead.sent + inDoubt;
    return isKnown ? [] : [{ kind: "email_unaccounted", on, says }];
  });
}
