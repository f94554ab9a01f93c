/**
 * Domain-wide delegation as Google grants it, at an authorization server of our own: an assertion of a service
 * account is verified by `jose` (RFC 7523), and the token is one of `oidc-provider`'s, so that a mail server can ask
 * about it. The errors are in Google's words.
 */

import { generateKeyPairSync } from "node:crypto";
import { errors, importSPKI, jwtVerify } from "jose";
import type { Provider } from "oidc-provider";

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const SCOPE = "https://mail.google.com/";

export interface Delegation {
  /** The service account, and the public half of its key. */
  email: string;
  keyId: string;
  publicKey: string;
  /** False: the administrator has taken the consent back. */
  isDelegated: boolean;
  /** Mailboxes that there are. */
  mailboxes: ReadonlySet<string>;
  /** Whom a token was granted for, in order. */
  granted: string[];
  /** Token requests that came, whatever became of them. */
  questions: number;
  /** What time it is there. */
  now: () => Date;
  /** Ends tokens that were granted so far. */
  endTokens(): Promise<void>;
  tokens: { destroy(): Promise<void> }[];
}

/** A service account with a key of its own, as the file has it that Google gives. */
export function serviceAccount(mailboxes: Iterable<string>): {
  delegation: Delegation;
  file: string;
} {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const [email, keyId] = ["outrider@project.iam.gserviceaccount.com", "key-of-tests"];
  const delegation: Delegation = {
    ...{ email, keyId, isDelegated: true, granted: [], questions: 0, tokens: [] },
    now: () => new Date(),
    publicKey: pair.publicKey.export({ format: "pem", type: "spki" }).toString(),
    mailboxes: new Set(mailboxes),
    endTokens: async () => {
      await Promise.all(delegation.tokens.splice(0).map((token) => token.destroy()));
    },
  };
  const file = {
    type: "service_account",
    project_id: "project",
    private_key_id: keyId,
    private_key: pair.privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    client_email: email,
    client_id: "104020305060708090100",
    token_uri: "http://169.254.169.254/token",
  };
  return { delegation, file: JSON.stringify(file) };
}

export async function answerAssertion(
  provider: Provider,
  delegation: Delegation,
  issuer: string,
  body: string,
): Promise<Response> {
  delegation.questions += 1;
  const form = new URLSearchParams(body);
  if (form.get("grant_type") !== GRANT) {
    return refusal(400, "unsupported_grant_type", "Invalid grant_type");
  }
  let subject: string;
  try {
    const key = await importSPKI(delegation.publicKey, "RS256");
    const { payload, protectedHeader } = await jwtVerify(form.get("assertion") ?? "", key, {
      issuer: delegation.email,
      audience: `${issuer}/token`,
      algorithms: ["RS256"],
      typ: "JWT",
      currentDate: delegation.now(),
      maxTokenAge: "5 minutes",
      requiredClaims: ["iss", "sub", "aud", "exp", "iat"],
    });
    const life = (payload.exp ?? 0) - (payload.iat ?? 0);
    if (protectedHeader.kid !== delegation.keyId || life > 3_600 || payload["scope"] !== SCOPE) {
      return refusal(400, "invalid_grant", "Invalid JWT Signature.");
    }
    subject = payload.sub ?? "";
  } catch (error) {
    const isSignature = error instanceof errors.JWSSignatureVerificationFailed;
    return refusal(400, "invalid_grant", isSignature ? "Invalid JWT Signature." : String(error));
  }
  if (!delegation.isDelegated) {
    return refusal(
      401,
      "unauthorized_client",
      "Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.",
    );
  }
  if (!delegation.mailboxes.has(subject)) {
    return refusal(400, "invalid_grant", "Invalid email or User ID");
  }
  delegation.granted.push(subject);
  return Response.json({
    access_token: await tokenFor(provider, delegation, subject),
    expires_in: 3_599,
    token_type: "Bearer",
  });
}

async function tokenFor(
  provider: Provider,
  delegation: Delegation,
  accountId: string,
): Promise<string> {
  const client = await provider.Client.find("outrider");
  const grant = new provider.Grant({ accountId, clientId: "outrider" });
  const grantId = await grant.save();
  const token = new provider.AccessToken({ accountId, client, grantId, scope: "", gty: GRANT });
  delegation.tokens.push(token);
  return await token.save();
}

function refusal(status: number, error: string, error_description: string): Response {
  return Response.json({ error, error_description }, { status });
}
