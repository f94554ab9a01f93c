/** A draft and what sends it, to be played elsewhere: its rows, its leads, and who of them must not be written to. */

import { sql } from "drizzle-orm";
import { sha256 } from "#platform/secrets/crypto.ts";
import { suppressionByHash } from "#store/leads/suppressions.ts";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { enrollments, type LeadRow, leads } from "#store/tables/leads.ts";
import type { Cell, CopiedRow } from "./team-copy.ts";

const OF_EXPERIMENT = "experiment_id in (select id from experiments where campaign_id = ?2)";
const OF_ACCOUNT = "owner in (select id from accounts where team_id = ?1)";

/** `?1` is the team, `?2` the campaign. What the mailboxes have sent counts against their limits. */
const GOES: Readonly<Record<string, string>> = {
  teams: "id = ?1",
  accounts: "team_id = ?1",
  account_health: "team_id = ?1",
  usage: OF_ACCOUNT,
  campaigns: "id = ?2",
  steps: "campaign_id = ?2",
  files: "team_id = ?1 and state = 'kept'",
  experiments: "campaign_id = ?2",
  variants: OF_EXPERIMENT,
  experiment_epochs: OF_EXPERIMENT,
};

/**
 * What stays behind: leads are enrolled anew, no server is asked to believe a password or a signature, and the
 * simulated mailbox is read from its first email on (`sandbox/mail.ts`), and nobody opens an attachment.
 */
const LEFT: Readonly<Record<string, Record<string, Cell>>> = {
  campaigns: { enrolled: 0, erased: 0, open: 0, on_hold: "{}", statuses: "{}" },
  files: { bytes: 0 },
  accounts: { secrets: null, dkim: null, dkim_due_at: null, poll_cursor: "0.0" },
};

/** In the order in which {@link CopiedRow}s are put in. */
export function* campaignRows(db: Db, teamId: Id, campaignId: Id): Generator<CopiedRow> {
  for (const [table, of] of Object.entries(GOES)) {
    const query = db.raw.query<Record<string, Cell>, Uint8Array[]>(
      `select * from ${table} where ${of} order by rowid`,
    );
    const ids = of.includes("?2") ? [teamId, campaignId] : [teamId];
    for (const cells of query.iterate(...ids.map(idToBytes))) {
      yield { table, cells: { ...cells, ...LEFT[table] } };
    }
  }
}

/** Leads of a campaign whose sequence hasn't ended, in the order in which they were enrolled. */
export function openLeads(db: Db, campaignId: Id, limit: number): LeadRow[] {
  return db.orm
    .select({ lead: leads })
    .from(enrollments)
    .innerJoin(leads, sql`${leads.id} = ${enrollments.leadId}`)
    .where(
      sql`${enrollments.campaignId} = ${sql.param(campaignId, enrollments.campaignId)}
        and ${enrollments.status} in ('pending', 'active', 'paused')`,
    )
    .orderBy(enrollments.id)
    .limit(limit)
    .all()
    .map(({ lead }) => lead);
}

/** Suppressions that keep any of `emails` from being written to, as rows. */
export function suppressionRows(db: Db, teamId: Id, emails: readonly string[]): CopiedRow[] {
  const entries = new Set(emails.flatMap((email) => [email, email.slice(email.lastIndexOf("@"))]));
  const ids = [...entries].flatMap((entry) => {
    const row = suppressionByHash(db, teamId, sha256(entry));
    return row === undefined ? [] : [row.id];
  });
  const query = db.raw.query<Record<string, Cell>, [Uint8Array]>(
    "select * from suppressions where id = ?",
  );
  return ids.map((id) => ({ table: "suppressions", cells: query.get(idToBytes(id)) ?? {} }));
}
