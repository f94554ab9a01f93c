/** Campaigns, mailboxes, and webhooks that were deleted and can still be restored. */

import { useSignal } from "@preact/signals";
import type { DeletedRecord } from "#client.ts";
import { api } from "../../lib/api.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { LongTable } from "../../parts/long-table.tsx";
import { Card, Empty, Page } from "../../parts/page.tsx";
import { When } from "../../parts/when.tsx";
import { restore } from "../restore.ts";

const load = (offset: number) => api().listDeleted({ limit: 100, offset });

const KINDS = {
  campaign: { name: "Campaign", scope: "campaigns:write" },
  account: { name: "Mailbox", scope: "accounts:write" },
  webhook: { name: "Webhook", scope: "webhooks:write" },
} as const;

export function DeletedPage() {
  const turn = useSignal(0);
  const isEmpty = useSignal(false);
  const reload = () => {
    turn.value += 1;
  };
  return (
    <Page title="Deleted" about="What was deleted can be restored for 30 days">
      <Card flush title="Deleted campaigns, mailboxes, and webhooks">
        {isEmpty.value && (
          <Empty icon="inbox" title="Nothing to restore">
            Campaigns, mailboxes, and webhooks that you delete stay here for 30 days.
          </Empty>
        )}
        <div hidden={isEmpty.value}>
          <LongTable
            label="Deleted"
            load={async (offset) => {
              turn.value;
              const page = await load(offset);
              isEmpty.value = page.total === 0;
              return page;
            }}
            columns={[
              { title: "Name", cell: ({ name }) => <span dir="auto">{name}</span> },
              { title: "Kind", isMinor: true, cell: ({ kind }) => KINDS[kind].name },
              {
                title: "Deleted",
                isMinor: true,
                isFigure: true,
                cell: ({ deleted_at }) => <When at={deleted_at} />,
              },
              {
                title: "Gone for good",
                isMinor: true,
                isFigure: true,
                cell: ({ purge_at }) => <When at={purge_at} />,
              },
              {
                title: "Actions",
                track: [192, 0],
                cell: (row) => can(KINDS[row.kind].scope) && <Actions of={row} reload={reload} />,
              },
            ]}
          />
        </div>
      </Card>
    </Page>
  );
}

function Actions({ of, reload }: { of: DeletedRecord; reload: () => void }) {
  return (
    <div class="row-actions">
      <Act label="Restore" look="compact" run={() => restore(of).then(reload)} />
      <Act
        label="Delete for good"
        look="compact danger"
        done={`${of.name} is gone for good`}
        run={() => api().purgeDeleted({ id: of.id }).then(reload)}
        asks={{ title: `Delete ${of.name} for good?`, action: "Delete for good" }}
      >
        It can’t be restored any more.
        {of.kind === "account" && " Its credentials are forgotten."}
      </Act>
    </div>
  );
}
