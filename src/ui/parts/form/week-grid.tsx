/**
 * A week of hours, of which one block on some days is chosen: by dragging over it, or by arrow keys and
 * Space. Hours are of the wall in one time zone.
 */

import { useSignal } from "@preact/signals";
import { WEEKDAYS, type Weekday } from "#domain/campaigns/window.ts";
import { Scroll } from "../scroll.tsx";

export interface WeekBlock {
  days: readonly Weekday[];
  /** 0 to 23. */
  startHour: number;
  /** 1 to 24, exclusive. */
  endHour: number;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

const NAMES: Readonly<Record<Weekday, string>> = {
  monday: "Monday",
  tuesday: "Tuesday",
  wednesday: "Wednesday",
  thursday: "Thursday",
  friday: "Friday",
  saturday: "Saturday",
  sunday: "Sunday",
};

export function hourName(hour: number): string {
  return `${String(hour % 24).padStart(2, "0")}:00`;
}

/** "Monday to Friday, 09:00 to 17:00"; days that do not follow each other one by one. */
export function blockWords({ days, startHour, endHour }: WeekBlock): string {
  const places = WEEKDAYS.flatMap((day, place) => (days.includes(day) ? [place] : []));
  const isRow = places.every((place, at) => at === 0 || place === (places[at - 1] ?? 0) + 1);
  const nameAt = (place: number | undefined) => NAMES[WEEKDAYS[place ?? 0] ?? "monday"];
  const said =
    isRow && places.length > 2
      ? `${nameAt(places[0])} to ${nameAt(places.at(-1))}`
      : places.map(nameAt).join(", ");
  const hours =
    startHour === 0 && endHour === 24
      ? "all day"
      : `${hourName(startHour)} to ${endHour === 24 ? "24:00" : hourName(endHour)}`;
  return `${said}, ${hours}`;
}

interface Place {
  day: number;
  hour: number;
}

/** The block between two corners. */
export function blockBetween(a: Place, b: Place): WeekBlock {
  const [first, last] = [Math.min(a.day, b.day), Math.max(a.day, b.day)];
  return {
    days: WEEKDAYS.slice(first, last + 1),
    startHour: Math.min(a.hour, b.hour),
    endHour: Math.max(a.hour, b.hour) + 1,
  };
}

const STEPS: Readonly<Record<string, Place>> = {
  ArrowLeft: { day: 0, hour: -1 },
  ArrowRight: { day: 0, hour: 1 },
  ArrowUp: { day: -1, hour: 0 },
  ArrowDown: { day: 1, hour: 0 },
};

export function WeekGrid(props: { block: WeekBlock; onChange: (block: WeekBlock) => void }) {
  const { block, onChange } = props;
  const corner = useSignal<Place | undefined>(undefined);
  const cursor = useSignal<Place>({ day: 0, hour: block.startHour });
  const drawn = corner.value === undefined ? block : blockBetween(corner.value, cursor.value);
  const isOn = (day: Weekday, hour: number) =>
    drawn.days.includes(day) && hour >= drawn.startHour && hour < drawn.endHour;
  const end = () => {
    if (corner.value !== undefined) {
      onChange(blockBetween(corner.value, cursor.value));
      corner.value = undefined;
    }
  };
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const { day, hour } = cursor.value;
      const next = {
        day: Math.min(6, Math.max(0, day + step.day)),
        hour: Math.min(23, Math.max(0, hour + step.hour)),
      };
      cursor.value = next;
      cellOf(event.currentTarget, next)?.focus();
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (corner.value === undefined) {
        corner.value = cursor.value;
      } else {
        end();
      }
    } else if (event.key === "Escape" && corner.value !== undefined) {
      event.stopPropagation();
      corner.value = undefined;
    }
  };
  return (
    <Scroll label="Sending hours">
      <table
        class="week-grid"
        aria-label="Sending hours"
        onKeyDown={press}
        onPointerUp={end}
        onPointerLeave={end}
      >
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {hour % 3 === 0 ? hour : ""}
                <span class="unseen">{hour % 3 === 0 ? "" : hour}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((day, row) => (
            <tr key={day}>
              <th scope="row">{NAMES[day].slice(0, 3)}</th>
              {HOURS.map((hour) => {
                const isHere = cursor.value.day === row && cursor.value.hour === hour;
                return (
                  <td key={hour}>
                    <button
                      type="button"
                      class="week-hour"
                      data-place={`${row}-${hour}`}
                      tabIndex={isHere ? 0 : -1}
                      aria-pressed={isOn(day, hour)}
                      aria-label={`${NAMES[day]} ${hourName(hour)}`}
                      onPointerDown={(event) => {
                        event.currentTarget.releasePointerCapture(event.pointerId);
                        corner.value = { day: row, hour };
                        cursor.value = { day: row, hour };
                      }}
                      onPointerEnter={() => {
                        if (corner.value !== undefined) {
                          cursor.value = { day: row, hour };
                        }
                      }}
                      onFocus={() => {
                        cursor.value = { day: row, hour };
                      }}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="small quiet" role="status">
        {corner.value === undefined
          ? "Drag to select hours, or move with the arrow keys and press Space at two opposite corners."
          : `${blockWords(drawn)}: release or press Space to select, or Escape to cancel.`}
      </p>
    </Scroll>
  );
}

function cellOf(table: EventTarget | null, { day, hour }: Place): HTMLButtonElement | null {
  return table instanceof HTMLElement
    ? table.querySelector<HTMLButtonElement>(`[data-place="${day}-${hour}"]`)
    : null;
}
