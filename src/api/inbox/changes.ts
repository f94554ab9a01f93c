/** PATCH `/inbox/threads/{id}` and `/inbox/threads/bulk`: what people set on one conversation, or on many. */

import { Type } from "@sinclair/typebox";
import { Tags } from "#api/campaigns/tags/schema.ts";
import { DRY_RUN, type Environments, resource } from "#api/context.ts";
import { changes } from "#api/patch.ts";
import { Described, Shape, Id as Uuid } from "#api/schema.ts";
import { type Inner, read } from "#api/wire.ts";
import { act, patch } from "#api/write.ts";
import { invalid } from "#domain/problem.ts";
import type { Caller } from "#environment.ts";
import { findThread } from "#store/inbox/threads.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { changeTags, TAG_FIELDS } from "#usecases/campaigns/tags.ts";
import { patchThread, requireThread } from "#usecases/inbox/threads.ts";
import { memberOf } from "./members.ts";
import { presentThread, Thread, ThreadDetail, ThreadParams, ThreadPatch } from "./schema.ts";

const IDS_MAX = 100;

// What a conversation is has effects of its own, each to be looked at.
const { kind: _kind, ...shared } = ThreadPatch.properties;
const ThreadChange = Shape(shared, {
  description: "Fields to change, as in an update of one conversation",
});

const ThreadsChange = Shape({
  ids: Type.Array(Uuid, {
    minItems: 1,
    maxItems: IDS_MAX,
    description: "Conversations to change",
    examples: [["01952c6a-4000-7000-8000-000000000100"]],
  }),
  change: Type.Optional(ThreadChange),
  add_tags: Type.Optional(Described(Tags, "Tags to add")),
  remove_tags: Type.Optional(Described(Tags, "Tags to remove")),
});

const ThreadsChanged = Shape({
  data: Type.Array(Thread, { description: "The conversations as they are now, in your order" }),
});

export function threadChangeRoutes(environments: Environments) {
  /** Throws for who isn't a member, naming the field after `at`. */
  const checked = (caller: Caller, change: Inner<typeof ThreadPatch>, at: string) => {
    if (typeof change.assigneeId === "string") {
      memberOf(environments, caller, change.assigneeId, `${at}assignee_id`);
    }
    return change;
  };
  return resource("inbox", "/inbox/threads")
    .patch(
      "/:id",
      (context) => {
        const { env, caller, params, body } = context;
        return patch(
          context,
          ThreadPatch,
          () => presentThread(env.db, requireThread(env, caller, params.id)),
          () => {
            const change = checked(caller, read(ThreadPatch, body), "");
            return presentThread(env.db, patchThread(env, caller, params.id, change));
          },
        );
      },
      {
        ...changes(ThreadPatch, ThreadDetail),
        params: ThreadParams,
        response: { 200: Thread },
        detail: {
          ...DRY_RUN,
          summary: "Update a conversation",
          description:
            "Marks a conversation as read, unread or done, snoozes or assigns it, sets its interest, or " +
            "corrects its `kind`. A new kind takes back what the emails caused before (a sequence resumes where it was, a " +
            "suppression ends) and causes what emails of the new kind do.",
        },
      },
    )
    .post(
      "/bulk",
      (context) =>
        act(context, () => {
          const { env, caller, body } = context;
          const ids = [...new Set(body.ids.map((id) => id.toLowerCase()))];
          checkThreads(env.db, caller.teamId, ids);
          const { change = {} } = read(ThreadsChange, body);
          checked(caller, change, "change.");
          const tags = { add: body.add_tags ?? [], remove: body.remove_tags ?? [] };
          for (const id of ids) {
            patchThread(env, caller, id, change, "change.");
          }
          changeTags(env, caller, "thread", { ids, ...tags }, TAG_FIELDS);
          return {
            data: ids.map((id) => presentThread(env.db, requireThread(env, caller, id))),
          };
        }),
      {
        body: ThreadsChange,
        response: { 200: ThreadsChanged },
        detail: {
          ...DRY_RUN,
          summary: "Change many conversations",
          description:
            "Marks conversations as read or done, snoozes, assigns or tags them, or sets their interest: " +
            "all of them, or none where something is wrong.",
        },
      },
    );
}

function checkThreads(db: Db, teamId: Id, ids: readonly Id[]): void {
  const at = ids.findIndex((id) => findThread(db, teamId, id) === undefined);
  if (at !== -1) {
    throw invalid(`ids.${at}`, "must be one of the team's conversations");
  }
}
