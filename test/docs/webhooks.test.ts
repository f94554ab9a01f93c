/** Guarantees of the guide to webhooks: each of its four programs tells our requests from others. */

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { blocks } from "./pages.ts";

describe("A webhook is verified as the guide shows", () => {
  const dir = mkdtempSync(join(tmpdir(), "outrider-verify-"));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const secret = `whsec_${btoa("a secret of some length, say")}`;
  const body = JSON.stringify({ type: "email.sent", data: { subject: "Grüße" } });
  const code = (language: string) => blocks("docs/webhooks.md", language)[0] ?? "";
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };

  /** Whether the program says yes to a body, signed `ageSeconds` ago. */
  const verdicts: Record<string, (given: string, headers: Record<string, string>) => string[]> = {
    ts: (given, headers) => [
      process.execPath,
      file(
        "verify.ts",
        `${code("ts")}\nverify(${JSON.stringify(secret)}, new Headers(${JSON.stringify(headers)}), ${JSON.stringify(given)});`,
      ),
    ],
    python: (given, headers) => [
      "python3",
      file(
        "verify.py",
        `${code("python")}\nverify(${JSON.stringify(secret)}, ${JSON.stringify(headers)}, ${JSON.stringify(given)}.encode())`,
      ),
    ],
    go: (given, headers) => {
      const sets = Object.entries(headers).map(
        ([name, value]) => `h.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
      );
      const main = `func main() {\n h := http.Header{}\n${sets.join("\n")}\n if Verify(${JSON.stringify(secret)}, h, []byte(${JSON.stringify(given)})) != nil { panic("no") }\n}`;
      return [
        "go",
        "run",
        file("main.go", `${code("go").replace("package webhook", "package main")}\n${main}`),
      ];
    },
    bash: (given, headers) => [
      "bash",
      file(
        "verify.sh",
        `${code("bash")}\nverify '${secret}' '${headers["webhook-id"]}' ${headers["webhook-timestamp"]} '${headers["webhook-signature"]}' '${file("body", given)}'`,
      ),
    ],
  };
  const programs: Record<string, string> = {
    ts: "bun",
    python: "python3",
    go: "go",
    bash: "openssl",
  };

  function answer(language: string, given: string, change: Record<string, string>, ageSeconds = 0) {
    const at = new Date(Date.now() - ageSeconds * 1_000);
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": `v1,AAAA ${new Webhook(secret).sign("msg_1", at, body)}`,
      ...change,
    };
    const command = verdicts[language]?.(given, headers) ?? [];
    return Bun.spawnSync(command, { cwd: dir, env: process.env }).exitCode === 0;
  }

  for (const [language, program] of Object.entries(programs)) {
    test.skipIf(program !== "bun" && Bun.which(program) === null)(`in ${language}`, () => {
      expect(code(language)).not.toBe("");
      expect(answer(language, body, {})).toBe(true);
      expect(answer(language, `${body} `, {})).toBe(false);
      expect(answer(language, body, { "webhook-id": "msg_2" })).toBe(false);
      expect(answer(language, body, {}, 400)).toBe(false);
    });
  }
});
