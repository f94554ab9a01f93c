/** Forms over parts of an account, which several people and the program itself change. */

import type { ComponentChildren } from "preact";
import type { Account, AccountPatch } from "#client.ts";
import { api } from "../../lib/api.ts";
import { type Draft as DraftOf, useDraft } from "../../parts/form/draft.ts";
import { DraftForm } from "../../parts/form/draft-form.tsx";
import type { Submission } from "../../parts/form/form.tsx";
import { Input } from "../../parts/form/input.tsx";

/** What a form holds, by the fields' paths in the API. */
export type Draft = Readonly<Record<string, string>>;

interface FormOf {
  draftOf: (account: Account) => Draft;
  /** What is sent: of `draft` only what differs from `before`. */
  changeOf: (before: Draft, draft: Draft) => AccountPatch;
}

/** Limits and logins count at once, so they are saved when the button says so. */
export function useAccountForm(
  account: Account,
  { draftOf, changeOf }: FormOf,
  reload: () => void,
): AccountForm {
  return useDraft({
    target: `account:${account.id}`,
    read: () => api().getAccount({ id: account.id }),
    stored: account,
    fieldsOf: draftOf,
    changeOf: (_, draft, before) => changeOf(before, draft),
    write: (body, options) => api().patchAccount({ id: account.id, body }, options),
    isAuto: false,
    onSaved: reload,
  });
}

export type AccountForm = DraftOf<Draft>;

/** The form round `children`, with its buttons and its refusals. */
export function Editing(props: {
  of: AccountForm;
  labelOf: (name: string) => string;
  children: ComponentChildren;
}) {
  const { of, labelOf, children } = props;
  return (
    <DraftForm of={of} told={(draft, name) => [labelOf(name), draft[name] ?? ""]} action="Save">
      {children}
    </DraftForm>
  );
}

export type FieldOf = readonly [
  name: string,
  label: string,
  type: "text" | "number" | "password",
  hint: string,
];

export function Fields({ of, fields }: { of: AccountForm; fields: readonly FieldOf[] }) {
  const submission: Submission = of.form;
  return (
    <div class="field-grid">
      {fields.map(([name, label, type, hint]) => (
        <Input
          key={name}
          {...{ name, label, type }}
          of={submission}
          hint={hint || undefined}
          value={of.fields[name] ?? ""}
          onText={(text) => of.set({ [name]: text })}
        />
      ))}
    </div>
  );
}
