/** Views of the leads: filters, an order and columns under a name, one's own or the team's. */

import { signal, useSignal } from "@preact/signals";
import { LEAD_SORTS, VIEW_NAME_CHARS_MAX } from "#domain/leads/view.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { filter, go, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import {
  bound,
  Form,
  FormActions,
  FormFault,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { optionsOf } from "../../parts/form/pick.tsx";
import { toast, toastError, told } from "../../parts/toasts.tsx";
import { showColumns, shownColumns } from "./columns.tsx";
import { standing } from "./standing.tsx";
import { KeptViews } from "./views-kept.tsx";

/** As many as somebody can see. */
const LIMIT = 100;

export const loadViews = () => api().listLeadViews({ limit: LIMIT });
export type View = Awaited<ReturnType<typeof loadViews>>["data"][number];

/** What the address asks for, in the filter language. */
export function askedFor() {
  const { status, interest } = standing();
  const also = [status && `status:${status}`, interest && `interest:${interest}`];
  return {
    filter: [filter("search"), ...also].filter(Boolean).join(" "),
    sort: LEAD_SORTS.find((name) => name === filter("sort")) ?? LEAD_SORTS[0],
  };
}

/** The view that was opened last: several may have the same filter. */
const opened = signal("");

function openView(view: View | undefined): void {
  opened.value = view?.id ?? "";
  const asked = new URLSearchParams();
  if (view !== undefined) {
    showColumns(view.columns);
    if (view.filter !== "") {
      asked.set("search", view.filter);
    }
    if (view.sort !== LEAD_SORTS[0]) {
      asked.set("sort", view.sort);
    }
  }
  go(asked.size === 0 ? to("leads") : `${to("leads")}?${asked}`);
}

const mayChange = ({ shared }: View) => !shared || can("leads:write");

export function Views() {
  const views = useData(loadViews);
  const named = useSignal<View | "new" | undefined>(undefined);
  const all = views.value?.data ?? [];
  const here = askedFor();
  const fits = all.filter((view) => view.filter === here.filter && view.sort === here.sort);
  const shown = fits.find(({ id }) => id === opened.value) ?? fits[0];
  const changed = all.find((view) => view.id === opened.value && view !== shown);
  const update = async ({ id, name }: View) => {
    await told(
      api().patchLeadView({ id, body: { ...here, columns: [...shownColumns.peek()] } }),
      `View ${name} updated`,
    );
    views.reload();
  };
  return (
    <>
      {all.length > 0 && (
        <select
          class="input inline"
          aria-label="View"
          value={shown?.id ?? ""}
          onChange={({ currentTarget }) =>
            openView(all.find(({ id }) => id === currentTarget.value))
          }
        >
          <option value="">All leads</option>
          {[true, false].map((shared) => {
            const some = all.filter((view) => view.shared === shared);
            return (
              some.length > 0 && (
                <optgroup key={String(shared)} label={shared ? "Team" : "Yours"}>
                  {optionsOf(some.map(({ id, name }) => [id, name] as const))}
                </optgroup>
              )
            );
          })}
        </select>
      )}
      {shown === undefined && (
        <Button look="compact" onClick={() => (named.value = "new")}>
          Save view
        </Button>
      )}
      {changed && mayChange(changed) && (
        <Button look="compact" onClick={() => void update(changed)}>
          Update {changed.name}
        </Button>
      )}
      {shown && mayChange(shown) && (
        <Button look="compact" onClick={() => (named.value = shown)}>
          Edit view
        </Button>
      )}
      {named.value !== undefined && (
        <NameView
          view={named.value === "new" ? undefined : named.value}
          onDone={views.reload}
          onClose={() => (named.value = undefined)}
        />
      )}
      {views.value && <KeptViews taken={all} onDone={views.reload} />}
    </>
  );
}

function NameView(props: { view: View | undefined; onDone: () => void; onClose: () => void }) {
  const { view, onDone, onClose } = props;
  const name = useSignal(view?.name ?? "");
  const shared = useSignal(view?.shared ?? false);
  const of = useSubmission();
  const save = async () => {
    const words = { name: name.value, shared: shared.value };
    const columns = [...shownColumns.peek()];
    const saved = await (view === undefined
      ? api().createLeadView({ body: { ...words, ...askedFor(), columns } })
      : api().patchLeadView({ id: view.id, body: { ...words, columns } }));
    opened.value = saved.id;
    toast(`View ${saved.name} saved${saved.shared ? " for the team" : ""}`);
    onDone();
    onClose();
  };
  const remove = async (gone: View) => {
    const { name, filter, sort, columns, shared } = gone;
    onClose();
    await api().deleteLeadView({ id: gone.id });
    onDone();
    const again = () => api().createLeadView({ body: { name, filter, sort, columns, shared } });
    toast(`View ${name} deleted`, {
      name: "Undo",
      run: () => void told(again(), `View ${name} is back`).then(onDone),
    });
  };
  return (
    <Dialog title={view === undefined ? "Save this view" : "Edit view"} onClose={onClose}>
      <Form of={of} look="stack" onSend={() => of.submit(save)}>
        <TextField
          label="Name"
          name="name"
          of={of}
          hint="Keeps the search, the filters, the order, and the columns"
          maxLength={VIEW_NAME_CHARS_MAX}
          {...bound(name)}
        />
        {can("leads:write") && (
          <label class="choice">
            <input
              type="checkbox"
              checked={shared.value}
              onChange={({ currentTarget }) => (shared.value = currentTarget.checked)}
            />
            Share with the team
          </label>
        )}
        <FormFault of={of} fields={["name"]} />
        {view && (
          <Button look="danger compact" onClick={() => void remove(view).catch(toastError)}>
            Delete view
          </Button>
        )}
        <FormActions
          of={of}
          action={of.isBusy ? "Saving…" : "Save view"}
          isOff={name.value.trim() === ""}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
