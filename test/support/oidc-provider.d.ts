/** The parts of `oidc-provider` that the tests use: it ships no types. */

declare module "oidc-provider" {
  interface Context {
    path: string;
    body?: Record<string, unknown>;
    req: unknown;
    res: unknown;
    redirect(url: string): void;
    oidc: { body: Record<string, string> };
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
    destroy(): Promise<void>;
  }

  interface Tokens {
    find(token: string): Promise<{ destroy(): Promise<void> } | undefined>;
    revokeByGrantId(id: string): Promise<void>;
    new (of: object): { save(): Promise<string>; destroy(): Promise<void> };
  }

  class Provider {
    constructor(issuer: string, settings: object);
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    on(event: "grant.success", listener: (context: Context) => void): void;
    on(
      event: "client_credentials.saved",
      listener: (token: { destroy(): Promise<void> }) => void,
    ): void;
    callback(): (request: unknown, response: unknown) => void;
    interactionDetails(
      req: unknown,
      res: unknown,
    ): Promise<{
      prompt: { name: string };
      params: { client_id: string; scope: string };
      session?: { accountId: string };
    }>;
    interactionResult(req: unknown, res: unknown, result: object, how: object): Promise<string>;
    readonly Grant: {
      new (of: { accountId: string; clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    readonly Client: { find(id: string): Promise<object | undefined> };
    readonly AccessToken: Tokens;
    readonly RefreshToken: Tokens;
  }
}
