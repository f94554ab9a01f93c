/** When a conversation comes back, and who takes care of it. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { api } from "../../lib/api.ts";
import { now } from "../../lib/clock.ts";
import { useData } from "../../lib/data.ts";
import { dateTime } from "../../lib/format.ts";
import { session } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { bound } from "../../parts/form/form.tsx";
import type { Patch } from "./data.ts";

const MORNING = 8;
const HOUR_MS = 3_600_000;

/** Times at which people look again, from `from` on in the browser's zone, each with its words. */
export function laterThan(from: number): readonly (readonly [words: string, at: Date])[] {
  const morning = (days: number) => {
    const at = new Date(from);
    at.setDate(at.getDate() + days);
    at.setHours(MORNING, 0, 0, 0);
    return at;
  };
  const toMonday = (8 - new Date(from).getDay()) % 7 || 7;
  return [
    ["In 3 hours", new Date(from + 3 * HOUR_MS)],
    ["Tomorrow morning", morning(1)],
    ["Next Monday", morning(toMonday)],
    ["In 2 weeks", morning(14)],
    ["In a month", morning(30)],
  ];
}

/** `then` hears the change and what to say once it is made. */
type Then = (patch: Patch, done: string) => void;

export function Snooze({ until, then }: { until: string | null; then: Then }) {
  const isPicking = useSignal(false);
  const picked = useSignal("");
  const put = (at: Date) =>
    then(
      { snoozed_until: at.toISOString(), read: true },
      `Snoozed until ${dateTime(at.toISOString())}`,
    );
  if (until !== null) {
    return (
      <Fixed label="Snoozed until" value={dateTime(until)}>
        <Button look="compact" onClick={() => then({ snoozed_until: null }, "Back in the inbox")}>
          End snooze
        </Button>
      </Fixed>
    );
  }
  const times = laterThan(now.value);
  return (
    <>
      <label class="field">
        <span class="label">Snooze</span>
        <select
          class="input"
          value=""
          onChange={({ currentTarget }) => {
            const time = times[Number(currentTarget.value)];
            isPicking.value = currentTarget.value === "pick";
            currentTarget.value = "";
            if (time !== undefined) {
              put(time[1]);
            }
          }}
        >
          <option value="">Not snoozed</option>
          {times.map(([words, at], index) => (
            <option key={words} value={index}>
              {words} · {dateTime(at.toISOString())}
            </option>
          ))}
          <option value="pick">Pick a time…</option>
        </select>
      </label>
      {isPicking.value && (
        <form
          class="actions"
          onSubmit={(event) => {
            event.preventDefault();
            isPicking.value = false;
            put(new Date(picked.value));
          }}
        >
          <input
            class="input"
            type="datetime-local"
            aria-label="Snooze until"
            required
            min={localInput(now.value)}
            {...bound(picked)}
          />
          <button type="submit" class="button compact">
            Snooze
          </button>
        </form>
      )}
    </>
  );
}

/** As a field for a local time wants it. */
function localInput(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

function Fixed(props: { label: string; value: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <span class="label">{props.label}</span>
      <div class="actions">
        {props.value} {props.children}
      </div>
    </div>
  );
}

/** Members whom a conversation may be given to; none where the reader may not see them. */
export function useMembers() {
  const members = useData(() =>
    api()
      .listTeamMembers({ limit: 100 })
      .catch(() => ({ data: [] })),
  );
  return members.value?.data ?? [];
}

const KEEP = "keep";

/** `of` is undefined for several conversations, whoever takes care of each. */
export function Assignee({ of, then }: { of: string | null | undefined; then: Then }) {
  const members = useMembers();
  const me = session.value?.user.id;
  const isKnown = !of || members.some(({ id }) => id === of);
  return (
    <label class="field">
      <span class="label">Assigned to</span>
      <select
        class="input"
        value={of === undefined ? KEEP : (of ?? "")}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          const who = members.find(({ id }) => id === value);
          then(
            { assignee_id: value === "" ? null : value },
            who === undefined ? "Assigned to no one" : `Assigned to ${who.name || who.email}`,
          );
        }}
      >
        {of === undefined && <option value={KEEP}>As they are</option>}
        <option value="">No one</option>
        {!isKnown && <option value={of ?? ""}>Former member</option>}
        {members.map(({ id, name, email }) => (
          <option key={id} value={id}>
            {name || email}
            {id === me && " (you)"}
          </option>
        ))}
      </select>
    </label>
  );
}
