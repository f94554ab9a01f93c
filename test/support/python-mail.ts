/** Parts of an email as Python's `email` package reads them: somebody else's reading of RFC 2231 and RFC 2045. */

export interface ReadPart {
  name: string | null;
  type: string;
  disposition: string | null;
  cid: string | null;
  sha256: string;
  bytes: number;
}

const PROGRAM = `
import email, email.policy, hashlib, json, sys
message = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
parts = []
for part in message.walk():
    if part.is_multipart():
        continue
    content = part.get_payload(decode=True)
    parts.append({
        "name": part.get_filename(),
        "type": part.get_content_type(),
        "disposition": part.get_content_disposition(),
        "cid": part["Content-ID"],
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
    })
print(json.dumps({"parts": parts, "defects": [str(one) for one in message.defects]}))
`;

export async function readByPython(
  raw: Uint8Array,
): Promise<{ parts: ReadPart[]; defects: string[] }> {
  const run = Bun.spawn(["python3", "-c", PROGRAM], { stdin: raw, stdout: "pipe" });
  return JSON.parse(await new Response(run.stdout).text());
}
