/**
 * PATCH is a JSON merge patch (RFC 7396), and a record that was read may be sent back whole: fields that
 * only the engine moves are dropped unread, identity fields must be the record's own.
 */

import type { TObject } from "@sinclair/typebox";
import { invalidAll } from "#domain/problem.ts";
import type { RequestState } from "./context.ts";

interface PatchContext {
  body: unknown;
  state: RequestState;
}

const IDENTITY_FIELDS = ["id", "team_id", "campaign_id", "lead_id", "created_at"] as const;

/**
 * The body of a route that changes what `records` show: of their fields those that `patch` does not name
 * are taken out before it is validated.
 */
export function changes<Patch extends TObject>(patch: Patch, ...records: readonly TObject[]) {
  const readOnlyFields = IDENTITY_FIELDS.filter((name) => !(name in patch.properties));
  const shown = records.flatMap(({ properties }) => Object.keys(properties));
  const dropped = new Set([
    ...readOnlyFields,
    ...shown.filter((name) => !(name in patch.properties)),
  ]);
  const transform = (context: PatchContext): void => {
    const { body } = context;
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
      return;
    }
    const entries = Object.entries(body);
    context.body = Object.fromEntries(entries.filter(([name]) => !dropped.has(name)));
    context.state.readOnlyFields = Object.fromEntries(
      entries.filter(([name]) => readOnlyFields.some((own) => own === name)),
    );
  };
  return { body: patch, transform };
}

/**
 * Throws `validation_error` naming each identity field of the request that differs from the record's,
 * or that the record does not have.
 */
export function checkIdentity(
  state: RequestState,
  record: Readonly<Record<string, unknown>>,
): void {
  const [first, ...others] = Object.entries(state.readOnlyFields).flatMap(([field, value]) => {
    const message = identityFault(record, field, value);
    return message === null ? [] : [{ field, message, didYouMean: null }];
  });
  if (first !== undefined) {
    throw invalidAll([first, ...others]);
  }
}

function identityFault(
  record: Readonly<Record<string, unknown>>,
  field: string,
  value: unknown,
): string | null {
  if (!(field in record)) {
    return "unknown field";
  }
  return same(record[field], value) ? null : "cannot be changed; leave it out or send it as read";
}

/** Ids may come in either case. */
function same(own: unknown, given: unknown): boolean {
  return own === given || (typeof given === "string" && own === given.toLowerCase());
}
