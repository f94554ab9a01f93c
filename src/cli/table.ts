/**
 * Every command that is written by hand. Help, hints and tests are made from this table, and from the
 * commands that `operation-command.ts` makes of the API.
 */

import { adminCreateCommand, adminLinkCommand, adminPasswordCommand } from "./admin.ts";
import { apiCommand } from "./api.ts";
import { backupCommand } from "./backup.ts";
import { classifyCommand } from "./classify.ts";
import type { Command } from "./command.ts";
import { completionsCommand } from "./completions.ts";
import { configCommand } from "./config.ts";
import { demoCommand } from "./demo.ts";
import { doctorCommand } from "./doctor.ts";
import { installCommand } from "./install.ts";
import { keysCreateCommand, keysListCommand, keysRevokeCommand } from "./keys.ts";
import { leadsExportCommand } from "./leads-export.ts";
import { leadsImportCommand } from "./leads-import.ts";
import {
  licenceAddCommand,
  licenceIssueCommand,
  licenceKeygenCommand,
  licenceShowCommand,
} from "./licences.ts";
import { licensesCommand } from "./licenses.ts";
import { listenCommand } from "./listen.ts";
import { manualCommand } from "./manual.ts";
import { masterKeyRotateCommand } from "./master-key.ts";
import { mcpCommand } from "./mcp.ts";
import { migrateCommand } from "./migrate.ts";
import { restoreCommand } from "./restore.ts";
import { serveCommand } from "./serve.ts";
import { statsEvalCommand } from "./stats.ts";
import { statusCommand, waitCommand } from "./status.ts";
import { tailCommand } from "./tail.ts";
import { exportCommand, importCommand } from "./team-copy.ts";
import { teamsCreateCommand, teamsListCommand } from "./teams.ts";
import { triggerCommand } from "./trigger.ts";
import { updateCommand } from "./update.ts";
import { versionCommand } from "./version.ts";
import { whyCommand } from "./why.ts";

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
  "licence keygen": licenceKeygenCommand,
  "licence issue": licenceIssueCommand,
  "licence add": licenceAddCommand,
  "licence show": licenceShowCommand,
  "leads import": leadsImportCommand,
  "leads export": leadsExportCommand,
  why: whyCommand,
  api: apiCommand,
  mcp: mcpCommand,
  listen: listenCommand,
  tail: tailCommand,
  trigger: triggerCommand,
  classify: classifyCommand,
  "stats eval": statsEvalCommand,
  status: statusCommand,
  wait: waitCommand,
  backup: backupCommand,
  restore: restoreCommand,
  export: exportCommand,
  import: importCommand,
  migrate: migrateCommand,
  "master-key rotate": masterKeyRotateCommand,
  install: installCommand,
  update: updateCommand,
  doctor: doctorCommand,
  config: configCommand,
  completions: completionsCommand,
  manual: manualCommand,
  licenses: licensesCommand,
  version: versionCommand,
};
