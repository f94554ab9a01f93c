/** Campaigns: what runs, how far each is, and why one does not send. */

import { api, ask } from "../lib/api.ts";
import { useData } from "../lib/data.ts";
import { date, words } from "../lib/format.ts";
import { to } from "../lib/route.ts";
import { Card, Empty, Loaded, Page, Pill, type Tone } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";

const TONES: Readonly<Record<string, Tone>> = {
  active: "good",
  paused: "warn",
  completed: "brand",
};

const CURL = `curl -X POST "$OUTRIDER_URL/api/v1/campaigns" \\
  -H "Authorization: Bearer $OUTRIDER_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "Warehouses in Rotterdam"}'`;

export function CampaignsPage() {
  const campaigns = useData(() => ask(api().campaigns.get({ query: {} })), ["campaign"]);
  return (
    <Page title="Campaigns" about="What runs, and why one does not send">
      <Card flush>
        <Loaded data={campaigns}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="campaigns" title="No campaign yet" curl={CURL}>
                A campaign is a sequence of mails, the people who get them, and the hours in which
                they are sent.
              </Empty>
            ) : (
              <Table
                label="Campaigns"
                rows={data}
                columns={[
                  {
                    title: "Campaign",
                    cell: ({ id, name }) => <a href={to(`campaigns/${id}`)}>{name}</a>,
                  },
                  {
                    title: "Status",
                    cell: ({ status }) => (
                      <Pill tone={TONES[status] ?? "plain"}>{words(status)}</Pill>
                    ),
                  },
                  { title: "Created", cell: ({ created_at }) => date(created_at), isFigure: true },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}
