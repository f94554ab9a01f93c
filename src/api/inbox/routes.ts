/** `/inbox/threads` and `/messages`: what came back, and replying to it. */

import type { Static } from "@sinclair/typebox";
import { tagOf } from "#api/campaigns/tags/routes.ts";
import { DRY_RUN, resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { withEtag } from "#api/etag.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { present, read } from "#api/wire.ts";
import { act, create, patch } from "#api/write.ts";
import { searchPhrases } from "#domain/search-phrases.ts";
import type { Caller, Environment } from "#environment.ts";
import { THREAD_LIST } from "#store/filter/lists.ts";
import { listThreads } from "#store/inbox/threads.ts";
import { resolveMessage } from "#usecases/delivery/unconfirmed.ts";
import { type Found, findEither, rawOf, readConversation } from "#usecases/inbox/conversation.ts";
import { forwardMail } from "#usecases/inbox/forward.ts";
import { replyToThread } from "#usecases/inbox/reply.ts";
import { attachThread, patchMail } from "#usecases/inbox/threads.ts";
import { cursorTo, readPlace } from "./cursor.ts";
import { checkNothingSet, readMailPatch } from "./mail-patch.ts";
import { Message, MessageParams, MessagePatch, mailOf, Resolve, sentOf } from "./message-schema.ts";
import {
  Attach,
  Forward,
  presentConversation,
  presentThread,
  Reply,
  Thread,
  ThreadDetail,
  ThreadPage,
  ThreadParams,
  ThreadPatch,
  ThreadQuery,
} from "./schema.ts";

export const threadRoutes = resource("inbox", "/inbox/threads")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof ThreadPage>> => {
      const query = readQuery(ThreadQuery, request);
      if (isFiltered(query)) {
        const found = await readFiltered(env, caller, THREAD_LIST, query);
        return { data: found.rows.map((row) => presentThread(env.db, row)), ...found.page };
      }
      const { limit, offset } = query;
      const after = query.after === undefined ? undefined : readPlace(query.after);
      const filter = defined({
        unread: query.unread,
        kind: query.kind,
        interest: query.interest,
        folder: query.folder,
        done: query.done,
        campaignId: query.campaignId,
        accountId: query.accountId,
        assigneeId: query.assigneeId,
        mentions: query.mentions,
        tag: tagOf(query.tag),
        phrases: query.search === undefined ? undefined : searchPhrases(query.search),
      });
      const range = { limit: limit + 1, offset, ...defined({ after }) };
      const { rows, total } = listThreads(env.db, caller.teamId, filter, range);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const hasMore = rows.length > limit;
      const next = hasMore && last !== undefined ? { at: last.lastMailAt, id: last.id } : null;
      const next_cursor = next === null ? null : cursorTo(next);
      return {
        data: page.map((row) => presentThread(env.db, row)),
        total,
        limit,
        offset,
        hasMore,
        next_cursor,
      };
    },
    {
      response: { 200: ThreadPage },
      detail: {
        summary: "List conversations",
        description:
          "Returns the conversations of all mailboxes, the one with the latest received email " +
          "first.",
        ...queryOf(ThreadQuery),
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const { env, caller, params } = context;
      const body = presentConversation(env.db, readConversation(env, caller, params.id));
      return withEtag(context, body, ThreadPatch);
    },
    {
      params: ThreadParams,
      response: { 200: ThreadDetail },
      detail: {
        summary: "Get a conversation",
        description:
          "Returns the emails sent and received, what each received email was classified as, and " +
          "what it caused.",
      },
    },
  )
  .post(
    "/:id/reply",
    (context) =>
      create(
        context,
        () => {
          const { env, caller, params, body } = context;
          const message = replyToThread(env, caller, params.id, read(Reply, body));
          return presentFound(env, findEither(env, caller, message.id));
        },
        ({ id }) => `/messages/${id}`,
      ),
    {
      params: ThreadParams,
      body: Reply,
      response: { 201: Message },
      detail: {
        ...DRY_RUN,
        summary: "Reply to a conversation",
        description:
          "Sends your reply in the thread, right away, from the mailbox that received it. It counts " +
          "against the mailbox's limits but is never stopped by them, nor by a send window. Refused " +
          "with 409 when the mailbox cannot send, and when the address is suppressed and has not " +
          "written since.",
      },
    },
  )
  .post(
    "/:id/forward",
    (context) =>
      create(
        context,
        () => {
          const { env, caller, params, body } = context;
          const message = forwardMail(env, caller, params.id, read(Forward, body));
          return presentFound(env, findEither(env, caller, message.id));
        },
        ({ id }) => `/messages/${id}`,
      ),
    {
      params: ThreadParams,
      body: Forward,
      response: { 201: Message },
      detail: {
        ...DRY_RUN,
        summary: "Forward a message",
        description:
          "Sends an email of the conversation to someone else, right away, from the conversation's " +
          "mailbox, with your words before it. What a received email had attached goes along as the " +
          "original. The lead's sequence and figures don't change, nor when the recipient replies. " +
          "Refused with 409 when the mailbox cannot send.",
      },
    },
  )
  .post(
    "/:id/attach",
    (context) =>
      act(context, () => {
        const { env, caller, params, body } = context;
        return presentThread(env.db, attachThread(env, caller, params.id, body.enrollment_id));
      }),
    {
      params: ThreadParams,
      body: Attach,
      response: { 200: Thread },
      detail: {
        ...DRY_RUN,
        summary: "Attach a conversation to a lead",
        description:
          "Makes an untracked conversation the lead's. Its emails take effect, as if they had been " +
          "matched when they were received.",
      },
    },
  );

export const messageRoutes = resource("inbox", "/messages")
  .get(
    "/:id",
    (context) => withEtag(context, presentOne(context, context.params.id), MessagePatch),
    {
      params: MessageParams,
      response: { 200: Message },
      detail: { summary: "Get a message", description: "Returns one email, sent or received." },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return patch(
        context,
        MessagePatch,
        () => presentOne(context, params.id),
        (before) => {
          if (before.direction === "out") {
            checkNothingSet(body, before);
          } else {
            patchMail(env, caller, params.id, readMailPatch(body));
          }
          return presentOne(context, params.id);
        },
      );
    },
    {
      ...changes(MessagePatch, Message),
      params: MessageParams,
      response: { 200: Message },
      detail: {
        ...DRY_RUN,
        summary: "Update a message",
        description:
          "Marks a received email as read or unread, or corrects its `kind`, as for a conversation.",
      },
    },
  )
  .post(
    "/:id/resolve",
    (context) =>
      act(context, () => {
        const { env, caller, params, body } = context;
        resolveMessage(env, caller, params.id, body.action);
        return presentOne(context, params.id);
      }),
    {
      params: MessageParams,
      body: Resolve,
      response: { 200: Message },
      detail: {
        ...DRY_RUN,
        summary: "Resolve an unconfirmed message",
        description:
          "Decides about an email whose connection broke before the server confirmed it: treat it " +
          "as sent, or send it again from the same mailbox with the same Message-ID. Works for " +
          "replies written by hand and for emails of a sequence, also after it has ended. Refused " +
          "with 409 when the message is not unconfirmed, and for `send_again` when the lead's " +
          "sequence has ended or has passed the step.",
      },
    },
  )
  .get(
    "/:id/raw",
    async ({ env, caller, params }) => {
      const { raw, sizeBytes } = await rawOf(env, caller, params.id);
      return new Response(Buffer.from(raw), {
        headers: {
          "Content-Type": "message/rfc822",
          "Content-Disposition": `attachment; filename="${params.id.toLowerCase()}.eml"`,
          ...(sizeBytes === null ? {} : { "Outrider-Partial-Of": String(sizeBytes) }),
        },
      });
    },
    {
      params: MessageParams,
      detail: {
        summary: "Download a message",
        description:
          "Returns the email in its original format, as it was received or sent. Of an email above " +
          "1 MiB only headers and text were fetched; the response header `Outrider-Partial-Of` then " +
          "gives the size of the whole in bytes.",
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

function presentOne({ env, caller }: { env: Environment; caller: Caller }, id: string): Message {
  return presentFound(env, findEither(env, caller, id));
}

function presentFound({ db }: Environment, found: Found): Message {
  const own = found.account?.email ?? "";
  return found.direction === "in"
    ? present(Message, mailOf(found.mail, found.effects, own))
    : present(Message, sentOf(db, [found.message])(found.message, own, found.tracking));
}
