/** Mailboxes whose simulated server refuses the login. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { can } from "../../lib/session.ts";
import { FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Loaded } from "../../parts/page.tsx";
import { say } from "../../parts/toasts.tsx";

export function Logins({ refused }: { refused: readonly string[] }) {
  const chosen = useSignal<ReadonlySet<string>>(new Set(refused));
  const accounts = useData(() => api().listAccounts(), ["account"]);
  const work = useSubmission();
  const set = (id: string, isRefused: boolean) => {
    const before = chosen.peek();
    const next = new Set(before);
    next[isRefused ? "add" : "delete"](id);
    chosen.value = next;
    work.submit(async () => {
      try {
        await api().patchSandboxSettings({ body: { faults: { auth_failures: [...next] } } });
      } catch (error) {
        chosen.value = before;
        throw error;
      }
      say(isRefused ? "Its login is now rejected" : "Its login works again");
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
                  checked={chosen.value.has(id)}
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
