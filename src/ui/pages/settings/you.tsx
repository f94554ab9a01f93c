/** Who is signed in: where else, and by what. */

import { useData } from "../../lib/data.ts";
import { words } from "../../lib/format.ts";
import { canNotify, isNotifying, setNotifying } from "../../lib/notify.ts";
import { env } from "../../lib/route.ts";
import { consoleRequest, session, signOut } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Loaded, Page, Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { toast, told } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { browserOf } from "./browser-name.ts";
import { Digest } from "./digest.tsx";
import { SignInMethods } from "./sign-in-methods.tsx";

interface OwnSession {
  id: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
  current: boolean;
}

/** Nothing where the browser can't: without TLS, say. */
function Notifications() {
  return canNotify ? (
    <Card title="Notifications">
      <label class="choice">
        <input
          type="checkbox"
          checked={isNotifying.value}
          onChange={({ currentTarget }) => {
            void setNotifying(currentTarget.checked).then((isAllowed) => {
              currentTarget.checked = isNotifying.peek();
              if (!isAllowed) {
                toast("Your browser blocks notifications from this site; allow them there first");
              }
            });
          }}
        />{" "}
        Tell me about replies on this computer while the console is in the background
      </label>
    </Card>
  ) : null;
}

export function YouPage() {
  const sessions = useData(() => consoleRequest<{ data: OwnSession[] }>("GET", "sessions"));
  const user = session.value?.user;
  const end = async (id: string) => {
    await told(consoleRequest("DELETE", `sessions/${id}`), "Session ended");
    sessions.reload();
  };
  return (
    <Page
      title="You"
      about={user === undefined ? "" : `${user.name} · ${user.email} · ${words(user.role)}`}
      actions={<Button onClick={signOut}>Sign out</Button>}
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
                        {current && <Pill tone="brand">This browser</Pill>}
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
                          <Button look="plain compact danger" onClick={() => void end(id)}>
                            End session
                          </Button>
                        </div>
                      ),
                  },
                ]}
              />
            )}
          </Loaded>
        </Card>
        <Notifications />
        {/* The sandbox writes to nobody. */}
        {env.value === "live" && <Digest />}
        <SignInMethods />
      </div>
    </Page>
  );
}
