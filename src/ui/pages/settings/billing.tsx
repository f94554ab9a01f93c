/** The plan, what of it is used, and how to get another. */

import { useSignal } from "@preact/signals";
import { PAID_PLANS, type PaidPlan } from "#domain/plan.ts";
import { api, ask } from "../../lib/api.ts";
import { callApi } from "../../lib/call.ts";
import { useData } from "../../lib/data.ts";
import { count, dateTime, words } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Loaded, Notice, Pill, type Tone } from "../../parts/page.tsx";
import { sayFault } from "../../parts/toasts.tsx";
import { SettingsPage } from "./frame.tsx";

const STATES: Readonly<Record<string, readonly [string, Tone]>> = {
  none: ["Nothing subscribed", "plain"],
  active: ["Active", "good"],
  grace: ["Ran out, goes on for a while", "warn"],
  ended: ["Ended", "bad"],
};

const NAMES: Readonly<Record<string, string>> = {
  accounts: "Mailboxes",
  leads: "Leads",
  active_campaigns: "Campaigns that run",
  mails: "Mails this month",
  running_experiments: "Experiments that run",
  placement_runs: "Placement runs this month",
  webhooks: "Webhooks",
  keys: "Keys",
  members: "Members",
};

export function BillingPage() {
  const billing = useData(() => ask(api().billing.subscription.get()), ["billing"]);
  const isBusy = useSignal(false);
  const leave = async (where: () => Promise<{ url: string }>) => {
    isBusy.value = true;
    try {
      location.assign((await where()).url);
    } catch (error) {
      sayFault(error);
      isBusy.value = false;
    }
  };
  return (
    <SettingsPage title="Billing" about="The plan whose limits hold, and what is used of it">
      <Loaded data={billing}>
        {({ plan, status, source, ends_at, grace_until, usage }) => {
          const [state, tone] = STATES[status] ?? [words(status), "plain" as const];
          return (
            <div class="stack">
              {status === "grace" && (
                <Notice tone="warn">
                  The subscription has run out. Everything goes on until {dateTime(grace_until)}.
                </Notice>
              )}
              <div class="two">
                <Card title="Plan" note={<Pill tone={tone}>{state}</Pill>}>
                  <p class="figure">{words(plan)}</p>
                  <p class="quiet">
                    {plan === "community"
                      ? "Your own installation, without limits."
                      : `Runs ${ends_at === null ? "on" : `until ${dateTime(ends_at)}`}${source === null ? "" : `, by ${source}`}.`}
                  </p>
                  {can("billing:write") && (
                    <div class="actions spaced">
                      {PAID_PLANS.filter((each) => each !== plan).map((each: PaidPlan) => (
                        <button
                          key={each}
                          type="button"
                          class="button"
                          disabled={isBusy.value}
                          onClick={() => leave(() => subscribe(each))}
                        >
                          Change to {words(each).toLowerCase()}
                        </button>
                      ))}
                      {source !== null && (
                        <Button
                          disabled={isBusy.value}
                          onClick={() => leave(() => ask(api().billing.portal.post()))}
                        >
                          Manage the subscription
                        </Button>
                      )}
                    </div>
                  )}
                  <p class="quiet small">
                    The next page asks before anything changes, and takes a licence key too.
                  </p>
                </Card>
                <Card title="Used">
                  <ul class="usage">
                    {Object.entries(usage).map(([name, { used, limit }]) => (
                      <Usage key={name} name={NAMES[name] ?? words(name)} {...{ used, limit }} />
                    ))}
                  </ul>
                </Card>
              </div>
            </div>
          );
        }}
      </Loaded>
    </SettingsPage>
  );
}

/** The typed client takes the word `subscribe` for its own. */
function subscribe(plan: PaidPlan): Promise<{ url: string }> {
  return callApi("POST", "/billing/subscribe", { plan });
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
      {limit === null ? (
        <span class="faint small">No limit</span>
      ) : (
        <meter
          aria-label={name}
          min={0}
          max={Math.max(1, limit)}
          high={limit * NEAR}
          optimum={0}
          value={Math.min(used, limit)}
          title={share >= NEAR ? "Near the limit" : undefined}
        />
      )}
    </li>
  );
}
