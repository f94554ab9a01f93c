/** Whether the activity log is whole, and all of it as a file that can be checked elsewhere. */

import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count } from "../../lib/format.ts";
import { env } from "../../lib/route.ts";

/** Checked each time the page is opened; an export has all. */
const NEWEST = 1_000;

export function AuditChain() {
  const { value } = useData(
    () => api().getAuditChain({ entries: NEWEST }),
    ["campaign", "account"],
  );
  if (value === undefined) {
    return null;
  }
  const { intact, fault, checked, head } = value;
  return (
    <p class="quiet small row-actions start long-foot">
      {intact ? (
        <span>
          {head === null
            ? "Not protected yet."
            : `Unchanged: ${count(checked)} newest entries checked.`}
        </span>
      ) : (
        <strong role="alert">
          Tampered with or damaged at entry {fault?.position ?? fault?.seq}. Compare with an earlier
          export.
        </strong>
      )}
      <a href={`/${env.value}/api/v1/exports/audit?format=ndjson`} download="audit.ndjson">
        Export with hashes
      </a>
    </p>
  );
}
