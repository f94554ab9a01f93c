/** What was deleted comes back: from the toast that says so, or from the list in the settings. */

import type { DeletedRecord } from "#client.ts";
import { api } from "../lib/api.ts";
import { go, to } from "../lib/route.ts";
import { toast, toastError } from "../parts/toasts.tsx";

type Deleted = Pick<DeletedRecord, "id" | "kind" | "name">;

const BACK: Readonly<
  Record<Deleted["kind"], { restore: (id: string) => Promise<unknown>; page: string; says: string }>
> = {
  campaign: {
    restore: (id) => api().restoreCampaign({ id }),
    page: "campaigns",
    says: "is back, as the draft it was.",
  },
  account: {
    restore: (id) => api().restoreAccount({ id }),
    page: "accounts",
    says: "is back and paused. Resume it once its connection is tested.",
  },
  webhook: {
    restore: (id) => api().restoreWebhook({ id }),
    page: "developers/webhooks",
    says: "is back. Events since it was deleted weren’t sent; resend them if you need them.",
  },
};

/** Leads to it, and never rejects. */
export async function restore({ id, kind, name }: Deleted): Promise<void> {
  const back = BACK[kind];
  try {
    await back.restore(id);
    toast(`${name} ${back.says}`);
    go(to(`${back.page}/${id}`));
  } catch (cause) {
    toastError(cause);
  }
}

/** Says that it is deleted, leads to the others of its kind, and offers to bring it back. */
export function sayDeleted(deleted: Deleted): void {
  go(to(BACK[deleted.kind].page));
  toast(`${deleted.name} deleted.`, { name: "Undo", run: () => void restore(deleted) });
}
