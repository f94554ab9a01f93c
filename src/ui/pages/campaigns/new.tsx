/**
 * A new campaign in four steps, each with an address. It is kept as a draft from its name on, so that a
 * reload, the back button or another day go on where it was left.
 */

import { useSignal } from "@preact/signals";
import { api, ask } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, plural } from "../../lib/format.ts";
import { go, to } from "../../lib/route.ts";
import {
  bound,
  Field,
  Form,
  FormFault,
  Submit,
  TextField,
  useSubmission,
} from "../../parts/form.tsx";
import { Card, Failed, Loading, Notice, Page } from "../../parts/page.tsx";
import { LaunchCheck } from "./check.tsx";
import { type CampaignDetail, readCampaign, readStats } from "./data.ts";
import { Schedule } from "./schedule.tsx";
import { Sequence } from "./sequence.tsx";

const STEPS = [
  { step: "leads", title: "Name and leads" },
  { step: "sequence", title: "Sequence" },
  { step: "schedule", title: "Schedule and mailboxes" },
  { step: "check", title: "Check and start" },
] as const;
type Step = (typeof STEPS)[number]["step"];

/** Before there is a draft: its name makes one. */
export function NewCampaignPage() {
  const name = useSignal("");
  const form = useSubmission();
  return (
    <Page title="New campaign" about="Four steps; it is kept as a draft from its name on">
      <Steps id={undefined} here="leads" />
      <Card title="What is it called?">
        <Form
          look="stack narrow"
          noValidate
          onSend={() =>
            form.submit(async () => {
              const { id } = await ask(api().campaigns.post({ name: name.value.trim() }));
              go(to(`campaigns/${id}/new/leads`), { replace: true });
            })
          }
        >
          <TextField
            label="Name"
            name="name"
            of={form}
            hint="Only your team sees it"
            maxLength={255}
            required
            {...bound(name)}
          />
          <FormFault of={form} fields={["name"]} />
          <div class="actions">
            <Submit of={form} isOff={name.value.trim() === ""}>
              {form.isBusy ? "Keeping…" : "Keep as a draft and go on"}
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
    <Page title={value.name} about="New campaign, kept as a draft">
      <Steps id={id} here={here} />
      {here === "leads" && <NameAndLeads campaign={value} onDone={campaign.reload} />}
      {here === "sequence" && <Sequence campaignId={id} />}
      {here === "schedule" && <Schedule campaign={value} data={campaign} />}
      {here === "check" && <LaunchCheck campaign={value} data={campaign} />}
      <Onward id={id} here={here} />
    </Page>
  );
}

function Steps({ id, here }: { id: string | undefined; here: Step }) {
  return (
    <nav class="wizard" aria-label="Steps of a new campaign">
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
          Go on: {next.title.toLowerCase()}
        </a>
      )}
    </footer>
  );
}

function NameAndLeads({ campaign, onDone }: { campaign: CampaignDetail; onDone: () => void }) {
  const { id } = campaign;
  const name = useSignal(campaign.name);
  const form = useSubmission();
  const isSaved = name.value.trim() === campaign.name;
  return (
    <div class="grid">
      <div class="span-4">
        <Card title="What is it called?">
          <Form
            noValidate
            onSend={() =>
              form.submit(async () => {
                await ask(api().campaigns({ id }).patch({ name: name.value.trim() }));
                onDone();
              })
            }
          >
            <TextField
              label="Name"
              name="name"
              of={form}
              hint="Only your team sees it"
              maxLength={255}
              {...bound(name)}
            />
            <FormFault of={form} fields={["name"]} />
            {!isSaved && (
              <div class="actions">
                <Submit of={form}>Save the name</Submit>
              </div>
            )}
          </Form>
        </Card>
      </div>
      <div class="span-8">
        <AddLeads id={id} />
      </div>
    </div>
  );
}

interface Answer {
  imported: number;
  skipped: number;
  errors: readonly { email: string; reason: string }[];
}

/** `address, first name, last name, company`, one lead a line. */
export function leadsIn(text: string) {
  return text
    .split("\n")
    .map((line) => line.split(/[,;\t]/).map((part) => part.trim()))
    .filter(([email = ""]) => email !== "")
    .map(([email = "", first_name, last_name, company]) => ({
      email,
      ...(first_name ? { first_name } : {}),
      ...(last_name ? { last_name } : {}),
      ...(company ? { company } : {}),
    }));
}

function AddLeads({ id }: { id: string }) {
  const text = useSignal("");
  const answer = useSignal<Answer | undefined>(undefined);
  const form = useSubmission();
  const stats = useData(() => readStats(id), ["lead"]);
  const leads = leadsIn(text.value);
  const enrolled = stats.value?.enrolled ?? 0;
  return (
    <Card title="Who gets it?" note={`${plural(enrolled, "lead")} so far`}>
      <Form
        noValidate
        onSend={() =>
          form.submit(async () => {
            answer.value = await ask(api().campaigns({ id }).leads.post({ leads }));
            text.value = "";
            stats.reload();
          })
        }
      >
        {answer.value !== undefined && <Imported answer={answer.value} />}
        <Field
          label="A few leads, one a line"
          name="leads"
          of={form}
          hint="Address, first name, last name, company. Only the address is needed."
        >
          {(attributes) => (
            <textarea
              {...attributes}
              rows={7}
              placeholder="ann@example.com, Ann, Lee, Example Works"
              {...bound(text)}
            />
          )}
        </Field>
        <FormFault of={form} fields={["leads"]} />
        <div class="actions">
          <Submit of={form} look="" isOff={leads.length === 0}>
            {leads.length === 0 ? "Add leads" : `Add ${plural(leads.length, "lead")}`}
          </Submit>
          <a class="button plain" href={to(`campaigns/${id}/import`)}>
            Import a file instead
          </a>
        </div>
      </Form>
    </Card>
  );
}

function Imported({ answer }: { answer: Answer }) {
  const { imported, skipped, errors } = answer;
  return (
    <Notice tone={errors.length === 0 ? "good" : "warn"}>
      {plural(imported, "lead")} added
      {skipped > 0 &&
        `, ${count(skipped)} skipped: they are here already or must not be written to`}
      {errors.length > 0 &&
        `. Not added: ${errors.map(({ email }) => email || "an empty address").join(", ")}`}
      .
    </Notice>
  );
}
