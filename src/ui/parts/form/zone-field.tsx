/** A time zone by its IANA name. */

import { useId } from "preact/hooks";
import { Field, type Submission } from "./form.tsx";

/** The zone of this browser. */
export const ZONE_HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];

export function ZoneField(props: {
  /** The field's path in the API. */
  name: string;
  of: Submission;
  hint?: string;
  value: string;
  onZone: (zone: string) => void;
}) {
  const { name, of, hint, value, onZone } = props;
  const id = useId();
  return (
    <>
      <Field label="Time zone" {...{ name, of, hint }}>
        {(own) => (
          <input
            {...own}
            list={id}
            autocomplete="off"
            value={value}
            // When it is whole: half a name is none.
            onChange={({ currentTarget }) => onZone(currentTarget.value.trim())}
          />
        )}
      </Field>
      <datalist id={id}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
