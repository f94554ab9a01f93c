/**
 * A new campaign in four steps, each with an address. It is kept as a draft from its name on, so that a
 * reload, the back button or another day go on where it was left.
 */

import { useSignal } from "@preact/signals";
import type { Campaign, CampaignDetail } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { go, to } from "../../lib/route.ts";
import { useDraft } from "../../parts/form/draft.ts";
import { DraftForm } from "../../parts/form/draft-form.tsx";
import {
  bound,
  Form,
  FormFault,
  Submit,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { ZONE_HERE, ZoneField } from "../../parts/form/zone-field.tsx";
import { Card, Failed, Loading, Page } from "../../parts/page.tsx";
import { readCampaign } from "./data.ts";
import { FoundLeads } from "./found-leads.tsx";
import { LaunchCheck } from "./launch/check.tsx";
import { PasteLeads } from "./paste-leads.tsx";
import { Schedule } from "./schedule.tsx";
import { Sequence } from "./sequence.tsx";

const STEPS = [
  { step: "leads", title: "Name and leads" },
  { step: "sequence", title: "Sequence" },
  { step: "schedule", title: "Schedule and mailboxes" },
  { step: "check", title: "Review and start" },
] as const;
type Step = (typeof STEPS)[number]["step"];

/** Before there is a draft: its name makes one. */
export function NewCampaignPage() {
  const name = useSignal("");
  const timezone = useSignal(ZONE_HERE);
  const form = useSubmission();
  return (
    <Page title="New campaign" about="Four steps. It’s saved as a draft once you name it.">
      <Steps id={undefined} here="leads" />
      <Card title="Campaign name">
        <Form
          of={form}
          look="stack narrow"
          noValidate
          onSend={() =>
            form.submit(async () => {
              const { id } = await api().createCampaign({
                body: {
                  name: name.value.trim(),
                  send_window: { timezone: timezone.value },
                },
              });
              go(to(`campaigns/${id}/new/leads`), { replace: true });
            })
          }
        >
          <TextField
            label="Name"
            name="name"
            of={form}
            hint="Only your team sees this"
            maxLength={255}
            required
            {...bound(name)}
          />
          <ZoneField
            name="send_window.timezone"
            of={form}
            hint="For its sending hours. Taken from your browser."
            value={timezone.value}
            onZone={(zone) => {
              timezone.value = zone;
            }}
          />
          <FormFault of={form} fields={["name", "send_window.timezone"]} />
          <div class="actions">
            <Submit of={form} isOff={name.value.trim() === ""}>
              {form.isBusy ? "Saving…" : "Save draft and continue"}
            </Submit>
          </div>
        </Form>
      </Card>
    </Page>
  );
}

export function SetUpPage({ id, step }: { id: string; step: string }) {
  const campaign = useData(() => readCampaign(id), ["campaign"]);
  const here = STEPS.find((one) => one.step === step)?.step ?? "leads";
  const { value } = campaign;
  if (value === undefined) {
    return (
      <Page title="New campaign">
        {campaign.error === undefined ? (
          <Loading />
        ) : (
          <Failed error={campaign.error} retry={campaign.reload} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={value.name}
      part={STEPS.find(({ step }) => step === here)?.title}
      about="New campaign, saved as a draft"
    >
      <Steps id={id} here={here} />
      {here === "leads" && <NameAndLeads campaign={value} onDone={campaign.reload} />}
      {here === "sequence" && <Sequence campaign={value} />}
      {here === "schedule" && <Schedule campaign={value} data={campaign} />}
      {here === "check" && <LaunchCheck campaign={value} data={campaign} />}
      <Onward id={id} here={here} />
    </Page>
  );
}

function Steps({ id, here }: { id: string | undefined; here: Step }) {
  return (
    <nav class="wizard" aria-label="Campaign setup">
      <ol>
        {STEPS.map(({ step, title }, at) => (
          <li key={step}>
            {id === undefined && step !== "leads" ? (
              <span class="wizard-step">
                <b>{at + 1}</b> {title}
              </span>
            ) : (
              <a
                class="wizard-step"
                href={id === undefined ? to("campaigns/new") : to(`campaigns/${id}/new/${step}`)}
                aria-current={step === here ? "step" : undefined}
              >
                <b>{at + 1}</b> {title}
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Onward({ id, here }: { id: string; here: Step }) {
  const at = STEPS.findIndex(({ step }) => step === here);
  const [before, next] = [STEPS[at - 1], STEPS[at + 1]];
  return (
    <footer class="onward">
      {before !== undefined && (
        <a class="button" href={to(`campaigns/${id}/new/${before.step}`)}>
          Back to {before.title.toLowerCase()}
        </a>
      )}
      {next !== undefined && (
        <a class="button primary" href={to(`campaigns/${id}/new/${next.step}`)}>
          Continue to {next.title.toLowerCase()}
        </a>
      )}
    </footer>
  );
}

function NameAndLeads({ campaign, onDone }: { campaign: CampaignDetail; onDone: () => void }) {
  const { id } = campaign;
  const of = useDraft({
    target: `campaign:${id}`,
    keptAs: `campaigns/${id}/name`,
    read: () => api().getCampaign({ id }),
    stored: campaign as Campaign,
    fieldsOf: ({ name }) => ({ name }),
    changeOf: (_, { name }) => ({ name: name.trim() }),
    write: (body, options) => api().patchCampaign({ id, body }, options),
    isAuto: true,
    onSaved: onDone,
  });
  return (
    <div class="grid">
      <div class="span-4">
        <Card title="Campaign name">
          <DraftForm of={of} told={({ name }) => ["Name", name]} action="Save name">
            <TextField
              label="Name"
              name="name"
              of={of.form}
              hint="Only your team sees this"
              maxLength={255}
              value={of.fields.name}
              onInput={({ currentTarget }) => of.set({ name: currentTarget.value })}
            />
          </DraftForm>
        </Card>
      </div>
      <div class="span-8 stack">
        <PasteLeads id={id} isSetUp />
        <FoundLeads id={id} />
      </div>
    </div>
  );
}
