package outrider

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// AgeMax is the oldest webhook that is believed, by Standard Webhooks.
const AgeMax = 5 * time.Minute

// ErrWebhookTime is a webhook that is too old, or from the future.
var ErrWebhookTime = errors.New("the webhook is too old, or from the future")

// ErrWebhookSignature is a webhook that none of the secrets has signed.
var ErrWebhookSignature = errors.New("the webhook is not signed with this secret")

// VerifyWebhook returns the event of a webhook's request, or an error where it was not signed with one of
// secrets (whsec_…; two while one takes the place of the other) within the last five minutes. body is as it
// came, not read and written again.
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (*Event, error) {
	return VerifyWebhookAt(time.Now(), body, header, secrets...)
}

// VerifyWebhookAt is VerifyWebhook at another time.
func VerifyWebhookAt(now time.Time, body []byte, header http.Header, secrets ...string) (*Event, error) {
	id, sentAt := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > AgeMax {
		return nil, ErrWebhookTime
	}
	signed := append([]byte(id+"."+sentAt+"."), body...)
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, errors.New("a secret is whsec_ and standard base64")
		}
		mac := hmac.New(sha256.New, key)
		mac.Write(signed)
		if isAmong(mac.Sum(nil), header.Get("webhook-signature")) {
			event := new(Event)
			return event, json.Unmarshal(body, event)
		}
	}
	return nil, ErrWebhookSignature
}

func isAmong(right []byte, signatures string) bool {
	for _, signature := range strings.Fields(signatures) {
		text, isV1 := strings.CutPrefix(signature, "v1,")
		given, err := base64.StdEncoding.DecodeString(text)
		if isV1 && err == nil && hmac.Equal(given, right) {
			return true
		}
	}
	return false
}
