/** Pauses at any time, of an experiment and of its campaign, lose nothing: neither counts nor variants nor days. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { wrongTallies } from "#store/sending/exposures.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { type MadeExperiment, makeExperiment, setPeople } from "../../support/experiments.ts";

const LEADS = 80;
const HISTORIES = 6;
/** What is paused, for how long, and how long it runs until then. */
const pauses = fc.array(
  fc.record({
    of: fc.constantFrom("experiments", "campaigns", "both"),
    afterHours: fc.integer({ min: 1, max: 60 }),
    hours: fc.integer({ min: 1, max: 100 }),
  }),
  { minLength: 1, maxLength: 4 },
);
const modes = fc.constantFrom("fixed_split", "thompson_sampling", "test_and_roll");

async function turn(app: TestApp, made: MadeExperiment, of: string, verb: string): Promise<void> {
  const rooms = of === "both" ? ["campaigns", "experiments"] : [of];
  for (const room of rooms) {
    const id = room === "campaigns" ? made.campaignId : made.id;
    await app.call("POST", `/${room}/${id}/${verb}`);
  }
}

/** Variant by lead, of all that were sent one. */
async function assigned(
  app: TestApp,
  { campaignId }: MadeExperiment,
): Promise<Map<string, string>> {
  const { body } = await app.call("GET", `/campaigns/${campaignId}/leads?limit=100`);
  return new Map(
    body.data.flatMap(
      ({ email, assignments }: { email: string; assignments: { variant_id: string }[] }) => {
        expect(assignments.length).toBeLessThanOrEqual(1);
        return assignments.map(({ variant_id }) => [email, variant_id] as const);
      },
    ),
  );
}

test("pauses at any time lose nothing", async () => {
  await fc.assert(
    fc.asyncProperty(modes, pauses, async (mode, plan) => {
      const app = await createTestApp({ seed: 51 });
      await setPeople(app, { reply: 0.2 });
      const made = await makeExperiment(app, {
        ...{ leads: LEADS, perDay: 8 },
        fields: { optimization_mode: mode, early_stopping: false, duration_days: 21 },
      });
      await app.advance(HOUR_MS);
      const read = async () => (await app.call("GET", `/experiments/${made.id}`)).body;
      const sent = (body: { variants: { emails_sent: number }[] }) =>
        body.variants.map(({ emails_sent }) => emails_sent);
      let sticky = new Map<string, string>();
      for (const { of, afterHours, hours } of plan) {
        await app.advance(afterHours * HOUR_MS);
        const wasRunning = (await read()).status === "running";
        await turn(app, made, of, "pause");
        const before = await read();
        await app.advance(hours * HOUR_MS);
        const during = await read();
        expect(during.ends_at).toBe(before.ends_at);
        if (wasRunning) {
          expect(sent(during)).toEqual(sent(before));
        }
        await turn(app, made, of, "resume");
        const after = await read();
        expect(sent(after)).toEqual(sent(during));
        const isCounted = of === "campaigns" || !wasRunning;
        const moved = Date.parse(after.ends_at) - Date.parse(before.ends_at);
        expect(moved).toBe(isCounted ? 0 : hours * HOUR_MS);
        expect(after.started_at).toBe(before.started_at);
        const now = await assigned(app, made);
        for (const [email, variant] of sticky) {
          expect(now.get(email)).toBe(variant);
        }
        sticky = now;
      }
      const { allocations } = (await app.call("GET", `/experiments/${made.id}/history`)).body;
      expect(allocations.length === 1 || mode === "thompson_sampling").toBe(true);

      await app.advance(60 * DAY_MS);
      const done = await read();
      expect(done.status).toBe("completed");
      for (const { emails_sent, successes, failures } of done.variants) {
        expect(successes + failures).toBe(emails_sent);
      }
      const end = await assigned(app, made);
      for (const [email, variant] of sticky) {
        expect(end.get(email)).toBe(variant);
      }
      const messages = (await app.call("GET", "/sandbox/messages?limit=100")).body.data;
      expect(messages.length).toBe(LEADS);
      expect(new Set(messages.map(({ recipient }: { recipient: string }) => recipient)).size).toBe(
        LEADS,
      );
      expect(wrongTallies(app.environments.test.db, app.team.id)).toBe(0);
      await app.close();
    }),
    { numRuns: HISTORIES, seed: 3, endOnFailure: true },
  );
});
