/** `/inbox/folders`: how many conversations wait in each. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Count, OneOf, Shape } from "#api/schema.ts";
import { FOLDERS } from "#domain/inbox/folder.ts";
import { COUNTED_MAX, countFolders } from "#store/inbox/threads.ts";
import { userIdOf } from "#usecases/team/actors.ts";

export const InFolder = OneOf(FOLDERS, {
  description:
    "Where it is in the inbox: by its interest, else by its kind; `snoozed` until a time that someone set, `done` when someone is done with it",
});

const InboxFolderList = Shape({
  data: Type.Array(
    Shape({
      folder: InFolder,
      conversations: Count(`Conversations in it, counted up to ${COUNTED_MAX}`),
    }),
    { description: "All folders" },
  ),
  unread: Count(`Conversations with unread emails, counted up to ${COUNTED_MAX}`),
  mentioned: Count(
    `Open conversations with a note that mentions the person who asks, counted up to ${COUNTED_MAX}`,
  ),
  assigned: Count(
    `Open conversations assigned to the person who asks, counted up to ${COUNTED_MAX}; 0 for an API key`,
  ),
});

const NoQuery = Shape({});

export const folderRoutes = resource("inbox", "/inbox/folders").get(
  "",
  ({ env, caller, request }) => {
    readQuery(NoQuery, request);
    return countFolders(env.db, caller.teamId, userIdOf(caller.actor) ?? null);
  },
  {
    response: { 200: InboxFolderList },
    detail: {
      summary: "List folders",
      description: "Returns how many conversations each folder of the inbox has.",
      ...queryOf(NoQuery),
    },
  },
);
