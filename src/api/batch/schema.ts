import { Type } from "@sinclair/typebox";
import { Count, Nullable, OneOf, Shape } from "#api/schema.ts";

/** Each takes a third of a millisecond on the one thread that serves everybody. */
export const OPERATIONS_MAX = 100;
/** Leads in all operations of a batch: a lead takes less, and there would be more. */
export const LEADS_MAX = 500;
export const BATCH_BYTES_MAX = 1024 * 1024;

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
const PATH_CHARS_MAX = 2000;

const ref = Type.String({
  pattern: "^[a-z][a-z0-9_]{0,63}$",
  description:
    "Name for this operation, by which later ones refer to ids in its response, such as `{campaign.id}`",
  examples: ["campaign"],
});

const BatchOperation = Shape(
  {
    method: OneOf(METHODS, { description: "HTTP method" }),
    path: Type.String({
      pattern: "^/",
      maxLength: PATH_CHARS_MAX,
      description: "Path below `/api/v1`, with its query; it may contain references",
      examples: ["/campaigns/{campaign.id}/steps"],
    }),
    body: Type.Optional(
      Type.Unknown({
        description: "Body of the request; a string that is a reference as a whole becomes the id",
        examples: [{ type: "email", subject: "Hello", body: "Hi {{ first_name }}" }],
      }),
    ),
    if_match: Type.Optional(
      Type.String({
        pattern: "^[ -~]{1,1000}$",
        description: "The request's `If-Match` header, in ASCII",
        examples: ['"Xk2mPq9sT1vWz3Ya"'],
      }),
    ),
    ref: Type.Optional(ref),
  },
  { description: "One request of the batch" },
);

export const Batch = Shape({
  operations: Type.Array(BatchOperation, {
    minItems: 1,
    maxItems: OPERATIONS_MAX,
    description: "The requests, carried out in this order",
  }),
  atomic: Type.Optional(
    Type.Boolean({
      description:
        "Whether the first operation that fails undoes all of them; false undoes it alone, and the others stay. True if left out",
      examples: [true],
    }),
  ),
});

const BatchResult = Shape(
  {
    ref: Nullable(Type.String({ description: "Name of the operation; null without one" })),
    status: Type.Integer({ description: "HTTP status of the response", examples: [201] }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: "Headers of the response, such as `ETag` and `Location`",
      examples: [{ Location: "/api/v1/campaigns/01952c6a-4000-7000-8000-000000000100" }],
    }),
    body: Type.Unknown({
      description: "Body of the response, or the error; null where there is none",
      examples: [{ id: "01952c6a-4000-7000-8000-000000000100" }],
    }),
  },
  { description: "What one operation returned" },
);

export const BatchOutcome = Shape({
  failed: Count("Operations that were refused; 0 unless `atomic` is false"),
  results: Type.Array(BatchResult, { description: "One for each operation, in the same order" }),
});
