/** What the console completes is what the server's lists can be filtered by. */

import { expect, test } from "bun:test";
import { ACCOUNT_LIST, CAMPAIGN_LIST, LEAD_LIST } from "#store/filter/lists.ts";
import { FILTER_FIELDS } from "../../src/ui/lib/filter-fields.ts";

test.each([
  ["campaigns", CAMPAIGN_LIST],
  ["mailboxes", ACCOUNT_LIST],
  ["leads", LEAD_LIST],
] as const)("%s", (name, { fields }) => {
  expect<readonly string[]>(FILTER_FIELDS[name]).toEqual(Object.keys(fields));
});
