/**
 * Random scenarios over HTTP, held against rules written from the specification alone: windows, zones, caps,
 * waits, changed sequences, people who reply, eight clients at once. `test/soak/scenarios.soak.ts` plays more.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Server, startServer } from "../support/executable.ts";
import { liveScenario } from "../support/scenarios/drive.ts";
import { type Call, caller } from "./support.ts";

const FIRST = Number(process.env["OUTRIDER_WORLD_SEED"] ?? 1);
const COUNT = Number(process.env["OUTRIDER_WORLDS"] ?? 8);

let server: Server;
let call: Call;
beforeAll(async () => {
  server = await startServer({ args: ["--rate-limit", "0", "--allow-cidrs", "127.0.0.0/8"] });
  call = caller(server, (await server.createKey("test")).key);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

test.each(Array.from({ length: COUNT }, (_, nth) => FIRST + nth))("scenario %d", async (seed) => {
  const { faults, figures } = await liveScenario(seed, call);
  expect(faults).toEqual([]);
  expect(figures.emails).toBeGreaterThan(0);
});
