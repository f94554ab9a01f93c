/** `/accounts/bulk` and `/accounts/import`: many mailboxes changed, or created from a file. */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { tagOf } from "#api/campaigns/tags/routes.ts";
import { Tags } from "#api/campaigns/tags/schema.ts";
import { PLAN_LIMITED, resource } from "#api/context.ts";
import { faultsOf } from "#api/explain.ts";
import { tagQuery } from "#api/filter.ts";
import { Count, Described, IdOf, Nullable, OneOf, Shape, Id as Uuid } from "#api/schema.ts";
import { read } from "#api/wire.ts";
import { actLater } from "#api/write.ts";
import { csvReader, sniffCsv } from "#domain/leads/import/csv.ts";
import { ACCOUNT_STATUSES, ACCOUNTS_MAX } from "#domain/mailboxes/account.ts";
import { invalid, Problem } from "#domain/problem.ts";
import { dateFromIso } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { readAtMost } from "#platform/http/read-at-most.ts";
import { tagsOf } from "#store/campaigns/tags.ts";
import { accountsOf, findAccount } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { setTags } from "#usecases/campaigns/tags.ts";
import { createAccount } from "#usecases/mailboxes/accounts.ts";
import { attempt, changeAccounts } from "#usecases/mailboxes/bulk-accounts.ts";
import { AccountCreate, AccountPatch } from "./schema.ts";

const FILE_BYTES_MAX = 1024 * 1024;
const IDS_MAX = 100;

export const Refusal = Shape(
  {
    type: Type.String({ description: "Type of the error", examples: ["validation_error"] }),
    message: Type.String({
      description: "What was wrong and what would be right",
      examples: ["must be at least 1"],
    }),
    field: Nullable(Type.String({ description: "Field at fault", examples: ["daily_limit"] })),
  },
  { description: "Why it was refused; null when it was done" },
);

// Credentials are a mailbox's own.
const {
  email: _email,
  provider: _provider,
  smtp: _smtp,
  imap: _imap,
  oauth: _oauth,
  workspace_id: _workspace,
  ...shared
} = AccountPatch.properties;

const AccountChange = Shape(shared, {
  description: "Fields to change, as in an update of one account",
});

const AccountsChange = Shape({
  ids: Type.Optional(
    Type.Array(Uuid, { minItems: 1, maxItems: IDS_MAX, description: "Accounts to change" }),
  ),
  filter: Type.Optional(
    Shape(
      {
        ...tagQuery,
        status: Type.Optional(
          OneOf(ACCOUNT_STATUSES, { description: "Only accounts with this status" }),
        ),
      },
      { description: "Instead of `ids`: all accounts that match; all of them when it is empty" },
    ),
  ),
  change: Type.Optional(AccountChange),
  add_tags: Type.Optional(Described(Tags, "Tags to add")),
  remove_tags: Type.Optional(Described(Tags, "Tags to remove")),
});

const AccountsChanged = Shape({
  changed: Count("Accounts that are as you asked"),
  failed: Count("Accounts that were left as they were"),
  data: Type.Array(Shape({ id: IdOf("The account's id"), error: Nullable(Refusal) }), {
    description: "What became of each account",
  }),
});

const AccountsImported = Shape({
  created: Count("Accounts that were created"),
  failed: Count("Rows that could not be used"),
  data: Type.Array(
    Shape({
      line: Count("Line of the file, from 1"),
      email: Type.String({ description: "The address as given", examples: ["ann@example.com"] }),
      id: Nullable(IdOf("The account's id; null when the row was refused")),
      error: Nullable(Refusal),
    }),
    { description: "What became of each row" },
  ),
});

export const accountBulkRoutes = resource("accounts", "/accounts")
  .post(
    "/bulk",
    (context) =>
      actLater(context, async () => {
        const { env, caller, body, state } = context;
        state.disableIdleTimeout();
        const ids = selected(env, caller, body);
        if (body.change?.ramp?.from !== undefined) {
          dateFromIso(body.change.ramp.from, "change.ramp.from");
        }
        const fields = read(AccountChange, body.change ?? {});
        const tags = { add: body.add_tags ?? [], remove: body.remove_tags ?? [] };
        const data = await changeAccounts(env, caller, ids, { fields, tags });
        const failed = data.filter(({ error }) => error !== null).length;
        return { changed: data.length - failed, failed, data };
      }),
    {
      body: AccountsChange,
      response: { 200: AccountsChanged },
      detail: {
        summary: "Change many accounts",
        description:
          "Changes limits, hours, status, tags and other fields of the accounts with these ids, or " +
          "of all that match a filter. Each is changed by itself; `data` says what became of each.",
      },
    },
  )
  .post(
    "/import",
    async (context) => {
      const { env, caller, request, state } = context;
      state.disableIdleTimeout();
      const text = await fileOf(request);
      state.rawBody = text;
      return await actLater(context, async () => {
        const data: Static<typeof AccountsImported>["data"] = [];
        for (const { line, given } of rowsOf(text)) {
          const email = given["email"] ?? "";
          const made = await attempt(env, () => createRow(env, caller, given));
          data.push(
            "done" in made
              ? { line, email, id: made.done, error: null }
              : { line, email, id: null, error: made.error },
          );
        }
        const failed = data.filter(({ error }) => error !== null).length;
        return { created: data.length - failed, failed, data };
      });
    },
    {
      response: { 200: AccountsImported },
      detail: {
        summary: "Import accounts",
        description:
          "Creates the mailboxes of a CSV file of up to 1 MiB. Its columns are fields of an account: " +
          "`email`, `provider` (`smtp` when there is none), `daily_limit`, `tags`, …, and " +
          "`smtp_host`, `smtp_username`, `smtp_password`, `imap_host`, … for its servers. An address " +
          "that the team has is an error of its row, so sending a file again adds nothing twice.",
        "x-body-types": { "text/csv": "A header row, then a mailbox per row" },
        ...PLAN_LIMITED,
      },
    },
  );

function selected(
  { db }: Environment,
  { teamId }: Caller,
  { ids, filter }: Static<typeof AccountsChange>,
): readonly string[] {
  if ((ids === undefined) === (filter === undefined)) {
    throw invalid("ids", "give either ids or a filter");
  }
  if (ids !== undefined) {
    return [...new Set(ids.map((id, at) => ownOf(db, teamId, id.toLowerCase(), at)))];
  }
  const tag = tagOf(filter?.tag);
  return accountsOf(db, teamId)
    .filter(({ status }) => filter?.status === undefined || status === filter.status)
    .filter(({ id }) => tag === undefined || tagsOf(db, id).includes(tag))
    .map(({ id }) => id);
}

function ownOf(db: Db, teamId: Id, id: Id, at: number): Id {
  if (findAccount(db, teamId, id) === undefined) {
    throw invalid(`ids.${at}`, "must be one of the team's accounts");
  }
  return id;
}

type Given = Readonly<Record<string, string>>;

/** Throws 400, 413, 415, or `validation_error` for a column that is no field. */
async function fileOf(request: Request): Promise<string> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "text/csv") {
    throw new Problem("unsupported_media_type", "send Content-Type: text/csv");
  }
  const bytes = request.body === null ? null : await readAtMost(request.body, FILE_BYTES_MAX);
  if (request.body !== null && bytes === null) {
    throw new Problem("payload_too_large", `a file may have at most ${FILE_BYTES_MAX} bytes`);
  }
  return decoded(bytes ?? new Uint8Array());
}

function rowsOf(text: string): { line: number; given: Given }[] {
  const reader = csvReader(sniffCsv(text));
  reader.push(text);
  const [head, ...rows] = reader.take(ACCOUNTS_MAX + 1, true).rows;
  const columns = (head?.row ?? []).map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, "_"),
  );
  checkColumns(columns);
  return rows.map(({ row, line }) => {
    const cells = columns.map((name, at) => {
      const cell = row[at] ?? "";
      return [name, name.endsWith("password") ? cell : cell.trim()] as const;
    });
    return { line, given: Object.fromEntries(cells.filter(([, cell]) => cell !== "")) };
  });
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Problem("invalid_request", "the file is not valid UTF-8");
  }
}

const { smtp, imap, oauth: _given, ramp: _ramp, ...simple } = AccountCreate.properties;
const SERVERS = { smtp, imap };
type ServerName = keyof typeof SERVERS;

/** Where a column's cells go, and as what: `smtp_host` is `host` of `smtp`. */
function placeOf(column: string): { server: ServerName | null; name: string } | null {
  const [first = "", ...rest] = column.split("_");
  if (first === "smtp" || first === "imap") {
    const name = rest.join("_");
    return name in SERVERS[first].anyOf[0].properties ? { server: first, name } : null;
  }
  return column in simple || column === "tags" ? { server: null, name: column } : null;
}

function checkColumns(columns: readonly string[]): void {
  if (!columns.includes("email")) {
    throw invalid("email", "the first row must name the columns, and one of them is email");
  }
  const wrong = columns.find((name, at) => placeOf(name) === null || columns.indexOf(name) !== at);
  if (wrong !== undefined) {
    const known = [...Object.keys(simple), "tags", "smtp_host", "imap_host"].join(", ");
    throw invalid(wrong.slice(0, 100), `must be a field of an account, once: ${known}, …`);
  }
}

const whole = TypeCompiler.Compile<TSchema>(AccountCreate);

/** Inside a commit. Returns the account's id. Its refusals name fields and never what stands in them. */
function createRow(env: Environment, caller: Caller, given: Given): string {
  const { tags, ...cells } = given;
  const servers = new Map<ServerName, Record<string, unknown>>();
  const fields: Record<string, unknown> = { provider: "smtp" };
  for (const [column, cell] of Object.entries(cells)) {
    const { server, name } = placeOf(column) ?? { server: null, name: column };
    const value = valueIn(name, cell);
    if (server === null) {
      fields[name] = value;
    } else {
      servers.set(server, { ...servers.get(server), [name]: value });
    }
  }
  const input: unknown = { ...fields, ...Object.fromEntries(servers) };
  if (!whole.Check(input)) {
    const [fault] = faultsOf(whole.Errors(input));
    throw invalid(fault?.field ?? "email", fault?.message ?? "is not an account");
  }
  const { id } = createAccount(
    env,
    caller,
    read(AccountCreate, input as Static<typeof AccountCreate>),
  );
  if (tags !== undefined) {
    const names = tags.split(/[,;|]/).filter((name) => name.trim() !== "");
    setTags(env, caller, { kind: "account", id }, names);
  }
  return id;
}

/** Numbers and truths are told from texts by their field. */
function valueIn(name: string, cell: string): unknown {
  const isNumber = name === "port" || /_(limit|seconds)$/.test(name);
  if (isNumber && /^\d{1,9}$/.test(cell)) {
    return Number(cell);
  }
  const isTruth = name === "save_sent" && (cell === "true" || cell === "false");
  return isTruth ? cell === "true" : cell;
}
