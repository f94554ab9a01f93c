/**
 * Guarantees of the setting `allowed_hosts`: a page of another site that points its own name at this machine (DNS
 * rebinding) gets nothing from any door, while our names, tracking hosts, and addresses are served.
 *
 * Source of the attack and of the remedy: OWASP's cheat sheet on server-side checks of the Host header, and what
 * webpack's and Jupyter's servers do.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readConfig } from "#config/config.ts";
import { startTestServer, type TestServer } from "../support/running-app.ts";

const PATHS = ["/healthz", "/console", "/docs", "/api/v1/campaigns", "/t/o/nothing", "/nowhere"];
let server: TestServer;
let open: TestServer;
let key: string;

beforeAll(async () => {
  const public_url = "https://Mail.example.com";
  server = await startTestServer({ public_url, allowed_hosts: "Ours.example, bücher.example" });
  open = await startTestServer();
  key = await server.keyOf("live");
});
afterAll(async () => {
  await server.stop();
  await open.stop();
});

async function ask(at: TestServer, host: string, path: string) {
  const headers = { Host: host, Authorization: `Bearer ${key}` };
  const response = await fetch(`${at.url}${path}`, { headers, redirect: "manual" });
  return { status: response.status, text: await response.text() };
}

test.each(["evil.example", "ours.example.evil.example", "localhost.evil.example:80"])(
  "nothing answers under %s, and says which setting would let it",
  async (host) => {
    for (const path of PATHS) {
      const { status, text } = await ask(server, host, path);
      expect([path, status]).toEqual([path, 400]);
      expect(text).toContain("invalid_request");
      expect(text).toContain("allowed_hosts");
    }
  },
);

const OWN = ["ours.example", "OURS.EXAMPLE:8480", "xn--bcher-kva.example", "mail.example.com"];
test.each([...OWN, "localhost:1", "127.0.0.1", "10.0.0.7:8480", "[::1]:8480"])(
  "%s is served",
  async (host) => {
    expect((await ask(server, host, "/healthz")).status).toBe(200);
    expect((await ask(server, host, "/api/v1/campaigns")).status).toBe(200);
  },
);

test("a tracking host is served from the moment it's set", async () => {
  const host = "links.client.example";
  expect((await ask(server, host, "/healthz")).status).toBe(400);
  const body = JSON.stringify({ tracking_host: host });
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const url = `${server.url}/api/v1/team`;
  expect((await fetch(url, { method: "PATCH", headers, body })).status).toBe(200);
  expect((await ask(server, host, "/healthz")).status).toBe(200);
});

test("without the setting any name is served", async () => {
  expect((await ask(open, "evil.example", "/healthz")).status).toBe(200);
});

test.each(["https://ours.example", "ours example", "*.example"])(
  "%s is no name",
  (allowed_hosts) => {
    const read = () => readConfig({ flags: { allowed_hosts }, env: {}, workingDir: "/" });
    expect(read).toThrow("allowed_hosts (flag --allowed-hosts): must be host names like");
  },
);
