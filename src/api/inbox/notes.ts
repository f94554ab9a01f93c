/** `/inbox/threads/{id}/notes`: what colleagues tell each other about a conversation. */

import { Type } from "@sinclair/typebox";
import { DRY_RUN, type Environments, resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { CreatedAt, Documented, Id, IdOf, Nullable, Shape } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { create, remove } from "#api/write.ts";
import type { Environment } from "#environment.ts";
import { notesOf } from "#store/inbox/notes.ts";
import type { ThreadNoteRow } from "#store/tables/inbox.ts";
import {
  addNote,
  deleteNote,
  MENTIONS_MAX,
  NOTE_CHARS_MAX,
  NOTES_MAX,
} from "#usecases/inbox/notes.ts";
import { requireThread } from "#usecases/inbox/threads.ts";
import { actorName } from "#usecases/team/actors.ts";
import { memberOf } from "./members.ts";
import { ThreadParams } from "./schema.ts";

const Mentions = Type.Array(Id, {
  maxItems: MENTIONS_MAX,
  description: "Ids of the members it mentions, who find the conversation by `mentions`",
  examples: [["01952c6a-4000-7000-8000-000000000100"]],
});
const Body = Type.String({
  minLength: 1,
  maxLength: NOTE_CHARS_MAX,
  pattern: "\\S",
  description: "Plain text",
  examples: ["@Ann you know them: who decides there?"],
});

const Note = Shape({
  id: IdOf("The note's id"),
  thread_id: IdOf("Conversation that it is about"),
  author: Type.String({
    description: "Who wrote it: `user:<id>`, `key:<id>`, `operator`",
    examples: ["user:01952c6a-4000-7000-8000-000000000100"],
  }),
  author_name: Nullable(
    Type.String({ description: "Current name of the user or the key; null for the others" }),
  ),
  body: Body,
  mentions: Mentions,
  created_at: CreatedAt,
});
const NoteList = Shape({
  data: Type.Array(Note, { description: `All notes, oldest first; at most ${NOTES_MAX}` }),
});
const NoteCreate = Shape({
  body: Body,
  mentions: Type.Optional(Documented(Mentions, { default: [] })),
});
const NoteParams = Shape({ id: ThreadParams.properties.id, noteId: IdOf("The note's id") });
const NoQuery = Shape({});

export function noteRoutes(environments: Environments) {
  const shown = (env: Environment, row: ThreadNoteRow) => {
    const actor = { teamId: row.teamId, actor: row.author };
    return present(Note, { ...row, authorName: actorName(environments.live, env, actor) });
  };
  return resource("inbox", "/inbox/threads/:id/notes")
    .get(
      "",
      ({ env, caller, params, request }) => {
        readQuery(NoQuery, request);
        const { id } = requireThread(env, caller, params.id);
        return { data: notesOf(env.db, id).map((row) => shown(env, row)) };
      },
      {
        params: ThreadParams,
        response: { 200: NoteList },
        detail: {
          summary: "List notes",
          description:
            "Returns what your team has noted on a conversation. Recipients never see it.",
          ...queryOf(NoQuery),
        },
      },
    )
    .post(
      "",
      (context) =>
        create(
          context,
          () => {
            const { env, caller, params, body } = context;
            const mentions = (body.mentions ?? []).map((id, at) =>
              memberOf(environments, caller, id, `mentions.${at}`),
            );
            return shown(env, addNote(env, caller, params.id, { body: body.body, mentions }));
          },
          ({ thread_id }) => `/inbox/threads/${thread_id}/notes`,
        ),
      {
        params: ThreadParams,
        body: NoteCreate,
        response: { 201: Note },
        detail: {
          ...DRY_RUN,
          summary: "Add a note",
          description: `Notes something on a conversation for your team. A conversation may have ${NOTES_MAX} notes.`,
        },
      },
    )
    .delete(
      "/:noteId",
      (context) =>
        remove(context, () => {
          const { env, caller, params } = context;
          deleteNote(env, caller, params.id, params.noteId);
        }),
      {
        params: NoteParams,
        detail: {
          ...DRY_RUN,
          summary: "Delete a note",
          description: "Deletes a note that you wrote. An admin may delete any.",
        },
      },
    );
}
