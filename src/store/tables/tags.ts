/** Tags of leads, campaigns, mailboxes and conversations. Triggers of the migration take them away with what had them. */

import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TagKind } from "#domain/campaigns/tag.ts";
import { uuid } from "#store/sqlite/columns.ts";

export const tags = sqliteTable(
  "tags",
  {
    teamId: uuid("team_id").notNull(),
    kind: text("kind").$type<TagKind>().notNull(),
    /** The lead, campaign or account. */
    targetId: uuid("target_id").notNull(),
    /** Normalized (`domain/campaigns/tag.ts`). */
    name: text("name").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.targetId, table.name] }),
    index("tags_name").on(table.teamId, table.kind, table.name, table.targetId),
  ],
);
