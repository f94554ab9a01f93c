/** Variants of an experiment under way: switched off and on again, and a new one. */

import type { Signal } from "@preact/signals";
import { useSignal } from "@preact/signals";
import type { ExperimentDetail, ExperimentPatch } from "#client.ts";
import { api } from "../../lib/api.ts";
import { can } from "../../lib/session.ts";
import { sum } from "../../lib/sum.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, FormActions, FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Menu } from "../../parts/menu.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";
import { NO_VARIANT, type VariantDraft, VariantFields, variantOf } from "./variant-fields.tsx";
import { labelOf } from "./words.ts";

type Given = NonNullable<ExperimentPatch["variants"]>;

interface Props {
  detail: ExperimentDetail;
  reload: () => void;
}

/** Its variants can still be changed by this person. */
export function isOpen({ status }: Pick<ExperimentDetail, "status">): boolean {
  return can("experiments:write") && (status === "running" || status === "paused");
}

/** The whole list as it is by now, and what becomes of it. */
async function change(id: string, next: (variants: Given) => Given): Promise<void> {
  const { variants } = await api().getExperiment({ id });
  const given = variants.map(({ id: own, name, weight, config, is_active }) => {
    return { id: own, name, weight, config, is_active };
  });
  await api().patchExperiment({ id, body: { variants: next(given) } });
}

export function SwitchMenu({
  variant: { id, name, out_reason: out },
  detail,
  reload,
}: Props & { variant: ExperimentDetail["variants"][number] }) {
  const turn = async (is_active: boolean) => {
    await change(detail.id, (variants) =>
      variants.map((one) => (one.id === id ? { ...one, is_active } : one)),
    );
    reload();
  };
  const isOff = out === "switched_off";
  const isBandit = detail.optimization_mode === "thompson_sampling";
  return out !== null && !isOff ? null : (
    <Menu label={`Actions for ${name}`}>
      <Act
        look="compact"
        label={isOff ? "Switch on" : "Switch off"}
        run={async () => {
          await turn(isOff);
          toast(`${name} is switched ${isOff ? "on" : "off"}`, {
            name: "Undo",
            run: () => void turn(!isOff).catch(toastError),
          });
        }}
      />
      <p class="quiet small">
        {isOff
          ? `It gets leads again, by its weight${isBandit ? " until it’s been sent to 50 more" : ""}.`
          : "It gets no more leads and can’t win. Those it has are still measured, and the others share the rest."}
      </p>
    </Menu>
  );
}

/** A running bandit takes new variants, and any experiment whose first email has yet to go out. */
export function AddVariant({
  detail,
  draft,
  reload,
}: Props & {
  /** What was typed stays when the dialog is closed. */
  draft: Signal<VariantDraft>;
}) {
  const isAsking = useSignal(false);
  const form = useSubmission();
  const { id, variants, optimization_mode: mode } = detail;
  const hasBegun = sum(variants.map(({ emails_sent }) => emails_sent)) > 0;
  if (!isOpen(detail) || (hasBegun && mode !== "thompson_sampling")) {
    return null;
  }
  const place = variants.length;
  const close = () => {
    isAsking.value = false;
  };
  return (
    <>
      <Button
        look="compact"
        onClick={() => {
          isAsking.value = true;
        }}
      >
        Add variant
      </Button>
      {isAsking.value && (
        <Dialog title="Add variant" onClose={close}>
          <p class="quiet">
            {hasBegun
              ? "It gets leads by its weight until it’s been sent to 50; then the split follows the results. Leads that were emailed keep their variant."
              : "It gets leads by its weight from the first email on."}
          </p>
          <Form
            onSend={() =>
              form.submit(async () => {
                await change(id, (given) => [...given, variantOf(draft.value)]);
                toast(`${labelOf(draft.value.name, place)} added`);
                draft.value = NO_VARIANT;
                close();
                reload();
              })
            }
          >
            <VariantFields
              variant={draft.value}
              place={place}
              of={form}
              onChange={(variant) => {
                draft.value = variant;
              }}
            />
            <FormFault
              of={form}
              fields={["name", "weight", "config.subject", "config.body"].map(
                (field) => `variants.${place}.${field}`,
              )}
            />
            <FormActions of={form} action="Add variant" onClose={close} />
          </Form>
        </Dialog>
      )}
    </>
  );
}
