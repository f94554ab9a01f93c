/** Every command there is. Help, hints and tests are made from this table. */

import { classifyCommand } from "./classify.ts";
import type { Command } from "./command.ts";
import { configCommand } from "./config.ts";
import { demoCommand } from "./demo.ts";
import { doctorCommand } from "./doctor.ts";
import { keysCreateCommand, keysListCommand, keysRevokeCommand } from "./keys.ts";
import {
  licenceAddCommand,
  licenceIssueCommand,
  licenceKeygenCommand,
  licenceShowCommand,
} from "./licences.ts";
import { listenCommand } from "./listen.ts";
import { serveCommand } from "./serve.ts";
import { statsEvalCommand } from "./stats.ts";
import { tailCommand } from "./tail.ts";
import { teamsCreateCommand, teamsListCommand } from "./teams.ts";
import { triggerCommand } from "./trigger.ts";
import { versionCommand } from "./version.ts";

export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  demo: demoCommand,
  "teams create": teamsCreateCommand,
  "teams list": teamsListCommand,
  "keys create": keysCreateCommand,
  "keys list": keysListCommand,
  "keys revoke": keysRevokeCommand,
  "licence keygen": licenceKeygenCommand,
  "licence issue": licenceIssueCommand,
  "licence add": licenceAddCommand,
  "licence show": licenceShowCommand,
  listen: listenCommand,
  tail: tailCommand,
  trigger: triggerCommand,
  classify: classifyCommand,
  "stats eval": statsEvalCommand,
  doctor: doctorCommand,
  config: configCommand,
  version: versionCommand,
};
