/** `/erasures`: receipts of who was erased, which name nobody. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { queryOf, readQuery } from "#api/query.ts";
import {
  Count,
  Described,
  envelope,
  IdOf,
  IdParamsOf,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  TimestampOf,
} from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { parseAddress } from "#domain/email-address.ts";
import { DELIVERY_STATUSES } from "#domain/events/webhook.ts";
import { ERASED_KINDS, type ErasedKind, type Removed } from "#domain/leads/erasure.ts";
import { found } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { hasSuppression } from "#store/leads/suppressions.ts";
import {
  findErasureReceipt,
  listErasureReceipts,
  toldOf,
} from "#store/operations/erasure-receipts.ts";
import type { ErasureReceiptRow } from "#store/tables/leads.ts";
import { copiesBefore } from "#usecases/operations/erasure-copies.ts";
import type { Operations } from "#usecases/operations/operations.ts";

const RemovedRecords = Shape({
  leads: Count("Leads deleted; 0 for somebody known only from emails"),
  campaign_leads: Count("Places in campaigns deleted"),
  tasks: Count("Tasks deleted"),
  sent_emails: Count("Emails to the person emptied; their rows stay for the totals"),
  received_emails: Count("Emails from the person deleted"),
  conversations: Count("Conversations deleted"),
  reports: Count("Bounces and complaints about the person deleted or emptied"),
  copies: Count("Copies of replies and forwarded emails to the person deleted"),
  tracked_actions: Count("Opens and clicks deleted"),
  import_lines: Count("Lines of imports emptied"),
  events: Count("Events reduced to ids"),
  sandbox_emails: Count("Emails captured by the sandbox deleted"),
});

const Erasure = Shape({
  id: IdOf("Receipt of the erasure"),
  lead_id: IdOf("Lead that was erased; nothing has this id anymore"),
  actor: Type.String({
    description: "Who asked for it: `user:<id>` or `key:<id>`",
    examples: ["key:01952c6a-4000-7000-8000-000000000100"],
  }),
  request_id: Nullable(Type.String({ description: "`X-Request-Id` of the request" })),
  asked_at: TimestampOf("When it was asked for"),
  erased_at: TimestampOf("When the person was erased"),
  completed_at: Nullable(
    TimestampOf(
      "When the search index and the database's files contained nothing of it anymore; null until then",
    ),
  ),
  removed: Described(RemovedRecords, "What was removed or emptied"),
  suppressed: Type.Boolean({
    description: "True if the address stays suppressed, as a SHA-256 and nothing else",
  }),
  webhooks: Type.Array(
    Shape({
      webhook_id: IdOf("Webhook that `lead.erased` was sent to"),
      status: OneOf(DELIVERY_STATUSES, { description: "How its delivery stands" }),
      ended_at: Nullable(TimestampOf("When it was delivered or given up; null until then")),
    }),
    { description: "Other systems that were notified; kept for 30 days, as events are" },
  ),
  copies: Type.Array(
    Shape({
      name: Type.String({ description: "File in the directory of backups" }),
      created_at: TimestampOf("When the backup was made"),
      kept_until: Nullable(
        TimestampOf(
          "When the schedule removes it, as it's set now; null if it stays until it's deleted",
        ),
      ),
    }),
    {
      description:
        "Backups from before the erasure that are still there. Not listed: replicas, snapshots, " +
        "and files copied elsewhere",
    },
  ),
  copies_gone_at: Nullable(
    TimestampOf("When the last of `copies` is gone; null for none, or if one has no such time"),
  ),
  erased_again: Type.Array(
    Shape({
      erased_at: TimestampOf("When the person was erased again"),
      removed: Described(RemovedRecords, "What was removed or emptied"),
    }),
    { description: "Times at which restored data had the person again, and it was removed" },
  ),
});
const ErasurePage = Page(Erasure);

const ErasureQuery = Shape({
  ...PageQuery.properties,
  email: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 320,
      description: "Only erasures of this address, to look up whoever asks",
      examples: ["ann@example.com"],
    }),
  ),
  lead_id: Type.Optional(IdOf("Only the erasure of this lead")),
});

/** `operations`: of the server, where backups are. */
export function erasureRoutes(operations: Operations | undefined) {
  const shown = ({ db }: Environment, row: ErasureReceiptRow) => {
    const copies =
      operations === undefined
        ? []
        : copiesBefore(operations.backups(), operations.plan(), row.erasedAt);
    return present(Erasure, {
      ...row,
      removed: counts(row.removed),
      suppressed: hasSuppression(db, row.teamId, row.hash),
      webhooks: row.eventId === null ? [] : toldOf(db, row.eventId),
      copies,
      copiesGoneAt: lastOf(copies.map(({ keptUntil }) => keptUntil)),
      erasedAgain: row.repeats.map(({ at, removed }) => ({
        erasedAt: at,
        removed: counts(removed),
      })),
    });
  };
  return resource("leads", "/erasures")
    .get(
      "",
      ({ env, caller, request }) => {
        const { email, leadId, ...query } = readQuery(ErasureQuery, request);
        const address = email === undefined ? undefined : (parseAddress(email)?.address ?? email);
        const filter = defined({
          hash: address === undefined ? undefined : sha256(address),
          leadId,
        });
        const { rows, total } = listErasureReceipts(env.db, caller.teamId, filter, query);
        const data = rows.map((row) => shown(env, row));
        return envelope(data, total, query);
      },
      {
        response: { 200: ErasurePage },
        detail: {
          summary: "List erasures",
          description:
            "Returns the receipts of erasures, newest first. A receipt names nobody, and is kept.",
          ...queryOf(ErasureQuery),
        },
      },
    )
    .get(
      "/:id",
      ({ env, caller, params }) =>
        shown(env, found(findErasureReceipt(env.db, caller.teamId, params.id), "erasure")),
      {
        params: IdParamsOf("Receipt of an erasure"),
        response: { 200: Erasure },
        detail: {
          summary: "Get an erasure",
          description:
            "Returns the receipt of an erasure: what was removed, who was notified, and which backups " +
            "still have the person.",
        },
      },
    );
}

function counts(removed: Removed): Record<ErasedKind, number> {
  const all = ERASED_KINDS.map((kind) => [kind, removed[kind] ?? 0]);
  return Object.fromEntries(all) as Record<ErasedKind, number>;
}

/** Null where there are none, and where one has no end. */
function lastOf(ends: readonly (UnixMs | null)[]): UnixMs | null {
  const known = ends.filter((end) => end !== null);
  return known.length === 0 || known.length < ends.length
    ? null
    : (known.toSorted((one, other) => other - one)[0] ?? null);
}
