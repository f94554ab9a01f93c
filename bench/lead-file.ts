/** A file of leads: sending it to the product, and taking it back. */

import type { Product } from "./figures/product.ts";
import { leadAt } from "./leads.ts";

/** Leads in one piece of the body. */
const PIECE = 1000;
const NEWLINE = 10;

/** Resolves when all of them are in the campaign. */
export async function sendLeads(product: Product, campaign: string, leads: number): Promise<void> {
  const url = `${product.server.ready.url}/api/v1/campaigns/${campaign}/leads/import`;
  const answer = await fetch(url, {
    method: "POST",
    headers: { Authorization: `Bearer ${product.key}`, "Content-Type": "application/x-ndjson" },
    body: fileOf(leads),
  });
  const told = (await answer.json()) as { imported?: number };
  if (told.imported !== leads) {
    throw new Error(`${leads} leads were sent: ${answer.status} ${JSON.stringify(told)}`);
  }
}

/** Resolves when all leads of the team have come, as NDJSON. */
export async function takeLeads(product: Product, leads: number): Promise<void> {
  const url = `${product.server.ready.url}/api/v1/exports/leads?format=ndjson`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${product.key}` } });
  let lines = 0;
  for await (const piece of response.body ?? []) {
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) {
      lines += 1;
    }
  }
  if (lines !== leads) {
    throw new Error(`${leads} leads were asked for, ${lines} came: ${response.status}`);
  }
}

/** Made as it is sent. */
export function fileOf(leads: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let from = 0;
  return new ReadableStream({
    pull: (controller) => {
      const length = Math.min(PIECE, leads - from);
      const lines = Array.from({ length }, (_, index) => JSON.stringify(leadAt(from + index)));
      from += length;
      controller.enqueue(encoder.encode(`${lines.join("\n")}\n`));
      if (from >= leads) {
        controller.close();
      }
    },
  });
}
