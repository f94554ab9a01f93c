// From a mailbox to a verified webhook, through the client of clients/go. Prints what it has seen as one line
// of JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"

	"outrider"
)

const daysMax = 10

var ctx = context.Background()

type delivery struct {
	header http.Header
	body   []byte
}

// must returns the answer, and ends the program where there is none.
func must[T any](answer T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return answer
}

// receive opens a receiver of webhooks, and returns its URL.
func receive() (string, chan delivery) {
	deliveries := make(chan delivery, 100)
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	go http.Serve(listener, http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		deliveries <- delivery{request.Header, body}
	}))
	return "http://" + listener.Addr().String() + "/hooks", deliveries
}

func createCampaign(api *outrider.Client) *outrider.Campaign {
	must(api.CreateAccount(ctx, outrider.AccountCreate{
		Email: "ann@sender.example", Provider: outrider.AccountProviderSandbox,
	}))
	campaign := must(api.CreateCampaign(ctx, outrider.CampaignCreate{
		Name: "Spring", Notes: outrider.Some("A draft"),
	}))
	must(api.CreateCampaignStep(ctx, campaign.ID, outrider.CampaignStepCreate{
		Type:    outrider.CampaignStepTypeEmail,
		Subject: outrider.Some("A question"),
		Body:    outrider.Some("Hi"),
	}))
	return campaign
}

// addLeads adds two as JSON and three as a file, and returns how many were added.
func addLeads(api *outrider.Client, id string) []int64 {
	leads := []outrider.ImportCampaignLeadsRequestLead{
		{
			Email: "ada@one.example", FirstName: outrider.Some("Ada"),
			Variables: outrider.Some(map[string]any{"city": "Oslo"}),
		},
		{Email: "bo@two.example", FirstName: outrider.Null[string]()},
	}
	ofJSON := must(api.ImportCampaignLeads(ctx, id, outrider.ImportCampaignLeadsRequest{Leads: leads}))
	file := "email,first_name\ncy@three.example,Cy\ndi@four.example,Di\ned@five.example,Ed"
	upload := outrider.Upload{ContentType: "text/csv", Body: strings.NewReader(file)}
	ofFile := must(api.ImportCampaignFile(ctx, id, nil, upload))
	return []int64{ofJSON.Imported, ofFile.Imported}
}

func createExperiment(api *outrider.Client, id string) *outrider.Experiment {
	return must(api.CreateExperiment(ctx, outrider.ExperimentCreate{
		Name:          "Subject",
		CampaignID:    id,
		PrimaryMetric: outrider.Some(outrider.ExperimentPrimaryMetricReplyRate),
		Variants: []outrider.ExperimentCreateVariant{
			{Name: "A", Config: outrider.Some(map[string]any{"subject": "A question"})},
			{Name: "B", Config: outrider.Some(map[string]any{"subject": "Hello"})},
		},
	}))
}

// listEvents returns the addresses that emails were sent to, and how many leads were enrolled.
func listEvents(api *outrider.Client, pattern string) (sent []string, enrolled int) {
	params := outrider.ListEventsParams{Type: outrider.Some(pattern), Limit: outrider.Some(int64(2))}
	for event, err := range api.AllEvents(ctx, &params) {
		switch one := must(event, err).Value.(type) {
		case *outrider.EmailSentEvent:
			sent = append(sent, *one.Data.To)
		case *outrider.LeadEnrolledEvent:
			enrolled++
		}
	}
	slices.Sort(sent)
	return sent, enrolled
}

func main() {
	api := &outrider.Client{URL: os.Getenv("OUTRIDER_URL"), Key: os.Getenv("OUTRIDER_KEY")}
	campaign := createCampaign(api)
	id := campaign.ID
	imported := addLeads(api, id)
	experiment := createExperiment(api, id)
	url, deliveries := receive()
	webhook := must(api.CreateWebhook(ctx, outrider.WebhookCreate{
		URL: url, Events: outrider.Some([]outrider.EventPattern{outrider.EventPatternEmailSent}),
	}))
	cleared := must(api.PatchCampaign(ctx, id, outrider.CampaignPatch{Notes: outrider.Null[string]()}))
	must(api.StartCampaign(ctx, id, nil))
	var sent int64
	for day := 0; day < daysMax && sent < 5; day++ {
		must(api.MoveSandboxClock(ctx, outrider.MoveSandboxClockRequest{Advance: outrider.Some("1d")}))
		sent = must(api.GetCampaignStats(ctx, id)).Sent
	}

	results := must(api.GetExperimentResults(ctx, experiment.ID, nil))
	var variants []string
	var variantsSent int64
	for _, variant := range results.Variants {
		variants = append(variants, variant.Name)
		variantsSent += variant.EmailsSent
	}
	slices.Sort(variants)
	emails := map[string]bool{}
	params := outrider.ListCampaignLeadsParams{Limit: outrider.Some(int64(2))}
	for lead, err := range api.AllCampaignLeads(ctx, id, &params) {
		emails[must(lead, err).Email] = true
	}
	events, _ := listEvents(api, "email.sent")
	_, enrolled := listEvents(api, "lead.*")

	delivered := <-deliveries
	event := must(outrider.VerifyWebhook(delivered.body, delivered.header, webhook.Secret))
	told, _ := event.Value.(*outrider.EmailSentEvent)
	forged := "believed"
	if _, err := outrider.VerifyWebhook(append(delivered.body, ' '), delivered.header, webhook.Secret); err != nil {
		forged = "refused"
	}
	_, err := api.CreateCampaign(ctx, outrider.CampaignCreate{Name: ""})
	var refusal *outrider.Error
	if !errors.As(err, &refusal) {
		panic(err)
	}

	printed := must(json.Marshal(map[string]any{
		"notes":        []any{campaign.Notes, cleared.Notes},
		"imported":     imported,
		"sent":         sent,
		"metric":       results.Experiment.PrimaryMetric,
		"variants":     variants,
		"variantsSent": variantsSent,
		"leads":        len(emails),
		"events":       events,
		"enrolled":     enrolled,
		"webhook":      told != nil && slices.Contains(events, *told.Data.To),
		"forged":       forged,
		"refused":      []any{refusal.Type, refusal.Field},
		"disk":         must(api.GetSystem(ctx)).Disk.FreeBytes > 0,
	}))
	fmt.Println(string(printed))
}
