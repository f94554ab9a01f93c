import type { IDataObject } from "n8n-workflow";
import type { Call } from "./request.ts";

/** Reads a parameter of the node for the item at hand. */
export type Read = (name: string) => unknown;

export interface Operation {
  resource: string;
  /** As the node stores it. */
  value: string;
  name: string;
  /** In the list of actions: "Create a campaign". */
  action: string;
  call: (read: Read) => Call;
  /** Of a list: how many rows; undefined for all. */
  limit?: (read: Read) => number | undefined;
}

const id = (read: Read, name: string) => encodeURIComponent(String(read(name)));
const campaign = (read: Read) => `/campaigns/${id(read, "campaignId")}`;
const lead = (read: Read) => `/leads/${id(read, "leadId")}`;
const limit = (read: Read) => (read("returnAll") === true ? undefined : Number(read("limit")));

/** Fields that were filled in; `variables` is JSON. Throws a SyntaxError where it is none. */
function given(fields: unknown): IDataObject {
  const entries = Object.entries(fields as IDataObject).filter(([, value]) => value !== "");
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === "variables" && typeof value === "string" ? JSON.parse(value) : value,
    ]),
  );
}

export const OPERATIONS: readonly Operation[] = [
  {
    resource: "campaign",
    value: "create",
    name: "Create",
    action: "Create a campaign",
    call: (read) => ({ method: "POST", path: "/campaigns", body: { name: String(read("name")) } }),
  },
  {
    resource: "campaign",
    value: "get",
    name: "Get",
    action: "Get a campaign",
    call: (read) => ({ method: "GET", path: campaign(read) }),
  },
  {
    resource: "campaign",
    value: "getAll",
    name: "Get Many",
    action: "Get many campaigns",
    call: () => ({ method: "GET", path: "/campaigns" }),
    limit,
  },
  {
    resource: "campaign",
    value: "getStats",
    name: "Get Statistics",
    action: "Get the statistics of a campaign",
    call: (read) => ({ method: "GET", path: `${campaign(read)}/stats` }),
  },
  {
    resource: "campaign",
    value: "pause",
    name: "Pause",
    action: "Pause a campaign",
    call: (read) => ({ method: "POST", path: `${campaign(read)}/pause` }),
  },
  {
    resource: "campaign",
    value: "start",
    name: "Start",
    action: "Start a campaign",
    call: (read) => ({ method: "POST", path: `${campaign(read)}/start` }),
  },
  {
    resource: "lead",
    value: "addToCampaign",
    name: "Add to Campaign",
    action: "Add a lead to a campaign",
    call: (read) => ({
      method: "POST",
      path: `${campaign(read)}/leads`,
      body: { leads: [{ email: String(read("email")), ...given(read("fields")) }] },
    }),
  },
  {
    resource: "lead",
    value: "delete",
    name: "Erase",
    action: "Erase a lead and their data",
    call: (read) => ({ method: "DELETE", path: lead(read) }),
  },
  {
    resource: "lead",
    value: "get",
    name: "Get",
    action: "Get a lead",
    call: (read) => ({ method: "GET", path: lead(read) }),
  },
  {
    resource: "lead",
    value: "getAll",
    name: "Get Many",
    action: "Get many leads",
    call: (read) => {
      const search = String(read("search"));
      return { method: "GET", path: "/leads", query: search === "" ? {} : { search } };
    },
    limit,
  },
  {
    resource: "lead",
    value: "update",
    name: "Update",
    action: "Update a lead",
    call: (read) => ({ method: "PATCH", path: lead(read), body: given(read("fields")) }),
  },
  {
    resource: "suppression",
    value: "check",
    name: "Check",
    action: "Check whether an address is suppressed",
    call: (read) => ({
      method: "GET",
      path: "/suppressions/check",
      query: { email: String(read("email")) },
    }),
  },
  {
    resource: "suppression",
    value: "create",
    name: "Create",
    action: "Suppress an address or a domain",
    call: (read) => ({
      method: "POST",
      path: "/suppressions",
      body: { email: String(read("email")) },
    }),
  },
  {
    resource: "conversation",
    value: "getAll",
    name: "Get Many",
    action: "Get many conversations",
    call: () => ({ method: "GET", path: "/inbox/threads" }),
    limit,
  },
  {
    resource: "conversation",
    value: "reply",
    name: "Reply",
    action: "Reply to a conversation",
    call: (read) => ({
      method: "POST",
      path: `/inbox/threads/${id(read, "conversationId")}/reply`,
      body: { body: String(read("text")) },
    }),
  },
];
