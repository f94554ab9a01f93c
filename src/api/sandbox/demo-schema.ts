/** What `/sandbox/demo` takes and returns. */

import { Type } from "@sinclair/typebox";
import { Count, Shape } from "#api/schema.ts";

export const DEMO_LEADS = 200;
const DEMO_LEADS_MAX = 2000;

export const DemoStart = Shape({
  leads: Type.Optional(
    Type.Integer({
      minimum: 10,
      maximum: DEMO_LEADS_MAX,
      default: DEMO_LEADS,
      description: "Leads in all of its campaigns",
    }),
  ),
});

export const DemoStarted = Shape({
  accounts: Count("Accounts created"),
  campaigns: Count("Campaigns started"),
  leads: Count("Leads imported"),
});
