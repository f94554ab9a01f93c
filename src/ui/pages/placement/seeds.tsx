/** Seed mailboxes: the team's own, in which test emails are looked for. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { count } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { Card, Empty, Loaded, Page, Pill, type Tone } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { providerName } from "../accounts/words.ts";
import { AddSeed } from "./seed-form.tsx";

const SEEDS_MAX = 100;

const CURL = curl("POST", "/placement/seeds", {
  email: "our.seed@gmail.com",
  imap: { password: "…" },
});

const STATUSES: Readonly<Record<string, [tone: Tone, word: string]>> = {
  active: ["good", "Active"],
  paused: ["warn", "Paused"],
  error: ["bad", "Login rejected"],
};

export function SeedsPage() {
  const isAdding = useSignal(false);
  const seeds = useData(() => api().listPlacementSeeds({ limit: SEEDS_MAX }), ["placement"]);
  const add = can("placement:write") && (
    <Button
      look="primary"
      onClick={() => {
        isAdding.value = true;
      }}
    >
      Add seed
    </Button>
  );
  return (
    <Page
      title="Seed mailboxes"
      about="Your own mailboxes at the providers your leads use"
      actions={add}
    >
      <Card flush>
        <Loaded data={seeds}>
          {({ data, total }) =>
            data.length === 0 ? (
              <Empty icon="placement" title="No seed mailboxes yet" curl={CURL} action={add}>
                Create mailboxes at Google, Microsoft, Yahoo, and other providers, then add them
                here. Test emails go to these mailboxes, never to leads.
              </Empty>
            ) : (
              <>
                <Table
                  label="Seed mailboxes"
                  rows={data}
                  columns={[
                    {
                      title: "Mailbox",
                      cell: (seed) => (
                        <>
                          {seed.email}
                          {seed.last_error && <p class="fault small">{seed.last_error}</p>}
                        </>
                      ),
                    },
                    { title: "Provider", cell: ({ provider }) => providerName(provider) },
                    {
                      title: "Status",
                      cell: ({ status }) => {
                        const [tone, word] = STATUSES[status] ?? ["plain", status];
                        return <Pill tone={tone}>{word}</Pill>;
                      },
                    },
                    { title: "Spam folder", cell: ({ junk_folder }) => junk_folder ?? "–" },
                    {
                      title: "Last checked",
                      cell: ({ last_looked_at }) => <When at={last_looked_at} />,
                    },
                    ...(can("placement:write")
                      ? [
                          {
                            title: "Actions",
                            cell: (seed: (typeof data)[number]) => (
                              <SeedActions seed={seed} reload={seeds.reload} />
                            ),
                            isFigure: true,
                          },
                        ]
                      : []),
                  ]}
                />
                <p class="quiet small long-foot">{count(total)} total</p>
              </>
            )
          }
        </Loaded>
      </Card>
      {isAdding.value && (
        <AddSeed
          onClose={() => {
            isAdding.value = false;
          }}
          onAdded={seeds.reload}
        />
      )}
    </Page>
  );
}

function SeedActions(props: {
  seed: { id: string; email: string; status: string };
  reload: () => void;
}) {
  const { seed, reload } = props;
  const { id } = seed;
  const isPaused = seed.status === "paused";
  const turn = () =>
    api().patchPlacementSeed({ id, body: { status: isPaused ? "active" : "paused" } });
  return (
    <div class="actions end">
      <Act
        label="Test"
        look="compact"
        run={async () => {
          const result = await api().testPlacementSeed({ id });
          toast(result.ok ? `${seed.email}: login works` : `${seed.email}: ${result.error}`);
          reload();
        }}
      />
      <Act label={isPaused ? "Resume" : "Pause"} look="compact" run={() => turn().then(reload)} />
      <Act
        label="Delete"
        look="compact danger"
        done="Seed deleted"
        run={() => api().deletePlacementSeed({ id }).then(reload)}
        asks={{ title: `Delete ${seed.email}?`, action: "Delete seed" }}
      >
        Future runs leave it out. Its past results stay.
      </Act>
    </div>
  );
}
