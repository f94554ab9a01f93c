/** Who is signed in: where else, and with which password. */

import { useSignal } from "@preact/signals";
import { useData } from "../../lib/data.ts";
import { words } from "../../lib/format.ts";
import { knock, session, signOut } from "../../lib/session.ts";
import { Field, FormFault, useSubmission } from "../../parts/form.tsx";
import { Card, Loaded, Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { say } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { SettingsPage } from "./frame.tsx";

interface Own {
  id: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
  current: boolean;
}

export function YouPage() {
  const sessions = useData(() => knock<{ data: Own[] }>("GET", "sessions"));
  const user = session.value?.user;
  const end = async (id: string) => {
    try {
      await knock("DELETE", `sessions/${id}`);
      say("That session has ended");
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
    sessions.reload();
  };
  return (
    <SettingsPage
      title="You"
      about={user === undefined ? "" : `${user.name} · ${user.email} · ${words(user.role)}`}
      actions={
        <button type="button" class="button" onClick={() => void signOut()}>
          Sign out
        </button>
      }
    >
      <div class="stack">
        <Card title="Where you are signed in" flush>
          <Loaded data={sessions}>
            {({ data }) => (
              <Table
                label="Sessions"
                rows={data}
                columns={[
                  {
                    title: "Browser",
                    cell: ({ user_agent, current }) => (
                      <span class="name-line" title={user_agent}>
                        {browserOf(user_agent)}
                        {current && <Pill tone="brand">This one</Pill>}
                      </span>
                    ),
                  },
                  {
                    title: "Signed in",
                    cell: ({ created_at }) => <When at={created_at} isWall />,
                  },
                  {
                    title: "Last seen",
                    cell: ({ last_seen_at }) => <When at={last_seen_at} isWall />,
                  },
                  {
                    title: "Actions",
                    cell: ({ id, current }) =>
                      !current && (
                        <div class="row-actions">
                          <button
                            type="button"
                            class="button plain compact danger"
                            onClick={() => void end(id)}
                          >
                            End it
                          </button>
                        </div>
                      ),
                  },
                ]}
              />
            )}
          </Loaded>
        </Card>
        <Password />
      </div>
    </SettingsPage>
  );
}

const BROWSERS = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)/, "Chrome"],
  [/Safari\//, "Safari"],
  [/curl\//, "curl"],
] as const;
const SYSTEMS = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
] as const;

/** "Firefox on Linux"; what it calls itself where that is not known. */
function browserOf(userAgent: string): string {
  const browser = BROWSERS.find(([sign]) => sign.test(userAgent))?.[1];
  const system = SYSTEMS.find(([sign]) => sign.test(userAgent))?.[1];
  const name = browser ?? (userAgent.slice(0, 60) || "Unknown browser");
  return system === undefined ? name : `${name} on ${system}`;
}

function Password() {
  const submission = useSubmission();
  const current = useSignal("");
  const password = useSignal("");
  const field = (
    label: string,
    name: string,
    value: { value: string },
    autocomplete: "current-password" | "new-password",
    hint?: string,
  ) => (
    <Field label={label} name={name} of={submission} hint={hint}>
      {(attributes) => (
        <input
          {...attributes}
          type="password"
          autocomplete={autocomplete}
          required={autocomplete === "new-password"}
          value={value.value}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value;
          }}
        />
      )}
    </Field>
  );
  return (
    <Card title="Password">
      <form
        class="stack form-narrow"
        onSubmit={(event) => {
          event.preventDefault();
          submission.submit(async () => {
            await knock("PATCH", "password", {
              current_password: current.value,
              password: password.value,
            });
            current.value = "";
            password.value = "";
            say("The password is changed; your other sessions have ended");
          });
        }}
      >
        {field("The one you have", "current_password", current, "current-password")}
        {field(
          "A new one",
          "password",
          password,
          "new-password",
          "Long is better than odd: a sentence will do",
        )}
        <FormFault of={submission} fields={["current_password", "password"]} />
        <div class="actions">
          <button type="submit" class="button primary" disabled={submission.isBusy}>
            Change the password
          </button>
        </div>
      </form>
    </Card>
  );
}
