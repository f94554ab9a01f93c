/** Who opened and clicked, as a message of ours shows it. */

import { type Static, Type } from "@sinclair/typebox";
import { Nullable, Shape, Timestamp } from "#api/schema.ts";
import { toIsoOrNull } from "#domain/time.ts";
import type { TrackingRow } from "#store/tables/tracking.ts";

const people = "By people: machines that fetch ahead or scan are counted apart";

export const Tracking = Nullable(
  Shape(
    {
      opens: Type.Integer({ minimum: 0, description: people }),
      clicks: Type.Integer({ minimum: 0, description: people }),
      machine_opens: Type.Integer({ minimum: 0 }),
      machine_clicks: Type.Integer({ minimum: 0 }),
      first_opened_at: Nullable(Timestamp),
      last_opened_at: Nullable(Timestamp),
      first_clicked_at: Nullable(Timestamp),
      last_clicked_at: Nullable(Timestamp),
    },
    { description: "null for a message that is not tracked" },
  ),
);

export function presentTracking(row: TrackingRow | undefined): Static<typeof Tracking> {
  return row === undefined
    ? null
    : {
        opens: row.opens,
        clicks: row.clicks,
        machine_opens: row.machineOpens,
        machine_clicks: row.machineClicks,
        first_opened_at: toIsoOrNull(row.firstOpenedAt),
        last_opened_at: toIsoOrNull(row.lastOpenedAt),
        first_clicked_at: toIsoOrNull(row.firstClickedAt),
        last_clicked_at: toIsoOrNull(row.lastClickedAt),
      };
}
