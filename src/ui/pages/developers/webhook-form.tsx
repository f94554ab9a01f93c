/** Address and events of a webhook. */

import { useSignal } from "@preact/signals";
import type { Webhook, WebhookCreate } from "#client.ts";
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

type Input = Required<Pick<WebhookCreate, "url" | "events">>;

const FAMILIES = [...new Set(EVENT_TYPES.map((type) => type.split(".")[0] ?? type))];

export function WebhookForm(props: {
  title: string;
  action: string;
  before?: Webhook;
  save: (input: Input) => Promise<void>;
  onClose: () => void;
}) {
  const submission = useSubmission();
  const url = useSignal(props.before?.url ?? "");
  const events = useSignal<readonly string[]>(props.before?.events ?? ["*"]);
  const isAll = events.value.includes("*");
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <Form
        onSend={() =>
          submission.submit(() =>
            props.save({ url: url.value.trim(), events: [...events.value] as Input["events"] }),
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
        <FormFault of={submission} fields={["url"]} />
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
