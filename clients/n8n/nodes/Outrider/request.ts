import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  INodePropertyOptions,
} from "n8n-workflow";

export type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

export interface Call {
  method: IHttpRequestMethods;
  /** Below `/api/v1`, ids encoded. */
  path: string;
  query?: IDataObject;
  body?: IDataObject;
}

/** Returns the response's JSON. Throws what n8n makes of a refusal, which has the server's words. */
export async function request(
  context: Context,
  { method, path, query, body }: Call,
): Promise<IDataObject> {
  const { url } = await context.getCredentials("outriderApi");
  return (await context.helpers.httpRequestWithAuthentication.call(context, "outriderApi", {
    method,
    url: `${String(url).replace(/\/+$/, "")}/api/v1${path}`,
    json: true,
    ...(query === undefined ? {} : { qs: query }),
    ...(body === undefined ? {} : { body }),
  })) as IDataObject;
}

const PAGE_ROWS = 100;
const PAGES_MAX = 1_000;

/** Rows of a list, at most `limit` of them: by cursor where it has one, else by offset. */
export async function rowsOf(
  context: Context,
  path: string,
  query: IDataObject,
  limit: number,
): Promise<IDataObject[]> {
  const rows: IDataObject[] = [];
  let place: IDataObject = {};
  for (let page = 0; page < PAGES_MAX && rows.length < limit; page += 1) {
    const qs = { ...query, ...place, limit: Math.min(PAGE_ROWS, limit - rows.length) };
    const found = await request(context, { method: "GET", path, query: qs });
    rows.push(...(found["data"] as IDataObject[]));
    const cursor = found["next_cursor"];
    if (found["hasMore"] !== true) {
      break;
    }
    place = typeof cursor === "string" ? { after: cursor } : { offset: rows.length };
  }
  return rows;
}

const CHOICES_MAX = 1_000;

/** The team's campaigns, to select from. */
export async function campaignChoices(context: Context): Promise<INodePropertyOptions[]> {
  const rows = await rowsOf(context, "/campaigns", {}, CHOICES_MAX);
  return rows.map(({ id, name }) => ({ name: String(name), value: String(id) }));
}

/** Events that a webhook may be subscribed to: families, then kinds. */
export async function eventChoices(context: Context): Promise<INodePropertyOptions[]> {
  const { data } = await request(context, { method: "GET", path: "/event-types" });
  const kinds = (data as IDataObject[]).filter(({ type }) => type !== "webhook.test");
  const families = [...new Set(kinds.map(({ family }) => String(family)))];
  return [
    { name: "All Events", value: "*" },
    ...families.map((family) => ({ name: `All ${family}`, value: family })),
    ...kinds.map(({ type, description }) => ({
      name: String(type),
      value: String(type),
      description: String(description),
    })),
  ];
}
