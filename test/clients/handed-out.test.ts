/**
 * Guarantees of what the server hands out to those who build on it: each file that is named is there and is the
 * same whenever it is made, the clients do what their READMEs show, and the collections have every operation.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "#app/version.ts";
import { readApi } from "../../.ci/clients/document.ts";
import { makeSdk } from "../../.ci/sdk.ts";
import { SDK_FILES, type SdkFile } from "../../src/web/docs/sdk.ts";
import { blocks } from "../docs/pages.ts";
import { startTestServer, type TestServer } from "../support/running-app.ts";

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  key = await server.keyOf("test");
});
afterAll(() => server.stop());

const get = (path: string) => fetch(`${server.url}${path}`);

async function shell(code: string, name: string): Promise<string> {
  const cwd = join(server.dir, name);
  mkdirSync(cwd, { recursive: true });
  const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", code], {
    ...{ cwd, stdout: "pipe", stderr: "pipe" },
    env: { ...process.env, OUTRIDER_URL: server.url, OUTRIDER_KEY: key, PYTHONPATH: "." },
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect({ code, exit: await child.exited, err }).toEqual({ code, exit: 0, err });
  return out;
}

/** The first program that is not here. */
const missing = (...names: string[]) => {
  const first = names.find((name) => Bun.which(name) === null);
  return process.env["OUTRIDER_TEST_TIER"] === "full" ? undefined : first;
};
const skipped = (first: string | undefined) => {
  return first === undefined ? "" : ` (skipped: ${first} is missing)`;
};

const forIndex = missing("curl");
test.skipIf(forIndex !== undefined)(
  `the page's command shows the index${skipped(forIndex)}`,
  async () => {
    const shown = await shell(blocks("docs/clients.md", "sh").join("\n"), "index");
    expect(shown).toBe(await (await get("/sdk/")).text());
  },
);

test("the index names the server's version and every file, which needs no key", async () => {
  const index = (await (await get("/sdk/")).json()) as {
    version: string;
    files: { url: string }[];
  };
  expect(index.version).toBe(VERSION);
  const urls = index.files.map(({ url }) => url);
  expect(urls).toEqual(Object.keys(SDK_FILES).map((name) => `/sdk/${name}`));
  expect((await get("/sdk")).status).toBe(200);
  expect((await get("/sdk/other.zip")).status).toBe(404);
  for (const url of urls) {
    const response = await get(url);
    expect([url, response.status, response.headers.get("content-encoding")]).toEqual([
      ...[url, 200, url.endsWith(".json") ? "gzip" : null],
    ]);
    await response.body?.cancel();
  }
});

test("pages name only files that there are", async () => {
  const pages = ["docs/clients.md", ...["typescript", "python", "go"].map(readmeOf)];
  const shown = pages.flatMap((page) => [...blocks(page, "sh install"), ...blocks(page, "sh")]);
  const named = shown.join("\n").match(/\/sdk\/[\w.]+/g) ?? [];
  expect(named.length).toBeGreaterThan(5);
  const offered = Object.keys(SDK_FILES).map((name) => `/sdk/${name}`);
  expect(named.filter((url) => !offered.includes(url))).toEqual([]);
});

test("they are turned off together with the reference", async () => {
  const closed = await startTestServer({ docs: "off" });
  try {
    for (const path of ["/sdk/", "/sdk/python.tar.gz", "/llms.txt", "/docs/guide/api.md"]) {
      expect([path, (await fetch(`${closed.url}${path}`)).status]).toEqual([path, 401]);
    }
  } finally {
    await closed.stop();
  }
});

test("/llms.txt is a title, a summary, and links to what can be read as text", async () => {
  const text = await (await get("/llms.txt")).text();
  expect(text).toMatch(/^# Outrider\n\n> [^\n]+/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, url = ""]) => url);
  expect(links).toContain("/docs/guide/clients.md");
  for (const link of links) {
    const response = await get(link);
    expect([link, response.status]).toEqual([link, 200]);
    expect(response.headers.get("content-type")).toMatch(/^(text\/markdown; |application\/json)/);
    await response.body?.cancel();
  }
});

test.each(Object.keys(SDK_FILES) as SdkFile[])(
  "%s is the same whenever it is made",
  async (name) => {
    expect(Bun.hash(await makeSdk(name))).toBe(Bun.hash(await makeSdk(name)));
  },
);

describe("The README's program does what it says", () => {
  const readme = (client: string, language: string) => blocks(readmeOf(client), language)[0] ?? "";
  const forPython = missing("python3", "curl", "tar");
  const forGo = missing("go", "curl", "tar");

  test.skipIf(forPython !== undefined)(`in Python${skipped(forPython)}`, async () => {
    mkdirSync(join(server.dir, "readme-python"));
    writeFileSync(join(server.dir, "readme-python/main.py"), readme("python", "python"));
    const unpack = 'curl -fsS "$OUTRIDER_URL/sdk/python.tar.gz" | tar -xz --strip-components=1';
    const out = await shell(`${unpack}\npython3 main.py`, "readme-python");
    expect(out).toBe("lea@customer.example\nnot_found no such campaign\n");
  });

  test.skipIf(forGo !== undefined)(`in Go${skipped(forGo)}`, async () => {
    mkdirSync(join(server.dir, "readme-go"));
    writeFileSync(join(server.dir, "readme-go/main.go"), readme("go", "go"));
    const install = readme("go", "sh").replace("http://127.0.0.1:8480", server.url);
    const out = await shell(`go mod init example\n${install}go run .`, "readme-go");
    expect(out).toMatch(/^Spring\n(.*\n)*not_found no such campaign\n$/);
  });
});

describe("A collection has every operation but the streams", () => {
  const streams = ["streamEvents", "streamImport"];
  const operations = async () => {
    const all = (await readApi()).operations.filter(({ id }) => !streams.includes(id));
    expect(all.length).toBeGreaterThan(150);
    return all;
  };

  interface Item {
    name: string;
    item?: Item[];
    request?: {
      method: string;
      url: { raw: string; path: string[]; variable: { key: string }[] };
      body?: { mode: string; raw?: string };
    };
  }

  test("for Postman", async () => {
    const collection = (await (await get("/sdk/postman.json")).json()) as { item: Item[] };
    const requests = collection.item.flatMap(({ item = [] }) => item);
    const places = requests.map(({ request }) => `${request?.method} ${request?.url.raw}`);
    const expected = (await operations()).map(({ method, path }) => {
      return `${method} {{url}}/api/v1${path.replace(/\{(\w+)\}/g, ":$1")}`;
    });
    expect(places.sort()).toEqual(expected.sort());
    const create = requests.find(({ name }) => name === "Create a campaign");
    expect(JSON.parse(create?.request?.body?.raw ?? "")).toHaveProperty("name");
    for (const { request } of requests) {
      const inPath = request?.url.path.filter((part) => part.startsWith(":")) ?? [];
      expect(inPath).toEqual(request?.url.variable.map(({ key: name }) => `:${name}`) ?? []);
    }
  });

  test("for Bruno", async () => {
    const archive = new Bun.Archive(await (await get("/sdk/bruno.tar.gz")).bytes());
    const files = await archive.files();
    const ids = (await operations()).map(({ id, tag }) => `outrider-bruno/${tag}/${id}.bru`);
    expect(ids.filter((file) => !files.has(file))).toEqual([]);
    expect([...files.keys()].filter((file) => file.includes("/stream"))).toEqual([]);
    const one = await files.get("outrider-bruno/campaigns/getCampaign.bru")?.text();
    expect(one).toContain("url: {{url}}/api/v1/campaigns/:id\n");
  });
});

function readmeOf(client: string): string {
  return `clients/${client}/README.md`;
}
