/**
 * Every operation of the document as a request to a team whose campaign has many leads: the ids of what there is,
 * and the bodies of the document's examples.
 */

import { readExamples } from "#api/document/examples.ts";
import { PLACES } from "../../../clients/typescript/src/api.ts";
import type { Call } from "../../journeys/support.ts";

export interface Operation {
  /** As the document has it: `GET /campaigns/{id}`. */
  name: string;
  method: string;
  path: string;
  id: keyof typeof PLACES;
}

/** What would end the server, or waits for somebody outside. */
const LEFT_OUT: readonly string[] = ["restoreBackup"];
/** After all others, for they take away what the others need. */
const LAST: readonly string[] = [
  "undoImport",
  "archiveCampaign",
  "resetSandbox",
  "startSandboxDemo",
];

/** What makes things comes first, then reads; what removes comes last, parts before the whole. */
export function operations(): Operation[] {
  const all = (Object.keys(PLACES) as (keyof typeof PLACES)[])
    .filter((id) => !LEFT_OUT.includes(id))
    .map((id) => {
      const [method = "", path = ""] = PLACES[id].split(" ");
      return { id, name: `${method} ${path}`, method, path };
    });
  const rank = ({ id, method, path }: Operation) => {
    if (method === "GET") {
      return 1;
    }
    const isMaker = method === "POST" && !path.includes("{");
    return LAST.includes(id) ? 4 + LAST.indexOf(id) : method === "DELETE" ? 3 : isMaker ? 0 : 2;
  };
  const depth = ({ method, path }: Operation) =>
    method === "DELETE" ? -path.split("/").length : 0;
  return all.toSorted((a, b) => rank(a) - rank(b) || depth(a) - depth(b));
}

/** Queries that ask for as much as there may be. */
const QUERIES: Readonly<Record<string, string>> = {
  "GET /campaigns/{id}/forecast": "?days=31",
  "GET /campaigns/{id}/leads": "?limit=100&status=pending",
  "GET /leads": "?limit=100&search=company%20graz",
  "GET /experiments/plan": "?leads=2000",
  "GET /suppressions/check": "?email=ann%40example.com",
  "GET /imports/{id}/lines": "?format=csv",
};
const LIST_MAX = "?limit=100";

/** Fields of a body that name something, and the collection it stands in. */
const NAMES: Readonly<Record<string, string>> = {
  campaign_id: "/campaigns",
  lead_id: "/leads",
  lead_ids: "/campaigns/{id}/leads",
  enrollment_id: "/campaigns/{id}/leads",
  account_ids: "/accounts",
  seed_ids: "/placement/seeds",
};
const NOBODY = "01900000-0000-7000-8000-000000000000";

/** Requests to one team. `ids`: of something in each collection, by its path in the document. */
export async function requester(
  ids: Map<string, string>,
  bodies: Readonly<Record<string, object>>,
) {
  const examples = await readExamples();
  const idIn = (collection: string) => ids.get(collection) ?? NOBODY;

  const pathOf = ({ id, name, path, method }: Operation): string => {
    const parts = path.split("/");
    const filled = parts.map((part, at) =>
      part.startsWith("{") ? idIn(parts.slice(0, at).join("/")) : part,
    );
    const isPaged = JSON.stringify(examples[id]?.responses[200] ?? null).includes("next_cursor");
    const query = QUERIES[name] ?? (isPaged && method === "GET" ? LIST_MAX : "");
    return filled.join("/") + query;
  };
  const bodyOf = ({ id, name, path }: Operation): { type: string; text: string } | undefined => {
    const own = bodies[name];
    const [type, example] = own
      ? ["application/json", own]
      : (Object.entries(examples[id]?.body ?? {})[0] ?? []);
    if (type === undefined) {
      return undefined;
    }
    const named = (value: unknown, key: string) => {
      // What is tagged stands in the collection that the tags are of.
      const collection = key === "ids" ? path.replace(/\/tags$/, "") : NAMES[key];
      return collection === undefined || own
        ? value
        : Array.isArray(value)
          ? [idIn(collection)]
          : idIn(collection);
    };
    const text =
      typeof example === "string"
        ? example
        : JSON.stringify(example, (key, value) => named(value, key));
    return { type, text };
  };
  return { pathOf, bodyOf };
}

/** Finds something in each collection that can be listed. */
export async function collectIds(call: Call, ids: Map<string, string>): Promise<void> {
  for (const { method, path } of operations()) {
    const isFlat = !path.includes("{") || path.startsWith("/campaigns/{id}/");
    if (method !== "GET" || !isFlat || path.endsWith("}") || path.includes("{leadId}")) {
      continue;
    }
    const filled = path.replace("{id}", ids.get("/campaigns") ?? NOBODY);
    if (filled.includes("{") || /stream|exports/.test(path)) {
      continue;
    }
    const { status, body } = await call("GET", filled);
    const id = status === 200 ? body?.data?.[0]?.id : undefined;
    if (typeof id === "string" && !ids.has(path)) {
      ids.set(path, id);
    }
  }
  const thread = await call("GET", `/inbox/threads/${ids.get("/inbox/threads")}`);
  ids.set("/messages", thread.body.messages?.at(-1)?.id ?? NOBODY);
}
