/**
 * listmonk on PostgreSQL as a peer, where both are installed (`bench/install-listmonk.sh`). Its processor time
 * is that of the whole system: its own process and all of PostgreSQL's.
 */

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { program, type Server, startServer, temporaryDirectory } from "../children.ts";
import { leadAt } from "../leads.ts";
import type { Sample } from "../measure.ts";
import type { ListmonkInput } from "../programs/listmonk.ts";

export const LISTMONK = "listmonk on PostgreSQL, processor time of both";

const HOME = resolve(import.meta.dir, "../../.toolchain/listmonk");
const POSTGRES = "/usr/lib/postgresql";
/** The list that it comes with. */
const LIST = 1;
const LOOK_EVERY_MS = 100;
const SINK_EVERY_MS = 5;
const SEND_MS_MAX = 120_000;

/** The best of those tried (`bench/README.md`). */
const BEST = { concurrency: 50, batchSize: 5000, databaseConnections: 25 };

export interface Listmonk extends AsyncDisposable {
  server: Server;
  /** What creates one, and those that there are. */
  campaigns: { body: string; ids: readonly number[] };
  /** Stores so many leads from a file. */
  import(leads: number): Promise<Sample>;
  /** Emails a campaign to all that were imported; `sink` tells how many it has accepted. */
  send(messages: number, sink: string): Promise<Sample>;
}

/** Undefined where it or PostgreSQL is not installed. */
export async function startListmonk(
  options: { smtpPort?: number; campaigns?: number } & Partial<typeof BEST> = {},
): Promise<Listmonk | undefined> {
  const { smtpPort = 9, campaigns = 0, ...best } = options;
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : [];
  const postgres = versions.map((name) => join(POSTGRES, name, "bin")).toSorted();
  const latest = postgres.filter((path) => existsSync(join(path, "initdb"))).at(-1);
  if (latest === undefined || !existsSync(join(HOME, "listmonk"))) {
    console.error("left out: listmonk, which is not installed (bench/install-listmonk.sh)");
    return undefined;
  }
  const directory = temporaryDirectory();
  const where = { home: HOME, postgres: latest, directory: directory.path, smtpPort };
  const input: ListmonkInput = { ...BEST, ...best, ...where };
  const server = await startServer(program("listmonk", input));
  const call = callerOf(server.ready.url);
  const made = await call<{ id: number }>("POST", "/templates", {
    name: "Plain",
    body: '{{ template "content" . }}',
  });
  const draft = draftOf(made.id);
  const ids: number[] = [];
  for (let index = 0; index < campaigns; index += 1) {
    ids.push((await call<{ id: number }>("POST", "/campaigns", draft)).id);
  }
  const timed = async (count: number, work: () => Promise<number>): Promise<Sample> => {
    const before = server.cpuMs();
    const ms = await work();
    const after = server.cpuMs();
    const cpuUs =
      before === undefined || after === undefined ? undefined : ((after - before) * 1000) / count;
    return { value: (count * 1000) / ms, cpuUs };
  };
  return {
    server,
    campaigns: { body: JSON.stringify(draft), ids },
    import: (leads) => timed(leads, () => importFile(server.ready.url, leads)),
    send: async (messages, sink) => {
      const { id } = await call<{ id: number }>("POST", "/campaigns", draft);
      return await timed(messages, () => sendCampaign(call, id, messages, sink));
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

/** As `FIRST_STEP` of `stage.ts` says it. */
function draftOf(template: number) {
  return {
    name: "Spring outreach",
    subject: "{{ .Subscriber.Attribs.company }}, a question",
    from_email: "Ann Sender <ann@outreach.example>",
    lists: [LIST],
    type: "regular",
    content_type: "plain",
    messenger: "email",
    template_id: template,
    body: [
      "Hi {{ .Subscriber.FirstName }},",
      "",
      "I saw that {{ .Subscriber.Attribs.company }} is hiring in {{ .Subscriber.Attribs.city }}, and",
      "wondered how you keep the onboarding of new people short. We have helped Fabrikam to halve",
      "theirs, with nothing to install.",
      "",
      "Would Tuesday suit for ten minutes on the phone?",
      "",
      "Ann Sender",
    ].join("\n"),
  };
}

type Call = <Data>(method: string, path: string, body?: unknown) => Promise<Data>;

function callerOf(url: string): Call {
  return async <Data>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new Error(`listmonk: ${method} ${path} answered ${await response.text()}`);
    }
    return ((await response.json()) as { data: Data }).data;
  };
}

/** Returns how many milliseconds it took. */
async function importFile(url: string, leads: number): Promise<number> {
  const quoted = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  const line = (_: unknown, index: number) => {
    const { email, first_name, last_name, company, variables } = leadAt(index);
    return `${email},${first_name} ${last_name},${quoted({ company, ...variables })}`;
  };
  const file = `email,name,attributes\n${Array.from({ length: leads }, line).join("\n")}\n`;
  const form = new FormData();
  const mode = { mode: "subscribe", subscription_status: "confirmed", overwrite: true };
  form.append("params", JSON.stringify({ ...mode, delim: ",", lists: [LIST] }));
  form.append("file", new File([file], "leads.csv"));
  const call = callerOf(url);
  const from = performance.now();
  await fetch(`${url}/api/import/subscribers`, { method: "POST", body: form });
  for (;;) {
    const { status, imported } = await call<{ status: string; imported: number }>(
      "GET",
      "/import/subscribers",
    );
    if (status === "finished" && imported === leads) {
      return performance.now() - from;
    }
    if (status !== "importing") {
      throw new Error(`listmonk: of ${leads} leads it imported ${imported}: ${status}`);
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

/** Returns the milliseconds from its first email to its last: it looks for campaigns every five seconds. */
async function sendCampaign(
  call: Call,
  id: number,
  messages: number,
  sink: string,
): Promise<number> {
  const accepted = async () => Number(await (await fetch(sink)).text());
  const before = await accepted();
  const late = AbortSignal.timeout(SEND_MS_MAX);
  await call("PUT", `/campaigns/${id}/status`, { status: "running" });
  let from: number | undefined;
  for (let count = 0; count < messages; count = (await accepted()) - before) {
    late.throwIfAborted();
    from ??= count > 0 ? performance.now() : undefined;
    await Bun.sleep(SINK_EVERY_MS);
  }
  const ms = performance.now() - (from ?? 0);
  while ((await call<{ status: string }>("GET", `/campaigns/${id}`)).status !== "finished") {
    late.throwIfAborted();
    await Bun.sleep(LOOK_EVERY_MS);
  }
  return ms;
}
