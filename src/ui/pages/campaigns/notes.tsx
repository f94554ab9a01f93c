/** What the team wants to remember about a campaign, saved while it is typed. */

import type { Campaign, CampaignDetail } from "#client.ts";
import { api } from "../../lib/api.ts";
import { can } from "../../lib/session.ts";
import { useDraft } from "../../parts/form/draft.ts";
import { DraftForm } from "../../parts/form/draft-form.tsx";
import { Field } from "../../parts/form/form.tsx";
import { Card } from "../../parts/page.tsx";

export function Notes({ campaign, onSaved }: { campaign: CampaignDetail; onSaved: () => void }) {
  const { id } = campaign;
  const of = useDraft({
    target: `campaign:${id}`,
    keptAs: `campaigns/${id}/notes`,
    read: () => api().getCampaign({ id }),
    stored: campaign as Campaign,
    fieldsOf: ({ notes }) => ({ notes: notes ?? "" }),
    changeOf: (_, { notes }) => ({ notes: notes.trim() === "" ? null : notes }),
    write: (body, options) => api().patchCampaign({ id, body }, options),
    isAuto: true,
    onSaved,
  });
  return (
    <Card span={12} title="Notes">
      <DraftForm
        of={of}
        told={({ notes }) => ["Notes", notes]}
        action="Save notes"
        isReadOnly={!can("campaigns:write")}
        fields={["notes"]}
      >
        <Field
          label="Notes for your team"
          name="notes"
          of={of.form}
          hint="Only your team sees them"
        >
          {(attributes) => (
            <textarea
              {...attributes}
              rows={3}
              maxLength={2000}
              value={of.fields.notes}
              onInput={({ currentTarget }) => of.set({ notes: currentTarget.value })}
            />
          )}
        </Field>
      </DraftForm>
    </Card>
  );
}
