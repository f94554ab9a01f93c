/**
 * Guarantees of the documentation's commands: they are run as they stand, against a server of their own,
 * and do what the page says.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startImapSink } from "../mail/imap/imap-sink.ts";
import { startSmtpSink } from "../mail/smtp/smtp-sink.ts";
import { type Started, startProgram } from "../support/console.ts";
import { blocks, PAGES, ROOT, read } from "./pages.ts";

const EXECUTABLE = process.env["OUTRIDER_EXECUTABLE"];

describe("Commands", () => {
  const dir = mkdtempSync(join(tmpdir(), "outrider-guide-"));
  const data = join(dir, "outrider-data");
  let server: Started;

  beforeAll(async () => {
    mkdirSync(join(dir, "bin"));
    const program = EXECUTABLE ?? `${process.execPath} ${join(ROOT, "src/main.ts")}`;
    writeFileSync(join(dir, "bin/outrider"), `#!/bin/sh\nexec ${program} "$@"\n`);
    chmodSync(join(dir, "bin/outrider"), 0o755);
    mkdirSync(join(dir, "dist"));
    writeFileSync(join(dir, "dist/outrider"), `#!/bin/sh\nexec ${program} "$@"\n`);
    chmodSync(join(dir, "dist/outrider"), 0o755);
    server = await startProgram({
      data,
      env: { OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8", OUTRIDER_RATE_LIMIT: "0" },
    });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** One script of all `code`, from the directory in which the reader stands. */
  async function shell(code: readonly string[], env: Record<string, string> = {}) {
    const script = code.join("\n").replaceAll("http://127.0.0.1:8480", server.url);
    const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", script], {
      cwd: dir,
      env: {
        ...{ PATH: `${join(dir, "bin")}:${process.env["PATH"]}`, HOME: dir },
        ...{ OUTRIDER_URL: server.url, ...env },
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, exit] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    expect({ exit, err: exit === 0 ? "" : err }).toEqual({ exit: 0, err: "" });
    return out;
  }

  const keyOf = async (name: string) =>
    (await shell([`outrider keys create --data ./outrider-data --name ${name} --env test`])).trim();

  test("of the quick start lead to answers", async () => {
    const [serve = ""] = blocks("docs/quick-start.md", "sh server");
    expect(serve.split("\n").at(-2)).toBe("outrider serve --data ./outrider-data");
    const out = await shell(blocks("docs/quick-start.md", "sh"));
    expect(out).toContain("is ready");
    expect(out).toMatch(/^status +active$/m);
    expect(out).toMatch(/^sent +[3-6]$/m);
    expect(out).toMatch(/^replied +[1-3]$/m);
    expect(readFileSync(join(dir, "result.csv"), "utf8")).toContain("ada@customer.example");
  });

  test("of the README are a live campaign, whose email arrives", async () => {
    const smtp = await startSmtpSink();
    const imap = await startImapSink();
    try {
      const here = (kind: string, { port }: { port: number }) =>
        `--${kind}.host 127.0.0.1 --${kind}.port ${port} --${kind}.security none`;
      const [shown = "", more] = blocks("README.md", "sh first");
      expect(more).toBeUndefined();
      expect(shown.trim().split("\n").length).toBeLessThanOrEqual(10);
      const always = JSON.stringify({ ...ROUND_THE_CLOCK, timezone: zoneAtNoon() });
      const code = shown
        .replace("--smtp.host smtp.example.com", here("smtp", smtp))
        .replace("--imap.host imap.example.com", here("imap", imap))
        // Whenever this is run, the window is open, and the mailbox's day not just begun.
        .replace("--provider", `--timezone ${zoneAtNoon()} --provider`)
        .replace("--send-window.timezone Europe/Berlin", `--send-window '${always}'`);
      const out = await shell([code]);
      expect(out).toMatch(/^smtp\.ok +true$/m);
      expect(out).toMatch(/^status +active$/m);
      while (!smtp.bodies.some((body) => body.includes("Hello Ada"))) {
        await Bun.sleep(50);
      }
    } finally {
      await smtp.stop();
      await imap.stop();
    }
  });

  /** A newcomer's machine may have neither; there is nothing of ours to see there. */
  const lacksCurl = Bun.which("curl") === null || Bun.which("grep") === null;

  test.skipIf(lacksCurl)("of the API guide answer what it says", async () => {
    const out = await shell(blocks("docs/api.md", "sh"), { OUTRIDER_KEY: await keyOf("guide") });
    const shown = /^# (\{"type":"validation_error".*\})$/m.exec(read("docs/api.md"))?.[1] ?? "none";
    expect(out).toContain(shown);
    // The second of two requests under one key is the first one's answer.
    const made = [...out.matchAll(/^\{"id":"([^"]+)".*"name":"Spring"/gm)];
    expect(made).toHaveLength(2);
    expect(made[0]?.[1]).toBe(made[1]?.[1] ?? "none");
  });

  test.skipIf(lacksCurl)("of the API guide let an assistant in", async () => {
    const [settings = ""] = blocks("docs/api.md", "json");
    const { outrider } = JSON.parse(settings).mcpServers;
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({
        command: join(dir, "bin", outrider.command),
        args: outrider.args,
        cwd: dir,
        env: {
          ...{ ...outrider.env, PATH: process.env["PATH"] ?? "" },
          ...{ OUTRIDER_URL: server.url, OUTRIDER_KEY: await keyOf("assistant") },
        },
      }),
    );
    const named = [...read("docs/api.md").matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(
      ([, word = ""]) => word,
    );
    const { tools } = await client.listTools();
    await client.close();
    const names = tools.map(({ name }) => name);
    const told = named
      .slice(named.indexOf("create_campaign"))
      .filter((word) => word !== "from_row");
    expect(told).toContain("call_operation");
    expect(told.filter((word) => !names.includes(word))).toEqual([]);
    expect(JSON.stringify(tools)).toContain('"from_row"');
  });

  test("of the API guide let an assistant in over HTTP", async () => {
    const [settings = ""] = blocks("docs/api.md", "json http");
    const { outrider } = JSON.parse(settings).mcpServers;
    const key = await keyOf("remote");
    const client = new Client({ name: "test", version: "1.0.0" });
    const authorization = outrider.headers.Authorization.replace("outrider_test_…", key);
    const address = new URL(new URL(outrider.url).pathname, server.url);
    await client.connect(
      new StreamableHTTPClientTransport(address, {
        requestInit: { headers: { Authorization: authorization } },
      }),
    );
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toContain("find_operations");
  });

  test("of experiments and webhooks are requests that there are", async () => {
    const key = await keyOf("requests");
    const post = async (path: string, body: unknown) => {
      const response = await fetch(`${server.url}/api/v1${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      expect({ path, status: response.status, answer }).toMatchObject({ path, status: 201 });
      return answer;
    };
    const pages = ["docs/experiments.md", "docs/webhooks.md"];
    for (const block of pages.flatMap((page) => blocks(page, "http"))) {
      const { id } = await post("/campaigns", { name: "Shown" });
      await post(`/campaigns/${id}/steps`, { type: "email", subject: "A", body: "Hello" });
      const [, path = "", body = ""] = /^POST (\S+) ([\s\S]*)$/.exec(block) ?? [];
      await post(path, JSON.parse(body.replace('"campaign_id": "…"', `"campaign_id": "${id}"`)));
    }
  });

  test("of webhooks bring events to a receiver", async () => {
    const [listen = "", trigger = "", tail = "", ...more] = (
      blocks("docs/webhooks.md", "sh")[0] ?? ""
    )
      .trim()
      .split("\n")
      .slice(1);
    expect(more).toEqual([]);
    const received = Promise.withResolvers<string>();
    const receiver = Bun.serve({
      port: 0,
      fetch: async (request) => {
        received.resolve(await request.text());
        return new Response();
      },
    });
    const env = {
      ...{ PATH: `${join(dir, "bin")}:${process.env["PATH"]}`, HOME: dir },
      ...{ OUTRIDER_URL: server.url, OUTRIDER_KEY: await keyOf("events") },
    };
    // Each line stands for a program of its own: exec, so that what is ended is the program.
    const start = (line: string) =>
      Bun.spawn(["bash", "-c", `exec ${line}`], { cwd: dir, env, stdout: "pipe", stderr: "pipe" });
    const listening = start(listen.replace("http://127.0.0.1:3000/", receiver.url.href));
    const tailing = start(tail);
    try {
      const both = Promise.all([received.promise, firstChunk(tailing.stdout)]);
      // Who has not begun to listen yet hears the next one.
      let heard: [string, string] | undefined;
      while (heard === undefined) {
        await shell([trigger], env);
        heard = await Promise.race([both, undefined]);
      }
      const [body, shown] = heard;
      expect(JSON.parse(body)).toMatchObject({ type: "suppression.created" });
      expect(shown).toContain("suppression.created");
    } finally {
      listening.kill("SIGINT");
      tailing.kill("SIGINT");
      await Promise.all([listening.exited, tailing.exited]);
      await receiver.stop(true);
    }
  });

  test("of certificates, a model, and single sign-on are settings that there are", async () => {
    const [acme = "", model = "", signOn = ""] = blocks("docs/operations.md", "toml");
    writeFileSync(join(dir, "acme.toml"), acme + model);
    const set = JSON.parse(await shell(["outrider config --config acme.toml --json"]));
    expect(set.acme.value).toBe("agree");
    expect(set.reply_model_url.origin).toStartWith("file ");
    writeFileSync(join(dir, "sso.toml"), signOn);
    const out = await shell(["outrider config --config sso.toml --json"]);
    const { oidc_name: name, oidc_client_secret: secret } = JSON.parse(out);
    expect(name.value).toBe("Example");
    expect(JSON.stringify(secret)).not.toContain('…"');
  });

  test("of operations back up, restore, and change the master key", async () => {
    const [backup = "", rotate = ""] = blocks("docs/operations.md", "sh");
    await shell([backup]);
    expect(existsSync(join(dir, "new-directory/live.db"))).toBe(true);
    const before = readFileSync(join(dir, "outrider-data/master.key"), "utf8").trim();
    // No server runs on the restored one.
    await shell([
      "cp outrider-data/master.key new-directory/",
      rotate.replace("./outrider-data", "./new-directory"),
    ]);
    const after = readFileSync(join(dir, "new-directory/master.key"), "utf8").trim().split("\n");
    expect(after).toHaveLength(2);
    expect(after[1]).toBe(before);
    const out = await shell(["outrider teams list --data ./new-directory"]);
    expect(out.trim().split("\n")).toHaveLength(2);
  });

  test("of operations move a team", async () => {
    const out = await shell(blocks("docs/operations.md", "sh move"));
    expect(out).toContain("its campaigns are paused");
    expect(existsSync(join(dir, "other/live.db"))).toBe(true);
  });

  test("of the pages are commands and options that there are", async () => {
    const { commands } = JSON.parse(await shell(["outrider help --json"])) as {
      commands: { name: string }[];
    };
    const names = commands.map(({ name }) => name);
    const pages = [
      "README.md",
      "CONTRIBUTING.md",
      ...PAGES.map((name) => `docs/${name}`),
      "clients/typescript/README.md",
    ];
    const told = pages.flatMap((path) =>
      [...read(path).matchAll(/(?:`|^ *|\$\()(?:dist\/)?outrider ([a-z][a-z -]*)/gm)].map(
        ([, words = ""]) => ({
          path,
          words: words
            .trim()
            .split(/ +/)
            .filter((word) => !word.startsWith("-")),
        }),
      ),
    );
    expect(told.length).toBeGreaterThan(30);
    const unknown = told.filter(
      ({ words }) =>
        words[0] !== "help" &&
        ![1, 2, 3, 4].some((length) => names.includes(words.slice(0, length).join(" "))),
    );
    expect(unknown).toEqual([]);
  });
});

/** The first that a program says. */
async function firstChunk(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const bytes of stream) {
    return new TextDecoder().decode(bytes);
  }
  return "";
}

/** All week, so that nothing waits for a Monday. */
const ROUND_THE_CLOCK = {
  days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  start_hour: 0,
  end_hour: 24,
};

/** Where it is about noon now: a mailbox does not begin on the stroke of its day. */
function zoneAtNoon(): string {
  const hours = 12 - new Date().getUTCHours();
  return hours === 0 ? "UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}
