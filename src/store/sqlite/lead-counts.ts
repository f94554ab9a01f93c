/**
 * The counter of a team's leads. Who inserts one counts it (`import.ts`); SQLite does where one is deleted,
 * alone or in a range.
 */

/** After the tables. */
export const LEAD_COUNT_SCHEMA: readonly string[] = [
  `create trigger if not exists lead_uncounted after delete on leads begin
    update lead_counts set leads = leads - 1 where team_id = old.team_id;
  end`,
];
