/** Views of the leads: a search, filters and columns under a name, kept in the browser. */

import { signal, useSignal } from "@preact/signals";
import { go, to } from "../../lib/route.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toasts.tsx";
import { showColumns, shownColumns } from "./columns.tsx";

interface View {
  name: string;
  /** As in the address, from its question mark on. */
  search: string;
  columns: readonly string[];
}

const KEPT = "outrider-lead-views";
const VIEWS_MAX = 50;

const views = signal<readonly View[]>(kept());

function kept(): View[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(found) ? (found as View[]) : [];
  } catch {
    return [];
  }
}

function keep(changed: readonly View[]): void {
  views.value = changed.slice(-VIEWS_MAX);
  localStorage.setItem(KEPT, JSON.stringify(views.value));
}

/** Without the lead that is open beside the list. */
function searchHere(): string {
  const here = new URLSearchParams(location.search);
  here.delete("lead");
  return here.size === 0 ? "" : `?${here}`;
}

export function Views() {
  const isNaming = useSignal(false);
  const all = views.value;
  const here = searchHere();
  const shown = all.findIndex(({ search }) => search === here);
  const open = (view: View | undefined) => {
    if (view !== undefined) {
      showColumns(view.columns);
    }
    go(`${to("leads")}${view?.search ?? ""}`);
  };
  return (
    <>
      {all.length > 0 && (
        <select
          class="input inline"
          aria-label="View"
          value={shown === -1 ? "" : String(shown)}
          onChange={({ currentTarget }) => open(all[Number(currentTarget.value || -1)])}
        >
          <option value="">All leads</option>
          {all.map(({ name }, at) => (
            <option key={name} value={at}>
              {name}
            </option>
          ))}
        </select>
      )}
      {shown === -1 ? (
        <Button look="compact" onClick={() => (isNaming.value = true)}>
          Save view
        </Button>
      ) : (
        <Button
          look="compact"
          onClick={() => {
            const gone = all[shown];
            keep(all.filter((_, at) => at !== shown));
            toast(`View ${gone?.name ?? ""} deleted`, { name: "Undo", run: () => keep(all) });
          }}
        >
          Delete view
        </Button>
      )}
      {isNaming.value && (
        <NameView
          onClose={() => (isNaming.value = false)}
          onName={(name) => {
            const others = all.filter((view) => view.name !== name);
            keep([...others, { name, search: here, columns: shownColumns.peek() }]);
            toast(`View ${name} saved in this browser`);
          }}
        />
      )}
    </>
  );
}

function NameView({ onName, onClose }: { onName: (name: string) => void; onClose: () => void }) {
  const name = useSignal("");
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onName(name.peek().trim());
          onClose();
        }}
      >
        <label class="field">
          <span class="label">Name</span>
          <input
            class="input"
            required
            maxLength={60}
            pattern=".*\S.*"
            value={name.value}
            onInput={({ currentTarget }) => (name.value = currentTarget.value)}
          />
        </label>
        <p class="small quiet">Keeps the search, the filters, and the columns, in this browser.</p>
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <button type="submit" class="button primary">
            Save view
          </button>
        </div>
      </form>
    </Dialog>
  );
}
