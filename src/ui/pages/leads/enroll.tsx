/** Puts leads that are known into a campaign. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { plural, words } from "../../lib/format.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, FormActions, FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Select } from "../../parts/form/input.tsx";
import { Loaded } from "../../parts/page.tsx";
import { sayDone } from "../../parts/toasts.tsx";

export function EnrollDialog(props: {
  leads: readonly { email: string }[];
  onClose: () => void;
  onDone: () => void;
}) {
  const { leads, onClose, onDone } = props;
  const campaigns = useData(() => api().listCampaigns({ limit: 100 }));
  const campaign = useSignal("");
  const submission = useSubmission();
  const send = async () => {
    const body = { leads: leads.map(({ email }) => ({ email })) };
    const {
      imported,
      skipped_details: skipped,
      warning,
    } = await api().importCampaignLeads({ id: campaign.value, body });
    const why =
      skipped[0] === undefined
        ? ""
        : `; ${plural(skipped.length, "lead")} skipped: ${words(skipped[0].reason)}`;
    sayDone(`${plural(imported, "lead")} added${why}`, warning);
    onDone();
    onClose();
  };
  return (
    <Dialog title={`Add ${plural(leads.length, "lead")} to a campaign`} onClose={onClose}>
      <Form onSend={() => submission.submit(send)}>
        <Loaded data={campaigns} lines={1}>
          {({ data }) => (
            <Select
              label="Campaign"
              name="campaign"
              of={submission}
              value={campaign.value}
              options={[
                ["", "Select a campaign"],
                ...data
                  .filter(({ status }) => status !== "archived")
                  .map(
                    ({ id, name, status }) =>
                      [id, `${name} (${words(status).toLowerCase()})`] as const,
                  ),
              ]}
              onPick={(id) => {
                campaign.value = id;
              }}
            />
          )}
        </Loaded>
        <FormFault of={submission} fields={["campaign"]} />
        <FormActions
          of={submission}
          action={`Add ${plural(leads.length, "lead")}`}
          isOff={campaign.value === ""}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
