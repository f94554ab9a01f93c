/** Guarantees of what is kept of a mail: once, however often it is met, and told where it is not whole. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { inboundOf } from "#store/inbox/inbound.ts";
import { createLive, type LiveApp } from "../support.ts";

const OWN = "ann@sender.example";
const TO = "bob@example.com";

let live: LiveApp;
beforeEach(async () => {
  live = await createLive();
  await live.addAccount(OWN);
});
afterEach(() => live.app.close());

/** A lead that has been written to, whose answers do not stop the sequence. */
async function written(): Promise<string> {
  const { id, leads } = await live.launch([{ type: "email", subject: "Offer", body: "Hello" }], TO);
  await live.call("PATCH", `/campaigns/${id}`, { stop_on_reply: false });
  await live.run(HOUR_MS / 4);
  return leads[0] ?? "";
}

function mail(body: string, id: string | null): string {
  const lines = [`From: Bob <${TO}>`, `To: ${OWN}`, "Subject: Re: Offer", "", body];
  return (id === null ? lines : [`Message-ID: ${id}`, ...lines]).join("\n");
}

const receive = async (raw: string) => {
  live.deliver(OWN, raw);
  await live.run(2 * MINUTE_MS);
};

describe("an email without a Message-ID", () => {
  test("is known by what it says where its place has lost its meaning", async () => {
    const lead = await written();
    const raw = mail("Tell me more", null);
    await receive(raw);
    await receive(raw);
    expect(inboundOf(live.env.db, lead)).toHaveLength(1);
    await receive(raw.replace("more", "all"));
    expect(inboundOf(live.env.db, lead)).toHaveLength(2);
  });
});

describe("an email of which only headers and text were fetched", () => {
  test("says so where it is shown and where its bytes are", async () => {
    const lead = await written();
    live.deliver(OWN, mail("See the film", "<film@example.com>"));
    const box = live.mail.boxes.get(OWN) ?? [];
    live.mail.boxes.set(
      OWN,
      box.map((one) => ({ ...one, sizeBytes: 3_000_000 })),
    );
    await live.run(2 * MINUTE_MS);
    const [stored] = inboundOf(live.env.db, lead);
    const shown = await live.call("GET", `/messages/${stored?.id}`);
    expect(shown.body.partial_of_bytes).toBe(3_000_000);
    const raw = await live.call("GET", `/messages/${stored?.id}/raw`);
    expect(raw.headers.get("Outrider-Partial-Of")).toBe("3000000");
  });

  test("and a whole one says nothing", async () => {
    const lead = await written();
    await receive(mail("Yes", "<yes@example.com>"));
    const [stored] = inboundOf(live.env.db, lead);
    const shown = await live.call("GET", `/messages/${stored?.id}`);
    expect(shown.body.partial_of_bytes).toBeNull();
    const raw = await live.call("GET", `/messages/${stored?.id}/raw`);
    expect(raw.headers.has("Outrider-Partial-Of")).toBe(false);
  });
});
