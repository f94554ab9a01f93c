/** The API's resources: every route with its schema and handler, without what surrounds a request. */

import { type AnyElysia, Elysia } from "elysia";
import type { Operations } from "#usecases/operations/operations.ts";
import type { ClockControl } from "#usecases/sandbox/sandbox-clock.ts";
import { batchRoutes } from "./batch/routes.ts";
import { billingRoutes } from "./billing/routes.ts";
import { duplicateRoutes } from "./campaigns/duplicate.ts";
import { fileRoutes } from "./campaigns/files.ts";
import { campaignRoutes } from "./campaigns/routes.ts";
import { statsRoutes } from "./campaigns/stats/routes.ts";
import { stepCheckRoutes } from "./campaigns/steps/check-routes.ts";
import { stepRoutes } from "./campaigns/steps/routes.ts";
import { stepTestRoutes } from "./campaigns/steps/test-routes.ts";
import {
  accountTagRoutes,
  campaignTagRoutes,
  leadTagRoutes,
  threadTagRoutes,
} from "./campaigns/tags/routes.ts";
import type { Environments } from "./context.ts";
import { auditChainRoutes, auditExportRoutes } from "./events/audit/chain.ts";
import { auditRoutes } from "./events/audit/routes.ts";
import { requestRoutes } from "./events/requests/routes.ts";
import { eventRoutes, eventTypeRoutes } from "./events/routes.ts";
import { webhookRoutes } from "./events/webhooks/routes.ts";
import { experimentRoutes } from "./experiments/routes.ts";
import { shareRoutes } from "./experiments/share-routes.ts";
import { rehearsalRoutes } from "./forecast/rehearsal.ts";
import { forecastRoutes } from "./forecast/routes.ts";
import { cannedReplyRoutes } from "./inbox/canned-replies.ts";
import { threadChangeRoutes } from "./inbox/changes.ts";
import { folderRoutes } from "./inbox/folders.ts";
import { noteRoutes } from "./inbox/notes.ts";
import { messageRoutes, threadRoutes } from "./inbox/routes.ts";
import { timelineRoutes } from "./inbox/timeline.ts";
import { duplicateLeadRoutes } from "./leads/duplicates.ts";
import { enrollRoutes } from "./leads/enrollments/enroll.ts";
import { enrollmentRoutes } from "./leads/enrollments/routes.ts";
import { erasureRoutes } from "./leads/erasures.ts";
import { importRoutes } from "./leads/imports/routes.ts";
import { importUploadRoutes, suppressionUploadRoutes } from "./leads/imports/upload-routes.ts";
import { leadRoutes } from "./leads/routes.ts";
import { suppressionRoutes } from "./leads/suppressions/routes.ts";
import { taskRoutes } from "./leads/tasks/routes.ts";
import { leadViewRoutes } from "./leads/views.ts";
import { accountBulkRoutes } from "./mailboxes/bulk.ts";
import { accountDnsRoutes } from "./mailboxes/dns-routes.ts";
import { domainRoutes } from "./mailboxes/domain-routes.ts";
import { accountHealthRoutes } from "./mailboxes/health-routes.ts";
import { accountRoutes } from "./mailboxes/routes.ts";
import { workspaceRoutes } from "./mailboxes/workspaces.ts";
import { attentionRoutes } from "./operations/attention.ts";
import { backupRoutes } from "./operations/backups/routes.ts";
import { deletedRoutes } from "./operations/deleted.ts";
import {
  eventExportRoutes,
  leadExportRoutes,
  messageExportRoutes,
  resultExportRoutes,
} from "./operations/exports/routes.ts";
import { systemRoutes } from "./operations/system/routes.ts";
import { accountPlacementRoutes } from "./placement/account-routes.ts";
import { runRoutes } from "./placement/run-routes.ts";
import { scheduleRoutes } from "./placement/schedule-routes.ts";
import { seedRoutes } from "./placement/seed-routes.ts";
import { sandboxRoutes } from "./sandbox/routes.ts";
import { insightRoutes } from "./sending/routes.ts";
import { keyRoutes } from "./team/keys/routes.ts";
import { peopleRoutes } from "./team/people-routes.ts";
import { teamRoutes } from "./team/routes.ts";

export const API_PREFIX = "/api/v1";

/** All of them: also what the document is collected from. */
export function apiRoutes(
  environments: Environments,
  sandbox: ClockControl,
  operations?: Operations,
): AnyElysia {
  const resources: readonly AnyElysia[] = [
    ...[
      campaignRoutes,
      duplicateRoutes,
      stepRoutes,
      stepCheckRoutes,
      stepTestRoutes,
      enrollmentRoutes,
      enrollRoutes,
    ],
    ...[
      insightRoutes,
      forecastRoutes,
      rehearsalRoutes,
      statsRoutes,
      attentionRoutes,
      deletedRoutes,
    ],
    ...[
      duplicateLeadRoutes,
      leadRoutes,
      leadViewRoutes,
      timelineRoutes,
      erasureRoutes(operations),
      importUploadRoutes,
      importRoutes,
    ],
    ...[leadExportRoutes, messageExportRoutes, eventExportRoutes, resultExportRoutes, taskRoutes],
    ...[
      accountRoutes,
      accountDnsRoutes,
      domainRoutes,
      accountHealthRoutes,
      accountBulkRoutes,
      workspaceRoutes,
      suppressionRoutes,
      suppressionUploadRoutes,
    ],
    ...[campaignTagRoutes, leadTagRoutes, accountTagRoutes, threadTagRoutes],
    ...[
      experimentRoutes,
      shareRoutes,
      threadRoutes,
      folderRoutes,
      messageRoutes,
      cannedReplyRoutes,
    ],
    fileRoutes,
    ...[threadChangeRoutes, noteRoutes].map((routes) => routes(environments)),
    ...[seedRoutes, runRoutes, scheduleRoutes, accountPlacementRoutes],
    ...[webhookRoutes, eventRoutes, eventTypeRoutes],
    ...[
      teamRoutes,
      peopleRoutes(environments),
      keyRoutes(environments),
      auditRoutes(environments),
      auditChainRoutes,
      auditExportRoutes,
      requestRoutes,
      batchRoutes,
    ],
    ...[billingRoutes, sandboxRoutes(sandbox), backupRoutes(operations), systemRoutes(operations)],
  ];
  const all: AnyElysia = new Elysia({ prefix: API_PREFIX, normalize: false });
  for (const resource of resources) {
    all.use(resource);
  }
  return frugal(all);
}

/** What a handler of ours may take of its context: nothing else is there. */
interface Taken {
  env: unknown;
  caller: unknown;
  state: unknown;
  params: unknown;
  body: unknown;
  request: unknown;
  set: unknown;
}

/**
 * The same routes, each of whose handlers names what it takes. Elysia reads in a handler's text what it
 * has to prepare; of one that hands its context on it prepares everything, for every request: the cookies,
 * a copy of the headers, the query.
 */
function frugal<Routes extends AnyElysia>(routes: Routes): Routes {
  for (const route of routes.routes) {
    const handler: unknown = route.handler;
    if (typeof handler === "function") {
      const lean = ({ env, caller, state, params, body, request, set }: Taken): unknown =>
        handler({ env, caller, state, params, body, request, set });
      route.handler = lean as unknown as typeof route.handler;
    }
  }
  return routes;
}

/**
 * The same routes without the schemas of their answers, by which Elysia would hold every answer against
 * its schema: the compiler has, and the tests do (`docs/adr/api.md`, "Responses are validated in the tests only").
 */
export function uncheckedResponses<Routes extends AnyElysia>(routes: Routes): Routes {
  for (const route of routes.routes) {
    const { response: _answers, ...hooks } = route.hooks as Record<string, unknown>;
    route.hooks = hooks;
  }
  return routes;
}
