/** A month of the sandbox: everybody is written to, answers or does not, and is written to again. */

import { join } from "node:path";
import { temporaryDirectory } from "../children.ts";
import { sendLeads } from "../lead-file.ts";
import { type Figure, summary } from "../measure.ts";
import { FIRST_STEP } from "../stage.ts";
import { type Product, startProduct } from "./product.ts";
import type { Scale } from "./scale.ts";

const DAYS = 30;
/** Of a mailbox: all of them write to about as many as there are leads in a month. */
const LEADS = 1000;
const DAILY_LIMIT = 50;
const PARTS = 10;

/** Nothing where the scale has no month. */
export async function month(executable: string, scale: Scale): Promise<Figure[]> {
  const { monthLeads: leads } = scale;
  if (leads === 0) {
    return [];
  }
  const part = await play(executable, leads / PARTS);
  const whole = await play(executable, leads);
  return [
    summary(
      {
        id: "month",
        about: `${DAYS} days of the sandbox, ${leads} leads, ${whole.sent} mails`,
        unit: "s",
        aim: 120,
        limits: [{ name: `a tenth of the leads and mailboxes, ${PARTS} times` }],
      },
      [[{ value: whole.seconds }], [{ value: part.seconds * PARTS }]],
    ),
  ];
}

async function play(executable: string, leads: number) {
  using directory = temporaryDirectory();
  await using product = await startProduct(executable, join(directory.path, "data"), "test");
  for (let index = 0; index < Math.ceil(leads / LEADS); index += 1) {
    await addMailbox(product, index);
  }
  const max_leads_per_day = Math.ceil(leads / LEADS) * DAILY_LIMIT;
  const { id } = await product.post("/campaigns", { name: "Month", max_leads_per_day });
  await product.post(`/campaigns/${id}/steps`, { type: "email", ...FIRST_STEP });
  const again = { type: "email", body: "Did this reach you, {{first_name}}?", wait_days: 3 };
  await product.post(`/campaigns/${id}/steps`, again);
  await sendLeads(product, id, leads);
  await product.post(`/campaigns/${id}/start`, {});
  const from = performance.now();
  for (let day = 0; day < DAYS; day += 1) {
    await product.post("/sandbox/clock", { advance: "1d" });
  }
  const seconds = (performance.now() - from) / 1000;
  const { sent } = await product.get<{ sent: number }>(`/campaigns/${id}/stats`);
  return { seconds, sent };
}

async function addMailbox(product: Product, index: number): Promise<void> {
  await product.post("/accounts", {
    email: `sender${index}@outreach.example`,
    provider: "sandbox",
    display_name: "Ann Sender",
    daily_limit: DAILY_LIMIT,
  });
}
