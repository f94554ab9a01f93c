/**
 * Emails by what SMTP servers took: nobody gets a step twice, nobody who is suppressed gets any, no cap is
 * exceeded, and the program knows what it has sent.
 */

import { DAY_MS } from "#domain/time.ts";
import {
  type Entry,
  type Finding,
  isKind,
  type Mail,
  type Rules,
  requestsOf,
  restoresOf,
} from "./history.ts";

export function checkMail(
  entries: readonly Entry[],
  rules: Pick<Rules, "caps" | "startedAt">,
): Finding[] {
  const mails = entries.filter(isKind("mail"));
  return [
    ...twice(mails),
    ...suppressed(entries, mails),
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
 * From the acknowledgement until somebody asks to lift it, or a backup from before comes back. Emails that were
 * past stopping may still be taken: as many as the response has counted.
 */
function suppressed(entries: readonly Entry[], mails: readonly Mail[]): Finding[] {
  const requests = requestsOf(entries);
  const restores = restoresOf(entries);
  const found: Finding[] = [];
  for (const { suppresses, outcome, to, from } of requests) {
    if (suppresses === undefined || outcome !== "ok" || to === null) {
      continue;
    }
    const { email, inFlight } = suppresses;
    const ends = [
      ...requests
        .filter((one) => one.lifts === email && one.outcome !== "refused")
        .filter((one) => (one.to ?? Infinity) >= from)
        .map((one) => one.from),
      ...restores
        .filter(({ save, restore }) => save.from <= to && to < restore.to)
        .map(({ restore }) => restore.from),
    ];
    const until = Math.min(...ends, Number.POSITIVE_INFINITY);
    const after = mails.filter(
      (mail) => mail.recipient === email && mail.to > to && mail.to < until,
    );
    if (after.length > inFlight) {
      const says = `suppressed at ${to} with ${inFlight} in flight; taken at ${after.map((mail) => mail.to)}`;
      found.push({ kind: "email_after_suppression", on: email, says });
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

/** At the end. Of an email that is on hold because nobody knows, both may be true. */
function unaccounted(entries: readonly Entry[], mails: readonly Mail[]): Finding[] {
  const taken = Map.groupBy(mails, ({ campaign, recipient }) => `${campaign} ${recipient}`);
  return entries.filter(isKind("standing")).flatMap((lead): Finding[] => {
    const on = `${lead.campaign} ${lead.email}`;
    const steps = new Set(taken.get(on)?.map(({ step }) => step)).size;
    const isKnown = steps === lead.sent;
    const isInDoubt = lead.hold === "unknown_send" && steps === lead.sent + 1;
    const says = `${steps} taken, ${lead.sent} sent by the API, ${lead.status}, hold ${lead.hold}`;
    return isKnown || isInDoubt ? [] : [{ kind: "email_unaccounted", on, says }];
  });
}
