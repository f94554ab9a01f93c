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
] as const;
/** Why a well-formed address was not enrolled. */
export type SkipReason = (typeof SKIP_REASONS)[number];

export const IMPORT_ERRORS = ["invalid_email", "variables_invalid"] as const;
/** Why an item could not be used at all. */
export type ImportError = (typeof IMPORT_ERRORS)[number];
