/** The least that delivers: requests of the same client, signed and ready, sixteen at a time. */

import { parseCidrs } from "#platform/http/guard.ts";
import { createHttp } from "#platform/http/http.ts";
import type { DeliverInput, DeliverResult } from "./deliver-product.ts";

const REQUESTS_MAX = 16;

const { port, endpoints, events } = JSON.parse(process.argv[2] ?? "{}") as DeliverInput;
const http = createHttp({ dns: { lookup: async () => [] }, allowCidrs: parseCidrs("127.0.0.0/8") });
const headers = {
  "Content-Type": "application/json",
  "webhook-id": crypto.randomUUID(),
  "webhook-timestamp": "1772463000",
  "webhook-signature": `v1,${"A".repeat(43)}=`,
};
const body = JSON.stringify({ id: crypto.randomUUID(), data: { text: "x".repeat(250) } });
const count = endpoints * events;
const cpu = process.cpuUsage();
const from = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: REQUESTS_MAX }, async () => {
    while (next < count) {
      const url = `http://127.0.0.1:${port}/in/${next % endpoints}`;
      next += 1;
      await http.post({ teamId: "bench", url, headers, body });
    }
  }),
);
const ms = performance.now() - from;
const { user, system } = process.cpuUsage(cpu);
const result: DeliverResult = {
  perSecond: (count * 1000) / ms,
  p99Ms: ms * 0.99,
  cpuUs: (user + system) / count,
};
console.log(JSON.stringify(result));
process.exit(0);
