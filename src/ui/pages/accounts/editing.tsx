/**
 * Forms over parts of an account. Several people, and the program itself, change accounts: a change of
 * fields that nobody else has touched goes through, and where two have changed the same field the second
 * is told who did, sees both values and chooses.
 */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { AccountPatch } from "#api/accounts/schema.ts";
import { ApiError, api, ask, askTagged } from "../../lib/api.ts";
import { now } from "../../lib/clock.ts";
import { ago } from "../../lib/format.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, FormFault, type Submission, Submit, useSubmission } from "../../parts/form.tsx";
import { Input } from "../../parts/input.tsx";
import { Scroll } from "../../parts/scroll.tsx";
import { say } from "../../parts/toasts.tsx";
import type { Account } from "./words.ts";

/** An account as it was read. */
export interface Read {
  account: Account;
  etag: string;
}

export function readAccount(id: string): Promise<Read> {
  return askTagged(api().accounts({ id }).get()).then(({ data, etag }) => ({
    account: data,
    etag,
  }));
}

/** What a form holds, by the fields' paths in the API. */
export type Draft = Readonly<Record<string, string>>;

/** Fields that both have changed. */
interface Conflict {
  theirs: Draft;
  names: readonly string[];
  who: string;
}

interface FormOf {
  draftOf: (account: Account) => Draft;
  /** What is sent: of `draft` only what differs from `before`. */
  changeOf: (before: Draft, draft: Draft) => AccountPatch;
}

/** A save that meets another version is tried again over it as often as this. */
const TRIES_MAX = 3;

function namesOf(before: Draft, draft: Draft): string[] {
  return Object.keys(draft).filter((name) => draft[name] !== before[name]);
}

export function useAccountForm(read: Read, { draftOf, changeOf }: FormOf, reload: () => void) {
  const base = useSignal(read);
  const draft = useSignal(draftOf(read.account));
  const conflict = useSignal<Conflict | undefined>(undefined);
  const form = useSubmission();
  const before = draftOf(base.value.account);
  const isChanged = namesOf(before, draft.value).length > 0;

  /** Takes another version as the one to start from; what was typed stays over it. */
  const rebase = (next: Read, keep: readonly string[]) => {
    const typed = Object.fromEntries(keep.map((name) => [name, draft.peek()[name] ?? ""]));
    base.value = next;
    draft.value = { ...draftOf(next.account), ...typed };
  };
  useEffect(() => {
    // Asked anew: something may have been typed since it was drawn.
    const isTyped = namesOf(draftOf(base.peek().account), draft.peek()).length > 0;
    if (read.etag !== base.peek().etag && !isTyped && !form.isBusy) {
      rebase(read, []);
    }
  });

  const save = async () => {
    for (let tries = 1; ; tries += 1) {
      const { account, etag } = base.peek();
      const was = draftOf(account);
      const sent = draft.peek();
      const mine = namesOf(was, sent);
      try {
        const { data, etag: next } = await askTagged(
          api()
            .accounts({ id: account.id })
            .patch(changeOf(was, sent), { headers: { "if-match": etag } }),
        );
        // What was typed while it was under way is not saved yet.
        rebase({ account: data, etag: next }, namesOf(sent, draft.peek()));
        say("Saved");
        reload();
        return;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412) || tries === TRIES_MAX) {
          throw error;
        }
      }
      const now = await readAccount(account.id);
      const theirs = draftOf(now.account);
      const names = mine.filter(
        (name) => theirs[name] !== was[name] && theirs[name] !== draft.peek()[name],
      );
      rebase(now, namesOf(was, draft.peek()));
      if (names.length > 0) {
        conflict.value = { theirs, names, who: await lastToChange(account.id) };
        return;
      }
    }
  };

  return {
    form,
    draft: draft.value,
    before,
    isChanged,
    conflict: conflict.value,
    set: (name: string, value: string) => {
      draft.value = { ...draft.peek(), [name]: value };
    },
    undo: () => {
      draft.value = before;
    },
    save: () => form.submit(save),
    /** Answers a conflict. */
    choose: (whose: "theirs" | "mine") => {
      const { theirs = {}, names = [] } = conflict.peek() ?? {};
      conflict.value = undefined;
      if (whose === "mine") {
        form.submit(save);
        return;
      }
      const taken = Object.fromEntries(names.map((name) => [name, theirs[name] ?? ""]));
      draft.value = { ...draft.peek(), ...taken };
    },
  };
}

export type AccountForm = ReturnType<typeof useAccountForm>;

/** "Ann changed this 2 minutes ago", as the audit log names them. */
async function lastToChange(id: string): Promise<string> {
  const query = { target: `account:${id}`, action: "account.patch", limit: 1 };
  const [entry] = (await ask(api().audit.get({ query })).catch(() => undefined))?.data ?? [];
  return entry === undefined
    ? "Somebody else changed this"
    : `${entry.actor_name ?? "Somebody else"} changed this ${ago(entry.created_at, now.peek())}`;
}

/** The form round `children`, with its buttons and its refusals. */
export function Editing(props: {
  of: AccountForm;
  labelOf: (name: string) => string;
  action?: string;
  children: ComponentChildren;
}) {
  const { of, labelOf, action = "Save", children } = props;
  const { form, isChanged, draft, conflict } = of;
  return (
    <Form onSend={() => of.save()}>
      {children}
      <FormFault of={form} fields={Object.keys(draft)} />
      <div class="actions">
        <Submit of={form} isOff={!isChanged}>
          {form.isBusy ? "Saving…" : action}
        </Submit>
        {isChanged && <Button onClick={of.undo}>Undo changes</Button>}
      </div>
      {conflict && (
        <Dialog title="Both of you changed it" onClose={() => of.choose("theirs")}>
          <p>{conflict.who} while you wrote. Yours is not saved yet.</p>
          <Scroll label="What each of you changed">
            <table class="table both">
              <thead>
                <tr>
                  <th scope="col">Field</th>
                  <th scope="col">Theirs, saved</th>
                  <th scope="col">Yours</th>
                </tr>
              </thead>
              <tbody>
                {conflict.names.map((name) => (
                  <tr key={name}>
                    <th scope="row">{labelOf(name)}</th>
                    <td>{conflict.theirs[name] || "Empty"}</td>
                    <td>{draft[name] || "Empty"}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
          <div class="actions">
            <Button onClick={() => of.choose("theirs")}>Take theirs</Button>
            <Button look="primary" onClick={() => of.choose("mine")}>
              Save mine over it
            </Button>
          </div>
        </Dialog>
      )}
    </Form>
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
          value={of.draft[name] ?? ""}
          onText={(text) => of.set(name, text)}
        />
      ))}
    </div>
  );
}
