/** Adds a seed: an address, and in live how to read it. */

import { useSignal } from "@preact/signals";
import { imapServerOf, providerOfDomain } from "#domain/mail-provider.ts";
import { api, ask } from "../../lib/api.ts";
import { env } from "../../lib/route.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, FormFault, useSubmission } from "../../parts/form.tsx";
import { say } from "../../parts/toasts.tsx";
import { providerName } from "./words.ts";

const FIELDS = ["email", "imap.host", "imap.port", "imap.password"];

export function AddSeed({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const draft = useSignal({ email: "", host: "", port: "993", password: "" });
  const form = useSubmission();
  const { email, host, port, password } = draft.value;
  const provider = providerOfDomain(email.split("@")[1]?.trim().toLowerCase() ?? "");
  const known = provider === null ? null : imapServerOf(provider, email);
  const isLive = env.value === "live";
  const set = (change: Partial<typeof draft.value>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const send = async () => {
    const server = host === "" ? {} : { host, port: Number(port) };
    await ask(
      api().placement.seeds.post({
        email: email.trim(),
        ...(isLive ? { imap: { ...server, password } } : {}),
      }),
    );
    say(`${email} is a seed now`);
    onAdded();
    onClose();
  };
  return (
    <Dialog title="Add a seed mailbox" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          form.submit(send);
        }}
      >
        <Field
          label="Address"
          name="email"
          of={form}
          hint={
            isLive
              ? "A mailbox of your own, never a lead’s"
              : "In the sandbox any address will do; its domain says whose servers are simulated"
          }
        >
          {(attributes) => (
            <input
              {...attributes}
              type="email"
              required
              autocomplete="off"
              value={email}
              onInput={({ currentTarget }) => set({ email: currentTarget.value })}
            />
          )}
        </Field>
        {isLive && (
          <>
            <Field
              label="Password"
              name="imap.password"
              of={form}
              hint="Where the provider asks for two steps: an app password"
            >
              {(attributes) => (
                <input
                  {...attributes}
                  type="password"
                  required
                  autocomplete="off"
                  value={password}
                  onInput={({ currentTarget }) => set({ password: currentTarget.value })}
                />
              )}
            </Field>
            <div class="field-grid">
              <Field
                label="IMAP server"
                name="imap.host"
                of={form}
                hint={
                  known && provider
                    ? `${providerName(provider)}’s is known: leave it empty`
                    : undefined
                }
              >
                {(attributes) => (
                  <input
                    {...attributes}
                    placeholder={known?.host ?? "imap.example.com"}
                    value={host}
                    onInput={({ currentTarget }) => set({ host: currentTarget.value })}
                  />
                )}
              </Field>
              <Field label="Port" name="imap.port" of={form}>
                {(attributes) => (
                  <input
                    {...attributes}
                    type="number"
                    min={1}
                    max={65_535}
                    value={port}
                    onInput={({ currentTarget }) => set({ port: currentTarget.value })}
                  />
                )}
              </Field>
            </div>
          </>
        )}
        <FormFault of={form} fields={FIELDS} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" class="button primary" disabled={form.isBusy}>
            Add the seed
          </button>
        </div>
      </form>
    </Dialog>
  );
}
