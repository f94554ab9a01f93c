/** The plan, what of it is used, and how to get another. */

import { useSignal } from "@preact/signals";
import { PAID_PLANS, type PaidPlan } from "#domain/sending/plan.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, dateTime, words } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { bound, Field, Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { Card, Loaded, Notice, Page, Pill, type Tone } from "../../parts/page.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";

const STATES: Readonly<Record<string, readonly [string, Tone]>> = {
  none: ["No subscription", "plain"],
  active: ["Active", "good"],
  grace: ["Expired, in grace period", "warn"],
  expired: ["Expired", "bad"],
};

const NAMES: Readonly<Record<string, string>> = {
  accounts: "Mailboxes",
  leads: "Leads",
  active_campaigns: "Active campaigns",
  mails: "Emails this month",
  running_experiments: "Running experiments",
  placement_runs: "Placement runs this month",
  webhooks: "Webhooks",
  keys: "API keys",
  members: "Members",
};

type Subscription = Awaited<ReturnType<typeof load>>;

function load() {
  return api().getBillingSubscription();
}

export function BillingPage() {
  const billing = useData(load, ["billing"]);
  return (
    <Page title="Billing" about="Your plan, its limits, and your usage">
      <Loaded data={billing}>
        {(value) => (
          <div class="stack">
            {value.status === "grace" && (
              <Notice tone="warn">
                Your subscription has expired. Everything keeps working until{" "}
                {dateTime(value.grace_until)}.
              </Notice>
            )}
            <div class="two">
              <Plan of={value} />
              <Used of={value} />
            </div>
            {can("billing:write") && <Licence onDone={billing.reload} />}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const SOURCES: Readonly<Record<string, string>> = {
  local: "confirmed on this server",
  licence: "with a license",
  stripe: "billed through Stripe",
};

function Plan({ of: { plan, status, source, ends_at } }: { of: Subscription }) {
  const isBusy = useSignal(false);
  const leave = async (where: () => Promise<{ url: string }>) => {
    isBusy.value = true;
    try {
      location.assign((await where()).url);
    } catch (error) {
      toastError(error);
      isBusy.value = false;
    }
  };
  const [state, tone] = STATES[status] ?? [words(status), "plain" as const];
  return (
    <Card title="Plan" note={<Pill tone={tone}>{state}</Pill>}>
      <p class="figure">{words(plan)}</p>
      <p class="quiet">
        {source === null
          ? "Self-hosted, with no subscription."
          : `${ends_at === null ? "No end date" : `Until ${dateTime(ends_at)}`}, ${SOURCES[source] ?? source}.`}
      </p>
      {can("billing:write") && (
        <>
          <div class="actions spaced">
            {PAID_PLANS.filter((each) => each !== plan).map((each: PaidPlan) => (
              <Button
                key={each}
                disabled={isBusy.value}
                onClick={() => leave(() => api().subscribeToPlan({ body: { plan: each } }))}
              >
                Change to {words(each)}
              </Button>
            ))}
            {source === "stripe" && (
              <Button
                disabled={isBusy.value}
                onClick={() => leave(() => api().openBillingPortal())}
              >
                Manage subscription
              </Button>
            )}
          </div>
          <p class="quiet small">Confirm on the next page.</p>
        </>
      )}
    </Card>
  );
}

function Used({ of: { usage } }: { of: Subscription }) {
  const all = Object.entries(usage);
  const isFree = all.every(([, { limit }]) => limit === null);
  return (
    <Card title="Usage" note={isFree && "No limits"}>
      <ul class="usage">
        {all.map(([name, { used, limit }]) => (
          <Usage key={name} name={NAMES[name] ?? words(name)} {...{ used, limit }} />
        ))}
      </ul>
    </Card>
  );
}

function Licence({ onDone }: { onDone: () => void }) {
  const form = useSubmission();
  const licence = useSignal("");
  return (
    <Card title="License">
      <Form
        look="stack form-narrow"
        onSend={() =>
          form.submit(async () => {
            await api().setBillingLicense({ body: { licence: licence.value } });
            licence.value = "";
            toast("License applied. Its plan is active");
            onDone();
          })
        }
      >
        <Field
          label="License key"
          name="licence"
          of={form}
          hint="A signed plan for this team. It’s verified offline."
        >
          {(attributes) => (
            <textarea
              {...attributes}
              class="input mono"
              rows={3}
              required
              spellcheck={false}
              placeholder="key/…"
              {...bound(licence)}
            />
          )}
        </Field>
        <FormFault of={form} fields={["licence"]} />
        <div class="actions">
          <Submit of={form} look="">
            Apply license
          </Submit>
        </div>
      </Form>
    </Card>
  );
}

const NEAR = 0.8;

function Usage({ name, used, limit }: { name: string; used: number; limit: number | null }) {
  const share = limit === null || limit === 0 ? 0 : used / limit;
  return (
    <li>
      <span>{name}</span>
      <span class="number">
        {count(used)}
        <span class="faint">{limit === null ? "" : ` of ${count(limit)}`}</span>
      </span>
      {limit !== null && (
        <meter
          aria-label={name}
          min={0}
          max={Math.max(1, limit)}
          high={limit * NEAR}
          optimum={0}
          value={Math.min(used, limit)}
          title={share >= NEAR ? "Close to the limit" : undefined}
        />
      )}
    </li>
  );
}
