import type {
  IDataObject,
  IHookFunctions,
  ILoadOptionsFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
  JsonObject,
} from "n8n-workflow";
import { NodeApiError, NodeConnectionTypes } from "n8n-workflow";
import { campaignChoices, eventChoices, request } from "./request.ts";
import { isGenuine } from "./verify.ts";

/** Events that have started the workflow already; older ones are forgotten. */
const SEEN_MAX = 1_000;

/** Of one webhook, kept with the workflow. */
interface Kept {
  webhookId?: string;
  secret?: string;
  seen?: string[];
}

/** Starts a workflow for each event: registers a webhook while the workflow is active. */
export class OutriderTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Outrider Trigger",
    name: "outriderTrigger",
    icon: "file:outrider.svg",
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when something happens in Outrider, such as a reply",
    defaults: { name: "Outrider Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "outriderApi", required: true }],
    webhooks: [
      { name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" },
    ],
    properties: [
      {
        displayName: "Event Names or IDs",
        name: "events",
        type: "multiOptions",
        typeOptions: { loadOptionsMethod: "getEvents" },
        default: ["reply.received"],
        required: true,
        description:
          'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
      },
      {
        displayName: "Include",
        name: "include",
        type: "multiOptions",
        default: ["lead"],
        options: [
          { name: "Campaign", value: "campaign" },
          { name: "Email You Sent", value: "message" },
          { name: "Lead", value: "lead" },
          { name: "Reply Text", value: "reply.text" },
        ],
        description: 'Records to get with every event, below "included"',
      },
      {
        displayName: "Campaign Names or IDs",
        name: "campaignIds",
        type: "multiOptions",
        typeOptions: { loadOptionsMethod: "getCampaigns" },
        default: [],
        description:
          'Only events of these campaigns; all events if you select none. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
      },
    ],
  };

  methods = {
    loadOptions: {
      getCampaigns(this: ILoadOptionsFunctions) {
        return campaignChoices(this);
      },
      getEvents(this: ILoadOptionsFunctions) {
        return eventChoices(this);
      },
    },
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId } = kept(this);
        if (webhookId === undefined) {
          return false;
        }
        try {
          const found = await request(this, { method: "GET", path: `/webhooks/${webhookId}` });
          return found["active"] === true && found["url"] === this.getNodeWebhookUrl("default");
        } catch (error) {
          if (!isGone(error)) {
            throw new NodeApiError(this.getNode(), error as JsonObject);
          }
          return false;
        }
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const campaigns = this.getNodeParameter("campaignIds", []) as string[];
        const made = await request(this, {
          method: "POST",
          path: "/webhooks",
          body: {
            url: this.getNodeWebhookUrl("default"),
            name: `n8n: ${this.getWorkflow().name ?? "workflow"}`.slice(0, 100),
            events: this.getNodeParameter("events") as string[],
            include: this.getNodeParameter("include", []) as string[],
            campaign_ids: campaigns.length === 0 ? null : campaigns,
          },
        });
        Object.assign(kept(this), { webhookId: made["id"], secret: made["secret"] });
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const { webhookId } = kept(this);
        if (webhookId !== undefined) {
          try {
            await request(this, { method: "DELETE", path: `/webhooks/${webhookId}` });
          } catch (error) {
            if (!isGone(error)) {
              throw new NodeApiError(this.getNode(), error as JsonObject);
            }
          }
        }
        const all = kept(this);
        delete all.webhookId;
        delete all.secret;
        return true;
      },
    },
  };

  /** Refuses what Outrider didn't sign. A repeated delivery is accepted and starts nothing. */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody } = this.getRequestObject() as { rawBody?: Uint8Array };
    const all = this.getWorkflowStaticData("node") as Kept;
    const now = Date.now() / 1000;
    const isSigned =
      all.secret !== undefined &&
      rawBody !== undefined &&
      isGenuine(all.secret, this.getHeaderData() as IDataObject, rawBody, now);
    // Responds itself: n8n then stores what the workflow keeps before it runs, and with its own response it doesn't.
    const response = this.getResponseObject();
    if (!isSigned) {
      response.status(401).json({ message: "not signed by Outrider" });
      return { noWebhookResponse: true };
    }
    const event = this.getBodyData();
    response.status(200).json({});
    if (isRepeat(all, String(event["id"]))) {
      return { noWebhookResponse: true };
    }
    return { noWebhookResponse: true, workflowData: [[{ json: event }]] };
  }
}

/** Also of deliveries that come while n8n is still storing what the workflow keeps; newest last. */
const recent = new Set<string>();

/** True where the event came before; otherwise it is remembered. */
function isRepeat(all: Kept, id: string): boolean {
  const seen = all.seen ?? [];
  const key = `${all.webhookId} ${id}`;
  if (recent.has(key) || seen.includes(id)) {
    return true;
  }
  recent.add(key);
  for (const oldest of recent) {
    if (recent.size <= SEEN_MAX) {
      break;
    }
    recent.delete(oldest);
  }
  all.seen = [...seen.slice(1 - SEEN_MAX), id];
  return false;
}

/** Somebody has deleted the webhook in Outrider. */
function isGone(error: unknown): boolean {
  return (error as { httpCode?: unknown }).httpCode === "404";
}

function kept(context: IHookFunctions): Kept {
  return context.getWorkflowStaticData("node") as Kept;
}
