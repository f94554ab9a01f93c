/**
 * An address that a seed's server noted is looked up in block lists over real DNS packets: from the run's
 * headers to the report of the mailbox.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { HOUR_MS } from "#domain/time.ts";
import { createDns } from "#mail/dns/dns.ts";
import { systemClock } from "#platform/clock.ts";
import { response, type ScriptedServer, scriptedServer } from "../../support/name-server.ts";
import { createLive, type LiveApp } from "../support.ts";
import { addSeeds } from "./placement-support.ts";

const LISTED = "5.1.1.9.listed.test";
let server: ScriptedServer;
let live: LiveApp;
beforeEach(async () => {
  server = await scriptedServer((asked) => {
    const isListed = asked.name === LISTED && asked.type === "A";
    const record = { name: LISTED, type: "A", ttl: 300, data: "127.0.0.2" } as const;
    return [response(asked, isListed ? [record] : [], isListed ? {} : { code: 3 })];
  });
  const dns = createDns({ clock: systemClock, servers: [server], answerMs: 5_000 });
  live = await createLive({ dns, blockLists: ["listed.test", "clean.test"] });
});
afterEach(async () => {
  await live.app.close();
  server[Symbol.dispose]();
});

test("where it is listed is in the report; what the sender wrote below is never asked about", async () => {
  const account = await live.addAccount("ann@sender.example");
  const seeds = await addSeeds(live, "one@seeds.example");
  seeds.shown.set("one@seeds.example", {
    place: "inbox",
    headers: [
      "Received: from mail.sender.example (mail.sender.example [9.1.1.5]) by mx.seeds.example",
      "Received: from forged.example (forged.example [8.8.4.4]) by mail.sender.example",
      "Subject: x",
    ].join("\r\n"),
  });
  const id = await seeds.begin();
  await live.run(HOUR_MS);
  expect((await seeds.run(id)).status).toBe("completed");

  const { body } = await live.call("GET", `/accounts/${account}/dns`);
  const found = body.checks.find(({ check }: { check: string }) => check === "block_lists");
  expect(found).toMatchObject({
    verdict: "warning",
    message: "9.1.1.5 is listed by listed.test",
    found: ["9.1.1.5: listed by listed.test", "9.1.1.5: not listed by clean.test"],
    rules: "docs/deliverability.md#block-lists",
  });
  expect(server.asked.filter(({ name }) => name.includes("8.8"))).toEqual([]);
});
