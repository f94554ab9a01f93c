/**
 * The real executable exports and checks its audit log; an older state is put back, and the chain says so, while the
 * head of the lost time is missed.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { outrider, startServer, temporaryDirectory } from "../support/executable.ts";
import { caller, createCampaign, done } from "./support.ts";

const ENV = { OUTRIDER_RATE_LIMIT: "0" };
const TEST_MS_MAX = 120_000;

test(
  "a restore continues the chain and is told in it",
  async () => {
    using directory = temporaryDirectory();
    const [data, next] = [join(directory.path, "data"), join(directory.path, "next")];
    const [backup, file] = [join(directory.path, "a.backup"), join(directory.path, "audit.ndjson")];
    const first = await startServer({ data, env: ENV });
    const { key } = await first.createKey("live");
    await createCampaign(caller(first, key), { name: "Before" });
    const made = await outrider(["backup", backup, "--with-key", "--data", data], { env: ENV });
    expect(made).toMatchObject({ exit: 0 });
    await createCampaign(caller(first, key), { name: "After" });
    const { head } = await done(caller(first, key)("GET", "/audit/chain"));
    const pinned = `--head=${head.position}:${head.hash}`;
    const checked = async (url: string, ...options: string[]) => {
      const env = { ...ENV, OUTRIDER_KEY: key, OUTRIDER_URL: url };
      expect(await outrider(["audit", "export", "--output", file], { env })).toMatchObject({
        exit: 0,
      });
      const { exit, out } = await outrider(["audit", "verify", file, "--json", ...options]);
      return { exit, ...JSON.parse(out) };
    };
    expect(await checked(first.url, pinned)).toMatchObject({ exit: 0, intact: true, restores: [] });
    expect(await first.stop()).toBe(0);

    const back = await outrider(["restore", backup, "--data", next], { env: ENV });
    expect(back).toMatchObject({ exit: 0 });
    const second = await startServer({ data: next, env: ENV });
    const { restores, ...found } = await checked(second.url);
    expect(found).toMatchObject({ exit: 0, intact: true });
    expect(restores).toHaveLength(1);
    expect(restores[0]).toBeLessThanOrEqual(head.position);
    expect(await checked(second.url, pinned)).toMatchObject({ exit: 1, intact: false });
    expect(await second.stop()).toBe(0);
  },
  TEST_MS_MAX,
);
