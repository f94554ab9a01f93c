/** Everything that happened, the newest first, with what a webhook would be told. */

import { EVENT_TYPES } from "#domain/events/event.ts";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { count, words } from "../../lib/format.ts";
import { filter, setFilters, to } from "../../lib/route.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/copy.tsx";
import { Card, Empty, Loaded, Page } from "../../parts/page.tsx";
import { When } from "../../parts/when.tsx";
import { eventName } from "./webhooks.tsx";

const PAGE_ROWS = 50;
const FAMILIES = [...new Set(EVENT_TYPES.map((type) => type.split(".")[0] ?? type))];

/** The API counts from the oldest; a page here counts from the newest. */
async function load(type: string, page: number) {
  const kind = type === "" ? {} : { type };
  const { total } = await api().listEvents({ limit: 1, ...kind });
  const end = Math.max(0, total - page * PAGE_ROWS);
  const offset = Math.max(0, end - PAGE_ROWS);
  if (end === offset) {
    return { total, rows: [] };
  }
  const { data } = await api().listEvents({ limit: end - offset, offset, ...kind });
  return { total, rows: data.toReversed() };
}

function pageOnShow(): number {
  return Math.max(0, Math.floor(Number(filter("page"))) || 0);
}

export function EventsPage() {
  const page = pageOnShow();
  const events = useData(() => load(filter("type"), pageOnShow()), FAMILIES);
  return (
    <Page title="Events" about="Everything that happened in the last 30 days, as sent to webhooks">
      <Card flush>
        <div class="filters">
          <label>
            Type{" "}
            <select
              class="input"
              value={filter("type")}
              onChange={({ currentTarget }) => setFilters({ type: currentTarget.value, page: "" })}
            >
              <option value="">Any</option>
              {FAMILIES.map((family) => (
                <optgroup key={family} label={words(family)}>
                  <option value={`${family}.*`}>{words(family)}: all</option>
                  {EVENT_TYPES.filter((type) => type.startsWith(`${family}.`)).map((type) => (
                    <option key={type} value={type}>
                      {eventName(type)}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </label>
        </div>
        <Loaded data={events}>
          {({ total, rows }) =>
            rows.length === 0 ? (
              <Empty
                icon="developers"
                title={filter("type") === "" ? "No events yet" : "No events of this type"}
                action={
                  filter("type") === "" ? (
                    <a class="button" href={to("campaigns/new")}>
                      New campaign
                    </a>
                  ) : (
                    <Button onClick={() => setFilters({ type: "", page: "" })}>
                      Show all types
                    </Button>
                  )
                }
                curl={curl("GET", "/events?limit=10")}
              >
                Every email, reply, bounce, and status change shows up here as an event.
              </Empty>
            ) : (
              <>
                <ul class="log">
                  {rows.map((event) => (
                    <li key={event.id}>
                      <details>
                        <summary>
                          <When at={event.created_at} />
                          <span class="what">
                            {eventName(event.type)}
                            {about(event.data)}
                          </span>
                          <code class="faint">{event.type}</code>
                        </summary>
                        <div class="inside">
                          <Code label="Event" text={JSON.stringify(event, null, 2)} />
                        </div>
                      </details>
                    </li>
                  ))}
                </ul>
                <Pages page={page} total={total} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

/** Whom or what an event is about, where its data say so in words. */
function about(data: Readonly<Record<string, unknown>>): string {
  for (const name of ["to", "email", "from", "name", "url", "value"]) {
    const value = data[name];
    if (typeof value === "string" && value !== "") {
      return ` · ${value}`;
    }
  }
  return "";
}

function Pages({ page, total }: { page: number; total: number }) {
  const last = Math.max(0, Math.ceil(total / PAGE_ROWS) - 1);
  const show = (next: number) => setFilters({ page: next === 0 ? "" : String(next) });
  return (
    <p class="card-foot actions">
      <Button look="compact" disabled={page === 0} onClick={() => show(page - 1)}>
        Newer
      </Button>
      <Button look="compact" disabled={page >= last} onClick={() => show(page + 1)}>
        Older
      </Button>
      <span class="quiet small centred">
        {count(page * PAGE_ROWS + 1)}–{count(Math.min(total, (page + 1) * PAGE_ROWS))} of{" "}
        {count(total)}
      </span>
    </p>
  );
}
