/** A link under which people without an account read an experiment's report: made, copied, revoked. */

import { useSignal } from "@preact/signals";
import type { ExperimentDetail } from "#client.ts";
import { api } from "../../lib/api.ts";
import { date } from "../../lib/format.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { Secret } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";

export function Share({ detail, reload }: { detail: ExperimentDetail; reload: () => void }) {
  const isOpen = useSignal(false);
  const turn = () => {
    isOpen.value = !isOpen.value;
  };
  return (
    <>
      <Button onClick={turn}>Share report</Button>
      {isOpen.value && (
        <Dialog title="Share report" onClose={turn}>
          <Link detail={detail} reload={reload} />
          <div class="actions">
            <Button onClick={turn}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Link({ detail: { id, share }, reload }: { detail: ExperimentDetail; reload: () => void }) {
  const create = (includes_texts: boolean) => () =>
    api().shareExperiment({ id, body: { includes_texts } }).then(reload);
  if (share === null) {
    return (
      <>
        <p>
          Anyone with the link can read the counts, rates, and verdict for 30 days, without signing
          in. Leads and addresses aren’t shown.
        </p>
        <div class="actions">
          <Act label="Create link with email texts" run={create(true)} />
          <Act label="Create link" look="primary" run={create(false)} />
        </div>
      </>
    );
  }
  return (
    <>
      <p>
        Works until {date(share.expires_at)}
        {share.includes_texts && ", and shows the email texts"}.
      </p>
      <Secret label="Link" value={new URL(share.url, location.href).href} />
      <Act
        label="Revoke link"
        look="danger"
        done="Link revoked"
        run={() => api().unshareExperiment({ id }).then(reload)}
      />
    </>
  );
}
