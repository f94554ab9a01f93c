/** Where a mailbox's test emails land, and whether that got worse: one line a provider. */

import { Spark } from "../../charts/spark.tsx";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { percent } from "../../lib/format.ts";
import { Card } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { providerName } from "./words.ts";

export function Placement({ id }: { id: string }) {
  const { value } = useData(() => api().getAccountPlacement({ id }), ["placement"]);
  if (value === undefined || value.providers.length === 0) {
    return null;
  }
  return (
    <Card flush title="Placement" note={value.message}>
      <Table
        label="Test emails in the inbox"
        rows={value.providers.map((row) => ({ ...row, id: row.provider }))}
        columns={[
          {
            title: "Seeds at",
            cell: ({ provider, verdict, message }) => (
              <>
                {providerName(provider)}
                <p class={`small ${verdict === "drop" ? "fault" : "quiet"}`}>{message}</p>
              </>
            ),
          },
          {
            title: "Inbox",
            cell: ({ rate, rate_low, rate_high }) => (
              <>
                <strong>{percent(rate)}</strong>{" "}
                <span class="faint">
                  {percent(rate_low)} to {percent(rate_high)}
                </span>
              </>
            ),
          },
          {
            title: "By week",
            cell: ({ provider, weeks }) => (
              <Spark
                said={`In the inbox at ${providerName(provider)} by week: ${weeks.map(({ rate }) => percent(rate)).join(", ")}`}
                values={weeks.map(({ rate }) => rate)}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}
