/** `/inbox/folders`: how many conversations wait in each. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Count, OneOf, Shape } from "#api/schema.ts";
import { FOLDERS } from "#domain/inbox/folder.ts";
import { COUNTED_MAX, countFolders } from "#store/inbox/threads.ts";

export const InFolder = OneOf(FOLDERS, {
  description:
    "Where it is in the inbox: by its interest, else by its kind; `done` when someone is done with it",
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
});

const NoQuery = Shape({});

export const folderRoutes = resource("inbox", "/inbox/folders").get(
  "",
  ({ env, caller, request }) => {
    readQuery(NoQuery, request);
    return countFolders(env.db, caller.teamId);
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
