/** Who did something: the audit log's word for it, as people are called. */

import { api } from "./api.ts";
import { dateTime, words } from "./format.ts";
import { can } from "./session.ts";

/** Of those whom the reader may not see by name. */
export function actorName(actor: string): string {
  const [kind = "", id = ""] = actor.split(":");
  const known: Readonly<Record<string, string>> = {
    engine: "Outrider",
    operator: "Command line",
  };
  return known[actor] ?? `${words(kind)} …${id.slice(-6)}`;
}

/** Keys and members by their names, as far as the reader may see them. */
export async function namesOfActors(): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const [keys, members] = await Promise.all([
    can("keys:read") ? api().listKeys({ limit: 100 }) : undefined,
    api()
      .listTeamMembers({ limit: 100 })
      .catch(() => undefined),
  ]);
  for (const { id, name, email } of members?.data ?? []) {
    names.set(`user:${id}`, name || email);
  }
  for (const { id, name } of keys?.data ?? []) {
    names.set(`key:${id}`, `API key ${name}`);
  }
  return names;
}

/** "Ann changed it on 3 Mar, 14:05", of what the audit log calls `target`: `step:0198…`. */
export async function lastToChange(target: string): Promise<string> {
  const page = await api()
    .listAudit({ target, limit: 1 })
    .catch(() => undefined);
  const entry = page?.data[0];
  const who = entry?.actor_name ?? "Someone else";
  return `${who} changed it${entry === undefined ? "" : ` on ${dateTime(entry.created_at)}`}`;
}
