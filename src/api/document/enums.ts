/**
 * Names for sets of values, so that a client has one type for each: `CampaignStatus`, `Weekday`. A set is
 * called after the first place where it stands, and stands elsewhere as a reference.
 */

import { isObject, type JsonObject } from "./json.ts";
import { pascal, singular } from "./names.ts";

/** A schema, and what stands before the names of the sets in it. */
export interface EnumOwner {
  name: string;
  /** For a set that differs from the one of the same name: of what may be set, say. */
  candidates: readonly string[];
  schema: JsonObject;
}

/** Where the place would make a poor name, or the set is the same in many. */
const RENAMED: Readonly<Record<string, string>> = {
  AccountDnsCheckCheck: "DnsCheck",
  AccountDnsCheckPublishType: "DnsRecordType",
  AccountDnsCheckVerdict: "DnsVerdict",
  AccountDnsDmarcPolicy: "DmarcPolicy",
  AccountHealthPartName: "HealthCause",
  AccountSmtpSecurity: "ServerSecurity",
  AccountTestStepStep: "AccountTestStep",
  BackupStatus: "BackupTaskStatus",
  BillingLimitWarningLimit: "PlanLimitName",
  BillingSubscribePlan: "PaidPlan",
  BillingSubscriptionPlan: "Plan",
  CampaignLeadErrorReason: "ImportErrorReason",
  CampaignLeadImportDelimiter: "ImportDelimiter",
  CampaignLeadInterest: "Interest",
  CampaignLeadResolveAction: "UnconfirmedAction",
  CampaignLeadSkippedDetailReason: "ImportSkipReason",
  CampaignRiskyAddresse: "RiskyAddresses",
  CampaignRuleOn: "RuleEvent",
  CampaignSendWindowDay: "Weekday",
  CampaignStepCheckFindingRule: "SpamCheckRule",
  CampaignStepCheckFindingSeverity: "SpamCheckSeverity",
  CampaignStepSendTestStatus: "TestEmailStatus",
  DomainBrokenCheck: "DomainCheck",
  EmailSentKind: "EmailKind",
  EventEnv: "Environment",
  ExperimentResultQualityGuardrailReason: "GuardrailReason",
  ExperimentResultRecommendationCode: "RecommendationCode",
  ExperimentResultSignificanceTest: "SignificanceTest",
  ExperimentResultWarningCode: "ExperimentWarningCode",
  ImportFormat: "FileFormat",
  InboxThreadKind: "ReceivedKind",
  LeadDuplicateLeadAddresReason: "AddressReason",
  LeadDuplicateLeadAddresVerdict: "AddressVerdict",
  LeadTimelineMessageConfidence: "Confidence",
  LeadTimelineMessageDirection: "MessageDirection",
  LeadTimelineMessageEffectType: "EffectType",
  LeadTimelineMessageKind: "MessageKind",
  LeadTimelineMessageMatchedBy: "MatchedBy",
  LeadTimelineMessageSeverity: "BounceSeverity",
  LeadTimelineMessageStatus: "MessageStatus",
  PlacementRunResultPlacement: "Placement",
  PlacementRunResultSpf: "AuthenticationResult",
  PlacementRunResultStatus: "PlacementTestStatus",
  PlacementRunResultTab: "GmailTab",
  PlacementSeedOauthProvider: "OauthProvider",
  ProviderFiguresProvider: "SeedProvider",
  SandboxSettingsBlockKind: "SandboxBlockKind",
  SystemStatusCheckVerdict: "CheckVerdict",
  TeamLanguage: "Language",
  TeamMemberRole: "Role",
  WebhookDeliveryEventType: "EventType",
  WebhookDeliveryLastError: "DeliveryError",
  WebhookDeliveryStatus: "DeliveryStatus",
  WebhookEvent: "EventPattern",
};

export interface Enums {
  /** Components, by name. */
  schemas: JsonObject;
  /** A reference in place of the values; null stands beside it where it is one of them. */
  refer(schema: JsonObject): JsonObject;
}

export function isEnum(schema: JsonObject): boolean {
  return Array.isArray(schema["enum"]);
}

/** Throws where two sets of values would have one name. */
export function nameEnums(owners: readonly EnumOwner[]): Enums {
  const names = new Map<string, string>();
  const schemas: JsonObject = {};
  for (const { name: owner, candidates, schema } of owners) {
    for (const { path, found } of enumsIn(schema, [])) {
      const place = path.map((part) => pascal(singular(part))).join("");
      const possible = [owner, ...candidates].map((before) => `${before}${place}`);
      const name = possible.map((one) => RENAMED[one] ?? one).find((one) => !(one in schemas));
      if (!names.has(keyOf(found))) {
        if (name === undefined) {
          throw new Error(`two sets of values are called ${possible.join(" and ")}`);
        }
        names.set(keyOf(found), name);
        schemas[name] = { type: "string", enum: valuesOf(found) };
      }
    }
  }
  const refer = (schema: JsonObject): JsonObject => {
    const { enum: values, type: _type, ...rest } = schema;
    const name = names.get(keyOf(schema));
    if (name === undefined) {
      throw new Error(`a set of values has no name: ${JSON.stringify(values)}`);
    }
    const reference = { $ref: `#/components/schemas/${name}` };
    const isNullable = Array.isArray(values) && values.includes(null);
    return isNullable
      ? { ...rest, anyOf: [reference, { type: "null" }] }
      : { ...rest, ...reference };
  };
  return { schemas, refer };
}

function valuesOf(schema: JsonObject): unknown[] {
  const values = schema["enum"];
  return Array.isArray(values) ? values.filter((value) => value !== null) : [];
}

function keyOf(schema: JsonObject): string {
  return JSON.stringify(valuesOf(schema));
}

interface FoundEnum {
  path: string[];
  found: JsonObject;
}

function* enumsIn(schema: JsonObject, path: string[]): Generator<FoundEnum> {
  if (isEnum(schema)) {
    yield { path, found: schema };
  }
  const { properties, items, additionalProperties, anyOf } = schema;
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (isObject(property)) {
      yield* enumsIn(property, [...path, name]);
    }
  }
  for (const inner of [items, additionalProperties, ...(Array.isArray(anyOf) ? anyOf : [])]) {
    if (isObject(inner)) {
      yield* enumsIn(inner, path);
    }
  }
}
