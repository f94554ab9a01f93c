/** `/leads/tags`, `/campaigns/tags`, `/accounts/tags` and `/inbox/threads/tags`: words that a team sorts its records by. */

import type { AnyElysia } from "elysia";
import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { act } from "#api/write.ts";
import { parseTag, TAG_CHARS_MAX, type TagKind } from "#domain/campaigns/tag.ts";
import { invalid } from "#domain/problem.ts";
import type { ScopeResource } from "#domain/team/api-key.ts";
import { findCampaign } from "#store/campaigns/campaigns.ts";
import { tagNames, tagsOf } from "#store/campaigns/tags.ts";
import { findThread } from "#store/inbox/threads.ts";
import { findLead } from "#store/leads/leads.ts";
import { findAccount } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { changeTags } from "#usecases/campaigns/tags.ts";
import { TagChange, TagList, TagQuery, TagsChanged } from "./schema.ts";

type Finder = (db: Db, teamId: Id, id: Id) => object | undefined;

interface Tagged {
  kind: TagKind;
  resource: ScopeResource;
  /** Without the slash at its beginning. */
  path: string;
  /** Several of them, in words. */
  name: string;
  find: Finder;
}

function tagRoutes({ kind, resource: scope, path, name, find }: Tagged): AnyElysia {
  // One type for all: what a route's path is matters to no other route.
  const prefix: string = `/${path}/tags`;
  const check = (db: Db, teamId: Id, ids: readonly Id[]) => {
    for (const [at, id] of ids.entries()) {
      if (find(db, teamId, id) === undefined) {
        throw invalid(`ids.${at}`, `must be one of the team's ${name}`);
      }
    }
  };
  return resource(scope, prefix)
    .get(
      "",
      ({ env, caller, request }) => {
        const ids = idsOf(readQuery(TagQuery, request).ids);
        check(env.db, caller.teamId, ids);
        const data = ids.map((id) => ({ id, tags: tagsOf(env.db, id) }));
        return { names: tagNames(env.db, caller.teamId, kind), data };
      },
      {
        response: { 200: TagList },
        detail: {
          summary: `List tags of ${name}`,
          description: `Returns every tag that one of the team's ${name} has, and those of the records that you name.`,
          ...queryOf(TagQuery),
        },
      },
    )
    .post(
      "",
      (context) =>
        act(context, () => {
          const { env, caller, body } = context;
          const ids = [...new Set(body.ids.map((id) => id.toLowerCase()))];
          check(env.db, caller.teamId, ids);
          const change = { ids, add: body.add ?? [], remove: body.remove ?? [] };
          return { data: changeTags(env, caller, kind, change) };
        }),
      {
        body: TagChange,
        response: { 200: TagsChanged },
        detail: {
          summary: `Tag ${name}`,
          description: `Adds tags to ${name} and removes tags from them. Upper and lower case are the same tag; none contains a comma, a semicolon or a bar.`,
        },
      },
    );
}

const of = (kind: TagKind, name: "leads" | "campaigns" | "accounts", find: Finder) =>
  tagRoutes({ kind, resource: name, path: name, name, find });

export const leadTagRoutes = of("lead", "leads", findLead);
export const campaignTagRoutes = of("campaign", "campaigns", findCampaign);
export const accountTagRoutes = of("account", "accounts", findAccount);
export const threadTagRoutes = tagRoutes({
  kind: "thread",
  resource: "inbox",
  path: "inbox/threads",
  name: "conversations",
  find: findThread,
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function idsOf(text: string | undefined): Id[] {
  const ids = text === undefined ? [] : text.toLowerCase().split(",");
  const wrong = ids.find((id) => !UUID.test(id.trim()));
  if (wrong !== undefined) {
    throw invalid("ids", "must be ids, separated by commas");
  }
  return ids.map((id) => id.trim());
}

/** The tag that a list is filtered by, as it is stored. Throws `validation_error` for what is none. */
export function tagOf(text: string | undefined): string | undefined {
  const name = text === undefined ? undefined : parseTag(text);
  if (name === null) {
    throw invalid("tag", `must be 1 to ${TAG_CHARS_MAX} characters on one line, without , ; or |`);
  }
  return name;
}

/** The same as a term of a filter, to stand before others. */
export function tagTerm(tag: string | undefined): string {
  return tag === undefined ? "" : `tag="${tag.replaceAll(/["\\]/g, "\\$&")}" `;
}
