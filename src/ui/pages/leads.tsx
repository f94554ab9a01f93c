/** Leads: everybody who can be written to, a million of them in one scroll. */

import { api, ask } from "../lib/api.ts";
import { date } from "../lib/format.ts";
import { filter, setFilters, to } from "../lib/route.ts";
import { LongTable } from "../parts/long-table.tsx";
import { Card, Page } from "../parts/page.tsx";

const PAGE_ROWS = 100;

export function LeadsPage() {
  const search = filter("search");
  return (
    <Page title="Leads" about="Everybody in the campaigns of this team, once each">
      <Card flush>
        <header>
          <label class="field">
            <span class="unseen">Search</span>
            <input
              class="input"
              type="search"
              placeholder="Search by address"
              value={search}
              onChange={({ currentTarget }) => setFilters({ search: currentTarget.value.trim() })}
            />
          </label>
        </header>
        <LongTable
          label="Leads"
          families={["lead"]}
          load={(offset) => {
            const begins = filter("search");
            return ask(
              api().leads.get({
                query: { limit: PAGE_ROWS, offset, ...(begins === "" ? {} : { search: begins }) },
              }),
            );
          }}
          columns={[
            { title: "Address", cell: ({ id, email }) => <a href={to(`leads/${id}`)}>{email}</a> },
            {
              title: "Name",
              cell: ({ first_name, last_name }) =>
                [first_name, last_name].filter(Boolean).join(" "),
            },
            { title: "Company", cell: ({ company }) => company },
            { title: "Added", cell: ({ created_at }) => date(created_at), isFigure: true },
          ]}
        />
      </Card>
    </Page>
  );
}
