/**
 * Every command that is written by hand. Help, hints and tests are made from this table, and from the
 * commands that `operation-command.ts` makes of the API.
 */

import { mcpCommand } from "#cli/assistant/mcp.ts";
import { classifyCommand } from "#cli/classify/classify.ts";
import { applyCommand } from "#cli/declared/apply.ts";
import { pullCommand } from "#cli/declared/pull.ts";
import { demoCommand } from "#cli/demo/demo.ts";
import { installCommand } from "#cli/install/install.ts";
import { apiCommand } from "#cli/requests/api.ts";
import { auditExportCommand, auditVerifyCommand } from "#cli/requests/audit.ts";
import { leadsExportCommand } from "#cli/requests/leads-export.ts";
import { leadsImportCommand } from "#cli/requests/leads-import.ts";
import { listenCommand } from "#cli/requests/listen.ts";
import { statsEvalCommand } from "#cli/requests/stats.ts";
import { statsReplayCommand } from "#cli/requests/stats-replay.ts";
import { tailCommand } from "#cli/requests/tail.ts";
import { triggerCommand } from "#cli/requests/trigger.ts";
import { whyCommand } from "#cli/requests/why.ts";
import { backupCommand } from "#cli/server/backup.ts";
import { configCommand } from "#cli/server/config.ts";
import { doctorCommand } from "#cli/server/doctor.ts";
import { drillCommand } from "#cli/server/drill.ts";
import { masterKeyRotateCommand } from "#cli/server/master-key.ts";
import { migrateCommand } from "#cli/server/migrate.ts";
import { restoreCommand } from "#cli/server/restore.ts";
import { serveCommand } from "#cli/server/serve.ts";
import { statusCommand, waitCommand } from "#cli/server/status.ts";
import { updateCommand } from "#cli/server/update.ts";
import { adminCreateCommand, adminLinkCommand, adminPasswordCommand } from "#cli/team/admin.ts";
import { keysCreateCommand, keysListCommand, keysRevokeCommand } from "#cli/team/keys.ts";
import {
  licenceAddCommand,
  licenceIssueCommand,
  licenceKeygenCommand,
  licenceShowCommand,
} from "#cli/team/licences.ts";
import { exportCommand, importCommand } from "#cli/team/team-copy.ts";
import { teamsCreateCommand, teamsListCommand } from "#cli/team/teams.ts";
import { noticesCommand, versionCommand } from "./about.ts";
import type { Command } from "./command.ts";
import { completionValuesCommand } from "./completion-values.ts";
import { completionsCommand } from "./completions.ts";
import { manualCommand } from "./manual.ts";

export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  demo: demoCommand,
  "teams create": teamsCreateCommand,
  "teams list": teamsListCommand,
  "admin link": adminLinkCommand,
  "admin create": adminCreateCommand,
  "admin password": adminPasswordCommand,
  "keys create": keysCreateCommand,
  "keys list": keysListCommand,
  "keys revoke": keysRevokeCommand,
  "license keygen": licenceKeygenCommand,
  "license issue": licenceIssueCommand,
  "license add": licenceAddCommand,
  "license show": licenceShowCommand,
  "leads import": leadsImportCommand,
  "leads export": leadsExportCommand,
  "audit export": auditExportCommand,
  "audit verify": auditVerifyCommand,
  apply: applyCommand,
  pull: pullCommand,
  why: whyCommand,
  api: apiCommand,
  mcp: mcpCommand,
  listen: listenCommand,
  tail: tailCommand,
  trigger: triggerCommand,
  classify: classifyCommand,
  "stats eval": statsEvalCommand,
  "stats replay": statsReplayCommand,
  status: statusCommand,
  wait: waitCommand,
  backup: backupCommand,
  restore: restoreCommand,
  drill: drillCommand,
  export: exportCommand,
  import: importCommand,
  migrate: migrateCommand,
  "master-key rotate": masterKeyRotateCommand,
  install: installCommand,
  update: updateCommand,
  doctor: doctorCommand,
  config: configCommand,
  completions: completionsCommand,
  "completions values": completionValuesCommand,
  manual: manualCommand,
  notices: noticesCommand,
  version: versionCommand,
};
