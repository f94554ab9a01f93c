/**
 * PocketBase with one collection, for as long as this program runs. Prints where it listens, and the token
 * of its administrator.
 */

import { spawnSync } from "node:child_process";

export interface PocketBaseInput {
  executable: string;
  directory: string;
}

export interface PocketBaseReady {
  port: number;
  url: string;
  token: string;
}

const READY_MS_MAX = 30_000;
const LOOK_EVERY_MS = 50;
const ADMIN = { identity: "bench@outreach.example", password: "a long password" };

const input = JSON.parse(process.argv[2] ?? "{}") as PocketBaseInput;
const dir = `--dir=${input.directory}`;
const made = spawnSync(input.executable, [
  ...["superuser", "upsert", ADMIN.identity, ADMIN.password, dir],
]);
if (made.status !== 0) {
  throw new Error(`PocketBase: ${made.stderr}`);
}
const port = freePort();
const child = Bun.spawn([input.executable, "serve", `--http=127.0.0.1:${port}`, dir], {
  stdout: "ignore",
  stderr: "ignore",
});
process.on("SIGTERM", () => {
  child.kill();
  process.exit(0);
});
const url = `http://127.0.0.1:${port}`;
await untilReady();
const { token } = (await post("/api/collections/_superusers/auth-with-password", ADMIN, "")) as {
  token: string;
};
const fields = [
  { name: "name", type: "text", required: true },
  { name: "max_leads_per_day", type: "number" },
];
await post("/api/collections", { name: "campaigns", type: "base", fields }, token);
const ready: PocketBaseReady = { port, url, token };
console.log(JSON.stringify(ready));

function freePort(): number {
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: () => undefined },
  });
  const found = listener.port;
  listener.stop();
  return found;
}

async function untilReady(): Promise<void> {
  const from = performance.now();
  while (!(await fetch(`${url}/api/health`).catch(() => null))?.ok) {
    if (performance.now() - from > READY_MS_MAX) {
      throw new Error("PocketBase does not start");
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

async function post(path: string, body: object, authorization: string): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) {
    throw new Error(`PocketBase: ${path} answered ${answer.status}: ${await answer.text()}`);
  }
  return await answer.json();
}
