/**
 * Which operations may send email, or let it go out, and what each would do: the plan that an assistant is
 * shown before. A rule answers null where its arguments send nothing. `test/api/assistant.test.ts` lists
 * every other operation that changes something, so that a new one has to be put in one of the two.
 */

import type { Plan } from "./plan.ts";
import type { Ask, Values } from "./types.ts";

/** Reads a record of the API. Throws {@link Refusal}. */
export type Look = (path: string) => Promise<Values>;

type Rule = (input: Values, look: Look) => Promise<Plan | null>;

/** The API's answer to a plan's look at what it is about: the answer to the whole call. */
export class Refusal extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super("refused");
    this.response = response;
  }
}

export function lookWith(ask: Ask): Look {
  return async (path) => {
    const response = await ask({ path, init: { method: "GET" } });
    if (!response.ok) {
      throw new Refusal(response);
    }
    return (await response.json()) as Values;
  };
}

const NOTHING: Omit<Plan, "action"> = {
  ...{ from: [], to: [], emails: null, firstAt: null, lastAt: null },
  ...{ subject: null, text: null, warnings: [] },
};
const LEADS_NAMED_MAX = 10;
const FORECAST_DAYS = 30;
/** Of `changeCampaignLeads`: the other actions stop emails. */
const LETS_GO = new Set(["resume", "release", "send_again"]);

export const SENDS: Readonly<Record<string, Rule>> = {
  startCampaign: (input, look) => campaignPlan("Start", input, look),
  resumeCampaign: (input, look) => campaignPlan("Resume", input, look),
  patchCampaign: async (input, look) =>
    input["status"] === "active" ? await campaignPlan("Start or resume", input, look) : null,
  createCampaignStep: async (input, look) => {
    const { name, status } = await look(path("campaigns", input["id"]));
    return input["dry_run"] === true || status !== "active"
      ? null
      : {
          ...NOTHING,
          action: `Add a step to the running campaign "${name}"; its leads get it in their turn`,
          subject: textOf(input["subject"]),
          text: textOf(input["body"]),
        };
  },
  sendTestCampaignStep: async (input, look) => {
    const campaign = await look(path("campaigns", input["id"]));
    const step = await look(`${path("campaigns", input["id"])}${path("steps", input["stepId"])}`);
    return {
      ...NOTHING,
      action: `Send step ${step["position"]} of the campaign "${campaign["name"]}" as a test email`,
      to: [String(input["to"])],
      emails: 1,
      subject: textOf(step["subject"]),
      text: textOf(step["body"]),
    };
  },
  importCampaignLeads: async (input, look) => {
    const { name, status } = await look(path("campaigns", input["id"]));
    const leads = Array.isArray(input["leads"]) ? input["leads"] : [];
    return input["dry_run"] === true || status !== "active"
      ? null
      : {
          ...NOTHING,
          action: `Add ${leads.length} leads to the running campaign "${name}", which emails them`,
          to: leads.slice(0, LEADS_NAMED_MAX).map((lead) => String(lead?.email)),
        };
  },
  enrollCampaignLeads: async (input, look) => {
    const { name, status } = await look(path("campaigns", input["id"]));
    const { filter } =
      typeof input["view_id"] === "string"
        ? await look(path("lead-views", input["view_id"]))
        : input;
    const which = filter === "" ? "all leads" : `leads that match ${filter}`;
    return input["dry_run"] === true || status !== "active"
      ? null
      : {
          ...NOTHING,
          action: `Add leads to the running campaign "${name}", which emails them`,
          to: [which],
        };
  },
  changeCampaignLeads: async (input, look) => {
    const { id, action, lead_ids: ids } = input;
    if (!LETS_GO.has(String(action))) {
      return null;
    }
    const { name } = await look(path("campaigns", id));
    const which = Array.isArray(ids) ? `${ids.length} leads` : "all leads that match the filter";
    return {
      ...NOTHING,
      action: `${sentence(String(action))} ${which} of the campaign "${name}"; their emails go on`,
      to: [which],
    };
  },
  patchCampaignLead: async (input, look) => {
    const { id, leadId, status, current_step: step, next_attempt_at: at } = input;
    const letsGo = status === "active" || status === "pending";
    if (!letsGo && step === undefined && typeof at !== "string") {
      return null;
    }
    const lead = await look(`${path("campaigns", id)}${path("leads", leadId)}`);
    return {
      ...NOTHING,
      action: "Let the sequence of a lead go on, or change when its next email is sent",
      to: [String(lead["email"])],
    };
  },
  resolveCampaignLead: async (input, look) => {
    if (input["action"] !== "send_again") {
      return null;
    }
    const lead = await look(`${path("campaigns", input["id"])}${path("leads", input["leadId"])}`);
    return {
      ...NOTHING,
      action: "Send an unconfirmed email again; the lead may get it twice",
      to: [String(lead["email"])],
      emails: 1,
    };
  },
  resolveMessage: async (input, look) => {
    if (input["action"] !== "send_again") {
      return null;
    }
    const message = await look(path("messages", input["id"]));
    return {
      ...messagePlan(message),
      action: "Send an unconfirmed email again; its recipient may get it twice",
      emails: 1,
    };
  },
  replyToInboxThread: async (input, look) => {
    const thread = await look(path("inbox/threads", input["id"]));
    return {
      ...NOTHING,
      action: "Send a reply, right away",
      from: [String(thread["account_email"])],
      to: [String(thread["from_address"]), ...copies(input)],
      emails: 1,
      subject: textOf(input["subject"]) ?? textOf(thread["subject"]),
      text: textOf(input["body"]),
    };
  },
  forwardInboxThread: async (input, look) => {
    const thread = await look(path("inbox/threads", input["id"]));
    return {
      ...NOTHING,
      action: "Forward an email, right away",
      from: [String(thread["account_email"])],
      to: [String(input["to"]), ...copies(input)],
      emails: 1,
      subject: textOf(thread["subject"]),
      text: textOf(input["body"]),
    };
  },
  patchInboxThread: async (input, look) => {
    if (input["kind"] === undefined) {
      return null;
    }
    const thread = await look(path("inbox/threads", input["id"]));
    return {
      ...NOTHING,
      action: `Classify a conversation as ${input["kind"]}; a sequence that it stopped may go on`,
      to: [String(thread["from_address"])],
    };
  },
  patchMessage: async (input, look) => {
    if (input["kind"] === undefined) {
      return null;
    }
    const { from } = await look(path("messages", input["id"]));
    return {
      ...NOTHING,
      action: `Classify an email as ${input["kind"]}; a sequence that it stopped may go on`,
      to: [String(from)],
    };
  },
  patchAccount: async (input, look) => {
    if (input["status"] !== "active") {
      return null;
    }
    const { email, status } = await look(path("accounts", input["id"]));
    return status === "active"
      ? null
      : {
          ...NOTHING,
          action: "Let a mailbox send again; its campaigns go on with it",
          from: [String(email)],
        };
  },
  changeAccounts: (input) =>
    Promise.resolve(
      Object(input["change"]).status === "active"
        ? { ...NOTHING, action: "Let mailboxes send again; their campaigns go on with them" }
        : null,
    ),
  testAccount: async (input, look) => {
    const { email } = await look(path("accounts", input["id"]));
    return {
      ...NOTHING,
      action: "Test a mailbox with an email to itself",
      from: [String(email)],
      to: [String(email)],
      emails: 1,
    };
  },
  patchTask: async (input, look) => {
    if (input["done"] !== true && input["skipped"] !== true) {
      return null;
    }
    const { email } = await look(path("tasks", input["id"]));
    return {
      ...NOTHING,
      action: "Close a task, which cannot be undone; the lead's sequence goes on",
      to: [String(email)],
    };
  },
  deleteSuppression: async (input, look) => {
    const { reason, resume } = input;
    if (resume === false || (resume === undefined && reason === undefined)) {
      return null;
    }
    const { email } = await look(path("suppressions", input["id"]));
    return {
      ...NOTHING,
      action: "Lift a suppression; the sequences that ended with it go on",
      to: [String(email ?? "an erased address")],
    };
  },
  createPlacementRun: (input) =>
    placementPlan("Send an email from each account to each seed", input),
  createPlacementSchedule: (input) =>
    placementPlan("Send an email from each account to each seed every week", input),
  patchPlacementSchedule: async (input) =>
    input["active"] === false
      ? null
      : await placementPlan("Change or turn on a weekly placement run, which sends email", input),
  runBatch: (input) => {
    const asked = (Array.isArray(input["operations"]) ? input["operations"] : []).map(Object);
    const writes = asked.filter(({ method }) => method !== "GET");
    const named = writes.map(({ method, path: to }) => `${method} ${to}`).join(", ");
    return Promise.resolve(
      writes.length === 0 || input["dry_run"] === true
        ? null
        : { ...NOTHING, action: `Carry out ${writes.length} changes at once: ${named}` },
    );
  },
  restoreBackup: (input) =>
    Promise.resolve({
      ...NOTHING,
      action: `Replace everything on this server by backup ${input["id"]}; its campaigns go on`,
    }),
};

async function campaignPlan(verb: string, { id }: Values, look: Look): Promise<Plan> {
  const campaign = await look(path("campaigns", id));
  const [check, forecast, leads] = await Promise.all([
    look(`${path("campaigns", id)}/launch-check`),
    look(`${path("campaigns", id)}/forecast?as_if_started=true&days=${FORECAST_DAYS}`),
    look(`${path("campaigns", id)}/leads?limit=1`),
  ]);
  const sends = forecast["sends"] as readonly { at: string }[];
  const { problems, warnings } = check as Record<string, readonly { message: string }[]>;
  const total = Number(forecast["total"]);
  return {
    ...NOTHING,
    action: `${verb} the campaign "${campaign["name"]}"`,
    from: await addressesOf(campaign["account_ids"] as string[], look),
    to: [`${leads["total"]} leads of the campaign`],
    emails: total,
    firstAt: textOf(forecast["next_send_at"]),
    // The forecast lists the first thousand one by one.
    lastAt: sends.length === total ? (sends.at(-1)?.at ?? null) : null,
    warnings: [
      ...(problems ?? []).map(({ message }) => `In the way of a start: ${message}`),
      ...(warnings ?? []).map(({ message }) => message),
    ],
  };
}

/** Of a key that may not read mailboxes, their ids. */
async function addressesOf(ids: readonly string[], look: Look): Promise<string[]> {
  const named = ids.map(async (id) => {
    try {
      return String((await look(path("accounts", id)))["email"]);
    } catch {
      return id;
    }
  });
  return await Promise.all(named);
}

function messagePlan({ from, to, subject, text }: Values): Omit<Plan, "action"> {
  return {
    ...NOTHING,
    from: [String(from)],
    to: [String(to)],
    subject: textOf(subject),
    text: textOf(text),
  };
}

function placementPlan(action: string, input: Values): Promise<Plan> {
  const { account_ids: accounts, seed_ids: seeds } = input;
  const named = (ids: unknown) => (Array.isArray(ids) ? ids.map(String) : ["all"]);
  return Promise.resolve({
    ...NOTHING,
    action,
    from: named(accounts).map((id) => `account ${id}`),
    to: named(seeds).map((id) => `seed ${id}`),
    emails: Array.isArray(accounts) && Array.isArray(seeds) ? accounts.length * seeds.length : null,
  });
}

function path(collection: string, id: unknown): string {
  return `/${collection}/${encodeURIComponent(String(id))}`;
}

/** Who gets a copy. */
function copies(input: Values): string[] {
  return [input["cc"], input["bcc"]].flatMap((given) =>
    Array.isArray(given) ? given.map(String) : [],
  );
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function sentence(word: string): string {
  return (word.charAt(0).toUpperCase() + word.slice(1)).replaceAll("_", " ");
}
