/**
 * Seed mailboxes of the test environment: email to one is placed as its simulated provider would, with the
 * headers that such a server adds, and is found there when it is looked for.
 */

import type { Placement, Tab } from "#domain/placement/placement.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import {
  HEADERS_BYTES_MAX,
  type LookOutcome,
  type SeenMail,
  type Wanted,
} from "#platform/ports/mail.ts";
import { seedById } from "#store/placement/placement-seeds.ts";
import {
  countSentTo,
  insertSandboxMail,
  newestMails,
  removeSandboxMail,
  sendingHistory,
} from "#store/sandbox/sandbox.ts";
import { placementAsked } from "#store/sandbox/sandbox-placements.ts";
import { messageByHeader } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { SeedRow } from "#store/tables/placement.ts";
import type { SandboxMailRow, SandboxMessageRow } from "#store/tables/sandbox.ts";
import { pollFault } from "./faults.ts";
import { type Headers, headerBlock, mailDate } from "./mime.ts";
import { type Placing, placeMail, type SenderHistory } from "./placing.ts";
import { headerOf, readHeaders, readMail } from "./read-mail.ts";
import { type SandboxSettings, settingsOf } from "./settings.ts";
import { domainOf } from "./writing.ts";

const JUNK = "Spam";
/** Emails of one seed mailbox that are looked through. */
const MAILS_MAX = 500;
/** Messages of an account by which it is known. */
const HISTORY_MAX = 500;
const FORTNIGHT_DAYS = 14;

/** What becomes of a message to a seed, before it is kept. */
export function placeOf(
  db: Db,
  seed: SeedRow,
  message: { accountId: Id; raw: Uint8Array; messageId: string; at: UnixMs },
  settings: SandboxSettings,
): Placing {
  const { accountId, raw, messageId, at } = message;
  const ordinal = countSentTo(db, seed.teamId, seed.email);
  const mail = readMail(raw);
  const placed = placeMail(
    seed.provider,
    {
      subject: headerOf(mail, "subject") ?? "",
      text: mail.text,
      html: mail.html,
      offersOptOut: headerOf(mail, "list-unsubscribe") !== null,
    },
    historyOf(db, accountId, settings, at),
    [settings.seed, headerOf(mail, "from") ?? "", seed.email, ordinal],
  );
  const test = messageByHeader(db, messageId);
  const asked = test?.kind === "placement" ? placementAsked(db, test.placementTestId) : undefined;
  return asked === undefined ? placed : asAsked(placed, seed, asked);
}

function asAsked(placed: Placing, { provider }: SeedRow, placement: Placement): Placing {
  const inInbox = placement === "promotions" ? "promotions" : "primary";
  const hasTabs = provider === "google" && (placement === "inbox" || placement === "promotions");
  return { ...placed, placement, tab: hasTabs || placement === "promotions" ? inInbox : null };
}

function historyOf(db: Db, accountId: Id, settings: SandboxSettings, now: UnixMs): SenderHistory {
  const sent = sendingHistory(db, accountId, HISTORY_MAX);
  const since = (days: number) => sent.filter(({ sentAt }) => sentAt > plus(now, -days * DAY_MS));
  const fortnight = since(FORTNIGHT_DAYS);
  const bounced = fortnight.filter(({ verdict }) => verdict === "bounced").length;
  return {
    day: since(1).length,
    fortnight: fortnight.length,
    bounced: fortnight.length === 0 ? 0 : bounced / fortnight.length,
    complaints: settings.rates.complaint,
  };
}

/** Puts the message into the seed's mailbox; what is not delivered goes nowhere. */
export function deliver(db: Db, seed: SeedRow, message: SandboxMessageRow, placing: Placing): void {
  const { placement, tab, after } = placing;
  if (placement === "not_delivered") {
    return;
  }
  const arrivesAt = plus(message.sentAt, after);
  insertSandboxMail(db, {
    teamId: seed.teamId,
    accountId: seed.id,
    folder: folderOf(placement, tab),
    raw: asDelivered(seed, message, arrivesAt),
    arrivesAt,
  });
}

/** Moves a message that has been captured to where somebody wants it, now. */
export function replace(
  db: Db,
  seed: SeedRow,
  message: SandboxMessageRow,
  placement: Placement,
  now: UnixMs,
): void {
  const there = newestMails(db, seed.id, { until: Number.MAX_SAFE_INTEGER, limit: MAILS_MAX });
  for (const mail of there.filter(({ raw }) => idOf(raw) === message.messageId)) {
    removeSandboxMail(db, mail.seq);
  }
  const moved = asAsked({ placement, tab: null, after: 0 }, seed, placement);
  deliver(db, seed, { ...message, sentAt: now }, moved);
}

/** A category of the inbox stands behind its name. */
function folderOf(placement: Placement, tab: Tab | null): string {
  if (placement === "spam") {
    return JUNK;
  }
  return tab === null ? "INBOX" : `INBOX:${tab}`;
}

function asDelivered(seed: SeedRow, message: SandboxMessageRow, at: UnixMs): Uint8Array {
  const { sender, raw } = message;
  const domain = domainOf(sender);
  const server = `mx.${seed.provider}.sandbox.test`;
  const head = readHeaders(raw);
  const signed = ["from", "to", "subject", "date", "message-id", ...OPT_OUT].filter(
    (name) => headerOf(head, name) !== null,
  );
  const headers: Headers = [
    ["Delivered-To", seed.email],
    ["Return-Path", `<${sender}>`],
    ["Received", `from mail.${domain} by ${server} with ESMTPS; ${mailDate(at)}`],
    [
      "Authentication-Results",
      `${server}; spf=pass smtp.mailfrom=${domain}; dkim=pass header.d=${domain}; ` +
        `dmarc=pass header.from=${domain}`,
    ],
    [
      "DKIM-Signature",
      `v=1; a=rsa-sha256; d=${domain}; s=sandbox; h=${signed.join(":")}; b=c2FuZA==`,
    ],
  ];
  return new Uint8Array(Buffer.concat([Buffer.from(`${headerBlock(headers)}\r\n`), raw]));
}

const OPT_OUT = ["list-unsubscribe", "list-unsubscribe-post"];

/** The sandbox's side of `MailPort.look`. */
export function look(db: Db, seedId: Id, wanted: readonly Wanted[], now: UnixMs): LookOutcome {
  const seed = seedById(db, seedId);
  if (seed === undefined) {
    return { kind: "unreachable", reason: "the sandbox has no such mailbox", login: false };
  }
  const fault = pollFault(settingsOf(db, seed.teamId), seed.id, now);
  if (fault !== undefined) {
    return { kind: "unreachable", ...fault };
  }
  const mails = newestMails(db, seed.id, { until: now, limit: MAILS_MAX });
  const byId = new Map(mails.map((mail) => [idOf(mail.raw), mail]));
  const found = wanted.flatMap(({ messageId }) => {
    const mail = byId.get(messageId);
    return mail === undefined ? [] : [seen(messageId, mail)];
  });
  const inInbox = found.filter(({ place }) => place === "inbox");
  const tabs = seed.provider === "google" && inInbox.length > 0;
  return { kind: "looked", found, junkFolder: JUNK, tabs: tabs ? true : null };
}

function seen(messageId: string, { folder: stored, raw, arrivesAt }: SandboxMailRow): SeenMail {
  const [folder = "", tab] = stored.split(":");
  const end = Buffer.from(raw).indexOf("\r\n\r\n");
  return {
    messageId,
    folder,
    place: folder === JUNK ? "junk" : "inbox",
    tab: (tab ?? null) as Tab | null,
    receivedAt: arrivesAt,
    headers: raw.subarray(0, Math.min(HEADERS_BYTES_MAX, end === -1 ? raw.length : end)),
  };
}

function idOf(raw: Uint8Array): string {
  return headerOf(readHeaders(raw), "message-id") ?? "";
}
