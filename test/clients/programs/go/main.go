// From a mailbox to a verified webhook, through the client that oapi-codegen makes of the document.
// Prints what it has seen as one line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/oapi-codegen/nullable"
	"github.com/oapi-codegen/runtime/types"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"program/outrider"
)

const daysMax = 10

var ctx = context.Background()

type delivery struct {
	header http.Header
	body   []byte
}

// must returns the answer, and ends the program with the body of a refusal.
func must[T any](answer *T, body []byte, err error) T {
	if err != nil || answer == nil {
		fmt.Fprintln(os.Stderr, err, string(body))
		os.Exit(1)
	}
	return *answer
}

func to[T any](value T) *T { return &value }

func connect() *outrider.ClientWithResponses {
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("OUTRIDER_KEY"))
		return nil
	}
	url := os.Getenv("OUTRIDER_URL") + "/api/v1"
	api, err := outrider.NewClientWithResponses(url, outrider.WithRequestEditorFn(withKey))
	must(api, nil, err)
	return api
}

// receive opens a receiver of webhooks, and returns its URL.
func receive() (string, chan delivery) {
	deliveries := make(chan delivery, 100)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(&listener, nil, err)
	go http.Serve(listener, http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		deliveries <- delivery{request.Header, body}
	}))
	return "http://" + listener.Addr().String() + "/hooks", deliveries
}

func createCampaign(api *outrider.ClientWithResponses) outrider.Campaign {
	account, err := api.CreateAccountWithResponse(ctx, nil, outrider.AccountCreate{
		Email: "ann@sender.example", Provider: outrider.AccountProviderSandbox,
	})
	must(account.JSON201, account.Body, err)
	campaign, err := api.CreateCampaignWithResponse(ctx, nil, outrider.CampaignCreate{
		Name: "Spring", Notes: nullable.NewNullableWithValue("A draft"),
	})
	created := must(campaign.JSON201, campaign.Body, err)
	step, err := api.CreateCampaignStepWithResponse(ctx, created.Id, nil, outrider.CampaignStepCreate{
		Type:    outrider.CampaignStepTypeEmail,
		Subject: nullable.NewNullableWithValue("A question"),
		Body:    nullable.NewNullableWithValue("Hi"),
	})
	must(step.JSON201, step.Body, err)
	return created
}

// addLeads adds two as JSON and three as a file, and returns how many were added.
func addLeads(api *outrider.ClientWithResponses, id types.UUID) []int64 {
	leads := []outrider.ImportCampaignLeadsRequest_Leads{
		{
			Email: "ada@one.example", FirstName: nullable.NewNullableWithValue("Ada"),
			Variables: &map[string]any{"city": "Oslo"},
		},
		{Email: "bo@two.example", FirstName: nullable.NewNullNullable[string]()},
	}
	added, err := api.ImportCampaignLeadsWithResponse(
		ctx, id, nil, outrider.ImportCampaignLeadsRequest{Leads: leads})
	ofJSON := must(added.JSON200, added.Body, err)
	file := "email,first_name\ncy@three.example,Cy\ndi@four.example,Di\ned@five.example,Ed"
	imported, err := api.ImportCampaignFileWithBodyWithResponse(
		ctx, id, nil, "text/csv", strings.NewReader(file))
	ofFile := must(imported.JSON200, imported.Body, err)
	return []int64{ofJSON.Imported, ofFile.Imported}
}

func createExperiment(api *outrider.ClientWithResponses, id types.UUID) outrider.Experiment {
	experiment, err := api.CreateExperimentWithResponse(ctx, nil, outrider.ExperimentCreate{
		Name:          "Subject",
		CampaignId:    id,
		PrimaryMetric: to(outrider.ExperimentPrimaryMetricReplyRate),
		Variants: []outrider.ExperimentCreate_Variants{
			{Name: "A", Config: &map[string]any{"subject": "A question"}},
			{Name: "B", Config: &map[string]any{"subject": "Hello"}},
		},
	})
	return must(experiment.JSON201, experiment.Body, err)
}

// send moves the clock until all five emails are sent, and returns how many were.
func send(api *outrider.ClientWithResponses, id types.UUID) int64 {
	var sent int64
	for day := 0; day < daysMax && sent < 5; day++ {
		clock, err := api.MoveSandboxClockWithResponse(
			ctx, nil, outrider.MoveSandboxClockRequest{Advance: to("1d")})
		must(clock.JSON200, clock.Body, err)
		stats, err := api.GetCampaignStatsWithResponse(ctx, id)
		sent = must(stats.JSON200, stats.Body, err).Sent
	}
	return sent
}

func countLeads(api *outrider.ClientWithResponses, id types.UUID) int {
	emails := map[string]bool{}
	params := outrider.ListCampaignLeadsParams{Limit: to(2)}
	for {
		answer, err := api.ListCampaignLeadsWithResponse(ctx, id, &params)
		page := must(answer.JSON200, answer.Body, err)
		for _, lead := range page.Data {
			emails[lead.Email] = true
		}
		if page.NextCursor.IsNull() {
			return len(emails)
		}
		params.After = to(page.NextCursor.MustGet())
	}
}

// listEvents returns the addresses that emails were sent to, and how many leads were enrolled.
func listEvents(api *outrider.ClientWithResponses, pattern string) (sent []string, enrolled int) {
	answer, err := api.ListEventsWithResponse(ctx, &outrider.ListEventsParams{Type: &pattern})
	for _, event := range must(answer.JSON200, answer.Body, err).Data {
		value, err := event.ValueByDiscriminator()
		must(&value, answer.Body, err)
		switch one := value.(type) {
		case outrider.EmailSentEvent:
			sent = append(sent, one.Data.To.MustGet())
		case outrider.LeadEnrolledEvent:
			enrolled++
		}
	}
	slices.Sort(sent)
	return sent, enrolled
}

func main() {
	api := connect()
	campaign := createCampaign(api)
	id := campaign.Id
	imported := addLeads(api, id)
	experiment := createExperiment(api, id)
	url, deliveries := receive()
	hook, err := api.CreateWebhookWithResponse(ctx, nil, outrider.WebhookCreate{
		Url: url, Events: &[]outrider.EventPattern{outrider.EventPatternEmailSent},
	})
	webhook := must(hook.JSON201, hook.Body, err)
	patch := outrider.CampaignPatch{Notes: nullable.NewNullNullable[string]()}
	patched, err := api.PatchCampaignWithResponse(ctx, id, nil, patch)
	cleared := must(patched.JSON200, patched.Body, err)
	started, err := api.StartCampaignWithResponse(ctx, id, nil, outrider.StartCampaignJSONRequestBody{})
	must(started.JSON200, started.Body, err)
	sent := send(api, id)

	answer, err := api.GetExperimentResultsWithResponse(ctx, experiment.Id, nil)
	results := must(answer.JSON200, answer.Body, err)
	var variants []string
	var variantsSent int64
	for _, variant := range results.Variants {
		variants = append(variants, variant.Name)
		variantsSent += variant.EmailsSent
	}
	slices.Sort(variants)
	events, _ := listEvents(api, "email.sent")
	_, enrolled := listEvents(api, "lead.*")

	verifier, err := standardwebhooks.NewWebhook(webhook.Secret)
	must(verifier, nil, err)
	delivered := <-deliveries
	must(to(true), delivered.body, verifier.Verify(delivered.body, delivered.header))
	var event outrider.Event
	must(&event, delivered.body, json.Unmarshal(delivered.body, &event))
	told, err := event.AsEmailSentEvent()
	must(&told, delivered.body, err)
	forged := "believed"
	if verifier.Verify(append(delivered.body, ' '), delivered.header) != nil {
		forged = "refused"
	}
	refused, err := api.CreateCampaignWithResponse(ctx, nil, outrider.CampaignCreate{Name: ""})
	refusal := must(refused.JSON422, refused.Body, err)
	status, err := api.GetSystemWithResponse(ctx)
	system := must(status.JSON200, status.Body, err)

	printed, err := json.Marshal(map[string]any{
		"notes":        []any{campaign.Notes, cleared.Notes},
		"imported":     imported,
		"sent":         sent,
		"metric":       results.Experiment.PrimaryMetric,
		"variants":     variants,
		"variantsSent": variantsSent,
		"leads":        countLeads(api, id),
		"events":       events,
		"enrolled":     enrolled,
		"webhook":      slices.Contains(events, told.Data.To.MustGet()),
		"forged":       forged,
		"refused":      []any{refusal.Type, refusal.Field},
		"disk":         system.Disk.FreeBytes > 0,
	})
	must(&printed, nil, err)
	fmt.Println(string(printed))
}
