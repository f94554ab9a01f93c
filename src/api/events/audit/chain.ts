/** `/audit/chain` and `/exports/audit`: whether the audit log is whole, and all of it as a file that shows it. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { downloadOf, exportFormat, fileResponse, PAGE_ROWS } from "#api/download.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Count, Nullable, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { CHAIN_FAULTS, canonicalJson, chained } from "#domain/events/audit-chain.ts";
import { type AuditHead, auditAfter, auditAnchor, auditHead } from "#store/events/audit.ts";
import type { AuditRow } from "#store/tables/events.ts";
import { checkChain } from "#usecases/events/audit-chain.ts";

const ENTRIES_DEFAULT = 10_000;
const ENTRIES_MAX = 100_000;

const end = (what: string) =>
  Nullable(
    Shape(
      {
        position: Type.Integer({ minimum: 1, description: "Number of the entry in the chain" }),
        hash: Type.String({ pattern: "^[0-9a-f]{64}$", description: "Its hash" }),
        created_at: TimestampOf("When the change was made"),
      },
      { description: what },
    ),
  );

const AuditChain = Shape({
  intact: Type.Boolean({
    description: "True if each entry checked is as it was written and follows the one before",
  }),
  checked: Count("Entries checked, the newest"),
  unchained: Count("Entries among them from before there was a chain, which nothing protects"),
  head: end("Newest entry; keep a copy elsewhere to notice if entries are cut off; null for none"),
  anchor: end(
    "Last entry that was older than `audit_days` and is gone, which the oldest one follows; null for none",
  ),
  fault: Nullable(
    Shape(
      {
        kind: OneOf(CHAIN_FAULTS, {
          description:
            "`changed`: its content isn't what was hashed. `missing`: entries before it are gone. " +
            "`out_of_order`: it was moved or added. `wrong_link`: it follows another entry",
        }),
        seq: Type.Integer({ minimum: 1, description: "Sequence number of the entry" }),
        position: Nullable(
          Type.Integer({ description: "Number of the entry in the chain; null if it has none" }),
        ),
      },
      { description: "First entry that doesn't fit; null if all do" },
    ),
  ),
});

const ChainQuery = Shape({
  entries: Type.Integer({
    minimum: 1,
    maximum: ENTRIES_MAX,
    default: ENTRIES_DEFAULT,
    description: "How many of the newest entries to check",
  }),
});

const AuditExport = Shape({ format: exportFormat });

export const auditChainRoutes = resource("audit", "/audit/chain").get(
  "",
  async ({ env, caller, request }) => {
    const { entries } = readQuery(ChainQuery, request);
    const { head, anchor, ...check } = await checkChain(env, caller.teamId, entries);
    return present(AuditChain, {
      ...check,
      intact: check.fault === null,
      head: presentEnd(head),
      anchor: presentEnd(anchor),
    });
  },
  {
    response: { 200: AuditChain },
    detail: {
      summary: "Check the audit log",
      description:
        "Recomputes the hashes of the newest entries, and returns where the chain ends. To check " +
        "all of it, and without trusting the server, export it and run `outrider audit verify`.",
      ...queryOf(ChainQuery),
    },
  },
);

function presentEnd(head: AuditHead | null) {
  return head === null ? null : { ...head, createdAt: head.at };
}

/** An entry, and the hash of the one before it. */
type Linked = { row: AuditRow; previous: string | null };

export const auditExportRoutes = resource("audit", "/exports/audit", "exports").get(
  "",
  ({ env, caller, request }) => {
    const { format } = readQuery(AuditExport, request);
    const { db } = env;
    const [head, anchor] = [auditHead(db, caller.teamId), auditAnchor(db, caller.teamId)];
    let [entries, unchained] = [0, 0];
    return downloadOf<Linked>({
      name: "audit",
      format,
      next: (last) => {
        const rows = auditAfter(db, caller.teamId, last?.row.seq ?? 0, PAGE_ROWS).filter(
          ({ position }) => position === null || position <= (head?.position ?? 0),
        );
        entries += rows.length;
        unchained += rows.filter(({ position }) => position === null).length;
        const first = last === undefined ? (anchor?.hash ?? null) : hashOf(last.row);
        return rows.map((row, at) => {
          const before = rows[at - 1];
          return { row, previous: before === undefined ? first : hashOf(before) };
        });
      },
      columns: Object.fromEntries(COLUMNS.map((name) => [name, (row) => cellOf(row, name)])),
      object: lineOf,
      trailer: () => ({
        chain: { entries, unchained, anchor: wireEnd(anchor), head: wireEnd(head) },
      }),
    });
  },
  {
    detail: {
      summary: "Export the audit log",
      description:
        "Returns all audit entries as a file, oldest first, each with its hash and that of the entry before. " +
        "NDJSON ends with a line that has the newest entry's hash. `outrider audit verify` checks such a file; " +
        "the guide on security describes how. In CSV, an apostrophe precedes values that a spreadsheet " +
        "would read as a formula.",
      ...fileResponse("A row for each entry"),
      ...queryOf(AuditExport),
    },
  },
);

const COLUMNS = [
  ...["position", "team_id", "created_at", "actor", "action", "target", "request_id"],
  ...["before", "after", "previous_hash", "hash"],
];

function hashOf({ hash }: AuditRow): string | null {
  return hash?.toHex() ?? null;
}

/** As it was hashed, and its hash. */
function lineOf({ row, previous }: Linked): Record<string, unknown> {
  const { position } = row;
  return { ...chained(row, null), position, previous_hash: previous, hash: hashOf(row) };
}

function cellOf(linked: Linked, name: string): string | number | null {
  const value = lineOf(linked)[name];
  return typeof value === "object" && value !== null
    ? canonicalJson(value)
    : ((value ?? null) as string | number | null);
}

function wireEnd(head: AuditHead | null): object | null {
  return head === null ? null : { position: head.position, hash: head.hash };
}
