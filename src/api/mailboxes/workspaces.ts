/** `/workspaces`: companies whose administrator lets every mailbox in by one consent. */

import { type Static, Type } from "@sinclair/typebox";
import { DRY_RUN, IN_BATCH, PLAN_LIMITED, resource } from "#api/context.ts";
import { withEtag } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import {
  Count,
  CreatedAt,
  Described,
  IdOf,
  IdParamsOf,
  Line,
  Nullable,
  OneOf,
  Shape,
  TeamId,
  Text,
  TimestampOf,
  UpdatedAt,
} from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { actLater, create, patch, remove } from "#api/write.ts";
import { ADDRESS_BYTES_MAX } from "#domain/email-address.ts";
import { remedyForGrant } from "#domain/mailboxes/consent-advice.ts";
import {
  SERVICE_KEY_CHARS_MAX,
  TENANT_PATTERN,
  WORKSPACE_DOMAINS_MAX,
  WORKSPACE_EMAILS_MAX,
  WORKSPACE_PROVIDERS,
  WORKSPACE_SCOPES,
  WORKSPACE_STATUSES,
} from "#domain/mailboxes/workspace.ts";
import type { Environment } from "#environment.ts";
import { countAccountsOfWorkspace, workspacesOf } from "#store/mailboxes/workspaces.ts";
import type { WorkspaceRow } from "#store/tables/workspaces.ts";
import {
  addMailboxes,
  adminConsentUrl,
  adminRedirectOf,
  testWorkspace,
} from "#usecases/mailboxes/workspace-mailboxes.ts";
import {
  createWorkspace,
  deleteWorkspace,
  patchWorkspace,
  requireWorkspace,
} from "#usecases/mailboxes/workspaces.ts";
import { Refusal } from "./bulk.ts";

const provider = OneOf(WORKSPACE_PROVIDERS, {
  description: "Google Workspace, or Microsoft 365",
});
const domains = Type.Array(
  Type.String({
    maxLength: 253,
    pattern: "^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$",
    description: "A domain",
  }),
  {
    minItems: 1,
    maxItems: WORKSPACE_DOMAINS_MAX,
    description: "Domains that its mailboxes have addresses in",
    examples: [["example.com"]],
  },
);
const tenant = Type.String({
  pattern: TENANT_PATTERN,
  description: "Microsoft: the tenant's id or one of its domains; without one, the first domain",
  examples: ["example.onmicrosoft.com"],
});
const clientId = Line(255, {
  description: "Microsoft: the application's (client) id",
  examples: ["0f1c2d3e-0000-4000-8000-000000000001"],
});
const secrets = {
  service_account_key: Text(SERVICE_KEY_CHARS_MAX, {
    description: "Google: the service account's key, as the JSON file has it; write-only",
    examples: ['{"type": "service_account", …}'],
  }),
  client_secret: Line(1000, { description: "Microsoft: the application's secret; write-only" }),
};

export const Workspace = Shape(
  {
    id: IdOf("The workspace's id"),
    team_id: TeamId,
    provider,
    domains,
    tenant: Nullable(tenant),
    client_id: Described(
      clientId,
      "Google: the service account's address. Microsoft: the application's id",
    ),
    status: OneOf(WORKSPACE_STATUSES, {
      description:
        "`waiting` until a first token is granted; `refused` once none is any more: its accounts wait, and go on by themselves when it is repaired",
    }),
    last_error: Nullable(
      Type.String({ description: "What the provider says; null while tokens are granted" }),
    ),
    remedy: Nullable(Type.String({ description: "What to do about it" })),
    consent_url: Nullable(
      Type.String({
        description:
          "Page on which an administrator gives the consent. Google's wants the scope; Microsoft's leads back to `redirect_uri`, and needs the installation's `public_url`",
      }),
    ),
    scope: Type.String({ description: "What the consent is for" }),
    redirect_uri: Nullable(
      Type.String({ description: "Microsoft: to be registered with the application" }),
    ),
    accounts: Count("Accounts that log in with its consent"),
    checked_at: Nullable(TimestampOf("When a token was last requested")),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  { description: "A company whose administrator lets every mailbox in by one consent" },
);
const WorkspaceList = Shape({
  data: Type.Array(Workspace, { description: "The workspaces, oldest first" }),
});
const WorkspaceParams = IdParamsOf("The workspace's id");
const further = Type.Partial(Shape({ tenant, client_id: clientId, ...secrets })).properties;
const WorkspaceCreate = Shape({ provider, domains, ...further });
const WorkspacePatch = Shape({ domains: Type.Optional(domains), ...further });
const WorkspaceTag = Shape({ domains, tenant: Nullable(tenant), client_id: clientId });

const MailboxesAdd = Shape({
  emails: Type.Array(Line(ADDRESS_BYTES_MAX, { description: "Address of a mailbox" }), {
    minItems: 1,
    maxItems: WORKSPACE_EMAILS_MAX,
    description: "Addresses of the mailboxes, in the workspace's domains",
    examples: [["ann@example.com", "bob@example.com"]],
  }),
});
const MailboxesAdded = Shape({
  connected: Count("Mailboxes that work"),
  failed: Count("Mailboxes that don't work yet, or couldn't be added"),
  data: Type.Array(
    Shape({
      email: Type.String({ description: "The address as given", examples: ["ann@example.com"] }),
      id: Nullable(IdOf("The account's id; null when none was created")),
      connected: Type.Boolean({ description: "Whether both servers let it in" }),
      error: Nullable(Refusal),
    }),
    { description: "What became of each address" },
  ),
});

export const workspaceRoutes = resource("accounts", "/workspaces")
  .get(
    "",
    ({ env, caller }) => ({
      data: workspacesOf(env.db, caller.teamId).map((row) => presentWorkspace(env, row)),
    }),
    {
      response: { 200: WorkspaceList },
      detail: { summary: "List workspaces", description: "Returns the team's workspaces." },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { env, caller, body } = context;
          return presentWorkspace(env, createWorkspace(env, caller, read(WorkspaceCreate, body)));
        },
        ({ id }) => `/workspaces/${id}`,
      ),
    {
      body: WorkspaceCreate,
      response: { 201: Workspace },
      detail: {
        ...DRY_RUN,
        summary: "Create a workspace",
        description:
          "Adds a Google Workspace by the key of a service account, or a Microsoft 365 tenant by an " +
          "application's id and secret. An administrator then gives consent once, on `consent_url`, " +
          "for every mailbox.",
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const { env, caller, params } = context;
      const row = requireWorkspace(env, caller, params.id);
      return withEtag(context, presentWorkspace(env, row), WorkspaceTag);
    },
    {
      params: WorkspaceParams,
      response: { 200: Workspace },
      detail: {
        ...IN_BATCH,
        summary: "Get a workspace",
        description: "Returns one workspace. Secrets are never returned.",
      },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return patch(
        context,
        WorkspaceTag,
        () => presentWorkspace(env, requireWorkspace(env, caller, params.id)),
        () =>
          presentWorkspace(env, patchWorkspace(env, caller, params.id, read(WorkspacePatch, body))),
      );
    },
    {
      ...changes(WorkspacePatch, Workspace),
      params: WorkspaceParams,
      response: { 200: Workspace },
      detail: {
        ...DRY_RUN,
        summary: "Update a workspace",
        description: "Changes the fields that you send, for example a key that was replaced.",
      },
    },
  )
  .delete(
    "/:id",
    (context) =>
      remove(context, () => deleteWorkspace(context.env, context.caller, context.params.id)),
    {
      params: WorkspaceParams,
      detail: {
        ...DRY_RUN,
        summary: "Delete a workspace",
        description: "Deletes a workspace. Its accounts stay, without credentials.",
      },
    },
  )
  .post(
    "/:id/check",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params } = context;
        return presentWorkspace(env, await testWorkspace(env, caller, params.id));
      }),
    {
      params: WorkspaceParams,
      response: { 200: Workspace },
      detail: {
        summary: "Check a workspace",
        description:
          "Asks the provider for a token now. Google can be asked once the workspace has an account.",
      },
    },
  )
  .post(
    "/:id/accounts",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params, body, state } = context;
        state.disableIdleTimeout();
        const data = await addMailboxes(env, caller, params.id, body.emails);
        const failed = data.filter(({ connected }) => !connected).length;
        return present(MailboxesAdded, { connected: data.length - failed, failed, data });
      }),
    {
      params: WorkspaceParams,
      body: MailboxesAdd,
      response: { 200: MailboxesAdded },
      detail: {
        summary: "Connect mailboxes of a workspace",
        description:
          "Creates an account for each address, or has the account that the team has log in with the " +
          "workspace's consent from now on, and tests each. `data` says what became of each.",
        ...PLAN_LIMITED,
      },
    },
  );

export function presentWorkspace(env: Environment, row: WorkspaceRow): Static<typeof Workspace> {
  return present(Workspace, {
    ...row,
    remedy: row.lastError === null ? null : remedyForGrant(row.lastError),
    consentUrl: adminConsentUrl(env, row),
    scope: WORKSPACE_SCOPES[row.provider],
    redirectUri: row.provider === "google" ? null : adminRedirectOf(env),
    accounts: countAccountsOfWorkspace(env.db, row.id),
  });
}
