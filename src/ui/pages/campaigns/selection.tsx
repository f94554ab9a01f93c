/** Leads that are chosen, one by one or all that the filters find, and what can be done with them. */

import { type Signal, useSignal } from "@preact/signals";
import { HOLD_REASONS } from "#domain/campaigns/enrollment.ts";
import { count, plural } from "../../lib/format.ts";
import { filter } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { sayDone, toastError } from "../../parts/toasts.tsx";
import { standing } from "../leads/standing.tsx";
import { changeAll } from "./bulk.ts";

type Action = "pause" | "resume" | "complete" | "remove";

/** The filters in the address, as the API takes them. */
export function filters() {
  const hold_reason = HOLD_REASONS.find((name) => name === filter("held"));
  return { ...standing(), ...(hold_reason === undefined ? {} : { hold_reason }) };
}

/** Ids of campaign leads; "all" is what the filters find, however many. */
export type Selected = ReadonlySet<string> | "all";

export function Choice({
  lead,
  selected,
}: {
  lead: { id: string; email: string };
  selected: Signal<Selected>;
}) {
  const isAll = selected.value === "all";
  return (
    <input
      type="checkbox"
      aria-label={`Select ${lead.email}`}
      checked={selected.value === "all" || selected.value.has(lead.id)}
      disabled={isAll}
      onChange={({ currentTarget }) => {
        if (selected.value !== "all") {
          const next = new Set(selected.value);
          next[currentTarget.checked ? "add" : "delete"](lead.id);
          selected.value = next;
        }
      }}
    />
  );
}

const ACTIONS: readonly { action: Action; name: string; did: string }[] = [
  { action: "pause", name: "Pause", did: "paused" },
  { action: "resume", name: "Resume", did: "resumed" },
  { action: "complete", name: "Finish", did: "finished" },
  { action: "remove", name: "Remove", did: "removed" },
];

const CONSEQUENCES: Readonly<Record<Action, string>> = {
  pause: "They get no emails until you resume them.",
  resume: "Paused leads continue where they left off.",
  complete: "Their sequences end. Replies still come in.",
  remove:
    "Leads who haven’t been emailed are removed as if they’d never been added. For the others, the sequence ends.",
};

export function Selection(props: {
  id: string;
  selected: Signal<Selected>;
  total: Signal<number | undefined>;
  /** There may be more than `total`. */
  isCapped: boolean;
  onDone: () => void;
}) {
  const { id, selected, total, isCapped, onDone } = props;
  const asked = useSignal<Action | undefined>(undefined);
  const progress = useSignal<number | undefined>(undefined);
  const all = total.value ?? 0;
  const size = selected.value === "all" ? all : selected.value.size;
  const canAll = filter("search") === "";
  const allWords = isCapped ? `${count(all)}+ leads` : plural(all, "lead");
  const words = selected.value === "all" ? allWords : plural(size, "lead");
  const run = (action: Action) => {
    const picked = selected.value;
    progress.value = 0;
    const those = picked === "all" ? { filter: filters() } : { lead_ids: [...picked] };
    changeAll(id, { action, ...those }, (done) => {
      progress.value = done;
    })
      .then(({ changed, skipped, warning }) => {
        const did = ACTIONS.find((one) => one.action === action)?.did ?? "changed";
        const rest = skipped === 0 ? "" : `, ${plural(skipped, "lead")} skipped`;
        sayDone(`${plural(changed, "lead")} ${did}${rest}`, warning);
      })
      .catch(toastError)
      .finally(() => {
        progress.value = undefined;
        onDone();
      });
  };
  return (
    <div class="selection small" role="status">
      <span>
        {progress.value !== undefined
          ? `${count(progress.value)} of ${words} processed…`
          : size === 0
            ? allWords
            : `${words} selected`}
      </span>
      {progress.value === undefined && all > 0 && can("leads:write") && (
        <>
          {selected.value !== "all" && canAll && (
            <Button
              look="compact plain"
              onClick={() => {
                selected.value = "all";
              }}
            >
              Select all {`${count(all)}${isCapped ? "+" : ""}`}
            </Button>
          )}
          {size > 0 && (
            <>
              {ACTIONS.map(({ action, name }) => (
                <button
                  key={action}
                  type="button"
                  class="button compact"
                  onClick={() => {
                    asked.value = action;
                  }}
                >
                  {name}
                </button>
              ))}
              <Button
                look="compact plain"
                onClick={() => {
                  selected.value = new Set();
                }}
              >
                Clear selection
              </Button>
            </>
          )}
        </>
      )}
      {asked.value !== undefined && (
        <Confirm
          title={`${ACTIONS.find(({ action }) => action === asked.value)?.name} ${words}?`}
          action={`${ACTIONS.find(({ action }) => action === asked.value)?.name} ${words}`}
          isDanger={asked.value === "remove" || asked.value === "complete"}
          onConfirm={() => {
            if (asked.value !== undefined) {
              run(asked.value);
            }
          }}
          onClose={() => {
            asked.value = undefined;
          }}
        >
          {CONSEQUENCES[asked.value]}
        </Confirm>
      )}
    </div>
  );
}
