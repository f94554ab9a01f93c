/** Address, name, events and options of a webhook. */

import { useSignal } from "@preact/signals";
import type { Webhook, WebhookCreate, WebhookPatch } from "#client.ts";
import type { Include } from "#domain/event-include.ts";
import { EVENT_TYPES } from "#domain/events/event.ts";
import { words } from "../../lib/format.ts";
import { Dialog } from "../../parts/dialog.tsx";
import {
  bound,
  Form,
  FormActions,
  FormFault,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { headersIn, linesOf } from "./header-lines.ts";
import { CampaignChoices, HeaderLines, IncludeChoices } from "./webhook-options.tsx";

type Input = Required<Pick<WebhookCreate, "url" | "events" | "name" | "campaign_ids" | "include">> &
  Required<Pick<WebhookPatch, "headers">>;

const FAMILIES = [...new Set(EVENT_TYPES.map((type) => type.split(".")[0] ?? type))];

export function WebhookForm(props: {
  title: string;
  action: string;
  before?: Webhook;
  save: (input: Input) => Promise<void>;
  onClose: () => void;
}) {
  const submission = useSubmission();
  const { before } = props;
  const url = useSignal(before?.url ?? "");
  const name = useSignal(before?.name ?? "");
  const include = useSignal<readonly Include[]>(before?.include ?? []);
  const campaigns = useSignal<readonly string[]>(before?.campaign_ids ?? []);
  const headers = useSignal(linesOf(before?.headers ?? {}));
  const events = useSignal<readonly string[]>(before?.events ?? ["*"]);
  const isAll = events.value.includes("*");
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <Form
        onSend={() =>
          submission.submit(() =>
            props.save({
              url: url.value.trim(),
              name: name.value.trim() || null,
              events: [...events.value] as Input["events"],
              campaign_ids: campaigns.value.length === 0 ? null : [...campaigns.value],
              include: [...include.value],
              headers: headersIn(headers.value, before?.headers ?? {}),
            }),
          )
        }
      >
        <TextField
          label="URL"
          name="url"
          of={submission}
          hint="Must use https and be reachable from the internet; private addresses are refused"
          required
          type="url"
          placeholder="https://example.com/hooks"
          {...bound(url)}
        />
        <TextField
          label="Name"
          name="name"
          of={submission}
          hint="Optional, for your team only"
          maxLength={100}
          {...bound(name)}
        />
        <fieldset class="choices">
          <legend>Events</legend>
          <label>
            <input
              type="checkbox"
              checked={isAll}
              onChange={() => {
                events.value = isAll ? [] : ["*"];
              }}
            />
            All events, including types added later
          </label>
        </fieldset>
        {!isAll && <Kinds events={events} />}
        <CampaignChoices selected={campaigns} />
        <IncludeChoices include={include} />
        <HeaderLines of={submission} text={headers} />
        <FormFault of={submission} fields={["url", "name", "headers"]} />
        <FormActions
          of={submission}
          action={props.action}
          isOff={events.value.length === 0}
          onClose={props.onClose}
        />
      </Form>
    </Dialog>
  );
}

function Kinds({ events }: { events: { value: readonly string[] } }) {
  const toggle = (pattern: string, isOn: boolean) => {
    const rest = events.value.filter((each) => each !== pattern);
    events.value = isOn ? [...rest, pattern] : rest;
  };
  return (
    <div class="kinds">
      {FAMILIES.map((family) => {
        const hasAll = events.value.includes(`${family}.*`);
        return (
          <fieldset key={family} class="choices">
            <legend>{words(family)}</legend>
            <label>
              <input
                type="checkbox"
                checked={hasAll}
                onChange={({ currentTarget }) => toggle(`${family}.*`, currentTarget.checked)}
              />
              All
            </label>
            {!hasAll &&
              EVENT_TYPES.filter((type) => type.startsWith(`${family}.`)).map((type) => (
                <label key={type}>
                  <input
                    type="checkbox"
                    checked={events.value.includes(type)}
                    onChange={({ currentTarget }) => toggle(type, currentTarget.checked)}
                  />
                  {words(type.slice(family.length + 1))}
                </label>
              ))}
          </fieldset>
        );
      })}
    </div>
  );
}
