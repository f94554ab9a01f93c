/** The progress of one import, as server-sent events: the record each time that it has changed. */

import { enterStream, mayStillRead } from "#api/events/stream.ts";
import type { Caller, Environment } from "#environment.ts";
import { importById } from "#store/leads/imports.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { presentImport } from "./schema.ts";

const GOING_ON: readonly string[] = ["running", "undoing"];

/** Ends when the import has; throws `rate_limit_exceeded` where there are too many streams. */
export function streamImport(env: Environment, caller: Caller, id: Id): Response {
  const leave = enterStream(env, caller.teamId);
  let rouse: () => void = () => undefined;
  let isOver = false;
  let told = "";
  const stopListening = env.feed.subscribe(caller.teamId, () => rouse());
  const over = () => {
    if (!isOver) {
      isOver = true;
      stopListening();
      leave();
      rouse();
    }
  };
  /** The record where it has changed since it was last told; null where it has not. */
  const news = () => {
    const row = importById(env.db, id);
    const text = row === undefined ? "" : JSON.stringify(presentImport(row));
    const isEnd = row === undefined || !GOING_ON.includes(row.status);
    const isNew = text !== "" && text !== told;
    told = text;
    return { text: isNew ? `event: import\ndata: ${text}\n\n` : null, isEnd };
  };
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        for (;;) {
          const { text, isEnd } = news();
          if (text !== null) {
            controller.enqueue(encoder.encode(text));
          }
          if (isOver || isEnd || env.feed.isClosed || !mayStillRead(env, caller)) {
            over();
            controller.close();
            return;
          }
          if (text !== null) {
            return;
          }
          await new Promise<void>((resolve) => {
            rouse = resolve;
          });
        }
      },
      cancel: over,
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
  });
}
