/**
 * Where an address stands that belongs to somebody's being erased, besides their own rows: in reports about
 * them, in captured emails and in events. Looked for in the forms in which emails carry it.
 */

import { domainToUnicode } from "node:url";
import { and, type Column, eq, gt, or, type SQL, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { eventBySeq } from "#store/events/events.ts";
import { refreshThread } from "#store/inbox/threads.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { changedRows } from "#store/sqlite/facts.ts";
import { events } from "#store/tables/events.ts";
import { effects } from "#store/tables/inbox.ts";
import { inboundMails } from "#store/tables/messages.ts";
import { sandboxMails, sandboxMessages } from "#store/tables/sandbox.ts";

export interface Person {
  id: Id;
  teamId: Id;
  /** In its stored form: lower case, the domain in ASCII. */
  email: string;
}

/** The address as it is stored, and with its domain as people write it where that differs. */
export function writtenForms(email: string): string[] {
  const at = email.lastIndexOf("@") + 1;
  const domain = domainToUnicode(email.slice(at)).toLowerCase();
  return [...new Set([email, domain === "" ? email : email.slice(0, at) + domain])];
}

/** Captured and waiting emails of the sandbox to, from or about the person. */
export function forgetSandboxMails(db: Db, { teamId, email }: Person): number {
  db.orm
    .delete(sandboxMessages)
    .where(and(eq(sandboxMessages.teamId, teamId), eq(sandboxMessages.recipient, email)))
    .run();
  const captured = changedRows(db);
  db.orm
    .delete(sandboxMails)
    .where(and(eq(sandboxMails.teamId, teamId), names(sandboxMails.raw, email)))
    .run();
  return captured + changedRows(db);
}

/**
 * Reports that name the person though they answer no email to them, as one about an email that was passed
 * on to them. One that belongs to nobody goes; another lead's keeps what it did, and loses its words.
 */
export function forgetReports(db: Db, { id, teamId, email }: Person, now: UnixMs): number {
  const about = db.orm
    .select({
      id: inboundMails.id,
      threadId: inboundMails.threadId,
      leadId: inboundMails.leadId,
      reading: inboundMails.reading,
    })
    .from(inboundMails)
    .where(
      and(
        eq(inboundMails.teamId, teamId),
        sql`${inboundMails.kind} in ('bounce', 'notice', 'complaint')`,
        or(names(inboundMails.raw, email), names(inboundMails.reading, email)),
      ),
    )
    .all()
    .filter(({ leadId }) => leadId !== id);
  for (const mail of about) {
    if (mail.leadId === null) {
      db.orm.delete(inboundMails).where(eq(inboundMails.id, mail.id)).run();
      db.orm.delete(effects).where(eq(effects.causeId, mail.id)).run();
    } else {
      const reading = { ...mail.reading, recipients: [] };
      const blank = { text: "", evidence: "", subject: "", raw: new Uint8Array(), sizeBytes: null };
      db.orm
        .update(inboundMails)
        .set({ ...blank, reading })
        .where(eq(inboundMails.id, mail.id))
        .run();
    }
  }
  for (const threadId of new Set(about.map((mail) => mail.threadId))) {
    refreshThread(db, threadId, now);
  }
  return about.length;
}

/** What an event may tell of a person beside ids. */
const PERSONAL = [
  "to",
  "from",
  "subject",
  "text",
  "snippet",
  "response",
  "words",
  "new_contact",
  "last_error",
  "url",
] as const;

/** Events of a team that were looked through, up to a number, and those among them that may name a person. */
export interface Looked {
  upTo: number;
  seqs: readonly number[];
}

export const NOT_LOOKED: Looked = { upTo: 0, seqs: [] };

/** Events that are looked through at once, and their bytes: those of an import name hundreds of leads. */
const MOST = { events: 500, bytes: 1_000_000 };

/** Looks through some events after those of `looked`; no index finds them by lead. Undefined: there are no more. */
export function lookThrough(
  db: Db,
  { id, teamId, email }: Person,
  { upTo, seqs }: Looked,
  most = MOST,
): Looked | undefined {
  const isNamed = sql.join(
    [
      sql`instr(data, ${id}) > 0`,
      ...writtenForms(email).map((form) => sql`instr(lower(data), ${form}) > 0`),
    ],
    sql` or `,
  );
  const next = and(eq(events.teamId, teamId), gt(events.seq, upTo));
  const [row] = db.orm.values<[number | null, string]>(
    sql`with sizes as (select seq, octet_length(data) as size from ${events} indexed by events_team
        where ${next} order by seq limit ${most.events}),
      ends as (select seq, sum(size) over (order by seq) - size as before from sizes)
      select max(seq), json_group_array(seq) filter (where ${isNamed}) from ${events} indexed by events_team
        where ${next} and seq <= (select max(seq) from ends where before < ${most.bytes})`,
  );
  const [last, found] = row ?? [null, "[]"];
  return last === null ? undefined : { upTo: last, seqs: [...seqs, ...JSON.parse(found)] };
}

/**
 * What is still to be delivered, or is delivered again, goes out without the person too. Looks through what
 * came after those that were `looked` through.
 */
export function forgetInEvents(db: Db, person: Person, looked: Looked): number {
  const { id, email } = person;
  let emptied = 0;
  const forms = writtenForms(email);
  let all = looked;
  for (
    let more: Looked | undefined = looked;
    more !== undefined;
    more = lookThrough(db, person, all)
  ) {
    all = more;
  }
  for (const seq of all.seqs) {
    const data = eventBySeq(db, seq)?.data ?? {};
    const isTheirs =
      data["lead_id"] === id || (data["lead_id"] === null && isNaming(data["from"], forms));
    // A colleague's reply belongs to the lead's conversation; its words are the colleague's.
    const isFromThem = isNaming(data["from"], forms);
    const gone = PERSONAL.filter(
      (name) =>
        name in data &&
        (isTheirs || isNaming(data[name], forms) || (isFromThem && name === "snippet")),
    );
    // Of a mailbox it stays, whoever has the same address.
    const named = data["lead_id"] === id && "email" in data ? ["email"] : [];
    if (gone.length + named.length > 0) {
      const nothing = Object.fromEntries([...gone, ...named].map((name) => [name, null]));
      db.orm
        .update(events)
        .set({ data: { ...data, ...nothing } })
        .where(eq(events.seq, seq))
        .run();
      emptied += 1;
    }
  }
  return emptied;
}

function isNaming(value: unknown, forms: readonly string[]): boolean {
  const text = JSON.stringify(value ?? null).toLowerCase();
  return forms.some((form) => text.includes(form));
}

const NEWLINE = sql`char(13, 10)`;

/**
 * Whether an email's bytes, or a text, hold the address: in any case, wrapped by quoted-printable, or in
 * base64.
 */
function names(column: Column, email: string): SQL | undefined {
  const text = sql`cast(${column} as text)`;
  const plain = sql`lower(replace(${text}, '=' || ${NEWLINE}, ''))`;
  const encoded = sql`replace(${text}, ${NEWLINE}, '')`;
  return or(
    ...writtenForms(email).flatMap((form) =>
      [...new Set([form, quotedPrintable(form)])].map((one) => sql`instr(${plain}, ${one}) > 0`),
    ),
    ...writtenForms(email)
      .flatMap(base64Forms)
      .map((one) => sql`instr(${encoded}, ${one}) > 0`),
  );
}

/** In lower case, as everything is that it is compared with. */
function quotedPrintable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|=/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `=${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}

/** What of a text stands in base64 whatever is around it, one for each of the three ways in which it may lie. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].map((before) => {
    const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return coded.slice(first, end);
  });
}
