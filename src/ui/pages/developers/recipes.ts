/** How a receiver knows that a delivery is ours, in four languages. The same as `docs/webhooks.md`. */

export interface Recipe {
  language: string;
  code: string;
}

const JAVASCRIPT = `import { createHmac, timingSafeEqual } from "node:crypto";

/** The event; throws where the request is not Outrider's. body: as it came, not parsed. */
export function verify(secret, headers, body) {
  const id = headers["webhook-id"];
  const time = headers["webhook-timestamp"];
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const right = createHmac("sha256", key).update(\`\${id}.\${time}.\${body}\`).digest();
  const isSigned = headers["webhook-signature"].split(" ").some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ""), "base64");
    return given.length === right.length && timingSafeEqual(given, right);
  });
  if (!isSigned || !(Math.abs(Date.now() / 1000 - Number(time)) < 300)) {
    throw new Error("not a webhook of Outrider");
  }
  return JSON.parse(body);
}`;

const PYTHON = `import base64, hashlib, hmac, json, time

def verify(secret, headers, body):
    """The event; raises where the request is not Outrider's. body: bytes as they came."""
    id, sent = headers["webhook-id"], headers["webhook-timestamp"]
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
    right = "v1," + base64.b64encode(mac).decode()
    given = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(right.encode(), one.encode()) for one in given):
        raise ValueError("not a webhook of Outrider")
    if abs(time.time() - int(sent)) > 300:
        raise ValueError("too old")
    return json.loads(body)`;

const GO = `// Verify tells whether the request is Outrider's. body: as it came.
func Verify(secret string, h http.Header, body []byte) bool {
	sent, err := strconv.ParseInt(h.Get("webhook-timestamp"), 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-sent)) > 300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", h.Get("webhook-id"), sent, body)
	right := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(h.Get("webhook-signature")) {
		if hmac.Equal([]byte(right), []byte(given)) {
			return true
		}
	}
	return false
}`;

const PHP = `/** The event; throws where the request is not Outrider's. $body: as it came. */
function verify(string $secret, array $headers, string $body): array
{
    $id = $headers['webhook-id'];
    $sent = $headers['webhook-timestamp'];
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $right = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sent.$body", $key, true));
    $isSigned = false;
    foreach (explode(' ', $headers['webhook-signature']) as $given) {
        $isSigned = hash_equals($right, $given) || $isSigned;
    }
    if (!$isSigned || abs(time() - (int) $sent) > 300) {
        throw new RuntimeException('not a webhook of Outrider');
    }
    return json_decode($body, true);
}`;

export const RECIPES: readonly Recipe[] = [
  { language: "JavaScript", code: JAVASCRIPT },
  { language: "Python", code: PYTHON },
  { language: "Go", code: GO },
  { language: "PHP", code: PHP },
];
