/** Mailboxes whose simulated server refuses the login. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { can } from "../../lib/session.ts";
import { FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Loaded } from "../../parts/page.tsx";
import { toast } from "../../parts/toasts.tsx";

export function Logins({ refused }: { refused: readonly string[] }) {
  const selected = useSignal<ReadonlySet<string>>(new Set(refused));
  const accounts = useData(() => api().listAccounts(), ["account"]);
  const work = useSubmission();
  const set = (id: string, isRefused: boolean) => {
    const before = selected.peek();
    const next = new Set(before);
    next[isRefused ? "add" : "delete"](id);
    selected.value = next;
    work.submit(async () => {
      try {
        await api().patchSandboxSettings({ body: { faults: { auth_failures: [...next] } } });
      } catch (error) {
        selected.value = before;
        throw error;
      }
      toast(isRefused ? "Its login is now rejected" : "Its login works again");
    });
  };
  return (
    <Loaded data={accounts}>
      {({ data }) =>
        data.length > 0 && (
          <fieldset class="picks" disabled={work.isBusy || !can("sandbox:write")}>
            <legend>Reject logins for</legend>
            {data.map(({ id, email }) => (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={selected.value.has(id)}
                  onChange={({ currentTarget }) => set(id, currentTarget.checked)}
                />
                {email}
              </label>
            ))}
            <FormFault of={work} fields={[]} />
          </fieldset>
        )
      }
    </Loaded>
  );
}
