/** Asks a model of the operator's about unclear replies, one at a time, beside everything else. */

import { askAbout, type ModelReading, readModel } from "#domain/inbox/model.ts";
import { messageOf } from "#domain/thrown.ts";
import { isAhead, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { Fetch } from "#platform/http/fetch.ts";
import { readAtMost } from "#platform/http/read-at-most.ts";
import { firstIdOf } from "#platform/ids.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { labelByModel, nextSilent, type Silent } from "#usecases/inbox/model.ts";
import type { Worker } from "./worker.ts";

/** How a model is asked. */
export interface ReplyModel {
  url: string;
  name: string;
  key: string | null;
  fetch: Fetch;
  /** Ends what is under way. */
  signal: AbortSignal;
}

const ASK_MS_MAX = 30 * SECOND_MS;
const BYTES_MAX = 64 * 1024;
/** After one that could not be asked. */
const PAUSE_MS = MINUTE_MS;
/** Those that came before a start are asked about if they are no older. */
const BACK_MS = 15 * MINUTE_MS;

export function replyModelWorker(env: Environment, model: ReplyModel): Worker {
  let lookedTo: Id | undefined;
  let pausedUntil: UnixMs | undefined;
  let trouble = "";
  const label = async (silent: Silent, body: object, now: UnixMs): Promise<void> => {
    try {
      const said = await askModel(model, body);
      trouble = "";
      if (said !== null) {
        await env.commit(() => labelByModel(env, silent, said));
      }
    } catch (error) {
      // As if there were none: the reply stays without a label.
      pausedUntil = plus(now, PAUSE_MS);
      const cause = messageOf(error);
      if (cause !== trouble) {
        env.log.warn("the model for replies could not be asked", { cause });
      }
      trouble = cause;
    }
  };
  return {
    name: "reply model",
    step: async (now) => {
      if (isAhead(pausedUntil, now, PAUSE_MS)) {
        return pausedUntil;
      }
      const before = lookedTo ?? firstIdOf(plus(now, -BACK_MS));
      const next = nextSilent(env, before);
      lookedTo = next.lookedTo;
      const body = next.found && askAbout(next.found.mail.text, model.name);
      if (next.found !== null && body !== null) {
        await label(next.found, body, now);
      }
      // Whatever is stored next rouses it.
      return lookedTo === before ? undefined : now;
    },
  };
}

/** Null where it is unsure. Throws where it can't be asked. */
export async function askModel(
  { url, key, fetch, signal }: ReplyModel,
  body: object,
): Promise<ModelReading | null> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS_MAX)]),
  });
  const bytes = response.body === null ? null : await readAtMost(response.body, BYTES_MAX);
  if (!response.ok || bytes === null) {
    throw new Error(`it returned status ${response.status}, or too much`);
  }
  return readModel(new TextDecoder().decode(bytes));
}
