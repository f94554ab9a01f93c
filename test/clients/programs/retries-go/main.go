// Asks a server that fails in many ways. Prints what came of each request, one line of JSON for all.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os"
	"time"

	"outrider"
)

var ctx = context.Background()

// outcome is the value, or what went wrong as the test expects it.
func outcome(value any, err error) any {
	var refusal *outrider.Error
	var unreachable *outrider.Unreachable
	switch {
	case errors.As(err, &refusal):
		return []any{refusal.Type, refusal.Message, refusal.Field, refusal.Status, refusal.RequestID}
	case errors.As(err, &unreachable):
		return "unreachable"
	case err != nil:
		return err.Error()
	}
	return value
}

func ids[T any](records iter.Seq2[T, error], idOf func(T) string) any {
	found := []string{}
	for record, err := range records {
		if err != nil {
			return outcome(nil, err)
		}
		found = append(found, idOf(record))
	}
	return found
}

func verified() []any {
	var webhooks []struct {
		Body    string
		Headers map[string]string
		Secrets []string
		Now     int64
	}
	text, _ := os.ReadFile("webhooks.json")
	if err := json.Unmarshal(text, &webhooks); err != nil {
		panic(err)
	}
	var seen []any
	for _, one := range webhooks {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		event, err := outrider.VerifyWebhookAt(time.Unix(one.Now, 0), []byte(one.Body), header, one.Secrets...)
		if err != nil {
			seen = append(seen, err.Error())
		} else {
			seen = append(seen, event.ID)
		}
	}
	return seen
}

func main() {
	api := &outrider.Client{URL: os.Getenv("OUTRIDER_URL"), Key: "outrider_test_key"}
	limit := outrider.Some(int64(2))
	created, err := api.CreateCampaign(ctx, outrider.CampaignCreate{Name: "x"})
	seen := map[string]any{"busy": outcome(created.ID, err)}
	webhook, err := api.CreateWebhook(ctx, outrider.WebhookCreate{URL: "https://a.example"})
	seen["broken"] = outcome(webhook.ID, err)
	seen["deleted"] = outcome(nil, api.DeleteCampaign(ctx, "broken"))
	for name, id := range map[string]string{"refused": "refused", "proxy": "proxy", "noId": ""} {
		_, err := api.GetCampaign(ctx, id)
		seen[name] = outcome(nil, err)
	}
	leads := outrider.ListLeadsParams{Limit: limit, Search: outrider.Some("a b&c")}
	seen["cursors"] = ids(api.AllLeads(ctx, &leads), func(one outrider.Lead) string { return one.ID })
	events := outrider.ListEventsParams{Limit: limit}
	seen["events"] = ids(api.AllEvents(ctx, &events), func(one outrider.Event) string { return one.ID })
	accounts := outrider.ListAccountsParams{Limit: limit}
	seen["mailboxes"] = ids(api.AllAccounts(ctx, &accounts), func(one outrider.Account) string { return one.ID })
	experiments := outrider.ListExperimentsParams{Limit: limit}
	idOf := func(one outrider.Experiment) string { return one.ID }
	seen["experiments"] = ids(api.AllExperiments(ctx, &experiments), idOf)
	seen["webhooks"] = verified()
	printed, err := json.Marshal(seen)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(printed))
}
