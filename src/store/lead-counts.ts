/** The counter of a team's leads, kept by SQLite wherever one is written or deleted. */

/** After the tables. */
export const LEAD_COUNT_SCHEMA: readonly string[] = [
  `create trigger if not exists lead_counted after insert on leads begin
    insert into lead_counts (team_id, leads) values (new.team_id, 1)
      on conflict (team_id) do update set leads = leads + 1;
  end`,
  `create trigger if not exists lead_uncounted after delete on leads begin
    update lead_counts set leads = leads - 1 where team_id = old.team_id;
  end`,
];
