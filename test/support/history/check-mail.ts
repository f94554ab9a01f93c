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
 * At the end. One more may have been sent where the lead is on hold for it, where an event has said so, or where
 * its sequence has ended, a restore has taken its record and there was no copy in the Sent folder.
 */
function unaccounted(entries: readonly Entry[], mails: readonly Mail[]): Finding[] {
  const nameOf = ({ campaign, recipient }: Mail | Filed) => `${campaign} ${recipient}`;
  const taken = Map.groupBy(mails, nameOf);
  const filed = Map.groupBy(entries.filter(isKind("filed")), nameOf);
  const failed = entries.filter(isKind("delivery")).filter(({ type }) => type === "email.failed");
  const doubts = new Set(failed.map(({ subject }) => subject));
  const restores = restoresOf(entries);
  const isTraceless = (on: string, step: number, end: string) =>
    !["pending", "active", "paused"].includes(end) &&
    (taken.get(on) ?? []).some(
      (mail) =>
        mail.step === step &&
        restores.some(
          ({ save, restore }) =>
            isUndone([{ save, restore }], mail.to) &&
            !filed.get(on)?.some((copy) => copy.step === step && copy.to < restore.from),
        ),
    );
  return entries.filter(isKind("standing")).flatMap((lead): Finding[] => {
    const on = `${lead.campaign} ${lead.email}`;
    const steps = new Set(taken.get(on)?.map(({ step }) => step)).size;
    const isSaid = lead.hold === "unknown_send" || doubts.has(`${on} ${steps}`);
    const isInDoubt = isSaid || isTraceless(on, steps, lead.status);
    const says = `${steps} taken, ${lead.sent} sent by the API, ${lead.status}, hold ${lead.hold}`;
    return steps === lead.sent || (isInDoubt && steps === lead.sent + 1)
      ? []
      : [{ kind: "email_unaccounted", on, says }];
  });
}
