/** One variant of a new experiment: what takes the place of the step's subject and body. */

import { Field, type Submission } from "../../parts/form.tsx";
import { colourOf } from "./words.ts";

export interface VariantDraft {
  name: string;
  subject: string;
  body: string;
  weight: number;
}

export const NO_VARIANT: VariantDraft = { name: "", subject: "", body: "", weight: 1 };

/** As the API takes it: what was left empty is the step's own. */
export function variantOf({ name, subject, body, weight }: VariantDraft) {
  const config: Record<string, string> = {};
  if (subject.trim() !== "") {
    config["subject"] = subject;
  }
  if (body.trim() !== "") {
    config["body"] = body;
  }
  return { name, weight, config };
}

export function VariantFields(props: {
  variant: VariantDraft;
  place: number;
  of: Submission;
  onChange: (variant: VariantDraft) => void;
  onRemove?: () => void;
}) {
  const { variant, place, of, onChange, onRemove } = props;
  const at = `variants.${place}`;
  return (
    <fieldset class="variant">
      <legend>
        <i class="swatch" style={{ background: `var(--series-${colourOf(place)})` }} />
        {String.fromCharCode(65 + place)}
      </legend>
      <div class="field-grid">
        <Field label="Name" name={`${at}.name`} of={of}>
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={255}
              value={variant.name}
              onInput={({ currentTarget }) => onChange({ ...variant, name: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Weight" name={`${at}.weight`} of={of} hint="Shares are in proportion">
          {(attributes) => (
            <input
              {...attributes}
              type="number"
              min={0.001}
              max={1_000_000}
              step="any"
              required
              value={variant.weight}
              onChange={({ currentTarget }) =>
                onChange({ ...variant, weight: currentTarget.valueAsNumber || 1 })
              }
            />
          )}
        </Field>
      </div>
      <Field label="Subject" name={`${at}.config.subject`} of={of}>
        {(attributes) => (
          <input
            {...attributes}
            placeholder="As in the step"
            value={variant.subject}
            onInput={({ currentTarget }) => onChange({ ...variant, subject: currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Body" name={`${at}.config.body`} of={of}>
        {(attributes) => (
          <textarea
            {...attributes}
            placeholder="As in the step"
            value={variant.body}
            onInput={({ currentTarget }) => onChange({ ...variant, body: currentTarget.value })}
          />
        )}
      </Field>
      {onRemove && (
        <div>
          <button type="button" class="button plain compact danger" onClick={onRemove}>
            Remove {variant.name || "this variant"}
          </button>
        </div>
      )}
    </fieldset>
  );
}
