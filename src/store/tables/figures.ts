/** What happened to a team's email, by the quarter of an hour. */

import { index, integer, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core";
import { uuid } from "#store/sqlite/columns.ts";

/**
 * Counts of the emails of sequences. Each counts thrice: for its team, its campaign and its mailbox, so
 * that a month of any of them is read from its own few thousand rows.
 */
export const figures = sqliteTable(
  "figures",
  {
    /** Id of a team, a campaign or an account. */
    owner: uuid("owner").notNull(),
    /** `slotOf` in `domain/campaigns/figures.ts`. */
    slot: integer("slot").notNull(),
    sent: integer("sent").notNull(),
    /** Leads by the first email of a campaign to them, and those of them who have replied since. */
    contacted: integer("contacted").notNull().default(0),
    contactedReplied: integer("contacted_replied").notNull().default(0),
    /** Leads by the email in which they first replied. */
    replied: integer("replied").notNull(),
    bounced: integer("bounced").notNull(),
    unsubscribed: integer("unsubscribed").notNull(),
    opened: integer("opened").notNull(),
    clicked: integer("clicked").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.slot] }),
    index("figures_slot").on(table.slot),
  ],
);
