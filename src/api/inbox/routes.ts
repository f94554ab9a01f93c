/** `/inbox/threads` and `/messages`: what came back, and answering it. */

import { resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { tagged } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { act, create, patch } from "#api/write.ts";
import { searchPhrases } from "#domain/search-phrases.ts";
import { listThreads } from "#store/inbox/threads.ts";
import { type Found, findEither, rawOf, readConversation } from "#usecases/inbox/conversation.ts";
import { replyToThread } from "#usecases/inbox/reply.ts";
import { attachThread, ownThread, patchMail, patchThread } from "#usecases/inbox/threads.ts";
import { resolveMessage } from "#usecases/sending/doubt.ts";
import type { Caller, World } from "#world.ts";
import { cursorTo, readPlace } from "./cursor.ts";
import {
  Attach,
  checkNothingSet,
  Message,
  MessagePatch,
  mailOf,
  presentConversation,
  presentThread,
  Reply,
  Resolve,
  readMailPatch,
  sentOf,
  Thread,
  ThreadDetail,
  ThreadPage,
  ThreadPatch,
  ThreadQuery,
} from "./schema.ts";

export const threadRoutes = resource("inbox", "/inbox/threads")
  .get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(ThreadQuery, request);
      const { limit, offset } = query;
      const after = query.after === undefined ? undefined : readPlace(query.after);
      const filter = defined({
        unread: query.unread,
        kind: query.kind,
        interest: query.interest,
        campaignId: query.campaignId,
        accountId: query.accountId,
        phrases: query.search === undefined ? undefined : searchPhrases(query.search),
      });
      const range = { limit: limit + 1, offset, ...defined({ after }) };
      const { rows, total } = listThreads(world.db, caller.teamId, filter, range);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const hasMore = rows.length > limit;
      const next = hasMore && last !== undefined ? { at: last.lastMailAt, id: last.id } : null;
      const next_cursor = next === null ? null : cursorTo(next);
      return { data: page.map(presentThread), total, limit, offset, hasMore, next_cursor };
    },
    {
      response: { 200: ThreadPage },
      detail: {
        summary: "List conversations, the one with the newest mail first",
        ...queryOf(ThreadQuery),
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const { world, caller, params } = context;
      const body = presentConversation(readConversation(world, caller, params.id));
      return tagged(context, body, ThreadPatch);
    },
    {
      params: IdParams,
      response: { 200: ThreadDetail },
      detail: { summary: "A conversation, both sides, with what each mail was taken for and did" },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { world, caller, params, body } = context;
      return patch(
        context,
        ThreadPatch,
        () => presentThread(ownThread(world, caller, params.id)),
        () => presentThread(patchThread(world, caller, params.id, body)),
      );
    },
    {
      ...changes(ThreadPatch, ThreadDetail),
      params: IdParams,
      response: { 200: Thread },
      detail: {
        summary: "Mark a conversation read, say what it is, judge it",
        description:
          "Another `kind` takes back what its mails did as what they were (a sequence goes on from " +
          "where it was, a suppression ends) and does what they do as what they are",
      },
    },
  )
  .post(
    "/:id/reply",
    (context) =>
      create(
        context,
        () => {
          const { world, caller, params, body } = context;
          const message = replyToThread(world, caller, params.id, body);
          return presentFound(findEither(world, caller, message.id));
        },
        ({ id }) => `/messages/${id}`,
      ),
    {
      params: IdParams,
      body: Reply,
      response: { 201: Message },
      detail: {
        summary: "Answer by hand: in the thread, from the mailbox that was written to, at once",
        description:
          "Counted against the mailbox's limits and held by none of them, nor by a window. 409 where " +
          "the mailbox cannot send, and where the address is suppressed and has not written since",
      },
    },
  )
  .post(
    "/:id/attach",
    (context) =>
      act(context, () => {
        const { world, caller, params, body } = context;
        return presentThread(attachThread(world, caller, params.id, body.enrollment_id));
      }),
    {
      params: IdParams,
      body: Attach,
      response: { 200: Thread },
      detail: { summary: "Make an untracked conversation a lead's; its mails take effect" },
    },
  );

export const messageRoutes = resource("inbox", "/messages")
  .get("/:id", (context) => tagged(context, presentOne(context, context.params.id), MessagePatch), {
    params: IdParams,
    response: { 200: Message },
    detail: { summary: "A mail that came in, or a message of ours" },
  })
  .patch(
    "/:id",
    (context) => {
      const { world, caller, params, body } = context;
      return patch(
        context,
        MessagePatch,
        () => presentOne(context, params.id),
        (before) => {
          if (before.direction === "out") {
            checkNothingSet(body, before);
          } else {
            patchMail(world, caller, params.id, readMailPatch(body));
          }
          return presentOne(context, params.id);
        },
      );
    },
    {
      ...changes(MessagePatch, Message),
      params: IdParams,
      response: { 200: Message },
      detail: { summary: "Mark a mail read, or say what it is" },
    },
  )
  .post(
    "/:id/resolve",
    (context) =>
      act(context, () => {
        const { world, caller, params, body } = context;
        resolveMessage(world, caller, params.id, body.action);
        return presentOne(context, params.id);
      }),
    {
      params: IdParams,
      body: Resolve,
      response: { 200: Message },
      detail: {
        summary: "Decide about a message of ours that may or may not have been delivered",
        description:
          "An answer by hand, or an email of a sequence, also where its lead has ended. Sent again, it goes " +
          "from the same mailbox with the same Message-ID. 409 where the message is not unconfirmed, and " +
          "for `send_again` where its lead has ended or gone past the step",
      },
    },
  )
  .get(
    "/:id/raw",
    async ({ world, caller, params }) => {
      const { raw, sizeBytes } = await rawOf(world, caller, params.id);
      return new Response(Buffer.from(raw), {
        headers: {
          "Content-Type": "message/rfc822",
          "Content-Disposition": `attachment; filename="${params.id.toLowerCase()}.eml"`,
          ...(sizeBytes === null ? {} : { "Outrider-Partial-Of": String(sizeBytes) }),
        },
      });
    },
    {
      params: IdParams,
      detail: {
        summary: "A message as it came in, or as it is handed over",
        description:
          "Of a mail above 1 MiB only its headers and text were fetched; the header " +
          "`Outrider-Partial-Of` then says how many bytes the whole has",
        "x-errors": [409],
        responses: {
          200: {
            description: "The message",
            content: { "message/rfc822": { schema: { type: "string" } } },
          },
        },
      },
    },
  );

function presentOne({ world, caller }: { world: World; caller: Caller }, id: string): Message {
  return presentFound(findEither(world, caller, id));
}

function presentFound(found: Found): Message {
  const own = found.account?.email ?? "";
  return found.direction === "in"
    ? present(Message, mailOf(found.mail, found.effects, own))
    : present(Message, sentOf(found.message, own, found.tracking));
}
