/** One variant of a new experiment: what takes the place of the step's subject and body. */

import { Button } from "../../parts/button.tsx";
import { Field, type Submission, TextField } from "../../parts/form/form.tsx";
import { Input } from "../../parts/form/input.tsx";
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
        <Input
          label="Name"
          name={`${at}.name`}
          of={of}
          required
          maxLength={255}
          value={variant.name}
          onText={(name) => onChange({ ...variant, name })}
        />
        <TextField
          label="Weight"
          name={`${at}.weight`}
          of={of}
          hint="Shares are proportional to weights"
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
      </div>
      <Input
        label="Subject"
        name={`${at}.config.subject`}
        of={of}
        placeholder="Same as the step"
        value={variant.subject}
        onText={(subject) => onChange({ ...variant, subject })}
      />
      <Field label="Body" name={`${at}.config.body`} of={of}>
        {(attributes) => (
          <textarea
            {...attributes}
            placeholder="Same as the step"
            value={variant.body}
            onInput={({ currentTarget }) => onChange({ ...variant, body: currentTarget.value })}
          />
        )}
      </Field>
      {onRemove && (
        <div>
          <Button look="plain compact danger" onClick={onRemove}>
            Remove {variant.name || "this variant"}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
