/**
 * Guarantee of the OpenAPI document: the clients that generators of other people make of it compile, and a
 * program of each language gets from a mailbox to a verified webhook with them. So it does with those that the
 * server hands out itself.
 */

import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { blocks } from "../docs/pages.ts";
import { startTestServer } from "../support/running-app.ts";

const TOOLS = resolve(import.meta.dir, "../../.toolchain");
const PROGRAMS = join(import.meta.dir, "programs");
const LIBRARIES = join(TOOLS, "java/lib/*");

interface Program {
  /** What is not on every machine: files of `TOOLS`, or programs on the PATH. */
  needs: string[];
  /** In a folder with the program's files and the client: shell code, of which the last line is the program. */
  code: string;
}

const PYTHON: Program = {
  needs: ["venv/bin/openapi-python-client"],
  code: "python program.py",
};

const GO: Program = {
  needs: ["bin/oapi-codegen", "go"],
  code: "go build -o program .\n./program",
};

const JAVA: Program = {
  needs: ["java/openapi-generator-cli.jar", "javac"],
  code: `javac -nowarn -proc:none -encoding UTF-8 -d classes -cp '${LIBRARIES}' \\
    -sourcepath outrider/src/main/java Program.java
    java -cp 'classes:${LIBRARIES}' Program`,
};

const RUST: Program = {
  needs: ["java/openapi-generator-cli.jar", "cargo", "jq"],
  // What is compiled once is kept for the next time.
  code: `CARGO_TARGET_DIR='${join(TOOLS, "rust")}' cargo run --quiet`,
};

const TYPESCRIPT: Program = { needs: [], code: `bun ${join(PROGRAMS, "typescript/program.ts")}` };

const OUR_PYTHON: Program = {
  needs: ["venv/bin/mypy"],
  code: `curl -fsS "$OUTRIDER_URL/sdk/python.tar.gz" | tar -xz --strip-components=1
    mypy --strict program.py >&2
    python program.py`,
};

const OUR_GO: Program = {
  needs: ["go"],
  code: `curl -fsS "$OUTRIDER_URL/sdk/go.tar.gz" | tar -xz
    go mod edit -replace outrider=./outrider
    go vet . outrider >&2
    go run .`,
};

const EMAILS = [
  ...["ada@one.example", "bo@two.example", "cy@three.example", "di@four.example"],
  "ed@five.example",
];

/** What every program has to see. */
const SEEN = {
  notes: ["A draft", null],
  imported: [2, 3],
  sent: 5,
  metric: "reply_rate",
  variants: ["A", "B"],
  variantsSent: 5,
  leads: 5,
  events: EMAILS,
  enrolled: 2,
  webhook: true,
  forged: "refused",
  refused: ["validation_error", "name"],
  disk: true,
};

/** What is shown in the documentation makes the client. */
function generation(language: string): string {
  return blocks("docs/api.md", `sh ${language}`).join("\n");
}

async function run(code: string, cwd: string, settings: Record<string, string>): Promise<string> {
  const path = [dirname(process.execPath), join(TOOLS, "bin"), join(TOOLS, "venv/bin")];
  const child = Bun.spawn(["bash", "-euc", code], {
    cwd,
    env: {
      ...{ ...process.env, ...settings, PATH: [...path, process.env["PATH"]].join(":") },
      // Half of the processor time of a short run would go into compiling it well.
      JDK_JAVA_OPTIONS: "-XX:TieredStopAtLevel=1",
    },
    ...{ stdout: "pipe", stderr: "pipe" },
  });
  const [out, err, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (exit !== 0) {
    throw new Error(`exit ${exit} after ${code}\n${err}\n${out}`);
  }
  return out;
}

async function seenBy(language: string, { code }: Program): Promise<unknown> {
  const server = await startTestServer({ allow_cidrs: "127.0.0.0/8" });
  try {
    const folder = join(server.dir, language);
    cpSync(join(PROGRAMS, language), folder, { recursive: true });
    const generator = join(TOOLS, "java/openapi-generator-cli.jar");
    symlinkSync(generator, join(folder, "openapi-generator-cli.jar"));
    const document = await fetch(`${server.url}/api/v1/openapi.json`);
    writeFileSync(join(folder, "openapi.json"), await document.text());
    await run(generation(language), folder, {});
    const key = await server.keyOf("test", ["admin", "operator"]);
    return JSON.parse(await run(code, folder, { OUTRIDER_URL: server.url, OUTRIDER_KEY: key }));
  } finally {
    await server.stop();
  }
}

/** The first that is not here. */
function missingFor({ needs }: Program): string | undefined {
  return needs.find((need) => !existsSync(join(TOOLS, need)) && Bun.which(need) === null);
}

const ALL = {
  ...{ typescript: TYPESCRIPT, "sdk-go": OUR_GO, "sdk-python": OUR_PYTHON },
  ...{ go: GO, python: PYTHON, java: JAVA, rust: RUST },
};

describe("From a mailbox to a verified webhook, by a program in", () => {
  for (const [language, program] of Object.entries(ALL)) {
    const missing = missingFor(program);
    if (missing !== undefined && process.env["OUTRIDER_TEST_TIER"] !== "full") {
      test.skipIf(true)(`${language} (skipped: ${missing} is missing)`, () => undefined);
    } else {
      test(language, async () => {
        expect(await seenBy(language, program)).toEqual(SEEN);
      });
    }
  }
});
