/** Workspaces whose administrator has let every mailbox in by one consent. */

import { isNotNull } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { WorkspaceProvider, WorkspaceStatus } from "#domain/mailboxes/workspace.ts";
import { instant, json, uuid } from "#store/sqlite/columns.ts";
import { teams } from "./teams.ts";

export const workspaces = sqliteTable(
  "workspaces",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    provider: text("provider").$type<WorkspaceProvider>().notNull(),
    /** In lower case; its mailboxes' addresses are in these. */
    domains: json<string[]>("domains").notNull(),
    /** Microsoft's; null for Google. */
    tenant: text("tenant"),
    /** Google: the service account's address. Microsoft: the application's id. */
    clientId: text("client_id").notNull(),
    /** Google's number of the service account, which the administrator enters. */
    clientNumber: text("client_number"),
    keyId: text("key_id"),
    /** A private key or a client's secret, sealed; null where another master key had sealed it. */
    secret: text("secret"),
    status: text("status").$type<WorkspaceStatus>().notNull(),
    /** The provider's words, while no token is granted. */
    lastError: text("last_error"),
    /** When a token is next asked for by itself; null: its mailboxes ask. */
    checkAt: instant("check_at"),
    checkedAt: instant("checked_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("workspaces_team").on(table.teamId, table.id),
    index("workspaces_check").on(table.checkAt).where(isNotNull(table.checkAt)),
  ],
);
export type WorkspaceRow = typeof workspaces.$inferSelect;
