/** Views that this browser has kept from before they were on the server: offered to be saved there, once. */

import { useSignal } from "@preact/signals";
import { isLeadColumn, LEAD_SORTS, VIEW_NAME_CHARS_MAX } from "#domain/leads/view.ts";
import { messageOf } from "#domain/thrown.ts";
import { api } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/toasts.tsx";

const KEPT = "outrider-lead-views";

type Fields = Parameters<ReturnType<typeof api>["createLeadView"]>[0]["body"];

/** What is no view is left out. */
function kept(): Fields[] {
  let found: unknown;
  try {
    found = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    // No list of ours.
  }
  return Array.isArray(found) ? found.flatMap(viewOf) : [];
}

function viewOf(found: unknown): Fields[] {
  const { name, search, columns } = Object(found) as Record<string, unknown>;
  if (typeof name !== "string" || name.trim() === "") {
    return [];
  }
  const asked = new URLSearchParams(typeof search === "string" ? search : "");
  const also = ["status", "interest"].map((field) =>
    asked.has(field) ? `${field}:${asked.get(field)}` : "",
  );
  const names = (Array.isArray(columns) ? columns : []).map(String).filter(isLeadColumn);
  return [
    {
      name: name.trim().slice(0, VIEW_NAME_CHARS_MAX),
      filter: [asked.get("search"), ...also].filter(Boolean).join(" "),
      sort: LEAD_SORTS.find((sort) => sort === asked.get("sort")) ?? LEAD_SORTS[0],
      columns: [...new Set(names)],
    },
  ];
}

export function KeptViews(props: { taken: readonly { name: string }[]; onDone: () => void }) {
  const views = useSignal(kept());
  const isBusy = useSignal(false);
  const { length } = views.value;
  const forget = () => {
    localStorage.removeItem(KEPT);
    views.value = [];
  };
  const save = async () => {
    isBusy.value = true;
    const names = new Set(props.taken.map(({ name }) => name.toLowerCase()));
    const faults: string[] = [];
    for (const view of views.peek()) {
      const name = freeName(view.name, names);
      names.add(name.toLowerCase());
      await api()
        .createLeadView({ body: { ...view, name } })
        .catch((cause: unknown) => faults.push(`${view.name}: ${messageOf(cause)}`));
    }
    isBusy.value = false;
    props.onDone();
    if (faults.length === 0) {
      forget();
      toast(`${plural(length, "view")} saved`);
    } else {
      toast(`Not saved: ${faults.join("; ")}`);
    }
  };
  return length === 0 ? null : (
    <p class="small">
      {plural(length, "view")} kept in this browser only.{" "}
      <Button look="compact" disabled={isBusy.value} onClick={() => void save()}>
        Save to your account
      </Button>{" "}
      <Button look="plain compact" disabled={isBusy.value} onClick={forget}>
        Discard
      </Button>
    </p>
  );
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = name; ; number += 1) {
    if (!taken.has(free.toLowerCase())) {
      return free;
    }
    free = `${name.slice(0, VIEW_NAME_CHARS_MAX - 4)} ${number}`;
  }
}
