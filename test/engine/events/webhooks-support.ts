/** The live environment with endpoints that answer as a test says; its clock jumps. */

import type { HttpOutcome } from "#platform/ports/http.ts";
import { checkDeliveries } from "#usecases/events/check-deliveries.ts";
import { emit } from "#usecases/events/record.ts";
import { type ScriptedHttp, type Sent, scriptedHttp } from "../../support/webhooks.ts";
import { createLive, type LiveApp } from "../support.ts";

export const DOWN: HttpOutcome = { kind: "failed", reason: "refused" };

export const urlOf = (name: string) => `https://${name}.example.com/in`;

export interface WebhookStage {
  live: LiveApp;
  http: ScriptedHttp;
  /** A webhook at {@link urlOf} the name; of suppressions if no kinds are said. */
  add(name?: string, events?: string[]): Promise<{ id: string; secret: string }>;
  /** As it is read now. */
  webhook(id: string): Promise<Record<string, unknown>>;
  /** So many events, in one transaction. */
  cause(count: number): Promise<void>;
  sentTo(name: string): Sent[];
  statuses(id: string): Promise<{ pending: number; succeeded: number; failed: number }>;
  promises(): { missing: number; stranded: number };
}

export async function webhookStage(): Promise<WebhookStage> {
  const http = scriptedHttp();
  const live = await createLive({ http });
  return {
    live,
    http,
    add: async (name = "hooks", events = ["suppression.created"]) =>
      (await live.call("POST", "/webhooks", { url: urlOf(name), events })).body,
    webhook: async (id) => (await live.call("GET", `/webhooks/${id}`)).body,
    cause: (count) =>
      live.env.commit(() => {
        for (let n = 0; n < count; n += 1) {
          emit(live.env, live.app.team.id, "suppression.created", {
            suppression_id: live.env.ids.next(live.env.clock.now()),
            email_hash: String(n),
            reason: "manual",
          });
        }
      }),
    sentTo: (name) => http.sent.filter(({ url }) => url === urlOf(name)),
    statuses: async (id) => {
      const of = async (status: string) =>
        (await live.call("GET", `/webhooks/${id}/deliveries?status=${status}&limit=1`)).body.total;
      return {
        pending: await of("pending"),
        succeeded: await of("succeeded"),
        failed: await of("failed"),
      };
    },
    promises: () => checkDeliveries(live.env, live.app.team.id),
  };
}
