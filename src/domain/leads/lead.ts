/** Leads: people, one record a team and address. */

/** A flat map; keys are template names. At most {@link VARIABLES_MAX} of them. */
export type LeadVariables = Readonly<Record<string, string | number | boolean>>;

export const VARIABLES_MAX = 200;
export const VARIABLE_NAME_MAX = 100;
export const VARIABLE_TEXT_MAX = 10_000;

/** The fields of a lead that an import or a PATCH may set beside the address. */
export const LEAD_FIELDS = [
  "first_name",
  "last_name",
  "company",
  "website",
  "phone",
  "timezone",
] as const;

export const LEADS_PER_IMPORT_MAX = 10_000;

export const SKIP_REASONS = [
  "already_enrolled",
  "duplicate_in_request",
  "suppressed",
  "suppressed_domain",
  "in_other_campaign",
  "placement_seed",
] as const;
/** Why a well-formed address was not enrolled. */
export type SkipReason = (typeof SKIP_REASONS)[number];

export const IMPORT_ERRORS = [
  "invalid_email",
  "variables_invalid",
  "timezone_invalid",
  "tags_invalid",
  "plan_limit",
] as const;
/** Why an item could not be used at all. */
export type ImportError = (typeof IMPORT_ERRORS)[number];

export const EXISTING_RULES = ["keep", "merge", "replace"] as const;
/**
 * What an import does to the record of an address that the team knows already. `keep`: nothing.
 * `merge`: what is given and not empty overwrites. `replace`: the record becomes what is given.
 */
export type ExistingRule = (typeof EXISTING_RULES)[number];

/** True for what a template finds nothing in. */
export function isBlank(value: string | number | boolean | null | undefined): boolean {
  return value === null || value === undefined || String(value).trim() === "";
}

export interface VariableFault {
  /** The variable at fault; null where there are too many. */
  name: string | null;
  message: string;
}

/**
 * `base` with the variables of `change`, where null takes one away (RFC 7396), or the first thing that is
 * wrong with them.
 */
export function mergeVariables(
  base: LeadVariables,
  change: Readonly<Record<string, unknown>>,
): { variables: LeadVariables } | { fault: VariableFault } {
  const names = Object.keys(change);
  if (names.length === 0) {
    return { variables: base };
  }
  const merged = new Map(Object.entries(base));
  for (const name of names) {
    const value = change[name];
    const message = faultOf(name, value);
    if (message !== null) {
      return { fault: { name, message } };
    }
    if (value === null) {
      merged.delete(name);
    } else {
      merged.set(name, value as string | number | boolean);
    }
  }
  if (merged.size > VARIABLES_MAX) {
    return { fault: { name: null, message: `must have at most ${VARIABLES_MAX} variables` } };
  }
  return { variables: Object.fromEntries(merged) };
}

function faultOf(name: string, value: unknown): string | null {
  if (name === "" || name.length > VARIABLE_NAME_MAX) {
    return `variable names must be 1 to ${VARIABLE_NAME_MAX} characters`;
  }
  switch (typeof value) {
    case "string":
      return value.length <= VARIABLE_TEXT_MAX
        ? null
        : `must be at most ${VARIABLE_TEXT_MAX} characters`;
    case "boolean":
      return null;
    case "number":
      return Number.isFinite(value) ? null : "must be a finite number";
    default:
      return value === null ? null : "must be a string, a number or a boolean";
  }
}
