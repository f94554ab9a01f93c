/**
 * What parameters and fields of a request mean, where their schema does not say it itself: most have one
 * meaning wherever they stand. A field inside another is named by its path (`smtp.port`), and what means
 * something else in one operation, or on one resource, is named with it (`listAudit/limit`).
 */

import { isObject, type JsonObject } from "./json.ts";

/** In every language of a client: a sentence without its full stop. */
export const FIELDS: Readonly<Record<string, string>> = {
  id: "Its id",
  stepId: "The step's id",
  deliveryId: "The delivery's id",
  offset: "Records to pass over",
  campaign_id: "Only of this campaign",
  account_id: "Only of this account",
  status: "Only in this state",
  interest: "Only of this interest",
  active: "Whether it is on",

  "Campaign/name": "What it is called",
  "getCampaignForecast/days": "Days to look ahead",

  action: "What happened to the mail of which nobody knows: it counts as sent, or goes out again",

  imap: "The server on which it is read; that of google and microsoft is known",
  "imap.port": "143 for starttls, 993 for tls",
  "oauth.provider": "Who vouches for it",
  "oauth.client_id": "Of the client registered there",
  "oauth.client_secret": "Of the client registered there",
  "oauth.refresh_token": "What its owner consented to",
  hours: "Hours to look back",

  "Experiment/name": "What it is called",
  "createExperiment/campaign_id": "The campaign whose step varies",
  "patchExperiment/status": "paused, running again, or cancelled",
  duration_days: "Days that it takes leads",
  "getExperimentPlan/campaign_id": "Take what is left out from this campaign",
  "getExperimentPlan/step_position": "The step that would vary",
  "getExperimentPlan/leads": "Leads that may come to it",
  "getExperimentPlan/leads_per_day": "Leads that come to it a day",
  "getExperimentPlan/variants": "How many there would be",
  "getExperimentPlan/attribution_window_days":
    "Days after its mail in which a lead can become a success",
  winner_variant_id: "The variant that wins; null or left out: whoever has won by now",

  unread: "Only with something unread, or only without",
  "listInboxThreads/kind": "Only those whose last mail is of this kind",
  "patchInboxThread/interest": "How they are minded; null: nobody knows",
  read: "Whether it was read",
  "attachInboxThread/enrollment_id": "The lead's way through a campaign to which it belongs",

  "PlacementSeed/status": "paused leaves it out of runs",
  "listPlacementRuns/trigger_type": "Only those that were begun this way",
  trigger_type: "How it was begun; by a request it is manual",
  "PlacementRun/campaign_id": "Test its mail; with a step, that one",
  "PlacementSchedule/campaign_id": "Test its mail; null: a plain one",
  step_id: "The step whose mail is tested",
  weekday: "The day of the week on which it runs",
  hour: "The local hour at which it runs",
  "listPlacementRuns/campaign_id": "Only of this campaign",

  type: "Only events of this kind",
  types: "Only events of these kinds",

  "patchTeam/name": "What it is called",
  "createTeamInvitation/email": "Whom it is for",
  "createKey/name": "What it is for",
  "createKey/env": "The world in which it acts; that of the key that asks, if left out",
  scopes: "What it may do (admin)",
  env: "The world of the key that is meant; that of the key that asks, if left out",
  method: "Only of this method",
  key_id: "Only of this key",
  plan: "The plan to subscribe to",

  speed: "Seconds of sandbox time a second; 0 stands still",
  recipient: "Only to this address",
  "injectIntoSandbox/kind": "What comes in",
  "injectIntoSandbox/lead_id": "It answers the last mail to this lead",
  "injectIntoSandbox/enrollment_id": "It answers the last mail of this way through a campaign",
  "injectIntoSandbox/account_id": "The account that it comes to",
  text: "What the mail says; something that fits its kind, if left out",
  returns_on: "The day of their return that an auto_reply names",
  run_id: "The placement run whose test mail is played",
  seed_id: "The seed in which it arrives",
  placement: "Where it arrives",
  rates: "Shares of mails, 0 to 1, after which people do what it says",
  "rates.reply": "Somebody answers",
  "rates.interested": "Somebody answers, and is interested",
  "rates.auto_reply": "An out-of-office note comes",
  "rates.hard_bounce": "The address is none",
  "rates.soft_bounce": "The mail comes back, for now",
  "rates.complaint": "Somebody reports it as spam",
  "rates.unsubscribe": "Somebody opts out",
  "rates.spam": "It lands in spam, where nobody reads it",
  delays: "How long it takes until they do, each with min_seconds and max_seconds",
  "delays.reply": "Until an answer",
  "delays.interested": "Until an interested answer",
  "delays.auto_reply": "Until an out-of-office note",
  "delays.hard_bounce": "Until a bounce for good",
  "delays.soft_bounce": "Until a bounce for now",
  "delays.complaint": "Until a complaint",
  "delays.unsubscribe": "Until an opt-out",
  faults: "Shares of attempts, 0 to 1, at which a server fails as it says",
  "faults.smtp421": "It answers 421 and hangs up",
  "faults.smtp450": "It answers 450: later",
  "faults.smtp550": "It answers 550: never",
  "faults.timeout": "It answers nothing",
  "faults.cut": "The connection ends after the mail, whether it was taken or not",
  "faults.imap": "The mailbox cannot be read",
};

/** Of whose request the field is: its operation, and the record that the operation is about. */
export interface Whose {
  readonly id: string;
  readonly record: string;
}

/** What `path` means in a request, if its schema does not say it. */
export function wordsOf({ id, record }: Whose, path: string): string | undefined {
  return FIELDS[`${id}/${path}`] ?? FIELDS[`${record}/${path}`] ?? FIELDS[path];
}

/** `schema` of a body, with words for each of its fields. */
export function withWords(schema: JsonObject, whose: Whose, above = ""): JsonObject {
  const properties = schema["properties"];
  if (!isObject(properties)) {
    return schema;
  }
  const told = Object.entries(properties).map(([name, field]) => {
    const path = `${above}${name}`;
    if (!isObject(field)) {
      return [name, field];
    }
    const words = "description" in field ? undefined : wordsOf(whose, path);
    const inner = withWords(field, whose, `${path}.`);
    return [name, words === undefined ? inner : { ...inner, description: words }];
  });
  return { ...schema, properties: Object.fromEntries(told) };
}
