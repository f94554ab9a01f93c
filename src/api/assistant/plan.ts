/** What an assistant is shown before email goes out, and what its confirmation is bound to. */

import type { Values } from "./types.ts";

export interface Plan {
  /** A sentence: what would be done. */
  action: string;
  /** Mailboxes. */
  from: readonly string[];
  /** Addresses, or whom they stand for. */
  to: readonly string[];
  /** Null where it isn't known. */
  emails: number | null;
  firstAt: string | null;
  lastAt: string | null;
  subject: string | null;
  text: string | null;
  /** What stands in the way of it, or needs a look. */
  warnings: readonly string[];
}

const TEXT_OR_NULL = ["string", "null"];
const TEXTS = { type: "array", items: { type: "string" } };

export const PLAN_SCHEMA = {
  type: "object",
  description: "What would happen. Show it to a person; nothing is done yet",
  properties: {
    action: { type: "string" },
    from: { ...TEXTS, description: "Mailboxes that would send" },
    to: { ...TEXTS, description: "Who would get email" },
    emails: {
      type: ["integer", "null"],
      description: "Emails of the next 30 days, by the forecast; null when unknown",
    },
    first_at: { type: TEXT_OR_NULL, description: "When the first email would be sent" },
    last_at: { type: TEXT_OR_NULL, description: "When the last email of these days would be sent" },
    subject: { type: TEXT_OR_NULL },
    text: { type: TEXT_OR_NULL },
    warnings: { ...TEXTS, description: "What is in the way, or needs attention" },
  },
  required: [
    ...["action", "from", "to", "emails", "first_at", "last_at", "subject", "text", "warnings"],
  ],
};

export function presentPlan({ firstAt, lastAt, ...plan }: Plan): Record<string, unknown> {
  return { ...plan, first_at: firstAt, last_at: lastAt };
}

/**
 * What a confirmation stands for: who asks for what, and what was shown. Times and the forecast move while
 * a person reads the plan; whatever else is different by then needs a new look.
 */
export function boundText(who: string, operation: string, input: Values, plan: Plan): string {
  const { emails: _emails, firstAt: _first, lastAt: _last, ...shown } = plan;
  return JSON.stringify([who, operation, ordered(input), ordered(shown)]);
}

/** With the keys of objects in order, so that equal values are equal text. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(ordered);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, ordered(one)]));
}
