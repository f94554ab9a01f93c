/** A webhook endpoint on loopback: each event has to come once, whatever it has to be sent again. */

import { createHmac } from "node:crypto";
import { type Call, done, until } from "../../journeys/support.ts";

export interface Endpoint {
  /** Waits until all of these came, and says what is wrong with what came. */
  settle(ids: readonly string[]): Promise<string[]>;
}

const WAIT_MS = 120_000;
/** One request in so many is refused; what it told is taken when it comes again. */
const REFUSED_EVERY = 50;

export async function listen(call: Call): Promise<Endpoint & Disposable> {
  const came = new Map<string, number>();
  const wrong: string[] = [];
  const refused = new Set<string>();
  let asked = 0;
  let secret = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const [id = "", stamp, signature] = ["id", "timestamp", "signature"].map((name) =>
        request.headers.get(`webhook-${name}`),
      );
      const body = await request.text();
      const key = Buffer.from(secret.replace("whsec_", ""), "base64");
      const own = createHmac("sha256", key).update(`${id}.${stamp}.${body}`).digest("base64");
      if (secret !== "" && signature !== `v1,${own}`) {
        wrong.push(`${id} is signed ${signature}`);
      }
      const event: string = JSON.parse(body).id;
      asked += 1;
      if (asked % REFUSED_EVERY === 0 && !refused.has(event)) {
        refused.add(event);
        return new Response("not now", { status: 503, headers: { "Retry-After": "1" } });
      }
      came.set(event, (came.get(event) ?? 0) + 1);
      return new Response("ok");
    },
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const made = await done(call("POST", "/webhooks", { url, events: ["*"] }));
  secret = made.secret;
  return {
    settle: async (ids) => {
      await until(WAIT_MS, `${ids.length} events at the endpoint`, async () =>
        ids.every((id) => came.has(id)) ? true : undefined,
      ).catch((error: Error) => wrong.push(error.message));
      await call("DELETE", `/webhooks/${made.id}`);
      const known = new Set(ids);
      for (const [id, times] of came) {
        if (times !== 1 || !known.has(id)) {
          wrong.push(`${id} came ${times} times and ${known.has(id) ? "is" : "is not"} listed`);
        }
      }
      return wrong;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}
