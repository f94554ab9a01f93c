/** Tags of leads, campaigns and mailboxes: given and taken away. */

import { readTags, TAG_NAMES_MAX, TAGS_MAX, type TagKind } from "#domain/campaigns/tag.ts";
import { invalid } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { addTag, isTagKnown, removeTag, tagNames, tagsOf } from "#store/campaigns/tags.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { audit } from "#usecases/events/record.ts";

export interface TagChange {
  add: readonly string[];
  remove: readonly string[];
}

/** What one thing has, normalized, and what it is to have. */
export interface Tagged {
  id: Id;
  tags: string[];
}

/**
 * Adds and removes tags of several things of one kind, whose ids the caller has checked. Inside a commit.
 * Throws `validation_error` for what is no tag, and where there would be too many, by the name of its field.
 */
export function changeTags(
  env: Environment,
  caller: Caller,
  kind: TagKind,
  { ids, ...change }: { ids: readonly Id[] } & TagChange,
  fields = { add: "add", remove: "remove" },
): Tagged[] {
  const add = readTags(change.add, fields.add);
  const remove = readTags(change.remove, fields.remove);
  return ids.map((id) => {
    const before = tagsOf(env.db, id);
    const kept = before.filter((name) => !remove.includes(name));
    return {
      id,
      tags: writeTags(env, caller, { kind, id, before }, [...kept, ...add], fields.add),
    };
  });
}

/** As requests call them that change more than tags. */
export const TAG_FIELDS = { add: "add_tags", remove: "remove_tags" };

/** Makes the tags of one thing what is given. Throws as {@link changeTags} does, naming `tags`. */
export function setTags(
  env: Environment,
  caller: Caller,
  { kind, id }: { kind: TagKind; id: Id },
  tags: readonly string[],
): string[] {
  const before = tagsOf(env.db, id);
  return writeTags(env, caller, { kind, id, before }, readTags(tags, "tags"), "tags");
}

function writeTags(
  env: Environment,
  caller: Caller,
  { kind, id, before }: { kind: TagKind; id: Id; before: string[] },
  wanted: readonly string[],
  field: string,
): string[] {
  const after = [...new Set(wanted)].sort();
  if (after.length > TAGS_MAX) {
    throw invalid(field, `would make ${after.length} tags; one ${kind} has at most ${TAGS_MAX}`);
  }
  for (const name of before.filter((one) => !after.includes(one))) {
    removeTag(env.db, id, name);
  }
  for (const name of after.filter((one) => !before.includes(one))) {
    ensureNameFits(env, caller, kind, name, field);
    addTag(env.db, { teamId: caller.teamId, kind, targetId: id }, name);
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    const [was, is] = [{ tags: before }, { tags: after }];
    audit(env, caller, { action: `${kind}.tag`, target: `${kind}:${id}`, before: was, after: is });
  }
  return after;
}

function ensureNameFits(
  env: Environment,
  caller: Caller,
  kind: TagKind,
  name: string,
  field: string,
): void {
  if (
    !isTagKnown(env.db, caller.teamId, kind, name) &&
    tagNames(env.db, caller.teamId, kind).length >= TAG_NAMES_MAX
  ) {
    throw invalid(
      field,
      `the team has ${TAG_NAMES_MAX} different tags of ${kind}s, the most there can be`,
    );
  }
}
