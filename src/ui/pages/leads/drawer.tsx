/** A lead beside the list: what is known of them, where they stand, and all that happened. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { openOver } from "../../lib/focus.ts";
import { useKeys } from "../../lib/keys.ts";
import { setFilters, to } from "../../lib/route.ts";
import { Button } from "../../parts/button.tsx";
import { Loaded } from "../../parts/page.tsx";
import { LeadCampaigns } from "./campaigns.tsx";
import { Facts } from "./facts.tsx";
import { Timeline } from "./timeline.tsx";

const FAMILIES = ["lead", "email", "reply", "suppression", "task", "complaint"];

async function load(id: string) {
  const [lead, campaigns] = await Promise.all([
    api().getLead({ id }),
    api().listLeadCampaigns({ id }),
  ]);
  return { lead, campaigns: campaigns.data };
}

export function LeadDrawer({ id, onChange }: { id: string; onChange: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useData(() => load(id), FAMILIES);
  const close = () => setFilters({ lead: "" });
  const reload = () => {
    found.reload();
    onChange();
  };
  useLayoutEffect(() => openOver(() => heading.current?.focus()), []);
  useKeys({ Escape: { name: "Close the lead", run: close } }, "Lead");
  const { lead } = found.value ?? {};
  const name = [lead?.first_name, lead?.last_name].filter(Boolean).join(" ");
  return (
    <aside class="drawer stack" aria-label="Lead">
      <header class="card-head">
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{name || lead?.email || "Lead"}</bdi>
        </h2>
        <div class="actions">
          <a class="button compact" href={to(`leads/${id}`)}>
            Open page
          </a>
          <Button look="compact" onClick={close}>
            Close
          </Button>
        </div>
      </header>
      <Loaded data={found} lines={8}>
        {({ lead: shown, campaigns }) => (
          <>
            <Facts key={shown.id} lead={shown} reload={reload} />
            <section>
              <h3>Campaigns</h3>
              <LeadCampaigns rows={campaigns} reload={reload} />
            </section>
            <Timeline
              id={shown.id}
              campaigns={new Map(campaigns.map((row) => [row.campaign_id, row.campaign_name]))}
            />
          </>
        )}
      </Loaded>
    </aside>
  );
}
