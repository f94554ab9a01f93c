/** Filters by where leads stand in a campaign, kept in the address. */

import { ENROLLMENT_STATUSES, INTERESTS } from "#domain/campaigns/enrollment.ts";
import { words } from "../../lib/format.ts";
import { filter } from "../../lib/route.ts";
import { FilterPick } from "../../parts/form/pick.tsx";
import { LEAD_STATUSES } from "../campaigns/words.ts";

/** As the API takes them; what the address has and is none is left out. */
export function standing() {
  const status = ENROLLMENT_STATUSES.find((name) => name === filter("status"));
  const interest = INTERESTS.find((name) => name === filter("interest"));
  return {
    ...(status === undefined ? {} : { status }),
    ...(interest === undefined ? {} : { interest }),
  };
}

interface Changes {
  onChange?: () => void;
}

export function StatusPick(props: Changes) {
  return (
    <FilterPick
      {...props}
      label="Status"
      isBare
      name="status"
      any="Any status"
      options={ENROLLMENT_STATUSES.map((name) => [name, LEAD_STATUSES[name].name])}
    />
  );
}

export function InterestPick(props: Changes) {
  return (
    <FilterPick
      {...props}
      label="Interest"
      isBare
      name="interest"
      any="Any interest"
      options={INTERESTS.map((name) => [name, words(name)])}
    />
  );
}
