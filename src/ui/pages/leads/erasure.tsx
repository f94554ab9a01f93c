/** The receipt of an erasure, where the lead was. */

import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, words } from "../../lib/format.ts";
import { Card, Loaded, Page } from "../../parts/page.tsx";
import { When } from "../../parts/when.tsx";

function loadReceipt(id: string) {
  return api().getErasure({ id });
}

export function ErasurePage({ id }: { id: string }) {
  const found = useData(() => loadReceipt(id), ["lead"]);
  return (
    <Page title="Erased person" about="Nothing names this person anymore">
      <Loaded data={found} lines={8}>
        {(receipt) => <Receipt of={receipt} />}
      </Loaded>
    </Page>
  );
}

function Receipt({ of }: { of: Awaited<ReturnType<typeof loadReceipt>> }) {
  const removed = Object.entries(of.removed).filter(([, number]) => number > 0);
  const told = of.webhooks.filter(({ status }) => status === "succeeded").length;
  return (
    <div class="stack">
      <Card title="Receipt">
        <dl class="pairs">
          <dt>Asked for</dt>
          <dd>
            <When at={of.asked_at} isWall />
          </dd>
          <dt>Erased</dt>
          <dd>
            <When at={of.erased_at} isWall />
          </dd>
          <dt>Out of all files</dt>
          <dd>{of.completed_at === null ? "Soon" : <When at={of.completed_at} isWall />}</dd>
          {of.erased_again.map(({ erased_at }) => (
            <>
              <dt>Erased again after a restore</dt>
              <dd>
                <When at={erased_at} isWall />
              </dd>
            </>
          ))}
          {removed.map(([kind, number]) => (
            <>
              <dt>{words(kind)} removed</dt>
              <dd>{count(number)}</dd>
            </>
          ))}
          <dt>Address</dt>
          <dd>{of.suppressed ? "Suppressed; only a hash remains" : "Only a hash remains"}</dd>
          <dt>Webhooks notified</dt>
          <dd>
            {of.webhooks.length === 0
              ? "None to notify"
              : `${count(told)} of ${count(of.webhooks.length)}`}
          </dd>
          <dt>Receipt ID</dt>
          <dd>
            <code>{of.id}</code>
          </dd>
        </dl>
      </Card>
      {of.copies.length > 0 && (
        <Card title="Backups that still have this person">
          <ul>
            {of.copies.map(({ name, kept_until }) => (
              <li key={name}>
                <code>{name}</code>:{" "}
                {kept_until === null ? (
                  "until you delete it"
                ) : (
                  <>
                    until <When at={kept_until} isWall />
                  </>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}
