import type {
  IDataObject,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from "n8n-workflow";
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from "n8n-workflow";
import { OPERATIONS } from "./operations.ts";
import { PROPERTIES } from "./properties.ts";
import { campaignChoices, request, rowsOf } from "./request.ts";

/** Does one operation for each item. */
export class Outrider implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Outrider",
    name: "outrider",
    icon: "file:outrider.svg",
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Manage campaigns, leads, suppressions, and replies in Outrider",
    defaults: { name: "Outrider" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "outriderApi", required: true }],
    properties: PROPERTIES,
  };

  methods = {
    loadOptions: {
      getCampaigns(this: ILoadOptionsFunctions) {
        return campaignChoices(this);
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (const [item] of this.getInputData().entries()) {
      try {
        const rows = await run(this, item);
        results.push(...rows.map((json) => ({ json, pairedItem: { item } })));
      } catch (error) {
        if (!this.continueOnFail()) {
          throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item });
        }
        results.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    }
    return [results];
  }
}

async function run(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const read = (name: string) => context.getNodeParameter(name, item);
  const operation = OPERATIONS.find(
    ({ resource, value }) => resource === read("resource") && value === read("operation"),
  );
  if (operation === undefined) {
    throw new NodeOperationError(context.getNode(), "Select an operation.", { itemIndex: item });
  }
  const call = operation.call(read);
  if (operation.limit !== undefined) {
    const limit = operation.limit(read) ?? Number.POSITIVE_INFINITY;
    return await rowsOf(context, call.path, call.query ?? {}, limit);
  }
  const body = await request(context, call);
  return [call.method === "DELETE" ? { deleted: true } : body];
}
