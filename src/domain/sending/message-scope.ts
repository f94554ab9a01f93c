/** The names that a template may use, and their values for one lead and one sender. */

import { LEAD_FIELDS, type LeadVariables } from "#domain/leads/lead.ts";
import { htmlToText } from "./plain-text.ts";
import type { TemplateScope, TemplateValue } from "./template.ts";
import { TrustedHtml } from "./template-engine.ts";
import { isHtml, textToHtml } from "./text-to-html.ts";

export interface ScopeInput {
  lead: {
    email: string;
    /** Values of `LEAD_FIELDS`; null, absent and blank are the same. */
    fields: Readonly<Partial<Record<(typeof LEAD_FIELDS)[number], string | null>>>;
    variables: LeadVariables;
  };
  sender: {
    email: string;
    /** Display name; may be empty. */
    name: string;
    /** Plain text or HTML; may be empty. */
    signature: string;
  };
  /** May hold several lines; may be empty. */
  postalAddress: string;
  /** `mailto` is a whole `mailto:` URL, used where there is no public https address. */
  unsubscribe: { https: string | null; mailto: string };
}

export type MessageScope = TemplateScope;

const SENDER_FIELDS = ["email", "name", "first_name", "last_name"] as const;
const SENDER_NAMES = SENDER_FIELDS.map((field) => `sender.${field}`);
const EXTRA_FIELDS = ["signature", "unsubscribe_url", "postal_address"] as const;

/** Every name that a template knows beside a lead's own variables. */
export const TEMPLATE_FIELDS: readonly string[] = [
  "email",
  ...LEAD_FIELDS,
  ...SENDER_NAMES,
  ...EXTRA_FIELDS,
];

/** Names that no variable of a lead can take, whether or not the field has a value. */
const RESERVED: ReadonlySet<string> = new Set(["email", ...LEAD_FIELDS, "sender", ...EXTRA_FIELDS]);

/** True when a variable of this name would never be seen. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(name);
}

/**
 * Blank values are left out, so that they count as missing and `{% if company %}` is false for them.
 * Only an empty signature is a value: a sender may have none.
 */
export function scopeOf(input: ScopeInput, format: "html" | "none"): MessageScope {
  const { lead, sender } = input;
  const entries: [string, TemplateValue][] = [];
  // What comes later wins: no variable takes the name of a field, not even of a blank one.
  for (const [name, value] of Object.entries(lead.variables)) {
    entries.push([name, presentOrNull(value)]);
  }
  for (const field of LEAD_FIELDS) {
    entries.push([field, presentOrNull(lead.fields[field] ?? null)]);
  }
  const name = sender.name.trim();
  const [firstName = "", ...otherNames] = name.split(/\s+/);
  return {
    ...Object.fromEntries(entries),
    email: lead.email,
    sender: {
      email: sender.email,
      name: presentOrNull(name),
      first_name: presentOrNull(firstName),
      last_name: presentOrNull(otherNames.join(" ")),
    },
    signature: inFormat(sender.signature, format),
    unsubscribe_url: input.unsubscribe.https ?? input.unsubscribe.mailto,
    postal_address: presentOrNull(input.postalAddress),
  };
}

function presentOrNull(value: string | number | boolean | null): string | number | boolean | null {
  const trimmed = typeof value === "string" ? value.trim() : value;
  return trimmed === "" ? null : trimmed;
}

/** A signature goes into a body of the other kind as what it looks like there. */
function inFormat(signature: string, format: "html" | "none"): TemplateValue {
  const trimmed = signature.trim();
  if (format === "html") {
    return new TrustedHtml(isHtml(trimmed) || trimmed === "" ? trimmed : textToHtml(trimmed));
  }
  return isHtml(trimmed) ? htmlToText(trimmed, { links: "keep" }).trim() : trimmed;
}
