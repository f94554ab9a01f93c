/** API keys of the environment on show: made, shown once, replaced, revoked. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { date, plural, words } from "../../lib/format.ts";
import { env, filter, setFilters } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { OnceDialog } from "../../parts/copy.tsx";
import { Card, Empty, Loaded, Page, Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { toastError, told } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { KeyForm } from "./key-form.tsx";

interface Key {
  id: string;
  name: string;
  last4: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

export function KeysPage() {
  const keys = useData(() => api().listKeys({ limit: 100 }));
  const made = useSignal<string | undefined>(undefined);
  const isNew = filter("new") === "1" && can("keys:write");
  const showsRevoked = filter("revoked") === "1";
  const create = () => setFilters({ new: "1" });
  const button = can("keys:write") && (
    <Button look="primary" onClick={create}>
      Create key
    </Button>
  );
  return (
    <Page
      title="API keys"
      about={`For programs that use the API. ${env.value === "test" ? "These are sandbox keys and never touch live data" : "These are live keys"}.`}
      actions={button}
    >
      <Card flush>
        <Loaded data={keys}>
          {({ data }) => {
            const shown = data.filter((key) => showsRevoked || key.revoked_at === null);
            return (
              <>
                {shown.length === 0 ? (
                  <Empty
                    icon="developers"
                    title="No active API keys"
                    action={button}
                    curl={curl("POST", "/keys", { name: "CRM" })}
                  >
                    A key lets a program use the API, within the access you give it.
                  </Empty>
                ) : (
                  <KeyTable
                    keys={shown}
                    reload={keys.reload}
                    onMade={(key) => (made.value = key)}
                  />
                )}
                <RevokedChoice of={data} isOn={showsRevoked} />
              </>
            );
          }}
        </Loaded>
      </Card>
      {isNew && (
        <KeyForm
          onClose={() => setFilters({ new: "" })}
          onMade={(key) => {
            setFilters({ new: "" });
            made.value = key;
            keys.reload();
          }}
        />
      )}
      {made.value !== undefined && (
        <MadeKey value={made.value} onClose={() => (made.value = undefined)} />
      )}
    </Page>
  );
}

interface Made {
  reload: () => void;
  onMade: (key: string) => void;
}

function KeyTable({ keys, ...made }: Made & { keys: readonly Key[] }) {
  return (
    <Table
      label="API keys"
      rows={keys}
      columns={[
        { title: "Name", cell: ({ name }) => <strong class="plain-strong">{name}</strong> },
        { title: "Ends in", cell: ({ last4 }) => <code>…{last4}</code> },
        { title: "Access", cell: ({ scopes }) => words(scopes.map(scopeName).join(", ")) },
        { title: "Status", cell: (key) => <KeyState of={key} /> },
        { title: "Created", cell: ({ created_at }) => <When at={created_at} isWall /> },
        {
          title: "Last used",
          cell: ({ last_used_at }) =>
            last_used_at === null ? "Never" : <When at={last_used_at} isWall />,
        },
        {
          title: "Actions",
          cell: (key) =>
            key.revoked_at === null && can("keys:write") && <KeyActions of={key} {...made} />,
        },
      ]}
    />
  );
}

function KeyState({ of: { revoked_at, expires_at } }: { of: Key }) {
  if (revoked_at !== null) {
    return <Pill tone="bad">Revoked</Pill>;
  }
  if (expires_at === null) {
    return <Pill tone="good">Active</Pill>;
  }
  const isOver = Date.parse(expires_at) <= Date.now();
  return (
    <Pill tone={isOver ? "bad" : "warn"}>
      {isOver ? "Expired" : "Expires"} {date(expires_at)}
    </Pill>
  );
}

/** `campaigns:read` is "read campaigns". */
function scopeName(scope: string): string {
  const [resource = "", access] = scope.split(":");
  if (access !== undefined) {
    return `${access} ${resource}`;
  }
  return (
    { admin: "full access", write: "read and write", read: "read", operator: "manage all teams" }[
      resource
    ] ?? words(resource)
  );
}

function RevokedChoice({ of, isOn }: { of: readonly Key[]; isOn: boolean }) {
  const revoked = of.filter(({ revoked_at }) => revoked_at !== null).length;
  return revoked === 0 ? null : (
    <p class="card-foot">
      <Button
        look="plain compact"
        aria-pressed={isOn}
        onClick={() => setFilters({ revoked: isOn ? "" : "1" })}
      >
        {isOn ? "Hide revoked keys" : `Show ${plural(revoked, "revoked key")}`}
      </Button>
    </p>
  );
}

function MadeKey({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <OnceDialog title="Copy your API key" label="API key" value={value} onClose={onClose}>
      You won’t see this key again: Outrider stores only its fingerprint.
    </OnceDialog>
  );
}

function KeyActions({ of: { id, name }, reload, onMade }: Made & { of: Key }) {
  const labelled = (verb: string) => (
    <>
      {verb}
      <span class="unseen"> {name}</span>
    </>
  );
  const rotate = async () => {
    onMade((await api().rotateKey({ id, body: {} })).key);
  };
  return (
    <div class="row-actions">
      <Act
        label={labelled("Rotate")}
        look="plain compact"
        run={() => rotate().catch(toastError).then(reload)}
        asks={{ title: `Rotate ${name}?`, action: "Rotate key" }}
      >
        You get a new key with the same access. The old one works for another day, so you have time
        to switch.
      </Act>
      <Act
        label={labelled("Revoke")}
        look="plain compact danger"
        run={() => told(api().deleteKey({ id }), `${name} revoked`).then(reload)}
        asks={{ title: `Revoke ${name}?`, action: "Revoke key" }}
      >
        Its next request is refused. You can’t restore a revoked key.
      </Act>
    </div>
  );
}
