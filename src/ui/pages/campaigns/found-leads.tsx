/** Leads that the team has, into a campaign: those of a saved view, or with a tag. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, plural } from "../../lib/format.ts";
import { Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { optionsOf } from "../../parts/form/pick.tsx";
import { Card } from "../../parts/page.tsx";
import { sayDone } from "../../parts/toasts.tsx";
import { reasonWords } from "../leads/import-outcome.tsx";
import { loadViews } from "../leads/views.tsx";

/** What a filter is told that stands for a tag; a view is an id. */
const TAG = "tag:";

export function FoundLeads({ id }: { id: string }) {
  const views = useData(loadViews);
  const tags = useData(() => api().listLeadTags({}));
  const wanted = useSignal("");
  const added = useSignal<number | undefined>(undefined);
  const form = useSubmission();
  const groups = [
    ["Saved views", (views.value?.data ?? []).map((view) => [view.id, view.name] as const)],
    ["Tags", (tags.value?.names ?? []).map((name) => [TAG + name, name] as const)],
  ] as const;
  if (groups.every(([, options]) => options.length === 0)) {
    return null;
  }
  const add = async () => {
    added.value = 0;
    try {
      await addAll(id, wanted.peek(), (imported) => (added.value = imported));
    } finally {
      added.value = undefined;
    }
  };
  return (
    <Card title="Leads you already have">
      <Form onSend={() => form.submit(add)}>
        <label class="field">
          <span class="label">Saved view or tag</span>
          <select
            class="input"
            value={wanted.value}
            onChange={({ currentTarget }) => (wanted.value = currentTarget.value)}
          >
            <option value="">Select a view or tag</option>
            {groups.map(
              ([name, options]) =>
                options.length > 0 && (
                  <optgroup key={name} label={name}>
                    {optionsOf(options)}
                  </optgroup>
                ),
            )}
          </select>
        </label>
        <FormFault of={form} fields={[]} />
        <div class="actions">
          <Submit of={form} look="" isOff={wanted.value === ""}>
            {form.isBusy ? "Adding…" : "Add its leads"}
          </Submit>
          <span class="small quiet" role="status">
            {added.value !== undefined &&
              `${count(added.value)} added so far. Keep this page open.`}
          </span>
        </div>
      </Form>
    </Card>
  );
}

/** Page by page; whoever is in the campaign already is skipped, so it may be done again. */
async function addAll(id: string, wanted: string, onMore: (imported: number) => void) {
  const which = wanted.startsWith(TAG)
    ? { filter: `tag="${wanted.slice(TAG.length).replaceAll(/["\\]/g, "\\$&")}"` }
    : { view_id: wanted };
  let after: string | null = null;
  let imported = 0;
  const skipped = new Map<string, number>();
  let warning: string | null = null;
  do {
    const body = { ...which, ...(after === null ? {} : { after }) };
    const page: Awaited<ReturnType<ReturnType<typeof api>["enrollCampaignLeads"]>> =
      await api().enrollCampaignLeads({ id, body });
    for (const { reason } of [...page.skipped_details, ...page.errors]) {
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    }
    imported += page.imported;
    warning ??= page.warning;
    after = page.next_cursor;
    onMore(imported);
  } while (after !== null);
  const why = [...skipped].map(([reason, n]) => `${count(n)} ${reasonWords(reason)}`).join(", ");
  sayDone(`${plural(imported, "lead")} added${why === "" ? "" : `; not added: ${why}`}`, warning);
}
