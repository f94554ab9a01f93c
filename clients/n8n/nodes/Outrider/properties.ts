import type { INodeProperties } from "n8n-workflow";
import { OPERATIONS } from "./operations.ts";

const RESOURCES = [
  { name: "Campaign", value: "campaign" },
  { name: "Conversation", value: "conversation" },
  { name: "Lead", value: "lead" },
  { name: "Suppression", value: "suppression" },
];

const operations = RESOURCES.map(({ value: resource }): INodeProperties => {
  const options = OPERATIONS.filter((operation) => operation.resource === resource).map(
    ({ name, value, action }) => ({ name, value, action, description: action }),
  );
  return {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: resource === "suppression" ? "create" : "getAll",
  };
});

/** `property`, for these operations alone. */
function shown(
  property: INodeProperties,
  resource: string,
  ...operation: string[]
): INodeProperties {
  return { ...property, displayOptions: { show: { resource: [resource], operation } } };
}

const campaignId: INodeProperties = {
  displayName: "Campaign Name or ID",
  name: "campaignId",
  type: "options",
  typeOptions: { loadOptionsMethod: "getCampaigns" },
  default: "",
  required: true,
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};
const leadId: INodeProperties = {
  displayName: "Lead ID",
  name: "leadId",
  type: "string",
  default: "",
  required: true,
};
const email: INodeProperties = {
  displayName: "Email",
  name: "email",
  type: "string",
  placeholder: "name@email.com",
  default: "",
  required: true,
};
const text = (displayName: string, name: string) =>
  ({ displayName, name, type: "string", default: "" }) as const;
const fields: INodeProperties = {
  displayName: "Fields",
  name: "fields",
  type: "collection",
  placeholder: "Add Field",
  default: {},
  options: [
    text("Company", "company"),
    text("First Name", "first_name"),
    text("Last Name", "last_name"),
    text("Phone", "phone"),
    {
      ...text("Time Zone", "timezone"),
      description: "IANA time zone, such as America/Chicago",
    },
    {
      displayName: "Variables",
      name: "variables",
      type: "json",
      default: "{}",
      description: "Values for templates, by name",
    },
    text("Website", "website"),
  ],
};
const list: readonly INodeProperties[] = [
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    description: "Max number of results to return",
  },
];

function listOf(resource: string): INodeProperties[] {
  return list.map((property) => {
    const only = property.name === "limit" ? { returnAll: [false] } : {};
    return {
      ...property,
      displayOptions: { show: { resource: [resource], operation: ["getAll"], ...only } },
    };
  });
}

/** The node's form: a resource, what to do with it, and what that needs. */
export const PROPERTIES: INodeProperties[] = [
  {
    displayName: "Resource",
    name: "resource",
    type: "options",
    noDataExpression: true,
    options: RESOURCES,
    default: "lead",
  },
  ...operations,
  shown({ ...text("Name", "name"), required: true }, "campaign", "create"),
  shown(campaignId, "campaign", "get", "getStats", "pause", "start"),
  shown(campaignId, "lead", "addToCampaign"),
  shown(email, "lead", "addToCampaign"),
  shown(leadId, "lead", "delete", "get", "update"),
  shown(
    { ...text("Search", "search"), description: "Words in the lead's address or fields" },
    "lead",
    "getAll",
  ),
  shown(fields, "lead", "addToCampaign", "update"),
  shown(
    { ...email, description: "An address, or a domain such as @example.com" },
    "suppression",
    "check",
    "create",
  ),
  shown({ ...text("Conversation ID", "conversationId"), required: true }, "conversation", "reply"),
  shown(
    { ...text("Text", "text"), typeOptions: { rows: 4 }, required: true },
    "conversation",
    "reply",
  ),
  ...["campaign", "conversation", "lead"].flatMap(listOf),
];
