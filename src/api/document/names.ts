/**
 * Names that a generated client shows: of operations (`listCampaigns`, `patchCampaignStep`) and of the
 * records behind them (`Campaign`, `CampaignStep`). They follow from method and path, so they stay.
 */

import type { Method } from "./collect.ts";

/** Where method and path alone would read badly. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "post /campaigns/{id}/leads": "importCampaignLeads",
  "post /campaigns/{id}/leads/import": "importCampaignFile",
  "get /exports/leads": "exportLeads",
  "get /exports/messages": "exportMessages",
  "get /exports/events": "exportEvents",
  "get /exports/results": "exportResults",
  "get /exports/audit": "exportAudit",
  "post /imports/preview": "previewImport",
  "get /imports/{id}/lines": "downloadImportLines",
  "get /imports/{id}/stream": "streamImport",
  "post /campaigns/{id}/leads/enroll": "enrollCampaignLeads",
  "post /campaigns/{id}/leads/bulk": "changeCampaignLeads",
  "get /campaigns/{id}/leads/{leadId}/explain": "explainCampaignLead",
  "post /accounts/{id}/dkim": "setAccountDkim",
  "post /campaigns/{id}/duplicate": "duplicateCampaign",
  "post /leads": "upsertLeads",
  "post /campaigns/tags": "tagCampaigns",
  "get /leads/duplicates": "listDuplicateLeads",
  "post /leads/tags": "tagLeads",
  "post /accounts/bulk": "changeAccounts",
  "post /accounts/import": "importAccounts",
  "post /accounts/tags": "tagAccounts",
  "post /workspaces/{id}/accounts": "connectWorkspaceAccounts",
  "post /suppressions/import": "importSuppressions",
  "get /suppressions/check": "checkSuppression",
  "post /files": "uploadFile",
  "get /files/{id}/download": "downloadFile",
  "post /domains/{domain}/check": "checkDomain",
  "delete /deleted/{id}": "purgeDeleted",
  "post /experiments/{id}/apply-winner": "applyExperimentWinner",
  "post /experiments/{id}/share": "shareExperiment",
  "delete /experiments/{id}/share": "unshareExperiment",
  "post /sandbox/clock": "moveSandboxClock",
  "post /sandbox/demo": "startSandboxDemo",
  "post /sandbox/inject": "injectIntoSandbox",
  "delete /sandbox": "resetSandbox",
  "post /inbox/threads/bulk": "changeInboxThreads",
  "post /inbox/threads/tags": "tagInboxThreads",
  "post /inbox/threads/{id}/forward": "forwardInboxThread",
  "post /inbox/threads/{id}/reply": "replyToInboxThread",
  "post /backups": "createBackup",
  "get /backups/{id}/download": "downloadBackup",
  "post /batch": "runBatch",
  "post /billing/licence": "setBillingLicense",
  "post /billing/portal": "openBillingPortal",
  "post /billing/subscribe": "subscribeToPlan",
  "get /events/stream": "streamEvents",
  "post /webhooks/{id}/rotate-secret": "rotateWebhookSecret",
};

/** Records whose path would give them the name of a type that languages have, or that another schema has. */
const RECORDS: Readonly<Record<string, string>> = {
  "/accounts/providers": "ProviderFigures",
  "/deleted": "DeletedRecord",
  "/domains/{domain}/senders": "DomainSenders",
  "/event-types": "EventTypeDescription",
  "/files": "StoredFile",
  "/requests": "LoggedRequest",
  "/system": "SystemStatus",
};

export interface Shape {
  method: Method;
  path: string;
  /** The operation answers 201. */
  creates: boolean;
  /** The operation answers a list. */
  lists: boolean;
}

export function operationId({ method, path, creates, lists }: Shape): string {
  const exception = EXCEPTIONS[`${method} ${path}`];
  if (exception !== undefined) {
    return exception;
  }
  const { owners, last, isItem } = parts(path);
  const noun = pascal(singular(last));
  const owner = owners.map((name) => pascal(singular(name))).join("");
  if (method === "post") {
    return creates && isCollection(last) ? `create${owner}${noun}` : `${camel(last)}${owner}`;
  }
  if (method === "get" && !isItem) {
    return lists ? `list${owner}${pascal(last)}` : `get${owner}${pascal(last)}`;
  }
  return `${method === "get" ? "get" : method}${owner}${isItem ? noun : pascal(last)}`;
}

/** `/campaigns/{id}/steps/{stepId}` is about a `CampaignStep`. */
export function recordName(path: string): string {
  const { owners, last } = parts(path);
  return RECORDS[path] ?? [...owners, last].map((name) => pascal(singular(name))).join("");
}

/** True where every path parameter has passed and the path names one record. */
export function isItemPath(path: string): boolean {
  return parts(path).isItem;
}

function parts(path: string): { owners: string[]; last: string; isItem: boolean } {
  const segments = path.split("/").filter((segment) => segment !== "");
  const names = segments.filter((segment) => !segment.startsWith("{"));
  return {
    owners: names.slice(0, -1),
    last: names.at(-1) ?? "",
    isItem: segments.at(-1)?.startsWith("{") ?? false,
  };
}

/** A name that is plural in itself stays. */
const UNINFLECTED = /(?:^|_)(?:dns|stats|settings|status)$/;

function isCollection(name: string): boolean {
  return singular(name) !== name;
}

export function singular(name: string): string {
  if (UNINFLECTED.test(name) || !name.endsWith("s")) {
    return name;
  }
  return name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.slice(0, -1);
}

export function pascal(name: string): string {
  return name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function camel(name: string): string {
  const word = pascal(name);
  return word.charAt(0).toLowerCase() + word.slice(1);
}
