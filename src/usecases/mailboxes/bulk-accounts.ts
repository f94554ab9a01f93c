/** Many mailboxes at once: each in a transaction of its own, so that one that is refused leaves the others. */

import { Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { changeTags, TAG_FIELDS, type TagChange } from "#usecases/campaigns/tags.ts";
import { patchAccount } from "./accounts.ts";

/** Why one was refused; its words name no value that was given. */
export interface Refusal {
  type: string;
  message: string;
  field: string | null;
}

/** Runs `change` in a transaction; what a caller did wrong is its result. */
export async function attempt<Result>(
  env: Environment,
  change: () => Result,
): Promise<{ done: Result } | { error: Refusal }> {
  try {
    return { done: await env.commit(change) };
  } catch (error) {
    if (error instanceof Problem) {
      const { type, message, field } = error;
      return { error: { type, message, field } };
    }
    throw error;
  }
}

export interface AccountsChange {
  fields: Parameters<typeof patchAccount>[3];
  tags: TagChange;
}

/** What became of each, in the order of `ids`; null: it is as was asked for. */
export async function changeAccounts(
  env: Environment,
  caller: Caller,
  ids: readonly Id[],
  { fields, tags }: AccountsChange,
): Promise<{ id: Id; error: Refusal | null }[]> {
  const results: { id: Id; error: Refusal | null }[] = [];
  for (const id of ids) {
    const made = await attempt(env, () => {
      patchAccount(env, caller, id, fields);
      changeTags(env, caller, "account", { ids: [id], ...tags }, TAG_FIELDS);
    });
    results.push({ id, error: "error" in made ? made.error : null });
  }
  return results;
}
