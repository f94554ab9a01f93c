/**
 * Views of a team's leads: a filter, an order and columns under a name. Source: ours.
 */

/** Columns of a list of leads; a variable of the lead is `variables.<name>`. */
export const LEAD_COLUMNS = [
  "name",
  "company",
  "website",
  "phone",
  "timezone",
  "tags",
  "status",
  "campaign",
  "interest",
  "last_sent",
  "created",
] as const;
export type LeadColumnName = (typeof LEAD_COLUMNS)[number];

export const VARIABLE_COLUMN = "variables.";

export const LEAD_SORTS = ["-created", "created", "email", "-email"] as const;
export type LeadSort = (typeof LEAD_SORTS)[number];

export const VIEW_NAME_CHARS_MAX = 60;
export const VIEW_COLUMNS_MAX = 30;
/** Of a team; with one's own they fit one page of the list. */
export const SHARED_VIEWS_MAX = 50;
/** Of each person or key. */
export const PERSONAL_VIEWS_MAX = 50;

export function isLeadColumn(name: string): boolean {
  return name.startsWith(VARIABLE_COLUMN)
    ? name.length > VARIABLE_COLUMN.length
    : LEAD_COLUMNS.some((one) => one === name);
}
