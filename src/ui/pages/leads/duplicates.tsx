/** Leads that are probably one person, looked at side by side, and merged. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { date, plural } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Empty, Loaded, Page, Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { MergeDialog } from "./merge.tsx";

const PAGE_GROUPS = 25;

const load = (offset: number) => api().listDuplicateLeads({ limit: PAGE_GROUPS, offset });
type Found = Awaited<ReturnType<typeof load>>;
type Group = Found["data"][number];

const REASONS = {
  same_mailbox: "Both addresses reach the same mailbox",
  same_profile: "Same LinkedIn profile",
  same_phone: "Same phone number and name",
  same_name: "Same name at the same company",
} as const satisfies Record<Group["reasons"][number], string>;

export function DuplicatesPage() {
  const offset = useSignal(0);
  const found = useData(() => load(offset.value));
  return (
    <Page title="Duplicate leads" about="Leads who are probably one person with several addresses">
      <Loaded data={found}>
        {({ data, total, hasMore, scanned }) =>
          total === 0 ? (
            <Card>
              <Empty
                icon="leads"
                title="No duplicates found"
                curl={curl("GET", "/leads/duplicates")}
              >
                {plural(scanned, "lead")} compared by address, name and company, phone, and LinkedIn
                profile.
              </Empty>
            </Card>
          ) : (
            <div class="stack duplicates">
              {data.map((group) => (
                <GroupCard
                  key={group.leads.map(({ id }) => id).join()}
                  group={group}
                  onDone={found.reload}
                />
              ))}
              <footer class="onward">
                <span class="quiet small">{plural(total, "group")} found</span>
                {offset.value > 0 && (
                  <Button onClick={() => (offset.value -= PAGE_GROUPS)}>Previous</Button>
                )}
                {hasMore && <Button onClick={() => (offset.value += PAGE_GROUPS)}>Next</Button>}
              </footer>
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function GroupCard({ group, onDone }: { group: Group; onDone: () => void }) {
  const isOpen = useSignal(false);
  const { leads, reasons } = group;
  return (
    <Card title={reasons.map((reason) => REASONS[reason]).join(", ")} flush>
      <Table
        label={leads.map(({ email }) => email).join(", ")}
        rows={leads}
        columns={[
          { title: "Email", cell: ({ id, email }) => <a href={to(`leads/${id}`)}>{email}</a> },
          {
            title: "Name",
            cell: ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(" "),
          },
          { title: "Company", cell: ({ company }) => company },
          { title: "Phone", cell: ({ phone }) => phone },
          { title: "Tags", cell: ({ tags }) => tags.map((tag) => <Pill key={tag}>{tag}</Pill>) },
          { title: "Added", cell: ({ created_at }) => date(created_at) },
        ]}
      />
      {can("leads:write") && leads.length > 1 && (
        <footer class="card-foot">
          <Button look="compact" onClick={() => (isOpen.value = true)}>
            Merge<span class="unseen"> {leads[0]?.email}</span>
          </Button>
        </footer>
      )}
      {isOpen.value && (
        <MergeDialog leads={leads} onDone={onDone} onClose={() => (isOpen.value = false)} />
      )}
    </Card>
  );
}
