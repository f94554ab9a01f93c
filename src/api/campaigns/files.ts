/** `/files`: what a team's emails carry, as attachments or as images in their text. */

import { type Static, Type } from "@sinclair/typebox";
import { DRY_RUN, IN_BATCH, resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import {
  CreatedAt,
  envelope,
  IdOf,
  IdParamsOf,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  TeamId,
} from "#api/schema.ts";
import { bodyOf, declaredBytes } from "#api/streamed-body.ts";
import { present } from "#api/wire.ts";
import { createLater, remove } from "#api/write.ts";
import { FILE_BYTES_MAX, FILE_NAME_MAX, FILES_BYTES_MAX, isImage } from "#domain/campaigns/file.ts";
import { Problem } from "#domain/problem.ts";
import { filesOf, listFiles } from "#store/campaigns/files.ts";
import { FILE_USES, type FileUse as FileUsed } from "#store/sending/file-uses.ts";
import type { FileRow, MessageFileRow } from "#store/tables/files.ts";
import {
  contentOf,
  deleteFile,
  isContent,
  requireFile,
  uploadFile,
  usesOf,
} from "#usecases/campaigns/files.ts";

const fileFields = {
  name: Type.String({
    description: "Name that the recipient sees, without its path and without invisible characters",
    examples: ["offer.pdf"],
  }),
  media_type: Type.String({
    description: "Media type, by the ending of its name",
    examples: ["application/pdf"],
  }),
  bytes: Type.Integer({ minimum: 0, description: "Size in bytes", examples: [48_213] }),
  sha256: Type.String({
    description: "SHA-256 of its content in lower-case hexadecimal",
    examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
  }),
};

const FileUse = Shape({
  type: OneOf(FILE_USES, {
    description:
      "A step that attaches or shows the file, a variant under test, or a mailbox whose signature shows it",
  }),
  id: IdOf("Campaign of the step or the variant, or the mailbox"),
  name: Type.String({ description: "The campaign's name, or the mailbox's address" }),
  step_position: Nullable(
    Type.Integer({ minimum: 1, description: "Position of the step; null for a signature" }),
  ),
});

const File = Shape({
  id: IdOf("The file's id"),
  team_id: TeamId,
  ...fileFields,
  created_at: CreatedAt,
  uses: Type.Optional(
    Type.Array(FileUse, {
      description:
        "What needs the file, which can't be deleted meanwhile, the first ten; only in a list that asks for it by `include`",
    }),
  ),
});

const FilePage = Shape({
  ...Page(File).properties,
  bytes: Type.Integer({
    minimum: 0,
    description: `Size of all the team's files in bytes, ${FILES_BYTES_MAX / 1024 / 1024} MB at most`,
  }),
});
const FileQuery = Shape({
  ...PageQuery.properties,
  include: Type.Optional(OneOf(["uses"], { description: "`uses` to get what needs each file" })),
});
const FileParams = IdParamsOf("The file's id");

/** What an email carries, or carried: the file itself may be gone. */
export function Attachments(description: string) {
  const attachment = Shape({
    file_id: IdOf("The file's id"),
    ...fileFields,
    inline: Type.Boolean({ description: "Whether it is an image that the text shows" }),
  });
  return Type.Array(attachment, { description });
}

export function attachmentOf(file: Omit<MessageFileRow, "messageId" | "teamId" | "place">) {
  const { fileId, name, mediaType, bytes, sha256, isInline: inline } = file;
  return { fileId, name, mediaType, bytes, sha256: sha256.toHex(), inline };
}

const UploadQuery = Shape({
  name: Type.String({
    minLength: 1,
    maxLength: FILE_NAME_MAX,
    description: "Name of the file; of a path, the last part",
    examples: ["offer.pdf"],
  }),
});

const BINARY = "application/octet-stream";

export const fileRoutes = resource("files", "/files")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof FilePage>> => {
      const { include, ...query } = readQuery(FileQuery, request);
      const { total, bytes } = filesOf(env.db, caller.teamId);
      const rows = listFiles(env.db, caller.teamId, query);
      const ids = rows.map(({ id }) => id);
      const uses = include === "uses" ? await usesOf(env, caller, ids) : undefined;
      const data = rows.map((row) => shown({ ...row, uses: uses?.get(row.id) }));
      return { ...envelope(data, total, query), bytes };
    },
    {
      response: { 200: FilePage },
      detail: {
        summary: "List files",
        description: "Returns the team's files, newest first.",
        ...queryOf(FileQuery),
      },
    },
  )
  .post(
    "",
    (context) => {
      const { env, caller, request } = context;
      const { name } = readQuery(UploadQuery, request);
      checkType(request);
      return createLater(
        context,
        async () =>
          shown(
            await uploadFile(env, caller, {
              name,
              body: bodyOf(request),
              bytes: declaredBytes(request),
            }),
          ),
        ({ id }) => `/files/${id}`,
        ({ sha256, bytes }) => isContent(bodyOf(request), { sha256, bytes }),
      );
    },
    {
      response: { 201: File },
      detail: {
        summary: "Upload a file",
        description:
          "Stores a file that steps and replies can attach, or show as an image in their text. The body " +
          `is the file itself, ${FILE_BYTES_MAX / 1024 / 1024} MB at most. Types that email providers refuse, such as .exe and ` +
          ".js, are refused with 422.",
        "x-body-types": { [BINARY]: "The file itself" },
        "x-errors": [409],
        ...queryOf(UploadQuery),
      } as object,
    },
  )
  .get("/:id", ({ env, caller, params }) => shown(requireFile(env, caller, params.id)), {
    params: FileParams,
    response: { 200: File },
    detail: { ...IN_BATCH, summary: "Get a file", description: "Returns a file's name and size." },
  })
  .get(
    "/:id/download",
    ({ env, caller, params }) => {
      const row = requireFile(env, caller, params.id);
      return new Response(streamOf(contentOf(env, row)), {
        headers: {
          "Content-Type": isImage(row) ? row.mediaType : BINARY,
          "Content-Disposition": `attachment; filename*=UTF-8''${encodeName(row.name)}`,
          "Content-Length": String(row.bytes),
        },
      });
    },
    {
      params: FileParams,
      detail: {
        summary: "Download a file",
        description: "Returns the file itself.",
        responses: {
          200: {
            description: "The file; an image has its own media type",
            content: { [BINARY]: { schema: { type: "string" } } },
          },
        },
      },
    },
  )
  .delete(
    "/:id",
    (context) => remove(context, () => deleteFile(context.env, context.caller, context.params.id)),
    {
      params: FileParams,
      detail: {
        ...DRY_RUN,
        summary: "Delete a file",
        description:
          "Deletes a file. Emails that were sent with it stay as they are. Refused with 409 while a step or a " +
          "signature has it, or while an email with it is waiting, being sent, or unconfirmed.",
      },
    },
  );

type Shown = FileRow & { uses?: readonly FileUsed[] | undefined };

function shown({ sha256, uses, ...row }: Shown): Static<typeof File> {
  const file = { ...row, sha256: sha256.toHex() };
  return present(File, uses === undefined ? file : { ...file, uses });
}

/** A slice is read when the one before has been taken. */
function streamOf(slices: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { value, done } = await slices.next();
        if (done === true) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      },
      cancel: () => void slices.return(),
    },
    { highWaterMark: 1 },
  );
}

function checkType(request: Request): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const coding = request.headers.get("content-encoding") ?? "identity";
  if (type !== BINARY || coding.toLowerCase() !== "identity") {
    const said = type === "" || type === BINARY ? "" : `, not ${type.slice(0, 100)}`;
    throw new Problem(
      "unsupported_media_type",
      `send the file itself with Content-Type: ${BINARY}${said}, and without a Content-Encoding`,
      null,
      { "Accept-Post": BINARY },
    );
  }
}

/** RFC 8187 §3.2.1. */
function encodeName(name: string): string {
  const mark = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replace(/['()*]/g, mark);
}
