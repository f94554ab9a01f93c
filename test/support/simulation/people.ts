/** All that people do, at random. */

import { changeExperiment, tryVariants } from "./deeds-experiments.ts";
import { attachMail, liftSomebody, relabelMail, replyByHand, resolveReply } from "./deeds-inbox.ts";
import {
  changeLead,
  eraseLead,
  moveLead,
  removeLead,
  resolveHold,
  stopLead,
  suppressSomebody,
  unsubscribeSomebody,
} from "./deeds-leads.ts";
import { addSeed, beginRun, changePlan, changeSeed, stopRun } from "./deeds-placement.ts";
import { changeStep } from "./deeds-steps.ts";
import {
  changeAccount,
  changeCampaign,
  changeZone,
  fixAccount,
  importMore,
  lockAccount,
  pauseAccount,
  pauseCampaign,
  removeAccount,
  resumeCampaign,
} from "./deeds-team.ts";
import type { Deed } from "./stage.ts";

/** Between rounds anything may be done. */
export const DEEDS: readonly Deed[] = [
  pauseCampaign,
  resumeCampaign,
  resumeCampaign,
  changeCampaign,
  pauseAccount,
  fixAccount,
  fixAccount,
  lockAccount,
  changeAccount,
  changeZone,
  changeZone,
  removeAccount,
  importMore,
  suppressSomebody,
  unsubscribeSomebody,
  changeLead,
  stopLead,
  moveLead,
  removeLead,
  eraseLead,
  changeStep,
  tryVariants,
  tryVariants,
  changeExperiment,
  resolveHold,
  resolveHold,
  relabelMail,
  relabelMail,
  attachMail,
  replyByHand,
  replyByHand,
  resolveReply,
  liftSomebody,
  liftSomebody,
  addSeed,
  changeSeed,
  beginRun,
  beginRun,
  stopRun,
  changePlan,
];

/** While an email is on its way only what has to stop it. */
export const INTERRUPTIONS: readonly Deed[] = [
  pauseCampaign,
  pauseAccount,
  suppressSomebody,
  unsubscribeSomebody,
  stopLead,
];
