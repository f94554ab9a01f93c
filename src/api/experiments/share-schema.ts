import { Type } from "@sinclair/typebox";
import { Shape, TimestampOf, withDefaults } from "#api/schema.ts";
import { SHARE_DAYS_MAX, SHARE_DEFAULTS } from "#usecases/experiments/experiment-share.ts";

const includesTexts = Type.Boolean({
  description: "Whether the report shows the subjects and bodies of the variants",
});

export const ExperimentShare = Shape(
  {
    url: Type.String({
      description:
        "Address of the report, which needs no sign-in; its JSON is at `/report.json` below it. Without " +
        "`public_url`, the path on this server",
      examples: ["https://outrider.example.com/r/lAZ3k9mVxQ0u7f2T4bW8n1JcR5pD6sH0aEyGiKoLqUw"],
    }),
    includes_texts: includesTexts,
    expires_at: TimestampOf("When the link stops working"),
    created_at: TimestampOf("When the link was made"),
  },
  { description: "The link to the experiment's report; null without one" },
);

/** Without a body, as with an empty one. */
export const ShareCreate = Type.Optional(
  withDefaults(
    Shape({
      expires_in_days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: SHARE_DAYS_MAX,
          description: "Days until the link stops working",
        }),
      ),
      includes_texts: Type.Optional(includesTexts),
    }),
    SHARE_DEFAULTS,
  ),
);
