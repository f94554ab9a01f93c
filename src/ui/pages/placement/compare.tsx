/** Two runs side by side: by provider, and the tests that ended elsewhere. */

import type { PlacementRunCreated } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { dateTime, NONE, percent, plural } from "../../lib/format.ts";
import { Loaded } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { providerName } from "../accounts/words.ts";
import { PLACES, placeOf } from "./words.ts";

const MOVED_MAX = 50;

export function Compare({ run, otherId }: { run: PlacementRunCreated; otherId: string }) {
  const other = useData(() => api().getPlacementRun({ id: otherId }));
  return <Loaded data={other}>{(before) => <Both run={run} before={before} />}</Loaded>;
}

function Both({ run, before }: { run: PlacementRunCreated; before: PlacementRunCreated }) {
  const providers = [
    ...new Set([...Object.keys(before.by_provider), ...Object.keys(run.by_provider)]),
  ].sort();
  const moved = movedOf(run, before);
  return (
    <div class="stack">
      <Table
        label="Placement by provider in both runs"
        rows={["", ...providers].map((provider) => ({
          id: provider,
          was: provider === "" ? rateOf(before) : before.by_provider[provider]?.rate,
          is: provider === "" ? rateOf(run) : run.by_provider[provider]?.rate,
        }))}
        columns={[
          { title: "Provider", cell: ({ id }) => (id === "" ? "All" : providerName(id)) },
          { title: dateTime(before.created_at), cell: ({ was }) => percent(was), isFigure: true },
          { title: "This run", cell: ({ is }) => percent(is), isFigure: true },
          { title: "Change", cell: ({ was, is }) => <Change was={was} is={is} />, isFigure: true },
        ]}
      />
      <p class="quiet">
        {moved.length === 0
          ? "No result changed between the two runs."
          : `${plural(moved.length, "result")} changed between the two runs:`}
      </p>
      <ul class="plain-list small">
        {moved.slice(0, MOVED_MAX).map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

function rateOf(run: PlacementRunCreated): number | undefined {
  return run.total_tests - run.pending_count === 0 ? undefined : run.inbox_rate;
}

function Change({ was, is }: { was: number | undefined; is: number | undefined }) {
  if (was === undefined || is === undefined) {
    return <>{NONE}</>;
  }
  const points = Math.round((is - was) * 100);
  if (points === 0) {
    return <span class="quiet">no change</span>;
  }
  return (
    <span class="change" data-tone={points > 0 ? "good" : "bad"}>
      {points > 0 ? "▲" : "▼"} {Math.abs(points)} points
    </span>
  );
}

function movedOf(
  run: PlacementRunCreated,
  before: PlacementRunCreated,
): { key: string; text: string }[] {
  const keyOf = (result: PlacementRunCreated["results"][number]) =>
    `${result.account_id} ${result.seed_id}`;
  const was = new Map(before.results.map((result) => [keyOf(result), placeOf(result)]));
  return run.results.flatMap((result) => {
    const [from, now] = [was.get(keyOf(result)), placeOf(result)];
    return from === undefined || from === now
      ? []
      : [
          {
            key: keyOf(result),
            text: `${result.account_email} → ${result.seed_email}: ${PLACES[from].name} before, ${PLACES[now].name} now`,
          },
        ];
  });
}
