/** Who opened and clicked, as a message of ours shows it. */

import { Count, Nullable, Shape, TimestampOf } from "#api/schema.ts";

export const Tracking = Nullable(
  Shape(
    {
      opens: Count("Opens by people"),
      clicks: Count("Clicks by people"),
      machine_opens: Count("Opens by machines, such as scanners and image proxies"),
      machine_clicks: Count("Clicks by machines, such as link scanners"),
      first_opened_at: Nullable(TimestampOf("First open by a person; null before")),
      last_opened_at: Nullable(TimestampOf("Last open by a person; null before")),
      first_clicked_at: Nullable(TimestampOf("First click by a person; null before")),
      last_clicked_at: Nullable(TimestampOf("Last click by a person; null before")),
    },
    { description: "Opens and clicks; null for a message that is not tracked" },
  ),
);
