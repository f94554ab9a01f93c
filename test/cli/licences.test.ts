/** `outrider license`: a key pair, a licence signed with it, and a team that is put on its plan. */

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./support.ts";

const dir = mkdtempSync(join(tmpdir(), "outrider-licence-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const keyFile = join(dir, "issuer.pem");
const data = join(dir, "data");
const made = await run(["license", "keygen", keyFile]);
const publicKey = made.out.trim();
const around = { env: { OUTRIDER_LICENSE_KEYS: publicKey } };
const issue = (...more: string[]) =>
  run(["license", "issue", "--key-file", keyFile, "--plan", "pro", ...more]);
const add = (licence: string) => run(["license", "add", licence, "--data", data, "--json"], around);

describe("outrider license", () => {
  test("keygen prints the public key, keeps the private one to its owner, overwrites nothing", async () => {
    expect(made.exit).toBe(0);
    expect(publicKey).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    const before = readFileSync(keyFile, "utf8");
    expect((await run(["license", "keygen", keyFile])).exit).toBe(73);
    expect(readFileSync(keyFile, "utf8")).toBe(before);
  });

  test("an issued licence puts the team on its plan", async () => {
    const issued = await issue("--ends-at", "2999-01-01T00:00:00Z", "--limits", '{"accounts": 7}');
    expect(issued.exit).toBe(0);
    const file = join(dir, "licence.txt");
    writeFileSync(file, issued.out);
    const added = await add(file);
    expect(added.err).toBe("");
    expect(added.exit).toBe(0);
    expect(JSON.parse(added.out)).toMatchObject({
      plan: "pro",
      status: "active",
      source: "licence",
    });
    const shown = await run(["license", "show", "--data", data], around);
    expect(shown.out).toBe("My team: pro (active, until 2999-01-01T00:00:00.000Z)\n");
  });

  test("what is not signed, run out or no licence is refused, saying why", async () => {
    const over = await issue(
      "--ends-at",
      "2020-01-01T00:00:00Z",
      "--starts-at",
      "2019-01-01T00:00Z",
    );
    const tampered = (await issue("--ends-at", "2999-01-01T00:00:00Z")).out.replace(
      "key/ey",
      "key/eX",
    );
    for (const [licence, reason] of [
      [over.out.trim(), "expired on"],
      [tampered.trim(), "signed by a key"],
      ["key/hello", "isn't a license key"],
    ] as const) {
      const added = await add(licence);
      expect(added.exit).not.toBe(0);
      expect(added.err).toContain(reason);
    }
    expect((await add(join(dir, "none"))).exit).toBe(65);
  });

  test("mistakes on the command line are named", async () => {
    const plan = await run([
      "license",
      "issue",
      "--key-file",
      keyFile,
      "--plan",
      "gold",
      "--ends-at",
      "2999-01-01T00:00Z",
    ]);
    expect([plan.exit, plan.err.includes("--plan")]).toEqual([64, true]);
    expect((await issue("--ends-at", "tomorrow")).exit).toBe(64);
    expect(
      (await issue("--ends-at", "2999-01-01T00:00:00Z", "--limits", '{"acounts": 7}')).exit,
    ).toBe(64);
    const foreign = join(dir, "no.pem");
    writeFileSync(foreign, "hello");
    const wrong = await run([
      "license",
      "issue",
      "--key-file",
      foreign,
      "--plan",
      "pro",
      "--ends-at",
      "2999-01-01T00:00Z",
    ]);
    expect(wrong.exit).toBe(65);
  });
});
