/** One webhook: what was delivered, what failed and why, and how a receiver checks it. */

import { useSignal } from "@preact/signals";
import { OutriderError, OutriderUnreachable } from "#client.ts";
import guide from "../../../../docs/webhooks.md" with { type: "file" };
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { dateTime } from "../../lib/format.ts";
import { env } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { Code, Secret } from "../../parts/copy.tsx";
import { Card, Loaded, Page } from "../../parts/page.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { sayDeleted } from "../restore.ts";
import { Deliveries, ERRORS } from "./deliveries.tsx";
import { ReceiverCheck } from "./receiver-check.tsx";
import { type Recipe, recipesIn } from "./recipes.ts";
import { ReplayForm } from "./replay-form.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { Strip, toldOf, type Webhook, WebhookState } from "./webhooks.tsx";

type Asked = "edit" | "replay" | "check" | undefined;

export function WebhookPage({ id }: { id: string }) {
  const webhook = useData(() => api().getWebhook({ id }), ["webhook"]);
  const asked = useSignal<Asked>(undefined);
  const isBusy = useSignal(false);
  const ask_ = (next: Asked) => {
    asked.value = next;
  };
  const run = async (what: () => Promise<string>) => {
    if (isBusy.value) {
      return;
    }
    isBusy.value = true;
    await what().then(toast, toastError);
    isBusy.value = false;
    webhook.reload();
  };
  return (
    <Page
      title={webhook.value?.name ?? webhook.value?.url ?? "Webhook"}
      about={webhook.value === undefined ? "" : `Events: ${toldOf(webhook.value.events)}`}
      badge={webhook.value && <WebhookState of={webhook.value} />}
      actions={
        webhook.value &&
        can("webhooks:write") && (
          <Actions
            id={id}
            name={webhook.value.name ?? webhook.value.url}
            isActive={webhook.value.active}
            isBusy={isBusy.value}
            run={run}
            onTest={() => run(async () => tested(await api().testWebhook({ id })))}
            onTurn={(active) =>
              run(async () => {
                await api().patchWebhook({ id, body: { active } });
                return active ? "Webhook turned on" : "Webhook turned off";
              })
            }
            onAsk={ask_}
          />
        )
      }
    >
      <Loaded data={webhook}>
        {(value) => (
          <div class="stack">
            <div class="two">
              <Facts of={value} />
              <Recipes />
            </div>
            <Deliveries webhookId={id} />
            {asked.value === "edit" && (
              <WebhookForm
                title="Edit webhook"
                action="Save webhook"
                before={value}
                save={async (input) => {
                  await api().patchWebhook({ id, body: input });
                  ask_(undefined);
                  webhook.reload();
                }}
                onClose={() => ask_(undefined)}
              />
            )}
          </div>
        )}
      </Loaded>
      {asked.value === "replay" && <ReplayForm webhookId={id} onClose={() => ask_(undefined)} />}
      {asked.value === "check" && <ReceiverCheck webhookId={id} onClose={() => ask_(undefined)} />}
    </Page>
  );
}

function tested(delivery: {
  status: string;
  last_status: number | null;
  last_error: string | null;
}) {
  if (delivery.status === "succeeded") {
    return `Test delivered: HTTP ${delivery.last_status}`;
  }
  const { last_status, last_error } = delivery;
  return `Test failed: ${last_status === null ? (ERRORS[last_error ?? ""] ?? "no response") : `HTTP ${last_status}`}`;
}

function Actions(props: {
  id: string;
  name: string;
  isActive: boolean;
  isBusy: boolean;
  run: (what: () => Promise<string>) => Promise<void>;
  onTest: () => void;
  onTurn: (active: boolean) => void;
  onAsk: (asked: Asked) => void;
}) {
  const { id, name, isActive, isBusy, run, onAsk } = props;
  return (
    <>
      <Button disabled={isBusy} onClick={props.onTest}>
        Send test
      </Button>
      {env.value === "test" && <Button onClick={() => onAsk("check")}>Check receiver</Button>}
      <Button onClick={() => onAsk("replay")} disabled={!isActive}>
        Resend…
      </Button>
      <Button onClick={() => onAsk("edit")}>Edit</Button>
      <Button disabled={isBusy} onClick={() => props.onTurn(!isActive)}>
        {isActive ? "Turn off" : "Turn on"}
      </Button>
      <Act
        label="Rotate secret"
        run={() =>
          run(async () => {
            await api().rotateWebhookSecret({ id, body: {} });
            return "Secret rotated. The old one also signs for a day";
          })
        }
        asks={{ title: "Rotate the secret?", action: "Rotate secret" }}
      >
        For a day, deliveries are signed with both secrets, so you have time to switch.
      </Act>
      <Act
        label="Delete"
        look="danger"
        run={() =>
          api()
            .deleteWebhook({ id })
            .then(() => sayDeleted({ id, name, kind: "webhook" }))
        }
        asks={{ title: "Delete this webhook?", action: "Delete webhook" }}
      >
        No more events are sent to it. You can restore it, with its delivery history, for 30 days.
      </Act>
    </>
  );
}

function Facts({ of }: { of: Webhook }) {
  const isShown = useSignal(false);
  return (
    <Card title="Status">
      <dl class="pairs">
        <dt>Latest deliveries</dt>
        <dd>
          <Strip webhookId={of.id} />
        </dd>
        <dt>Failing since</dt>
        <dd>{of.failing_since === null ? "Not failing" : <When at={of.failing_since} isWall />}</dd>
        <dt>Added</dt>
        <dd>
          <When at={of.created_at} />
        </dd>
        {of.name !== null && (
          <>
            <dt>URL</dt>
            <dd>{of.url}</dd>
          </>
        )}
        <dt>Signing secret</dt>
        <dd>
          {isShown.value ? (
            <Secret label="Signing secret" value={of.secret} />
          ) : (
            <span class="row-actions start">
              <code>whsec_…{of.secret.slice(-4)}</code>
              {!of.secret.includes("…") && (
                <Button
                  look="compact"
                  onClick={() => {
                    isShown.value = true;
                  }}
                >
                  Show
                </Button>
              )}
            </span>
          )}
        </dd>
        {of.previous_secret_expires_at !== null && (
          <>
            <dt>Old secret</dt>
            <dd>Also signs until {dateTime(of.previous_secret_expires_at)}</dd>
          </>
        )}
      </dl>
    </Card>
  );
}

/** The guide lies beside the scripts. */
async function loadRecipes(): Promise<Recipe[]> {
  const response = await fetch(new URL(guide, import.meta.url)).catch(() => {
    throw new OutriderUnreachable();
  });
  if (!response.ok) {
    throw new OutriderError({}, response.status, null);
  }
  return recipesIn(await response.text());
}

function Recipes() {
  const language = useSignal("");
  const recipes = useData(loadRecipes);
  const all = recipes.value ?? [];
  const selected = all.find((recipe) => recipe.language === language.value) ?? all[0];
  return (
    <Card
      title="Verify signatures"
      note={
        <span class="choice-row">
          {all.map((recipe) => (
            <button
              key={recipe.language}
              type="button"
              class="button plain compact"
              aria-pressed={recipe === selected}
              onClick={() => {
                language.value = recipe.language;
              }}
            >
              {recipe.language}
            </button>
          ))}
        </span>
      }
    >
      <Loaded data={recipes}>
        {() => selected && <Code text={selected.code} label={`Verify in ${selected.language}`} />}
      </Loaded>
    </Card>
  );
}
