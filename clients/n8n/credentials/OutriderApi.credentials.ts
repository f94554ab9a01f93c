import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from "n8n-workflow";

/** An API key, and where the server is. Its environment word selects live or sandbox. */
export class OutriderApi implements ICredentialType {
  name = "outriderApi";

  displayName = "Outrider API";

  icon: Icon = "file:../nodes/Outrider/outrider.svg";

  documentationUrl = "https://docs.n8n.io/integrations/community-nodes/";

  properties: INodeProperties[] = [
    {
      displayName: "Server URL",
      name: "url",
      type: "string",
      default: "",
      placeholder: "https://outrider.example.com",
      required: true,
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      description: "A key that starts with outrider_live_ or outrider_test_",
      required: true,
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}', url: "/api/v1/event-types" },
  };
}
