/** Several leads into one: which address stays, and what becomes of the rest, before it is done. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { plural, words } from "../../lib/format.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, FormActions, FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Notice } from "../../parts/page.tsx";
import { toast } from "../../parts/toasts.tsx";

/** As many as one merge takes. */
export const MERGED_MAX = 10;

export function MergeDialog(props: {
  leads: readonly { id: string; email: string }[];
  onDone: () => void;
  onClose: () => void;
}) {
  const { leads, onDone, onClose } = props;
  const stays = useSignal(leads[0]?.id ?? "");
  const of = useSubmission();
  const ask = (isTried: boolean) => {
    const id = stays.value;
    const body = { lead_ids: leads.map((lead) => lead.id).filter((other) => other !== id) };
    return api().mergeLead({ id, body, ...(isTried ? { dry_run: true } : {}) });
  };
  const outcome = useData(() => ask(true));
  const merge = async () => {
    const { lead } = await ask(false);
    toast(`${plural(leads.length, "lead")} merged into ${lead.email}`);
    onClose();
    onDone();
  };
  const { conflicts = [], stopped = 0, suppressed = null } = outcome.value ?? {};
  return (
    <Dialog title={`Merge ${plural(leads.length, "lead")}`} onClose={onClose}>
      <Form onSend={() => of.submit(merge)}>
        <fieldset class="stack">
          <legend class="label">Address to keep</legend>
          {leads.map(({ id, email }) => (
            <label key={id} class="choice">
              <input
                type="radio"
                name="stays"
                checked={stays.value === id}
                onChange={() => (stays.value = id)}
              />
              {email}
            </label>
          ))}
        </fieldset>
        {outcome.error && <Notice tone="bad">{outcome.error.message}</Notice>}
        {suppressed && (
          <Notice tone="warn">
            One of these addresses is suppressed ({words(suppressed).toLowerCase()}). After the
            merge, this person gets no more emails.
          </Notice>
        )}
        {conflicts.length > 0 && (
          <>
            <p class="small">Where the leads differ, the address you keep decides:</p>
            <ul class="small">
              {conflicts.map(({ field, kept, others }) => (
                <li key={field}>
                  {words(field)}: <b>{String(kept)}</b>, not {others.map(String).join(", ")}
                </li>
              ))}
            </ul>
          </>
        )}
        {stopped > 0 && (
          <p class="small">
            {plural(stopped, "sequence")} will end: this person is in the same campaign twice.
          </p>
        )}
        <p class="small">
          Tags, emails, and conversations of all of them stay. This can’t be undone.
        </p>
        <FormFault of={of} fields={[]} />
        <FormActions
          of={of}
          action={of.isBusy ? "Merging…" : `Merge ${plural(leads.length, "lead")}`}
          isDanger
          isOff={outcome.value === undefined}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
