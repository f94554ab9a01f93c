/**
 * Everybody else's mail servers and people. It outlives every process of a simulation; each process
 * gets a mail port of its own to it, which dies with the process.
 */

import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { DAY_MS, MINUTE_MS, plus, SECOND_MS, unixMs } from "#domain/time.ts";
import { type Dns, DnsFailure } from "#platform/ports/dns.ts";
import type {
  Envelope,
  LookOutcome,
  Mailbox,
  MailPort,
  PollOutcome,
  ReceivedMail,
  SentMail,
  Wanted,
} from "#platform/ports/mail.ts";
import { type Writing, writeFromStranger, writeReaction } from "#sandbox/mail-out.ts";
import { LANGUAGES } from "#sandbox/phrases.ts";
import { HOSTS } from "#sandbox/providers.ts";
import { readMail } from "#sandbox/read-mail.ts";
import { REACTION_KINDS } from "#sandbox/settings.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { type Arrival, arrange, lastPlace, takeEffect } from "./arrivals.ts";
import type { Chronicle, Handed } from "./chronicle.ts";
import type { MovingClock } from "./clock.ts";
import type { Draw } from "./draw.ts";
import { type Failure, faultAfterBody, faultBeforeBody } from "./faults.ts";
import { BY_TEST, readHanded, sentMailOf } from "./handed.ts";
import type { Life } from "./life.ts";
import { drawPlaced, seenOf } from "./placed.ts";
import { createTally, type FaultName, type Tally } from "./tally.ts";
import { CALM, type Weather } from "./weather.ts";

/** Of the leads' domains; the others run their own. */
const EXCHANGES: Readonly<Record<string, string>> = {
  "alpha.example": "aspmx.l.google.com",
  "beta.example": "beta-example.mail.protection.outlook.com",
};

export interface Internet {
  weather: Weather;
  /** How often each fault has happened. */
  readonly tally: Tally;
  /** Accounts whose credentials are refused. */
  readonly locked: Set<Id>;
  /** Called between the server's greeting and the body, now and then. */
  onInterruption: () => Promise<void>;
  /** Violations can be planted here: how often an email is delivered. */
  copies: number;
  port(life: Life): MailPort;
  dns(life: Life): Dns;
  /**
   * What was read and is committed takes effect in the chronicle: emails that are stored, and those that
   * were passed over up to the cursor. Both ask the product.
   */
  recordRead(cursorOf: (accountId: Id) => string, isStored: (messageId: string) => boolean): void;
  /** The data went back: what was read since and is not stored is still to be read. */
  recordForgotten(
    cursorOf: (accountId: Id) => string,
    isStored: (messageId: string) => boolean,
  ): void;
  /** Nobody answers any more: what is on its way does not arrive. */
  hush(): void;
  /** A round has ended in a living process: what servers refused has been recorded. */
  recordSettled(): void;
}

const BATCH = 5;
/** The mark of manual replies, in place of a campaign's. */
export const BY_HAND = "hand";

export function createInternet(draw: Draw, clock: MovingClock, chronicle: Chronicle): Internet {
  const mailboxes = new Map<Id, Arrival[]>();
  /** Message ids in Sent folders, by account. */
  const filed = new Set<string>();
  const sentFolders = new Map<Id, SentMail[]>();
  const unread = new Map<Id, Arrival[]>();
  /** Recipients that were refused for good, by the account that tried. */
  const refused = new Map<Id, string[]>();
  const tally = createTally();

  const internet: Internet = {
    weather: { ...CALM },
    tally,
    locked: new Set(),
    onInterruption: async () => undefined,
    copies: 1,
    port: (life) => {
      // What a dead process was told of refusals it may not have recorded.
      refused.clear();
      return portOf(life);
    },
    dns: (life) => {
      const ask = async () => {
        await life.pass();
        if (happens("dns", internet.weather.dnsFaults)) {
          throw new DnsFailure("no answer");
        }
        return [];
      };
      const mx = async (domain: string) => {
        await ask();
        const exchange = EXCHANGES[domain] ?? "mx.example";
        return [{ exchange, priority: 10 }];
      };
      return { lookup: ask, mx, isAbsent: async () => false, txt: ask, ptr: ask };
    },
    recordRead: (cursorOf, isStored) => {
      for (const [accountId, arrivals] of unread) {
        const place = Number(cursorOf(accountId));
        const isRead = (arrival: Arrival) => arrival.place <= place || isStored(arrival.messageId);
        const { true: read = [], false: left = [] } = Object.groupBy(arrivals, (arrival) =>
          isRead(arrival) ? "true" : "false",
        );
        for (const arrival of read) {
          takeEffect(chronicle, arrival);
        }
        if (left.length === 0) {
          unread.delete(accountId);
        } else {
          unread.set(accountId, left);
        }
      }
    },
    recordForgotten: (cursorOf, isStored) => {
      unread.clear();
      refused.clear();
      for (const [accountId, arrivals] of mailboxes) {
        const place = Number(cursorOf(accountId));
        for (const arrival of arrivals) {
          const isRead = arrival.place <= place || isStored(arrival.messageId);
          arrival.isNoted = arrival.isNoted === true && isRead;
        }
      }
    },
    hush: () => {
      for (const [accountId, box] of mailboxes) {
        mailboxes.set(
          accountId,
          box.filter(({ place }) => place > 0),
        );
      }
    },
    recordSettled: () => {
      for (const accountId of refused.keys()) {
        recordRefused(accountId);
      }
    },
  };

  /** Whether a fault happens now, noted if so. */
  const happens = (name: FaultName, share: number): boolean => {
    const isNow = draw.chance(share);
    tally[name] += isNow ? 1 : 0;
    return isNow;
  };

  /** A mailbox that sends again has recorded what became of its last email. */
  const recordRefused = (accountId: Id) => {
    for (const address of refused.get(accountId) ?? []) {
      chronicle.note("suppressed", address);
    }
    refused.delete(accountId);
  };

  const mailboxOf = (accountId: Id): Arrival[] => {
    const box = mailboxes.get(accountId) ?? [];
    mailboxes.set(accountId, box);
    return box;
  };

  const put = (accountId: Id, arrival: Omit<Arrival, "place" | "messageId">) => {
    const head = Buffer.from(arrival.raw).toString("latin1");
    const messageId = /^message-id:\s*(<[^>]*>)/im.exec(head)?.[1] ?? "";
    chronicle.received.add(messageId);
    mailboxOf(accountId).push({ ...arrival, messageId, place: 0 });
  };

  const react = (handed: Handed, envelope: Envelope, isSecond: boolean) => {
    const kind = draw.pick(REACTION_KINDS);
    const at = plus(clock.now(), draw.int(1, draw.chance(0.5) ? 600 : 5000) * MINUTE_MS);
    const away = unixMs(at + draw.int(1, 12) * DAY_MS);
    const writing: Writing = {
      id: `r${chronicle.next()}`,
      at,
      host: draw.pick(HOSTS),
      language: draw.pick(LANGUAGES),
      pick: draw.unit(),
      ...(kind === "auto_reply" && {
        returnsOn: new Date(away).toISOString().slice(0, 10),
      }),
    };
    const original = {
      raw: envelope.raw,
      mail: readMail(envelope.raw),
      messageId: handed.messageId,
      sender: envelope.from,
      recipient: handed.to,
      sentAt: clock.now(),
    };
    const raw = writeReaction(kind, original, writing);
    put(handed.accountId, { arrivesAt: at, raw, kind, about: handed });
    if (!isSecond && draw.chance(0.15)) {
      react(handed, envelope, true);
    }
  };

  const file = (accountId: Id, envelope: Envelope) => {
    filed.add(`${accountId} ${envelope.messageId}`);
    chronicle.filed.add(envelope.messageId);
    sentFolders.set(accountId, [...(sentFolders.get(accountId) ?? []), sentMailOf(envelope)]);
  };

  const deliver = (handed: Handed, mailbox: Mailbox, envelope: Envelope) => {
    handed.delivered = true;
    for (let copy = 1; copy < internet.copies; copy += 1) {
      chronicle.handed.push({ ...handed });
    }
    if (mailbox.provider === "google") {
      file(mailbox.accountId, envelope);
    }
    if (handed.campaign === BY_TEST) {
      chronicle.placed.set(handed.messageId, drawPlaced(draw, clock.now()));
    } else if (handed.campaign !== BY_HAND && draw.chance(internet.weather.reactions)) {
      react(handed, envelope, false);
    }
    if (draw.chance(internet.weather.strangers)) {
      const arrivesAt = plus(clock.now(), draw.int(1, 600) * MINUTE_MS);
      const raw = writeFromStranger(envelope.from, {
        id: `s${chronicle.next()}`,
        at: arrivesAt,
        host: "postfix",
        language: "en",
        pick: 0,
        from: "nobody@elsewhere.example",
        subject: "An offer",
        text: "Would you buy this?",
      });
      put(mailbox.accountId, { arrivesAt, raw, kind: "stranger", about: null });
    }
  };

  const send = async (
    life: Life,
    mailbox: Mailbox,
    envelope: Envelope,
    beforeBody: () => Promise<void>,
  ): Promise<SendOutcome> => {
    await life.pass();
    const { weather } = internet;
    const { accountId } = mailbox;
    recordRefused(accountId);
    if (draw.chance(weather.slow)) {
      clock.advanceTo(plus(clock.now(), draw.int(1, 90) * SECOND_MS));
    }
    const early = internet.locked.has(accountId)
      ? LOCKED
      : draw.chance(weather.faults)
        ? faultBeforeBody(draw)
        : null;
    if (early !== null) {
      tally[`smtp_${early.stage}`] += 1;
      const isSeed = chronicle.seeds.has(envelope.to);
      if (early.kind === "refused" && early.enhanced === "5.1.1" && !isSeed) {
        refused.set(accountId, [...(refused.get(accountId) ?? []), envelope.to]);
      }
      return early;
    }
    if (draw.chance(weather.interruptions)) {
      await internet.onInterruption();
    }
    try {
      await beforeBody();
    } catch (error) {
      const reason = `dropped: ${String(error)}`;
      return { kind: "unreachable", stage: "data", reason, bodySent: false };
    }
    const handed = readHanded(chronicle, mailbox, envelope, clock.now());
    listFor(chronicle, handed).push(handed);
    await life.pass();
    const late = draw.chance(weather.faults / 2) ? faultAfterBody(draw) : null;
    if (late !== null) {
      tally[late.kind === "unreachable" ? "smtp_lost" : "smtp_verdict"] += 1;
    }
    if (late === null) {
      deliver(handed, mailbox, envelope);
      await life.pass();
      return { kind: "accepted", response: "250 2.0.0 queued" };
    }
    if (late.kind === "unreachable" && draw.chance(0.5)) {
      deliver(handed, mailbox, envelope);
    }
    await life.pass();
    return late;
  };

  const poll = async (life: Life, mailbox: Mailbox, cursor: string): Promise<PollOutcome> => {
    await life.pass();
    if (internet.locked.has(mailbox.accountId)) {
      return { kind: "unreachable", reason: "NO wrong password", login: true };
    }
    if (happens("imap", internet.weather.pollFaults)) {
      return { kind: "unreachable", reason: "connection reset", login: false };
    }
    const box = mailboxOf(mailbox.accountId);
    const now = clock.now();
    arrange(box, now);
    const seen = cursor === "" ? lastPlace(box) : Number(cursor);
    const due = box.filter(({ place }) => place > seen).sort((a, b) => a.place - b.place);
    const read = due.slice(0, BATCH);
    unread.set(mailbox.accountId, [...(unread.get(mailbox.accountId) ?? []), ...read]);
    const mails = read.map(({ place, arrivesAt, raw }): ReceivedMail => {
      return { folder: "INBOX", uid: `1.${place}`, receivedAt: arrivesAt, raw };
    });
    const last = read.at(-1);
    await life.pass();
    return {
      kind: "read",
      mails,
      cursor: String(last?.place ?? seen),
      more: due.length > read.length,
    };
  };

  const look = async (
    life: Life,
    { accountId }: Mailbox,
    wanted: readonly Wanted[],
  ): Promise<LookOutcome> => {
    await life.pass();
    if (internet.locked.has(accountId)) {
      return { kind: "unreachable", reason: "NO wrong password", login: true };
    }
    if (happens("imap", internet.weather.pollFaults)) {
      return { kind: "unreachable", reason: "connection reset", login: false };
    }
    const found = wanted.flatMap(({ messageId }) => seenOf(chronicle, messageId, clock.now()));
    await life.pass();
    return { kind: "looked", found, junkFolder: "Junk", tabs: true };
  };

  const portOf = (life: Life): MailPort => ({
    send: (mailbox, envelope, beforeBody) => send(life, mailbox, envelope, beforeBody),
    poll: (mailbox, cursor) => poll(life, mailbox, cursor),
    find: async ({ accountId }, messageId) => {
      await life.pass();
      if (internet.locked.has(accountId) || happens("imap", internet.weather.pollFaults)) {
        return { kind: "uncheckable", reason: "no connection" };
      }
      return { kind: filed.has(`${accountId} ${messageId}`) ? "found" : "absent", folder: "Sent" };
    },
    watch: async () => ({ kind: "unsupported", reason: "no connections are kept" }),
    callout: async () => ({ replies: [], ended: null }),
    sentSince: async ({ accountId }, since) => {
      await life.pass();
      if (internet.locked.has(accountId) || happens("imap", internet.weather.pollFaults)) {
        return { kind: "unreachable", reason: "no connection" };
      }
      const mails = (sentFolders.get(accountId) ?? []).filter(({ at }) => at >= since);
      return { kind: "listed", mails: mails.toSorted((a, b) => a.at - b.at) };
    },
    look: (mailbox, wanted) => look(life, mailbox, wanted),
    saveSent: async ({ accountId }, envelope) => {
      const { messageId } = envelope;
      await life.pass();
      if (internet.locked.has(accountId) || happens("imap", internet.weather.pollFaults)) {
        return { kind: "failed", reason: "no connection" };
      }
      const isThere = filed.has(`${accountId} ${messageId}`);
      if (!isThere) {
        file(accountId, envelope);
      }
      await life.pass();
      return { kind: isThere ? "present" : "saved" };
    },
    examine: () => Promise.reject(new Error("nobody asks for it")),
    test: async ({ accountId }) => {
      await life.pass();
      const isLocked = internet.locked.has(accountId);
      const refusal = { ok: false, error: "535 5.7.8 wrong password", login: true };
      const isDown = draw.chance(internet.weather.faults);
      const down = { ok: false, error: "connection refused" };
      const check = isLocked ? refusal : isDown ? down : { ok: true, error: null };
      return { smtp: check, imap: check };
    },
    forget: () => undefined,
    close: async () => undefined,
  });

  return internet;
}

function listFor({ answers, tests, handed }: Chronicle, { campaign }: Handed): Handed[] {
  return campaign === BY_HAND ? answers : campaign === BY_TEST ? tests : handed;
}

const LOCKED: Failure = {
  kind: "refused",
  stage: "auth",
  code: 535,
  enhanced: "5.7.8",
  response: "535 5.7.8 wrong password",
};
