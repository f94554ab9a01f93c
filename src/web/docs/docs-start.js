// Starts the reference page. Everything that would ask another host is off.
Scalar.createApiReference("#reference", {
  url: "/api/v1/openapi.json",
  title: "Outrider API",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
  authentication: { preferredSecurityScheme: "apiKey" },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  hiddenClients: false,
  documentDownloadType: "json",
  orderSchemaPropertiesBy: "preserve",
});
