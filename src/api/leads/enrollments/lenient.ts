/** `strict: false`: malformed items of a request become errors of their own, and refuse nothing else. */

import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { faultsOf } from "#api/explain.ts";
import { LEADS_PER_IMPORT_MAX } from "#domain/leads/lead.ts";
import { ImportLead } from "./schema.ts";

/** An item that was taken out of the body before it was validated. */
export interface Malformed {
  email: string;
  reason: "invalid_item";
  /** Beyond the first hundred, neither is said. */
  field?: string;
  message?: string;
}

/** To explain an item takes ten times as long as to check it. */
const EXPLAINED_MAX = 100;
const ADDRESS_SHOWN_MAX = 320;

const item = TypeCompiler.Compile<TSchema>(ImportLead);
const found = new WeakMap<Request, Malformed[]>();

/** For the hook that runs before a body is validated, where the body says `strict: false`. */
export function takeOutMalformed({ body, request }: { body: unknown; request: Request }): void {
  if (!hasLeads(body)) {
    return;
  }
  const malformed: Malformed[] = [];
  body.leads = body.leads.filter((lead) => {
    if (item.Check(lead)) {
      return true;
    }
    malformed.push(describe(lead, malformed.length < EXPLAINED_MAX));
    return false;
  });
  found.set(request, malformed);
}

export function malformedOf(request: Request): Malformed[] {
  return found.get(request) ?? [];
}

function hasLeads(body: unknown): body is { leads: unknown[] } {
  const { leads } = Object(body) as Record<string, unknown>;
  return Array.isArray(leads) && leads.length <= LEADS_PER_IMPORT_MAX;
}

function describe(lead: unknown, isExplained: boolean): Malformed {
  const { email } = Object(lead) as Record<string, unknown>;
  const address = typeof email === "string" ? email.slice(0, ADDRESS_SHOWN_MAX) : "";
  const row = { email: address, reason: "invalid_item" } as const;
  const [fault] = isExplained ? faultsOf(item.Errors(lead)) : [];
  if (fault === undefined) {
    return row;
  }
  const { field, message } = fault;
  return { ...row, message, ...(field === null ? {} : { field }) };
}
