/** Asks for the values that leads on hold lack, and gives them to all of the group. */

import { useSignal } from "@preact/signals";
import { LEAD_FIELDS } from "#domain/leads/lead.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { plural } from "../../lib/format.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, FormActions, FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Input } from "../../parts/form/input.tsx";
import { Loaded } from "../../parts/page.tsx";
import { sayDone } from "../../parts/toasts.tsx";
import { changeAll } from "./bulk.ts";
import { lackedIn, sentence } from "./words.ts";

const FILTER = { hold_reason: "missing_variable" } as const;
/** Leads that are looked at for what they lack. */
const LEADS_LOOKED_AT = 100;

async function loadLacked(id: string): Promise<string[]> {
  const query = { ...FILTER, limit: LEADS_LOOKED_AT };
  const { data } = await api().listCampaignLeads({ id, ...query });
  return [...new Set(data.flatMap(({ hold_detail }) => lackedIn(hold_detail)))];
}

/** A field of the lead, or a variable. */
const pathOf = (name: string) => (isField(name) ? `fill.${name}` : `fill.variables.${name}`);
const isField = (name: string) => LEAD_FIELDS.some((field) => field === name);

export function FillDialog(props: { id: string; onClose: () => void; onDone: () => void }) {
  const { id, onClose, onDone } = props;
  const lacked = useData(() => loadLacked(id));
  const texts = useSignal<Readonly<Record<string, string>>>({});
  const submission = useSubmission();
  const given = Object.entries(texts.value).filter(([, text]) => text.trim() !== "");
  const send = async () => {
    const variables = Object.fromEntries(given.filter(([name]) => !isField(name)));
    const fill = {
      ...Object.fromEntries(given.filter(([name]) => isField(name))),
      ...(Object.keys(variables).length === 0 ? {} : { variables }),
    };
    const { changed, warning } = await changeAll(id, { action: "release", filter: FILTER, fill });
    sayDone(`${plural(changed, "lead")} no longer on hold`, warning);
    onDone();
    onClose();
  };
  return (
    <Dialog title="Add missing value" onClose={onClose}>
      <Form of={submission} onSend={() => submission.submit(send)}>
        <p class="quiet">
          Every lead on hold without this value gets it, and its sequence continues.
        </p>
        <Loaded data={lacked} lines={1}>
          {(names) => (
            <>
              {names.map((name) => (
                <Input
                  key={name}
                  label={sentence(name)}
                  name={pathOf(name)}
                  of={submission}
                  value={texts.value[name] ?? ""}
                  onText={(text) => {
                    texts.value = { ...texts.value, [name]: text };
                  }}
                />
              ))}
            </>
          )}
        </Loaded>
        <FormFault of={submission} fields={Object.keys(texts.value).map(pathOf)} />
        <FormActions
          of={submission}
          action="Add and continue"
          isOff={given.length === 0}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
