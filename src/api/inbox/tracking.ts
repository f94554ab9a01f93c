/** Who opened and clicked, as a message of ours shows it. */

import { Type } from "@sinclair/typebox";
import { Nullable, Shape, Timestamp } from "#api/schema.ts";

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
