/** Begins a run: which mailboxes write, to which seeds, and what the emails say. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, plural } from "../../lib/format.ts";
import { go, to } from "../../lib/route.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { Select } from "../../parts/form/input.tsx";
import { Empty, Loaded } from "../../parts/page.tsx";

const LIST_MAX = 100;

async function load() {
  const [accounts, seeds, campaigns] = await Promise.all([
    api().listAccounts(),
    api().listPlacementSeeds({ limit: LIST_MAX }),
    api().listCampaigns({ limit: LIST_MAX }),
  ]);
  return {
    accounts: accounts.data.filter(({ status, ready }) => status === "active" && ready),
    seeds: seeds.data.filter(({ status }) => status === "active"),
    campaigns: campaigns.data.filter(({ status }) => status !== "archived"),
  };
}

type Choices = Awaited<ReturnType<typeof load>>;

export function StartRun({ onClose }: { onClose: () => void }) {
  const choices = useData(load);
  return (
    <Dialog title="Start placement run" onClose={onClose}>
      <Loaded data={choices}>
        {(loaded) =>
          loaded.accounts.length === 0 || loaded.seeds.length === 0 ? (
            <Empty
              icon="placement"
              title={loaded.seeds.length === 0 ? "No seed mailboxes" : "No mailbox can send"}
              action={
                <a
                  class="button primary"
                  href={to(loaded.seeds.length === 0 ? "placement/seeds" : "accounts")}
                >
                  {loaded.seeds.length === 0 ? "Add seed" : "View mailboxes"}
                </a>
              }
            >
              {loaded.seeds.length === 0
                ? "A seed is one of your own mailboxes where Outrider looks for test emails."
                : "A mailbox must be active and connected to send."}
            </Empty>
          ) : (
            <StartForm choices={loaded} onClose={onClose} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function StartForm({ choices, onClose }: { choices: Choices; onClose: () => void }) {
  const { accounts, seeds, campaigns } = choices;
  const selected = useSignal<ReadonlySet<string>>(
    new Set([...accounts, ...seeds].map(({ id }) => id)),
  );
  const campaign = useSignal("");
  const form = useSubmission();
  const idsOf = (rows: readonly { id: string }[]) =>
    rows.map(({ id }) => id).filter((id) => selected.value.has(id));
  const [from, into] = [idsOf(accounts), idsOf(seeds)];
  return (
    <Form
      onSend={() =>
        form.submit(async () => {
          const run = await api().createPlacementRun({
            body: {
              account_ids: from,
              seed_ids: into,
              ...(campaign.value === "" ? {} : { campaign_id: campaign.value }),
            },
          });
          go(to(`placement/runs/${run.id}`));
        })
      }
    >
      <Choice legend="Send from" rows={accounts} selected={selected} />
      <Choice legend="Send to" rows={seeds} selected={selected} />
      <Select
        label="Content"
        name="campaign_id"
        of={form}
        hint="Uses the campaign’s first step, filled in for a sample lead"
        value={campaign.value}
        options={[["", "Neutral text"], ...campaigns.map(({ id, name }) => [id, name] as const)]}
        onPick={(id) => {
          campaign.value = id;
        }}
      />
      <FormFault of={form} fields={["campaign_id"]} />
      <div class="actions">
        <span class="quiet small">
          {plural(from.length * into.length, "email")}: {count(from.length)} × {count(into.length)}
        </span>
        <Button onClick={onClose}>Cancel</Button>
        <Submit of={form} isOff={from.length * into.length === 0}>
          Start run
        </Submit>
      </div>
    </Form>
  );
}

function Choice(props: {
  legend: string;
  rows: readonly { id: string; email: string }[];
  selected: { value: ReadonlySet<string> };
}) {
  const { legend, rows, selected } = props;
  return (
    <fieldset class="picks">
      <legend>{legend}</legend>
      {rows.map(({ id, email }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={selected.value.has(id)}
            onChange={({ currentTarget }) => {
              const next = new Set(selected.value);
              next[currentTarget.checked ? "add" : "delete"](id);
              selected.value = next;
            }}
          />
          {email}
        </label>
      ))}
    </fieldset>
  );
}
