/** How each variant does against the first one at each provider, from each mailbox, or in each country. */

import { useSignal } from "@preact/signals";
import type { ExperimentDetail } from "#client.ts";
import { boundsOf, liftOf } from "../../charts/forest.tsx";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, words } from "../../lib/format.ts";
import { Fold } from "../../parts/fold.tsx";
import { useSubmission } from "../../parts/form/form.tsx";
import { Select } from "../../parts/form/input.tsx";
import { Loaded } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { clipped } from "./words.ts";

/** Of a variant in a column's head. */
const NAME_MAX = 18;

const KEYS = [
  ["provider", "Provider"],
  ["mailbox", "Mailbox"],
  ["country", "Country"],
] as const;

/** Segments whose key isn't what people call it. */
const NAMES: Readonly<Record<string, string>> = { custom: "Other", none: "Unknown" };

export function Segments({ detail }: { detail: ExperimentDetail }) {
  const isOpened = useSignal(false);
  // Its shares change daily, so that its segments would mislead.
  return detail.optimization_mode === "thompson_sampling" ? null : (
    <Fold
      title="Where it works"
      isScreenOnly={!isOpened.value}
      onOpen={() => {
        isOpened.value = true;
      }}
    >
      {isOpened.value && <Places detail={detail} />}
    </Fold>
  );
}

function Places({ detail: { id, variants } }: { detail: ExperimentDetail }) {
  const by = useSignal("provider");
  const form = useSubmission();
  const data = useData(async () => {
    const [{ segments }, accounts] = await Promise.all([
      api().getExperimentResults({ id, segment_by: by.value }),
      by.value === "mailbox"
        ? api()
            .listAccounts({})
            .catch(() => null)
        : null,
    ]);
    const names = new Map(accounts?.data.map((account) => [account.id, account.email]));
    return (
      segments && {
        ...segments,
        nameOf: (segment: string) => names.get(segment) ?? NAMES[segment] ?? words(segment),
      }
    );
  });
  const variantOf = (wanted: string) =>
    variants.find((variant) => variant.id === wanted)?.name ?? "";
  return (
    <>
      <Select
        label="Compare by"
        name="segment_by"
        of={form}
        value={by.value}
        options={KEYS}
        onPick={(key) => {
          by.value = key;
        }}
      />
      <Loaded data={data}>
        {(found) =>
          found === null || found.segments.length === 0 ? (
            <p class="quiet">No emails have been sent yet.</p>
          ) : (
            <div class="stack">
              {found.sentence && <p>{found.sentence}</p>}
              <Table
                label="Where it works"
                isCards
                rows={found.segments.flatMap(({ segment, leads, lifts }) =>
                  lifts.map((lift) => ({
                    ...lift,
                    segment,
                    leads,
                    id: segment + lift.variant_b_id,
                  })),
                )}
                columns={[
                  {
                    title: KEYS.find(([key]) => key === found.by)?.[1] ?? "",
                    cell: (row) => found.nameOf(row.segment),
                  },
                  { title: "Leads", cell: ({ leads }) => count(leads), isFigure: true },
                  { title: "Variant", cell: (row) => variantOf(row.variant_b_id) },
                  {
                    title: `Lift over ${clipped(variantOf(found.segments[0]?.lifts[0]?.variant_a_id ?? ""), NAME_MAX)}`,
                    cell: (row) => liftOf(row.lift_ratio),
                    isFigure: true,
                  },
                  {
                    title: "Range",
                    cell: (row) => boundsOf(row.lift_ratio_low, row.lift_ratio_high),
                    isFigure: true,
                  },
                  {
                    title: "Difference",
                    cell: (row) => (row.p_value <= 0.05 ? "Shown" : "Not shown"),
                  },
                ]}
              />
              <p class="quiet small">
                The more places, the more of them look special by chance. These ranges are wider for
                it: even the most striking one is 95% certain once the experiment has ended.
              </p>
            </div>
          )
        }
      </Loaded>
    </>
  );
}
