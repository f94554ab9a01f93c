/** A lead: who it is, where it stands in each campaign and why, and all that happened. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { SUPPRESSED_BY } from "../../lib/mail-words.ts";
import { go, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";

import { Card, Loaded, Page, Pill } from "../../parts/page.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";
import { LeadCampaigns } from "./campaigns.tsx";
import { EnrollDialog } from "./enroll.tsx";
import { Facts } from "./facts.tsx";
import { Timeline } from "./timeline.tsx";

const FAMILIES = ["lead", "email", "reply", "suppression", "task", "complaint"];

function loadLead(id: string) {
  return api().getLead({ id });
}

export type Lead = Awaited<ReturnType<typeof loadLead>>;

/** Of whoever was erased, the receipt's page. */
async function leave(id: string, cause: unknown): Promise<never> {
  // Why the lead could not be loaded says more than why a receipt could not.
  const erasures = api().listErasures({ lead_id: id, limit: 1 });
  const receipt = await erasures.then(({ data }) => data[0]).catch(() => undefined);
  if (receipt !== undefined) {
    go(to(`leads/erased/${receipt.id}`));
  }
  throw cause;
}

async function load(id: string) {
  const lead = await loadLead(id).catch((cause) => leave(id, cause));
  const [campaigns, check] = await Promise.all([
    api().listLeadCampaigns({ id }),
    api()
      .checkSuppression({ email: lead.email })
      .catch(() => null),
  ]);
  return { lead, campaigns: campaigns.data, check };
}

export function LeadPage({ id }: { id: string }) {
  const found = useData(() => load(id), FAMILIES);
  const lead = found.value?.lead;
  const name = [lead?.first_name, lead?.last_name].filter(Boolean).join(" ");
  const check = found.value?.check;
  return (
    <Page
      title={name || lead?.email || "Lead"}
      about={[name && lead?.email, lead?.company].filter(Boolean).join(" · ")}
      badge={
        check?.suppressed && (
          <Pill tone="bad">
            Suppressed
            {check.reason === null ? "" : `: ${SUPPRESSED_BY[check.reason].name.toLowerCase()}`}
          </Pill>
        )
      }
      actions={
        lead && (
          <Actions lead={lead} isSuppressed={check?.suppressed === true} reload={found.reload} />
        )
      }
    >
      <Loaded data={found} lines={8}>
        {({ lead: shown, campaigns }) => (
          <div class="grid">
            <div class="span-8 stack">
              <Timeline
                id={shown.id}
                campaigns={new Map(campaigns.map((row) => [row.campaign_id, row.campaign_name]))}
              />
            </div>
            <div class="span-4 stack">
              <Card title="Campaigns">
                <LeadCampaigns rows={campaigns} reload={found.reload} />
              </Card>
              <Card title="Details">
                <Facts key={shown.id} lead={shown} reload={found.reload} />
              </Card>
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Actions(props: { lead: Lead; isSuppressed: boolean; reload: () => void }) {
  const { lead, isSuppressed, reload } = props;
  const isEnrolling = useSignal(false);
  const run = (call: Promise<unknown>, done: string, then: () => void) =>
    call.then(() => {
      toast(done);
      then();
    }, toastError);
  return (
    <>
      {can("leads:write") && (
        <Button onClick={() => (isEnrolling.value = true)}>Add to campaign</Button>
      )}
      {can("suppressions:write") && !isSuppressed && (
        <Act
          label="Suppress"
          run={() => {
            const body = { email: lead.email, reason: "manual" as const };
            const done = `${lead.email} won’t get any more emails`;
            return run(api().createSuppression({ body }), done, reload);
          }}
          asks={{ title: `Suppress ${lead.email}?`, action: "Suppress address" }}
        >
          No campaign emails this address again, and its sequences end.
        </Act>
      )}
      {can("leads:write") && (
        <Act
          label="Erase"
          look="danger"
          run={() => {
            const erased = api().deleteLead({ id: lead.id });
            return run(erased, `${lead.email} erased`, reload);
          }}
          asks={{ title: `Erase ${lead.email}?`, action: "Erase permanently" }}
        >
          This permanently erases the emails with this person and their place in campaigns. Totals
          stay, and a suppression keeps only a hash of the address.
        </Act>
      )}
      {isEnrolling.value && (
        <EnrollDialog leads={[lead]} onClose={() => (isEnrolling.value = false)} onDone={reload} />
      )}
    </>
  );
}
