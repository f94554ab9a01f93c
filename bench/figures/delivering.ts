/** Webhooks: deliveries a second, and what one endpoint that never answers costs the others. */

import { program, resultOf, startServer, temporaryDirectory } from "../children.ts";
import { compare, type Figure } from "../measure.ts";
import type { DeliverInput, DeliverResult } from "../programs/deliver-product.ts";
import type { Scale } from "./scale.ts";

const ENDPOINTS = 10;

export async function delivering({ deliveries, deliverRounds }: Scale): Promise<Figure[]> {
  await using sink = await startServer(program("webhook-sink"));
  const run = async (name: string, endpoints: number, hole: boolean): Promise<DeliverResult> => {
    using directory = temporaryDirectory();
    const { port } = sink.ready;
    const events = deliveries / ENDPOINTS;
    const input: DeliverInput = { directory: directory.path, port, endpoints, events, hole };
    return await resultOf<DeliverResult>(program(name, input));
  };
  const rate = async (name: string) => {
    const { perSecond, cpuUs } = await run(name, ENDPOINTS, false);
    return { value: perSecond, cpuUs };
  };
  const delay = async (endpoints: number, hole: boolean) => {
    const { p99Ms, cpuUs } = await run("deliver-product", endpoints, hole);
    return { value: p99Ms, cpuUs };
  };
  return [
    await compare(
      {
        id: "deliver",
        about: `Claim, sign, POST and record, ${ENDPOINTS} endpoints, a connection each time`,
        unit: "1/s",
        product: { name: "outrider", run: () => rate("deliver-product") },
        limits: [{ name: "the same client, nothing recorded", run: () => rate("deliver-limit") }],
      },
      deliverRounds,
    ),
    await compare(
      {
        id: "deliver-hole",
        about: `p99 of a queue of ${deliveries} to ${ENDPOINTS} endpoints, one a black hole`,
        unit: "ms",
        product: { name: "outrider", run: () => delay(ENDPOINTS, true) },
        limits: [{ name: "without the black hole", run: () => delay(ENDPOINTS - 1, false) }],
      },
      deliverRounds,
    ),
  ];
}
