// Package outrider is the Outrider API from Go: a method for each operation, typed by the API's own document,
// and what every client needs around it: retries that repeat nothing, pages, refusals, webhook signatures.
package outrider

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	defaultURL     = "http://127.0.0.1:8480"
	defaultTries   = 4
	defaultTimeout = time.Minute
	pause          = 500 * time.Millisecond
	pauseMax       = 30 * time.Second
)

// Client asks one server with one key. Its fields are not to be changed while it is in use.
type Client struct {
	// The server, without /api/v1; http://127.0.0.1:8480 where empty.
	URL string
	// outrider_live_… or outrider_test_….
	Key string
	// How often a request is tried in all, where trying again may help; 4 where zero.
	Tries int
	// Until a response has come, or a file has begun to; a minute where zero, no limit where negative.
	Timeout time.Duration
	// Instead of http.DefaultClient.
	HTTP *http.Client
}

// Error is what the server refused, in its own words.
type Error struct {
	// A stable name, such as validation_error; "unknown" where a proxy has answered.
	Type string `json:"type"`
	// For people; may change.
	Message string `json:"message"`
	// Dotted path into the body or the query; nil where no field is at fault.
	Field  *string `json:"field"`
	Status int     `json:"status"`
	// To find the request in the server's log.
	RequestID string `json:"-"`
}

func (e *Error) Error() string {
	if e.Field != nil {
		return fmt.Sprintf("%s: %s", *e.Field, e.Message)
	}
	return e.Message
}

// Unreachable is no response at all: the server is away, or the network, or it took too long.
type Unreachable struct{ Cause error }

func (e *Unreachable) Error() string { return "the server is not responding: " + e.Cause.Error() }
func (e *Unreachable) Unwrap() error { return e.Cause }

// Upload is a file. A Body that is no io.Seeker is sent once, whatever comes of it.
type Upload struct {
	// Such as text/csv.
	ContentType string
	Body        io.Reader
}

// Option is a setting of one request.
type Option func(*request)

// IdempotencyKey is the key of a POST, instead of a new one.
func IdempotencyKey(key string) Option { return func(r *request) { r.idempotencyKey = key } }

// IfMatch is the ETag that the record must still have.
func IfMatch(etag string) Option { return func(r *request) { r.ifMatch = etag } }

// ETag receives the version of the record that was returned, for IfMatch.
func ETag(etag *string) Option { return func(r *request) { r.etag = etag } }

// DryRun has the server answer what a write would do, without doing it.
func DryRun() Option {
	return func(r *request) {
		if r.query == nil {
			r.query = url.Values{}
		}
		r.query.Set("dry_run", "true")
	}
}

type request struct {
	method, path            string
	parts                   []string
	query                   url.Values
	body                    any
	upload                  *Upload
	idempotencyKey, ifMatch string
	etag                    *string
	isFile                  bool
}

func call[T any](c *Client, ctx context.Context, r request, options []Option) (*T, error) {
	text, err := c.text(ctx, r, options)
	if err != nil || len(text) == 0 {
		return nil, err
	}
	answer := new(T)
	return answer, json.Unmarshal(text, answer)
}

func callList[T any](c *Client, ctx context.Context, r request, options []Option) (T, error) {
	answer, err := call[T](c, ctx, r, options)
	if answer == nil {
		answer = new(T)
	}
	return *answer, err
}

func (c *Client) none(ctx context.Context, r request, options []Option) error {
	_, err := c.text(ctx, r, options)
	return err
}

func (c *Client) file(ctx context.Context, r request, options []Option) (*http.Response, error) {
	r.isFile = true
	response, _, err := c.try(ctx, r, options)
	return response, err
}

func (c *Client) text(ctx context.Context, r request, options []Option) ([]byte, error) {
	_, text, err := c.try(ctx, r, options)
	return text, err
}

// try returns the first response that trying again would not better. What was refused with 429 or 503 was
// not done; a connection that broke may have done it, so only what can be repeated is sent again: a POST has
// a key.
func (c *Client) try(ctx context.Context, r request, options []Option) (*http.Response, []byte, error) {
	for _, option := range options {
		option(&r)
	}
	target, err := r.target(c.URL)
	if err != nil {
		return nil, nil, err
	}
	tries := c.Tries
	if tries == 0 {
		tries = defaultTries
	}
	if r.method == http.MethodPost && r.idempotencyKey == "" && tries > 1 {
		r.idempotencyKey = rand.Text()
	}
	if !r.isRepeatable() {
		tries = 1
	}
	for tried := 1; ; tried++ {
		response, text, err := c.once(ctx, target, r)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		mayRepeat := tried < tries
		switch {
		case err != nil && (!mayRepeat || r.method == http.MethodDelete || r.method == http.MethodPut):
			return nil, nil, &Unreachable{err}
		case err == nil && (!mayRepeat || !isBusy(response)):
			return r.settle(response, text)
		}
		if err := wait(ctx, pauseAfter(tried, response)); err != nil {
			return nil, nil, err
		}
	}
}

func isBusy(response *http.Response) bool {
	return response.StatusCode == http.StatusTooManyRequests ||
		response.StatusCode == http.StatusServiceUnavailable
}

func pauseAfter(tried int, response *http.Response) time.Duration {
	wanted := pause << (tried - 1)
	if response != nil {
		after := response.Header.Get("Retry-After")
		if seconds, err := strconv.Atoi(after); err == nil {
			wanted = max(wanted, time.Duration(seconds)*time.Second)
		} else if at, err := http.ParseTime(after); err == nil {
			wanted = max(wanted, time.Until(at))
		}
	}
	return min(wanted, pauseMax)
}

func wait(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// target is the request's URL; an empty part of the path would ask for something else.
func (r *request) target(base string) (string, error) {
	if base == "" {
		base = defaultURL
	}
	path := r.path
	for _, part := range r.parts {
		from, to := strings.Index(path, "{"), strings.Index(path, "}")
		if part == "" {
			return "", errors.New(path[from+1:to] + " is required")
		}
		path = path[:from] + url.PathEscape(part) + path[to+1:]
	}
	target := strings.TrimRight(base, "/") + "/api/v1" + path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	return target, nil
}

func (r *request) isRepeatable() bool {
	if r.upload == nil {
		return true
	}
	_, canSeek := r.upload.Body.(io.Seeker)
	return canSeek
}

func (r *request) content() (body io.Reader, contentType string, err error) {
	if r.upload != nil {
		if seeker, canSeek := r.upload.Body.(io.Seeker); canSeek {
			_, err = seeker.Seek(0, io.SeekStart)
		}
		// The transport closes what it can, and it may have to be read again.
		return io.NopCloser(r.upload.Body), r.upload.ContentType, err
	}
	if r.body == nil {
		return nil, "", nil
	}
	text, err := json.Marshal(r.body)
	return bytes.NewReader(text), "application/json", err
}

// once sends the request. A file may come for as long as it takes; anything else has come within the limit,
// or not at all.
func (c *Client) once(ctx context.Context, target string, r request) (*http.Response, []byte, error) {
	content, contentType, err := r.content()
	if err != nil {
		return nil, nil, err
	}
	limited, cancel := context.WithCancel(ctx)
	isLate := c.deadline(cancel)
	sent, err := http.NewRequestWithContext(limited, r.method, target, content)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	set(sent.Header, "Authorization", "Bearer "+c.Key, c.Key != "")
	set(sent.Header, "Content-Type", contentType, contentType != "")
	set(sent.Header, "Idempotency-Key", r.idempotencyKey, r.idempotencyKey != "")
	set(sent.Header, "If-Match", r.ifMatch, r.ifMatch != "")
	sent.Header.Set("User-Agent", "outrider-go/"+Version)
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(sent)
	if err != nil {
		isLate.Stop()
		cancel()
		return nil, nil, err
	}
	if r.isFile && response.StatusCode < 300 {
		isLate.Stop()
		response.Body = &closing{response.Body, cancel}
		return response, nil, nil
	}
	defer cancel()
	defer isLate.Stop()
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response, text, err
}

func (c *Client) deadline(cancel func()) *time.Timer {
	limit := c.Timeout
	if limit == 0 {
		limit = defaultTimeout
	}
	timer := time.AfterFunc(max(limit, 0), cancel)
	if limit < 0 {
		timer.Stop()
	}
	return timer
}

// closing ends the request with its body.
type closing struct {
	io.ReadCloser
	cancel func()
}

func (c *closing) Close() error {
	defer c.cancel()
	return c.ReadCloser.Close()
}

func set(header http.Header, name, value string, isGiven bool) {
	if isGiven {
		header.Set(name, value)
	}
}

// settle turns a refusal into an Error, and what is no JSON, such as a page of a proxy.
func (r *request) settle(response *http.Response, text []byte) (*http.Response, []byte, error) {
	isDone := response.StatusCode < 300
	if isDone && (r.isFile || len(text) == 0 || json.Valid(text)) {
		if r.etag != nil {
			*r.etag = response.Header.Get("ETag")
		}
		return response, text, nil
	}
	refusal := &Error{RequestID: response.Header.Get("X-Request-Id")}
	if isDone || json.Unmarshal(text, refusal) != nil || refusal.Type == "" {
		*refusal = Error{Type: "unknown", RequestID: refusal.RequestID}
		refusal.Message = fmt.Sprintf("the server responded with status %d", response.StatusCode)
	}
	refusal.Status = response.StatusCode
	return nil, nil, refusal
}

type page[T any] struct {
	Data       []T             `json:"data"`
	HasMore    *bool           `json:"hasMore"`
	NextCursor json.RawMessage `json:"next_cursor"`
}

// pages yields every record of a list, one page after another: by cursor where there is one, or else by how
// many have come. A list that does not say whether there is more has more while its pages are full.
func pages[T any](ctx context.Context, c *Client, path string, parts []string, query url.Values) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		limit, _ := strconv.Atoi(query.Get("limit"))
		for seen := 0; ; {
			r := request{method: http.MethodGet, path: path, parts: parts, query: query}
			text, err := c.text(ctx, r, nil)
			var one page[T]
			if err == nil && bytes.HasPrefix(text, []byte("[")) {
				err = json.Unmarshal(text, &one.Data)
			} else if err == nil {
				err = json.Unmarshal(text, &one)
			}
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range one.Data {
				if !yield(item, nil) {
					return
				}
			}
			seen += len(one.Data)
			hasMore := len(one.Data) > 0 && len(one.Data) == limit
			if one.HasMore != nil {
				hasMore = *one.HasMore
			}
			if !hasMore || string(one.NextCursor) == "null" {
				return
			}
			if one.NextCursor == nil {
				query.Set("offset", strconv.Itoa(seen))
				continue
			}
			var after string
			if err := json.Unmarshal(one.NextCursor, &after); err != nil {
				var none T
				yield(none, err)
				return
			}
			query.Set("after", after)
		}
	}
}
