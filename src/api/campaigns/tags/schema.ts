import { Type } from "@sinclair/typebox";
import { Id, IdOf, Shape } from "#api/schema.ts";
import { TAG_CHARS_MAX, TAGS_MAX } from "#domain/campaigns/tag.ts";

const EXAMPLE = ["dach", "founder"];

/** Ids that one request names. */
const IDS_MAX = 100;

const Tag = Type.String({ minLength: 1, maxLength: TAG_CHARS_MAX });

/** The tags of a record. */
export const Tags = Type.Array(Tag, {
  maxItems: TAGS_MAX,
  description: `Tags, in lower case and in the order of the alphabet; at most ${TAGS_MAX}`,
  examples: [EXAMPLE],
});

const Tagged = Shape({ id: IdOf("The record's id"), tags: Tags });

export const TagQuery = Shape({
  ids: Type.Optional(
    Type.String({
      minLength: 36,
      maxLength: 37 * IDS_MAX,
      pattern: "^[0-9A-Fa-f, -]+$",
      description: `Records whose tags are returned: ids, separated by commas; at most ${IDS_MAX}`,
      examples: ["01952c6a-4000-7000-8000-000000000100"],
    }),
  ),
});

export const TagList = Shape({
  names: Type.Array(Tag, { description: "Every tag in use, in the order of the alphabet" }),
  data: Type.Array(Tagged, { description: "The tags of the records asked for, in their order" }),
});

const list = (description: string) =>
  Type.Optional(Type.Array(Tag, { maxItems: TAGS_MAX, description, examples: [EXAMPLE] }));

export const TagChange = Shape({
  ids: Type.Array(Id, {
    minItems: 1,
    maxItems: IDS_MAX,
    description: "Records to change",
    examples: [["01952c6a-4000-7000-8000-000000000100"]],
  }),
  add: list("Tags to add"),
  remove: list("Tags to remove"),
});

export const TagsChanged = Shape({
  data: Type.Array(Tagged, { description: "The records, with the tags that they have now" }),
});
